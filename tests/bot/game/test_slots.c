/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Holds I18 of bot/README.md. */
#include "bot/game/slots.h"
#include "tests/support/unit.h"

static const SlotsPlayer nobody;
static const SlotsTerms realtime = { .kind = SLOTS_REALTIME };
static const SlotsTerms correspondence = { .kind = SLOTS_CORRESPONDENCE };

static SlotLimits limits(int realtime_slots, int for_humans)
{
    return (SlotLimits){ .of_kind = { realtime_slots, 1 }, .for_humans = for_humans };
}

/* Whose turn it is takes a slot, and its id is written. */
static bool take_next(Slots *slots, char id[GAME_ID_SIZE], int64_t now_ms)
{
    const SlotsEntry *next = slots_peek(slots);
    if (!next)
        return false;
    memcpy(id, next->id, GAME_ID_SIZE);
    slots_take(slots, id, now_ms);
    return true;
}

static SlotsOffer offer(Slots *slots, const char *id, int64_t now_ms)
{
    return slots_offer(slots, id, &realtime, now_ms);
}

TEST(challenges_beyond_the_slots_wait_their_turn)
{
    Slots slots;
    char id[GAME_ID_SIZE];
    slots_init(&slots, limits(2, 0));
    assert_int_equal(offer(&slots, "a", 0), SLOTS_TAKEN);
    assert_int_equal(offer(&slots, "b", 0), SLOTS_TAKEN);
    assert_int_equal(offer(&slots, "c", 0), SLOTS_WAITS);
    assert_int_equal(offer(&slots, "d", 0), SLOTS_WAITS);
    assert_false(take_next(&slots, id, 0));
    assert_int_equal(slots_game_started(&slots, "a", SLOTS_REALTIME, nobody), SLOTS_NEW);
    assert_false(take_next(&slots, id, 0));
    slots_game_over(&slots, "a");
    assert_true(take_next(&slots, id, 0));
    assert_string_equal(id, "c");
    assert_false(take_next(&slots, id, 0));
}

TEST(a_granted_game_that_does_not_begin_is_missed_once)
{
    Slots slots;
    char id[GAME_ID_SIZE];
    slots_init(&slots, limits(2, 0));
    assert_int_equal(offer(&slots, "a", 0), SLOTS_TAKEN);
    assert_int_equal(offer(&slots, "b", 0), SLOTS_TAKEN);
    assert_false(slots_miss_start(&slots, 60000)); /* not granted yet */
    slots_granted(&slots, "a", 60000);
    slots_granted(&slots, "b", 60000);
    assert_int_equal(slots_game_started(&slots, "b", SLOTS_REALTIME, nobody), SLOTS_NEW);
    assert_int_equal(slots_next_at_ms(&slots), 60000 + SLOTS_START_MS);
    assert_false(slots_miss_start(&slots, 60000 + SLOTS_START_MS - 1));
    assert_true(slots_miss_start(&slots, 60000 + SLOTS_START_MS));
    assert_false(slots_miss_start(&slots, 60000 + SLOTS_START_MS));
    assert_int_equal(slots_next_at_ms(&slots), 60000 + SLOTS_LEASE_MS);
    assert_int_equal(slots_expire(&slots, id, 60000 + SLOTS_LEASE_MS), SLOTS_LEASE_EXPIRED);
}

TEST(newcomers_do_not_overtake_those_who_wait)
{
    Slots slots;
    slots_init(&slots, limits(1, 0));
    assert_int_equal(offer(&slots, "a", 0), SLOTS_TAKEN);
    assert_int_equal(offer(&slots, "b", 0), SLOTS_WAITS);
    assert_true(slots_forget(&slots, "a"));
    assert_int_equal(offer(&slots, "c", 0), SLOTS_WAITS);
}

