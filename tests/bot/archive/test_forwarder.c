/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From the archive's file to a PostgreSQL server, which this program starts. */
#include "bot/archive/forwarder.h"

#include "bot/archive/archive.h"
#include "bot/archive/archive_reader.h"
#include "bot/archive/store_analysis.h"
#include "engine/base/clock.h"
#include "tests/support/postgres_place.h"
#include "tests/support/records.h"

#include <unistd.h>

enum { STOP_MOST_MS = 1500 };

/* One that a book gave a move in, and that we won. */
static void make_game(GameRecord *game, int number)
{
    char id[16];
    assert_true(snprintf(id, sizeof id, "game%04d", number) > 0);
    record_make(game, id, "alba", "e2e4 c7c5 g1f3 d7d6 d2d4");
    game->moves[0].is_book = game->moves[0].has_choice = true;
    record_end(game, STATUS_MATE, game->us, 1790000000000 + number * 1000);
}

typedef struct {
    int results;
    int64_t moved, waiting, refused;
    bool has_book_stats, has_results;
    Error why;
} Told;

static void on_result(void *user, const ForwarderResult *result)
{
    Told *told = user;
    told->results++;
    told->moved += result->moved;
    told->waiting = result->waiting;
    told->refused = result->refused;
    told->has_book_stats |= result->book_stats != NULL;
    told->has_results = result->has_results;
    told->why = result->why;
}

static Told forward(const Place *place, const char *address)
{
    uv_loop_t loop;
    Forwarder *forwarder;
    Error err = { 0 };
    Told told = { .results = 0 };
    assert_int_equal(uv_loop_init(&loop), 0);
    assert_true(forwarder_new(&forwarder, &loop, place->path, address, on_result, &told, &err));
    forwarder_begin(forwarder); /* we are nobody yet */
    forwarder_set_account(forwarder, "castled-bot");
    while (told.results == 0)
        uv_run(&loop, UV_RUN_ONCE);
    forwarder_close(forwarder);
    uv_run(&loop, UV_RUN_DEFAULT);
    assert_int_equal(uv_loop_close(&loop), 0);
    return told;
}

/* Begins, and closes soon after: how long that takes at most. */
static int64_t stop_ms(const Place *place, const char *address)
{
    enum { UNDER_WAY_MS = 300 };
    uv_loop_t loop;
    Forwarder *forwarder;
    Error err = { 0 };
    Told told = { .results = 0 };
    assert_int_equal(uv_loop_init(&loop), 0);
    assert_true(forwarder_new(&forwarder, &loop, place->path, address, on_result, &told, &err));
    forwarder_set_account(forwarder, "castled-bot");
    int64_t began_ms = clock_now_ms();
    while (clock_now_ms() < began_ms + UNDER_WAY_MS)
        uv_run(&loop, UV_RUN_NOWAIT);
    assert_int_equal(told.results, 0);
    int64_t closed_ms = clock_now_ms();
    forwarder_close(forwarder);
    uv_run(&loop, UV_RUN_DEFAULT);
    assert_int_equal(uv_loop_close(&loop), 0);
    assert_int_equal(told.results, 0);
    return clock_now_ms() - closed_ms;
}

static void fill_file(const Place *place, int count, int bad)
{
    Store *file = open_place(place, STORE_WRITE);
    Error err = { 0 };
    for (int i = 0; i < count; i++) {
        GameRecord game;
        make_game(&game, i);
        if (i == bad)
            memcpy(game.players[WHITE].name, "\xff", 2); /* no UTF-8 */
        if (!store_add_game(file, &game, &err))
            fail_msg("%s", err.text);
        record_release(&game);
    }
    store_free(file);
}

static int64_t count_in(Store *store)
{
    int64_t count;
    Error err = { 0 };
    assert_true(store_count_games(store, &count, &err));
    store_free(store);
    return count;
}

POSTGRES_TEST(games_move_from_the_file_to_the_server)
{
    const Place *place = *state;
    fill_file(place, 120, 60);
    Told told = forward(place, "postgresql:///castled?host=/nowhere");
    assert_int_equal(told.moved, 0);
    assert_int_equal(told.waiting, 120);
    assert_int_equal(told.why.code, ERR_IO);
    assert_false(told.has_book_stats);
    told = forward(place, postgres_address());
    assert_int_equal(told.moved, 119);
    assert_int_equal(told.refused, 1); /* no server takes it, and it is not lost */
    assert_int_equal(told.waiting, 1);
    assert_int_equal(told.why.code, ERR_NONE);
    assert_true(told.has_book_stats && told.has_results);
    assert_int_equal(count_in(postgres_open(STORE_READ)), 119);
    assert_int_equal(count_in(open_place(place, STORE_READ)), 1);
}

