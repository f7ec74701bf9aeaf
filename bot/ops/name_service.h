/* SPDX-License-Identifier: GPL-3.0-or-later */
/* name_service.h - by what names of machines and users are resolved. */
#pragma once

/* Once, first of all in a program, before other threads. In a static program: by /etc/hosts and the
 * DNS servers of /etc/resolv.conf alone, whatever nsswitch.conf says. Its modules are made for the
 * system's C library, and a static program that loads them has two. Else nothing changes. */
void name_service_choose(void);
