/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/game/slots.h"
#include "tests/unit.h"

static const LedgerPlayer nobody;
static const LedgerTerms realtime = { .kind = LEDGER_REALTIME };
static const LedgerTerms correspondence = { .kind = LEDGER_CORRESPONDENCE };

static LedgerSlots slots(int realtime_slots, int for_humans)
{
    return (LedgerSlots){ .of_kind = { realtime_slots, 1 }, .for_humans = for_humans };
}

static LedgerOffer offer(Ledger *ledger, const char *id, int64_t now_ms)
{
    return ledger_offer(ledger, id, &realtime, now_ms);
}

static void challenges_beyond_the_slots_wait_their_turn(void **state)
{
    (void)state;
    Ledger ledger;
    char id[GAME_ID_SIZE];
    ledger_init(&ledger, slots(2, 0));
    assert_int_equal(offer(&ledger, "a", 0), LEDGER_TAKEN);
    assert_int_equal(offer(&ledger, "b", 0), LEDGER_TAKEN);
    assert_int_equal(offer(&ledger, "c", 0), LEDGER_WAITS);
    assert_int_equal(offer(&ledger, "d", 0), LEDGER_WAITS);
    assert_false(ledger_next(&ledger, id, 0));
    assert_int_equal(ledger_game_started(&ledger, "a", LEDGER_REALTIME, nobody), LEDGER_NEW);
    assert_false(ledger_next(&ledger, id, 0));
    ledger_game_over(&ledger, "a");
    assert_true(ledger_next(&ledger, id, 0));
    assert_string_equal(id, "c");
    assert_false(ledger_next(&ledger, id, 0));
}

static void newcomers_do_not_overtake_those_who_wait(void **state)
{
    (void)state;
    Ledger ledger;
    ledger_init(&ledger, slots(1, 0));
    assert_int_equal(offer(&ledger, "a", 0), LEDGER_TAKEN);
    assert_int_equal(offer(&ledger, "b", 0), LEDGER_WAITS);
    assert_true(ledger_forget(&ledger, "a"));
    assert_int_equal(offer(&ledger, "c", 0), LEDGER_WAITS);
}

static void a_challenge_told_again_is_one_challenge(void **state)
{
    (void)state;
    Ledger ledger;
    ledger_init(&ledger, slots(1, 0));
    assert_int_equal(offer(&ledger, "a", 0), LEDGER_TAKEN);
    assert_int_equal(offer(&ledger, "a", 1), LEDGER_DUPLICATE);
    assert_int_equal(offer(&ledger, "b", 1), LEDGER_WAITS);
    assert_int_equal(offer(&ledger, "b", 2), LEDGER_DUPLICATE);
    assert_int_equal(ledger_game_started(&ledger, "a", LEDGER_REALTIME, nobody), LEDGER_NEW);
    assert_int_equal(offer(&ledger, "a", 3), LEDGER_DUPLICATE);
    ledger_game_over(&ledger, "a");
    assert_int_equal(offer(&ledger, "a", 4), LEDGER_DUPLICATE);
}

static void a_game_told_again_starts_nothing_twice(void **state)
{
    (void)state;
    Ledger ledger;
    ledger_init(&ledger, slots(1, 0));
    assert_int_equal(ledger_game_started(&ledger, "a", LEDGER_REALTIME, nobody), LEDGER_NEW);
    assert_int_equal(ledger_game_started(&ledger, "a", LEDGER_REALTIME, nobody), LEDGER_KNOWN);
    ledger_game_over(&ledger, "a");
    assert_int_equal(ledger_game_started(&ledger, "a", LEDGER_REALTIME, nobody), LEDGER_FINISHED);
    assert_int_equal(ledger_game_started(&ledger, "A", LEDGER_REALTIME, nobody),
                     LEDGER_NEW); /* ids mind their case */
}

static void a_game_that_exists_is_played_without_a_free_slot(void **state)
{
    (void)state;
    Ledger ledger;
    char id[GAME_ID_SIZE];
    ledger_init(&ledger, slots(1, 0));
    for (int i = 0; i < LEDGER_GAMES_MAX; i++) {
        assert_true(snprintf(id, sizeof id, "g%d", i) > 0);
        assert_int_equal(ledger_game_started(&ledger, id, LEDGER_REALTIME, nobody), LEDGER_NEW);
    }
    assert_int_equal(ledger_slots_used(&ledger, LEDGER_REALTIME), LEDGER_GAMES_MAX);
    assert_int_equal(ledger_game_started(&ledger, "more", LEDGER_REALTIME, nobody), LEDGER_FULL);
    assert_int_equal(offer(&ledger, "c", 0), LEDGER_WAITS);
}