POSTGRES_TEST(a_server_that_goes_away_in_a_transaction_loses_nothing)
{
    const Place *place = *state;
    fill_file(place, 60, -1);
    store_free(postgres_open(STORE_WRITE));
    postgres_tell("CREATE FUNCTION die() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
                  " PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NEW; END $$;"
                  "CREATE TRIGGER die BEFORE INSERT ON game FOR EACH ROW"
                  " WHEN (NEW.id = 'game0003') EXECUTE FUNCTION die()");
    Told told = forward(place, postgres_address()); /* the latest 50 go first */
    assert_int_equal(told.why.code, ERR_IO);
    assert_int_equal(told.moved, 50);
    assert_int_equal(told.waiting, 10);
    postgres_tell("DROP TRIGGER die ON game");
    told = forward(place, postgres_address());
    assert_int_equal(told.why.code, ERR_NONE);
    assert_int_equal(told.waiting, 0);
    assert_int_equal(count_in(postgres_open(STORE_READ)), 60);
}

/* Runs until there are so many results. */
static void run_to(uv_loop_t *loop, const Told *told, int results)
{
    while (told->results < results)
        uv_run(loop, UV_RUN_ONCE);
}

POSTGRES_TEST(what_the_server_refused_is_not_asked_again_after_each_game)
{
    const Place *place = *state;
    uv_loop_t loop;
    Forwarder *forwarder;
    Error err = { 0 };
    Told told = { .results = 0 };
    fill_file(place, 3, -1);
    store_free(postgres_open(STORE_WRITE));
    postgres_tell("CREATE SEQUENCE asked;"
                  "CREATE FUNCTION no() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
                  " PERFORM nextval('asked'); RAISE check_violation; END $$;"
                  "CREATE TRIGGER no BEFORE INSERT ON game FOR EACH ROW"
                  " WHEN (NEW.id = 'game0001') EXECUTE FUNCTION no()");
    assert_int_equal(uv_loop_init(&loop), 0);
    assert_true(
        forwarder_new(&forwarder, &loop, place->path, postgres_address(), on_result, &told, &err));
    forwarder_set_account(forwarder, "castled-bot");
    run_to(&loop, &told, 1);
    for (int i = 2; i < 5; i++) { /* as games end */
        forwarder_begin(forwarder);
        run_to(&loop, &told, i);
        assert_int_equal(told.refused, 1);
        assert_int_equal(told.waiting, 1);
    }
    forwarder_close(forwarder);
    uv_run(&loop, UV_RUN_DEFAULT);
    assert_int_equal(uv_loop_close(&loop), 0);
    postgres_tell("DO $$ BEGIN IF (SELECT last_value FROM asked) <> 1 THEN"
                  " RAISE 'asked again'; END IF; END $$");
}

POSTGRES_TEST(what_the_server_has_is_not_told_twice)
{
    const Place *place = *state;
    fill_file(place, 5, -1);
    assert_int_equal(forward(place, postgres_address()).moved, 5);
    fill_file(place, 5, -1); /* as if we had ended before we took them out */
    assert_int_equal(forward(place, postgres_address()).waiting, 0);
    assert_int_equal(count_in(postgres_open(STORE_READ)), 5);
}

POSTGRES_TEST(a_stop_waits_for_no_lock_of_the_server)
{
    const Place *place = *state;
    fill_file(place, 1, -1);
    store_free(postgres_open(STORE_WRITE));
    PGconn *line = postgres_lock();
    int64_t took_ms = stop_ms(place, postgres_address());
    PQfinish(line);
    assert_true(took_ms < STOP_MOST_MS);
}

POSTGRES_TEST(a_stop_waits_for_no_silent_server)
{
    const Place *place = *state;
    fill_file(place, 1, -1);
    FakeServer fake = fake_begin(place);
    assert_true(stop_ms(place, fake.address) < STOP_MOST_MS);
    fake_end(&fake);
}

/* ---- the daemon's side ---- */

