/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which moves cost points in a finished game of the archive, and why. */
#include "bot/cli/game_evals.h"
#include "bot/cli/game_filter.h"
#include "bot/cli/shown.h"
#include "bot/cli/why_text.h"
#include "engine/base/number.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { NODES_MIN = 100, NODES_MAX = 1000000000 };

typedef struct {
    const char *id;
    int64_t nodes;
} Wanted;

static const Option why_options[] = {
    { .name = "GAME",
      .help = "the id of a finished game, or latest; castled games lists them",
      .read = option_game,
      .at = offsetof(Wanted, id),
      .words = &option_latest,
      .count = OPTION_MUST },
    { .name = "--nodes",
      .value = "N",
      .help = "how many nodes to search for each position; default: 200000",
      .read = option_number,
      .at = offsetof(Wanted, nodes),
      .lo = NODES_MIN,
      .hi = NODES_MAX },
    { .name = NULL },
};

static void why_on_game(void *user, const GameRecord *record, int plies)
{
    (void)plies;
    if (!record_copy(user, record))
        fputs("castled: no memory\n", stderr);
}

static bool find_game(Store *store, const char *id, GameRecord *out, Error *err)
{
    bool is_latest = strcmp(id, "latest") == 0;
    const StoreFilter filter = { .id = is_latest ? NULL : id, .limit = is_latest ? 1 : 0 };
    if (!store_find_games(store, &filter, STORE_WHOLE_GAMES, STORE_NEWEST_FIRST, why_on_game, out,
                          err))
        return false;
    if (out->count == 0)
        error_set(err, ERR_INVALID, "%s: no such game in the archive; castled games lists them",
                  id);
    return out->count > 0;
}

/* On a terminal one line is written over and over. */
static void why_on_position(void *user, size_t left)
{
    if (*(const bool *)user)
        fprintf(stderr, "\rpositions to search: %zu \r", left);
}

static bool explain(Store *store, const GameRecord *record, uint64_t nodes, Error *err)
{
    Buf text;
    PositionSearch *search = NULL;
    bool is_terminal = isatty(STDERR_FILENO) == 1, ok = false;
    PositionEval *evals = calloc(record->count + 1, sizeof *evals);
    buf_init(&text, WHY_TEXT_MAX);
    if (!evals)
        error_set(err, ERR_MEMORY, "no memory");
    else
        ok = game_evals_get(store, &search, record, nodes, why_on_position, &is_terminal, evals,
                            err);
    if (ok && is_terminal)
        fprintf(stderr, "\r%*s\r", 32, "");
    if (ok && !why_text_write(&text, record, evals)) {
        error_set(err, ERR_MEMORY, "no memory");
        ok = false;
    }
    if (ok)
        fputs(buf_view(&text), stdout);
    buf_release(&text);
    position_search_free(search);
    free(evals);
    return ok;
}

static ExitStatus cmd_why(const CommandOptions *options)
{
    Wanted wanted = { .nodes = GAME_EVALS_NODES };
    GameRecord record;
    Config config;
    Store *store;
    Error err = { 0 };
    if (!command_read_words(options, (void *[]){ &wanted }))
        return EXIT_USAGE;
    ExitStatus status = game_filter_open(&store, STORE_READ, &config, options);
    if (status != EXIT_FINE)
        return status;
    record_init(&record);
    if (!find_game(store, wanted.id, &record, &err) ||
        !explain(store, &record, (uint64_t)wanted.nodes, &err)) {
        fprintf(stderr, "castled: why: %s\n", shown_error(&err).text);
        status = EXIT_FAULT;
    }
    record_release(&record);
    store_free(store);
    config_release(&config);
    return status;
}

const CliCommand command_why = {
    .name = "why",
    .run = cmd_why,
    .help = "show which moves cost points in a finished game, and why",
    .forms = { "GAME [--nodes N]" },
    .text =
        "Uses the archived analysis, or analyses the game now, on one thread that makes way for "
        "games. Shows White's chances as a curve, with ^ below our mistakes; the moves that lost "
        "winning chances, with evaluations for White, what was best, and the cause (chess, "
        "clock, book or fault); accuracy and judgements by Lichess's formulas.",
    .options = { why_options },
    .example = "castled why E3rnrDWD",
    .example_help = "explains this game",
};
