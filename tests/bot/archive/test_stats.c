/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/archive/stats.h"
#include "engine/search/engine.h"
#include "tests/support/records.h"
#include "tests/support/store_place.h"
#include "tests/support/unit.h"

#include <sqlite3.h>
#include <time.h>
#include <unistd.h>

/* What makes a game another one than the last. */
typedef struct {
    const char *opponent, *moves;
    int book_plies; /* our moves up to this ply came from a book */
    int score;      /* of our move after them */
    Variant variant;
    Speed speed;
    int64_t initial_ms;
    Colour us, winner;
    GameStatus status;
    int rating;
} Played;

static void add(Store *store, int number, const Played *played)
{
    Error err = { 0 };
    GameRecord game;
    char id[16];
    assert_true(snprintf(id, sizeof id, "game%04d", number) > 0);
    record_make(&game, id, played->opponent, played->moves);
    game.variant = played->variant;
    game.speed = played->speed;
    if (played->initial_ms > 0)
        game.time.base_s = played->initial_ms / 1000;
    else
        game.time = time_control_of_days(3);
    game.us = played->us;
    if (played->us == BLACK) {
        Player white = game.players[WHITE];
        game.players[WHITE] = game.players[BLACK];
        game.players[BLACK] = white;
    }
    game.players[colour_other(played->us)].rating = played->rating;
    for (size_t i = 0; i < game.count; i++) {
        RecordMove *move = &game.moves[i];
        move->has_choice = i % 2 == (played->us == BLACK);
        move->is_book = move->has_choice && (int)i < played->book_plies;
        move->depth = move->has_choice && !move->is_book ? 9 : 0;
        move->score = played->score;
    }
    record_end(&game, played->status, played->winner, 1790000000000 + number * 1000);
    if (!store_add_game(store, &game, &err))
        fail_msg("%s", err.text);
    record_release(&game);
}

static const Played games[] = {
    { "alba", "e2e4 c7c5 g1f3 d7d6 d2d4", 3, 30, VARIANT_STANDARD, SPEED_BLITZ, 180000, WHITE,
      WHITE, STATUS_MATE, 2000 },
    { "alba", "e2e4 c7c5 g1f3 d7d6 d2d4", 3, -50, VARIANT_STANDARD, SPEED_BLITZ, 180000, WHITE,
      BLACK, STATUS_OUTOFTIME, 2200 },
    { "alba", "e2e4 e7e5 g1f3 b8c6 f1c4", 1, SCORE_MATE - 3, VARIANT_STANDARD, SPEED_BULLET, 60000,
      WHITE, COLOUR_NONE, STATUS_DRAW, 2100 },
    { "berta", "d2d4 d7d5 c2c4 e7e6", 2, 12, VARIANT_STANDARD, SPEED_BULLET, 60000, BLACK, BLACK,
      STATUS_RESIGN, 0 },
    { "berta", "e2e4 e7e5", 0, 0, VARIANT_CHESS960, SPEED_CORRESPONDENCE, 0, WHITE, BLACK,
      STATUS_RESIGN, 0 },
    { "carla", "e2e4", 1, 0, VARIANT_STANDARD, SPEED_BLITZ, 180000, WHITE, COLOUR_NONE,
      STATUS_ABORTED, 1800 },
};

static void add_games(Store *store)
{
    for (size_t i = 0; i < sizeof games / sizeof *games; i++)
        add(store, (int)i, &games[i]);
}

typedef struct {
    char text[2000];
    size_t len;
    StatsRow last; /* without its name */
} Told;

static void on_row(void *user, const StatsRow *row)
{
    Told *told = user;
    told->len += (size_t)snprintf(told->text + told->len, sizeof told->text - told->len,
                                  "%s +%lld =%lld -%lld\n", row->name, (long long)row->won,
                                  (long long)row->drawn, (long long)row->lost);
    assert_true(told->len < sizeof told->text);
    assert_int_equal(row->games, row->won + row->drawn + row->lost);
    told->last = *row;
    told->last.name = "";
}

static Told tell(Store *store, StoreFilter filter, StatsBy by, int64_t limit)
{
    Told told = { .len = 0 };
    Error err = { 0 };
    if (!stats_read(store, &filter, by, limit, on_row, &told, &err))
        fail_msg("%s", err.text);
    return told;
}

