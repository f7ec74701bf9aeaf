/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/config/config.h"
#include "bot/policy/seek.h"
#include "tests/support/unit.h"

enum { CROWD = 60 };

typedef struct {
    Config config;
    OnlineBot list[CROWD];
    OnlineBots people;
    const char *known; /* words with blanks around each */
    uint64_t seed;
    int weekday;
} Table;

static bool is_known(const Table *table, const char *of, const char *what)
{
    char word[SEEK_WHAT_SIZE + 12];
    assert_true(snprintf(word, sizeof word, " %s/%s ", of, what) > 0);
    return strstr(table->known, word) != NULL;
}

static bool is_excluded(void *user, const char *id)
{
    return is_known(user, "excluded", id);
}

static bool has_declined(void *user, const char *what)
{
    return is_known(user, "declined", what);
}

static bool is_only(void *user, const char *id)
{
    return is_known(user, "only", id);
}

static int games_with(void *user, const char *id)
{
    return is_known(user, "played", id);
}

/* Whoever is known to run one runs the same. */
static const char *engine_of(void *user, const char *id)
{
    return is_known(user, "clone", id) ? "stockfish 17" : NULL;
}

static void add_person(Table *table, const char *id, int rating)
{
    OnlineBot *person = &table->list[table->people.count++];
    memcpy(person->id, id, strlen(id) + 1);
    for (int speed = 0; speed < SPEED_COUNT; speed++)
        person->by_speed[speed] = rating;
    for (int variant = 0; variant < VARIANT_COUNT; variant++)
        person->by_variant[variant] = rating - 300;
}

static Table *make(const char *text)
{
    Table *table = calloc(1, sizeof *table);
    Buf problems;
    buf_init(&problems, 10000);
    if (!config_parse(&table->config, "test", text, strlen(text), &problems))
        fail_msg("%s", buf_view(&problems));
    buf_release(&problems);
    table->people.list = table->list;
    table->known = " ";
    table->seed = 1;
    add_person(table, "us", 2000);
    return table;
}

static void drop(Table *table)
{
    config_release(&table->config);
    free(table);
}

static bool choose_now(Table *table, SeekPlan *plan, bool no_days)
{
    const SeekView view = {
        .config = &table->config,
        .our_id = "us",
        .us = &table->list[0],
        .people = &table->people,
        .weekday = table->weekday,
        .no_days = no_days,
        .is_excluded = is_excluded,
        .has_declined = has_declined,
        .has_only_lists = strstr(table->known, " only/") != NULL,
        .is_only = is_only,
        .games_with = games_with,
        .engine_of = engine_of,
        .user = table,
    };
    return seek_choose(&view, &table->seed, plan);
}

static bool choose(Table *table, SeekPlan *plan)
{
    return choose_now(table, plan, false);
}

/* Whom a hundred draws bring, each once, in alphabetical order of a, b, c … */
static void expect_candidates(Table *table, const char *expected)
{
    char found[CROWD + 1] = "";
    for (int i = 0; i < 100; i++) {
        SeekPlan plan;
        if (!choose(table, &plan))
            continue;
        for (int j = 0; j < plan.candidate_count; j++)
            found[plan.candidates[j][0] - 'a'] = plan.candidates[j][0];
    }
    char text[27] = "";
    for (size_t i = 0, len = 0; i < 26; i++)
        if (found[i])
            text[len++] = found[i];
    assert_string_equal(text, expected);
}