static void an_accepted_challenge_that_never_starts_frees_its_slot(void **state)
{
    (void)state;
    Ledger ledger;
    char id[GAME_ID_SIZE];
    ledger_init(&ledger, slots(1, 0));
    assert_int_equal(offer(&ledger, "a", 1000), LEDGER_TAKEN);
    assert_int_equal(ledger_next_at_ms(&ledger), 1000 + LEDGER_LEASE_MS);
    assert_false(ledger_expire(&ledger, id, 1000 + LEDGER_LEASE_MS - 1));
    assert_true(ledger_expire(&ledger, id, 1000 + LEDGER_LEASE_MS));
    assert_string_equal(id, "a");
    assert_int_equal(ledger_slots_used(&ledger, LEDGER_REALTIME), 0);
    /* ... and may start after all. */
    assert_int_equal(ledger_game_started(&ledger, "a", LEDGER_REALTIME, nobody), LEDGER_NEW);
}

static void games_of_days_have_slots_of_their_own(void **state)
{
    (void)state;
    Ledger ledger;
    char id[GAME_ID_SIZE];
    ledger_init(&ledger, slots(1, 1));
    assert_int_equal(ledger_game_started(&ledger, "g", LEDGER_REALTIME, nobody), LEDGER_NEW);
    const LedgerTerms bot = { .kind = LEDGER_CORRESPONDENCE,
                              .player = ledger_player(text_of("rival"), true) };
    assert_int_equal(ledger_offer(&ledger, "a", &bot, 0), LEDGER_TAKEN); /* kept for nobody */
    assert_int_equal(ledger_slots_used(&ledger, LEDGER_REALTIME), 1);
    assert_int_equal(ledger_slots_used(&ledger, LEDGER_CORRESPONDENCE), 1);
    assert_int_equal(ledger_offer(&ledger, "b", &correspondence, 0), LEDGER_WAITS);
    assert_int_equal(offer(&ledger, "c", 0), LEDGER_WAITS);
    ledger_game_over(&ledger, "g");
    assert_true(ledger_next(&ledger, id, 0));
    assert_string_equal(id, "c");
    assert_false(ledger_next(&ledger, id, 0));
    ledger_forget(&ledger, "a");
    assert_true(ledger_next(&ledger, id, 0));
    assert_string_equal(id, "b");
}

static void only_realtime_challenges_go_stale(void **state)
{
    (void)state;
    Ledger ledger;
    char id[GAME_ID_SIZE];
    ledger_init(&ledger, slots(1, 0));
    assert_int_equal(ledger_game_started(&ledger, "g", LEDGER_REALTIME, nobody), LEDGER_NEW);
    assert_int_equal(ledger_game_started(&ledger, "s", LEDGER_CORRESPONDENCE, nobody), LEDGER_NEW);
    assert_int_equal(offer(&ledger, "fast", 0), LEDGER_WAITS);
    assert_int_equal(ledger_offer(&ledger, "slow", &correspondence, 0), LEDGER_WAITS);
    assert_true(ledger_expire(&ledger, id, LEDGER_STALE_MS));
    assert_string_equal(id, "fast");
    assert_false(ledger_expire(&ledger, id, INT64_MAX - 1));
    assert_int_equal(ledger_next_at_ms(&ledger), INT64_MAX);
}

static void the_queue_is_bounded(void **state)
{
    (void)state;
    Ledger ledger;
    char id[GAME_ID_SIZE];
    ledger_init(&ledger, slots(1, 0));
    assert_int_equal(ledger_game_started(&ledger, "g", LEDGER_REALTIME, nobody), LEDGER_NEW);
    for (int i = 0; i < LEDGER_WAITING_MAX; i++) {
        assert_true(snprintf(id, sizeof id, "c%d", i) > 0);
        assert_int_equal(offer(&ledger, id, 0), LEDGER_WAITS);
    }
    assert_int_equal(offer(&ledger, "late", 0), LEDGER_NO_ROOM);
    assert_true(ledger_forget(&ledger, "c7"));
    assert_int_equal(offer(&ledger, "late", 0), LEDGER_WAITS);
    assert_false(ledger_forget(&ledger, "c7"));
}

