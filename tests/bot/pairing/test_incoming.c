/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What becomes of challenges to us: the tables of incoming.h, incoming_answers.h and waiting.h. */
#include "tests/support/pairing_fixture.h"

/* User-a plays in the only slot, and user-b waits for it. */
#define BUSY "one-slot a1 granted a1-starts "

typedef struct {
    const char *name, *script, *asked;
    int waiting, slots; /* at the end */
} Row;

static const Row rows[] = {
    { .name = "a free slot is taken", .script = "a1", .asked = "accept:a1", .slots = 1 },
    { .name = "a challenge that is reported twice is accepted once",
      .script = "a1 a1",
      .asked = "accept:a1",
      .slots = 1 },
    { .name = "a granted challenge becomes a game",
      .script = "a1 granted a1-starts",
      .asked = "accept:a1",
      .slots = 1 },
    { .name = "without a slot it waits",
      .script = BUSY "b1",
      .asked = "accept:a1",
      .waiting = 1,
      .slots = 1 },
    { .name = "and has the next one",
      .script = BUSY "b1 +1000 a1-ends",
      .asked = "accept:a1 accept:b1",
      .slots = 1 },
    { .name = "in the order of arrival",
      .script = BUSY "b1 c1 a1-ends",
      .asked = "accept:a1 accept:b1",
      .waiting = 1,
      .slots = 1 },
    { .name = "a slot of ours that is free again is the next one's",
      .script = "one-slot order b1 refused",
      .asked = "create accept:b1",
      .slots = 1 },
    { .name = "a withdrawn one does not wait",
      .script = BUSY "b1 b1-leaves a1-ends",
      .asked = "accept:a1" },
    { .name = "the slot of a withdrawn one is free",
      .script = "one-slot a1 b1 a1-leaves",
      .asked = "accept:a1 accept:b1",
      .slots = 1 },
    { .name = "a newer challenge takes the place of an older one",
      .script = BUSY "b1 b2 a1-ends",
      .asked = "accept:a1 accept:b2",
      .slots = 1 },
    { .name = "the server's no frees the slot",
      .script = "one-slot a1 b1 accept-no",
      .asked = "accept:a1 accept:b1",
      .slots = 1 },
    { .name = "a lost acceptance is not sent again at once",
      .script = "a1 accept-lost +999",
      .asked = "accept:a1",
      .slots = 1 },
    { .name = "but after a second",
      .script = "a1 accept-lost +999 +1",
      .asked = "accept:a1 accept:a1",
      .slots = 1 },
    { .name = "so is one that a proxy has answered",
      .script = "a1 accept-broken +1000",
      .asked = "accept:a1 accept:a1",
      .slots = 1 },
    { .name = "after three tries it waits",
      .script = "a1 accept-lost +1000 accept-lost +1000 accept-lost +4999",
      .asked = "accept:a1 accept:a1 accept:a1",
      .waiting = 1 },
    { .name = "for five seconds",
      .script = "a1 accept-lost +1000 accept-lost +1000 accept-lost +4999 +1",
      .asked = "accept:a1 accept:a1 accept:a1 accept:a1",
      .slots = 1 },
    { .name = "a refused token is not the challenge's end",
      .script = "a1 accept-token +5000",
      .asked = "accept:a1 accept:a1",
      .slots = 1 },
    { .name = "a ban of ours is not the challenge's end",
      .script = "a1 accept-banned +5000",
      .asked = "accept:a1 accept:a1",
      .slots = 1 },
    { .name = "a limit is not the challenge's end",
      .script = "a1 accept-limited +4999",
      .asked = "accept:a1",
      .waiting = 1 },
    { .name = "the day's limit of games between bots is",
      .script = "a1 accept-spent +60000",
      .asked = "accept:a1 decline:a1" },
    { .name = "a granted challenge without a game loses its slot after ten seconds",
      .script = "one-slot a1 granted b1 +9999",
      .asked = "accept:a1",
      .waiting = 1,
      .slots = 1 },
    { .name = "to the next one",
      .script = "one-slot a1 granted b1 +9999 +1",
      .asked = "accept:a1 accept:b1",
      .slots = 1 },
    { .name = "whoever has waited for long may have left",
      .script = BUSY "b1 +21000 a1-ends",
      .asked = "accept:a1 challenges",
      .waiting = 1 },
    { .name = "whoever has not left is accepted",
      .script = BUSY "b1 +21000 a1-ends b1-seen",
      .asked = "accept:a1 challenges accept:b1",
      .slots = 1 },
    { .name = "whoever has left is not",
      .script = BUSY "b1 +21000 a1-ends sees-nobody",
      .asked = "accept:a1 challenges",
      .waiting = 1 },
    { .name = "but may come back",
      .script = BUSY "b1 +21000 a1-ends sees-nobody +15000 b1-seen",
      .asked = "accept:a1 challenges challenges accept:b1",
      .slots = 1 },
    { .name = "others go on when the list is late",
      .script = BUSY "b1 +15000 c1 +6000 a1-ends +1999 +1",
      .asked = "accept:a1 challenges accept:c1",
      .waiting = 1,
      .slots = 1 },
    { .name = "a list that is lost is asked for again",
      .script = BUSY "b1 +21000 a1-ends list-lost +5000",
      .asked = "accept:a1 challenges challenges",
      .waiting = 1 },
    { .name = "lost twice, nobody is doubted",
      .script = BUSY "b1 +21000 a1-ends list-lost +5000 list-lost",
      .asked = "accept:a1 challenges challenges accept:b1",
      .slots = 1 },
    { .name = "nor without the scope",
      .script = BUSY "b1 +21000 a1-ends list-denied",
      .asked = "accept:a1 challenges accept:b1",
      .slots = 1 },
    { .name = "what no event told is found",
      .script = "opened +20000 a1-seen",
      .asked = "challenges accept:a1",
      .slots = 1 },
    { .name = "and looked for every three minutes",
      .script = "opened +20000 sees-nobody +179999 +1",
      .asked = "challenges challenges" },
    { .name = "what was refused is not found again",
      .script = "drain a1 resume opened +20000 a1-seen",
      .asked = "decline:a1 challenges" },
    { .name = "unless the refusal never left",
      .script = "drain a1 unsent resume opened +20000 a1-seen",
      .asked = "decline:a1 challenges accept:a1",
      .slots = 1 },
    { .name = "a draining daemon accepts nobody", .script = "drain a1", .asked = "decline:a1" },
    { .name = "and sends away who waits",
      .script = BUSY "b1 drain a1-ends",
      .asked = "accept:a1 decline:b1" },
    { .name = "what it had begun to accept it accepts",
      .script = "a1 drain accept-lost +1000",
      .asked = "accept:a1 accept:a1",
      .slots = 1 },
    { .name = "under a limit it waits", .script = "limit a1", .asked = "", .waiting = 1 },
    { .name = "for the limit's end",
      .script = "limit a1 +60000 a1-seen",
      .asked = "challenges accept:a1",
      .slots = 1 },
    { .name = "under a limit nothing is refused", .script = "limit drain a1", .asked = "" },
};

