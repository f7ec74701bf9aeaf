/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/policy/accept.h"
#include "bot/config/config.h"
#include "bot/config/schema.h"
#include "tests/support/unit.h"

/* A challenge as it comes, with the parts that a row changes; accepted unless the row says more. */
typedef struct {
    const char *name;
    const char *config; /* "section.key=value", blank-separated; NULL: the defaults */
    const char *challenger, *variant, *speed, *time, *fen; /* NULL: the usual */
    bool is_rated, is_not_for_bots;
    VerdictKind kind;
    DeclineReason reason;
} Row;

#define CLOCK(base, increment) "{\"type\":\"clock\",\"limit\":" base ",\"increment\":" increment "}"
#define HUMAN(rating) "{\"id\":\"alba\",\"name\":\"Alba\",\"rating\":" rating "}"
#define PROVISIONAL "{\"id\":\"alba\",\"name\":\"Alba\",\"rating\":1500,\"provisional\":true}"
#define BOT "{\"id\":\"robo\",\"name\":\"Robo\",\"title\":\"BOT\",\"rating\":2500}"
#define US "{\"id\":\"castled-bot\",\"name\":\"Castled-Bot\",\"title\":\"BOT\"}"

// clang-format off
static const Row rows[] = {
    { .name = "defaults take a blitz game" },
    { .name = "rated too", .is_rated = true },
    { .name = "from bots too", .challenger = BOT },
    { .name = "from anonymous players too", .challenger = "null" },
    { .name = "our own echo is not ours to answer", .challenger = US, .kind = VERDICT_IGNORE },

    { .name = "accept = no", .config = "challenge.accept=no", .kind = VERDICT_DECLINE, .reason = DECLINE_LATER },
    { .name = "blocked", .config = "challenge.block=bert,Alba", .kind = VERDICT_DECLINE, .reason = DECLINE_GENERIC },
    { .name = "others are blocked", .config = "challenge.block=bert" },
    { .name = "allowed", .config = "challenge.allow=alba" },
    { .name = "not among those allowed", .config = "challenge.allow=bert", .kind = VERDICT_DECLINE, .reason = DECLINE_GENERIC },
    { .name = "nobody is not among those allowed", .config = "challenge.allow=bert", .challenger = "null", .kind = VERDICT_DECLINE, .reason = DECLINE_GENERIC },
    { .name = "allowed and blocked is blocked", .config = "challenge.allow=alba challenge.block=alba", .kind = VERDICT_DECLINE, .reason = DECLINE_GENERIC },
    { .name = "no bots", .config = "challenge.opponents=human", .challenger = BOT, .kind = VERDICT_DECLINE, .reason = DECLINE_NO_BOT },
    { .name = "bots only", .config = "challenge.opponents=bot", .kind = VERDICT_DECLINE, .reason = DECLINE_ONLY_BOT },
    { .name = "strong enough", .config = "challenge.min_rating=1500", .challenger = HUMAN("1500") },
    { .name = "too weak", .config = "challenge.min_rating=1500", .challenger = HUMAN("1499"), .kind = VERDICT_DECLINE, .reason = DECLINE_GENERIC },
    { .name = "too strong", .config = "challenge.max_rating=1500", .challenger = HUMAN("1501"), .kind = VERDICT_DECLINE, .reason = DECLINE_GENERIC },
    { .name = "without a rating", .config = "challenge.min_rating=1", .challenger = "null", .kind = VERDICT_DECLINE, .reason = DECLINE_GENERIC },

    { .name = "chess960", .variant = "chess960" },
    { .name = "another variant", .variant = "atomic" },
    { .name = "a variant of tomorrow", .variant = "bughouse", .kind = VERDICT_DECLINE, .reason = DECLINE_VARIANT },
    { .name = "standard only", .config = "challenge.variants=standard", .variant = "chess960", .kind = VERDICT_DECLINE, .reason = DECLINE_STANDARD },
    { .name = "a sound position", .variant = "fromPosition", .fen = "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1" },
    { .name = "a position with its enemy in check", .variant = "fromPosition", .fen = "4k3/4Q3/8/8/8/8/8/4K3 w - - 0 1", .kind = VERDICT_DECLINE, .reason = DECLINE_VARIANT },
    { .name = "a position without a king", .variant = "fromPosition", .fen = "8/8/8/8/8/8/8/4K3 w - - 0 1", .kind = VERDICT_DECLINE, .reason = DECLINE_VARIANT },
    { .name = "no position at all", .variant = "fromPosition", .fen = "zzz", .kind = VERDICT_DECLINE, .reason = DECLINE_VARIANT },

    { .name = "faster than all that we play", .speed = "ultraBullet", .time = CLOCK("15", "0"), .kind = VERDICT_DECLINE, .reason = DECLINE_TOO_FAST },
    { .name = "faster than what is configured", .config = "challenge.speeds=rapid,classical", .kind = VERDICT_DECLINE, .reason = DECLINE_TOO_FAST },
    { .name = "slower than what is configured", .config = "challenge.speeds=bullet", .kind = VERDICT_DECLINE, .reason = DECLINE_TOO_SLOW },
    { .name = "between what is configured", .config = "challenge.speeds=bullet,rapid", .kind = VERDICT_DECLINE, .reason = DECLINE_TIME_CONTROL },
    { .name = "correspondence is slower than the defaults", .speed = "correspondence", .time = "{\"type\":\"correspondence\",\"daysPerTurn\":2}", .kind = VERDICT_DECLINE, .reason = DECLINE_TOO_SLOW },
    { .name = "unlimited is too", .speed = "correspondence", .time = "{\"type\":\"unlimited\"}", .kind = VERDICT_DECLINE, .reason = DECLINE_TOO_SLOW },
    { .name = "unlimited games where correspondence is wanted", .config = "challenge.speeds=correspondence", .speed = "correspondence", .time = "{\"type\":\"unlimited\"}", .kind = VERDICT_DECLINE, .reason = DECLINE_TOO_SLOW },
    { .name = "unlimited games where they are wanted", .config = "challenge.speeds=correspondence challenge.unlimited=yes", .speed = "correspondence", .time = "{\"type\":\"unlimited\"}" },
    { .name = "too few days", .config = "challenge.speeds=correspondence challenge.min_days=3", .speed = "correspondence", .time = "{\"type\":\"correspondence\",\"daysPerTurn\":2}", .kind = VERDICT_DECLINE, .reason = DECLINE_TOO_FAST },
    { .name = "too many days", .config = "challenge.speeds=correspondence challenge.max_days=1", .speed = "correspondence", .time = "{\"type\":\"correspondence\",\"daysPerTurn\":2}", .kind = VERDICT_DECLINE, .reason = DECLINE_TOO_SLOW },
    { .name = "correspondence where it is wanted", .config = "challenge.speeds=correspondence", .speed = "correspondence", .time = "{\"type\":\"correspondence\",\"daysPerTurn\":2}" },
    { .name = "a speed of tomorrow", .speed = "hyper", .kind = VERDICT_DECLINE, .reason = DECLINE_TIME_CONTROL },
    { .name = "a clock of tomorrow", .time = "{\"type\":\"hourglass\"}", .kind = VERDICT_DECLINE, .reason = DECLINE_TIME_CONTROL },
    { .name = "base too short", .config = "challenge.min_base=301", .kind = VERDICT_DECLINE, .reason = DECLINE_TOO_FAST },
    { .name = "base too long", .config = "challenge.max_base=299", .kind = VERDICT_DECLINE, .reason = DECLINE_TOO_SLOW },
    { .name = "base just right", .config = "challenge.min_base=300 challenge.max_base=300" },
    { .name = "increment too small", .config = "challenge.min_increment=4", .kind = VERDICT_DECLINE, .reason = DECLINE_TOO_FAST },
    { .name = "estimated to be over in time", .config = "challenge.max_duration=14" },
    { .name = "estimated to take too long", .config = "challenge.max_duration=13", .kind = VERDICT_DECLINE, .reason = DECLINE_TOO_SLOW },
    { .name = "increment too large", .config = "challenge.max_increment=2", .kind = VERDICT_DECLINE, .reason = DECLINE_TOO_SLOW },

    { .name = "casual only", .config = "challenge.modes=casual", .is_rated = true, .kind = VERDICT_DECLINE, .reason = DECLINE_CASUAL },
    { .name = "rated only", .config = "challenge.modes=rated", .kind = VERDICT_DECLINE, .reason = DECLINE_RATED },
    { .name = "what the server refuses to bots", .is_not_for_bots = true, .kind = VERDICT_DECLINE, .reason = DECLINE_GENERIC },
    { .name = "near enough", .config = "challenge.rating_difference=200", .challenger = HUMAN("1800") },
    { .name = "too far below", .config = "challenge.rating_difference=200", .challenger = HUMAN("1799"), .kind = VERDICT_DECLINE, .reason = DECLINE_GENERIC },
    { .name = "too far above", .config = "challenge.rating_difference=200", .challenger = HUMAN("2201"), .kind = VERDICT_DECLINE, .reason = DECLINE_GENERIC },
    { .name = "nobody's rating is far from ours", .config = "challenge.rating_difference=200", .challenger = "null", .kind = VERDICT_DECLINE, .reason = DECLINE_GENERIC },
    { .name = "a provisional rating", .challenger = PROVISIONAL },
    { .name = "a provisional rating that is not wanted", .config = "challenge.provisional=no", .challenger = PROVISIONAL, .kind = VERDICT_DECLINE, .reason = DECLINE_GENERIC },
    { .name = "who it is comes before accept = no", .config = "challenge.accept=no challenge.opponents=human", .challenger = BOT, .kind = VERDICT_DECLINE, .reason = DECLINE_NO_BOT },
    { .name = "what can't be helped is said first", .config = "challenge.opponents=human challenge.modes=casual", .challenger = BOT, .variant = "atomic", .is_rated = true, .kind = VERDICT_DECLINE, .reason = DECLINE_NO_BOT },
};
// clang-format on

