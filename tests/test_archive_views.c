/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the page shows of the archive: archive_query.h, games_html.h, stats_html.h, chart_svg.h. */
#include "bot/admin/chart_svg.h"
#include "bot/admin/games_html.h"
#include "bot/admin/stats_html.h"
#include "bot/lichess/jsonread.h"
#include "engine/base/duration.h"
#include "tests/records.h"
#include "tests/unit.h"

#include <math.h>

static void an_address_says_which_games(void **state)
{
    (void)state;
    static const struct {
        const char *name, *value;
        ArchiveQuery query;
    } rows[] = {
        { "opponent", " Alba ", { .opponent = "Alba" } },
        { "opponent", "<b>\"'", { .opponent = "<b>\"'" } },
        { "against", "bot", { .kind = STORE_BOTS } },
        { "against", "human", { .kind = STORE_HUMANS } },
        { "against", "Bot", { .kind = 0 } },
        { "speed", "rapid", { .speed = SPEED_RAPID } },
        { "speed", "", { .speed = SPEED_UNKNOWN } },
        { "speed", "'; DROP TABLE game", { .speed = SPEED_UNKNOWN } },
        { "result", "lost", { .outcome = STORE_LOST } },
        { "days", "30", { .days = 30 } },
        { "days", "31", { .days = 0 } },
        { "page", "12", { .page = 12 } },
        { "page", "-1", { .page = 0 } },
        { "page", "99999999999999999999", { .page = 0 } },
        { "pages", "1", { .page = 0 } },
        { "", "", { .page = 0 } },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        ArchiveQuery query = { .page = 0 };
        archive_query_take(&query, text_of(rows[i].name), text_of(rows[i].value));
        if (strcmp(query.opponent, rows[i].query.opponent) != 0 ||
            query.kind != rows[i].query.kind || query.speed != rows[i].query.speed ||
            query.outcome != rows[i].query.outcome || query.days != rows[i].query.days ||
            query.page != rows[i].query.page)
            fail_msg("%s=%s", rows[i].name, rows[i].value);
    }
}

static void names_that_cannot_be_are_nobodys(void **state)
{
    (void)state;
    char name[RECORD_NAME_SIZE + 1];
    ArchiveQuery query = { .opponent = "alba" };
    memset(name, 'a', sizeof name);
    archive_query_take(&query, text_of("opponent"), (Text){ name, sizeof name });
    archive_query_take(&query, text_of("opponent"), (Text){ "a\0b", 3 });
    assert_string_equal(query.opponent, "alba");
    archive_query_take(&query, text_of("opponent"), (Text){ NULL, 0 });
    assert_string_equal(query.opponent, "");
    query.days = 7;
    StoreFilter filter = archive_query_filter(&query, 10 * DURATION_DAY_MS);
    assert_null(filter.opponent);
    assert_int_equal(filter.since_ms, 3 * DURATION_DAY_MS);
}

/* The caller frees. */
static char *list(const ArchiveQuery *query, const GameRecord *record, bool has_more)
{
    struct json_object *site = jsonread_parse("{\"account\":\"we\"}", 16, NULL);
    Buf out;
    buf_init(&out, 1 << 20);
    assert_true(games_html_begin(&out, site, query) && games_html_row(&out, record, 33) &&
                games_html_end(&out, query, has_more));
    json_object_put(site);
    return buf_take(&out);
}

static void a_list_has_a_row_and_a_link_for_each_game(void **state)
{
    (void)state;
    static const char *const parts[] = {
        "<a href=\"/game/abcdefgh\"><time datetime=\"2026-09-21T14:14Z\">2026-09-21 14:14</time>",
        "<b>FM</b> alba <span class=\"rating\">2213</span>",
        "<td class=\"won\">won</td><td>resign</td><td>white</td><td>blitz 180+2, rated</td>",
        "<td class=\"n\">17</td>",
        "<option value=\"blitz\" selected>blitz</option>",
        "<button form=\"filter\" name=\"page\" value=\"1\">← later</button>",
        "<button form=\"filter\" name=\"page\" value=\"3\">earlier →</button>",
        "<a href=\"/games\" aria-current=\"page\">finished games</a>",
    };
    const ArchiveQuery query = { .speed = SPEED_BLITZ, .page = 2 };
    GameRecord record;
    record_make(&record, "abcdefgh", "alba", "e2e4");
    char *text = list(&query, &record, true);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (!strstr(text, parts[i]))
            fail_msg("%s:\n%s", parts[i], text);
    free(text);
    text = list(&(ArchiveQuery){ .page = 0 }, &record, false);
    assert_null(strstr(text, "form=\"filter\""));
    free(text);
    record_release(&record);
}

