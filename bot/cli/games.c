/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The games of the archive, a line each. */
#include "bot/admin/games_json.h"
#include "bot/cli/game_filter.h"
#include "bot/cli/shown.h"
#include "bot/ops/printable.h"

#include <json-c/json.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum { GAMES_LISTED = 20, SMALL = 40 };

/* As --since and the page count. */
static void write_time(int64_t unix_ms, char out[SMALL])
{
    struct tm utc;
    time_t seconds = (time_t)(unix_ms / 1000);
    if (!gmtime_r(&seconds, &utc) || strftime(out, SMALL, "%Y-%m-%d %H:%MZ", &utc) == 0)
        memcpy(out, "?", 2);
}

/* What stands in a file may be anything: only what is printable reaches a terminal. */
static void print_name(const Player *player)
{
    char name[PLAYER_TEXT_SIZE];
    player_text(player, name);
    char shown[2 * sizeof name];
    printable_copy(shown, sizeof shown, text_of(name));
    printf("%-24s", shown);
}

static void print_line(void *user, const GameRecord *record, int plies)
{
    char when[SMALL], clock[TIME_CONTROL_TEXT_SIZE];
    const bool *shows_us = user;
    write_time(record->ended_at_ms, when);
    time_control_text(&record->time, clock);
    printf("%-8.15s  %s  %-5s  %-5s  ", shown(text_of(record->id)).text, when,
           record_outcome(record), colour_name(record->us));
    if (*shows_us)
        print_name(&record->players[record->us == BLACK ? BLACK : WHITE]);
    print_name(record_opponent(record));
    bool is_known = record->their_engine[0] != '\0';
    printf("  %4d  %-8s  %-13s  %-6s  %3d moves, %s%s%s\n", record_opponent(record)->rating, clock,
           variant_name(record->variant), record->rated ? "rated" : "casual", (plies + 1) / 2,
           status_name(record->status), is_known ? ", runs " : "",
           shown(text_of(record->their_engine)).text);
}

static void print_json(void *user, const GameRecord *record, int plies)
{
    struct json_object *game = games_json_row(record, plies);
    (void)user;
    if (game)
        shown_json(stdout, json_object_to_json_string_ext(game, JSON_C_TO_STRING_PLAIN));
    json_object_put(game);
}

typedef struct {
    StoreFilter filter;
    bool as_json;
} Wanted;

static const Option games_options[] = {
    { .name = "--json",
      .help = "print JSON, for programs",
      .read = option_flag,
      .at = offsetof(Wanted, as_json) },
    { .name = NULL },
};

static ExitStatus cmd_games(const CommandOptions *options)
{
    Wanted wanted = { .as_json = false };
    Config config;
    Store *store;
    Error err = { 0 };
    if (!command_read_words(options, (void *[]){ &wanted.filter, &wanted }))
        return EXIT_USAGE;
    if (wanted.filter.limit == 0)
        wanted.filter.limit = GAMES_LISTED;
    ExitStatus status = game_filter_open(&store, STORE_READ, &config, options);
    if (status != EXIT_FINE)
        return status;
    bool shows_us = config.archive.database[0] != '\0' && !wanted.filter.account;
    if (!store_find_games(store, &wanted.filter, STORE_SUMMARIES, STORE_NEWEST_FIRST,
                          wanted.as_json ? print_json : print_line, &shows_us, &err)) {
        fprintf(stderr, "castled: %s\n", shown_error(&err).text);
        status = EXIT_FAULT;
    }
    store_free(store);
    config_release(&config);
    return status;
}

const CliCommand command_games = {
    .name = "games",
    .run = cmd_games,
    .help = "list finished games, the latest first",
    .forms = { "[FILTER ...] [--json]" },
    .text = "A game is listed if all the filters below hold for it. Times are UTC.",
    .options = { game_filter_options, games_options },
    .example = "castled games --bots --lost --limit 5",
    .example_help = "lists the latest five losses against bots",
};
