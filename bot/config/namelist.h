/* SPDX-License-Identifier: GPL-3.0-or-later */
/* namelist.h - a list of users as it is published on the web: a name a line. Blank lines and what
 * follows a '#' do not count; "- name", "name," and quotes around a name are understood, and an
 * object of JSON with the user's "id", as the server lists the members of a team. Pure. */
#pragma once
#include "bot/config/user_list.h"

/* A sorted list without repetitions, the caller's to release. False, and `out` untouched, when the
 * text is no such list, has more than CONFIG_USERS_MAX names, or without memory. A line that holds
 * no name, as in every page of HTML, makes it no list. An empty list is one. */
bool namelist_parse(UserList *out, const char *text, size_t len, Error *err) MUST_CHECK;