/* Applies the rules, then decides. */
static Verdict decide(const Challenge *challenge, const Config *config, const char *our_id,
                      const ChallengerFacts *challenger)
{
    static const ChallengerFacts stranger = { 0 };
    GameFacts facts = facts_of_challenge(challenge);
    GameSettings settings;
    rules_apply(config, &facts, &settings, NULL);
    return accept_decide(challenge, config, &settings, our_id, challenger ? challenger : &stranger);
}

static void configure(Config *config, const char *settings)
{
    config_init(config);
    char text[200] = "";
    if (settings)
        memcpy(text, settings, strlen(settings) + 1);
    char *rest = text;
    for (char *word = strsep(&rest, " "); word && *word; word = strsep(&rest, " ")) {
        char *dot = strchr(word, '.'), *equals = strchr(word, '=');
        *dot = *equals = '\0';
        const KeySpec *key = schema_find(word, dot + 1);
        assert_non_null(key);
        assert_true(key_set(key, config, equals + 1, NULL));
    }
}

static void read_challenge(Event *event, const Row *row)
{
    char line[2000];
    int len = snprintf(
        line, sizeof line,
        "{\"type\":\"challenge\",\"challenge\":{\"id\":\"Qw8rTy2u\",\"status\":\"created\","
        "\"challenger\":%s,\"destUser\":{\"id\":\"castled-bot\",\"name\":\"Castled-Bot\","
        "\"rating\":2000},"
        "\"variant\":{\"key\":\"%s\"},\"rated\":%s,\"speed\":\"%s\",\"timeControl\":%s,"
        "\"initialFen\":%s%s%s},\"compat\":{\"bot\":%s}}",
        row->challenger ? row->challenger : HUMAN("1800"), row->variant ? row->variant : "standard",
        row->is_rated ? "true" : "false", row->speed ? row->speed : "blitz",
        row->time ? row->time : CLOCK("300", "3"), row->fen ? "\"" : "",
        row->fen ? row->fen : "null", row->fen ? "\"" : "",
        row->is_not_for_bots ? "false" : "true");
    assert_in_range(len, 1, sizeof line - 1);
    Error err = { 0 };
    if (!event_parse(event, line, (size_t)len, &err))
        fail_msg("%s: %s", row->name, err.text);
}

