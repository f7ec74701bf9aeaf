/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Games of the archive as PGN, in the order in which they ended. */
#include "bot/archive/pgn.h"
#include "bot/cli/game_filter.h"

#include <stdio.h>

typedef struct {
    const char *site;
    Buf text;
    int count;
    bool is_broken; /* our output is closed, or there is no memory */
} Printer;

static void print_game(void *user, const GameRecord *record, int plies)
{
    Printer *printer = user;
    (void)plies;
    if (printer->is_broken)
        return;
    buf_reset(&printer->text);
    printer->is_broken = !pgn_write(record, printer->site, &printer->text) ||
                         fputs(buf_view(&printer->text), stdout) == EOF;
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

ExitStatus cmd_pgn(const CommandOptions *options)
{
    GameFilter wanted;
    Config config;
    Store *store;
    Error err = { 0 };
    if (!game_filter_read(&wanted, options, FILTER_AND_IDS, &err) || wanted.as_json) {
        fprintf(stderr, "castled: pgn: %s; see castled pgn --help\n",
                wanted.as_json ? "--json: only for games" : err.text);
        return EXIT_USAGE;
    }
    ExitStatus status = game_filter_open(&store, &config, options);
    if (status != EXIT_FINE)
        return status;
    Printer printer = { .site = config.account.url };
    buf_init(&printer.text, PGN_MAX);
    bool ok = wanted.id_count > 0
                  ? print_by_id(store, &wanted, &printer, &err)
                  : store_find_games(store, &wanted.filter, STORE_WHOLE_GAMES, STORE_OLDEST_FIRST,
                                     print_game, &printer, &err);
    if (ok && printer.is_broken)
        error_set(&err, ERR_IO, "the output could not be written");
    if (error_is_set(&err)) {
        fprintf(stderr, "castled: %s\n", err.text);
        status = EXIT_FAULT;
    }
    buf_release(&printer.text);
    store_free(store);
    config_release(&config);
    return status;
}