TEST(each_challenge_is_accepted_kept_waiting_or_refused)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        PairingFixture *f = pairing_fixture_new(NULL);
        pairing_play(f, rows[i].script);
        if (strcmp(f->asked, rows[i].asked) != 0 || f->slots.waiting.count != rows[i].waiting ||
            slots_used(&f->slots, SLOTS_REALTIME) != rows[i].slots)
            fail_msg("%s: asked \"%s\", %d wait, %d slots", rows[i].name, f->asked,
                     f->slots.waiting.count, slots_used(&f->slots, SLOTS_REALTIME));
        pairing_fixture_free(f);
    }
}

TEST(a_server_without_a_list_of_challenges_is_not_asked_for_it)
{
    static const Row unseen[] = {
        { .name = "nor looked at for what no event told",
          .script = "opened +20000 +180000",
          .asked = "" },
        { .name = "whoever has waited for long is accepted unseen",
          .script = BUSY "b1 +21000 a1-ends",
          .asked = "accept:a1 accept:b1",
          .slots = 1 },
    };
    for (size_t i = 0; i < sizeof unseen / sizeof *unseen; i++) {
        PairingFixture *f = pairing_fixture_new("[account]\nserver = pychess\n");
        pairing_play(f, unseen[i].script);
        if (strcmp(f->asked, unseen[i].asked) != 0 ||
            slots_used(&f->slots, SLOTS_REALTIME) != unseen[i].slots)
            fail_msg("%s: asked \"%s\"", unseen[i].name, f->asked);
        pairing_fixture_free(f);
    }
}

