/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Games of the archive as PGN, in the order in which they ended. */
#include "bot/archive/pgn.h"
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

static void on_position(void *user, size_t left)
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
    if (game_evals_get(printer->store, &printer->search, record, GAME_EVALS_NODES, on_position,
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

static bool print_by_id(Store *store, GameFilter *wanted, Printer *printer, Error *err)
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

/* Takes --analysis out of the words; the others are the filter's. */
static bool take_analysis(const CommandOptions *options, CommandOptions *others, const char **words)
{
    bool is_wanted = false;
    *others = *options;
    others->words = words;
    others->word_count = 0;
    for (int i = 0; i < options->word_count; i++) {
        if (strcmp(options->words[i], "--analysis") == 0)
            is_wanted = true;
        else
            words[others->word_count++] = options->words[i];
    }
    return is_wanted;
}

ExitStatus cmd_pgn(const CommandOptions *options)
{
    const char *words[COMMAND_WORDS_MAX];
    CommandOptions others;
    bool has_analysis = take_analysis(options, &others, words);
    GameFilter wanted;
    Config config;
    Store *store;
    Error err = { 0 };
    if (!game_filter_read(&wanted, &others, FILTER_AND_IDS, &err) || wanted.as_json) {
        fprintf(stderr, "castled: pgn: %s; see castled pgn --help\n",
                wanted.as_json ? "--json: only for games" : shown_error(&err).text);
        return EXIT_USAGE;
    }
    ExitStatus status = game_filter_open(&store, STORE_READ, &config, options);
    if (status != EXIT_FINE)
        return status;
    Printer printer = { .site = config.account.url, .store = store, .has_analysis = has_analysis };
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
