/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What becomes of a match of two games that is planned for in a minute. */
#include "tests/support/pairing_fixture.h"

typedef struct {
    const char *name, *script;
    const char *asked;   /* of the server */
    int games;           /* still to be asked for; 0: the match is not planned any more */
    const char *playing; /* NULL: no game of it goes on */
} Row;

static const Row rows[] = {
    { .name = "it waits for its time", .script = "plan +59000", .asked = "", .games = 2 },
    { .name = "at its time it is asked for",
      .script = "plan +60000",
      .asked = "create",
      .games = 2 },
    { .name = "it is asked for once",
      .script = "plan +60000 +1000 +1000 +30000",
      .asked = "create",
      .games = 2 },
    { .name = "a game of it begins",
      .script = "plan +60000 made started",
      .asked = "create",
      .games = 1,
      .playing = "ours1111" },
    { .name = "the next one waits for its end",
      .script = "plan +60000 made started +60000 +60000",
      .asked = "create",
      .games = 1,
      .playing = "ours1111" },
    { .name = "and for the stream, which may not have told of it",
      .script = "plan +60000 made started offline over +60000",
      .asked = "create",
      .games = 1,
      .playing = "ours1111" },
    { .name = "then it begins soon",
      .script = "plan +60000 made started over +1000 +2000",
      .asked = "create",
      .games = 1 },
    { .name = "the next game is asked for",
      .script = "plan +60000 made started over +1000 +3000",
      .asked = "create create",
      .games = 1 },
    { .name = "a limit puts it off",
      .script = "plan +60000 limited +119000",
      .asked = "create",
      .games = 2 },
    { .name = "for as long as the server said",
      .script = "plan +60000 limited +119000 +1000",
      .asked = "create create",
      .games = 2 },
    { .name = "a limit may last longer than its grace",
      .script = "plan +60000 limited +899000 +1000",
      .asked = "create create",
      .games = 2 },
    { .name = "a refusal ends it", .script = "plan +60000 refused", .asked = "create" },
    { .name = "a declined challenge ends it",
      .script = "plan +60000 made event-declined",
      .asked = "create" },
    { .name = "a refused token does not end it",
      .script = "plan +60000 unauthorized +59000",
      .asked = "create",
      .games = 2 },
    { .name = "a lost request is sent again after a minute",
      .script = "plan +60000 lost +59000 +1000",
      .asked = "create create",
      .games = 2 },
    { .name = "a proxy's error too",
      .script = "plan +60000 broken +59000 +1000",
      .asked = "create create",
      .games = 2 },
    { .name = "so is one that nobody answers",
      .script = "plan +60000 made +60000 gone +59000 +1000",
      .asked = "create cancel create",
      .games = 2 },
    { .name = "after a quarter of an hour its time is past",
      .script = "plan +961000",
      .asked = "" },
    { .name = "before that it is not", .script = "plan +960000", .asked = "create", .games = 2 },
    { .name = "without the event stream it waits",
      .script = "plan offline +60000",
      .asked = "",
      .games = 2 },
    { .name = "and goes on with it",
      .script = "plan offline +60000 online +1000",
      .asked = "create",
      .games = 2 },
    { .name = "without a slot it waits half a minute",
      .script = "plan +59000 order order +1000 refused +29000",
      .asked = "create create",
      .games = 2 },
    { .name = "and is asked for then",
      .script = "plan +59000 order order +1000 refused +29000 +1000",
      .asked = "create create create",
      .games = 2 },
    { .name = "a draining daemon asks for nothing",
      .script = "plan drain +60000",
      .asked = "",
      .games = 2 },
    { .name = "it can be dropped", .script = "plan drop +60000", .asked = "" },
    { .name = "also while it is asked for: it is withdrawn",
      .script = "plan +60000 made drop",
      .asked = "create cancel",
      .games = 2 },
    { .name = "and then over", .script = "plan +60000 made drop gone", .asked = "create cancel" },
    { .name = "also before the server has made it",
      .script = "plan +60000 drop made",
      .asked = "create cancel",
      .games = 2 },
};

TEST(each_match_is_played_dropped_or_asked_for_again)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        PairingFixture *f = pairing_fixture_new(NULL);
        pairing_play(f, rows[i].script);
        const ScheduledMatch *match = &f->pairing.schedule.entries[0].match;
        const char *playing = rows[i].playing ? rows[i].playing : "";
        if (strcmp(f->asked, rows[i].asked) != 0 || match->games != rows[i].games ||
            strcmp(match->playing, playing) != 0 || (match->number != 0) != (rows[i].games > 0))
            fail_msg("%s: asked \"%s\", %d games left, playing \"%s\"", rows[i].name, f->asked,
                     match->games, match->playing);
        pairing_fixture_free(f);
    }
}

/* Each row again, but another process knows what this one has remembered. */
TEST(what_is_planned_outlives_the_process)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        PairingFixture *f = pairing_fixture_new(NULL);
        pairing_play(f, rows[i].script);
        pairing_restart(f);
        const ScheduledMatch *match = &f->pairing.schedule.entries[0].match;
        const char *playing = rows[i].playing ? rows[i].playing : "";
        if (match->games != rows[i].games || strcmp(match->playing, playing) != 0)
            fail_msg("%s: %d games left, playing \"%s\"", rows[i].name, match->games,
                     match->playing);
        pairing_fixture_free(f);
    }
}

TEST(colours_change_from_game_to_game)
{
    PairingFixture *f = pairing_fixture_new(NULL);
    const ScheduledMatch *match = &f->pairing.schedule.entries[0].match;
    pairing_play(f, "plan");
    assert_int_equal(match->request.colour, WHITE);
    pairing_play(f, "+60000 made started");
    assert_int_equal(match->request.colour, BLACK);
    pairing_fixture_free(f);
}

TEST(a_match_is_near_for_ten_minutes)
{
    PairingFixture *f = pairing_fixture_new(NULL);
    const Schedule *schedule = &f->pairing.schedule;
    pairing_play(f, "plan");
    int64_t at_ms = f->now.unix_ms + 60000;
    assert_false(schedule_is_near(schedule, at_ms - 601000));
    assert_true(schedule_is_near(schedule, at_ms - 600000));
    pairing_fixture_free(f);
}

TEST(matches_that_were_read_late_get_free_numbers)
{
    PairingFixture *f = pairing_fixture_new(NULL);
    Facts stored;
    facts_init(&stored);
    assert_true(
        facts_put(&stored, "scheduled/1", "1704070800 3 - bo 5+0 rated standard", INT64_MAX, NULL));
    pairing_play(f, "plan");
    pairing_feed(f, &(PairInput){ .kind = PAIR_ON_LATE_FACTS, .facts = &stored });
    assert_string_equal(f->pairing.schedule.entries[0].match.request.opponent, "alba");
    assert_string_equal(f->pairing.schedule.entries[1].match.request.opponent, "bo");
    assert_int_equal(f->pairing.schedule.entries[1].match.games, 3);
    assert_non_null(facts_get(&f->facts, "scheduled/2", f->now.unix_ms));
    facts_release(&stored);
    pairing_fixture_free(f);
}

TEST(sixteen_matches_are_the_most)
{
    PairingFixture *f = pairing_fixture_new(NULL);
    for (int number = 1; number <= SCHEDULE_MAX; number++) {
        pairing_play(f, "plan");
        assert_int_equal(f->todo.match_number, number);
    }
    pairing_play(f, "plan");
    assert_string_equal(f->todo.refusal.text, "16 are scheduled already");
    pairing_play(f, "drop plan");
    assert_int_equal(f->todo.match_number, 1);
    pairing_fixture_free(f);
}