TEST(of_two_challenges_by_one_player_the_later_one_waits)
{
    Slots slots;
    char id[GAME_ID_SIZE];
    SlotsTerms berta = { .kind = SLOTS_REALTIME,
                         .player = slots_player(text_of("berta"), KIND_HUMAN) };
    slots_init(&slots, limits(1, 0));
    assert_int_equal(offer(&slots, "a", 0), SLOTS_TAKEN);
    assert_int_equal(offer(&slots, "anonymous", 0), SLOTS_WAITS);
    assert_int_equal(slots_offer(&slots, "b", &berta, 0), SLOTS_WAITS);
    berta.is_rematch = true; /* the offer of one is no challenge that the server replaces */
    assert_int_equal(slots_offer(&slots, "r", &berta, 0), SLOTS_WAITS);
    assert_false(slots_replace(&slots, "berta", "b", id)); /* reported again */
    assert_false(slots_replace(&slots, "cleo", "c", id));
    assert_false(slots_replace(&slots, "", "c", id));
    assert_true(slots_replace(&slots, "berta", "c", id));
    assert_string_equal(id, "b");
    assert_false(slots_replace(&slots, "berta", "c", id));
    assert_int_equal(slots.waiting.count, 2);
}

static SlotsOffer offer_of_berta(Slots *slots, const char *id)
{
    SlotsTerms terms = { .kind = SLOTS_REALTIME,
                         .player = slots_player(text_of("berta"), KIND_HUMAN) };
    return slots_offer(slots, id, &terms, 0);
}

TEST(a_challenge_follows_an_earlier_one_that_is_being_accepted)
{
    Slots slots;
    char id[GAME_ID_SIZE];
    slots_init(&slots, limits(4, 0));
    assert_int_equal(offer_of_berta(&slots, "a"), SLOTS_TAKEN);
    assert_int_equal(slots_count_player(&slots, "berta", "b").pending, 0);
    assert_int_equal(slots_count_player(&slots, "berta", "a").pending, 0);
    assert_int_equal(offer_of_berta(&slots, "b"), SLOTS_QUEUED_BEHIND);
    assert_int_equal(offer_of_berta(&slots, "b"), SLOTS_DUPLICATE);
    assert_int_equal(offer(&slots, "other", 0), SLOTS_TAKEN);
    assert_null(slots_peek(&slots));
    slots_granted(&slots, "a", 0); /* the server had accepted it before the other came */
    assert_null(slots_peek(&slots));
    assert_int_equal(slots_game_started(&slots, "a", SLOTS_REALTIME, nobody), SLOTS_NEW);
    assert_null(slots_peek(&slots));
    slots_game_over(&slots, "a");
    assert_true(take_next(&slots, id, 0));
    assert_string_equal(id, "b");
}

TEST(a_challenge_takes_the_place_of_one_that_cannot_be_accepted)
{
    Slots slots;
    char id[GAME_ID_SIZE];
    for (int is_refused = 0; is_refused < 2; is_refused++) {
        slots_init(&slots, limits(4, 0));
        assert_int_equal(offer_of_berta(&slots, "a"), SLOTS_TAKEN);
        assert_int_equal(offer_of_berta(&slots, "b"), SLOTS_QUEUED_BEHIND);
        if (is_refused)
            assert_true(slots_forget(&slots, "a"));
        else
            slots_return(&slots, "a"); /* lost, and the server has the other one */
        assert_int_equal(slots.waiting.count, 1);
        assert_true(take_next(&slots, id, 0));
        assert_string_equal(id, "b");
    }
}

TEST(nobody_waits_for_the_end_of_an_own_game_of_days)
{
    Slots slots;
    char id[GAME_ID_SIZE];
    SlotsTerms berta = { .kind = SLOTS_CORRESPONDENCE,
                         .player = slots_player(text_of("berta"), KIND_HUMAN) };
    slots_init(&slots, limits(4, 0));
    assert_int_equal(slots_offer(&slots, "a", &berta, 0), SLOTS_TAKEN);
    assert_int_equal(offer_of_berta(&slots, "b"), SLOTS_QUEUED_BEHIND);
    assert_int_equal(slots_game_started(&slots, "a", SLOTS_CORRESPONDENCE, nobody), SLOTS_NEW);
    assert_true(take_next(&slots, id, 0));
    assert_string_equal(id, "b");
}

TEST(a_challenge_told_again_is_one_challenge)
{
    Slots slots;
    slots_init(&slots, limits(1, 0));
    assert_int_equal(offer(&slots, "a", 0), SLOTS_TAKEN);
    assert_int_equal(offer(&slots, "a", 1), SLOTS_DUPLICATE);
    assert_int_equal(offer(&slots, "b", 1), SLOTS_WAITS);
    assert_int_equal(offer(&slots, "b", 2), SLOTS_DUPLICATE);
    assert_int_equal(slots_game_started(&slots, "a", SLOTS_REALTIME, nobody), SLOTS_NEW);
    assert_int_equal(offer(&slots, "a", 3), SLOTS_DUPLICATE);
    slots_game_over(&slots, "a");
    assert_int_equal(offer(&slots, "a", 4), SLOTS_DUPLICATE);
}

