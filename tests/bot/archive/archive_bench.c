/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How long questions to a large archive take. scripts/bench-archive calls it:
 *
 *     archive_bench ARCHIVE GAMES [SERVER]
 *
 * ARCHIVE: a file, or a PostgreSQL server's address; filled first where there is no archive yet.
 * SERVER: the server's process, whose processor time counts with ours.
 * The games are random but for their openings, three years of them, with clocks and evaluations. */
#include "bot/archive/progress.h"
#include "bot/review/replay.h"
#include "bot/review/time_use.h"
#include "bot/ops/exit_status.h"
#include "bot/game/record_lines.h"
#include "engine/base/clock.h"
#include "engine/base/duration.h"
#include "engine/base/minmax.h"
#include "engine/base/number.h"
#include "engine/base/random.h"
#include "engine/core/movegen.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { LINES = 400, PLIES = 80, BOOK_PLIES = 12, BATCH = 1000, RUNS = 5, SERVER_ENDS_US = 100000 };

#define BEGINS_MS INT64_C(1700000000000)

/* ---- games ---- */

typedef struct {
    char moves[PLIES * UCI_MOVE_SIZE];
} Line;

/* What people play; the rest of a game is random. */
static const char *const openings[] = {
    "e2e4 c7c5 g1f3 d7d6 d2d4 c5d4 f3d4 g8f6 b1c3 a7a6",
    "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4 g8f6",
    "e2e4 e7e5 g1f3 b8c6 f1c4 f8c5 c2c3 g8f6",
    "e2e4 e7e6 d2d4 d7d5 b1c3 g8f6",
    "e2e4 c7c6 d2d4 d7d5 e4e5 c8f5",
    "d2d4 d7d5 c2c4 e7e6 b1c3 g8f6",
    "d2d4 d7d5 c2c4 c7c6 g1f3 g8f6",
    "d2d4 g8f6 c2c4 g7g6 b1c3 f8g7 e2e4 d7d6",
    "d2d4 g8f6 c2c4 e7e6 b1c3 f8b4",
    "c2c4 e7e5 b1c3 g8f6",
    "g1f3 d7d5 g2g3 g8f6",
    "d2d4 g8f6 c1f4 d7d5 e2e3",
};

static bool make_move(Position *pos, Line *line, Text uci)
{
    size_t len = strlen(line->moves);
    int n = snprintf(line->moves + len, sizeof line->moves - len, "%s%.*s", len > 0 ? " " : "",
                     TEXT_ARGS(uci));
    return n > 0 && replay_move(pos, uci, NULL) != MOVE_NONE;
}

static void make_line(Line *line, uint64_t *seed)
{
    Position pos;
    Text opening = text_of(openings[random_below(seed, sizeof openings / sizeof *openings)]);
    bool ok = replay_begin(&pos, VARIANT_STANDARD, "");
    int ply = 0;
    for (; ok && opening.len > 0; ply++)
        ok = make_move(&pos, line, text_next_word(&opening, " "));
    for (; ok && ply < PLIES; ply++) {
        MoveList list;
        char uci[UCI_MOVE_SIZE];
        movegen_legal(&pos, &list);
        if (list.count == 0)
            break;
        uci_move_write(&pos, list.moves[random_below(seed, (uint64_t)list.count)],
                       CASTLING_KING_TO_TARGET, uci);
        ok = make_move(&pos, line, text_of(uci));
    }
    if (!ok)
        abort();
}

/* Next to nothing in the book, most after it, less towards the end. */
static int64_t move_time_ms(const GameRecord *record, size_t ply, uint64_t *seed)
{
    int64_t share = int64_min(10 * ((int64_t)ply - BOOK_PLIES), 120 - (int64_t)ply);
    int64_t usual = ply < BOOK_PLIES ? 150 : record->time.base_s * 1000 * share / 3000;
    int64_t whose = (Colour)(ply % 2) == record->us ? 100 : 110;
    return usual * whose * (int64_t)(40 + random_below(seed, 80)) / 10000 +
           record->time.increment_s * 1000 / 2;
}

