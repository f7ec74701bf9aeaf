/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every row of the table in matchmaker.h, and what is learnt of a challenge's end. Alba is the one
 * bot online. */
#include "engine/base/text_format.h"
#include "tests/support/pairing_fixture.h"

static const char config[] = "[matchmaking]\nplay = yes\nidle = 1\nclocks = 3+2\npairs = no\n"
                             "modes = casual\n";
static const char in_pairs[] = "[matchmaking]\nplay = yes\nidle = 1\nclocks = 3+2\npairs = yes\n"
                               "modes = casual\n";

/* Until the challenge is asked for, made, or over. */
#define ASKED "+1000 +1000 rated listed due somebody "
#define MADE ASKED "made "

typedef struct {
    const char *name, *script;
    Seeking seeking;
    const char *doing, *asked;
    int credits;                /* spent */
    bool has_declined, has_met; /* what is remembered of alba */
} Row;

static const Row rows[] = {
    { .name = "not idle for long", .script = "+1000", .doing = "not idle for long", .asked = "" },
    { .name = "our ratings come first",
      .script = "+1000 +1000",
      .seeking = SEEKING_ACCOUNT,
      .asked = "account" },
    { .name = "then who is online",
      .script = "+1000 +1000 rated",
      .seeking = SEEKING_LIST,
      .asked = "account online" },
    { .name = "the list is read in turns of the loop",
      .script = "+1000 +1000 rated listed",
      .seeking = SEEKING_READ,
      .asked = "account online" },
    { .name = "then who is free",
      .script = "+1000 +1000 rated listed due",
      .seeking = SEEKING_STATUS,
      .asked = "account online status" },
    { .name = "then we challenge",
      .script = ASKED,
      .seeking = SEEKING_CHALLENGE,
      .asked = "account online status create" },
    { .name = "without our ratings nothing is sought for a minute",
      .script = "+1000 +1000 unrated +1000",
      .doing = "our ratings are not known",
      .asked = "account" },
    { .name = "then they are asked for again",
      .script = "+1000 +1000 unrated +60000",
      .seeking = SEEKING_ACCOUNT,
      .asked = "account account" },
    { .name = "a list may be missing",
      .script = "+1000 +1000 rated unlisted +1000",
      .doing = "who is online is not known",
      .asked = "account online" },
    { .name = "nobody may be free",
      .script = "+1000 +1000 rated listed due nobody +1000",
      .doing = "no suitable bot is free",
      .asked = "account online status" },
    { .name = "who is free may be missing",
      .script = "+1000 +1000 rated listed due unknown +1000",
      .doing = "who is free is not known",
      .asked = "account online status" },
    { .name = "the list is good for half an hour",
      .script = "+1000 +1000 rated listed due nobody +60000",
      .seeking = SEEKING_STATUS,
      .asked = "account online status status" },
    { .name = "and read again after that",
      .script = "+1000 +1000 rated listed due nobody +1800000",
      .seeking = SEEKING_ACCOUNT,
      .asked = "account online status account" },
    { .name = "a game is remembered",
      .script = MADE "started +1000",
      .doing = "busy",
      .asked = "account online status create",
      .credits = 1,
      .has_met = true },
    { .name = "a declined challenge is remembered",
      .script = MADE "event-declined +1000",
      .doing = "between challenges",
      .asked = "account online status create",
      .credits = 1,
      .has_declined = true },
    { .name = "so is the server's refusal",
      .script = ASKED "refused +1000",
      .doing = "between challenges",
      .asked = "account online status create",
      .credits = 1,
      .has_declined = true },
    { .name = "so is no answer",
      .script = MADE "+60000 gone +1000",
      .doing = "between challenges",
      .asked = "account online status create cancel",
      .credits = 1,
      .has_declined = true },
    { .name = "a limit is ours: nothing is learnt, and no credit spent",
      .script = ASKED "limited +1000",
      .doing = "limited by the server",
      .asked = "account online status create" },
    { .name = "a lost request says nothing of the opponent",
      .script = ASKED "lost +1000",
      .doing = "the server did not answer",
      .asked = "account online status create",
      .credits = 1 },
    { .name = "neither does a refused token",
      .script = ASKED "unauthorized +1000",
      .doing = "the server did not answer",
      .asked = "account online status create",
      .credits = 1 },
    { .name = "somebody else's game comes first: ours is withdrawn",
      .script = MADE "busy +1000",
      .seeking = SEEKING_CHALLENGE,
      .asked = "account online status create cancel" },
    { .name = "and the opponent had no time to answer",
      .script = MADE "busy +1000 gone +1000",
      .doing = "busy",
      .asked = "account online status create cancel",
      .credits = 1 },
    { .name = "nobody is sought while somebody plays",
      .script = "busy +1000 +60000",
      .doing = "busy",
      .asked = "" },
    { .name = "and not at once afterwards",
      .script = "busy +1000 +60000 free +1000",
      .doing = "not idle for long",
      .asked = "" },
    { .name = "a draining daemon seeks nobody",
      .script = "drain +1000 +1000",
      .doing = "draining",
      .asked = "" },
    { .name = "nor one whose event stream is closed",
      .script = "offline +1000 +1000",
      .doing = "offline",
      .asked = "" },
    { .name = "nor one that has plans",
      .script = "plan +1000 +1000",
      .doing = "a scheduled game is near",
      .asked = "" },
};

