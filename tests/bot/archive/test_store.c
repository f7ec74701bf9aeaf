/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/archive/facts.h"
#include "bot/review/replay.h"
#include "bot/archive/stats.h"
#include "bot/archive/store.h"
#include "engine/search/engine.h"
#include "tests/support/records.h"
#include "tests/support/store_place.h"
#include "tests/support/unit.h"

#include <sqlite3.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* What a search found: ids with a blank behind each. */
typedef struct {
    char ids[2000];
    size_t len;
    GameRecord last;
    int plies;
} Found;

static void on_game(void *user, const GameRecord *record, int plies)
{
    Found *found = user;
    if (found->len + 20 < sizeof found->ids)
        found->len += (size_t)snprintf(found->ids + found->len, sizeof found->ids - found->len,
                                       "%s ", record->id);
    record_release(&found->last);
    assert_true(record_copy(&found->last, record));
    found->plies = plies;
}

static Found find(Store *store, StoreFilter filter, StoreDetail detail, StoreOrder order)
{
    Error err = { 0 };
    Found found = { .len = 0 };
    record_init(&found.last);
    if (!store_find_games(store, &filter, detail, order, on_game, &found, &err))
        fail_msg("%s", err.text);
    return found;
}

static void expect_ids(Store *store, StoreFilter filter, const char *expected)
{
    Found found = find(store, filter, STORE_SUMMARIES, STORE_NEWEST_FIRST);
    assert_string_equal(found.ids, expected);
    record_release(&found.last);
}

static void add(Store *store, const GameRecord *record)
{
    Error err = { 0 };
    if (!store_add_game(store, record, &err))
        fail_msg("%s", err.text);
}

#define PLACED(test) TEST_IN(test, make_place, remove_place)

PLACED(a_game_comes_back_as_it_was)
{
    Store *store = open_place(*state, STORE_WRITE);
    GameRecord game;
    record_make(&game, "Qw8rTy2u", "alba", "e2e4 c7c5 g1f3 d7d6");
    game.moves[0].score = SCORE_MATE - 9;    /* mate in 5 */
    game.moves[2].score = -(SCORE_MATE - 6); /* mated in 3 */
    memcpy(game.moves[2].pv, "d7d6,f1b5", 10);
    game.strikes = 2;
    add(store, &game);
    Found found =
        find(store, (StoreFilter){ .id = "Qw8rTy2u" }, STORE_WHOLE_GAMES, STORE_OLDEST_FIRST);
    const GameRecord *back = &found.last;
    assert_string_equal(found.ids, "Qw8rTy2u ");
    assert_int_equal(back->count, game.count);
    for (size_t i = 0; i < game.count; i++) {
        assert_string_equal(back->moves[i].uci, game.moves[i].uci);
        assert_int_equal(back->moves[i].clock_ms, game.moves[i].clock_ms);
        assert_int_equal(back->moves[i].has_choice, game.moves[i].has_choice);
        assert_int_equal(back->moves[i].score, game.moves[i].score);
        assert_int_equal(back->moves[i].depth, game.moves[i].depth);
        assert_int_equal(back->moves[i].nodes, game.moves[i].nodes);
        assert_int_equal(back->moves[i].time_ms, game.moves[i].time_ms);
        assert_string_equal(back->moves[i].pv, game.moves[i].pv);
    }
    assert_memory_equal(back->players, game.players, sizeof back->players);
    assert_int_equal(back->us, WHITE);
    assert_int_equal(back->strikes, 2);
    assert_int_equal(back->variant, VARIANT_STANDARD);
    assert_int_equal(back->speed, SPEED_BLITZ);
    assert_true(back->rated && back->time.kind == TIME_CLOCK && !back->has_gaps);
    assert_int_equal(back->time.base_s, 180);
    assert_int_equal(back->time.increment_s, 2);
    assert_int_equal(back->created_at_ms, game.created_at_ms);
    assert_int_equal(back->ended_at_ms, game.ended_at_ms);
    assert_int_equal(back->status, STATUS_RESIGN);
    assert_int_equal(back->winner, WHITE);
    record_release(&found.last);
    record_release(&game);
    store_free(store);
}