static int64_t move_lag_ms(uint64_t *seed)
{
    bool is_late = random_below(seed, 200) == 0;
    return 15 + (int64_t)random_below(seed, 50) + (is_late ? (int64_t)random_below(seed, 400) : 0);
}

static void fill_in(GameRecord *record, int gain_cp, uint64_t *seed)
{
    int64_t clocks[COLOUR_COUNT] = { record->time.base_s * 1000, record->time.base_s * 1000 };
    for (size_t i = 0; i < record->count; i++) {
        RecordMove *move = &record->moves[i];
        int64_t used = move_time_ms(record, i, seed), lag = move_lag_ms(seed);
        clocks[i % 2] -= i < 2 ? 0 : used + lag - record->time.increment_s * 1000;
        move->clock_ms = clocks[i % 2];
        move->has_choice = (Colour)(i % 2) == record->us;
        if (!move->has_choice)
            continue;
        move->is_book = i < BOOK_PLIES;
        move->score = gain_cp * (int)i + (int)random_below(seed, 60) - 30;
        move->depth = 10 + (int)random_below(seed, 15);
        move->nodes = random_below(seed, 10000000);
        move->time_ms = used;
    }
}

static void make_record(GameRecord *out, int number, int games, const Line *line, uint64_t *seed)
{
    static const int64_t clocks[][2] = { { 60, 0 }, { 180, 2 }, { 600, 5 }, { 1800, 0 } };
    static const Speed speeds[] = { SPEED_BULLET, SPEED_BLITZ, SPEED_RAPID, SPEED_CLASSICAL };
    size_t kind = random_below(seed, 4);
    Colour us = number % 2 ? BLACK : WHITE;
    bool is_bot = random_below(seed, 3) == 0;
    int64_t ended_ms = BEGINS_MS + 3 * 365 * DURATION_DAY_MS / games * number;
    char id[GAME_ID_SIZE], name[RECORD_NAME_SIZE];
    if (snprintf(id, sizeof id, "b%07d", number) < 0 ||
        snprintf(name, sizeof name, "player%d", (int)random_below(seed, 5000)) < 0)
        abort();
    GameFull full = {
        .variant = VARIANT_STANDARD,
        .speed = speeds[kind],
        .rated = number % 3 > 0,
        .time = { .kind = TIME_CLOCK, .base_s = clocks[kind][0], .increment_s = clocks[kind][1] },
        .created_at_ms = ended_ms - 600000,
        .state = { .moves = text_of(line->moves), .time_ms = { -1, -1 } },
    };
    memcpy(full.id, id, sizeof full.id);
    full.players[us] = (Player){ .id = "castled-bot",
                                 .name = "Castled-Bot",
                                 .title = "BOT",
                                 .rating = 2000 + number * 300 / games - (int)kind * 60 +
                                           (int)random_below(seed, 60) };
    Player *them = &full.players[colour_other(us)];
    *them = (Player){ .rating = 1500 + (int)random_below(seed, 1000) };
    text_copy(them->id, sizeof them->id, text_of(name));
    text_copy(them->name, sizeof them->name, text_of(name));
    text_copy(them->title, sizeof them->title, text_of(is_bot ? "BOT" : ""));
    record_init(out);
    record_read_full(out, &full, us);
    size_t end = random_below(seed, 10);
    bool is_draw = end < 2, is_win = end >= 2 && end < 8;
    fill_in(out, is_draw ? 0 : is_win ? 8 : -8, seed);
    record_end(out, is_draw ? STATUS_DRAW : STATUS_RESIGN,
               is_draw       ? COLOUR_NONE
               : is_win      ? us
               : us == WHITE ? BLACK
                             : WHITE,
               ended_ms);
}

static bool fill(const char *path, int games, Error *err)
{
    static Line lines[LINES];
    uint64_t seed = 7;
    Store *store;
    if (!store_new(&store, path, STORE_WRITE, err))
        return false;
    for (int i = 0; i < LINES; i++)
        make_line(&lines[i], &seed);
    bool ok = true;
    for (int i = 0; ok && i < games; i++) {
        GameRecord record;
        make_record(&record, i, games, &lines[random_below(&seed, LINES)], &seed);
        ok = (i % BATCH > 0 || store_begin_batch(store, err)) &&
             store_add_game(store, &record, err) &&
             ((i % BATCH < BATCH - 1 && i < games - 1) || store_end_batch(store, err));
        record_release(&record);
    }
    store_free(store);
    return ok;
}

