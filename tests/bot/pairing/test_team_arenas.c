/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Arenas of the teams that the configuration names. */
#include "tests/support/arena_words.h"

static const char one_team[] = "[tournaments]\nteams = bots\n";
static const char two_teams[] = "[tournaments]\nteams = bots, others\n";

typedef struct {
    const char *name, *config, *script, *asked;
} Row;

static const Row rows[] = {
    { .name = "a team's list is read as soon as we are known",
      .config = one_team,
      .script = "settings due",
      .asked = "team" },
    { .name = "and again after ten minutes",
      .config = one_team,
      .script = "settings due team-read +599999 +1",
      .asked = "team team" },
    { .name = "what suits is joined",
      .config = one_team,
      .script = "settings due team-arena team-read soon joined",
      .asked = "team look join look" },
    { .name = "then the lists are read again soon",
      .config = one_team,
      .script = "settings due team-arena team-read +10000",
      .asked = "team look team" },
    { .name = "the lists are read one after the other",
      .config = two_teams,
      .script = "settings due team-read +1999 +1",
      .asked = "team team" },
    { .name = "one that cannot be read holds up no other",
      .config = two_teams,
      .script = "settings due team-lost +2000 team-arena team-read",
      .asked = "team team look" },
    { .name = "a list under way is read to its end, whatever is reloaded",
      .config = one_team,
      .script = "settings due settings settings team-arena team-read",
      .asked = "team look" },
    { .name = "and then once more",
      .config = one_team,
      .script = "settings due settings team-read +2000",
      .asked = "team team" },
    { .name = "nothing is looked for while we drain",
      .config = one_team,
      .script = "drain settings due +600000",
      .asked = "" },
    { .name = "nor joined",
      .config = one_team,
      .script = "settings due team-arena drain team-read",
      .asked = "team" },
    { .name = "draining ends",
      .config = one_team,
      .script = "drain settings due resume due",
      .asked = "team" },
    { .name = "without teams nothing is asked", .script = "settings due +600000", .asked = "" },
    { .name = "what admits no bots is not looked at for an hour",
      .config = one_team,
      .script = "settings due team-arena team-read no-bots +10000 team-arena team-read",
      .asked = "team look team" },
    { .name = "but then",
      .config = one_team,
      .script = "settings due team-arena team-read no-bots +3600000 team-arena team-read",
      .asked = "team look team look" },
    { .name = "what refuses us is let be",
      .config = one_team,
      .script = "settings due team-arena team-read soon join-condition "
                "+3600000 team-arena team-read",
      .asked = "team look join team" },
    { .name = "what was left by hand is let be",
      .config = one_team,
      .script = "settings due team-arena team-read soon joined soon-in leave due left "
                "+10000 team-arena team-read",
      .asked = "team look join look withdraw team" },
};

TEST(the_lists_of_teams_lead_to_requests)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        PairingFixture *f = pairing_fixture_new(rows[i].config);
        pairing_play(f, rows[i].script);
        if (strcmp(f->asked, rows[i].asked) != 0)
            fail_msg("%s: asked %s", rows[i].name, f->asked);
        pairing_fixture_free(f);
    }
}

/* The tournaments joined, by the last digit of their names. */
static void assert_wanted(const PairingFixture *f, const char *digits)
{
    char found[ARENAS_MAX + 1] = "";
    size_t count = 0;
    for (int i = 0; i < ARENAS_MAX; i++)
        if (f->pairing.arenas.entries[i].is_used)
            found[count++] = f->pairing.arenas.entries[i].spec.id[7];
    assert_string_equal(found, digits);
}

TEST(of_arenas_at_the_same_time_the_earliest_is_joined)
{
    PairingFixture *f = pairing_fixture_new(two_teams);
    pairing_play(f, "settings due team-arena team-read +2000 team-earlier team-read");
    assert_wanted(f, "2");
    pairing_play(f, "soon +10000 team-arena team-later team-read +2000 team-read");
    assert_wanted(f, "2"); /* it runs beside the first, and the last begins too late to be joined */
    f->config.tournaments.at_once = 2;
    pairing_play(f, "settings due team-arena team-later team-read +2000 team-read");
    assert_wanted(f, "21");
    pairing_fixture_free(f);
}

TEST(arenas_of_a_team_that_is_named_no_more_are_left)
{
    PairingFixture *f = pairing_fixture_new(one_team);
    pairing_play(f, "settings due team-arena team-read soon joined soon-in");
    assert_string_equal(facts_get(&f->facts, "arena/arena111", f->now.unix_ms), "team team=bots");
    f->config.tournaments.teams.count = 0;
    pairing_play(f, "settings left due");
    assert_string_equal(f->asked, "team look join look withdraw");
    assert_int_equal(f->open_count, 0);
    pairing_fixture_free(f);
}

TEST(a_list_under_way_of_other_teams_is_given_up)
{
    PairingFixture *f = pairing_fixture_new(one_team);
    pairing_play(f, "settings due team-arena");
    assert_true(text_copy(f->config.tournaments.teams.at[0], TEAM_ID_SIZE, text_of("others")));
    pairing_play(f, "settings");
    assert_int_equal(f->open_count, 0);
    pairing_play(f, "due team-read");
    assert_wanted(f, ""); /* what the other list had is forgotten */
    pairing_fixture_free(f);
}

TEST(what_the_rules_exclude_is_passed_over)
{
    PairingFixture *f = pairing_fixture_new("[tournaments]\nteams = bots\nminutes = 20..30\n");
    pairing_play(f, "settings due team-arena");
    assert_int_equal(f->todo.count, 1);
    assert_int_equal(f->todo.list[0].note.kind, PAIR_NOTE_ARENA_PASSED_OVER);
    assert_string_equal(f->todo.list[0].note.why, "its length");
    pairing_play(f, "team-read");
    assert_wanted(f, "");
    pairing_fixture_free(f);
}
