/* SPDX-License-Identifier: GPL-3.0-or-later */
/* version.h - which castled this is. Pure: any thread. */
#pragma once

/* "0.1.0+1234abc": the version and the commit that it was built from, or "0.1.0" where that is not
 * known. Printable, without blanks. Static. */
const char *version_text(void);
