/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/policy/accept.h"
#include "bot/config/schema.h"
#include "tests/unit.h"

/* A challenge as it comes, with the parts that a row changes. */
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
#define BOT "{\"id\":\"robo\",\"name\":\"Robo\",\"title\":\"BOT\",\"rating\":2500}"
#define US "{\"id\":\"castled-bot\",\"name\":\"Castled-Bot\",\"title\":\"BOT\"}"

// clang-format off
static const Row rows[] = {
    { "defaults take a blitz game", NULL, NULL, NULL, NULL, NULL, NULL, false, false, VERDICT_ACCEPT, 0 },
    { "rated too", NULL, NULL, NULL, NULL, NULL, NULL, true, false, VERDICT_ACCEPT, 0 },
    { "from bots too", NULL, BOT, NULL, NULL, NULL, NULL, false, false, VERDICT_ACCEPT, 0 },
    { "from anonymous players too", NULL, "null", NULL, NULL, NULL, NULL, false, false, VERDICT_ACCEPT, 0 },
    { "our own echo is not ours to answer", NULL, US, NULL, NULL, NULL, NULL, false, false, VERDICT_IGNORE, 0 },

    { "accept = no", "challenge.accept=no", NULL, NULL, NULL, NULL, NULL, false, false, VERDICT_DECLINE, DECLINE_LATER },
    { "blocked", "challenge.block=bert,Alba", NULL, NULL, NULL, NULL, NULL, false, false, VERDICT_DECLINE, DECLINE_GENERIC },
    { "others are blocked", "challenge.block=bert", NULL, NULL, NULL, NULL, NULL, false, false, VERDICT_ACCEPT, 0 },
    { "allowed", "challenge.allow=alba", NULL, NULL, NULL, NULL, NULL, false, false, VERDICT_ACCEPT, 0 },
    { "not among those allowed", "challenge.allow=bert", NULL, NULL, NULL, NULL, NULL, false, false, VERDICT_DECLINE, DECLINE_GENERIC },
    { "nobody is not among those allowed", "challenge.allow=bert", "null", NULL, NULL, NULL, NULL, false, false, VERDICT_DECLINE, DECLINE_GENERIC },
    { "allowed and blocked is blocked", "challenge.allow=alba challenge.block=alba", NULL, NULL, NULL, NULL, NULL, false, false, VERDICT_DECLINE, DECLINE_GENERIC },
    { "no bots", "challenge.opponents=human", BOT, NULL, NULL, NULL, NULL, false, false, VERDICT_DECLINE, DECLINE_NO_BOT },
    { "bots only", "challenge.opponents=bot", NULL, NULL, NULL, NULL, NULL, false, false, VERDICT_DECLINE, DECLINE_ONLY_BOT },
    { "strong enough", "challenge.min_rating=1500", HUMAN("1500"), NULL, NULL, NULL, NULL, false, false, VERDICT_ACCEPT, 0 },
    { "too weak", "challenge.min_rating=1500", HUMAN("1499"), NULL, NULL, NULL, NULL, false, false, VERDICT_DECLINE, DECLINE_GENERIC },
    { "too strong", "challenge.max_rating=1500", HUMAN("1501"), NULL, NULL, NULL, NULL, false, false, VERDICT_DECLINE, DECLINE_GENERIC },
    { "without a rating", "challenge.min_rating=1", "null", NULL, NULL, NULL, NULL, false, false, VERDICT_DECLINE, DECLINE_GENERIC },

    { "chess960", NULL, NULL, "chess960", NULL, NULL, NULL, false, false, VERDICT_ACCEPT, 0 },
    { "a variant that we don't play", NULL, NULL, "atomic", NULL, NULL, NULL, false, false, VERDICT_DECLINE, DECLINE_VARIANT },
    { "a variant of tomorrow", NULL, NULL, "bughouse", NULL, NULL, NULL, false, false, VERDICT_DECLINE, DECLINE_VARIANT },
    { "standard only", "challenge.variants=standard", NULL, "chess960", NULL, NULL, NULL, false, false, VERDICT_DECLINE, DECLINE_STANDARD },
    { "a sound position", NULL, NULL, "fromPosition", NULL, NULL, "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", false, false, VERDICT_ACCEPT, 0 },
    { "a position with its enemy in check", NULL, NULL, "fromPosition", NULL, NULL, "4k3/4Q3/8/8/8/8/8/4K3 w - - 0 1", false, false, VERDICT_DECLINE, DECLINE_VARIANT },
    { "a position without a king", NULL, NULL, "fromPosition", NULL, NULL, "8/8/8/8/8/8/8/4K3 w - - 0 1", false, false, VERDICT_DECLINE, DECLINE_VARIANT },
    { "no position at all", NULL, NULL, "fromPosition", NULL, NULL, "zzz", false, false, VERDICT_DECLINE, DECLINE_VARIANT },

    { "faster than all that we play", NULL, NULL, NULL, "ultraBullet", CLOCK("15", "0"), NULL, false, false, VERDICT_DECLINE, DECLINE_TOO_FAST },
    { "faster than what is configured", "challenge.speeds=rapid,classical", NULL, NULL, NULL, NULL, NULL, false, false, VERDICT_DECLINE, DECLINE_TOO_FAST },
    { "slower than what is configured", "challenge.speeds=bullet", NULL, NULL, NULL, NULL, NULL, false, false, VERDICT_DECLINE, DECLINE_TOO_SLOW },
    { "between what is configured", "challenge.speeds=bullet,rapid", NULL, NULL, NULL, NULL, NULL, false, false, VERDICT_DECLINE, DECLINE_TIME_CONTROL },
    { "correspondence is slower than the defaults", NULL, NULL, NULL, "correspondence", "{\"type\":\"correspondence\",\"daysPerTurn\":2}", NULL, false, false, VERDICT_DECLINE, DECLINE_TOO_SLOW },
    { "unlimited is too", NULL, NULL, NULL, "correspondence", "{\"type\":\"unlimited\"}", NULL, false, false, VERDICT_DECLINE, DECLINE_TOO_SLOW },
    { "correspondence where it is wanted", "challenge.speeds=correspondence", NULL, NULL, "correspondence", "{\"type\":\"correspondence\",\"daysPerTurn\":2}", NULL, false, false, VERDICT_ACCEPT, 0 },
    { "a speed of tomorrow", NULL, NULL, NULL, "hyper", NULL, NULL, false, false, VERDICT_DECLINE, DECLINE_TIME_CONTROL },
    { "a clock of tomorrow", NULL, NULL, NULL, NULL, "{\"type\":\"hourglass\"}", NULL, false, false, VERDICT_DECLINE, DECLINE_TIME_CONTROL },
    { "base too short", "challenge.min_base=301", NULL, NULL, NULL, NULL, NULL, false, false, VERDICT_DECLINE, DECLINE_TOO_FAST },
    { "base too long", "challenge.max_base=299", NULL, NULL, NULL, NULL, NULL, false, false, VERDICT_DECLINE, DECLINE_TOO_SLOW },
    { "base just right", "challenge.min_base=300 challenge.max_base=300", NULL, NULL, NULL, NULL, NULL, false, false, VERDICT_ACCEPT, 0 },
    { "increment too small", "challenge.min_increment=4", NULL, NULL, NULL, NULL, NULL, false, false, VERDICT_DECLINE, DECLINE_TOO_FAST },
    { "increment too large", "challenge.max_increment=2", NULL, NULL, NULL, NULL, NULL, false, false, VERDICT_DECLINE, DECLINE_TOO_SLOW },

    { "casual only", "challenge.modes=casual", NULL, NULL, NULL, NULL, NULL, true, false, VERDICT_DECLINE, DECLINE_CASUAL },
    { "rated only", "challenge.modes=rated", NULL, NULL, NULL, NULL, NULL, false, false, VERDICT_DECLINE, DECLINE_RATED },
    { "what the server refuses to bots", NULL, NULL, NULL, NULL, NULL, NULL, false, true, VERDICT_DECLINE, DECLINE_GENERIC },
    { "what can't be helped is said first", "challenge.opponents=human challenge.modes=casual", BOT, "atomic", NULL, NULL, NULL, true, false, VERDICT_DECLINE, DECLINE_NO_BOT },
};
// clang-format on

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
        "\"challenger\":%s,\"destUser\":{\"id\":\"castled-bot\",\"name\":\"Castled-Bot\"},"
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

static void every_challenge_gets_the_answer_that_helps_its_player(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Config config;
        Event event;
        configure(&config, rows[i].config);
        read_challenge(&event, &rows[i]);
        Verdict verdict = accept_judge(&event.challenge, &config, "castled-bot");
        if (verdict.kind != rows[i].kind || verdict.reason != rows[i].reason)
            fail_msg("%s: %d, told %s (%s)", rows[i].name, (int)verdict.kind,
                     decline_reason_name(verdict.reason), verdict.why);
        assert_int_equal(verdict.why[0] == '\0', verdict.kind == VERDICT_ACCEPT);
        event_release(&event);
        config_release(&config);
    }
}

static void a_challenge_between_others_is_left_alone(void **state)
{
    (void)state;
    Config config;
    Event event;
    config_init(&config);
    read_challenge(&event, &(Row){ .name = "others" });
    assert_int_equal(accept_judge(&event.challenge, &config, "somebody-else").kind, VERDICT_IGNORE);
    event_release(&event);
    config_release(&config);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_challenge_gets_the_answer_that_helps_its_player),
        cmocka_unit_test(a_challenge_between_others_is_left_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
