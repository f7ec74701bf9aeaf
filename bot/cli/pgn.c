/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Games of the archive as PGN, in the order in which they ended. */
#include "bot/review/pgn.h"
#include "bot/cli/game_evals.h"
#include "bot/cli/game_filter.h"
#include "bot/cli/shown.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct {
    const char *site;
    Buf text;
    int count;
    bool is_broken; /* the output can't be written any more, or there is no memory */
    Store *store;
    bool has_analysis;
    PositionSearch *search; /* NULL: none was needed so far */
} Printer;

typedef struct {
    StoreFilter filter;
    const char *ids[COMMAND_WORDS_MAX];
    int id_count;
    bool has_analysis;
} Wanted;

static void pgn_on_position(void *user, size_t left)
{
    (void)user;
    (void)left;
}

/* A game that our engine can't go over is written without an analysis, and that is said. */
static bool write_analysis(Printer *printer, const GameRecord *record)
{
    Error err = { 0 };
    PositionEval *evals = calloc(record->count + 1, sizeof *evals);
    bool ok = false;
    if (!evals)
        return false;
    if (game_evals_get(printer->store, &printer->search, record, GAME_EVALS_NODES, pgn_on_position,
                       NULL, evals, &err)) {
        ok = pgn_write_analysis(record, evals, printer->site, &printer->text);
    } else {
        fprintf(stderr, "castled: pgn: %s; written without analysis\n", shown_error(&err).text);
        ok = pgn_write(record, printer->site, &printer->text);
    }
    free(evals);
    return ok;
}

static void print_game(void *user, const GameRecord *record, int plies)
{
    Printer *printer = user;
    (void)plies;
    if (printer->is_broken)
        return;
    buf_reset(&printer->text);
    bool ok = printer->has_analysis ? write_analysis(printer, record)
                                    : pgn_write(record, printer->site, &printer->text);
    printer->is_broken = !ok || fputs(buf_view(&printer->text), stdout) == EOF;
    printer->count++;
}

static bool print_by_id(Store *store, Wanted *wanted, Printer *printer, Error *err)
{
    for (int i = 0; i < wanted->id_count; i++) {
        int before = printer->count;
        wanted->filter.id = wanted->ids[i];
        if (!store_find_games(store, &wanted->filter, STORE_WHOLE_GAMES, STORE_OLDEST_FIRST,
                              print_game, printer, err))
            return false;
        if (printer->count == before) {
            error_set(err, ERR_INVALID, "%s: no such game in the archive", wanted->ids[i]);
            return false;
        }
    }
    return true;
}

static bool take_id(const Option *option, void *at, const char *value, Error *err)
{
    Wanted *wanted = at;
    return option_game(option, &wanted->ids[wanted->id_count++], value, err);
}

static const Option pgn_options[] = {
    { .name = "ID",
      .help = "the id of a game; any number of them",
      .read = take_id,
      .count = OPTION_MANY },
    { .name = "--analysis",
      .help = "have our engine go over the games first, on one thread: evaluations after all "
              "moves, marks and comments where points were lost, for Lichess's studies",
      .read = option_flag,
      .at = offsetof(Wanted, has_analysis) },
    { .name = NULL },
};

static ExitStatus cmd_pgn(const CommandOptions *options)
{
    Wanted wanted = { .id_count = 0 };
    Config config;
    Store *store;
    Error err = { 0 };
    if (!command_read_words(options, (void *[]){ &wanted, &wanted.filter }))
        return EXIT_USAGE;
    ExitStatus status = game_filter_open(&store, STORE_READ, &config, options);
    if (status != EXIT_FINE)
        return status;
    Printer printer = { .site = config.account.url,
                        .store = store,
                        .has_analysis = wanted.has_analysis };
    buf_init(&printer.text, PGN_MAX);
    bool ok = wanted.id_count > 0
                  ? print_by_id(store, &wanted, &printer, &err)
                  : store_find_games(store, &wanted.filter, STORE_WHOLE_GAMES, STORE_OLDEST_FIRST,
                                     print_game, &printer, &err);
    if (ok && printer.is_broken && !ferror(stdout)) /* main() tells of that */
        error_set(&err, ERR_MEMORY, "no memory for a game");
    if (error_is_set(&err)) {
        fprintf(stderr, "castled: %s\n", shown_error(&err).text);
        status = EXIT_FAULT;
    }
    position_search_free(printer.search);
    buf_release(&printer.text);
    store_free(store);
    config_release(&config);
    return status;
}

const CliCommand command_pgn = {
    .name = "pgn",
    .run = cmd_pgn,
    .help = "print finished games as PGN, with clocks, evaluations and principal variations",
    .forms = { "[ID ...] [FILTER ...] [--analysis]" },
    .options = { pgn_options, game_filter_options },
    .example = "castled pgn --since 2026-11-01 > november.pgn",
    .example_help = "writes the games since that day into a file",
};