TEST(a_game_told_again_starts_nothing_twice)
{
    Slots slots;
    slots_init(&slots, limits(1, 0));
    assert_int_equal(slots_game_started(&slots, "a", SLOTS_REALTIME, nobody), SLOTS_NEW);
    assert_int_equal(slots_game_started(&slots, "a", SLOTS_REALTIME, nobody), SLOTS_KNOWN);
    slots_game_over(&slots, "a");
    assert_int_equal(slots_game_started(&slots, "a", SLOTS_REALTIME, nobody), SLOTS_FINISHED);
    assert_int_equal(slots_game_started(&slots, "A", SLOTS_REALTIME, nobody),
                     SLOTS_NEW); /* ids mind their case */
}

TEST(a_game_that_exists_is_played_without_a_free_slot)
{
    Slots slots;
    char id[GAME_ID_SIZE];
    slots_init(&slots, limits(1, 0));
    for (int i = 0; i < SLOTS_GAMES_MAX; i++) {
        assert_true(snprintf(id, sizeof id, "g%d", i) > 0);
        assert_int_equal(slots_game_started(&slots, id, SLOTS_REALTIME, nobody), SLOTS_NEW);
    }
    assert_int_equal(slots_used(&slots, SLOTS_REALTIME), SLOTS_GAMES_MAX);
    assert_int_equal(slots_game_started(&slots, "more", SLOTS_REALTIME, nobody), SLOTS_FULL);
    assert_int_equal(offer(&slots, "c", 0), SLOTS_WAITS);
}

TEST(an_accepted_challenge_that_never_starts_frees_its_slot)
{
    Slots slots;
    char id[GAME_ID_SIZE];
    slots_init(&slots, limits(1, 0));
    assert_int_equal(offer(&slots, "a", 1000), SLOTS_TAKEN);
    assert_int_equal(slots_next_at_ms(&slots), INT64_MAX); /* the request may take its time */
    slots_granted(&slots, "a", 1000);
    assert_true(slots_miss_start(&slots, 1000 + SLOTS_START_MS));
    assert_int_equal(slots_next_at_ms(&slots), 1000 + SLOTS_LEASE_MS);
    assert_false(slots_expire(&slots, id, 1000 + SLOTS_LEASE_MS - 1));
    assert_int_equal(slots_expire(&slots, id, 1000 + SLOTS_LEASE_MS), SLOTS_LEASE_EXPIRED);
    assert_string_equal(id, "a");
    assert_int_equal(slots_used(&slots, SLOTS_REALTIME), 0);
    /* ... and may start after all. */
    assert_int_equal(slots_game_started(&slots, "a", SLOTS_REALTIME, nobody), SLOTS_NEW);
}

TEST(games_of_days_have_slots_of_their_own)
{
    Slots slots;
    char id[GAME_ID_SIZE];
    slots_init(&slots, limits(1, 1));
    assert_int_equal(slots_game_started(&slots, "g", SLOTS_REALTIME, nobody), SLOTS_NEW);
    const SlotsTerms bot = { .kind = SLOTS_CORRESPONDENCE,
                             .player = slots_player(text_of("rival"), KIND_BOT) };
    assert_int_equal(slots_offer(&slots, "a", &bot, 0), SLOTS_TAKEN); /* reserved for no player */
    assert_int_equal(slots_used(&slots, SLOTS_REALTIME), 1);
    assert_int_equal(slots_used(&slots, SLOTS_CORRESPONDENCE), 1);
    assert_int_equal(slots_offer(&slots, "b", &correspondence, 0), SLOTS_WAITS);
    assert_int_equal(offer(&slots, "c", 0), SLOTS_WAITS);
    slots_game_over(&slots, "g");
    assert_true(take_next(&slots, id, 0));
    assert_string_equal(id, "c");
    assert_false(take_next(&slots, id, 0));
    slots_forget(&slots, "a");
    assert_true(take_next(&slots, id, 0));
    assert_string_equal(id, "b");
}

