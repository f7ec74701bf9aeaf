/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Our engine goes over finished games of the archive, one after the other, while the daemon plays
 * none, and the archive keeps what it finds. Each game is kept when it is done, so that stopping
 * costs one game's work at most, and the next run goes on with the others. */
#include "bot/review/epd.h"
#include "bot/archive/store_analysis.h"
#include "bot/cli/archive_place.h"
#include "bot/cli/daemon_games.h"
#include "bot/cli/game_evals.h"
#include "bot/cli/game_filter.h"
#include "bot/cli/losses_text.h"
#include "bot/cli/shown.h"
#include "bot/ops/utc_time.h"
#include "engine/base/clock.h"
#include "engine/base/duration.h"
#include "engine/base/number.h"
#include "engine/base/text_format.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum {
    NODES_MIN = 100,
    NODES_MAX = 10000000, /* a position's search ends before it makes way for a game */
    LOOK_MS = 1000,       /* between two looks at the daemon */
    TRIES = 5,            /* the daemon may be writing, too, */
    SERVER_TRIES = 60,    /* and a server may be away for a while, */
    SERVER_PAUSE_S = 10,  /* between two tries */
    LINE = 60,
    EPD_OF_GAME_MAX = 64,
};

/* A game that has no analysis yet. */
typedef struct {
    char id[GAME_ID_SIZE];
    int plies;
} Waiting;

typedef struct {
    StoreFilter filter;
    int64_t nodes;
    Config config;
    Store *store;
    GameEvalsBy by;
    const char *judge; /* the command of another engine; NULL: ours */
    Waiting *waiting;
    size_t count, capacity, done, skipped;
    bool is_terminal, has_head, has_no_memory;
    bool as_epd; /* our mistakes are printed, and nothing else */
    Buf epd;
    int64_t looked_ms; /* at the daemon; 0: never */
    /* For the time left: */
    int64_t later;       /* positions of the games behind this one */
    int64_t searched;    /* positions so far, */
    int64_t spent_ms;    /* … and what they took */
    int64_t position_ms; /* when the present one began; 0: none is searched */
} Analyse;

/* ---- words ---- */

static const Option analyse_options[] = {
    { .name = "--epd",
      .help = "then print the positions of our mistakes and blunders as EPD, in all games of the "
              "filter: best move, move played, game, and what it cost",
      .read = option_flag,
      .at = offsetof(Analyse, as_epd) },
    { .name = "--judge",
      .value = "CMD",
      .help = "have another UCI engine judge the positions of chess, in place of castled's",
      .read = option_text,
      .at = offsetof(Analyse, judge) },
    { .name = "--nodes",
      .value = "N",
      .help = "how many nodes to search for each position; games that were analysed with fewer "
              "are analysed again; default: 200000",
      .read = option_number,
      .at = offsetof(Analyse, nodes),
      .lo = NODES_MIN,
      .hi = NODES_MAX },
    { .name = NULL },
};

/* ---- what is to be done ---- */

static void analyse_on_waiting(void *user, const GameRecord *record, int plies)
{
    Analyse *analyse = user;
    if (analyse->count == analyse->capacity) {
        size_t capacity = analyse->capacity ? 2 * analyse->capacity : 64;
        Waiting *list = realloc(analyse->waiting, capacity * sizeof *list);
        if (!list) {
            analyse->has_no_memory = true;
            return;
        }
        analyse->waiting = list;
        analyse->capacity = capacity;
    }
    Waiting *game = &analyse->waiting[analyse->count++];
    memcpy(game->id, record->id, sizeof game->id);
    game->plies = plies;
    analyse->later += plies + 1;
}

static bool list_waiting(Analyse *analyse, Error *err)
{
    StoreFilter filter = analyse->filter;
    filter.no_analysis = analyse->nodes;
    if (!store_find_games(analyse->store, &filter, STORE_SUMMARIES, STORE_NEWEST_FIRST,
                          analyse_on_waiting, analyse, err))
        return false;
    if (analyse->has_no_memory)
        error_set(err, ERR_MEMORY, "no memory");
    return !analyse->has_no_memory;
}