TEST(days_are_drawn_like_clocks_where_they_may_be)
{
    Table *table =
        make("[matchmaking]\nclocks = 3+2, 2 days\nrating_difference = 100\npairs = yes\n");
    SeekPlan plan;
    int days = 0;
    add_person(table, "aa", 2500);
    table->list[1].by_speed[SPEED_CORRESPONDENCE] = 2050;
    table->list[1].by_speed[SPEED_BLITZ] = 2050;
    for (int i = 0; i < 200; i++) {
        assert_true(choose(table, &plan));
        days += plan.days == 2;
        assert_true(plan.days == 2 ? plan.base_s == 0 && !plan.in_pairs
                                   : plan.base_s == 180 && plan.in_pairs);
        assert_true(choose_now(table, &plan, true));
        assert_int_equal(plan.days, 0);
    }
    assert_in_range(days, 60, 140);
    table->list[1].by_speed[SPEED_BLITZ] = 2500; /* now only the other rating is near */
    table->known = " declined/aa/clock/180+2 ";
    while (!choose(table, &plan)) {
    }
    assert_int_equal(plan.days, 2);
    table->known = " declined/aa/clock/2d ";
    for (int i = 0; i < 20; i++)
        assert_false(choose(table, &plan));
    drop(table);
}

TEST(only_those_who_suit_are_asked)
{
    static const struct {
        const char *name, *config, *known, *expected;
    } rows[] = {
        { "all but us", "", " ", "abcd" },
        { "rating from", "min_rating = 1800\n", " ", "bcd" },
        { "rating to", "max_rating = 2100\n", " ", "abc" },
        { "rating near ours", "rating_difference = 150\n", " ", "bc" },
        { "who declined everything", "", " declined/aa ", "bcd" },
        { "who declined this clock", "", " declined/aa/clock/180+2 declined/bb/clock/60+0 ",
          "bcd" },
        { "who declined this mode", "modes = rated\n",
          " declined/aa/mode/rated declined/bb/mode/casual ", "bcd" },
        { "who declined this variant", "",
          " declined/aa/variant/standard declined/bb/variant/atomic ", "bcd" },
        { "only those who are named", "only = cc\n", " ", "c" },
        { "only those on a list", "", " only/aa only/bb ", "ab" },
        { "only those who are named or on a list", "only = cc\n", " only/aa ", "ac" },
        { "only may name nobody who is there", "only = zz\n", " ", "" },
        { "known engines may be avoided", "avoid_engines = lc0, stockfish*\n", " clone/bb ",
          "acd" },
        { "others stay", "avoid_engines = lc0*\n", " clone/bb ", "abcd" },
        { "who is excluded", "", " excluded/cc ", "abd" },
        { "the variant's rating counts", "variants = chess960\nmin_rating = 1800\n", " ", "cd" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[400];
        assert_true(snprintf(text, sizeof text, "[matchmaking]\nclocks = 3+2\n%s", rows[i].config) >
                    0);
        Table *table = make(text);
        table->known = rows[i].known;
        add_person(table, "aa", 1500);
        add_person(table, "bb", 1900);
        add_person(table, "cc", 2100);
        add_person(table, "dd", 2600);
        print_message("%s\n", rows[i].name);
        expect_candidates(table, rows[i].expected);
        drop(table);
    }
}

TEST(the_configurations_blocks_hold)
{
    Table *table = make("[challenge]\nblock = aa\n");
    add_person(table, "aa", 2000);
    add_person(table, "bb", 2000);
    table->list[2].is_out = true;
    SeekPlan plan;
    assert_false(choose(table, &plan));
    drop(table);
}

TEST(types_are_drawn_by_weight)
{
    Table *table =
        make("[matchmaking]\nclocks = 3+2\n"
             "[matchmaking.fast]\nweight = 3\nclocks = 1+0, 2+1\nmodes = rated\npairs = no\n"
             "[matchmaking.odd]\nweight = 1\nvariants = chess960\n"
             "[matchmaking.never]\nweight = 0\n");
    int fast = 0, odd = 0;
    add_person(table, "aa", 2000);
    for (int i = 0; i < 1000; i++) {
        SeekPlan plan;
        assert_true(choose(table, &plan));
        if (strcmp(plan.type, "fast") == 0) {
            assert_true((plan.base_s == 60 && plan.increment_s == 0) ||
                        (plan.base_s == 120 && plan.increment_s == 1));
            assert_true(plan.rated && plan.variant == VARIANT_STANDARD && !plan.in_pairs);
            fast++;
        } else {
            assert_string_equal(plan.type, "odd");
            assert_true(plan.base_s == 180 && plan.variant == VARIANT_CHESS960 && plan.in_pairs);
            odd++;
        }
    }
    assert_true(fast > 650 && fast < 850 && odd == 1000 - fast);
    drop(table);
}

TEST(types_have_their_days)
{
    Table *table = make("[matchmaking.weekend]\ndays = sat, sun\n");
    add_person(table, "aa", 2000);
    for (table->weekday = 0; table->weekday < 7; table->weekday++) {
        SeekPlan plan;
        assert_int_equal(choose(table, &plan), table->weekday >= 5);
    }
    drop(table);
}

TEST(a_type_that_suits_nobody_makes_way)
{
    Table *table = make("[matchmaking.giants]\nweight = 1000\nmin_rating = 3500\n"
                        "[matchmaking.peers]\nweight = 1\n");
    SeekPlan plan;
    add_person(table, "aa", 2000);
    for (int i = 0; i < 20; i++) {
        assert_true(choose(table, &plan));
        assert_string_equal(plan.type, "peers");
    }
    drop(table);
}

/* The candidates of one draw, by their first letters. */
static const char *in_order(Table *table, char out[SEEK_CANDIDATES_MAX + 1])
{
    SeekPlan plan;
    assert_true(choose(table, &plan));
    for (int i = 0; i < plan.candidate_count; i++)
        out[i] = plan.candidates[i][0];
    out[plan.candidate_count] = '\0';
    return out;
}

TEST(those_preferred_come_first)
{
    char order[SEEK_CANDIDATES_MAX + 1];
    Table *near = make("[matchmaking]\nprefer = rating\n");
    add_person(near, "aa", 1500);
    add_person(near, "bb", 1900);
    add_person(near, "cc", 2050);
    add_person(near, "dd", 2600);
    for (int i = 0; i < 20; i++)
        assert_string_equal(in_order(near, order), "cbad");
    drop(near);

    Table *fresh = make("[matchmaking]\nprefer = unplayed\n");
    add_person(fresh, "aa", 2000);
    add_person(fresh, "bb", 2000);
    fresh->known = " played/aa ";
    for (int i = 0; i < 20; i++)
        assert_string_equal(in_order(fresh, order), "ba");
    drop(fresh);
}

TEST(of_a_crowd_the_nearest_are_kept)
{
    char order[SEEK_CANDIDATES_MAX + 1];
    Table *table = make("[matchmaking]\nprefer = rating\n");
    for (int i = 1; i < CROWD; i++) {
        char id[3] = { (char)('a' + (i * 7) % 26), (char)('a' + i / 26), '\0' };
        add_person(table, id, 2000 + (i * 37 % CROWD) * 10);
    }
    in_order(table, order);
    assert_int_equal(strlen(order), SEEK_CANDIDATES_MAX);
    for (int place = 0; place < SEEK_CANDIDATES_MAX; place++)
        for (int i = 1; i < CROWD; i++)
            if (table->list[i].by_speed[SPEED_BLITZ] == 2000 + (place + 1) * 10)
                assert_int_equal(order[place], table->list[i].id[0]);
    drop(table);
}

TEST(of_a_crowd_everybody_has_a_chance_and_nobody_comes_twice)
{
    Table *table = make("");
    int first[CROWD] = { 0 };
    for (int i = 1; i < CROWD; i++) {
        char id[8];
        assert_true(snprintf(id, sizeof id, "p%02d", i) > 0);
        add_person(table, id, 2000);
    }
    for (int turn = 0; turn < 5900; turn++) {
        SeekPlan plan;
        assert_true(choose(table, &plan));
        assert_int_equal(plan.candidate_count, SEEK_CANDIDATES_MAX);
        for (int i = 0; i < plan.candidate_count; i++)
            for (int j = 0; j < i; j++)
                assert_string_not_equal(plan.candidates[i], plan.candidates[j]);
        first[strtol(plan.candidates[0] + 1, NULL, 10)]++;
    }
    for (int i = 1; i < CROWD; i++) /* 100 expected */
        assert_true(first[i] > 50 && first[i] < 160);
    drop(table);
}

TEST(refusals_teach_what_and_until_when)
{
    enum { HOUR = 3600, DAY = 86400 };
    static const struct {
        DeclineReason reason;
        const char *what;
        int64_t seconds;
    } rows[] = {
        { DECLINE_LATER, "aa", HOUR },
        { DECLINE_GENERIC, "aa", DAY },
        { DECLINE_UNKNOWN, "aa", DAY },
        { DECLINE_TOO_FAST, "aa/clock/60+1", 7 * DAY },
        { DECLINE_TOO_SLOW, "aa/clock/60+1", 7 * DAY },
        { DECLINE_TIME_CONTROL, "aa/clock/60+1", 7 * DAY },
        { DECLINE_RATED, "aa/mode/casual", 7 * DAY },
        { DECLINE_CASUAL, "aa/mode/casual", 7 * DAY },
        { DECLINE_STANDARD, "aa/variant/chess960", 7 * DAY },
        { DECLINE_VARIANT, "aa/variant/chess960", 7 * DAY },
        { DECLINE_NO_BOT, "aa", 30 * DAY },
        { DECLINE_ONLY_BOT, "aa", DAY },
    };
    const SeekPlan plan = { .base_s = 60, .increment_s = 1, .variant = VARIANT_CHESS960 };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char what[SEEK_WHAT_SIZE];
        int64_t seconds;
        seek_learn(&plan, "aa", rows[i].reason, what, &seconds);
        assert_string_equal(what, rows[i].what);
        assert_int_equal(seconds, rows[i].seconds);
    }
}

