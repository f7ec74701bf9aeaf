/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Words of a command line, by a table of options. */
#include "bot/cli/option.h"
#include "tests/support/unit.h"

typedef struct {
    const char *game, *engine, *pair[2], *rest[4];
    int64_t number;
    int level, side, verb, rest_count, pair_count;
    bool is_short;
} Wanted;

static bool take_pair(const Option *option, void *at, const char *value, Error *err)
{
    Wanted *wanted = at;
    return option_text(option, &wanted->pair[wanted->pair_count++ % 2], value, err);
}

static bool take_rest(const Option *option, void *at, const char *value, Error *err)
{
    Wanted *wanted = at;
    return option_text(option, &wanted->rest[wanted->rest_count++], value, err);
}

static const char *const level_names[] = { "low", NULL, "high", "hidden" };
static const WordList levels = { level_names, 4, 1U << 3 };

#define AT(member) .at = offsetof(Wanted, member)

static const Option all_options[] = {
    { .name = "GAME", .help = "a game", .read = option_game, AT(game), .count = OPTION_MUST },
    { .name = "start", .help = "a verb", .read = option_choice, AT(verb), .lo = 7 },
    { .name = "--number",
      .value = "N",
      .help = "a number",
      .read = option_number,
      AT(number),
      .lo = 1,
      .hi = 9 },
    { .name = "--pair", .value = "A B", .help = "two", .read = take_pair },
    { .name = "--white", .read = option_choice, AT(side), .lo = 1 },
    { .name = "--black", .help = "a side", .read = option_choice, AT(side), .lo = 2 },
    { .name = NULL },
};

static const Option more_options[] = {
    { .name = "--engine", .value = "CMD", .help = "an engine", .read = option_text, AT(engine) },
    { .name = "--level",
      .value = "LEVEL",
      .help = "a level",
      .read = option_word,
      AT(level),
      .words = &levels },
    { .name = "-s", .help = "short", .read = option_flag, AT(is_short) },
    { .name = "TEXT", .help = "the rest", .read = take_rest, .count = OPTION_REST },
    { .name = NULL },
};

static const Option *const groups[OPTION_GROUPS_MAX] = { all_options, more_options };

/* `line`: words with blanks between. */
static bool read_line(Wanted *out, char *line, Error *err)
{
    const char *words[20];
    int count = 0;
    for (char *word = strtok(line, " "); word; word = strtok(NULL, " "))
        words[count++] = word;
    *out = (Wanted){ .level = -1 };
    return options_read(groups, (void *[]){ out, out }, words, count, err);
}

TEST(each_kind_of_word_reaches_its_place)
{
    Wanted wanted;
    char line[] =
        "--number 3 abcdefgh --pair x y start --level=high -s --black --engine - hi --you -s";
    assert_true(read_line(&wanted, line, NULL));
    assert_string_equal(wanted.game, "abcdefgh");
    assert_int_equal(wanted.number, 3);
    assert_string_equal(wanted.pair[0], "x");
    assert_string_equal(wanted.pair[1], "y");
    assert_int_equal(wanted.verb, 7);
    assert_int_equal(wanted.level, 2);
    assert_true(wanted.is_short);
    assert_int_equal(wanted.side, 2);
    assert_string_equal(wanted.engine, "-");
    assert_int_equal(wanted.rest_count, 3);
    assert_string_equal(wanted.rest[1], "--you");
}

TEST(two_dashes_end_the_options)
{
    Wanted wanted;
    char line[] = "abcdefgh -- --number 3";
    assert_true(read_line(&wanted, line, NULL));
    assert_int_equal(wanted.number, 0);
    assert_int_equal(wanted.rest_count, 2);
}

TEST(the_last_of_several_counts)
{
    Wanted wanted;
    char line[] = "abcdefgh --number 3 --number 4 --white --white";
    assert_true(read_line(&wanted, line, NULL));
    assert_int_equal(wanted.number, 4);
    assert_int_equal(wanted.side, 1);
}

TEST(a_mistake_is_named_with_what_was_expected)
{
    static const struct {
        const char *line, *message;
    } rows[] = {
        { "", "GAME is missing: a game" },
        { "--number 3", "GAME is missing: a game" },
        { "abc/efgh", "abc/efgh: not the id of a game" },
        { "abcdefgh --number", "--number takes N" },
        { "abcdefgh --number 10", "--number 10: 10 is not within 1..9" },
        { "abcdefgh --number=10", "--number 10: 10 is not within 1..9" },
        { "abcdefgh --number x", "--number x: \"x\" is not a whole number" },
        { "abcdefgh --engine=", "--engine : is empty" },
        { "abcdefgh --pair x", "--pair takes A B" },
        { "abcdefgh --pair=x", "--pair takes A B" },
        { "abcdefgh --white=x", "--white takes nothing" },
        { "abcdefgh --white --black", "--black: what was given before it excludes it" },
        { "abcdefgh --level hidden", "--level hidden: none of low, high" },
        { "abcdefgh --levle low", "--levle: unknown; did you mean --level?" },
        { "abcdefgh --q", "--q: unknown option" },
        { "abcdefgh -x", "-x: unknown; did you mean -s?" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char line[100];
        Wanted wanted;
        Error err = { 0 };
        assert_true(snprintf(line, sizeof line, "%s", rows[i].line) >= 0);
        assert_false(read_line(&wanted, line, &err));
        if (strcmp(err.text, rows[i].message) != 0)
            fail_msg("%s: %s", rows[i].line, err.text);
    }
}

TEST(a_word_too_many_is_unexpected)
{
    Wanted wanted = { .level = 0 };
    Error err = { 0 };
    const Option *const first[OPTION_GROUPS_MAX] = { all_options };
    assert_false(options_read(first, (void *[]){ &wanted },
                              (const char *[]){ "abcdefgh", "ijklmnop" }, 2, &err));
    assert_string_equal(err.text, "ijklmnop: unexpected argument");
    err = (Error){ 0 };
    const Option *const none[OPTION_GROUPS_MAX] = { NULL };
    assert_false(options_read(none, NULL, (const char *[]){ "x" }, 1, &err));
    assert_true(options_read(none, NULL, NULL, 0, &err));
}

TEST(one_option_is_tried_at_the_front)
{
    Wanted wanted = { .level = 0 };
    Error err = { 0 };
    const char *words[] = { "--engine", "x", "y" };
    assert_int_equal(option_try(more_options, &wanted, words, 3, &err), 2);
    assert_string_equal(wanted.engine, "x");
    assert_int_equal(option_try(more_options, &wanted, words + 1, 2, &err), 0);
    assert_int_equal(option_try(more_options, &wanted, (const char *[]){ "--engine=z" }, 1, &err),
                     1);
    assert_string_equal(wanted.engine, "z");
    assert_int_equal(option_try(more_options, &wanted, words, 1, &err), -1);
    assert_string_equal(err.text, "--engine takes CMD");
}
