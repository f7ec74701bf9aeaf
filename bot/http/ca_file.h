/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ca_file.h - where this system keeps the certificates of those who may vouch for a server.
 *
 * libcurl knows one place, that of the system which it was built for; a castled that brings its own
 * libraries meets others. Any thread, as long as none changes the environment. */
#pragma once
/* The file of $SSL_CERT_FILE where that is set, whatever is there; else the first of
 * ca_file_places() that can be read. NULL: none. Lent for ever, or until the variable changes. */
const char *ca_file_find(void);

/* Where it looks without the variable, in this order; static, ends with NULL. */
const char *const *ca_file_places(void);