/* ---- progress ---- */

/* On a terminal one line is written over and over. */
static void say_words(const Analyse *analyse, const char *text)
{
    if (analyse->is_terminal)
        fprintf(stderr, "\r%-*s\r", LINE, text);
    else
        fprintf(stderr, "%s\n", text);
}

static void say_progress(const Analyse *analyse, size_t left_here)
{
    char left[DURATION_SIZE], text[LINE + DURATION_SIZE];
    int64_t positions = analyse->later + (int64_t)left_here;
    int64_t ms = analyse->searched > 0 ? positions * analyse->spent_ms / analyse->searched : -1;
    text_format(text, sizeof text, "game %zu of %zu, %s%s", analyse->done + 1, analyse->count,
                ms < 0 ? "just begun" : duration_write(left, (ms + 999) / 1000),
                ms < 0 ? "" : " left");
    say_words(analyse, text);
}

static void wait_for_the_cores(Analyse *analyse)
{
    bool has_waited = false;
    if (clock_now_ms() - analyse->looked_ms < LOOK_MS)
        return;
    while (daemon_games_run(&analyse->config)) {
        const struct timespec pause = { .tv_sec = LOOK_MS / 1000 };
        if (!has_waited)
            say_words(analyse, "waiting while games are played");
        has_waited = true;
        nanosleep(&pause, NULL);
    }
    analyse->looked_ms = clock_now_ms();
}

static void analyse_on_position(void *user, size_t left)
{
    Analyse *analyse = user;
    if (analyse->position_ms > 0) {
        analyse->spent_ms += clock_now_ms() - analyse->position_ms;
        analyse->searched++;
    }
    wait_for_the_cores(analyse);
    if (analyse->is_terminal || analyse->position_ms == 0)
        say_progress(analyse, left);
    analyse->position_ms = clock_now_ms();
}

/* ---- a game ---- */

static void print_game(Analyse *analyse, const GameRecord *record, const PositionEval *evals)
{
    char ended[UTC_TIME_SIZE], title[MOVE_TITLE_SIZE], best[SAN_SIZE];
    double accuracy[COLOUR_COUNT];
    MoveLoss worst;
    Colour us = record->us == BLACK ? BLACK : WHITE;
    if (!analyse->has_head)
        printf("%-12s  %-10s  %-5s  %8s  %8s  %s\n", "game", "ended", "", "accuracy", "theirs",
               "worst move of ours");
    analyse->has_head = true;
    utc_time_write(record->ended_at_ms / 1000, ended);
    printf("%-12s  %.10s  %-5s  ", shown(text_of(record->id)).text, ended,
           record->winner == COLOUR_NONE ? "drawn"
           : record->winner == us        ? "won"
                                         : "lost");
    if (game_accuracy(evals + 1, record->count, record_first_mover(record), accuracy))
        printf("%6.1f %%  %6.1f %%  ", accuracy[us], accuracy[colour_other(us)]);
    else
        printf("%8s  %8s  ", "-", "-");
    if (find_losses(record, evals, us, &worst, 1) == 1 && worst.lost >= LOST_SHOWN) {
        (void)move_titles_write(record, worst.index, evals[worst.index].best, title, best);
        printf("%s%s %.0f %% by %s", shown(text_of(title)).text, judgement_mark(worst.judgement),
               worst.lost, loss_cause_name(worst.cause));
    }
    puts("");
    fflush(stdout);
}

/* A connection that broke stays so. */
static void reopen(Analyse *analyse)
{
    ArchivePlace place;
    Store *store;
    if (!archive_place_find(&place, &analyse->config, NULL) ||
        !archive_place_open(&place, STORE_WRITE, &store, NULL))
        return;
    store_free(analyse->store);
    analyse->store = store;
}

/* Waits and is true where what failed may do better: hours of search are not given up for a moment
 * without the archive. *tries: so many before. */
