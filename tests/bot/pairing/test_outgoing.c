/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every row of the table in outgoing.h, and what an answer of each kind comes to. */
#include "tests/support/pairing_fixture.h"

typedef struct {
    const char *name, *script;
    OutgoingState state;      /* of the challenge */
    const char *told, *asked; /* the operator; the server */
    int slots;                /* taken at the end */
} Row;

static const Row rows[] = {
    { .name = "an order creates",
      .script = "order",
      .state = OUTGOING_CREATING,
      .told = "",
      .asked = "create",
      .slots = 1 },
    { .name = "the server makes it",
      .script = "order made",
      .state = OUTGOING_OPEN,
      .told = "",
      .asked = "create",
      .slots = 1 },
    { .name = "a refusal is an end",
      .script = "order refused",
      .state = OUTGOING_FREE,
      .told = "refused",
      .asked = "create" },
    { .name = "a closed door is a refusal",
      .script = "order forbidden",
      .state = OUTGOING_FREE,
      .told = "refused",
      .asked = "create" },
    { .name = "a refused token is no refusal of the challenge",
      .script = "order unauthorized",
      .state = OUTGOING_FREE,
      .told = "lost",
      .asked = "create" },
    { .name = "a limit is no refusal",
      .script = "order limited",
      .state = OUTGOING_FREE,
      .told = "limited",
      .asked = "create" },
    { .name = "a proxy's error is no refusal",
      .script = "order broken",
      .state = OUTGOING_FREE,
      .told = "lost",
      .asked = "create" },
    { .name = "a lost request is no refusal",
      .script = "order lost",
      .state = OUTGOING_FREE,
      .told = "lost",
      .asked = "create" },
    { .name = "a stream without a challenge is a lost request",
      .script = "order ends",
      .state = OUTGOING_FREE,
      .told = "lost",
      .asked = "create" },
    { .name = "a game ends it",
      .script = "order made started",
      .state = OUTGOING_FREE,
      .told = "accepted",
      .asked = "create",
      .slots = 1 },
    { .name = "the event stream declines",
      .script = "order made event-declined",
      .state = OUTGOING_FREE,
      .told = "declined",
      .asked = "create" },
    { .name = "the event stream cancels",
      .script = "order made event-canceled",
      .state = OUTGOING_FREE,
      .told = "unanswered",
      .asked = "create" },
    { .name = "its own stream's word is waited on",
      .script = "order made accepted",
      .state = OUTGOING_ANSWERED,
      .told = "",
      .asked = "create",
      .slots = 1 },
    { .name = "an accepted challenge becomes its game",
      .script = "order made accepted ends started",
      .state = OUTGOING_FREE,
      .told = "accepted",
      .asked = "create",
      .slots = 1 },
    { .name = "an accepted challenge without an event counts as accepted after half a minute",
      .script = "order made accepted ends +4000 +4000 +4000 +4000 +4000 +4000 +4000 +4000",
      .state = OUTGOING_FREE,
      .told = "accepted",
      .asked = "create",
      .slots = 1 },
    { .name = "a declined challenge waits for the reason",
      .script = "order made declined ends +2000 event-declined",
      .state = OUTGOING_FREE,
      .told = "declined",
      .asked = "create" },
    { .name = "a declined challenge does without the reason",
      .script = "order made declined ends +3000",
      .state = OUTGOING_FREE,
      .told = "declined",
      .asked = "create" },
    { .name = "an unanswered challenge is cancelled",
      .script = "order made +20000",
      .state = OUTGOING_CANCELLING,
      .told = "",
      .asked = "create cancel",
      .slots = 1 },
    { .name = "a cancelled challenge is over",
      .script = "order made +20000 gone",
      .state = OUTGOING_FREE,
      .told = "unanswered",
      .asked = "create cancel" },
    { .name = "a game wins over its cancelling",
      .script = "order made +20000 started",
      .state = OUTGOING_FREE,
      .told = "accepted",
      .asked = "create cancel",
      .slots = 1 },
    { .name = "a challenge whose stream ends is cancelled when no event told of it",
      .script = "order made ends +3000",
      .state = OUTGOING_CANCELLING,
      .told = "",
      .asked = "create cancel",
      .slots = 1 },
    { .name = "without an event stream it is not cancelled: it may be accepted",
      .script = "order made offline ends +3000 +3000",
      .state = OUTGOING_OPEN,
      .told = "",
      .asked = "create",
      .slots = 1 },
    { .name = "once that is open again for three seconds, it is",
      .script = "order made offline ends +3000 online +2000 +3000",
      .state = OUTGOING_CANCELLING,
      .told = "",
      .asked = "create cancel",
      .slots = 1 },
    { .name = "without an event stream it is cancelled at its time",
      .script = "order made offline ends +3000 +17000",
      .state = OUTGOING_CANCELLING,
      .told = "",
      .asked = "create cancel",
      .slots = 1 },
    { .name = "a decline before the id is known counts",
      .script = "order event-declined made",
      .state = OUTGOING_FREE,
      .told = "declined",
      .asked = "create" },
    { .name = "a game before the id is known counts",
      .script = "order started made",
      .state = OUTGOING_FREE,
      .told = "accepted",
      .asked = "create",
      .slots = 1 },
};