static void a_rate_limit_makes_wait_though_a_slot_is_free(void **state)
{
    (void)state;
    Ledger ledger;
    char id[GAME_ID_SIZE];
    LedgerTerms limited = { .kind = LEDGER_REALTIME, .must_wait = true };
    ledger_init(&ledger, slots(1, 0));
    assert_int_equal(ledger_offer(&ledger, "a", &limited, 0), LEDGER_WAITS);
    assert_true(ledger_next(&ledger, id, 10));
    assert_string_equal(id, "a");
}

static void a_game_that_could_not_be_taken_up_is_new_again(void **state)
{
    (void)state;
    Ledger ledger;
    ledger_init(&ledger, slots(1, 0));
    assert_int_equal(ledger_game_started(&ledger, "a", LEDGER_REALTIME, nobody), LEDGER_NEW);
    ledger_game_dropped(&ledger, "a");
    assert_int_equal(ledger_game_started(&ledger, "a", LEDGER_REALTIME, nobody), LEDGER_NEW);
}

static LedgerOffer offer_by(Ledger *ledger, const char *id, const char *player, bool is_bot,
                            int64_t rank)
{
    LedgerTerms terms = { .kind = LEDGER_REALTIME,
                          .player = ledger_player(text_of(player), is_bot),
                          .rank = rank };
    return ledger_offer(ledger, id, &terms, 0);
}

static void a_higher_rank_goes_first_and_an_equal_one_in_order(void **state)
{
    (void)state;
    Ledger ledger;
    char id[GAME_ID_SIZE];
    ledger_init(&ledger, slots(1, 0));
    assert_int_equal(ledger_game_started(&ledger, "g", LEDGER_REALTIME, nobody), LEDGER_NEW);
    assert_int_equal(offer_by(&ledger, "low", "a", true, 1), LEDGER_WAITS);
    assert_int_equal(offer_by(&ledger, "high", "b", false, 9), LEDGER_WAITS);
    assert_int_equal(offer_by(&ledger, "late", "c", false, 9), LEDGER_WAITS);
    static const char *const order[] = { "high", "late", "low" };
    ledger_game_over(&ledger, "g");
    for (int i = 0; i < 3; i++) {
        assert_true(ledger_next(&ledger, id, 0));
        assert_string_equal(id, order[i]);
        assert_true(ledger_forget(&ledger, id));
    }
    assert_false(ledger_next(&ledger, id, 0));
}

static void bots_leave_the_slots_of_humans_free(void **state)
{
    (void)state;
    Ledger ledger;
    char id[GAME_ID_SIZE];
    ledger_init(&ledger, slots(3, 1));
    assert_int_equal(offer_by(&ledger, "b1", "b", true, 0), LEDGER_TAKEN);
    assert_int_equal(offer_by(&ledger, "b2", "b", true, 0), LEDGER_TAKEN);
    assert_int_equal(offer_by(&ledger, "b3", "b", true, 0), LEDGER_WAITS);
    assert_int_equal(offer_by(&ledger, "h1", "h", false, 0), LEDGER_TAKEN); /* past the bot */
    assert_int_equal(offer_by(&ledger, "h2", "h", false, 0), LEDGER_WAITS);
    assert_true(ledger_forget(&ledger, "h1"));
    assert_true(ledger_next(&ledger, id, 0)); /* not b3, though it waits longer */
    assert_string_equal(id, "h2");
    assert_true(ledger_forget(&ledger, "b1"));
    assert_true(ledger_next(&ledger, id, 0));
    assert_string_equal(id, "b3");
}

static void humans_may_take_every_slot(void **state)
{
    (void)state;
    Ledger ledger;
    ledger_init(&ledger, slots(2, 1));
    assert_int_equal(offer_by(&ledger, "h1", "a", false, 0), LEDGER_TAKEN);
    assert_int_equal(offer_by(&ledger, "h2", "b", false, 0), LEDGER_TAKEN);
    assert_int_equal(offer_by(&ledger, "b1", "c", true, 0), LEDGER_WAITS);
}

static void what_a_player_has_with_us_is_counted(void **state)
{
    (void)state;
    Ledger ledger;
    ledger_init(&ledger, slots(1, 0));
    assert_int_equal(
        ledger_game_started(&ledger, "g", LEDGER_REALTIME, ledger_player(text_of("alba"), false)),
        LEDGER_NEW);
    assert_int_equal(offer_by(&ledger, "c", "alba", false, 0), LEDGER_WAITS);
    assert_int_equal(offer_by(&ledger, "d", "", false, 0), LEDGER_WAITS);
    assert_int_equal(ledger_count_player(&ledger, "alba", "").running, 1);
    assert_int_equal(ledger_count_player(&ledger, "alba", "").pending, 1);
    assert_int_equal(ledger_count_player(&ledger, "alba", "c").pending, 0);
    assert_int_equal(ledger_count_player(&ledger, "bert", "").running, 0);
    assert_int_equal(ledger_count_player(&ledger, "", "").pending, 0); /* nobody in particular */
    ledger_game_over(&ledger, "g");
    assert_int_equal(ledger_count_player(&ledger, "alba", "").running, 0);
}