TEST(only_realtime_challenges_are_deleted_by_the_server)
{
    Slots slots;
    char id[GAME_ID_SIZE];
    slots_init(&slots, limits(1, 0));
    assert_int_equal(slots_game_started(&slots, "g", SLOTS_REALTIME, nobody), SLOTS_NEW);
    assert_int_equal(slots_game_started(&slots, "s", SLOTS_CORRESPONDENCE, nobody), SLOTS_NEW);
    assert_int_equal(offer(&slots, "fast", 0), SLOTS_WAITS);
    assert_int_equal(slots_offer(&slots, "slow", &correspondence, 0), SLOTS_WAITS);
    assert_int_equal(slots_expire(&slots, id, SLOTS_WAIT_MOST_MS), SLOTS_WAIT_EXPIRED);
    assert_string_equal(id, "fast");
    assert_false(slots_expire(&slots, id, INT64_MAX - 1));
    assert_int_equal(slots_next_at_ms(&slots), INT64_MAX);
}

TEST(the_queue_is_bounded)
{
    Slots slots;
    char id[GAME_ID_SIZE];
    slots_init(&slots, limits(1, 0));
    assert_int_equal(slots_game_started(&slots, "g", SLOTS_REALTIME, nobody), SLOTS_NEW);
    for (int i = 0; i < SLOTS_WAITING_MAX; i++) {
        assert_true(snprintf(id, sizeof id, "c%d", i) > 0);
        assert_int_equal(offer(&slots, id, 0), SLOTS_WAITS);
    }
    assert_int_equal(offer(&slots, "late", 0), SLOTS_NO_ROOM);
    assert_true(slots_forget(&slots, "c7"));
    assert_int_equal(offer(&slots, "late", 0), SLOTS_WAITS);
    assert_false(slots_forget(&slots, "c7"));
}

TEST(a_rate_limit_makes_wait_though_a_slot_is_free)
{
    Slots slots;
    char id[GAME_ID_SIZE];
    SlotsTerms limited = { .kind = SLOTS_REALTIME, .must_wait = true };
    slots_init(&slots, limits(1, 0));
    assert_int_equal(slots_offer(&slots, "a", &limited, 0), SLOTS_WAITS);
    assert_true(take_next(&slots, id, 10));
    assert_string_equal(id, "a");
}

TEST(a_game_that_could_not_be_taken_up_is_new_again)
{
    Slots slots;
    slots_init(&slots, limits(1, 0));
    assert_int_equal(slots_game_started(&slots, "a", SLOTS_REALTIME, nobody), SLOTS_NEW);
    slots_game_dropped(&slots, "a");
    assert_int_equal(slots_game_started(&slots, "a", SLOTS_REALTIME, nobody), SLOTS_NEW);
}

static SlotsOffer offer_by(Slots *slots, const char *id, const char *player, bool is_bot,
                           int64_t rank)
{
    SlotsTerms terms = { .kind = SLOTS_REALTIME,
                         .player = slots_player(text_of(player), is_bot ? KIND_BOT : KIND_HUMAN),
                         .rank = rank };
    return slots_offer(slots, id, &terms, 0);
}

TEST(a_higher_rank_goes_first_and_an_equal_one_in_order)
{
    Slots slots;
    char id[GAME_ID_SIZE];
    slots_init(&slots, limits(1, 0));
    assert_int_equal(slots_game_started(&slots, "g", SLOTS_REALTIME, nobody), SLOTS_NEW);
    assert_int_equal(offer_by(&slots, "low", "a", true, 1), SLOTS_WAITS);
    assert_int_equal(offer_by(&slots, "high", "b", false, 9), SLOTS_WAITS);
    assert_int_equal(offer_by(&slots, "late", "c", false, 9), SLOTS_WAITS);
    static const char *const order[] = { "high", "late", "low" };
    slots_game_over(&slots, "g");
    for (int i = 0; i < 3; i++) {
        assert_true(take_next(&slots, id, 0));
        assert_string_equal(id, order[i]);
        assert_true(slots_forget(&slots, id));
    }
    assert_false(take_next(&slots, id, 0));
}