TEST(each_event_leads_to_its_state)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        PairingFixture *f = pairing_fixture_new(NULL);
        pairing_play(f, rows[i].script);
        if (f->pairing.outgoing.entries[0].state != rows[i].state ||
            strcmp(f->told, rows[i].told) != 0 || strcmp(f->asked, rows[i].asked) != 0 ||
            slots_used(&f->slots, SLOTS_REALTIME) != rows[i].slots)
            fail_msg("%s: state %d, told \"%s\", asked \"%s\", %d slots", rows[i].name,
                     f->pairing.outgoing.entries[0].state, f->told, f->asked,
                     slots_used(&f->slots, SLOTS_REALTIME));
        pairing_fixture_free(f);
    }
}

TEST(only_a_refused_token_is_reported)
{
    static const struct {
        const char *script;
        int denials;
    } cases[] = { { "order unauthorized", 1 }, { "order forbidden", 0 }, { "order refused", 0 } };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        PairingFixture *f = pairing_fixture_new(NULL);
        pairing_play(f, cases[i].script);
        assert_int_equal(f->denials, cases[i].denials);
        pairing_fixture_free(f);
    }
}

TEST(an_accepted_challenge_without_an_event_is_looked_for)
{
    PairingFixture *f = pairing_fixture_new(NULL);
    pairing_play(f, "order made accepted ends +3999");
    assert_int_equal(f->looks, 0);
    pairing_play(f, "+1");
    assert_int_equal(f->looks, 1);
    pairing_play(f, "+4000");
    assert_int_equal(f->looks, 2);
    pairing_fixture_free(f);
}

/* Words for the operator, in the order in which they count. */
TEST(an_order_that_is_not_possible_now_is_refused)
{
    static const struct {
        const char *name, *why;
        bool is_unknown, is_draining, is_limited;
        int64_t ends_in_ms;
        const char *script;
    } cases[] = {
        { .name = "offline", .why = "castled is not online yet", .is_unknown = true },
        { .name = "draining", .why = "castled is draining: no more games", .is_draining = true },
        { .name = "ending",
          .why = "castled ends before such a game can (run --for)",
          .ends_in_ms = 60000 },
        { .name = "tournament",
          .why = "castled is in a tournament: no other games",
          .script = "settings join due running joined running-in" },
        { .name = "limit",
          .why = "Lichess allows no more challenges for 60 s",
          .is_limited = true },
        { .name = "slots", .why = "all 2 slots are taken", .script = "order order" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        PairingFixture *f = pairing_fixture_new(NULL);
        pairing_play(f, cases[i].script ? cases[i].script : "");
        f->view.our_id = cases[i].is_unknown ? "" : "castled-bot";
        f->view.is_draining = cases[i].is_draining;
        if (cases[i].ends_in_ms > 0)
            f->view.ends_ms = f->now.ms + cases[i].ends_in_ms;
        if (cases[i].is_limited)
            ratelimit_note(&f->limit, FAMILY_CREATE, 0, false, f->now.ms);
        pairing_play(f, "order");
        if (strcmp(f->todo.refusal.text, cases[i].why) != 0)
            fail_msg("%s: \"%s\"", cases[i].name, f->todo.refusal.text);
        pairing_fixture_free(f);
    }
}

TEST(four_challenges_are_the_most)
{
    PairingFixture *f = pairing_fixture_new(NULL);
    slots_resize(&f->slots, (SlotLimits){ .of_kind = { 8, 1 } });
    pairing_play(f, "order order order order");
    assert_string_equal(f->todo.refusal.text, "");
    pairing_play(f, "order");
    assert_string_equal(f->todo.refusal.text, "4 challenges are under way already");
    assert_int_equal(slots_used(&f->slots, SLOTS_REALTIME), 4);
    pairing_fixture_free(f);
}

TEST(a_bots_day_is_remembered_as_whose_it_is)
{
    static const struct {
        int status;
        ApiOutcome outcome;
        const char *key;
    } cases[] = { { 429, API_LIMITED, "spent/castled-bot" }, { 400, API_REFUSED, "spent/alba" } };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        PairingFixture *f = pairing_fixture_new(NULL);
        pairing_play(f, "order");
        pairing_answer(f, PAIR_ASK_CREATE,
                       (ApiAnswer){ .outcome = cases[i].outcome,
                                    .status = cases[i].status,
                                    .limit_key = text_of("bot.vsBot.day"),
                                    .wait_s = 7200 });
        assert_non_null(facts_get(&f->facts, cases[i].key, f->now.unix_ms + 7199000));
        assert_null(facts_get(&f->facts, cases[i].key, f->now.unix_ms + 7200000));
        pairing_fixture_free(f);
    }
}
