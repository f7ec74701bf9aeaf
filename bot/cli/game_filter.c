/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/cli/game_filter.h"

#include "bot/cli/archive_place.h"
#include "bot/cli/shown.h"
#include "bot/config/schema.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum { LIMIT_MOST = 1000000000 };

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

static bool take_date(const Option *option, void *at, const char *value, Error *err)
{
    (void)option;
    if (!read_date(value, at))
        error_set(err, ERR_INVALID, "not a date, such as 2026-08-03");
    return !error_is_set(err);
}

static bool take_variant(const Option *option, void *at, const char *value, Error *err)
{
    Variant variant = variant_of(text_of(value));
    (void)option;
    if (variant == VARIANT_UNKNOWN)
        error_set(err, ERR_INVALID, "not a variant, such as standard or chess960");
    *(Variant *)at = variant;
    return variant != VARIANT_UNKNOWN;
}

static bool take_speed(const Option *option, void *at, const char *value, Error *err)
{
    Speed speed = speed_of(text_of(value));
    (void)option;
    if (speed == SPEED_UNKNOWN)
        error_set(err, ERR_INVALID, "not a speed, such as blitz");
    *(Speed *)at = speed;
    return speed != SPEED_UNKNOWN;
}

#define AT(member) .at = offsetof(StoreFilter, member)
#define IS(member, choice) .read = option_choice, AT(member), .lo = choice

const Option game_filter_options[] = {
    { .name = "--opponent",
      .value = "NAME",
      .help = "only games against this player",
      .read = option_text,
      AT(opponent) },
    { .name = "--account",
      .value = "NAME",
      .help = "only games of this account of ours, where several share a database",
      .read = option_text,
      AT(account) },
    { .name = "--humans", IS(kind, STORE_HUMANS) },
    { .name = "--bots",
      IS(kind, STORE_BOTS),
      .help = "only games against people, or against bots" },
    { .name = "--won", IS(outcome, STORE_WON) },
    { .name = "--lost", IS(outcome, STORE_LOST) },
    { .name = "--drawn",
      IS(outcome, STORE_DRAWN),
      .help = "only games that ended like this for us" },
    { .name = "--rated", IS(mode, STORE_RATED) },
    { .name = "--casual", IS(mode, STORE_CASUAL), .help = "only rated games, or only casual ones" },
    { .name = "--variant",
      .value = "VARIANT",
      .help = "only this variant, such as chess960",
      .read = take_variant,
      AT(variant),
      .words = &schema_variant_words },
    { .name = "--speed",
      .value = "SPEED",
      .help = "only this speed, such as blitz",
      .read = take_speed,
      AT(speed),
      .words = &schema_speed_words },
    { .name = "--since", .value = "DATE", .read = take_date, AT(since_ms) },
    { .name = "--until",
      .value = "DATE",
      .help = "only games from this day on, or up to it (UTC, YYYY-MM-DD)",
      .read = take_date,
      AT(until_ms) },
    { .name = "--limit",
      .value = "N",
      .help = "at most N games, or in castled stats at most N lines of a table",
      .read = option_number,
      AT(limit),
      .lo = 1,
      .hi = LIMIT_MOST },
    { .name = NULL },
};

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