TEST(wrong_types_are_told_by_line)
{
    static const struct {
        const char *text, *problem;
    } rows[] = {
        { "[matchmaking.x]\nwieght = 1\n",
          "test:2: unknown key \"wieght\" in [matchmaking]; did you mean \"weight\"?\n" },
        { "[matchmaking.x]\nplay = yes\n",
          "test:2: matchmaking.play is the same for all games: a type of matchmaking cannot change "
          "it\n" },
        { "[matchmaking.x]\n[matchmaking.x]\n",
          "test:2: [matchmaking.x] is given twice; first in line 1\n" },
        { "[matchmaking.]\n", "test:1: a type needs a name: [matchmaking.NAME]\n" },
        { "[matchmaking.x]\nmin_rating = 2000\nmax_rating = 1000\n",
          "test:3: min_rating = 2000 is more than max_rating = 1000\n" },
        { "[rule x]\nmatchmaking.weight = 2\n",
          "test:2: matchmaking.weight is the same for all games: a rule cannot change it\n" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Config config;
        Buf problems;
        buf_init(&problems, 10000);
        assert_false(config_parse(&config, "test", rows[i].text, strlen(rows[i].text), &problems));
        assert_string_equal(buf_view(&problems), rows[i].problem);
        buf_release(&problems);
    }
}

TEST(each_variant_that_is_named_is_drawn)
{
    uint32_t drawn = 0;
    Table *table = make("[matchmaking]\nvariants = chess960, atomic, crazyhouse\n");
    add_person(table, "aa", 1500);
    for (int draw = 0; draw < 100; draw++) {
        SeekPlan plan;
        assert_true(choose(table, &plan));
        drawn |= 1U << plan.variant;
    }
    assert_int_equal(drawn,
                     1U << VARIANT_CHESS960 | 1U << VARIANT_ATOMIC | 1U << VARIANT_CRAZYHOUSE);
    drop(table);
}