static void who_waits_can_know_the_place(void **state)
{
    (void)state;
    Ledger ledger;
    ledger_init(&ledger, slots(1, 0));
    assert_int_equal(ledger_game_started(&ledger, "g", LEDGER_REALTIME, nobody), LEDGER_NEW);
    assert_int_equal(offer_by(&ledger, "c1", "robo", true, 1), LEDGER_WAITS);
    assert_int_equal(offer_by(&ledger, "c2", "alba", false, 5), LEDGER_WAITS);
    assert_int_equal(offer_by(&ledger, "c3", "bert", false, 5), LEDGER_WAITS);
    assert_int_equal(offer_by(&ledger, "c4", "bert", false, 9), LEDGER_WAITS);
    assert_int_equal(offer_by(&ledger, "c5", "", false, 9), LEDGER_WAITS);
    assert_int_equal(ledger_place(&ledger, "bert"), 1); /* by the better of his */
    assert_int_equal(ledger_place(&ledger, "alba"), 3);
    assert_int_equal(ledger_place(&ledger, "robo"), 5);
    assert_int_equal(ledger_place(&ledger, "carl"), 0);
    assert_int_equal(ledger_place(&ledger, ""), 0);
}

static void a_challenge_of_ours_holds_a_slot_until_it_is_a_game_or_nothing(void **state)
{
    (void)state;
    Ledger ledger;
    char id[GAME_ID_SIZE];
    LedgerPlayer bot = ledger_player(text_of("rival"), true);
    ledger_init(&ledger, slots(1, 0));
    assert_true(ledger_hold(&ledger, "ours0", bot, 30000));
    assert_false(ledger_hold(&ledger, "ours1", bot, 30000));
    assert_int_equal(ledger_slots_used(&ledger, LEDGER_REALTIME), 1);
    assert_false(ledger_next(&ledger, id, 0));
    assert_true(ledger_forget(&ledger, "ours0"));
    assert_true(ledger_hold(&ledger, "game1", bot, 30000));
    assert_int_equal(ledger_game_started(&ledger, "game1", LEDGER_REALTIME, bot), LEDGER_NEW);
    assert_int_equal(ledger_slots_used(&ledger, LEDGER_REALTIME), 1);
    ledger_game_over(&ledger, "game1");
    assert_true(ledger_hold(&ledger, "game2", bot, 30000));
    assert_false(ledger_expire(&ledger, id, 29999));
    assert_true(ledger_expire(&ledger, id, 30000));
    assert_string_equal(id, "game2");
    ledger_init(&ledger, slots(2, 2)); /* all kept for humans */
    assert_false(ledger_hold(&ledger, "game3", bot, 30000));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_challenge_of_ours_holds_a_slot_until_it_is_a_game_or_nothing),
        cmocka_unit_test(challenges_beyond_the_slots_wait_their_turn),
        cmocka_unit_test(newcomers_do_not_overtake_those_who_wait),
        cmocka_unit_test(a_challenge_told_again_is_one_challenge),
        cmocka_unit_test(a_game_told_again_starts_nothing_twice),
        cmocka_unit_test(a_game_that_exists_is_played_without_a_free_slot),
        cmocka_unit_test(an_accepted_challenge_that_never_starts_frees_its_slot),
        cmocka_unit_test(games_of_days_have_slots_of_their_own),
        cmocka_unit_test(only_realtime_challenges_go_stale),
        cmocka_unit_test(the_queue_is_bounded),
        cmocka_unit_test(a_rate_limit_makes_wait_though_a_slot_is_free),
        cmocka_unit_test(a_game_that_could_not_be_taken_up_is_new_again),
        cmocka_unit_test(a_higher_rank_goes_first_and_an_equal_one_in_order),
        cmocka_unit_test(bots_leave_the_slots_of_humans_free),
        cmocka_unit_test(humans_may_take_every_slot),
        cmocka_unit_test(what_a_player_has_with_us_is_counted),
        cmocka_unit_test(who_waits_can_know_the_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