TEST(bots_leave_the_slots_of_humans_free)
{
    Slots slots;
    char id[GAME_ID_SIZE];
    slots_init(&slots, limits(3, 1));
    assert_int_equal(offer_by(&slots, "b1", "b", true, 0), SLOTS_TAKEN);
    assert_int_equal(offer_by(&slots, "b2", "c", true, 0), SLOTS_TAKEN);
    assert_int_equal(offer_by(&slots, "b3", "d", true, 0), SLOTS_WAITS);
    assert_int_equal(offer_by(&slots, "h1", "h", false, 0), SLOTS_TAKEN); /* past the bot */
    assert_int_equal(offer_by(&slots, "h2", "i", false, 0), SLOTS_WAITS);
    assert_true(slots_forget(&slots, "h1"));
    assert_true(take_next(&slots, id, 0)); /* not b3, though it waits longer */
    assert_string_equal(id, "h2");
    assert_true(slots_forget(&slots, "b1"));
    assert_true(take_next(&slots, id, 0));
    assert_string_equal(id, "b3");
}

TEST(humans_may_take_every_slot)
{
    Slots slots;
    slots_init(&slots, limits(2, 1));
    assert_int_equal(offer_by(&slots, "h1", "a", false, 0), SLOTS_TAKEN);
    assert_int_equal(offer_by(&slots, "h2", "b", false, 0), SLOTS_TAKEN);
    assert_int_equal(offer_by(&slots, "b1", "c", true, 0), SLOTS_WAITS);
}

TEST(what_a_player_has_with_us_is_counted)
{
    Slots slots;
    slots_init(&slots, limits(1, 0));
    assert_int_equal(
        slots_game_started(&slots, "g", SLOTS_REALTIME, slots_player(text_of("alba"), KIND_HUMAN)),
        SLOTS_NEW);
    assert_int_equal(offer_by(&slots, "c", "alba", false, 0), SLOTS_WAITS);
    assert_int_equal(offer_by(&slots, "d", "", false, 0), SLOTS_WAITS);
    assert_int_equal(slots_count_player(&slots, "alba", "").running, 1);
    assert_int_equal(slots_count_player(&slots, "alba", "").pending, 1);
    assert_int_equal(slots_count_player(&slots, "alba", "c").pending, 0);
    assert_int_equal(slots_count_player(&slots, "bert", "").running, 0);
    assert_int_equal(slots_count_player(&slots, "", "").pending, 0); /* no named player */
    slots_game_over(&slots, "g");
    assert_int_equal(slots_count_player(&slots, "alba", "").running, 0);
}

TEST(who_waits_can_know_the_place)
{
    Slots slots;
    slots_init(&slots, limits(1, 0));
    assert_int_equal(slots_game_started(&slots, "g", SLOTS_REALTIME, nobody), SLOTS_NEW);
    assert_int_equal(offer_by(&slots, "c1", "robo", true, 1), SLOTS_WAITS);
    assert_int_equal(offer_by(&slots, "c2", "alba", false, 5), SLOTS_WAITS);
    assert_int_equal(offer_by(&slots, "c3", "bert", false, 5), SLOTS_WAITS);
    assert_int_equal(offer_by(&slots, "c4", "bert", false, 9), SLOTS_WAITS);
    assert_int_equal(offer_by(&slots, "c5", "", false, 9), SLOTS_WAITS);
    assert_int_equal(slots_place(&slots, "bert"), 1); /* by the better of theirs */
    assert_int_equal(slots_place(&slots, "alba"), 3);
    assert_int_equal(slots_place(&slots, "robo"), 5);
    assert_int_equal(slots_place(&slots, "carl"), 0);
    assert_int_equal(slots_place(&slots, ""), 0);
}

TEST(a_challenge_of_ours_holds_a_slot_until_it_is_a_game_or_nothing)
{
    Slots slots;
    char id[GAME_ID_SIZE];
    SlotsPlayer bot = slots_player(text_of("rival"), KIND_BOT);
    slots_init(&slots, limits(1, 0));
    assert_true(slots_hold(&slots, "ours0", SLOTS_REALTIME, bot, 30000));
    assert_false(slots_hold(&slots, "ours1", SLOTS_REALTIME, bot, 30000));
    assert_int_equal(slots_used(&slots, SLOTS_REALTIME), 1);
    assert_false(take_next(&slots, id, 0));
    assert_true(slots_forget(&slots, "ours0"));
    assert_true(slots_hold(&slots, "game1", SLOTS_REALTIME, bot, 30000));
    assert_int_equal(slots_game_started(&slots, "game1", SLOTS_REALTIME, bot), SLOTS_NEW);
    assert_int_equal(slots_used(&slots, SLOTS_REALTIME), 1);
    slots_game_over(&slots, "game1");
    assert_true(slots_hold(&slots, "game2", SLOTS_REALTIME, bot, 30000));
    assert_false(slots_expire(&slots, id, 29999));
    assert_true(slots_expire(&slots, id, 30000));
    assert_string_equal(id, "game2");
    slots_init(&slots, limits(2, 2)); /* all kept for humans */
    assert_false(slots_hold(&slots, "game3", SLOTS_REALTIME, bot, 30000));
}

