/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sums over the games of an archive: progress.h, and pages of store_find_games(). */
#include "bot/archive/progress.h"
#include "engine/base/duration.h"
#include "tests/support/records.h"
#include "tests/support/store_place.h"
#include "tests/support/unit.h"

#define DAY_0 (20000 * DURATION_DAY_MS)

static void add(Store *store, int day, Speed speed, Variant variant, const char *title, int rating,
                Colour winner, GameStatus status)
{
    static int number;
    Error err = { 0 };
    GameRecord game;
    char id[16];
    assert_true(snprintf(id, sizeof id, "game%04d", number++) > 0);
    record_make(&game, id, "alba", "e2e4 c7c5 g1f3");
    game.speed = speed;
    game.variant = variant;
    game.players[WHITE].rating = rating;
    assert_true(
        text_copy(game.players[BLACK].title, sizeof game.players[BLACK].title, text_of(title)));
    record_end(&game, status, winner, DAY_0 + day * DURATION_DAY_MS + 1000 + number);
    if (!store_add_game(store, &game, &err))
        fail_msg("%s", err.text);
    record_release(&game);
}

static void add_games(Store *store)
{
    add(store, 0, SPEED_BLITZ, VARIANT_STANDARD, "", 2000, WHITE, STATUS_MATE);
    add(store, 0, SPEED_BLITZ, VARIANT_STANDARD, "BOT", 2011, BLACK, STATUS_MATE);
    add(store, 0, SPEED_BLITZ, VARIANT_STANDARD, "BOT", 1, COLOUR_NONE, STATUS_ABORTED);
    add(store, 1, SPEED_BULLET, VARIANT_STANDARD, "FM", 1900, COLOUR_NONE, STATUS_DRAW);
    add(store, 40, SPEED_BLITZ, VARIANT_ATOMIC, "", 1500, WHITE, STATUS_RESIGN);
    add(store, 40, SPEED_BLITZ, VARIANT_FROM_POSITION, "", 2031, WHITE, STATUS_RESIGN);
}

TEST_IN(results_and_ratings_are_summed_up_step_by_step, make_place, remove_place)
{
    Place *place = *state;
    Store *store = open_place(place, STORE_WRITE);
    Progress progress;
    add_games(store);
    assert_true(progress_read(store, &(StoreFilter){ .id = NULL }, &progress, NULL));
    assert_int_equal(progress.step_ms, DURATION_DAY_MS);
    assert_int_equal(progress.begins_ms, DAY_0);
    assert_int_equal(progress.count, 41);
    assert_int_equal(progress.results[AGAINST_HUMANS][0].won, 1);
    assert_int_equal(progress.results[AGAINST_BOTS][0].lost, 1);
    assert_int_equal(progress.results[AGAINST_BOTS][0].drawn, 0);
    assert_int_equal(progress.results[AGAINST_HUMANS][1].drawn, 1);
    assert_int_equal(progress.results[AGAINST_HUMANS][40].won, 2);
    assert_int_equal(progress.rating_count, 3);
    assert_string_equal(progress.ratings[0].name, "blitz");
    assert_int_equal(progress.ratings[0].games, 3);
    assert_int_equal(progress.ratings[0].rating[0], 2006);
    assert_int_equal(progress.ratings[0].rating[1], 0);
    assert_int_equal(progress.ratings[0].rating[40], 2031);
    assert_string_equal(progress.ratings[1].name, "atomic");
    assert_string_equal(progress.ratings[2].name, "bullet");
    store_free(store);
}

TEST_IN(steps_grow_with_the_time_that_they_cover, make_place, remove_place)
{
    static const struct {
        int day, step_days, count;
    } rows[] = { { 41, 1, 42 },  { 47, 1, 48 },   { 48, 7, 7 },
                 { 335, 7, 48 }, { 336, 28, 13 }, { 2000, 91, 22 } };
    Place *place = *state;
    Store *store = open_place(place, STORE_WRITE);
    add_games(store);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Progress progress;
        add(store, rows[i].day, SPEED_BLITZ, VARIANT_STANDARD, "", 2000, WHITE, STATUS_MATE);
        assert_true(progress_read(store, &(StoreFilter){ .id = NULL }, &progress, NULL));
        assert_int_equal(progress.step_ms, rows[i].step_days * DURATION_DAY_MS);
        assert_int_equal(progress.count, rows[i].count);
    }
    store_free(store);
}

TEST_IN(the_filter_counts_and_nothing_is_fine, make_place, remove_place)
{
    Place *place = *state;
    Store *store = open_place(place, STORE_WRITE);
    Progress progress;
    assert_true(progress_read(store, &(StoreFilter){ .id = NULL }, &progress, NULL));
    assert_int_equal(progress.count, 0);
    add_games(store);
    assert_true(progress_read(store, &(StoreFilter){ .kind = STORE_BOTS }, &progress, NULL));
    assert_int_equal(progress.count, 1);
    assert_int_equal(progress.results[AGAINST_HUMANS][0].won, 0);
    assert_int_equal(progress.results[AGAINST_BOTS][0].lost, 1);
    store_free(store);
}

static void put_id(void *user, const GameRecord *record, int plies)
{
    char *out = user;
    (void)plies;
    (void)!strncat(out, record->id + 4, 4);
}

TEST_IN(a_page_is_a_part_of_the_list, make_place, remove_place)
{
    Place *place = *state;
    Store *store = open_place(place, STORE_WRITE);
    char all[100] = "", page[100] = "";
    add_games(store);
    const StoreFilter whole = { .limit = 6 }, part = { .limit = 2, .skip = 3 };
    assert_true(
        store_find_games(store, &whole, STORE_SUMMARIES, STORE_NEWEST_FIRST, put_id, all, NULL));
    assert_true(
        store_find_games(store, &part, STORE_SUMMARIES, STORE_NEWEST_FIRST, put_id, page, NULL));
    assert_int_equal(strlen(all), 24);
    assert_int_equal(strlen(page), 8);
    assert_memory_equal(all + 12, page, 8);
    store_free(store);
}
