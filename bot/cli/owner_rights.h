/* SPDX-License-Identifier: GPL-3.0-or-later */
/* owner_rights.h - root works on somebody's file with that user's rights. Who owns a folder decides
 * what a program finds there: SQLite plays back a journal that lies beside its file, and removes
 * what that names. With the owner's rights it can do nothing that the owner could not. */
#pragma once
#include "engine/base/error.h"

/* As root, and where the folder of `path` belongs to another: acts as that user from now on, but
 * may still pass folders that are closed to it, as /var/lib/private is to dynamic users. Else
 * nothing. False and an Error where that cannot be. One thread only. */
bool owner_rights_take(const char *path, Error *err) MUST_CHECK;

/* Acts as root again, if it was root that took them. Its further groups do not come back. */
void owner_rights_drop(void);
