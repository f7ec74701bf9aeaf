/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/policy/rules.h"
#include "bot/config/config.h"
#include "bot/config/schema.h"
#include "tests/support/unit.h"

/* Reads a configuration that must be right. */
static void parse(Config *config, const char *text)
{
    Buf problems;
    buf_init(&problems, CONFIG_PROBLEMS_MAX);
    if (!config_parse(config, "c", text, strlen(text), &problems))
        fail_msg("%s", buf_view(&problems));
    buf_release(&problems);
}

static GameFacts usual_facts(void)
{
    return (GameFacts){
        .variant = VARIANT_STANDARD,
        .speed = SPEED_BLITZ,
        .time = { .kind = TIME_CLOCK, .base_s = 180, .increment_s = 2 },
        .colour = BLACK,
        .kind = KIND_HUMAN,
        .opponent = { .id = "alba", .title = "FM", .rating = 1800 },
        .our_rating = 2000,
    };
}

TEST(each_condition_asks_its_own_question)
{
    static const struct {
        const char *condition;
        bool holds; /* for the usual facts */
    } rows[] = {
        { "when.speed = blitz", true },
        { "when.speed = bullet, rapid", false },
        { "when.clock = 1+0, 3+2", true },
        { "when.clock = 3+0, 2+3", false },
        { "when.clock = 3+0..5+3", true },
        { "when.clock = 2 days", false },
        { "when.clock = 2 days, 3+2", true },
        { "when.clock = 3+3..5+5", false },
        { "when.clock = 0.5+0..3+1", false },
        { "when.variant = standard", true },
        { "when.variant = atomic, chess960", false },
        { "when.position = 8/8/8/4k3/8/8/8/4K3", false },
        { "when.colour = black", true },
        { "when.colour = white", false },
        { "when.kind = human", true },
        { "when.kind = bot", false },
        { "when.title = GM, FM", true },
        { "when.title = none, BOT", false },
        { "when.opponent = bert, Alba", true },
        { "when.opponent = bert", false },
        { "when.rating = 1500..1800", true },
        { "when.rating = 1801..", false },
        { "when.rating = ..1799", false },
        { "when.rating_difference = -200..50", true },
        { "when.rating_difference = -199..", false },
        { "when.rating_difference = ..-201", false },
        { "when.rating_difference = -200", true },
        { "when.provisional = no", true },
        { "when.provisional = yes", false },
        { "when.rated = no", true },
        { "when.rated = yes, no", true },
        { "when.rated = yes", false },
        { "when.tournament = no", true },
        { "when.tournament = yes", false },
        { "when.rematch = no", true },
        { "when.rematch = yes", false },
        { "when.speed = blitz\nwhen.rating = 1800\nwhen.title = FM", true },
        { "when.speed = blitz\nwhen.rating = 1800\nwhen.title = GM", false }, /* all must hold */
        { "", true },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[300];
        Config config;
        GameFacts facts = usual_facts();
        assert_true(snprintf(text, sizeof text, "[rule r]\n%s\n", rows[i].condition) > 0);
        parse(&config, text);
        if ((rule_fails(&config.rules[0], &facts) == WHEN_COUNT) != rows[i].holds)
            fail_msg("%s", rows[i].condition);
        config_release(&config);
    }
}

TEST(the_condition_that_fails_is_named)
{
    Config config;
    GameFacts facts = usual_facts();
    parse(&config, "[rule r]\nwhen.speed = blitz\nwhen.rated = yes\n");
    assert_int_equal(rule_fails(&config.rules[0], &facts), WHEN_RATED);
    assert_string_equal(rule_condition(WHEN_RATED)->name, "rated");
    config_release(&config);
}

TEST(what_is_not_known_does_not_hold)
{
    Config config;
    parse(&config, "[rule a]\nwhen.colour = white, black\n[rule b]\nwhen.clock = 0+0..60+60\n"
                   "[rule c]\nwhen.opponent = alba\n[rule d]\nwhen.title = none, GM, BOT\n"
                   "[rule e]\nwhen.rating_difference = -5000..5000\n");
    GameFacts facts = usual_facts();
    facts.colour = COLOUR_NONE;
    facts.time = (TimeControl){ .kind = TIME_CORRESPONDENCE, .days = 2 };
    facts.opponent = (Player){ .title = "XYZ" };
    for (size_t i = 0; i < config.rule_count; i++)
        assert_int_not_equal(rule_fails(&config.rules[i], &facts), WHEN_COUNT);
    config_release(&config);
}

TEST(who_is_not_registered_has_a_rating_of_0)
{
    Config config;
    parse(&config, "[rule guests]\nwhen.rating = 0\n");
    GameFacts facts = usual_facts();
    assert_int_equal(rule_fails(&config.rules[0], &facts), WHEN_RATING);
    facts.opponent = (Player){ .rating = 0 };
    assert_int_equal(rule_fails(&config.rules[0], &facts), WHEN_COUNT);
    config_release(&config);
}

TEST(a_position_is_compared_by_the_fields_that_were_given)
{
    static const char fen[] = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/R1BQKBNR w KQkq - 0 1";
    Config config;
    parse(&config, "[rule a]\nwhen.position = rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/R1BQKBNR\n"
                   "[rule b]\nwhen.position = rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/R1BQKBNR b\n"
                   "[rule c]\nwhen.position = rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/R1BQKBNR w KQkq\n"
                   "[rule d]\nwhen.position = rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/R1BQKBNR w KQ\n");
    GameFacts facts = usual_facts();
    facts.initial_fen = text_of(fen);
    assert_int_equal(rule_fails(&config.rules[0], &facts), WHEN_COUNT);
    assert_int_equal(rule_fails(&config.rules[1], &facts), WHEN_POSITION);
    assert_int_equal(rule_fails(&config.rules[2], &facts), WHEN_COUNT);
    assert_int_equal(rule_fails(&config.rules[3], &facts), WHEN_POSITION);
    facts.initial_fen = (Text){ 0 };
    assert_int_equal(rule_fails(&config.rules[0], &facts), WHEN_POSITION);
    config_release(&config);
}

