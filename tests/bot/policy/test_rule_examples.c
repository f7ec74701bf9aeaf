/* SPDX-License-Identifier: GPL-3.0-or-later */
/* "Rules by example" of config/README.md and the ready files of
 * config/examples, each read from there and tried on challenges; and the
 * configuration that README.md shows. */
#include "bot/config/config.h"
#include "bot/config/schema.h"
#include "bot/policy/accept.h"
#include "tests/support/unit.h"

#include <dirent.h>

enum { EXAMPLES_MAX = 32, EXAMPLE_LINES_MAX = 6, EXAMPLE_SIZE = 2000, CASES_MAX = 6 };

/* A challenge that an example meets, and what comes of it. 0 and NULL: a casual
 * game of standard chess, 3+2, with a human of 1800 who has our white;
 * accepted; no setting looked at. */
typedef struct {
    bool is_bot, is_rated, is_tournament, we_are_white;
    const char *variant, *clock, *fen;
    int rating, days; /* days a move instead of a clock */
    ChallengerFacts known;
    DeclineReason declined;
    const char *setting; /* "section.key = value" for the game */
} Case;

#define KNIGHT_ODDS "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/R1BQKBNR w KQkq - 0 1"
#define PAWN_ODDS "rnbqkbnr/ppppp1pp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"

static const struct {
    const char *heading; /* the beginning of the page's words for it */
    Case cases[CASES_MAX];
} examples[] = {
    { "**Another engine for each variant",
      { { .variant = "atomic", .setting = "engine.external = all" },
        { .variant = "racingKings" },
        { .setting = "engine.external = none" } } },
    { "**Another time control for each variant",
      { { .variant = "chess960" },
        { .clock = "600+5" },
        { .variant = "chess960", .clock = "600+5", .declined = DECLINE_TOO_SLOW },
        { .variant = "chess960", .clock = "60+0", .declined = DECLINE_TOO_FAST } } },
    { "**Settings for one position and colour",
      { { .variant = "fromPosition",
          .fen = KNIGHT_ODDS,
          .we_are_white = true,
          .setting = "engine.movetime = 3000" },
        { .variant = "fromPosition", .fen = KNIGHT_ODDS, .setting = "engine.movetime = 0" },
        { .we_are_white = true, .setting = "engine.movetime = 0" } } },
    { "**Another engine for each time control",
      { { .clock = "60+0", .setting = "engine.external = none" },
        { .clock = "180+2", .setting = "engine.external = all" } } },
    { "**Settings for tournaments",
      { { .is_tournament = true, .clock = "60+180", .setting = "book.choice = weighted" },
        { .is_tournament = true, .clock = "60+3", .setting = "book.choice = best" },
        { .clock = "60+3", .setting = "chat.enabled = yes" } } },
    { "**Nothing slower than 1+1",
      { { .clock = "60+1" },
        { .clock = "30+0" },
        { .clock = "60+2", .declined = DECLINE_TOO_SLOW },
        { .clock = "180+2", .declined = DECLINE_TOO_SLOW } } },
    { "**Bots in casual games only",
      { { .is_bot = true },
        { .is_bot = true, .is_rated = true, .declined = DECLINE_CASUAL },
        { .is_rated = true } } },
    { "**No games that never end",
      { { .clock = "10800+180", .declined = DECLINE_TOO_SLOW }, { .clock = "1800+0" } } },
    { "**One minute and nothing else",
      { { .clock = "60+0" },
        { .clock = "60+1" },
        { .clock = "180+2", .declined = DECLINE_TOO_SLOW },
        { .clock = "30+0", .declined = DECLINE_TOO_FAST } } },
    { "**Exact clocks of several speeds",
      { { .clock = "60+0" },
        { .clock = "480+0" },
        { .clock = "1500+0" },
        { .clock = "420+0", .declined = DECLINE_TIME_CONTROL } } },
    { "**No loops of rematches",
      { { .is_bot = true, .known = { .games_in_hour = 1 } },
        { .is_bot = true, .known = { .games_in_hour = 2 }, .declined = DECLINE_LATER },
        { .known = { .games_in_hour = 9 } } } },
    { "**One game at a time for each human",
      { { .known = { .games_now = 0 } },
        { .known = { .games_now = 1 }, .declined = DECLINE_LATER },
        { .is_bot = true, .known = { .games_now = 1 } } } },
};
enum { EXAMPLE_COUNT = sizeof examples / sizeof *examples };