PLACED(a_game_told_twice_stands_once)
{
    Store *store = open_place(*state, STORE_WRITE);
    GameRecord game;
    record_make(&game, "Qw8rTy2u", "alba", "e2e4 c7c5");
    add(store, &game);
    record_release(&game);
    record_make(&game, "Qw8rTy2u", "alba", "e2e4 c7c5 g1f3");
    add(store, &game);
    record_release(&game);
    Found found = find(store, (StoreFilter){ 0 }, STORE_WHOLE_GAMES, STORE_OLDEST_FIRST);
    assert_string_equal(found.ids, "Qw8rTy2u ");
    assert_int_equal(found.last.count, 3);
    record_release(&found.last);
    store_free(store);
}

PLACED(a_game_told_again_with_less_changes_nothing)
{
    Store *store = open_place(*state, STORE_WRITE);
    GameRecord game;
    record_make(&game, "Qw8rTy2u", "alba", "e2e4 c7c5 g1f3");
    add(store, &game);
    record_release(&game);
    record_make(&game, "Qw8rTy2u", "alba", "e2e4 c7c5 g1f3");
    for (size_t i = 0; i < game.count; i++)
        game.moves[i].has_choice = false;
    add(store, &game); /* as after a restart */
    record_release(&game);
    Found found = find(store, (StoreFilter){ 0 }, STORE_WHOLE_GAMES, STORE_OLDEST_FIRST);
    assert_true(found.last.moves[0].has_choice);
    record_release(&found.last);
    store_free(store);
}

/* A game with the book's moves at these plies. */
static void add_from_book(Store *store, const char *id, const char *moves, int plies, int outcome)
{
    GameRecord game;
    record_make(&game, id, "alba", moves);
    for (int i = 0; i < plies; i += 2)
        game.moves[i].is_book = true;
    if (outcome == STORE_LOST)
        game.winner = BLACK;
    if (outcome == STORE_DRAWN || outcome == 0)
        game.winner = COLOUR_NONE;
    if (outcome == 0)
        game.status = STATUS_ABORTED;
    add(store, &game);
    record_release(&game);
}

static Results results_after(const BookStats *book_stats, const char *moves, const char *uci)
{
    Position pos;
    Move move;
    assert_true(replay_begin(&pos, VARIANT_STANDARD, ""));
    for (const char *at = moves; *at; at += 4 + (at[4] == ' '))
        assert_int_not_equal(replay_move(&pos, (Text){ at, 4 }, NULL), MOVE_NONE);
    uint64_t key = pos.key;
    move = replay_move(&pos, text_of(uci), NULL);
    return book_stats_of(book_stats, key, move);
}

static void expect_results(const BookStats *book_stats, const char *moves, const char *uci,
                           Results expected)
{
    Results found = results_after(book_stats, moves, uci);
    if (memcmp(&found, &expected, sizeof found) != 0)
        fail_msg("%s %s: +%u =%u -%u", moves, uci, found.won, found.drawn, found.lost);
}

PLACED(moves_of_a_book_are_credited_with_the_result)
{
    Store *store = open_place(*state, STORE_WRITE);
    Error err = { 0 };
    BookStats book_stats;
    add_from_book(store, "a", "e2e4 c7c5 g1f3 d7d6 d2d4", 3, STORE_WON);
    add_from_book(store, "b", "e2e4 c7c5 b1c3 d7d6 d2d4", 3, STORE_LOST);
    add_from_book(store, "c", "e2e4 e7e5 g1f3", 1, STORE_DRAWN);
    add_from_book(store, "d", "e2e4 e7e5 g1f3", 1, 0);
    add_from_book(store, "e", "d2d4 d7d5", 0, STORE_WON);
    add_from_book(store, "a", "e2e4 c7c5 g1f3 d7d6 d2d4", 3, STORE_WON); /* recorded twice */
    store_free(store);
    store = open_place(*state, STORE_READ);
    book_stats_init(&book_stats);
    assert_true(store_read_book_stats(store, NULL, INT64_MAX, &book_stats, &err));
    assert_int_equal(book_stats.count, 3);
    expect_results(&book_stats, "", "e2e4", (Results){ .won = 1, .drawn = 1, .lost = 1 });
    expect_results(&book_stats, "e2e4 c7c5", "g1f3", (Results){ .won = 1 });
    expect_results(&book_stats, "e2e4 c7c5", "b1c3", (Results){ .lost = 1 });
    expect_results(&book_stats, "", "d2d4", (Results){ 0 });
    book_stats_release(&book_stats);
    store_free(store);
}

