/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/cli/compare_text.h"

#include "bot/review/stats_compare.h"
#include "bot/cli/shown.h"
#include "engine/base/text_format.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { VERSIONS = 2 };

typedef struct {
    CompareGame *list;
    size_t count, capacity;
} Games;

typedef struct {
    const char *const *versions;
    Games games[VERSIONS];
    bool has_failed, has_both;
} Reading;

static bool add_game(Games *games, const CompareGame *game)
{
    if (games->count == games->capacity) {
        size_t capacity = games->capacity > 0 ? 2 * games->capacity : 64;
        CompareGame *list = realloc(games->list, capacity * sizeof *list);
        if (!list)
            return false;
        games->list = list;
        games->capacity = capacity;
    }
    games->list[games->count++] = *game;
    return true;
}

static double mean_depth(const GameRecord *record)
{
    double sum = 0;
    int moves = 0;
    for (size_t i = 0; i < record->count; i++) {
        sum += record->moves[i].depth;
        moves += record->moves[i].depth > 0;
    }
    return moves > 0 ? sum / moves : 0;
}

/* Games without a result or an opponent's rating say nothing about strength. */
static void compare_text_on_game(void *user, const GameRecord *record, int plies)
{
    Reading *reading = user;
    const Player *them = record_opponent(record);
    (void)plies;
    if (record_result(record->status, record->winner)[0] == '*' || them->rating <= 0)
        return;
    bool is_lost = record->winner != COLOUR_NONE && record->winner != record->us;
    const CompareGame game = {
        .score = record->winner == COLOUR_NONE ? 0.5
                 : is_lost                     ? 0
                                               : 1,
        .rating = them->rating,
        .depth = mean_depth(record),
        .is_on_time = is_lost && record->status == STATUS_OUTOFTIME,
        .strikes = record->strikes,
    };
    bool is_of[VERSIONS];
    for (int i = 0; i < VERSIONS; i++) {
        is_of[i] = strstr(record->engine, reading->versions[i]) != NULL;
        if (is_of[i] && !add_game(&reading->games[i], &game))
            reading->has_failed = true;
    }
    reading->has_both |= is_of[0] && is_of[1];
}

static void print_side(const CompareSide *side, const char *version)
{
    char performance[40] = "-", depth[20] = "-";
    if (side->is_rated)
        text_format(performance, sizeof performance, "%.0f +- %.0f", side->performance,
                    side->margin);
    if (side->depth > 0)
        text_format(depth, sizeof depth, "%.1f", side->depth);
    printf("%6" PRId64 "  %5.1f %%  %13s  %7" PRId64 "  %7" PRId64 "  %5s  %s\n", side->games,
           100 * side->score, performance, side->on_time, side->strikes, depth,
           shown(text_of(version)).text);
}

static void print_result(const Compare *result, const char *const versions[VERSIONS],
                         const char *against)
{
    printf("against %s\n%6s  %7s  %13s  %7s  %7s  %5s  %s\n", against, "games", "score",
           "performance", "on time", "strikes", "depth", "version");
    for (int i = 0; i < VERSIONS; i++)
        print_side(&result->sides[i], versions[i]);
    if (result->is_rated)
        printf("difference %+.0f +- %.0f, the first is stronger with %.1f %%\n\n",
               result->difference, result->margin, 100 * result->superiority);
    else
        printf(
            "difference unknown: both need games that they lost and games that they did not\n\n");
}

static bool compare(Store *store, const StoreFilter *filter, const char *const versions[VERSIONS],
                    const char *against, Error *err)
{
    Reading reading = { .versions = versions };
    Compare result;
    bool ok = store_find_games(store, filter, STORE_WHOLE_GAMES, STORE_NEWEST_FIRST,
                               compare_text_on_game, &reading, err);
    if (ok && reading.has_failed)
        error_set(err, ERR_MEMORY, "no memory for the games");
    else if (ok && reading.has_both)
        error_set(err, ERR_INVALID, "a game is of both %s and %s: name more of their identities",
                  versions[0], versions[1]);
    ok = ok && !reading.has_failed && !reading.has_both;
    if (ok) {
        stats_compare(reading.games[0].list, reading.games[0].count, reading.games[1].list,
                      reading.games[1].count, &result);
        print_result(&result, versions, against);
    }
    for (int i = 0; i < VERSIONS; i++)
        free(reading.games[i].list);
    return ok;
}

bool compare_print(Store *store, const StoreFilter *filter, const char *const versions[VERSIONS],
                   Error *err)
{
    StoreFilter people = *filter, bots = *filter;
    people.kind = STORE_HUMANS;
    bots.kind = STORE_BOTS;
    return (filter->kind == STORE_BOTS || compare(store, &people, versions, "people", err)) &&
           (filter->kind == STORE_HUMANS || compare(store, &bots, versions, "bots", err));
}