static const struct {
    const char *file;
    Case cases[CASES_MAX];
} ready_files[] = {
    { "bullet.conf",
      { { .clock = "60+0", .is_rated = true },
        { .clock = "120+1", .is_bot = true, .setting = "engine.hash = 64" },
        { .clock = "60+0", .is_bot = true, .declined = DECLINE_TOO_FAST },
        { .declined = DECLINE_TOO_SLOW },
        { .clock = "60+0", .known = { .games_now = 1 }, .declined = DECLINE_LATER } } },
    { "correspondence.conf",
      { { .days = 3, .setting = "games.correspondence_movetime = 120" },
        { .days = 14, .declined = DECLINE_TOO_SLOW },
        { .clock = "1800+20", .declined = DECLINE_TOO_FAST } } },
    { "humans-by-rating.conf",
      { { .rating = 950, .setting = "engine.elo = opponent" },
        { .rating = 2600, .setting = "engine.elo = 0" },
        { .is_rated = true, .declined = DECLINE_CASUAL },
        { .is_bot = true, .declined = DECLINE_NO_BOT } } },
    { "arenas.conf",
      { { .is_tournament = true, .setting = "draw.offer = no" },
        { .setting = "draw.offer = yes" },
        { .clock = "1800+20", .declined = DECLINE_TOO_SLOW } } },
    { "odds.conf",
      { { .setting = "draw.accept = yes" },
        { .variant = "fromPosition",
          .fen = KNIGHT_ODDS,
          .we_are_white = true,
          .setting = "draw.accept = no" },
        { .variant = "fromPosition", .fen = KNIGHT_ODDS, .declined = DECLINE_VARIANT },
        { .variant = "fromPosition", .fen = PAWN_ODDS, .setting = "resign.enabled = no" },
        { .variant = "fromPosition",
          .fen = PAWN_ODDS,
          .we_are_white = true,
          .declined = DECLINE_VARIANT } } },
    { "variants.conf",
      { { .variant = "atomic", .setting = "engine.external = all" },
        { .variant = "chess960" },
        { .declined = DECLINE_VARIANT } } },
    { "rated-humans-casual-bots.conf",
      { { .is_rated = true },
        { .declined = DECLINE_RATED },
        { .is_bot = true },
        { .is_bot = true, .is_rated = true, .declined = DECLINE_CASUAL },
        { .is_bot = true, .known = { .games_in_day = 10 }, .declined = DECLINE_LATER } } },
};
enum { READY_COUNT = sizeof ready_files / sizeof *ready_files };

static char *read_page(const char *path)
{
    FILE *file = fopen(path, "rb");
    Buf text;
    buf_init(&text, 1 << 20);
    assert_non_null(file);
    for (int c; (c = fgetc(file)) != EOF;)
        assert_true(buf_put_char(&text, (char)c));
    fclose(file);
    return buf_take(&text);
}

/* The lines between ```ini and ``` that follow the heading. */
static void find_example(const char *page, const char *heading, char out[EXAMPLE_SIZE])
{
    const char *at = strstr(page, heading);
    if (!at)
        fail_msg("not in the page: %s", heading);
    const char *begin = strstr(at, "```ini\n");
    assert_non_null(begin);
    begin += strlen("```ini\n");
    const char *end = strstr(begin, "```");
    assert_non_null(end);
    assert_in_range(end - begin, 1, EXAMPLE_SIZE - 1);
    memcpy(out, begin, (size_t)(end - begin));
    out[end - begin] = '\0';
}