TEST(every_challenge_gets_the_answer_that_helps_its_player)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Config config;
        Event event;
        configure(&config, rows[i].config);
        read_challenge(&event, &rows[i]);
        Verdict verdict = decide(&event.challenge, &config, "castled-bot", NULL);
        if (verdict.kind != rows[i].kind || verdict.reason != rows[i].reason)
            fail_msg("%s: %d, told %s (%s)", rows[i].name, (int)verdict.kind,
                     decline_reason_name(verdict.reason), verdict.why);
        assert_int_equal(verdict.why[0] == '\0', verdict.kind == VERDICT_ACCEPT);
        event_release(&event);
        config_release(&config);
    }
}

static void parse_config(Config *config, const char *text)
{
    Buf problems;
    buf_init(&problems, CONFIG_PROBLEMS_MAX);
    if (!config_parse(config, "c", text, strlen(text), &problems))
        fail_msg("%s", buf_view(&problems));
    buf_release(&problems);
}

#define NONE_BUT "[challenge]\naccept = no\n[rule some]\nchallenge.accept = yes\n"

TEST(variants_are_accepted_as_the_operator_names_them)
{
    static const struct {
        const char *more, *variant, *fen;
        VerdictKind kind;
        DeclineReason reason;
    } cases[] = {
        { "", "atomic", NULL, VERDICT_ACCEPT, 0 },
        { "", "crazyhouse", NULL, VERDICT_ACCEPT, 0 },
        { "", "horde", "rnbqkbnr/pppppppp/8/1PP2PP1/PPPPPPPP/PPPPPPPP/PPPPPPPP/PPPPPPPP w kq - 0 1",
          VERDICT_ACCEPT, 0 },
        { "", "racingKings", "8/8/8/8/8/8/krbnNBRK/qrbnNBRQ w - - 0 1", VERDICT_ACCEPT, 0 },
        { "", "racingKings", "8/8/8/8/8/8/krbnNBRK/qrbnNBR w - - 0 1", VERDICT_DECLINE,
          DECLINE_VARIANT },
        { "[challenge]\nvariants = standard, horde\n", "atomic", NULL, VERDICT_DECLINE,
          DECLINE_VARIANT },
        { "[challenge]\nvariants = standard\n", "atomic", NULL, VERDICT_DECLINE, DECLINE_STANDARD },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Config config;
        Event event;
        parse_config(&config, cases[i].more);
        read_challenge(
            &event,
            &(Row){ .name = cases[i].variant, .variant = cases[i].variant, .fen = cases[i].fen });
        Verdict verdict = decide(&event.challenge, &config, "castled-bot", NULL);
        if (verdict.kind != cases[i].kind || verdict.reason != cases[i].reason)
            fail_msg("case %zu: %d, told %s (%s)", i, (int)verdict.kind,
                     decline_reason_name(verdict.reason), verdict.why);
        event_release(&event);
        config_release(&config);
    }
}