static void add_as(Store *store, const char *id, int64_t ended_ms, const char *opponent,
                   void (*change)(GameRecord *))
{
    GameRecord game;
    record_make(&game, id, opponent, "e2e4 c7c5");
    game.ended_at_ms = ended_ms;
    change(&game);
    add(store, &game);
    record_release(&game);
}

static void nothing_more(GameRecord *game)
{
    (void)game;
}

static void by_a_bot(GameRecord *game)
{
    memcpy(game->players[BLACK].title, "BOT", 4);
}

static void lost_casual(GameRecord *game)
{
    game->winner = BLACK;
    game->rated = false;
}

static void drawn_960(GameRecord *game)
{
    game->winner = COLOUR_NONE;
    game->status = STATUS_DRAW;
    game->variant = VARIANT_CHESS960;
    game->speed = SPEED_BULLET;
}

PLACED(filters_pick_what_they_say)
{
    Store *store = open_place(*state, STORE_WRITE);
    add_as(store, "a", 1000, "alba", nothing_more);
    add_as(store, "b", 2000, "otherbot", by_a_bot);
    add_as(store, "c", 3000, "alba", lost_casual);
    add_as(store, "d", 4000, "berta", drawn_960);
    static const struct {
        StoreFilter filter;
        const char *ids;
    } rows[] = {
        { { .limit = 0 }, "d c b a " },
        { { .limit = 2 }, "d c " },
        { { .opponent = "Alba" }, "c a " },
        { { .opponent = "OtherBot" }, "b " },
        { { .opponent = "nobody" }, "" },
        { { .kind = STORE_BOTS }, "b " },
        { { .kind = STORE_HUMANS }, "d c a " },
        { { .mode = STORE_CASUAL }, "c " },
        { { .mode = STORE_RATED }, "d b a " },
        { { .outcome = STORE_WON }, "b a " },
        { { .outcome = STORE_LOST }, "c " },
        { { .outcome = STORE_DRAWN }, "d " },
        { { .variant = VARIANT_CHESS960 }, "d " },
        { { .speed = SPEED_BULLET }, "d " },
        { { .since_ms = 2000 }, "d c b " },
        { { .until_ms = 2000 }, "a " },
        { { .since_ms = 2000, .until_ms = 4000, .opponent = "alba" }, "c " },
        { { .id = "a' OR 1=1 --" }, "" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        expect_ids(store, rows[i].filter, rows[i].ids);
    Found found = find(store, (StoreFilter){ .limit = 2 }, STORE_SUMMARIES, STORE_OLDEST_FIRST);
    assert_string_equal(found.ids, "c d "); /* the latest two, in the order of time */
    assert_int_equal(found.plies, 2);
    record_release(&found.last);
    store_free(store);
}

static void on_fact(void *user, const char *key, const char *value, int64_t expires_ms)
{
    assert_true(facts_put(user, key, value, expires_ms, NULL));
}

PLACED(facts_live_until_they_expire)
{
    Store *store = open_place(*state, STORE_WRITE);
    Error err = { 0 };
    Facts facts;
    assert_true(store_put_fact(store, "a", "one", 1000, &err));
    assert_true(store_put_fact(store, "b", "two", INT64_MAX, &err));
    assert_true(store_put_fact(store, "c", "three", 5000, &err));
    assert_true(store_put_fact(store, "c", "four", 6000, &err));
    assert_true(store_put_fact(store, "d", "gone", 6000, &err));
    assert_true(store_put_fact(store, "d", "", 0, &err));
    store_free(store);
    store = open_place(*state, STORE_WRITE);
    facts_init(&facts);
    assert_true(store_read_facts(store, on_fact, &facts, &err));
    assert_int_equal(facts.count, 3); /* the clock may have been wrong: */
    facts_release(&facts);
    assert_true(store_expire_facts(store, 2000, &err));
    assert_true(store_read_facts(store, on_fact, &facts, &err));
    assert_int_equal(facts.count, 2);
    assert_string_equal(facts_get(&facts, "b", 2000), "two");
    assert_string_equal(facts_get(&facts, "c", 2000), "four");
    facts_release(&facts);
    store_free(store);
}

PLACED(the_file_is_private)
{
    static const char *const names[] = { "", "-wal", "-shm" };
    const Place *place = *state;
    mode_t mask = umask(0);
    Error err = { 0 };
    Store *store = open_place(*state, STORE_WRITE);
    assert_true(store_put_fact(store, "a", "one", INT64_MAX, &err)); /* makes the other files */
    umask(mask);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char path[160];
        struct stat facts;
        assert_true(snprintf(path, sizeof path, "%s%s", place->path, names[i]) > 0);
        assert_int_equal(stat(path, &facts), 0);
        assert_int_equal(facts.st_mode & 0777, 0600);
    }
    store_free(store);
}

static void write_file(const Place *place, const void *bytes, size_t len)
{
    char folder[128];
    assert_true(snprintf(folder, sizeof folder, "%s/state", place->folder) > 0);
    assert_int_equal(mkdir(folder, 0700), 0);
    FILE *file = fopen(place->path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, len, file), len);
    assert_int_equal(fclose(file), 0);
}