static void check_row(const Row *row, const PairingFixture *f)
{
    const Matchmaker *matchmaker = &f->pairing.matchmaker;
    MatchmakerStatus status = matchmaker_status(matchmaker, &f->config, f->now.unix_ms);
    const char *doing = row->doing ? row->doing : "looking for a game";
    bool has_declined = false;
    for (size_t i = 0; i < f->facts.count; i++)
        has_declined |= strncmp(f->facts.list[i].key, "declined/alba", 13) == 0;
    bool has_met = facts_get(&f->facts, "met/alba", f->now.unix_ms) != NULL;
    if (matchmaker->seeking != row->seeking || strcmp(status.doing, doing) != 0 ||
        strcmp(f->asked, row->asked) != 0 || status.credits_today != row->credits ||
        has_declined != row->has_declined || has_met != row->has_met)
        fail_msg("%s: state %d, \"%s\", asked \"%s\", %d credits, declined %d, met %d", row->name,
                 matchmaker->seeking, status.doing, f->asked, status.credits_today, has_declined,
                 has_met);
}

TEST(each_event_leads_to_its_state)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        PairingFixture *f = pairing_fixture_new(config);
        pairing_play(f, rows[i].script);
        check_row(&rows[i], f);
        pairing_fixture_free(f);
    }
}

TEST(others_may_be_sought_while_a_game_is_on)
{
    PairingFixture *f = pairing_fixture_new(
        "[matchmaking]\nplay = yes\nidle = 1\nclocks = 3+2\npairs = no\nduring_games = 1\n");
    pairing_play(f, "busy +1000 +1000 rated listed due");
    assert_string_equal(f->asked, "account online status");
    pairing_fixture_free(f);
}

TEST(none_are_sought_without_a_core_for_one_more)
{
    PairingFixture *f = pairing_fixture_new(
        "[matchmaking]\nplay = yes\nidle = 1\nclocks = 3+2\npairs = no\nduring_games = 3\n");
    f->view.cores = 1;
    pairing_play(f, "busy +1000 +1000");
    assert_string_equal(f->asked, "");
    assert_string_equal(f->pairing.matchmaker.why, "busy");
    f->view.cores = 2;
    pairing_play(f, "+1000 +1000");
    assert_string_equal(f->asked, "account");
    pairing_fixture_free(f);
}

TEST(a_clone_is_known_as_soon_as_its_biography_is_read)
{
    static const char body[] = "{\"id\":\"alba\",\"profile\":{\"bio\":\"Runs Stockfish 17\"},"
                               "\"perfs\":{\"blitz\":{\"rating\":2000}}}\n";
    PairingFixture *f =
        pairing_fixture_new("[matchmaking]\nplay = yes\nidle = 1\navoid_engines = stockfish*\n");
    pairing_play(f, "+1000 +1000 rated");
    pairing_answer(f, PAIR_ASK_ONLINE_BOTS,
                   (ApiAnswer){ .outcome = API_OK, .status = 200, .body = text_of(body) });
    pairing_play(f, "due +1000");
    assert_string_equal(f->asked, "account online");
    assert_string_equal(f->pairing.matchmaker.why, "nobody suits");
    assert_string_equal(facts_get(&f->facts, "runs/alba", f->now.unix_ms), "stockfish 17");
    pairing_fixture_free(f);
}

TEST(how_often_we_have_played_a_bot_is_remembered)
{
    PairingFixture *f = pairing_fixture_new(config);
    GameInfo info = { .id = "game1111", .opponent = { .id = "alba", .title = "BOT" } };
    for (int i = 0; i < 3; i++)
        pairing_feed(f, &(PairInput){ .kind = PAIR_ON_GAME_STARTED, .game = { &info, true } });
    assert_string_equal(facts_get(&f->facts, "games/alba", f->now.unix_ms), "3");
    pairing_fixture_free(f);
}