TEST(a_challenge_between_others_is_left_alone)
{
    Config config;
    Event event;
    config_init(&config);
    read_challenge(&event, &(Row){ .name = "others" });
    assert_int_equal(decide(&event.challenge, &config, "somebody-else", NULL).kind, VERDICT_IGNORE);
    event_release(&event);
    config_release(&config);
}

TEST(when_none_are_wanted_a_rule_shows_what_would_help)
{
    static const struct {
        const char *config;
        Row row;
    } cases[] = {
        { NONE_BUT "when.rated = yes\n", { .name = "rated", .reason = DECLINE_RATED } },
        { NONE_BUT "when.rated = no\n",
          { .name = "casual", .is_rated = true, .reason = DECLINE_CASUAL } },
        { NONE_BUT "when.clock = 1+0\n", { .name = "faster", .reason = DECLINE_TOO_SLOW } },
        { NONE_BUT "when.clock = 15+10\n", { .name = "slower", .reason = DECLINE_TOO_FAST } },
        { NONE_BUT "when.clock = 1+0, 8+0\n",
          { .name = "another clock", .reason = DECLINE_TIME_CONTROL } },
        { NONE_BUT "when.speed = bullet\n", { .name = "bullet", .reason = DECLINE_TOO_SLOW } },
        { NONE_BUT "when.variant = standard\n",
          { .name = "standard", .variant = "chess960", .reason = DECLINE_STANDARD } },
        { NONE_BUT "when.variant = chess960\n", { .name = "960", .reason = DECLINE_VARIANT } },
        { NONE_BUT "when.kind = human\n",
          { .name = "humans", .challenger = BOT, .reason = DECLINE_NO_BOT } },
        { NONE_BUT "when.kind = bot\n", { .name = "bots", .reason = DECLINE_ONLY_BOT } },
        { NONE_BUT "when.opponent = bert\n", { .name = "others", .reason = DECLINE_LATER } },
        { NONE_BUT "when.rated = yes\nwhen.speed = bullet\n",
          { .name = "two changes are too many to tell", .reason = DECLINE_LATER } },
        { NONE_BUT "when.speed = blitz\nwhen.kind = human\n",
          { .name = "correspondence could be faster",
            .speed = "correspondence",
            .time = "{\"type\":\"unlimited\"}",
            .reason = DECLINE_TOO_SLOW } },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Config config;
        Event event;
        parse_config(&config, cases[i].config);
        read_challenge(&event, &cases[i].row);
        Verdict verdict = decide(&event.challenge, &config, "castled-bot", NULL);
        if (verdict.kind != VERDICT_DECLINE || verdict.reason != cases[i].row.reason)
            fail_msg("%s: %d, told %s (%s)", cases[i].row.name, (int)verdict.kind,
                     decline_reason_name(verdict.reason), verdict.why);
        event_release(&event);
        config_release(&config);
    }
}