static bool may_try_again(Analyse *analyse, const Error *why, int *tries)
{
    bool has_server = analyse->config.archive.database[0] != '\0';
    const struct timespec pause = { .tv_sec = has_server && *tries > 0 ? SERVER_PAUSE_S : 1 };
    if (why->code != ERR_IO || ++*tries >= (has_server ? SERVER_TRIES : TRIES))
        return false;
    if (has_server && *tries == 1)
        say_words(analyse, "waiting for the database");
    nanosleep(&pause, NULL);
    if (has_server)
        reopen(analyse);
    return true;
}

static bool keep_analysis(Analyse *analyse, const GameRecord *record, const PositionEval *evals,
                          Error *err)
{
    for (int tries = 0;;) {
        Error why = { 0 };
        if (store_put_analysis(analyse->store, record, evals, analyse->nodes, &why))
            return true;
        if (!may_try_again(analyse, &why, &tries)) {
            *err = why;
            return false;
        }
    }
}

static void analyse_on_game(void *user, const GameRecord *record, int plies)
{
    (void)plies;
    if (!record_copy(user, record))
        record_init(user);
}

/* False: there is no going on. What our engine does not play is skipped. */
static bool analyse_game(Analyse *analyse, const GameRecord *record, Error *err)
{
    Error why = { 0 };
    PositionEval *evals = calloc(record->count + 1, sizeof *evals);
    bool ok = false;
    if (!evals) {
        error_set(err, ERR_MEMORY, "no memory");
        return false;
    }
    analyse->position_ms = 0;
    if (!game_evals_search(analyse->by, record, (uint64_t)analyse->nodes, analyse_on_position,
                           analyse, evals, &why)) {
        ok = why.code != ERR_IO; /* the judge has gone */
        if (ok) {
            analyse->skipped++;
            fprintf(stderr, "castled: analyse: %s: skipped\n", shown_error(&why).text);
        } else {
            *err = why;
        }
    } else if (keep_analysis(analyse, record, evals, err)) {
        analyse->spent_ms += clock_now_ms() - analyse->position_ms;
        analyse->searched++;
        if (!analyse->as_epd)
            print_game(analyse, record, evals);
        ok = true;
    }
    free(evals);
    return ok;
}

static bool read_game(Analyse *analyse, const StoreFilter *filter, GameRecord *out, Error *err)
{
    for (int tries = 0;;) {
        Error why = { 0 };
        record_release(out); /* of a try that broke off */
        record_init(out);
        if (store_find_games(analyse->store, filter, STORE_WHOLE_GAMES, STORE_NEWEST_FIRST,
                             analyse_on_game, out, &why))
            return true;
        if (!may_try_again(analyse, &why, &tries)) {
            *err = why;
            return false;
        }
    }
}

/* A game that is gone by now has nothing to be done about. */
static bool analyse_next(Analyse *analyse, Error *err)
{
    const Waiting *next = &analyse->waiting[analyse->done];
    const StoreFilter filter = { .id = next->id };
    GameRecord record;
    record_init(&record);
    analyse->later -= next->plies + 1;
    bool ok = read_game(analyse, &filter, &record, err) &&
              (record.count == 0 || analyse_game(analyse, &record, err));
    record_release(&record);
    analyse->done++;
    return ok;
}

/* ---- all of it ---- */

static void analyse_on_all(void *user, const StatsRow *row)
{
    (void)user;
    losses_print(row);
}

/* Of one game, by the analysis that the archive keeps. */
static bool put_mistakes(Analyse *analyse, const GameRecord *record, Error *err)
{
    MoveLoss losses[EPD_OF_GAME_MAX];
    int64_t nodes = 0;
    PositionEval *evals = calloc(record->count + 1, sizeof *evals);
    bool ok = evals && store_read_analysis(analyse->store, record, evals, &nodes, err);
    size_t count = ok && nodes > 0 && record->us != COLOUR_NONE
                       ? find_losses(record, evals, record->us, losses, EPD_OF_GAME_MAX)
                       : 0;
    for (size_t i = 0; i < count && ok; i++)
        if (losses[i].judgement >= JUDGEMENT_MISTAKE)
            ok = epd_write(record, evals, &losses[i], &analyse->epd);
    free(evals);
    if (!ok)
        error_set(err, ERR_MEMORY, "game %s: no memory", record->id);
    return ok;
}

