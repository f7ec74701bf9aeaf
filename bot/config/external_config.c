/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/config/external_config.h"

#include "bot/config/did_you_mean.h"
#include "bot/config/schema.h"
#include "engine/base/check.h"

#include <assert.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

static const char option_prefix[] = "option.";

static const char *const errors[EXTERNAL_ERRORS_COUNT] = { "log", "none" };
static const WordList errors_words = { errors, EXTERNAL_ERRORS_COUNT, 0 };

#define ROW(key_name, key_kind, member)                                                            \
    .section = EXTERNAL_SECTION, .name = key_name, .kind = key_kind,                               \
    .offset = offsetof(ExternalConfig, member)

// clang-format off
static const KeySpec keys[] = {
    { ROW("command", KEY_TEXT, command), .standard = "",
      .help = "The program and its arguments, without a shell; \"double quotes\" keep blanks together. Of a folder: its newest program." },
    { ROW("previous", KEY_TEXT, previous), .standard = "",
      .help = "The command of an earlier version, used after two games in a row that faults have spoiled." },
    { ROW("share", KEY_INT_AUTO, share), .hi = 100, .standard = "auto",
      .help = "Percent of the games that it plays, drawn by the game's id; auto: those that engines with a share leave." },
    { ROW("directory", KEY_TEXT, directory), .standard = "",
      .help = "The folder that it runs in, where it looks for its files; by default castled's own." },
    { ROW("variants", KEY_SET, variants), .words = &schema_variant_words,
      .standard = "standard, chess960, fromPosition",
      .help = "Variants that it plays. Of several engines for a variant the first in the file comes first." },
    { ROW("nodes", KEY_COUNT, nodes), .hi = 1000000000000, .standard = "0",
      .help = "Maximum nodes per move, besides that of [engine]; 0: no limit." },
    { ROW("depth", KEY_INT, depth_plies), .hi = 127, .standard = "0",
      .help = "Maximum plies per move; 0: no limit." },
    { ROW("movetime", KEY_INT, movetime_ms), .hi = 86400000, .standard = "0",
      .help = "Milliseconds per move; 0: by the clock." },
    { ROW("ponder", KEY_BOOL, ponder), .standard = "no",
      .help = "Whether it ponders in the opponent's time." },
    { ROW("sandbox", KEY_BOOL, sandbox), .standard = "yes",
      .help = "Whether it is kept from the token and the configuration; no for sudo, containers and other sandboxes." },
    { ROW("stderr", KEY_CHOICE, errors), .words = &errors_words, .standard = "log",
      .help = "Where its stderr goes: the log at level debug, or nowhere." },
    { ROW("transcript", KEY_INT, transcript_days), .hi = 365, .standard = "30",
      .help = "Days to keep what was said in a game, for castled engine-log and replay; 0: not at all." },
};
// clang-format on

enum { KEY_ROWS = sizeof keys / sizeof *keys };
static_assert((int)KEY_ROWS <= (int)EXTERNAL_KEYS_MAX, "a line for each row");

const KeySpec *external_config_keys(size_t *count)
{
    *count = KEY_ROWS;
    return keys;
}

void external_config_init(ExternalConfig *config, const char *name, int line)
{
    memset(config, 0, sizeof *config);
    const char *usual = name[0] ? name : "external";
    CHECK(strlen(usual) < sizeof config->name);
    memcpy(config->name, usual, strlen(usual) + 1);
    config->line = line;
    for (size_t i = 0; i < KEY_ROWS; i++) {
        bool ok = keys[i].standard[0] == '\0' || key_set(&keys[i], config, keys[i].standard, NULL);
        assert(ok && "a default is a value");
        (void)ok;
    }
}