TEST(nobody_keeps_us_for_themselves)
{
    static const struct {
        const char *config;
        ChallengerFacts known;
        VerdictKind kind;
        DeclineReason reason;
    } cases[] = {
        { "", { .games_now = 9, .games_in_hour = 99, .games_in_day = 999 }, VERDICT_ACCEPT, 0 },
        { "games_per_opponent = 1\n", { .games_now = 0 }, VERDICT_ACCEPT, 0 },
        { "games_per_opponent = 1\n", { .games_now = 1 }, VERDICT_DECLINE, DECLINE_LATER },
        { "games_per_hour = 3\n", { .games_in_hour = 2 }, VERDICT_ACCEPT, 0 },
        { "games_per_hour = 3\n", { .games_in_hour = 3 }, VERDICT_DECLINE, DECLINE_LATER },
        { "games_per_day = 3\n", { .games_in_day = 3 }, VERDICT_DECLINE, DECLINE_LATER },
        { "games_per_day = 3\nmodes = rated\n",
          { .games_in_day = 3 },
          VERDICT_DECLINE,
          DECLINE_RATED },
        { "min_games = 10\n", { .profile = PROFILE_MISSING }, VERDICT_ACCEPT, 0 },
        { "min_games = 10\n", { .profile = PROFILE_KNOWN, .games_played = 10 }, VERDICT_ACCEPT, 0 },
        { "min_games = 10\n",
          { .profile = PROFILE_KNOWN, .games_played = 9, .account_days = 99 },
          VERDICT_DECLINE,
          DECLINE_GENERIC },
        { "min_account_days = 30\n",
          { .profile = PROFILE_KNOWN, .account_days = 30 },
          VERDICT_ACCEPT,
          0 },
        { "min_account_days = 30\n",
          { .profile = PROFILE_KNOWN, .games_played = 99, .account_days = 29 },
          VERDICT_DECLINE,
          DECLINE_GENERIC },
        { "min_account_days = 30\naccept = no\n[rule x]\nwhen.kind = bot\nchallenge.accept = yes\n",
          { .profile = PROFILE_KNOWN, .account_days = 29 },
          VERDICT_DECLINE,
          DECLINE_GENERIC }, /* another kind would not do either */
        { "", { .profile = PROFILE_KNOWN }, VERDICT_ACCEPT, 0 },
        { "", { .is_spent = true }, VERDICT_DECLINE, DECLINE_LATER },
        { "", { .is_blocked = true }, VERDICT_DECLINE, DECLINE_GENERIC },
        { "", { .has_allow_lists = true }, VERDICT_DECLINE, DECLINE_GENERIC },
        { "", { .has_allow_lists = true, .is_allowed = true }, VERDICT_ACCEPT, 0 },
        { "allow = bert\n", { .has_allow_lists = true, .is_allowed = true }, VERDICT_ACCEPT, 0 },
        { "allow = alba\n", { .has_allow_lists = true }, VERDICT_ACCEPT, 0 },
        { "allow = alba\n", { .is_blocked = true }, VERDICT_DECLINE, DECLINE_GENERIC },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Config config;
        Event event;
        char text[200];
        assert_true(snprintf(text, sizeof text, "[challenge]\n%s", cases[i].config) > 0);
        parse_config(&config, text);
        read_challenge(&event, &(Row){ .name = "known" });
        Verdict verdict = decide(&event.challenge, &config, "castled-bot", &cases[i].known);
        if (verdict.kind != cases[i].kind || verdict.reason != cases[i].reason)
            fail_msg("case %zu: %d, told %s (%s)", i, (int)verdict.kind,
                     decline_reason_name(verdict.reason), verdict.why);
        event_release(&event);
        config_release(&config);
    }
}