#define PLACED(test) TEST_IN(test, make_place, remove_place)

PLACED(games_are_put_together_by_what_is_asked)
{
    Store *store = open_place(*state, STORE_WRITE);
    add_games(store);
    static const struct {
        StatsBy by;
        StoreFilter filter;
        const char *expected;
    } rows[] = {
        { STATS_ALL, { 0 }, " +2 =1 -2\n" },
        { STATS_COLOUR, { 0 }, "white +1 =1 -2\nblack +1 =0 -0\n" },
        { STATS_SPEED, { 0 }, "blitz +1 =0 -1\nbullet +1 =1 -0\ncorrespondence +0 =0 -1\n" },
        { STATS_CLOCK, { 0 }, "1+2 +1 =1 -0\n3+2 +1 =0 -1\n3d +0 =0 -1\n" },
        { STATS_VARIANT, { 0 }, "standard +2 =1 -1\nchess960 +0 =0 -1\n" },
        { STATS_KIND, { 0 }, "human +2 =1 -2\n" },
        { STATS_OPPONENT, { 0 }, "alba +1 =1 -1\nberta +1 =0 -1\n" },
        { STATS_OPENING,
          { 0 },
          "Sicilian Defense +1 =0 -1\nItalian Game +0 =1 -0\n"
          "Queen's Gambit Declined +1 =0 -0\nchess960 +0 =0 -1\n" },
        { STATS_VARIATION,
          { 0 },
          "B50 Sicilian Defense +1 =0 -1\nC50 Italian Game +0 =1 -0\n"
          "D30 Queen's Gambit Declined +1 =0 -0\nchess960 +0 =0 -1\n" },
        { STATS_MONTH, { 0 }, "2026-09 human +2 =1 -2\n" },
        { STATS_WEEK, { 0 }, "2026-09-21 human +2 =1 -2\n" },
        { STATS_TIME, { 0 }, "blitz +1 =0 -1\nbullet +1 =1 -0\ncorrespondence +0 =0 -1\n" },
        { STATS_REASON,
          { 0 },
          "resign +1 =0 -1\ndraw +0 =1 -0\nmate +1 =0 -0\noutoftime +0 =0 -1\n" },
        { STATS_REASON, { .outcome = STORE_LOST }, "outoftime +0 =0 -1\nresign +0 =0 -1\n" },
        { STATS_BOOK, { 0 }, "1.e4 c5 2.Nf3 +1 =0 -1\n1.d4 d5 +1 =0 -0\n1.e4 +0 =1 -0\n" },
        { STATS_ALL, { .opponent = "ALBA" }, " +1 =1 -1\n" },
        { STATS_OPENING,
          { .speed = SPEED_BULLET, .outcome = STORE_WON },
          "Queen's Gambit Declined +1 =0 -0\n" },
        { STATS_OPPONENT, { .opponent = "carla" }, "" },
        { STATS_ALL, { .id = "' OR 1=1 --" }, "" },
        { STATS_OPPONENT, { .until_ms = 1790000000000 + 1 }, "alba +1 =0 -0\n" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Told told = tell(store, rows[i].filter, rows[i].by, 20);
        if (strcmp(told.text, rows[i].expected) != 0)
            fail_msg("%s:\n%s", stats_by_names[rows[i].by], told.text);
    }
    store_free(store);
}

/* Lichess's AI has no rating, and no id. */
static void make_bot(GameRecord *game, int rating)
{
    Player *them = &game->players[BLACK];
    if (rating > 0) {
        memcpy(them->title, "BOT", 4);
        them->rating = rating;
    } else {
        *them = (Player){ .ai_level = 4 };
    }
}

static void add_bot_game(Store *store, const char *id, int rating, Colour winner)
{
    Error err = { 0 };
    GameRecord game;
    record_make(&game, id, "robota", "e2e4 e7e5");
    make_bot(&game, rating);
    record_end(&game, STATUS_MATE, winner, 1790000000000);
    if (!store_add_game(store, &game, &err))
        fail_msg("%s", err.text);
    record_release(&game);
}

/* Against humans, two of five points against a mean of (2000 + 2200 + 2100) / 3: half of the points
 * and 2100. Against bots, three of four points: 400 * log10(3) = 191 above their 2000. */
PLACED(humans_and_bots_are_kept_apart)
{
    Store *store = open_place(*state, STORE_WRITE);
    StatsRow rows[AGAINST_COUNT];
    Error err = { 0 };
    assert_true(stats_read_kinds(store, NULL, rows, &err));
    for (int kind = 0; kind < AGAINST_COUNT; kind++) {
        assert_int_equal(rows[kind].games, 0);
        assert_int_equal(stats_performance(&rows[kind]), 0);
    }
    add_games(store);
    add_bot_game(store, "bot1", 1900, WHITE);
    add_bot_game(store, "bot2", 2100, WHITE);
    add_bot_game(store, "bot3", 0, WHITE);
    add_bot_game(store, "bot4", 2000, BLACK);
    assert_true(stats_read_kinds(store, NULL, rows, &err));
    const StatsRow *humans = &rows[AGAINST_HUMANS], *bots = &rows[AGAINST_BOTS];
    assert_int_equal(humans->games, 5);
    assert_int_equal(humans->won, 2);
    assert_int_equal(humans->drawn, 1);
    assert_int_equal(humans->lost, 2);
    assert_int_equal(stats_performance(humans), 2100);
    assert_int_equal(bots->games, 4);
    assert_int_equal(bots->won, 3);
    assert_int_equal(bots->drawn, 0);
    assert_int_equal(bots->lost, 1);
    assert_int_equal(stats_performance(bots), 2191);
    Told told = tell(store, (StoreFilter){ 0 }, STATS_KIND, 2);
    assert_string_equal(told.text, "human +2 =1 -2\nbot +3 =0 -1\n");
    assert_int_equal(stats_performance(&told.last), 2191);
    store_free(store);
}

/* 2026-09-20 was a Sunday. */
PLACED(weeks_begin_on_monday_and_the_latest_comes_first)
{
    static const struct {
        const char *id;
        int rating; /* 0: a bot without one */
        int64_t ended_ms;
    } played[] = {
        { "sunday", 0, 1789948799999 },  /* 20th, 23:59:59.999 */
        { "monday", 0, 1789948800000 },  /* 21st, 0:00 */
        { "october", 0, 1790812800000 }, /* 1st of October */
    };
    Store *store = open_place(*state, STORE_WRITE);
    Error err = { 0 };
    add_games(store); /* on the 21st, against humans */
    for (size_t i = 0; i < sizeof played / sizeof *played; i++) {
        GameRecord game;
        record_make(&game, played[i].id, "robota", "e2e4 e7e5");
        make_bot(&game, played[i].rating);
        record_end(&game, STATUS_MATE, WHITE, played[i].ended_ms);
        assert_true(store_add_game(store, &game, &err));
        record_release(&game);
    }
    Told told = tell(store, (StoreFilter){ 0 }, STATS_WEEK, 20);
    assert_string_equal(told.text, "2026-09-28 bot +1 =0 -0\n2026-09-21 human +2 =1 -2\n"
                                   "2026-09-21 bot +1 =0 -0\n2026-09-14 bot +1 =0 -0\n");
    told = tell(store, (StoreFilter){ 0 }, STATS_MONTH, 20);
    assert_string_equal(told.text, "2026-10 bot +1 =0 -0\n2026-09 human +2 =1 -2\n"
                                   "2026-09 bot +2 =0 -0\n");
    told = tell(store, (StoreFilter){ .kind = STORE_BOTS }, STATS_MONTH, 1);
    assert_string_equal(told.text, "2026-10 bot +1 =0 -0\n");
    assert_int_equal(told.last.groups, 2);
    store_free(store);
}

/* Each second move of ours costs 1.4 s and the increment of 2 s; 0.6 s of that are searched. */
PLACED(time_use_is_told_by_speed)
{
    Store *store = open_place(*state, STORE_WRITE);
    add_games(store);
    TimeUse use = tell(store, (StoreFilter){ .speed = SPEED_BLITZ }, STATS_TIME, 20).last.time;
    assert_int_equal(use.games, 2);
    assert_int_equal(use.spent[TIME_USE_OURS].moves, 4);
    assert_int_equal(use.spent[TIME_USE_OURS].sum_ms, 4 * 3400);
    assert_int_equal(use.lag.moves, 4);
    assert_int_equal(use.lag.sum_ms, 4 * 2800);
    assert_true(use.share > 2 * 6.8 / 184 - 1e-9 && use.share < 2 * 6.8 / 184 + 1e-9);
    /* As Black, two moves, of which the second counts. */
    use = tell(store, (StoreFilter){ .opponent = "berta", .speed = SPEED_BULLET }, STATS_TIME, 20)
              .last.time;
    assert_int_equal(use.spent[TIME_USE_OURS].moves, 1);
    use = tell(store, (StoreFilter){ .speed = SPEED_CORRESPONDENCE }, STATS_TIME, 20).last.time;
    assert_int_equal(use.games, 0);
    store_free(store);
}

PLACED(few_rows_tell_how_many_there_are)
{
    Store *store = open_place(*state, STORE_WRITE);
    add_games(store);
    Told told = tell(store, (StoreFilter){ .limit = 1 }, STATS_OPENING, 2);
    assert_string_equal(told.text, "Sicilian Defense +1 =0 -1\nItalian Game +0 =1 -0\n");
    assert_int_equal(told.last.groups, 4);
    store_free(store);
}

PLACED(the_book_is_left_with_an_evaluation)
{
    Store *store = open_place(*state, STORE_WRITE);
    add_games(store);
    Told told = tell(store, (StoreFilter){ .speed = SPEED_BLITZ }, STATS_BOOK, 20);
    assert_string_equal(told.text, "1.e4 c5 2.Nf3 +1 =0 -1\n");
    assert_int_equal(told.last.in_book, 2);
    assert_int_equal(told.last.exits, 2);
    assert_true(told.last.book_plies == 3);
    assert_true(told.last.exit_cp == -10); /* of 30 and -50 */
    told = tell(store, (StoreFilter){ .speed = SPEED_BULLET }, STATS_BOOK, 20);
    assert_true(told.last.exit_cp == 1000); /* a mate */
    told = tell(store, (StoreFilter){ 0 }, STATS_ALL, 1);
    assert_int_equal(told.last.in_book, 4);
    assert_int_equal(told.last.exits, 4);
    assert_true(told.last.book_plies == 2.25);
    assert_true(told.last.exit_cp == (30 - 50 + 1000 + 12) / 4.0);
    told = tell(store, (StoreFilter){ .opponent = "nobody" }, STATS_BOOK, 20);
    assert_string_equal(told.text, "");
    store_free(store);
}

TEST(performance_follows_from_score_and_opponents)
{
    static const struct {
        StatsRow row;
        int expected;
    } rows[] = {
        { { .games = 2, .won = 1, .lost = 1, .opponents = 2000 }, 2000 },
        { { .games = 4, .won = 3, .lost = 1, .opponents = 2000 }, 2191 },
        { { .games = 4, .won = 1, .lost = 3, .opponents = 2000 }, 1809 },
        { { .games = 1, .drawn = 1, .opponents = 1500.4 }, 1500 },
        { { .games = 9, .won = 9, .opponents = 2000 }, 2800 },
        { { .games = 9, .lost = 9, .opponents = 2000 }, 1200 },
        { { .games = 1000, .won = 999, .lost = 1, .opponents = 2000 }, 2800 },
        { { .games = 9, .won = 9 }, 0 },
        { { .games = 0, .opponents = 2000 }, 0 },
        { { .games = 1, .won = 1, .opponents = 1e300 }, 0 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (stats_performance(&rows[i].row) != rows[i].expected)
            fail_msg("row %zu: %d", i, stats_performance(&rows[i].row));
}

static void change_file(const Place *place, const char *sql)
{
    sqlite3 *db;
    char *why = NULL;
    assert_int_equal(sqlite3_open(place->path, &db), SQLITE_OK);
    if (sqlite3_exec(db, sql, NULL, NULL, &why) != SQLITE_OK)
        fail_msg("%s", why);
    sqlite3_close(db);
}

static void on_any_row(void *user, const StatsRow *row)
{
    *(int64_t *)user += row->games;
    assert_in_range(stats_performance(row), 0, 11000);
}

/* Every column of every row holds something else than it should. */
PLACED(nonsense_in_the_rows_is_counted_and_does_no_harm)
{
    static const char *const nonsense[] = {
        "NULL",
        "''",
        "' '",
        "'-'",
        "-1",
        "9223372036854775807",
        "1e999",
        "x'00ff00'",
        "'e2e4 e2e4'",
        "'#'",
        "'#-#- 1 2'",
        "printf('%.*c', 100000, ' ')",
        "printf('%.*c', 100000, 'e')",
        "'8/8/8/8/8/8/8/8 w - - 0 1'",
    };
    static const char *const columns[] = {
        "game SET variant",      "game SET initial_fen",  "game SET our_colour",
        "game SET white_rating", "game SET black_rating", "game SET initial_ms",
        "game SET increment_ms", "game SET days",         "game SET black",
        "game SET opponent_id",  "game SET black_ai",     "game SET status",
        "game SET outcome",      "game SET ended_ms",     "game SET speed",
        "moves SET clocks_ms",   "moves SET times_ms",    "moves SET uci",
        "moves SET scores",      "book_move SET ply",     "book_move SET key",
        "book_move SET move",
    };
    static const char keep[] = "PRAGMA synchronous=OFF; PRAGMA foreign_keys=OFF;"
                               "CREATE TEMP TABLE a AS SELECT * FROM game;"
                               "ALTER TABLE a DROP COLUMN account;" /* generated */
                               "CREATE TEMP TABLE b AS SELECT * FROM moves;"
                               "CREATE TEMP TABLE c AS SELECT * FROM book_move;";
    static const char restore[] = "BEGIN; DELETE FROM game; INSERT INTO game SELECT * FROM a;"
                                  "DELETE FROM moves; INSERT INTO moves SELECT * FROM b;"
                                  "DELETE FROM book_move; INSERT INTO book_move SELECT * FROM c;"
                                  "COMMIT;";
    Place *place = *state;
    Error err = { 0 };
    Store *store = open_place(place, STORE_WRITE);
    sqlite3 *db;
    add(store, 1, &games[0]);
    store_free(store);
    assert_int_equal(sqlite3_open(place->path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, keep, NULL, NULL, NULL), SQLITE_OK);
    store = open_place(place, STORE_READ);
    for (size_t c = 0; c < sizeof columns / sizeof *columns; c++) {
        for (size_t n = 0; n < sizeof nonsense / sizeof *nonsense; n++) {
            char sql[200];
            assert_true(
                snprintf(sql, sizeof sql, "UPDATE OR IGNORE %s = %s", columns[c], nonsense[n]) > 0);
            (void)sqlite3_exec(db, sql, NULL, NULL, NULL); /* NULL is refused here and there */
            for (int by = 0; by < STATS_BY_COUNT; by++) {
                int64_t told = 0;
                if (!stats_read(store, &(StoreFilter){ 0 }, (StatsBy)by, 20, on_any_row, &told,
                                &err))
                    fail_msg("%s, %s: %s", sql, stats_by_names[by], err.text);
                assert_in_range(told, 0, 1);
            }
            BookStats book_stats;
            book_stats_init(&book_stats);
            assert_true(store_read_book_stats(store, NULL, INT64_MAX, &book_stats, &err));
            book_stats_release(&book_stats);
            assert_int_equal(sqlite3_exec(db, restore, NULL, NULL, NULL), SQLITE_OK);
        }
    }
    store_free(store);
    sqlite3_close(db);
}

PLACED(a_file_without_its_tables_cannot_be_read)
{
    static const char *const broken[] = {
        "DROP TABLE book_move",
        "DROP TABLE moves",
        "ALTER TABLE game RENAME COLUMN outcome TO income",
        ("DROP TABLE book_move; CREATE VIEW book_move AS SELECT 1 AS game, 1 AS ply,"
         " load_extension('x') AS key, 1 AS move"),
    };
    Place *place = *state;
    for (size_t i = 0; i < sizeof broken / sizeof *broken; i++) {
        Error err = { 0 };
        Told told = { .len = 0 };
        store_free(open_place(place, STORE_WRITE));
        change_file(place, broken[i]);
        Store *store = open_place(place, STORE_READ);
        bool ok = true;
        for (int by = 0; by < STATS_BY_COUNT; by++)
            ok = stats_read(store, &(StoreFilter){ 0 }, (StatsBy)by, 20, on_row, &told, &err) && ok;
        assert_false(ok);
        assert_int_equal(err.code, ERR_IO);
        store_free(store);
        assert_int_equal(unlink(place->path), 0);
    }
}

static int64_t processor_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* 20,000 games of eight book moves each: what a busy bot plays in half a year. */
PLACED(twenty_thousand_games_take_a_moment)
{
    enum { GAMES = 20000, MOST_MS = 4000 };
    static const char fill[] =
        "PRAGMA synchronous=OFF;"
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000)"
        " INSERT INTO game (id, ended_ms, variant, speed, rated, white_id, white, black_id, black,"
        " black_rating, our_colour, opponent_id, opponent_is_bot, status, result, outcome, plies)"
        " SELECT printf('g%07d', i), i * 60000, 'standard', 'blitz', i % 2, 'castled-bot',"
        " 'Castled-Bot', 'player' || i % 500, 'Player' || i % 500, 1500 + i % 1000, 'white',"
        " 'player' || i % 500, i % 3 = 0, 'mate', '1-0', CASE i % 4 WHEN 0 THEN 'loss' ELSE 'win'"
        " END, 80 FROM n;"
        "INSERT INTO moves SELECT number, 'e2e4 c7c5 g1f3 d7d6 d2d4 c5d4 f3d4 g8f6 b1c3 a7a6 c1g5'"
        " || printf('%.*c', 345, ' '), printf('%.*c', 500, '1'),"
        " '- - - - - - - - - - - - - - - - 31' || printf('%.*c', 220, ' '),"
        " printf('%.*c', 200, '1'), printf('%.*c', 500, '1'), printf('%.*c', 300, '1'),"
        " printf('%.*c', 2400, '1') FROM game;"
        "INSERT INTO analysis SELECT number, 200000, '1.0', '-', '-', '-', 900, 850, 100, 20, 0, 3,"
        " CASE outcome WHEN 'loss' THEN 'clock' END FROM game;"
        "WITH RECURSIVE p(i) AS (SELECT 1 UNION ALL SELECT i + 2 FROM p WHERE i < 15)"
        " INSERT INTO book_move SELECT number, i, (number % 50) * 1000003 + i, 1 + i FROM game, p;";
    Place *place = *state;
    Error err = { 0 };
    store_free(open_place(place, STORE_WRITE));
    change_file(place, fill);
    Store *store = open_place(place, STORE_READ);
    for (int by = 0; by < STATS_BY_COUNT; by++) {
        int64_t games_told = 0, began = processor_ms();
        assert_true(stats_read(store, &(StoreFilter){ 0 }, (StatsBy)by, INT64_MAX, on_any_row,
                               &games_told, &err));
        int64_t took = processor_ms() - began;
        print_message("%s: %lld ms\n", stats_by_names[by], (long long)took);
        assert_int_equal(games_told, GAMES);
        assert_true(took < MOST_MS);
    }
    BookStats book_stats;
    book_stats_init(&book_stats);
    int64_t began = processor_ms();
    assert_true(store_read_book_stats(store, NULL, INT64_MAX, &book_stats, &err));
    print_message("book_stats: %lld ms\n", (long long)(processor_ms() - began));
    assert_int_equal(book_stats.count, 400);
    assert_true(processor_ms() - began < MOST_MS);
    book_stats_release(&book_stats);
    StatsRow kinds[AGAINST_COUNT];
    began = processor_ms();
    assert_true(stats_read_kinds(store, NULL, kinds, &err));
    print_message("kinds: %lld ms\n", (long long)(processor_ms() - began));
    assert_int_equal(kinds[AGAINST_HUMANS].games + kinds[AGAINST_BOTS].games, GAMES);
    assert_true(processor_ms() - began < MOST_MS / 10);
    store_free(store);
}

int main(void)
{
    return run_all_tests();
}
