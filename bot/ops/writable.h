/* SPDX-License-Identifier: GPL-3.0-or-later */
/* writable.h - could we write that file? Asked before somebody goes to trouble for it. */
#pragma once
#include "engine/base/error.h"

typedef enum { FOLDER_IS_THERE, FOLDER_MAY_BE_MADE } FolderWish;

/* By what our effective user may; nothing is written. `wish`: whether the folder must be there, or
 * the writer makes it. False and an Error with the path: it is a folder itself, or cannot be
 * written. */
bool writable_look(const char *path, FolderWish wish, Error *err) MUST_CHECK;
