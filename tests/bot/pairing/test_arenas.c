/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tournaments that the operator joins and leaves, by command or by the configuration. */
#include "tests/support/arena_words.h"

#define IN_SOON "join due soon joined soon-in "
#define IN_RUNNING "join due running joined running-in "

typedef struct {
    const char *name, *script; /* after "settings" */
    const char *asked;         /* of the server */
    const char *told;          /* to the operator */
    const char *left;          /* why it is over for us; NULL: it is not */
    int denials;
} Row;

static const Row rows[] = {
    { .name = "an order is carried out by the next step", .script = "join", .asked = "" },
    { .name = "one that is wanted is looked at", .script = "join due", .asked = "look" },
    { .name = "one that admits us is joined, and looked at again",
      .script = "join due soon joined",
      .asked = "look join look",
      .told = "done:Cup" },
    { .name = "nothing is asked until it begins",
      .script = IN_SOON "+599999",
      .asked = "look join look",
      .told = "done:Cup" },
    { .name = "then we look, and ask to be paired",
      .script = IN_SOON "+600000 running-in joined",
      .asked = "look join look look join",
      .told = "done:Cup" },
    { .name = "and again after each 50 s without a game",
      .script = IN_RUNNING "+49999 +1 running-in joined +50000",
      .asked = "look join look look join look",
      .told = "done:Cup" },
    { .name = "nothing is asked while we play in it",
      .script = IN_RUNNING "arena-game +600000",
      .asked = "look join look",
      .told = "done:Cup" },
    { .name = "after a game we look, and ask for the next",
      .script = IN_RUNNING "arena-game +60000 arena-game-won running-in joined",
      .asked = "look join look look join",
      .told = "done:Cup" },
    { .name = "an opponent who does not begin does not throw us out",
      .script = IN_RUNNING "arena-game arena-game-not-begun running-in",
      .asked = "look join look look join",
      .told = "done:Cup" },
    { .name = "we are out when our first move came too late",
      .script = IN_RUNNING "arena-game arena-game-late",
      .asked = "look join look",
      .told = "done:Cup",
      .left = "thrown_out,_as_our_first_move_came_too_late" },
    { .name = "who is thrown out does not return",
      .script = IN_RUNNING "arena-game arena-game-won running +600000 +600000",
      .asked = "look join look look",
      .told = "done:Cup",
      .left = "thrown_out" },
    { .name = "who was withdrawn by other means does not return",
      .script = IN_RUNNING "+50000 withdrawn-from +600000",
      .asked = "look join look look",
      .told = "done:Cup",
      .left = "withdrawn" },
    { .name = "one that is over is let go",
      .script = IN_RUNNING "+50000 finished",
      .asked = "look join look look",
      .told = "done:Cup",
      .left = "it_is_over" },
    { .name = "one that is over is not joined",
      .script = "join due finished",
      .asked = "look",
      .told = "no:it_is_over",
      .left = "it_is_over" },
    { .name = "nor one that is missing",
      .script = "join due missing",
      .asked = "look",
      .told = "no:there_is_no_such_tournament",
      .left = "there_is_no_such_tournament" },
    { .name = "nor one without bots, as a join costs credits",
      .script = "join due no-bots",
      .asked = "look",
      .told = "no:no_bots_are_admitted",
      .left = "no_bots_are_admitted" },
    { .name = "a refusal for good is told, and not asked again",
      .script = "join due running join-no +600000 +600000",
      .asked = "look join",
      .told = "no:Wrong_entry_code",
      .left = "Wrong_entry_code" },
    { .name = "a refusal for now is told, and waited for",
      .script = "join due running join-later +59999",
      .asked = "look join",
      .told = "no:Your_pause_is_not_over_yet" },
    { .name = "then we look and ask again",
      .script = "join due running join-later +60000 running joined",
      .asked = "look join look join look",
      .told = "no:Your_pause_is_not_over_yet" },
    { .name = "a condition that we may come to meet is waited for",
      .script = "join due running join-condition +599999 +1",
      .asked = "look join look",
      .told = "no:Tournament_restrictions" },
    { .name = "a missing scope is told",
      .script = "join due running join-scope",
      .asked = "look join",
      .told = "no:Missing_scope:_tournament:write",
      .left = "Missing_scope:_tournament:write" },
    { .name = "a refused token is reported, and the request repeated",
      .script = "join due running join-token +5000",
      .asked = "look join join",
      .told = "no:the_server_did_not_answer;_castled_goes_on_asking,_see_its_status",
      .denials = 1 },
    { .name = "a server that does not answer is asked again",
      .script = "join due look-broken +4999 +1 look-broken +9999 +1 soon joined",
      .asked = "look look look join look",
      .told = "no:the_server_did_not_answer;_castled_goes_on_asking,_see_its_status" },
    { .name = "so is one whose answer nobody can read",
      .script = "join due unreadable +5000",
      .asked = "look look",
      .told = "no:the_server_did_not_answer;_castled_goes_on_asking,_see_its_status" },
    { .name = "a lost join is repeated",
      .script = "join due soon join-lost +5000 joined",
      .asked = "look join join look",
      .told = "no:the_server_did_not_answer;_castled_goes_on_asking,_see_its_status" },
    { .name = "one is left by hand",
      .script = IN_SOON "leave due left",
      .asked = "look join look withdraw",
      .told = "done:Cup done:Cup",
      .left = "left" },
    { .name = "one that we are not in is left, too",
      .script = "leave due left",
      .asked = "withdraw",
      .told = "done:",
      .left = "left" },
    { .name = "a join that is tried again is taken back by leaving",
      .script = "join due look-broken leave due left",
      .asked = "look withdraw",
      .told = "no:the_server_did_not_answer;_castled_goes_on_asking,_see_its_status done:",
      .left = "left" },
    { .name = "without the scope we cannot withdraw, and are out by not asking",
      .script = IN_RUNNING "leave due leave-no +600000",
      .asked = "look join look withdraw",
      .told = "done:Cup no:no",
      .left = "left" },
    { .name = "a lost withdrawal is repeated",
      .script = IN_RUNNING "leave due leave-broken +5000 left",
      .asked = "look join look withdraw withdraw",
      .told = "done:Cup done:Cup",
      .left = "left" },
    { .name = "nothing is joined while we drain",
      .script = "join due drain soon +60000",
      .asked = "look" },
    { .name = "but afterwards",
      .script = "join due drain soon +60000 resume",
      .asked = "look join" },
};