TEST(a_slot_held_for_a_human_stays_held_when_they_turn_out_to_be_a_bot)
{
    Slots slots;
    slots_init(&slots, limits(1, 1)); /* the one slot is kept for humans */
    assert_true(slots_hold(&slots, "ours0", SLOTS_REALTIME,
                           slots_player(text_of("rival"), KIND_HUMAN), 30000));
    slots_bind_hold(&slots, "ours0", "game1", slots_player(text_of("rival"), KIND_BOT), 40000);
    assert_int_equal(slots_used(&slots, SLOTS_REALTIME), 1);
    assert_int_equal(slots_next_at_ms(&slots), 40000);
    assert_false(slots_forget(&slots, "ours0"));
    assert_true(slots_forget(&slots, "game1"));
}

static bool is_open(void *user, const char *id)
{
    return strstr(user, id) != NULL;
}

TEST(who_waits_is_served_however_long_unless_away)
{
    Slots slots;
    char id[GAME_ID_SIZE];
    int64_t later = 10 * 60 * 1000;
    slots_init(&slots, limits(1, 0));
    assert_int_equal(slots_game_started(&slots, "g", SLOTS_REALTIME, nobody), SLOTS_NEW);
    assert_int_equal(offer(&slots, "left", 0), SLOTS_WAITS);
    assert_int_equal(offer(&slots, "there", 0), SLOTS_WAITS);
    assert_int_equal(offer(&slots, "new", later), SLOTS_WAITS);
    assert_false(slots_expire(&slots, id, later));
    assert_null(slots_peek(&slots));
    slots_game_over(&slots, "g");
    assert_string_equal(slots_peek(&slots)->id, "left");
    slots_update_presence(&slots, is_open, "there", later - 1, later); /* "new" was not known yet */
    assert_string_equal(slots_peek(&slots)->id, "there");
    assert_int_equal(slots_peek(&slots)->seen_ms, later);
    assert_true(take_next(&slots, id, later));
    assert_false(slots_next_is_absent(&slots)); /* the slot is taken */
    assert_int_equal(slots_game_started(&slots, "there", SLOTS_REALTIME, nobody), SLOTS_NEW);
    assert_false(slots_game_is_unseen(&slots, "there"));
    slots_game_over(&slots, "there");
    assert_string_equal(slots_peek(&slots)->id, "new");
    assert_true(slots_forget(&slots, "new"));
    assert_null(slots_peek(&slots));
    assert_true(slots_next_is_absent(&slots));
    assert_int_equal(offer(&slots, "left", later), SLOTS_DUPLICATE); /* reported again: is back */
    assert_string_equal(slots_peek(&slots)->id, "left");
}

TEST(one_accepted_unseen_is_known_as_such)
{
    Slots slots;
    char id[GAME_ID_SIZE];
    slots_init(&slots, limits(1, 0));
    assert_int_equal(slots_game_started(&slots, "g", SLOTS_REALTIME, nobody), SLOTS_NEW);
    assert_int_equal(offer(&slots, "old", 0), SLOTS_WAITS);
    slots_game_over(&slots, "g");
    assert_true(take_next(&slots, id, SLOTS_UNSEEN_MS + 1));
    assert_int_equal(slots_game_started(&slots, "old", SLOTS_REALTIME, nobody), SLOTS_NEW);
    assert_true(slots_game_is_unseen(&slots, "old"));
    assert_false(slots_game_is_unseen(&slots, "none"));
}