TEST(rematches_in_a_row_are_limited)
{
    static const struct {
        const char *config;
        bool is_rematch;
        int rematches;
        VerdictKind kind;
        DeclineReason reason;
    } cases[] = {
        { "", true, 99, VERDICT_ACCEPT, 0 },
        { "rematches = 2\n", true, 0, VERDICT_ACCEPT, 0 },
        { "rematches = 2\n", true, 1, VERDICT_ACCEPT, 0 },
        { "rematches = 2\n", true, 2, VERDICT_DECLINE, DECLINE_LATER },
        { "rematches = 2\n", false, 2, VERDICT_ACCEPT, 0 },
        { "[rule r]\nwhen.rematch = yes\nchallenge.accept = no\n", true, 0, VERDICT_DECLINE,
          DECLINE_LATER },
        { "[rule r]\nwhen.rematch = yes\nchallenge.accept = no\n", false, 0, VERDICT_ACCEPT, 0 },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Config config;
        Event event;
        char text[200];
        ChallengerFacts known = { .rematches = cases[i].rematches };
        assert_true(snprintf(text, sizeof text, "[challenge]\n%s", cases[i].config) > 0);
        parse_config(&config, text);
        read_challenge(&event, &(Row){ .name = "rematch" });
        event.challenge.rematch_of = text_of(cases[i].is_rematch ? "k7Pq2ZxL" : "");
        Verdict verdict = decide(&event.challenge, &config, "castled-bot", &known);
        if (verdict.kind != cases[i].kind || verdict.reason != cases[i].reason)
            fail_msg("case %zu: %d, told %s (%s)", i, (int)verdict.kind,
                     decline_reason_name(verdict.reason), verdict.why);
        event_release(&event);
        config_release(&config);
    }
}

TEST(the_account_is_looked_at_only_where_it_matters)
{
    static const struct {
        const char *config, *challenger;
        bool needed;
        VerdictKind without; /* a profile */
    } cases[] = {
        { "", NULL, false, VERDICT_ACCEPT },
        { "[challenge]\nmin_games = 1\n", NULL, true, VERDICT_ACCEPT },
        { "[challenge]\nmin_account_days = 1\n", NULL, true, VERDICT_ACCEPT },
        { "[challenge]\nmin_games = 1\n", "null", false, VERDICT_DECLINE }, /* no player has none */
        { "[rule bots]\nwhen.kind = bot\nchallenge.min_games = 1\n", NULL, false, VERDICT_ACCEPT },
        { "[rule bots]\nwhen.kind = bot\nchallenge.min_games = 1\n", BOT, true, VERDICT_ACCEPT },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Config config;
        Event event;
        parse_config(&config, cases[i].config);
        read_challenge(&event, &(Row){ .name = "account", .challenger = cases[i].challenger });
        Verdict verdict = decide(&event.challenge, &config, "castled-bot", NULL);
        assert_int_equal(verdict.needs_profile, cases[i].needed);
        assert_int_equal(verdict.kind, cases[i].without);
        event_release(&event);
        config_release(&config);
    }
}

/* On FICS a formula says who may challenge a player to what. An "or" is one rule each, an "and" a
 * rule's conditions, a "not" a later rule that closes again. This one is: (rated & blitz &
 * ratingdiff > -200) | (unrated & computer & 5+0..15+10) | titled, but not from berta, and from
 * nobody to what is slower than 30+0. */