TEST(nobody_is_challenged_by_default)
{
    PairingFixture *f = pairing_fixture_new(NULL);
    pairing_play(f, "+1000 +3600000");
    assert_string_equal(f->asked, "");
    assert_string_equal(f->pairing.matchmaker.why, "off");
    pairing_fixture_free(f);
}

TEST(who_has_declined_is_not_asked_again_even_by_another_process)
{
    PairingFixture *f = pairing_fixture_new(config);
    pairing_play(f, MADE "event-declined");
    pairing_restart(f);
    f->asked[0] = '\0';
    pairing_play(f, "+1000 +1000 rated listed due +1000");
    assert_string_equal(f->asked, "account online");
    assert_string_equal(f->pairing.matchmaker.why, "nobody suits");
    pairing_fixture_free(f);
}

TEST(a_bot_that_we_have_played_is_left_alone_for_the_time_that_is_set)
{
    static const struct {
        const char *more;
        int seconds;
    } cases[] = { { "", 21600 }, { "rematch_cooldown = 90\n", 90 } };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[200];
        text_format(text, sizeof text, "%s%s", config, cases[i].more);
        PairingFixture *f = pairing_fixture_new(text);
        pairing_play(f, MADE "started");
        int64_t until_ms = f->now.unix_ms + cases[i].seconds * 1000;
        assert_non_null(facts_get(&f->facts, "met/alba", until_ms - 1));
        assert_null(facts_get(&f->facts, "met/alba", until_ms));
        pairing_fixture_free(f);
    }
}

TEST(a_pair_is_finished_with_the_colours_changed_over_and_no_third_game)
{
    for (int process = 0; process < 2; process++) {
        PairingFixture *f = pairing_fixture_new(in_pairs);
        pairing_play(f, MADE);
        Colour first = f->pairing.matchmaker.colour;
        pairing_play(f, "started over");
        if (process == 1)
            pairing_restart(f);
        f->asked[0] = '\0';
        pairing_play(f, "+5000 +1000");
        assert_string_equal(f->asked, "create");
        assert_int_not_equal(f->pairing.outgoing.entries[0].request.colour, first);
        pairing_play(f, "event-declined made +5000");
        assert_false(f->pairing.matchmaker.owes_second);
        assert_null(facts_get(&f->facts, "pair", f->now.unix_ms));
        pairing_fixture_free(f);
    }
}

TEST(a_pair_that_gave_way_is_finished_afterwards)
{
    PairingFixture *f = pairing_fixture_new(in_pairs);
    pairing_play(f, MADE "started over +5000 +1000 busy +1000");
    assert_true(f->pairing.matchmaker.owes_second);
    assert_int_equal(f->pairing.outgoing.entries[0].state, OUTGOING_WITHDRAWN);
    pairing_fixture_free(f);
}

TEST(games_with_bots_are_counted_once)
{
    static const struct {
        const char *title;
        bool has_moved, is_new;
        int games;
    } cases[] = { { "BOT", false, true, 1 },
                  { "BOT", true, true, 0 },
                  { "GM", false, true, 0 },
                  { "BOT", false, false, 0 } };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        PairingFixture *f = pairing_fixture_new(config);
        GameInfo info = { .id = "game1111", .has_moved = cases[i].has_moved };
        text_copy(info.opponent.title, sizeof info.opponent.title, text_of(cases[i].title));
        pairing_feed(
            f, &(PairInput){ .kind = PAIR_ON_GAME_STARTED, .game = { &info, cases[i].is_new } });
        pairing_restart(f);
        MatchmakerStatus status =
            matchmaker_status(&f->pairing.matchmaker, &f->config, f->now.unix_ms);
        assert_int_equal(status.games_today, cases[i].games);
        pairing_fixture_free(f);
    }
}

TEST(facts_that_were_read_late_come_on_top)
{
    PairingFixture *f = pairing_fixture_new(config);
    Facts stored;
    char text[64];
    facts_init(&stored);
    assert_true(snprintf(text, sizeof text, "%lld:7", (long long)(f->now.unix_ms / 3600000)) > 0);
    assert_true(facts_put(&stored, "day/credits", text, INT64_MAX, NULL));
    pairing_play(f, MADE "event-declined");
    pairing_feed(f, &(PairInput){ .kind = PAIR_ON_LATE_FACTS, .facts = &stored });
    assert_int_equal(
        matchmaker_status(&f->pairing.matchmaker, &f->config, f->now.unix_ms).credits_today, 8);
    facts_release(&stored);
    pairing_fixture_free(f);
}
