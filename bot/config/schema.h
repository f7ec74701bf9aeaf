/* SPDX-License-Identifier: GPL-3.0-or-later */
/* schema.h - the one table of configuration keys: parser, defaults, range checks, reload, the
 * example file, the manual and `castled check` walk it. */
#pragma once
#include "bot/config/key.h"

/* What conditions of rules and external engines are made of, too. */
extern const WordList schema_speed_words, schema_kind_words, schema_variant_words;

/* Of GameMode. */
extern const WordList schema_mode_words;

/* Of ChatCommand. */
extern const WordList schema_command_words;

/* Of AlertKind. */
extern const WordList schema_alert_words;

/* All keys, those of a section together, in the example's order. */
const KeySpec *schema_keys(size_t *count);

/* The row, or NULL. `section` and `name` as in the file: case counts. */
const KeySpec *schema_find(const char *section, const char *name);