static bool set_option(ExternalConfig *config, int line, const char *name, const char *value,
                       Error *err)
{
    size_t name_len = strlen(name), value_len = strlen(value);
    if (name_len == 0 || name_len >= EXTERNAL_SETTING_NAME_SIZE || value_len >= CONFIG_TEXT_SIZE) {
        error_set(err, ERR_RANGE, "option.NAME needs a name of 1 to %d bytes",
                  EXTERNAL_SETTING_NAME_SIZE - 1);
        return false;
    }
    for (size_t i = 0; i < config->setting_count; i++) {
        if (strcmp(config->settings[i].name, name) != 0)
            continue;
        error_set(err, ERR_INVALID, "option.%s is given twice; first in line %d", name,
                  config->settings[i].line);
        return false;
    }
    if (config->setting_count == EXTERNAL_SETTINGS_MAX) {
        error_set(err, ERR_RANGE, "more than %d options", EXTERNAL_SETTINGS_MAX);
        return false;
    }
    ExternalSetting *setting = &config->settings[config->setting_count++];
    memcpy(setting->name, name, name_len + 1);
    memcpy(setting->value, value, value_len + 1);
    setting->line = line;
    return true;
}

static void unknown_key(const ExternalConfig *config, const char *name, Error *err)
{
    const char *names[KEY_ROWS];
    for (size_t i = 0; i < KEY_ROWS; i++)
        names[i] = keys[i].name;
    const char *meant = did_you_mean(name, names, KEY_ROWS);
    if (meant)
        error_set(err, ERR_INVALID, "unknown key \"%s\" of engine %s; did you mean \"%s\"?", name,
                  config->name, meant);
    else
        error_set(err, ERR_INVALID,
                  "unknown key \"%s\" of engine %s; the engine's own options are option.NAME", name,
                  config->name);
}

bool external_config_set(ExternalConfig *config, int line, const char *key, const char *value,
                         Error *err)
{
    size_t prefix = sizeof option_prefix - 1, i = 0;
    if (strncmp(key, option_prefix, prefix) == 0)
        return set_option(config, line, key + prefix, value, err);
    while (i < KEY_ROWS && strcmp(keys[i].name, key) != 0)
        i++;
    if (i == KEY_ROWS) {
        unknown_key(config, key, err);
        return false;
    }
    int *first_line = &config->key_lines[i];
    if (*first_line != 0) {
        error_set(err, ERR_INVALID, "%s is given twice; first in line %d", key, *first_line);
        return false;
    }
    *first_line = line;
    if (key_set(&keys[i], config, value, err))
        return true;
    error_prefix(err, "%s = %s", key, value);
    return false;
}

bool external_config_check(const ExternalConfig *config, Error *err)
{
    if (config->command[0] != '\0')
        return true;
    error_set(err, ERR_INVALID, "engine %s has no command", config->name);
    return false;
}

bool external_name_is_reserved(const char *name)
{
    return strcmp(name, EXTERNAL_ALL) == 0 || strcmp(name, EXTERNAL_NONE) == 0 ||
           name[strcspn(name, ", \t")] != '\0';
}

bool external_is_named(const char *words, const char *name)
{
    Text rest = text_of(words);
    for (Text word; (word = text_next_word(&rest, ", \t")).len > 0;)
        if (text_is(word, EXTERNAL_ALL) || text_is(word, name))
            return true;
    return false;
}

bool external_find_unknown(const char *words, const char *const *names, size_t count,
                           char out[CONFIG_TEXT_SIZE])
{
    Text rest = text_of(words);
    for (Text word; (word = text_next_word(&rest, ", \t")).len > 0;) {
        bool is_known = text_is(word, EXTERNAL_ALL) || text_is(word, EXTERNAL_NONE);
        for (size_t i = 0; i < count && !is_known; i++)
            is_known = text_is(word, names[i]);
        if (!is_known)
            return text_copy(out, CONFIG_TEXT_SIZE, word);
    }
    return false;
}

static void forget_lines(ExternalConfig *config)
{
    config->line = 0;
    for (size_t i = 0; i < config->setting_count; i++)
        config->settings[i].line = 0;
}

bool external_config_equals(const ExternalConfig *a, const ExternalConfig *b)
{
    ExternalConfig left = *a, right = *b;
    forget_lines(&left);
    forget_lines(&right);
    return memcmp(&left, &right, sizeof left) == 0;
}