static void make_database(const Place *place, const char *sql)
{
    sqlite3 *db;
    write_file(place, "", 0);
    assert_int_equal(sqlite3_open(place->path, &db), SQLITE_OK);
    char *why = NULL;
    if (sqlite3_exec(db, sql, NULL, NULL, &why) != SQLITE_OK)
        fail_msg("%s", why);
    sqlite3_close(db);
}

static void expect_unfit(const Place *place, const char *part)
{
    Error err = { 0 };
    Store *store = NULL;
    bool is_open = store_new(&store, place->path, STORE_WRITE, &err);
    GameRecord game;
    record_make(&game, "Qw8rTy2u", "alba", "e2e4");
    if (is_open) /* then it shows when it is used */
        assert_false(store_add_game(store, &game, &err));
    record_release(&game);
    store_free(store);
    assert_int_equal(err.code, is_open ? ERR_IO : ERR_INVALID); /* tables may be mended */
    if (!strstr(err.text, part))
        fail_msg("\"%s\" lacks \"%s\"", err.text, part);
}

PLACED(a_file_that_is_no_database_is_refused)
{
    char bytes[5000];
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (char)(i * 131);
    write_file(*state, bytes, sizeof bytes);
    expect_unfit(*state, "not a castled archive");
}

PLACED(another_programs_database_is_refused)
{
    make_database(*state, "CREATE TABLE cookies (a); PRAGMA user_version=1;");
    expect_unfit(*state, "a database, but not a castled archive");
}