/* Is there an archive? */
static bool is_there(const char *path)
{
    Store *store;
    bool ok = store_new(&store, path, STORE_READ, NULL);
    if (ok)
        store_free(store);
    return ok;
}

/* ---- questions ---- */

static void on_game(void *user, const GameRecord *record, int plies)
{
    int64_t *count = user;
    (void)record;
    (void)plies;
    ++*count;
}

static void on_row(void *user, const StatsRow *row)
{
    int64_t *count = user;
    *count += row->games;
}

static void on_timed_game(void *user, const GameRecord *record, int plies)
{
    (void)plies;
    time_use_add(user, NULL, record);
}

typedef bool Question(Store *store, int games, int64_t *count, Error *err);

static bool find(Store *store, const StoreFilter *filter, StoreDetail detail, int64_t *count,
                 Error *err)
{
    return store_find_games(store, filter, detail, STORE_NEWEST_FIRST, on_game, count, err);
}

static bool ask_first_page(Store *store, int games, int64_t *count, Error *err)
{
    (void)games;
    return find(store, &(StoreFilter){ .limit = 51 }, STORE_SUMMARIES, count, err);
}

static bool ask_last_page(Store *store, int games, int64_t *count, Error *err)
{
    return find(store, &(StoreFilter){ .limit = 51, .skip = games - 50 }, STORE_SUMMARIES, count,
                err);
}

static bool ask_opponent(Store *store, int games, int64_t *count, Error *err)
{
    (void)games;
    return find(store, &(StoreFilter){ .opponent = "Player77", .limit = 51 }, STORE_SUMMARIES,
                count, err);
}

static bool ask_rare(Store *store, int games, int64_t *count, Error *err)
{
    const StoreFilter filter = {
        .kind = STORE_HUMANS, .outcome = STORE_LOST, .speed = SPEED_ULTRA_BULLET, .limit = 51
    };
    (void)games;
    return find(store, &filter, STORE_SUMMARIES, count, err);
}

static bool ask_one(Store *store, int games, int64_t *count, Error *err)
{
    char id[GAME_ID_SIZE];
    if (snprintf(id, sizeof id, "b%07d", games / 2) < 0)
        return false;
    return find(store, &(StoreFilter){ .id = id, .limit = 1 }, STORE_WHOLE_GAMES, count, err);
}

static bool ask_kinds(Store *store, int games, int64_t *count, Error *err)
{
    (void)games;
    return stats_read(store, &(StoreFilter){ .id = NULL }, STATS_KIND, 2, on_row, count, err);
}

static bool ask_openings(Store *store, int games, int64_t *count, Error *err)
{
    (void)games;
    return stats_read(store, &(StoreFilter){ .id = NULL }, STATS_OPENING, 12, on_row, count, err);
}

static bool ask_all(Store *store, int games, int64_t *count, Error *err)
{
    (void)games;
    return stats_read(store, &(StoreFilter){ .id = NULL }, STATS_ALL, 1, on_row, count, err);
}

static bool ask_speeds(Store *store, int games, int64_t *count, Error *err)
{
    (void)games;
    return stats_read(store, &(StoreFilter){ .id = NULL }, STATS_TIME, 20, on_row, count, err);
}

static bool ask_book_moves(Store *store, int games, int64_t *count, Error *err)
{
    BookStats stats;
    (void)games;
    book_stats_init(&stats);
    bool ok = store_read_book_stats(store, NULL, INT64_MAX, &stats, err);
    *count = (int64_t)stats.count;
    book_stats_release(&stats);
    return ok;
}

static bool ask_books(Store *store, int games, int64_t *count, Error *err)
{
    (void)games;
    return stats_read(store, &(StoreFilter){ .id = NULL }, STATS_BOOK, INT64_MAX, on_row, count,
                      err);
}

static bool ask_progress(Store *store, int games, int64_t *count, Error *err)
{
    Progress progress;
    (void)games;
    bool ok = progress_read(store, &(StoreFilter){ .id = NULL }, &progress, err);
    *count = ok ? progress.count : 0;
    return ok;
}