static const char *const hostile[] = {
    "<script>alert(1)</script>", "\" onmouseover=\"x", "' autofocus onfocus='x",
    "a\x1b[31m\xe2\x80\xae",     "\xff\xfe<b>",
};

/* From where our own tags end to where they begin. */
static void check_text(const char *text)
{
    const char *body = strstr(text, "<body ");
    body = body ? body : text;
    assert_null(strstr(body, "<script>"));
    assert_null(strstr(body, "<b>alert"));
    assert_null(strstr(body, "\" onmouse"));
    assert_null(strstr(body, "' autofocus"));
    assert_null(strchr(body, '\x1b'));
    assert_null(strstr(body, "\xe2\x80\xae"));
    assert_null(strchr(body, '\xff'));
}

static void what_strangers_write_is_text_in_lists_and_charts(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof hostile / sizeof *hostile; i++) {
        GameRecord record;
        ArchiveQuery query = { .page = 0 };
        Buf out;
        Chart *chart = calloc(1, sizeof *chart);
        archive_query_take(&query, text_of("opponent"), text_of(hostile[i]));
        record_make(&record, "abcdefgh", "alba", "e2e4");
        assert_true(text_copy(record.players[BLACK].name, RECORD_NAME_SIZE, text_of(hostile[i])));
        memcpy(record.players[BLACK].title, "<b>\"'&", 7);
        char *text = list(&query, &record, false);
        check_text(text);
        free(text);
        record_release(&record);
        buf_init(&out, 1 << 16);
        const StatsRow row = { .name = hostile[i], .games = 1, .won = 1 };
        assert_true(stats_html_row(&out, &row));
        *chart =
            (Chart){ .title = hostile[i], .place = hostile[i], .places = 1, .series_count = 1 };
        chart->series[0] = (ChartSeries){ .name = hostile[i], .values = { 1 } };
        (void)!text_copy(chart->names[0], CHART_NAME_SIZE, text_of(hostile[i]));
        assert_true(chart_svg_write(&out, chart));
        check_text(buf_view(&out));
        buf_release(&out);
        free(chart);
    }
}