PLACED(a_newer_archive_is_refused)
{
    store_free(open_place(*state, STORE_WRITE));
    sqlite3 *db;
    assert_int_equal(sqlite3_open(((Place *)*state)->path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, "PRAGMA user_version=99", NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(db);
    expect_unfit(*state, "written by a newer castled (schema 99; this one reads up to 11)");
}

PLACED(a_forged_archive_does_no_harm)
{
    /* Tables of the right names that are views with surprises. */
    make_database(*state, "PRAGMA application_id=1667330924; PRAGMA user_version=11;"
                          "CREATE TABLE x (a); CREATE VIEW game AS SELECT * FROM x;"
                          "CREATE TRIGGER t INSTEAD OF INSERT ON game BEGIN"
                          " INSERT INTO x VALUES (load_extension('/tmp/evil')); END;");
    expect_unfit(*state, "");
}

PLACED(a_half_file_is_refused)
{
    Place *place = *state;
    Store *store = open_place(place, STORE_WRITE);
    for (int i = 0; i < 50; i++) {
        char id[16];
        GameRecord game;
        assert_true(snprintf(id, sizeof id, "game%04d", i) > 0);
        record_make(&game, id, "alba", "e2e4 c7c5 g1f3 d7d6");
        add(store, &game);
        record_release(&game);
    }
    store_free(store);
    assert_int_equal(truncate(place->path, 6000), 0);
    expect_unfit(place, "malformed");
}

PLACED(a_folder_in_its_place_is_refused)
{
    Place *place = *state;
    char folder[128];
    assert_true(snprintf(folder, sizeof folder, "%s/state", place->folder) > 0);
    assert_int_equal(mkdir(folder, 0700), 0);
    assert_int_equal(mkdir(place->path, 0700), 0);
    expect_unfit(place, "not a file");
}

PLACED(the_first_schema_is_brought_up_to_date)
{
    Place *place = *state;
    Store *store = open_place(place, STORE_WRITE);
    GameRecord game;
    record_make(&game, "Qw8rTy2u", "alba", "e2e4");
    add(store, &game);
    store_free(store);
    sqlite3 *db; /* what the first schema had not yet */
    assert_int_equal(sqlite3_open(place->path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db,
                                  "DROP TABLE fact; DROP TABLE book_move; DROP TABLE analysis;"
                                  "ALTER TABLE game DROP COLUMN opening;"
                                  "ALTER TABLE game DROP COLUMN account;"
                                  "ALTER TABLE game DROP COLUMN engine;"
                                  "ALTER TABLE game DROP COLUMN opponent_engine;"
                                  "ALTER TABLE moves DROP COLUMN pvs;"
                                  "ALTER TABLE game DROP COLUMN strikes;"
                                  "DROP INDEX game_by_kind; PRAGMA user_version=1",
                                  NULL, NULL, NULL),
                     SQLITE_OK);
    sqlite3_close(db);
    Error err = { 0 };
    assert_false(store_new(&store, place->path, STORE_READ, &err));
    assert_non_null(strstr(err.text, "brings it up to date"));
    store = open_place(place, STORE_WRITE);
    assert_true(store_put_fact(store, "a", "one", INT64_MAX, &err));
    expect_ids(store, (StoreFilter){ 0 }, "Qw8rTy2u ");
    memcpy(game.id, "Other", 6);
    game.moves[0].is_book = true;
    add(store, &game);
    BookStats book_stats;
    book_stats_init(&book_stats);
    assert_true(store_read_book_stats(store, NULL, INT64_MAX, &book_stats, &err));
    assert_int_equal(book_stats.count, 1);
    book_stats_release(&book_stats);
    store_free(store);
    record_release(&game);
}

/* As castled wrote it until 2026-11: the third schema, with three games. */
static const char third_schema[] =
    "PRAGMA application_id=1667330924; PRAGMA user_version=3;"
    "CREATE TABLE game (number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, created_ms INTEGER,"
    " ended_ms INTEGER NOT NULL, variant TEXT NOT NULL, speed TEXT NOT NULL,"
    " rated INTEGER NOT NULL, initial_ms INTEGER, increment_ms INTEGER, days INTEGER,"
    " white_id TEXT, white TEXT, white_title TEXT, white_rating INTEGER, white_ai INTEGER,"
    " black_id TEXT, black TEXT, black_title TEXT, black_rating INTEGER, black_ai INTEGER,"
    " our_colour TEXT, opponent_id TEXT, opponent_is_bot INTEGER NOT NULL, status TEXT NOT NULL,"
    " winner TEXT, result TEXT NOT NULL, outcome TEXT NOT NULL, tournament_id TEXT,"
    " initial_fen TEXT, plies INTEGER NOT NULL);"
    "CREATE INDEX game_by_end ON game"
    " (ended_ms, variant, speed, rated, outcome, opponent_is_bot);"
    "CREATE INDEX game_by_opponent ON game (opponent_id, ended_ms);"
    "CREATE TABLE moves (game INTEGER PRIMARY KEY REFERENCES game (number) ON DELETE CASCADE,"
    " uci TEXT NOT NULL, clocks_ms TEXT NOT NULL, scores TEXT NOT NULL, depths TEXT NOT NULL,"
    " nodes TEXT NOT NULL, times_ms TEXT NOT NULL);"
    "CREATE TABLE fact (key TEXT PRIMARY KEY, value TEXT NOT NULL, expires_ms INTEGER NOT NULL)"
    " WITHOUT ROWID;"
    "CREATE TABLE book_move (game INTEGER NOT NULL REFERENCES game (number) ON DELETE CASCADE,"
    " ply INTEGER NOT NULL, key INTEGER NOT NULL, move INTEGER NOT NULL,"
    " PRIMARY KEY (game, ply)) WITHOUT ROWID;"
    "INSERT INTO fact VALUES ('a', 'one', 9223372036854775807);"
    "INSERT INTO game (id, ended_ms, variant, speed, rated, white, black, white_rating,"
    " black_rating, our_colour, opponent_is_bot, status, result, outcome, plies) VALUES"
    " ('human001', 1, 'standard', 'blitz', 1, 'we', 'Alba', 2000, 1900, 'white', 0, 'mate', '1-0',"
    "  'win', 40),"
    " ('robot001', 2, 'standard', 'blitz', 1, 'Robota', 'we', 2300, 2000, 'black', 1, 'draw',"
    "  '1/2-1/2', 'draw', 60),"
    " ('robot002', 3, 'standard', 'blitz', 1, 'we', 'Robota', 2000, 2300, 'white', 1, 'aborted',"
    "  '*', 'none', 1);"
    "INSERT INTO moves VALUES (1, 'e2e4 c7c5 g1f3', '- - -', '- - -', '- - -', '- - -', '- - -'),"
    " (2, 'junk', '-', '-', '-', '-', '-');";

static void on_opening(void *user, const StatsRow *row)
{
    Found *found = user;
    found->len += (size_t)snprintf(found->ids + found->len, sizeof found->ids - found->len,
                                   "%s: ", row->name);
}

static void on_step(void *user, int schema, int64_t games)
{
    Found *found = user;
    found->len += (size_t)snprintf(found->ids + found->len, sizeof found->ids - found->len,
                                   "%d: %d games, ", schema, (int)games);
}

static void on_engine(void *user, const GameRecord *record, int plies)
{
    (void)plies;
    text_copy(user, RECORD_ENGINE_SIZE, text_of(record->engine));
}

PLACED(the_engine_of_a_game_is_kept)
{
    static const char engine[] = "far: Stockfish 15.1 (3f2a91bc0d12) Hash=16";
    Place *place = *state;
    Store *store = open_place(place, STORE_WRITE);
    char read[RECORD_ENGINE_SIZE] = "?";
    GameRecord game;
    record_make(&game, "Qw8rTy2u", "alba", "e2e4");
    text_copy(game.engine, sizeof game.engine, text_of(engine));
    add(store, &game);
    assert_true(store_find_games(store, &(StoreFilter){ 0 }, STORE_SUMMARIES, STORE_NEWEST_FIRST,
                                 on_engine, read, NULL));
    assert_string_equal(read, engine);
    assert_true(store_find_games(store, &(StoreFilter){ 0 }, STORE_WHOLE_GAMES, STORE_NEWEST_FIRST,
                                 on_engine, read, NULL));
    assert_string_equal(read, engine);
    record_release(&game);
    store_free(store);
}

PLACED(each_step_of_an_upgrade_is_told)
{
    Place *place = *state;
    Found found = { .len = 0 };
    const StoreUpgrade upgrade = { .on_step = on_step, .user = &found };
    Store *store;
    make_database(place, third_schema);
    assert_true(store_new_telling(&store, place->path, NULL, &upgrade, NULL));
    store_free(store);
    assert_string_equal(found.ids,
                        "3: 3 games, 4: 3 games, 5: 3 games, 6: 3 games, 7: 3 games, 8: 3 games, "
                        "9: 3 games, 10: 3 games, ");
    found.len = 0;
    assert_true(store_new_telling(&store, place->path, NULL, &upgrade, NULL));
    store_free(store);
    assert_int_equal(remove(place->path), 0);
    assert_true(store_new_telling(&store, place->path, NULL, &upgrade, NULL)); /* it is made */
    store_free(store);
    assert_int_equal(found.len, 0);
}

PLACED(the_third_schema_is_brought_up_to_date_with_its_games)
{
    Place *place = *state;
    make_database(place, third_schema);
    Error err = { 0 };
    StatsRow rows[AGAINST_COUNT];
    Facts facts;
    facts_init(&facts);
    Store *store = open_place(place, STORE_WRITE);
    assert_true(store_read_facts(store, on_fact, &facts, &err));
    store_free(store);
    store = open_place(place, STORE_READ); /* which refuses an old one */
    expect_ids(store, (StoreFilter){ 0 }, "robot002 robot001 human001 ");
    Found old =
        find(store, (StoreFilter){ .id = "human001" }, STORE_WHOLE_GAMES, STORE_OLDEST_FIRST);
    assert_int_equal(old.last.count, 3);
    assert_false(old.last.has_gaps);
    record_release(&old.last);
    assert_string_equal(facts_get(&facts, "a", 0), "one");
    facts_release(&facts);
    assert_true(stats_read_kinds(store, NULL, rows, &err));
    assert_int_equal(rows[AGAINST_HUMANS].won, 1);
    assert_int_equal(rows[AGAINST_HUMANS].games, 1);
    assert_int_equal(rows[AGAINST_BOTS].drawn, 1);
    assert_int_equal(rows[AGAINST_BOTS].games, 1);
    assert_int_equal(stats_performance(&rows[AGAINST_BOTS]), 2300);
    Found found = { .len = 0 };
    assert_true(
        stats_read(store, &(StoreFilter){ 0 }, STATS_VARIATION, 9, on_opening, &found, &err));
    assert_string_equal(found.ids, "B27 Sicilian Defense: standard: ");
    store_free(store);
}

PLACED(reading_makes_no_file)
{
    Error err = { 0 };
    Store *store;
    assert_false(store_new(&store, ((Place *)*state)->path, STORE_READ, &err));
    assert_int_equal(err.code, ERR_IO);
    assert_non_null(strstr(err.text, "there is no archive yet"));
}

PLACED(others_read_while_it_is_written)
{
    Store *store = open_place(*state, STORE_WRITE);
    GameRecord game;
    record_make(&game, "Qw8rTy2u", "alba", "e2e4");
    add(store, &game);
    Store *reader = open_place(*state, STORE_READ);
    expect_ids(reader, (StoreFilter){ 0 }, "Qw8rTy2u ");
    memcpy(game.id, "Other", 6);
    add(store, &game);
    expect_ids(reader, (StoreFilter){ .id = "Other" }, "Other ");
    memcpy(game.id, "Third", 6);
    assert_false(store_add_game(reader, &game, &(Error){ 0 }));
    store_free(reader);
    store_free(store);
    record_release(&game);
}

/* Others use the machine as well: what counts is the time that the processor spent on us. */
static int64_t processor_us(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

/* 100,000 games: what a busy bot plays in three years. */
PLACED(a_hundred_thousand_games_are_listed_at_once)
{
    enum { MANY = 100000, MOST_MS = 50 };
    Place *place = *state;
    Store *store = open_place(place, STORE_WRITE);
    GameRecord game;
    record_make(&game, "first", "alba", "e2e4");
    add(store, &game);
    record_release(&game);
    store_free(store);
    sqlite3 *db;
    assert_int_equal(sqlite3_open(place->path, &db), SQLITE_OK);
    static const char fill[] =
        "PRAGMA synchronous=OFF;"
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 99999)"
        " INSERT INTO game (id, ended_ms, variant, speed, rated, white_id, white, black_id, black,"
        " our_colour, opponent_id, opponent_is_bot, status, result, outcome, plies)"
        " SELECT printf('g%07d', i), i * 60000,"
        " CASE i % 10 WHEN 0 THEN 'chess960' ELSE 'standard' END, 'blitz', i % 2, 'castled-bot',"
        " 'Castled-Bot', 'player' || i % 500, 'Player' || i % 500, 'white', 'player' || i % 500,"
        " i % 3 = 0, 'mate', '1-0', CASE i % 4 WHEN 0 THEN 'loss' ELSE 'win' END, 80 FROM n;"
        "INSERT INTO moves SELECT number, printf('%.*c', 400, 'e'), printf('%.*c', 500, '1'),"
        " printf('%.*c', 250, '1'), printf('%.*c', 200, '1'), printf('%.*c', 500, '1'),"
        " printf('%.*c', 300, '1'), printf('%.*c', 2400, '1')"
        " FROM game WHERE id <> 'first' AND number % 20 = 0;";
    assert_int_equal(sqlite3_exec(db, fill, NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(db);
    static const struct {
        const char *name;
        StoreFilter filter;
    } rows[] = {
        { "the latest", { .limit = 20 } },
        { "of one opponent", { .limit = 20, .opponent = "player7" } },
        { "lost rated Chess960 games",
          { .limit = 20, .variant = VARIANT_CHESS960, .outcome = STORE_LOST } },
        { "none at all", { .limit = 20, .speed = SPEED_BULLET } },
        { "one by its id", { .id = "g0050000" } },
        { "of a day long ago", { .limit = 20, .since_ms = 86400000, .until_ms = 172800000 } },
    };
    store = open_place(place, STORE_READ);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        int64_t best_us = INT64_MAX;
        for (int turn = 0; turn < 5; turn++) {
            int64_t began = processor_us();
            Found found = find(store, rows[i].filter, STORE_SUMMARIES, STORE_NEWEST_FIRST);
            int64_t took = processor_us() - began;
            record_release(&found.last);
            best_us = took < best_us ? took : best_us;
        }
        print_message("%s: %.1f ms\n", rows[i].name, (double)best_us / 1000);
        assert_true(best_us < MOST_MS * 1000);
    }
    store_free(store);
}

int main(void)
{
    return run_all_tests();
}