TEST(an_order_leads_to_its_requests)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const Row *row = &rows[i];
        PairingFixture *f = pairing_fixture_new(NULL);
        pairing_play(f, "settings");
        pairing_play(f, row->script);
        if (strcmp(f->asked, row->asked) != 0 ||
            strcmp(f->arena_told, row->told ? row->told : "") != 0 ||
            strcmp(f->left, row->left ? row->left : "") != 0 || f->denials != row->denials)
            fail_msg("%s: asked %s, told %s, left %s, %d denials", row->name, f->asked,
                     f->arena_told, f->left, f->denials);
        assert_int_equal(f->pairing.arenas.entries[0].is_used, !row->left);
        pairing_fixture_free(f);
    }
}

TEST(an_order_that_is_not_possible_now_is_refused)
{
    static const struct {
        const char *script, *why;
    } cases[] = {
        { "join", "castled is not online yet" },
        { "leave", "castled is not online yet" },
        { "settings drain join", "castled is draining: no more games" },
        { "settings join join", "a request for that one is under way" },
        { "settings join leave", "a request for that one is under way" },
        { "settings " IN_SOON "join", "we are in that one already" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        PairingFixture *f = pairing_fixture_new(NULL);
        pairing_play(f, cases[i].script);
        assert_string_equal(f->todo.refusal.text, cases[i].why);
        pairing_fixture_free(f);
    }
}

TEST(thirty_two_tournaments_are_the_most)
{
    char id[GAME_ID_SIZE];
    PairingFixture *f = pairing_fixture_new(NULL);
    pairing_play(f, "settings");
    for (int i = 0; i <= ARENAS_MAX; i++) {
        assert_int_equal(snprintf(id, sizeof id, "arena%03d", i), 8);
        arena_order(f, PAIR_ON_JOIN_ORDER, id);
        assert_int_equal(error_is_set(&f->todo.refusal), i == ARENAS_MAX);
    }
    assert_string_equal(f->todo.refusal.text, "32 tournaments at once are the maximum");
    pairing_play(f, "due");
    assert_int_equal(f->open_count, ARENAS_MAX);
    pairing_fixture_free(f);
}

static const char named[] = "[tournaments]\njoin = arena111 password=sesame team=bots\n";

TEST(what_the_configuration_names_is_joined_and_left)
{
    PairingFixture *f = pairing_fixture_new(named);
    pairing_play(f, "settings soon joined soon-in settings");
    assert_string_equal(f->asked, "look join look");
    assert_string_equal(f->arena_told, ""); /* nobody asked */
    assert_string_equal(facts_get(&f->facts, "arena/arena111", f->now.unix_ms),
                        "config password=sesame team=bots");
    f->config.tournaments.join.count = 0;
    pairing_play(f, "settings left");
    assert_string_equal(f->asked, "look join look withdraw");
    assert_string_equal(f->left, "left");
    pairing_fixture_free(f);
}

TEST(one_that_was_left_is_not_joined_again)
{
    PairingFixture *f = pairing_fixture_new(named);
    pairing_play(f, "settings soon joined soon-in leave due left settings");
    pairing_restart(f);
    pairing_play(f, "settings +600000");
    assert_string_equal(f->asked, "look join look withdraw");
    pairing_play(f, "join due"); /* but by hand */
    assert_string_equal(f->asked, "look join look withdraw look");
    pairing_fixture_free(f);
}

TEST(one_that_we_are_in_is_remembered)
{
    PairingFixture *f = pairing_fixture_new(NULL);
    pairing_play(f, "settings " IN_RUNNING);
    pairing_restart(f);
    f->asked[0] = '\0';
    pairing_play(f, "settings running-in");
    assert_string_equal(f->asked, "look join");
    assert_string_equal(f->pairing.arenas.entries[0].spec.password, "sesame");
    pairing_play(f, "joined +50000 finished");
    pairing_restart(f);
    pairing_play(f, "settings");
    assert_false(f->pairing.arenas.entries[0].is_used);
    pairing_fixture_free(f);
}

TEST(facts_that_come_late_are_taken_up)
{
    PairingFixture *f = pairing_fixture_new(NULL);
    pairing_play(f, "settings");
    assert_true(facts_put(&f->facts, "arena/arena111", "hand", INT64_MAX, NULL));
    assert_true(facts_put(&f->facts, "arena/arena222", "nonsense", INT64_MAX, NULL));
    assert_true(facts_put(&f->facts, "arena/arena333", "out", INT64_MAX, NULL));
    for (int i = 0; i < 2; i++)
        pairing_feed(f, &(PairInput){ .kind = PAIR_ON_LATE_FACTS, .facts = &f->facts });
    assert_string_equal(f->asked, "look");
    pairing_fixture_free(f);
}

/* Pairings come from a minute before the start on. */
TEST(while_pairings_may_come_no_other_game_with_a_clock_begins)
{
    PairingFixture *f = pairing_fixture_new(NULL);
    pairing_play(f, "one-slot busy settings " IN_SOON "+539999 a1");
    assert_false(arenas_are_on(&f->pairing.arenas));
    assert_string_equal(f->asked, "look join look");
    pairing_play(f, "due");
    assert_true(arenas_are_on(&f->pairing.arenas));
    assert_string_equal(f->asked, "look join look decline:a1");
    pairing_play(f, "b1");
    assert_string_equal(f->asked, "look join look decline:a1 decline:b1");
    pairing_play(f, "+60000 finished free c1");
    assert_string_equal(f->left, "it_is_over");
    assert_string_equal(f->asked, "look join look decline:a1 decline:b1 look accept:c1");
    pairing_fixture_free(f);
}

TEST(who_waits_is_served_when_none_come_any_more)
{
    PairingFixture *f = pairing_fixture_new(NULL);
    pairing_play(f, "settings join due running joined a1");
    pairing_play(f, "limit running-in a1-leaves");
    assert_true(arenas_are_on(&f->pairing.arenas));
    pairing_play(f, "+3600000"); /* its end, whatever a look says */
    assert_false(arenas_are_on(&f->pairing.arenas));
    pairing_fixture_free(f);
}

TEST(one_that_ends_after_us_is_not_joined)
{
    PairingFixture *f = pairing_fixture_new(NULL);
    f->view.ends_ms = f->now.ms + 3600000;
    pairing_play(f, "settings join due soon");
    assert_string_equal(f->asked, "look");
    assert_string_equal(f->arena_told, "no:it_ends_after_castled_does");
    pairing_fixture_free(f);
}

TEST(a_missing_scope_is_logged_once)
{
    PairingFixture *f = pairing_fixture_new(NULL);
    int count = 0;
    pairing_play(f, "settings");
    for (int i = 0; i < 2; i++) {
        pairing_play(f, "join due running join-scope");
        for (int j = 0; j < f->todo.count; j++)
            count += f->todo.list[j].kind == PAIR_DO_NOTE &&
                     f->todo.list[j].note.kind == PAIR_NOTE_ARENA_SCOPE_MISSING;
    }
    assert_int_equal(count, 1);
    pairing_fixture_free(f);
}