static bool ask_times(Store *store, int games, int64_t *count, Error *err)
{
    TimeUse use = { .games = 0 };
    (void)games;
    bool ok = store_find_games(store, &(StoreFilter){ .limit = 400 }, STORE_WHOLE_GAMES,
                               STORE_NEWEST_FIRST, on_timed_game, &use, err);
    *count = use.games;
    return ok;
}

static const struct {
    const char *name;
    Question *ask;
} questions[] = {
    { "the latest 50 games", ask_first_page },       { "the earliest 50 games", ask_last_page },
    { "an opponent's latest 50", ask_opponent },     { "games of which there are none", ask_rare },
    { "one game with its moves", ask_one },          { "results against humans, bots", ask_kinds },
    { "results by opening", ask_openings },          { "results in one row", ask_all },
    { "results where books end", ask_books },        { "results, ratings over time", ask_progress },
    { "results by speed, with times", ask_speeds },  { "times of the latest 400 games", ask_times },
    { "what books' moves came to", ask_book_moves },
};

/* Of this process, and of a server with the children that have ended; by proc(5). */
static int64_t processor_ms(const char *server)
{
    char path[64], line[1024] = "";
    int64_t ticks = 0;
    int len = server ? snprintf(path, sizeof path, "/proc/%s/stat", server) : -1;
    FILE *file = len > 0 && (size_t)len < sizeof path ? fopen(path, "re") : NULL;
    if (file && fgets(line, sizeof line, file) && strrchr(line, ')')) {
        Text rest = text_of(strrchr(line, ')') + 1);
        for (int field = 3; field <= 17; field++) {
            Text word = text_next_word(&rest, " ");
            int64_t number;
            if (field >= 14 && number_parse(word.at, word.len, 0, INT64_MAX, &number, NULL))
                ticks += number;
        }
    }
    if (file)
        fclose(file);
    return (int64_t)clock() * 1000 / CLOCKS_PER_SEC + ticks * 1000 / sysconf(_SC_CLK_TCK);
}

/* The fastest of some runs, each with a connection of its own: others may be using the machine. */
typedef struct {
    int64_t ms, processor_ms, count;
} Took;

static bool measure(Question *ask, const char *path, int games, const char *server, Took *out,
                    Error *err)
{
    *out = (Took){ .ms = INT64_MAX, .processor_ms = INT64_MAX };
    for (int i = 0; i < RUNS; i++) {
        Store *store;
        int64_t began_ms = clock_now_ms();
        int64_t began_processor_ms = processor_ms(server);
        out->count = 0;
        if (!store_new(&store, path, STORE_READ, err))
            return false;
        bool ok = ask(store, games, &out->count, err);
        store_free(store);
        if (!ok)
            return false;
        out->ms = int64_min(out->ms, clock_now_ms() - began_ms);
        if (server)
            usleep(SERVER_ENDS_US); /* its process for this connection */
        out->processor_ms = int64_min(out->processor_ms, processor_ms(server) - began_processor_ms);
    }
    return true;
}

int main(int argc, char **argv)
{
    Error err = { 0 };
    int64_t wanted;
    if (argc < 3 || argc > 4 ||
        !number_parse(argv[2], strlen(argv[2]), 100, 10000000, &wanted, NULL)) {
        fprintf(stderr, "usage: archive_bench ARCHIVE GAMES (from 100 on) [SERVER]\n");
        return EXIT_USAGE;
    }
    int games = (int)wanted;
    bool ok = is_there(argv[1]) || fill(argv[1], games, &err);
    for (size_t i = 0; ok && i < sizeof questions / sizeof *questions; i++) {
        Took took;
        ok = measure(questions[i].ask, argv[1], games, argv[3], &took, &err);
        if (ok)
            printf("%-32s %6" PRId64 " ms, %6" PRId64 " of the processor  (%" PRId64 ")\n",
                   questions[i].name, took.ms, took.processor_ms, took.count);
        fflush(stdout);
    }
    if (!ok)
        fprintf(stderr, "%s\n", err.text);
    return ok ? 0 : 1;
}
