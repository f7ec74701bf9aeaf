/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What castled would make of one challenge: which rules hold, what they change, the verdict. */
#include "bot/cli/command.h"
#include "bot/cli/shown.h"
#include "bot/ops/printable.h"
#include "bot/policy/accept.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

enum { EVENT_FILE_MAX = 1 << 20, VALUE_MAX = 1 << 20, OUR_ID_SIZE = 64 };

/* The event as the stream brings it, or the challenge alone. */
static bool parse(Event *event, const Buf *text, Error *err)
{
    Error not_bare = { 0 };
    if (challenge_parse(event, buf_view(text), text->len, &not_bare))
        return true;
    if (!event_parse(event, buf_view(text), text->len, err))
        return false;
    if (event->type == EVENT_CHALLENGE)
        return true;
    event_release(event);
    error_set(err, ERR_INVALID, "no challenge");
    return false;
}

static bool read_event(Event *event, const char *path, Error *err)
{
    bool is_stdin = strcmp(path, "-") == 0;
    FILE *file = is_stdin ? stdin : fopen(path, "rb");
    if (!file) {
        error_set(err, ERR_IO, "cannot open: %s", strerror(errno));
        return false;
    }
    Buf text;
    buf_init(&text, EVENT_FILE_MAX);
    bool ok = buf_read(&text, file, err) && parse(event, &text, err);
    buf_release(&text);
    if (!is_stdin)
        fclose(file);
    return ok;
}

static void print_challenge(const Challenge *challenge, const GameFacts *facts)
{
    printf("challenge %s: %s, %s", shown(text_of(challenge->id)).text,
           shown(challenge->variant_text).text, shown(challenge->speed_text).text);
    char clock[TIME_CONTROL_TEXT_SIZE];
    time_control_text(&facts->time, clock);
    printf(" %s", clock);
    printf(", %s, from ", facts->rated ? "rated" : "casual");
    char name[PLAYER_TEXT_SIZE];
    player_text(&facts->opponent, name);
    printable_print(stdout, text_of(name));
    if (facts->opponent.rating > 0)
        printf(" (%d%s)", facts->opponent.rating, facts->opponent.provisional ? "?" : "");
    printf("%s%s\n", facts->colour == COLOUR_NONE ? "" : ", our colour is ",
           facts->colour == COLOUR_NONE ? "" : colour_name(facts->colour));
}

/* "    key = value". */
static void print_value(const KeySpec *key, const void *object)
{
    Buf value;
    buf_init(&value, VALUE_MAX);
    if (key_write(key, object, &value))
        printf("    %s.%s = %s\n", key->section, key->name, buf_view(&value));
    buf_release(&value);
}

static void print_rules(const Config *config, const GameFacts *facts, const char *path)
{
    for (size_t i = 0; i < config->rule_count; i++) {
        const Rule *rule = &config->rules[i];
        Condition failed = rule_fails(rule, facts);
        printf("%s:%d: [rule %s] %s\n", path, rule->line, rule->name,
               failed == WHEN_COUNT ? "holds:" : "does not hold:");
        if (failed != WHEN_COUNT)
            print_value(rule_condition(failed), key_at(rule_condition(failed), &rule->when));
        else if (rule->change_count == 0)
            printf("    and changes nothing\n");
        for (int j = 0; failed == WHEN_COUNT && j < rule->change_count; j++)
            print_value(rule->changes[j].key, rule->changes[j].value);
    }
    if (config->rule_count == 0)
        printf("no rules\n");
}

static void print_verdict(const Verdict *verdict, const GameSettings *settings)
{
    switch (verdict->kind) {
    case VERDICT_ACCEPT:
        printf("accepted, when there is a free slot\n");
        if (verdict->needs_profile)
            printf(
                "provided that the account has %d games and %d days: castled would ask Lichess\n",
                settings->challenge.min_games, settings->challenge.min_account_days);
        break;
    case VERDICT_DECLINE:
        printf("declined: %s\nthe challenger reads: %s\n", verdict->why,
               decline_reason_name(verdict->reason));
        break;
    case VERDICT_IGNORE:
        printf("ignored: %s\n", verdict->why);
        break;
    }
}

/* Whom it is for is who we are. */
static void explain(const Challenge *challenge, const Config *config, const char *path)
{
    char our_id[OUR_ID_SIZE];
    GameSettings settings;
    text_copy(our_id, sizeof our_id, text_of(challenge->dest_user.id));
    GameFacts facts = facts_of_challenge(challenge);
    rules_apply(config, &facts, &settings, NULL);
    static const ChallengerFacts stranger = { 0 };
    Verdict verdict = accept_decide(challenge, config, &settings, our_id, &stranger);
    print_challenge(challenge, &facts);
    print_rules(config, &facts, path);
    print_verdict(&verdict, &settings);
}

static const Option explain_options[] = {
    { .name = "FILE",
      .help = "the challenge as the event stream sends it, in JSON; -: standard input",
      .read = option_text,
      .count = OPTION_MUST },
    { .name = NULL },
};

static ExitStatus cmd_explain(const CommandOptions *options)
{
    Config config;
    char path[CONFIG_PATH_SIZE];
    Event event;
    Error err = { 0 };
    const char *file = NULL;
    if (!command_read_words(options, (void *[]){ &file }))
        return EXIT_USAGE;
    if (!command_read_config(options, &config, path))
        return EXIT_CONFIG;
    bool ok = read_event(&event, file, &err);
    if (ok) {
        explain(&event.challenge, &config, path);
        event_release(&event);
    } else {
        fprintf(stderr, "castled: %s: %s\n", file, shown_error(&err).text);
    }
    config_release(&config);
    return ok ? EXIT_FINE : EXIT_USAGE;
}

const CliCommand command_explain = {
    .name = "explain",
    .run = cmd_explain,
    .help = "show which rules hold for a challenge, and what castled would answer",
    .forms = { "FILE" },
    .options = { explain_options },
    .example = "castled explain challenge.json",
    .example_help = "explains the answer to this challenge",
};