static void parse(Config *config, const char *text)
{
    Buf problems;
    buf_init(&problems, CONFIG_PROBLEMS_MAX);
    if (!config_parse(config, "example", text, strlen(text), &problems))
        fail_msg("%s in:\n%s", buf_view(&problems), text);
    buf_release(&problems);
}

/* The speed of a clock in seconds, "180+2", as Lichess has it. */
static const char *speed_of_text(const char *clock)
{
    int base = (int)strtol(clock, NULL, 10), increment = (int)strtol(strchr(clock, '+'), NULL, 10);
    int estimate = base + 40 * increment;
    return estimate < 180    ? "bullet"
           : estimate < 480  ? "blitz"
           : estimate < 1500 ? "rapid"
                             : "classical";
}

static void write_time(char out[200], const char *clock, int days)
{
    int base = (int)strtol(clock, NULL, 10), increment = (int)strtol(strchr(clock, '+'), NULL, 10);
    int len = days > 0 ? snprintf(out, 200,
                                  "\"speed\":\"correspondence\",\"timeControl\":{\"type\":"
                                  "\"correspondence\",\"daysPerTurn\":%d}",
                                  days)
                       : snprintf(out, 200,
                                  "\"speed\":\"%s\",\"timeControl\":{\"type\":\"clock\","
                                  "\"limit\":%d,"
                                  "\"increment\":%d}",
                                  speed_of_text(clock), base, increment);
    assert_in_range(len, 1, 199);
}

static void make_challenge(Event *event, const Case *row)
{
    char line[2000], time[200], fen[200] = "null";
    if (row->fen)
        assert_true(snprintf(fen, sizeof fen, "\"%s\"", row->fen) > 0);
    write_time(time, row->clock ? row->clock : "180+2", row->days);
    int len = snprintf(line, sizeof line,
                       "{\"type\":\"challenge\",\"challenge\":{\"id\":\"Qw8rTy2u\","
                       "\"challenger\":{"
                       "\"id\":\"alba\",\"name\":\"Alba\",\"rating\":%d%s},\"destUser\":{\"id\":"
                       "\"castled-bot\"},\"variant\":{\"key\":\"%s\"},\"rated\":%s,%s,"
                       "\"finalColor\":\"%s\",\"initialFen\":%s}}",
                       row->rating ? row->rating : 1800, row->is_bot ? ",\"title\":\"BOT\"" : "",
                       row->variant ? row->variant : "standard", row->is_rated ? "true" : "false",
                       time, row->we_are_white ? "black" : "white", fen);
    assert_in_range(len, 1, sizeof line - 1);
    assert_true(event_parse(event, line, (size_t)len, NULL));
}

static void check_setting(const Config *config, const Challenge *challenge, const Case *row,
                          const char *heading)
{
    char section[50], *dot, found[300];
    Config settings = *config;
    Buf value;
    GameFacts facts = facts_of_challenge(challenge);
    facts.is_tournament = row->is_tournament;
    rules_apply(config, &facts, &settings.game, NULL);
    memcpy(section, row->setting, strlen(row->setting) + 1);
    dot = strchr(section, '.');
    *dot = '\0';
    *strchr(dot + 1, ' ') = '\0';
    const KeySpec *key = schema_find(section, dot + 1);
    assert_non_null(key);
    buf_init(&value, 200);
    assert_true(key_write(key, key_at(key, &settings), &value));
    assert_true(snprintf(found, sizeof found, "%s.%s = %s", section, dot + 1, buf_view(&value)) >
                0);
    if (strcmp(found, row->setting) != 0)
        fail_msg("%s: %s, not %s", heading, found, row->setting);
    buf_release(&value);
}