TEST(those_just_seen_may_pass_those_who_may_have_left)
{
    Slots slots;
    int64_t later = SLOTS_UNSEEN_MS + 1;
    slots_init(&slots, limits(1, 0));
    assert_int_equal(slots_game_started(&slots, "g", SLOTS_REALTIME, nobody), SLOTS_NEW);
    assert_int_equal(offer(&slots, "old", 0), SLOTS_WAITS);
    assert_int_equal(slots_offer(&slots, "slow", &correspondence, 0), SLOTS_TAKEN);
    assert_true(slots_forget(&slots, "slow"));
    assert_null(slots_peek_seen(&slots, 0)); /* no slot */
    slots_game_over(&slots, "g");
    assert_string_equal(slots_peek_seen(&slots, SLOTS_UNSEEN_MS)->id, "old");
    assert_null(slots_peek_seen(&slots, later));
    assert_int_equal(offer(&slots, "new", later), SLOTS_WAITS); /* not by itself */
    assert_string_equal(slots_peek(&slots)->id, "old");
    assert_true(slots_owner_may_be_absent(slots_peek(&slots), later));
    assert_string_equal(slots_peek_seen(&slots, later)->id, "new");
    slots_take(&slots, "new", later);
    assert_true(slots_knows(&slots, "new"));
    assert_false(slots_knows(&slots, "none"));
}

/* The server's list never has it. */
TEST(the_offer_of_a_rematch_waits_without_a_doubt_but_not_for_long)
{
    Slots slots;
    char id[GAME_ID_SIZE];
    const SlotsTerms rematch = { .kind = SLOTS_REALTIME, .is_rematch = true };
    int64_t later = 2 * SLOTS_UNSEEN_MS;
    slots_init(&slots, limits(1, 0));
    assert_int_equal(slots_game_started(&slots, "g", SLOTS_REALTIME, nobody), SLOTS_NEW);
    assert_int_equal(slots_offer(&slots, "again", &rematch, 0), SLOTS_WAITS);
    slots_update_presence(&slots, is_open, "", later, later);
    slots_game_over(&slots, "g");
    assert_false(slots_owner_may_be_absent(slots_peek(&slots), later));
    assert_true(take_next(&slots, id, later));
    assert_string_equal(id, "again");
    slots_return(&slots, "again"); /* the acceptance was lost */
    assert_int_equal(slots_next_at_ms(&slots), SLOTS_REMATCH_WAIT_MS);
    assert_true(take_next(&slots, id, later));
    assert_int_equal(slots_game_started(&slots, "again", SLOTS_REALTIME, nobody), SLOTS_NEW);
    assert_false(slots_game_is_unseen(&slots, "again"));
    assert_int_equal(slots_offer(&slots, "late", &rematch, later), SLOTS_WAITS);
    assert_false(slots_expire(&slots, id, later + SLOTS_REMATCH_WAIT_MS - 1));
    assert_int_equal(slots_expire(&slots, id, later + SLOTS_REMATCH_WAIT_MS), SLOTS_WAIT_EXPIRED);
    assert_string_equal(id, "late");
}

TEST(one_whose_acceptance_got_lost_is_the_first_again)
{
    Slots slots;
    char id[GAME_ID_SIZE];
    slots_init(&slots, limits(1, 0));
    assert_int_equal(offer(&slots, "a", 0), SLOTS_TAKEN);
    assert_int_equal(offer(&slots, "b", 0), SLOTS_WAITS);
    slots_return(&slots, "a");
    assert_int_equal(slots_used(&slots, SLOTS_REALTIME), 0);
    assert_true(take_next(&slots, id, 1));
    assert_string_equal(id, "a");
    slots_return(&slots, "none");
    assert_int_equal(slots.waiting.count, 1);
}

TEST(who_is_away_gives_way_in_a_full_queue)
{
    Slots slots;
    char id[GAME_ID_SIZE];
    slots_init(&slots, limits(0, 0));
    for (int i = 0; i < SLOTS_WAITING_MAX; i++) {
        assert_true(snprintf(id, sizeof id, "w%d", i) > 0);
        assert_int_equal(offer(&slots, id, 0), SLOTS_WAITS);
    }
    assert_int_equal(offer(&slots, "more", 10), SLOTS_NO_ROOM);
    slots_update_presence(&slots, is_open, "w0 w1 w2 w3", 10, 20);
    assert_int_equal(offer(&slots, "more", 30), SLOTS_WAITS);
    assert_int_equal(slots.waiting.count, SLOTS_WAITING_MAX);
}