TEST(a_formula_of_fics_is_a_list_of_rules)
{
    static const char formula[] =
        "[challenge]\naccept = no\n"
        "[rule blitz]\nwhen.rated = yes\nwhen.speed = blitz\nwhen.rating_difference = -199..\n"
        "challenge.accept = yes\n"
        "[rule computers]\nwhen.rated = no\nwhen.kind = bot\nwhen.clock = 5+0..15+10\n"
        "challenge.accept = yes\n"
        "[rule titled]\nwhen.title = GM, IM, FM\nchallenge.accept = yes\n"
        "[rule berta]\nwhen.opponent = berta\nchallenge.accept = no\n"
        "[rule slow]\nwhen.clock = 30.5+0..180+180\nchallenge.accept = no\n";
    static const struct {
        const char *challenger, *time, *speed;
        bool is_rated, is_accepted;
    } cases[] = {
        { HUMAN("1801"), CLOCK("300", "3"), "blitz", true, true },
        { HUMAN("1800"), CLOCK("300", "3"), "blitz", true, false },
        { HUMAN("1801"), CLOCK("300", "3"), "blitz", false, false },
        { HUMAN("1801"), CLOCK("900", "10"), "rapid", true, false },
        { BOT, CLOCK("900", "10"), "rapid", false, true },
        { BOT, CLOCK("900", "11"), "rapid", false, false },
        { BOT, CLOCK("900", "10"), "rapid", true, false },
        { "{\"id\":\"gm\",\"name\":\"Gm\",\"title\":\"GM\"}", CLOCK("60", "0"), "bullet", true,
          true },
        { "{\"id\":\"gm\",\"name\":\"Gm\",\"title\":\"GM\"}", CLOCK("1860", "0"), "classical", true,
          false },
        { "{\"id\":\"berta\",\"name\":\"Berta\",\"title\":\"GM\"}", CLOCK("60", "0"), "bullet",
          true, false },
    };
    Config config;
    parse_config(&config, formula);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Event event;
        read_challenge(&event, &(Row){ .name = "formula",
                                       .challenger = cases[i].challenger,
                                       .time = cases[i].time,
                                       .speed = cases[i].speed,
                                       .is_rated = cases[i].is_rated });
        Verdict verdict = decide(&event.challenge, &config, "castled-bot", NULL);
        if ((verdict.kind == VERDICT_ACCEPT) != cases[i].is_accepted)
            fail_msg("case %zu: %s", i, verdict.why);
        event_release(&event);
    }
    config_release(&config);
}

TEST(a_game_that_nobody_may_abort_is_declined)
{
    Config config;
    Event event;
    config_init(&config);
    read_challenge(&event, &(Row){ .name = "noAbort" });
    event.challenge.rule_no_abort = true;
    Verdict verdict = decide(&event.challenge, &config, "castled-bot", NULL);
    assert_int_equal(verdict.kind, VERDICT_DECLINE);
    assert_int_equal(verdict.reason, DECLINE_GENERIC);
    config.game.challenge.no_abort = true;
    assert_int_equal(decide(&event.challenge, &config, "castled-bot", NULL).kind, VERDICT_ACCEPT);
    event_release(&event);
    config_release(&config);
}

static int64_t rank_of(const char *config_text, const char *challenger)
{
    Config config;
    Event event;
    parse_config(&config, config_text);
    read_challenge(&event, &(Row){ .name = "rank", .challenger = challenger });
    int64_t rank = decide(&event.challenge, &config, "castled-bot", NULL).rank;
    event_release(&event);
    config_release(&config);
    return rank;
}

#define TITLED "{\"id\":\"gm\",\"name\":\"Gm\",\"title\":\"GM\",\"rating\":1000}"

TEST(humans_go_first_then_titles_then_ratings)
{
    static const char prefer_none[] = "[challenge]\nprefer = bot\n";
    static const char alba_first[] =
        "[rule friends]\nwhen.opponent = alba\nchallenge.priority = 5\n";
    assert_true(rank_of("", TITLED) > rank_of("", HUMAN("2800")));
    assert_true(rank_of("", HUMAN("2800")) > rank_of("", HUMAN("1500")));
    assert_true(rank_of("", HUMAN("1500")) > rank_of("", BOT));
    assert_true(rank_of(prefer_none, BOT) > rank_of(prefer_none, TITLED));
    assert_int_equal(rank_of(prefer_none, TITLED), rank_of(prefer_none, HUMAN("1500")));
    assert_true(rank_of(alba_first, HUMAN("900")) > rank_of(alba_first, TITLED));
}