static void a_chart_has_its_values_as_drawing_words_and_table(void **state)
{
    (void)state;
    static const struct {
        ChartKind kind;
        double a[3], b[3];
        const char *part;
    } rows[] = {
        { CHART_BARS, { 1, 2, NAN }, { 3, NAN, NAN }, "t: A 2 at last, B 3 at last\"" },
        { CHART_BARS, { 1, 2, NAN }, { 3, NAN, NAN }, "<tr><td>y</td><td class=\"n\">2</td><td>" },
        { CHART_BARS, { 1, 2, NAN }, { 3, NAN, NAN }, "<rect class=\"s1\"" },
        { CHART_LINES, { 1, 2, NAN }, { 3, NAN, 7 }, "<title>z: B 7</title></circle>" },
        { CHART_LINES, { 0, 0, 0 }, { 0, 0, 0 }, "class=\"end\">0</text>" },
        { CHART_LINES, { -5, 0, 5 }, { NAN, NAN, NAN }, "class=\"end\">-5</text>" },
        { CHART_LINES, { NAN, NAN, NAN }, { NAN, NAN, NAN }, "" },
        { CHART_LINES, { INFINITY, NAN, NAN }, { NAN, NAN, NAN }, "" },
        { CHART_LINES, { 1e300, 1, NAN }, { NAN, NAN, NAN }, "" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Buf out;
        Chart *chart = calloc(1, sizeof *chart);
        *chart = (Chart){ .kind = rows[i].kind,
                          .title = "t",
                          .place = "p",
                          .places = 3,
                          .series_count = 2,
                          .names = { "x", "y", "z" } };
        chart->series[0].name = "A";
        chart->series[1].name = "B";
        memcpy(chart->series[0].values, rows[i].a, sizeof rows[i].a);
        memcpy(chart->series[1].values, rows[i].b, sizeof rows[i].b);
        buf_init(&out, 1 << 16);
        assert_true(chart_svg_write(&out, chart));
        if (rows[i].part[0] ? !strstr(buf_view(&out), rows[i].part) : out.len > 0)
            fail_msg("%zu:\n%s", i, buf_view(&out));
        assert_null(strstr(buf_view(&out), "nan"));
        buf_release(&out);
        free(chart);
    }
}

static void statistics_say_what_was_counted(void **state)
{
    (void)state;
    static const char moves[] = "{\"arrived\":7,\"echo_within_ms\":{\"10\":3,\"25\":4}}";
    static const char *const parts[] = {
        "<td>human</td><td class=\"n\">4</td><td class=\"n\">2</td><td class=\"n\">1</td>",
        "<td class=\"n\">1</td><td class=\"n\">62.5 %</td>",
        "results against bots: won 3 at last",
        "our rating: blitz 2010 at last",
        "<td>2024-10-05</td>",
        "<td>blitz</td><td class=\"n\">1</td><td class=\"n\">5.0 s</td><td></td>",
        "<td class=\"n\">25 %</td>",
        "<td class=\"n\">200 ms</td><td class=\"n\">200 ms</td>",
        "<title>25 ms: moves 4</title>",
    };
    Buf out;
    Progress progress = { .begins_ms = 20000 * DURATION_DAY_MS,
                          .step_ms = DURATION_DAY_MS,
                          .count = 2,
                          .rating_count = 1 };
    const TimeUse times[SPEED_COUNT] = { [SPEED_BLITZ] = { .games = 1,
                                                           .share = 0.25,
                                                           .spent = { { 1, 5000, 5000 } },
                                                           .lag = { 1, 200, 200 } } };
    const TimeUse no_times[SPEED_COUNT] = { [SPEED_BLITZ] = { .games = 0 } };
    const TimeByMove by_move = { .spent = { { [1] = { 1, 5000, 5000 } } } };
    struct json_object *status = jsonread_parse(moves, sizeof moves - 1, NULL);
    progress.results[AGAINST_BOTS][1].won = 3;
    memcpy(progress.ratings[0].name, "blitz", 6);
    progress.ratings[0].rating[1] = 2010;
    buf_init(&out, 1 << 18);
    const StatsRow row = { .name = "human", .games = 4, .won = 2, .drawn = 1, .lost = 1 };
    assert_true(stats_html_begin(&out, NULL, &(ArchiveQuery){ .page = 0 }) &&
                stats_html_table(&out, "Against", "kind") && stats_html_row(&out, &row) &&
                stats_html_table_end(&out) && stats_html_progress(&out, &progress) &&
                stats_html_times(&out, times, &by_move) && stats_html_echo(&out, status) &&
                stats_html_end(&out));
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (!strstr(buf_view(&out), parts[i]))
            fail_msg("%s:\n%s", parts[i], buf_view(&out));
    buf_reset(&out);
    assert_true(stats_html_progress(&out, &(Progress){ .count = 0 }) &&
                stats_html_times(&out, no_times, &by_move) && stats_html_echo(&out, NULL));
    assert_int_equal(out.len, 0);
    json_object_put(status);
    buf_release(&out);
}

static void what_does_not_fit_is_refused(void **state)
{
    (void)state;
    GameRecord record;
    record_make(&record, "abcdefgh", "alba", "e2e4");
    for (size_t most = 0; most < 200; most++) {
        Buf out;
        buf_init(&out, most);
        assert_false(games_html_begin(&out, NULL, &(ArchiveQuery){ .page = 0 }));
        buf_reset(&out);
        assert_false(games_html_row(&out, &record, 1));
        buf_release(&out);
    }
    record_release(&record);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_address_says_which_games),
        cmocka_unit_test(names_that_cannot_be_are_nobodys),
        cmocka_unit_test(a_list_has_a_row_and_a_link_for_each_game),
        cmocka_unit_test(what_strangers_write_is_text_in_lists_and_charts),
        cmocka_unit_test(a_chart_has_its_values_as_drawing_words_and_table),
        cmocka_unit_test(statistics_say_what_was_counted),
        cmocka_unit_test(what_does_not_fit_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