TEST(a_later_match_overrides_an_earlier_one)
{
    Config config;
    GameSettings settings;
    RuleMatches matches;
    GameFacts facts = usual_facts();
    parse(&config, "[engine]\nnodes = 1\ndepth = 9\n"
                   "[rule one]\nwhen.speed = blitz\nengine.nodes = 2\nengine.movetime = 50\n"
                   "[rule no]\nwhen.speed = bullet\nengine.nodes = 3\n"
                   "[rule two]\nengine.nodes = 4\nchallenge.block = Bert\n");
    rules_apply(&config, &facts, &settings, &matches);
    assert_int_equal(matches.count, 2);
    assert_string_equal(matches.rules[0]->name, "one");
    assert_string_equal(matches.rules[1]->name, "two");
    assert_int_equal(matches.rules[1]->line, 11);
    assert_int_equal(settings.engine.nodes, 4);
    assert_int_equal(settings.engine.movetime_ms, 50);
    assert_int_equal(settings.engine.depth_plies, 9);
    assert_true(user_list_has(&settings.challenge.block, text_of("bert")));
    assert_int_equal(config.game.engine.nodes, 1);
    assert_int_equal(config.game.challenge.block.count, 0);
    config_release(&config);
}

/* Every key that a rule may set is set by it, whatever its kind. */
TEST(a_rule_can_set_every_key_that_may_differ)
{
    size_t count, tried = 0;
    const KeySpec *keys = schema_keys(&count);
    for (size_t i = 0; i < count; i++) {
        Rule rule = { .name = "r" };
        Config config, plain;
        Error err = { 0 };
        Buf value;
        char name[200];
        if (keys[i].scope != SCOPE_GAME)
            continue;
        config_init(&plain);
        memset(&config, 0, sizeof config);
        buf_init(&value, 10000);
        assert_true(key_write(&keys[i], key_at(&keys[i], &plain), &value));
        assert_true(snprintf(name, sizeof name, "%s.%s", keys[i].section, keys[i].name) > 0);
        if (!rule_set(&rule, 1, name, buf_view(&value), &err))
            fail_msg("%s", err.text);
        rule_apply(&rule, &config.game);
        buf_reset(&value);
        assert_true(key_write(&keys[i], key_at(&keys[i], &config), &value));
        assert_string_equal(buf_view(&value), keys[i].standard);
        rule_release(&rule);
        config_release(&plain);
        buf_release(&value);
        tried++;
    }
    assert_true(tried > 15);
}

static void read_event(Event *event, const char *line)
{
    Error err = { 0 };
    if (!event_parse(event, line, strlen(line), &err))
        fail_msg("%s", err.text);
}

TEST(a_challenge_and_its_game_have_the_same_facts)
{
    Event challenge, full;
    read_event(
        &challenge,
        "{\"type\":\"challenge\",\"challenge\":{\"id\":\"a\",\"challenger\":{\"id\":\"alba\","
        "\"name\":\"Alba\",\"title\":\"BOT\",\"rating\":1800,\"provisional\":true},"
        "\"destUser\":{\"id\":\"we\",\"rating\":2000},\"variant\":{\"key\":\"chess960\"},"
        "\"rated\":true,\"speed\":\"rapid\",\"timeControl\":{\"type\":\"clock\","
        "\"limit\":600,\"increment\":5},\"color\":\"random\",\"finalColor\":\"white\","
        "\"initialFen\":\"x\"}}");
    read_event(&full, "{\"type\":\"gameFull\",\"id\":\"a\",\"variant\":{\"key\":\"chess960\"},"
                      "\"rated\":true,\"speed\":\"rapid\",\"clock\":{\"initial\":600000,"
                      "\"increment\":5000},\"white\":{\"id\":\"alba\",\"name\":\"Alba\","
                      "\"title\":\"BOT\",\"rating\":1800,\"provisional\":true},"
                      "\"black\":{\"id\":\"we\",\"rating\":2000},\"initialFen\":\"x\","
                      "\"state\":{\"moves\":\"\"}}");
    GameFacts a = facts_of_challenge(&challenge.challenge);
    GameFacts b = facts_of_game(&full.full, gamefull_colour_of(&full.full, "we"));
    assert_int_equal(a.variant, VARIANT_CHESS960);
    assert_int_equal(a.variant, b.variant);
    assert_int_equal(a.speed, SPEED_RAPID);
    assert_int_equal(a.speed, b.speed);
    assert_int_equal(a.time.kind, TIME_CLOCK);
    assert_int_equal(a.time.kind, b.time.kind);
    assert_int_equal(a.time.base_s, 600);
    assert_int_equal(a.time.base_s, b.time.base_s);
    assert_int_equal(a.time.increment_s, b.time.increment_s);
    assert_int_equal(a.colour, BLACK);
    assert_int_equal(a.colour, b.colour);
    assert_int_equal(a.kind, KIND_BOT);
    assert_int_equal(a.kind, b.kind);
    assert_true(a.rated && b.rated && a.opponent.provisional && b.opponent.provisional);
    assert_int_equal(a.our_rating, 2000);
    assert_int_equal(b.our_rating, 2000);
    assert_true(strcmp(a.opponent.id, b.opponent.id) == 0);
    assert_true(text_equals(a.initial_fen, b.initial_fen));
    event_release(&challenge);
    event_release(&full);
}
