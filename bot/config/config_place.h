/* SPDX-License-Identifier: GPL-3.0-or-later */
/* config_place.h - where the configuration file lies. */
#pragma once
#include "engine/base/error.h"

#include <stddef.h>

/* The file to read: `asked` (--config) if not NULL, else $XDG_CONFIG_HOME/castled/castled.conf (or
 * ~/.config/…) where that exists, else /etc/castled/castled.conf where that exists, else
 * CONFIG_NO_FILE where the environment is enough. False with an Error that names the places when it
 * is not. */
bool config_place_find(const char *asked, char *out, size_t out_size, Error *err) MUST_CHECK;

/* The path for people to read. */
const char *config_place_text(const char *path);