static void analyse_on_mistaken(void *user, const GameRecord *record, int plies)
{
    Analyse *analyse = user;
    Error err = { 0 };
    (void)plies;
    buf_reset(&analyse->epd);
    if (put_mistakes(analyse, record, &err))
        fputs(buf_view(&analyse->epd), stdout);
    else
        fprintf(stderr, "castled: analyse: %s: left out\n", shown_error(&err).text);
}

static bool print_mistakes(Analyse *analyse, Error *err)
{
    return store_find_games(analyse->store, &analyse->filter, STORE_WHOLE_GAMES, STORE_OLDEST_FIRST,
                            analyse_on_mistaken, analyse, err);
}

static bool analyse_all(Analyse *analyse, Error *err)
{
    bool ok = list_waiting(analyse, err);
    while (ok && analyse->done < analyse->count)
        ok = analyse_next(analyse, err);
    if (analyse->is_terminal)
        fprintf(stderr, "\r%*s\r", LINE, "");
    if (!ok)
        return false;
    if (analyse->as_epd)
        return print_mistakes(analyse, err);
    size_t games = analyse->count - analyse->skipped;
    printf("%s%zu game%s analysed now", analyse->has_head ? "\n" : "", games,
           games == 1 ? "" : "s");
    puts(analyse->skipped > 0 ? ", some skipped" : "");
    return stats_read(analyse->store, &analyse->filter, STATS_ALL, 1, analyse_on_all, NULL, err);
}

static bool start_engine(Analyse *analyse, Error *err)
{
    if (!analyse->judge)
        return position_search_new(&analyse->by.search, POSITION_SEARCH_SPARE, err);
    return uci_judge_new(&analyse->by.judge, analyse->judge, err);
}

static ExitStatus cmd_analyse(const CommandOptions *options)
{
    Analyse analyse = { .is_terminal = isatty(STDERR_FILENO) == 1, .nodes = GAME_EVALS_NODES };
    Error err = { 0 };
    if (!command_read_words(options, (void *[]){ &analyse, &analyse.filter }))
        return EXIT_USAGE;
    ExitStatus status = game_filter_open(&analyse.store, STORE_WRITE, &analyse.config, options);
    if (status != EXIT_FINE)
        return status;
    buf_init(&analyse.epd, (size_t)EPD_OF_GAME_MAX * EPD_LINE_MAX);
    if (!start_engine(&analyse, &err) || !analyse_all(&analyse, &err)) {
        fprintf(stderr, "castled: analyse: %s\n", shown_error(&err).text);
        status = EXIT_FAULT;
    }
    position_search_free(analyse.by.search);
    uci_judge_free(analyse.by.judge);
    buf_release(&analyse.epd);
    free(analyse.waiting);
    store_free(analyse.store);
    config_release(&analyse.config);
    return status;
}

const CliCommand command_analyse = {
    .name = "analyse",
    .run = cmd_analyse,
    .help = "have our engine go over finished games, and keep what it finds",
    .forms = { "[FILTER ...] [--judge CMD] [--nodes N] [--epd]" },
    .text = "The latest game comes first; those that have been analysed are left out. It takes "
            "one otherwise idle core, and waits while the running daemon plays. It can "
            "be stopped (Ctrl-C) and goes on where it was. What it finds stands in the archive: "
            "why, pgn --analysis, stats and the page show it from there.",
    .options = { analyse_options, game_filter_options },
    .example = "castled analyse --since 2026-11-01 --lost",
    .example_help = "goes over the games lost since that day",
};