/* Accounts of ten days at least. */
TEST(accounts_are_asked_for_where_they_count)
{
    static const struct {
        const char *name, *script, *asked;
    } cases[] = {
        { "asked for", "a1", "profile" },
        { "old enough", "a1 known", "profile accept:a1" },
        { "too young", "a1 young", "profile decline:a1" },
        { "not told: no reason to refuse", "a1 unknown-user", "profile accept:a1" },
        { "late: the same", "a1 +4999 +1", "profile accept:a1" },
        { "asked for once", "a1 a2 known", "profile accept:a2" },
        { "known for an hour", "a1 young +3599000 a2", "profile decline:a1 decline:a2" },
        { "but not for longer", "a1 young +3600000 a2", "profile decline:a1 profile" },
        { "withdrawn meanwhile", "a1 a1-leaves known", "profile" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        PairingFixture *f = pairing_fixture_new("[challenge]\nmin_account_days = 10\n");
        pairing_play(f, cases[i].script);
        if (strcmp(f->asked, cases[i].asked) != 0)
            fail_msg("%s: asked \"%s\"", cases[i].name, f->asked);
        pairing_fixture_free(f);
    }
}

TEST(a_bots_biography_is_asked_for_where_a_rule_turns_on_it)
{
    static const struct {
        const char *name, *rule, *script, *asked;
    } cases[] = {
        { "a clone", "when.engine = stockfish*", "x1 clone", "profile decline:x1" },
        { "says nothing of it", "when.engine = stockfish*", "x1 known", "profile accept:x1" },
        { "no answer in time", "when.engine = stockfish*", "x1 +4999 +1", "profile accept:x1" },
        { "remembered", "when.engine = stockfish*", "x1 clone x2",
          "profile decline:x1 decline:x2" },
        { "not asked again", "when.engine = stockfish*", "x1 known x1-leaves x2",
          "profile accept:x1 accept:x2" },
        { "a person", "when.engine = stockfish*", "a1", "accept:a1" },
        { "the rule is of other games", "when.engine = stockfish*\nwhen.speed = bullet", "x1",
          "accept:x1" },
        { "no such rule", "when.speed = bullet", "x1", "accept:x1" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char config[200];
        assert_true(snprintf(config, sizeof config, "[rule clones]\n%s\nchallenge.accept = no\n",
                             cases[i].rule) > 0);
        PairingFixture *f = pairing_fixture_new(config);
        pairing_play(f, cases[i].script);
        if (strcmp(f->asked, cases[i].asked) != 0)
            fail_msg("%s: asked \"%s\"", cases[i].name, f->asked);
        pairing_fixture_free(f);
    }
}

TEST(a_game_that_does_not_begin_is_looked_for)
{
    PairingFixture *f = pairing_fixture_new(NULL);
    pairing_play(f, "a1 granted +3999");
    assert_int_equal(f->looks, 0);
    pairing_play(f, "+1");
    assert_int_equal(f->looks, 1);
    pairing_fixture_free(f);
}

TEST(the_queue_has_an_end)
{
    PairingFixture *f = pairing_fixture_new(NULL);
    pairing_play(f, BUSY);
    for (int i = 0; i < SLOTS_WAITING_MAX; i++)
        pairing_challenge(f, "bcdefghijklmnopqrstuvwxyABCDEFGHIJ"[i], '1');
    assert_int_equal(f->slots.waiting.count, SLOTS_WAITING_MAX);
    f->asked[0] = '\0';
    pairing_play(f, "z1");
    assert_string_equal(f->asked, "decline:z1");
    pairing_fixture_free(f);
}
