/* SPDX-License-Identifier: GPL-3.0-or-later */
/* config.h - reads the operator's INI file, and over it the environment (environment.h), into
 * settings.h's values.
 * Every key has a default (see schema.h). All problems of a file are found in one go. */
#pragma once
#include "bot/config/settings.h"
#include "engine/base/buf.h"
#include "engine/base/error.h"

enum { CONFIG_PROBLEMS_MAX = 65536, CONFIG_KEYS_MAX = 256 };

/* The path where there is no file: the environment and the defaults hold. */
#define CONFIG_NO_FILE ""

/* What stands for a line where a key's variable gives it. */
enum { CONFIG_FROM_ENVIRONMENT = -1 };

/* The defaults alone; release it all the same. */
void config_init(Config *config);
void config_release(Config *config);

/* Reads `path`, then the environment, over the defaults into a new Config. False, `out` untouched
 * and `problems` (of the caller) holding one "path:line: message" or "VARIABLE: message" a line
 * when anything is wrong. */
bool config_load(Config *out, const char *path, Buf *problems) MUST_CHECK;

/* The same, and in which line each key of schema_keys() stands, the last one of a key that may be
 * given more than once; 0: in none; CONFIG_FROM_ENVIRONMENT. */
bool config_load_lines(Config *out, const char *path, int lines[CONFIG_KEYS_MAX],
                       Buf *problems) MUST_CHECK;

/* The same for who only wants to know where things are: what is right in the file holds, the rest
 * is left out and told in `problems`. False, and `out` untouched, where there is no reading it. */
bool config_load_lenient(Config *out, const char *path, Buf *problems) MUST_CHECK;

/* The same for a report that others read: problems name the file without its folder, and leave out
 * values that may name people or paths. */
bool config_load_shareable(Config *out, const char *path, Buf *problems) MUST_CHECK;

/* The same as config_load() for text that is already in memory, without the environment; `name`
 * stands for the path. */
bool config_parse(Config *out, const char *name, const char *text, size_t len,
                  Buf *problems) MUST_CHECK;

/* Cuts the next path off the text of a key that lists paths with ':' between; false at its end. */
bool config_next_path(Text *rest, char path[CONFIG_TEXT_SIZE]) MUST_CHECK;

/* The n-th value that the file has for a key of text, by itself or in a rule; "": that one is
 * empty, or was given before. NULL: there are no more. */
const char *config_text_named(const Config *config, const char *section, const char *name,
                              size_t n);