typedef struct {
    ArchiveQuestion question; /* the first member */
    int done;
    Error why;
} Asked;

static bool read_count(ArchiveQuestion *question, Store *store, Error *err)
{
    int64_t count;
    (void)question;
    return store_count_games(store, &count, err);
}

static void on_read(ArchiveQuestion *question, const Error *why)
{
    Asked *asked = (Asked *)(void *)question;
    asked->done++;
    asked->why = *why;
}

POSTGRES_TEST(the_page_waits_for_no_lock_when_it_closes)
{
    Error err = { 0 };
    uv_loop_t loop;
    ArchiveReader *reader;
    Asked asked = { .question = { .read = read_count, .on_read = on_read } };
    store_free(postgres_open(STORE_WRITE));
    PGconn *line = postgres_lock();
    assert_int_equal(uv_loop_init(&loop), 0);
    assert_true(archive_reader_new(&reader, &loop, postgres_address(), &err));
    assert_true(archive_reader_ask(reader, &asked.question));
    uv_run(&loop, UV_RUN_NOWAIT);
    usleep(200 * 1000);
    assert_int_equal(asked.done, 0);
    int64_t began_ms = clock_now_ms();
    archive_reader_close(reader);
    uv_run(&loop, UV_RUN_DEFAULT);
    assert_true(clock_now_ms() - began_ms < STOP_MOST_MS);
    assert_int_equal(uv_loop_close(&loop), 0);
    assert_int_equal(asked.done, 1);
    assert_int_equal(asked.why.code, ERR_IO);
    PQfinish(line);
}

static void run_until_nothing_waits(uv_loop_t *loop, const Archive *archive)
{
    int64_t until_ms = clock_now_ms() + 60000;
    while (archive_status(archive).waiting > 0 && clock_now_ms() < until_ms) {
        uv_run(loop, UV_RUN_NOWAIT);
        usleep(1000);
    }
    assert_int_equal(archive_status(archive).waiting, 0);
}

POSTGRES_TEST(a_game_passes_through_the_file_to_the_server)
{
    const Place *place = *state;
    Error err = { 0 };
    uv_loop_t loop;
    Archive *archive;
    GameRecord game;
    assert_int_equal(uv_loop_init(&loop), 0);
    assert_true(archive_new(&archive, &loop, place->path, NULL, &err));
    assert_true(archive_forward(archive, postgres_address(), &err));
    make_game(&game, 1);
    archive_add_game(archive, &game);
    archive_remember(archive, FACT_VISIT, text_of("a"), "fact", INT64_MAX);
    archive_set_account(archive, "castled-bot");
    run_until_nothing_waits(&loop, archive);
    ArchiveStatus status = archive_status(archive);
    assert_true(status.is_shared);
    assert_int_equal(status.state, ARCHIVE_FINE);
    assert_string_equal(status.path, postgres_address());
    const StatsRow *results = archive_results(archive);
    assert_non_null(results);
    assert_int_equal(results[AGAINST_BOTS].games + results[AGAINST_HUMANS].games, 1);
    archive_close(archive);
    uv_run(&loop, UV_RUN_DEFAULT);
    assert_int_equal(uv_loop_close(&loop), 0);
    assert_int_equal(count_in(postgres_open(STORE_READ)), 1);
    assert_int_equal(count_in(open_place(place, STORE_READ)), 0);
    record_release(&game);
}

POSTGRES_TEST(an_analysis_goes_with_its_game)
{
    const Place *place = *state;
    GameRecord game;
    PositionEval evals[6], read[6];
    Error err = { 0 };
    int64_t nodes = 0;
    for (int i = 0; i < 6; i++)
        evals[i] = read[i] = (PositionEval){ .score = 10 * i, .depth = 9 };
    fill_file(place, 3, -1);
    make_game(&game, 1);
    Store *file = open_place(place, STORE_WRITE);
    assert_true(store_put_analysis(file, &game, evals, 5000, &err));
    store_free(file);
    assert_int_equal(forward(place, postgres_address()).moved, 3);
    Store *remote = postgres_open(STORE_READ);
    assert_true(store_read_analysis(remote, &game, read, &nodes, &err));
    assert_int_equal(nodes, 5000);
    assert_int_equal(read[5].score, 50);
    store_free(remote);
    record_release(&game);
}

int main(void)
{
    return postgres_run_tests();
}
