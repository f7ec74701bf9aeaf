/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/cli/game_filter.h"

#include "bot/cli/archive_place.h"
#include "bot/cli/shown.h"
#include "engine/base/number.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

typedef enum { WORD_FLAG, WORD_TEXT, WORD_VARIANT, WORD_SPEED, WORD_DATE, WORD_NUMBER } WordKind;

#define AT(member) offsetof(GameFilter, member)

static const struct {
    const char *name;
    WordKind kind;
    size_t offset;
    int value; /* WORD_FLAG: what it stands for */
} words[] = {
    { "--opponent", WORD_TEXT, AT(filter.opponent), 0 },
    { "--humans", WORD_FLAG, AT(filter.kind), STORE_HUMANS },
    { "--bots", WORD_FLAG, AT(filter.kind), STORE_BOTS },
    { "--won", WORD_FLAG, AT(filter.outcome), STORE_WON },
    { "--lost", WORD_FLAG, AT(filter.outcome), STORE_LOST },
    { "--drawn", WORD_FLAG, AT(filter.outcome), STORE_DRAWN },
    { "--rated", WORD_FLAG, AT(filter.mode), STORE_RATED },
    { "--casual", WORD_FLAG, AT(filter.mode), STORE_CASUAL },
    { "--account", WORD_TEXT, AT(filter.account), 0 },
    { "--variant", WORD_VARIANT, AT(filter.variant), 0 },
    { "--speed", WORD_SPEED, AT(filter.speed), 0 },
    { "--since", WORD_DATE, AT(filter.since_ms), 0 },
    { "--until", WORD_DATE, AT(filter.until_ms), 0 },
    { "--limit", WORD_NUMBER, AT(filter.limit), 0 },
};

/* The beginning of a day in UTC: "2026-08-03", and no 31st of June. */
static bool read_date(const char *text, int64_t *out)
{
    struct tm day = { .tm_mday = 1 };
    char again[16];
    const char *end = strptime(text, "%Y-%m-%d", &day);
    if (!end || *end != '\0')
        return false;
    *out = (int64_t)timegm(&day) * 1000;
    return *out >= 0 && strftime(again, sizeof again, "%Y-%m-%d", &day) > 0 &&
           strcmp(again, text) == 0;
}

static bool read_value(GameFilter *out, size_t row, const char *value, Error *err)
{
    char *at = (char *)out + words[row].offset;
    const char *expected = "";
    bool ok = true;
    switch (words[row].kind) {
    case WORD_FLAG:
        *(int *)(void *)at = words[row].value;
        break;
    case WORD_TEXT:
        *(const char **)(void *)at = value;
        break;
    case WORD_VARIANT:
        *(Variant *)(void *)at = variant_of(text_of(value));
        ok = *(Variant *)(void *)at != VARIANT_UNKNOWN;
        expected = "a variant, such as standard or chess960";
        break;
    case WORD_SPEED:
        *(Speed *)(void *)at = speed_of(text_of(value));
        ok = *(Speed *)(void *)at != SPEED_UNKNOWN;
        expected = "a speed, such as blitz";
        break;
    case WORD_DATE:
        ok = read_date(value, (int64_t *)(void *)at);
        expected = "a date, such as 2026-08-03";
        break;
    case WORD_NUMBER:
        ok = number_parse(value, strlen(value), 1, INT64_MAX, (int64_t *)(void *)at, NULL);
        expected = "a number from 1 on";
        break;
    }
    if (!ok)
        error_set(err, ERR_INVALID, "%s %s: not %s", words[row].name, value, expected);
    return ok;
}

static bool find_word(const char *word, size_t *row)
{
    for (*row = 0; *row < sizeof words / sizeof *words; ++*row)
        if (strcmp(words[*row].name, word) == 0)
            return true;
    return false;
}

bool game_filter_read(GameFilter *out, const CommandOptions *options, GameFilterWords taken,
                      Error *err)
{
    *out = (GameFilter){ .id_count = 0 };
    for (int i = 0; i < options->word_count; i++) {
        const char *word = options->words[i];
        size_t row;
        if (strcmp(word, "--json") == 0) {
            out->as_json = true;
        } else if (find_word(word, &row)) {
            bool has_value = words[row].kind != WORD_FLAG;
            if (has_value && ++i == options->word_count) {
                error_set(err, ERR_INVALID, "nothing after %s", word);
                return false;
            }
            if (!read_value(out, row, has_value ? options->words[i] : NULL, err))
                return false;
        } else if (taken == FILTER_AND_IDS && game_id_is_valid(text_of(word))) {
            out->ids[out->id_count++] = word;
        } else {
            error_set(err, ERR_INVALID, "%s: not known here", word);
            return false;
        }
    }
    return true;
}

ExitStatus game_filter_open(Store **out, StoreMode mode, Config *config,
                            const CommandOptions *options)
{
    char path[CONFIG_PATH_SIZE];
    ArchivePlace place;
    Error err = { 0 };
    if (!command_read_places(options, config, path))
        return EXIT_CONFIG;
    ExitStatus status = EXIT_UNREACHABLE;
    bool is_found = archive_place_find(&place, config, &err);
    if (is_found && place.owner == ARCHIVE_OF_NOBODY)
        fprintf(stderr, "castled: %s: the archive is off\n", path);
    else if (!is_found || !archive_place_open(&place, mode, out, &err))
        fprintf(stderr, "castled: %s\n", shown_error(&err).text);
    else
        status = EXIT_FINE;
    if (status != EXIT_FINE)
        config_release(config);
    return status;
}