static void try_cases(const Config *config, const Case cases[CASES_MAX], const char *heading)
{
    for (int i = 0; i < CASES_MAX; i++) {
        const Case *row = &cases[i];
        static const Case none;
        Event event;
        if (i > 0 && memcmp(row, &none, sizeof none) == 0)
            break;
        make_challenge(&event, row);
        GameFacts facts = facts_of_challenge(&event.challenge);
        GameSettings settings;
        rules_apply(config, &facts, &settings, NULL);
        Verdict verdict =
            accept_decide(&event.challenge, config, &settings, "castled-bot", &row->known);
        if (verdict.reason != row->declined ||
            (verdict.kind == VERDICT_DECLINE) != (row->declined != DECLINE_UNKNOWN))
            fail_msg("%s, case %d: %d, told %s (%s)", heading, i, (int)verdict.kind,
                     decline_reason_name(verdict.reason), verdict.why);
        if (row->setting)
            check_setting(config, &event.challenge, row, heading);
        event_release(&event);
    }
}

TEST(each_request_is_a_rule_of_six_lines_that_does_it)
{
    char *page = read_page(RULES_PAGE);
    assert_int_equal(EXAMPLE_COUNT, 12);
    for (int i = 0; i < EXAMPLE_COUNT; i++) {
        char text[EXAMPLE_SIZE];
        Config config;
        int lines = 0;
        find_example(page, examples[i].heading, text);
        for (const char *c = text; *c; c++)
            lines += *c == '\n';
        assert_in_range(lines, 2, EXAMPLE_LINES_MAX);
        parse(&config, text);
        assert_true(config.rule_count > 0);
        try_cases(&config, examples[i].cases, examples[i].heading);
        config_release(&config);
    }
    free(page);
}

/* An example and its cases change together. */
TEST(the_page_has_no_other_examples)
{
    char *page = read_page(RULES_PAGE);
    const char *begin = strstr(page, "\n## Rules by example\n");
    assert_non_null(begin);
    const char *end = strstr(begin + 5, "\n## ");
    assert_non_null(end);
    int count = 0;
    for (const char *at = strstr(begin, "```ini\n"); at && at < end;
         at = strstr(at + 1, "```ini\n"))
        count++;
    assert_int_equal(count, EXAMPLE_COUNT);
    free(page);
}

TEST(the_readme_shows_a_configuration_that_is_right)
{
    char *readme = read_page(README), text[EXAMPLE_SIZE];
    Config config;
    find_example(readme, "\n## Configure\n", text);
    parse(&config, text);
    assert_int_equal(config.rule_count, 1);
    config_release(&config);
    free(readme);
}

TEST(each_ready_file_does_what_it_says)
{
    for (int i = 0; i < READY_COUNT; i++) {
        char path[500];
        Config config;
        Buf problems;
        assert_true(snprintf(path, sizeof path, "%s/%s", READY_FILES, ready_files[i].file) > 0);
        buf_init(&problems, CONFIG_PROBLEMS_MAX);
        if (!config_load(&config, path, &problems))
            fail_msg("%s", buf_view(&problems));
        buf_release(&problems);
        try_cases(&config, ready_files[i].cases, ready_files[i].file);
        config_release(&config);
    }
}

TEST(the_page_lists_every_ready_file_and_each_is_tried)
{
    char *page = read_page(RULES_PAGE);
    int count = 0;
    DIR *folder = opendir(READY_FILES);
    assert_non_null(folder);
    for (struct dirent *entry; (entry = readdir(folder));)
        count += strstr(entry->d_name, ".conf") != NULL;
    closedir(folder);
    assert_int_equal(count, READY_COUNT);
    for (int i = 0; i < READY_COUNT; i++) {
        char link[200];
        assert_true(snprintf(link, sizeof link, "](examples/%s)", ready_files[i].file) > 0);
        if (!strstr(page, link))
            fail_msg("config/README.md does not list %s", ready_files[i].file);
    }
    free(page);
}
