/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The status as a page and as metrics: metrics.h, page_html.h with its parts, and counters.h that
 * both show. */
#include "bot/lichess/jsonread.h"
#include "bot/admin/metrics.h"
#include "bot/ops/counters.h"
#include "bot/admin/board_svg.h"
#include "bot/admin/game_html.h"
#include "bot/admin/page_html.h"
#include "bot/admin/status_html.h"
#include "engine/core/fen.h"
#include "tests/unit.h"

typedef bool Writer(const struct json_object *status, Buf *out);

/* What is made of the status; the caller frees. */
static char *view(Writer *writer, const char *json)
{
    struct json_object *status = jsonread_parse(json, strlen(json), NULL);
    Buf out;
    assert_non_null(status);
    buf_init(&out, 1 << 20);
    assert_true(writer(status, &out));
    json_object_put(status);
    char *text = buf_take(&out);
    return text ? text : strdup("");
}

static void each_part_of_the_status_has_its_numbers(void **state)
{
    (void)state;
    static const struct {
        const char *json, *lines;
    } rows[] = {
        { "{}", "" },
        { "{\"online\":true}", "# HELP castled_online 1 while the event stream is open.\n"
                               "# TYPE castled_online gauge\ncastled_online 1\n" },
        { "{\"online\":false,\"games\":[{},{}]}", "castled_online 0\n" },
        { "{\"online\":false,\"games\":[{},{}]}", "# TYPE castled_games gauge\ncastled_games 2\n" },
        { "{\"tournaments\":[{}],\"correspondence_slots\":4}",
          "castled_correspondence_slots 4\n# HELP castled_tournaments Arena tournaments that we "
          "are "
          "in or want to be in.\n# TYPE castled_tournaments gauge\ncastled_tournaments 1\n" },
        { "{\"memory_kib\":-1}", "" },
        { "{\"memory_kib\":3}", "process_resident_memory_bytes 3072\n" },
        { "{\"pacer\":{\"last_minute\":7,\"waiting\":\"many\"}}",
          "castled_requests_last_minute 7\n" },
        { "{\"pacer\":{\"ranks\":{\"move\":{\"sent\":2,\"waited_ms\":1234},\"chat\":{\"sent\":1}}}"
          "}",
          "# TYPE castled_requests_total counter\ncastled_requests_total{kind=\"move\"} 2\n"
          "castled_requests_total{kind=\"chat\"} 1\n" },
        { "{\"pacer\":{\"ranks\":{\"move\":{\"sent\":2,\"waited_ms\":1234}}}}",
          "castled_requests_wait_seconds_total{kind=\"move\"} 1.234\n" },
        { "{\"pacer\":7,\"limits\":[],\"streams\":{\"event\":3},\"limited\":{\"rest\":null}}",
          "# TYPE castled_rate_limited_total counter\n" },
        { "{\"results\":{\"human\":{\"won\":3,\"drawn\":1,\"lost\":2,\"performance\":2100},"
          "\"bot\":{\"won\":0,\"drawn\":0,\"lost\":0}}}",
          "# TYPE castled_performance_rating gauge\n"
          "castled_performance_rating{opponent=\"human\"} 2100\n# HELP castled_archive_results" },
        { "{\"results\":{\"human\":{\"won\":3,\"drawn\":1,\"lost\":2},"
          "\"bot\":{\"won\":7,\"drawn\":\"x\"}}}",
          "# TYPE castled_archive_results gauge\n"
          "castled_archive_results{opponent=\"human\",result=\"won\"} 3\n"
          "castled_archive_results{opponent=\"human\",result=\"drawn\"} 1\n"
          "castled_archive_results{opponent=\"human\",result=\"lost\"} 2\n"
          "castled_archive_results{opponent=\"bot\",result=\"won\"} 7\n" },
        { "{\"results\":7}", "# TYPE castled_archive_results gauge\n" },
        { "{\"version\":\"1\",\"account\":\"a\\\"b\\\\c\\nd\"}",
          "castled_info{version=\"1\",account=\"a\\\"b\\\\c\\nd\",archive=\"\"} 1\n" },
        { "{\"moves\":{\"arrived\":4,\"echo_sum_ms\":12045,"
          "\"echo_within_ms\":{\"10\":1,\"2500\":2}}}",
          "# TYPE castled_move_echo_seconds histogram\n"
          "castled_move_echo_seconds_bucket{le=\"0.010\"} 1\n"
          "castled_move_echo_seconds_bucket{le=\"2.500\"} 3\n"
          "castled_move_echo_seconds_bucket{le=\"+Inf\"} 4\n"
          "castled_move_echo_seconds_sum 12.045\ncastled_move_echo_seconds_count 4\n" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char *text = view(metrics_write, rows[i].json);
        if (rows[i].lines[0] ? !strstr(text, rows[i].lines) : text[0] != '\0')
            fail_msg("%s:\n%s", rows[i].json, text);
        free(text);
    }
}

/* A status in which the same text stands wherever strangers' text may stand. */
#define FORM                                                                                       \
    "{\"account\":\"%s\",\"url\":\"%s\",\"version\":\"%s\","                                       \
    "\"games\":[{\"id\":\"%s\",\"white\":{\"name\":\"%s\",\"title\":\"%s\"},"                      \
    "\"plies\":3,\"variant\":\"%s\",\"turn\":\"%s\"}],"                                            \
    "\"tournaments\":[{\"id\":\"%s\",\"name\":\"%s\",\"state\":\"%s\"}],"                          \
    "\"scheduled\":[{\"challenge\":\"%s\",\"at\":\"%s\"}],"                                        \
    "\"waiting\":[{\"player\":\"%s\"}],\"limits\":{\"%s\":7},"                                     \
    "\"archive\":{\"state\":\"%s\",\"why\":\"%s\"}}"

static void what_strangers_write_is_text_on_the_page(void **state)
{
    (void)state;
    static const char *const hostile[] = {
        "<script>alert(1)</script>", "\\\" onmouseover=\\\"x",      "' autofocus onfocus='x",
        "&lt;img src=x&gt;",         "a\\u0000b\\u001b[31m\\u202e",
    };
    for (size_t i = 0; i < sizeof hostile / sizeof *hostile; i++) {
        const char *h = hostile[i];
        char json[2000];
        assert_true(snprintf(json, sizeof json, FORM, h, h, h, h, h, h, h, h, h, h, h, h, h, h, h,
                             h, h) > 0);
        char *page = view(page_html_overview, json);
        const char *body = strstr(page, "<body ");
        assert_non_null(body);
        assert_null(strstr(body, "<script"));
        assert_null(strstr(body, "<img"));
        assert_null(strstr(body, "\" onmouse"));
        assert_null(strchr(body, '\''));
        assert_null(strchr(body, '\x1b'));
        assert_null(strstr(body, "\xe2\x80\xae"));
        free(page);
    }
}

static void the_page_shows_what_there_is(void **state)
{
    (void)state;
    static const struct {
        const char *json, *part;
    } rows[] = {
        { "{}", "<p id=\"none\">No game is being played.</p>" },
        { "{\"games\":[{}]}", "<p id=\"none\" hidden>" },
        { "{\"online\":true,\"online_s\":7,\"up_s\":90061}", "online for 7 s; up for 1 d 1 h" },
        { "{\"draining\":true,\"up_s\":3700}",
          "offline</span>, takes no more games; up for 1 h 1 min" },
        { "{\"url\":\"https://x\",\"games\":[{\"id\":\"abc\",\"us\":\"black\"}]}",
          "<article class=\"game\" data-id=\"abc\" data-below=\"black\"" },
        { "{\"url\":\"https://x\",\"games\":[{\"id\":\"abc\"}]}",
          "<a class=\"server\" href=\"https://x/abc\">abc</a>" },
        { "{\"games\":[{\"white\":{\"name\":\"Alba\",\"title\":\"FM\",\"rating\":2200}}]}",
          "<b>FM</b> Alba <span class=\"rating\">2200</span>" },
        { "{\"games\":[{\"clock_ms\":{\"white\":61999},\"is_ticking\":true,\"turn\":\"white\"}]}",
          "<span class=\"clock runs\">1:01</span>" },
        { "{\"games\":[{\"clock_ms\":{\"white\":3661999}}]}",
          "<span class=\"clock\">1:01:01</span>" },
        { "{\"games\":[{\"variant\":\"standard\",\"speed\":\"blitz\",\"rated\":true,"
          "\"initial_s\":180,\"increment_s\":2,\"id\":\"a\"}]}",
          "href=\"/game/a\">standard blitz 180+2, rated</a>" },
        { "{\"games\":[{\"eval\":{\"cp\":-131,\"depth\":7}}]}",
          "<b class=\"score\">-1.31</b> <span class=\"depth\">depth 7</span>" },
        { "{\"games\":[{\"eval\":{\"mate\":-3}}]}", "<b class=\"score\">#-3</b>" },
        { "{\"games\":[{\"eval\":{\"mate\":3}}]}",
          "<rect class=\"white near\" y=\"0.0\" width=\"1\" height=\"100\"/>" },
        { "{\"games\":[{\"eval\":{\"pv\":[\"Nf3\",\"Nc6\",\"Bb5\"],\"pv_ply\":3}}]}",
          "<span class=\"pv\">2. Nf3 Nc6 3. Bb5</span>" },
        { "{\"games\":[{\"eval\":{\"pv\":[\"Nc6\",\"Bb5\"],\"pv_ply\":4}}]}",
          "<span class=\"pv\">2… Nc6 3. Bb5</span>" },
        { "{\"recent\":[{\"phase\":\"over\",\"result\":\"1-0\",\"status\":\"mate\"}]}",
          "<span class=\"state\">1-0 mate</span>" },
        { "{\"games\":[{\"phase\":\"joining\"}]}", "<div id=\"games\">\n</div>" },
        { "{\"waiting\":[{\"player\":\"a\"},{\"player\":\"b\"}],\"slots\":2,\"slots_used\":2}",
          "2 of 2 taken; waiting: a, b" },
        { "{\"waiting\":[{\"player\":\"a\",\"game\":\"3+2 rated standard\",\"waiting_s\":130},"
          "{\"player\":\"b\",\"game\":\"<i>\"}]}",
          "waiting: a (3+2 rated standard, for 2 min), b (&lt;i&gt;, for " },
        { "{\"slots\":2,\"slots_used\":0,\"correspondence_slots\":9,\"correspondence_used\":3}",
          "0 of 2 taken, 3 of 9 for correspondence" },
        { "{}", "<th>Planned<td>nothing" },
        { "{\"scheduled\":[{\"challenge\":\"alba 3+2 casual standard\",\"games\":2,"
          "\"at\":\"2026-11-22T18:00Z\"},{}]}",
          "alba 3+2 casual standard, 2 at 2026-11-22T18:00Z<br>" },
        { "{}", "<th>Tournaments<td>none" },
        { "{\"url\":\"https://x\",\"tournaments\":[{\"id\":\"abc\",\"name\":\"Bots & Co\","
          "\"state\":\"in\",\"ends_in_s\":90},{\"id\":\"def\",\"name\":\"\",\"state\":\"wanted\","
          "\"starts_in_s\":7,\"ends_in_s\":97}]}",
          "<a href=\"https://x/tournament/abc\">Bots &amp; Co</a>: in, ends in 1 min<br>"
          "<a href=\"https://x/tournament/def\">def</a>: wanted, starts in 7 s" },
        { "{\"limits\":{\"chat\":60}}", "limited: chat for 1 min" },
        { "{\"moves\":{\"arrived\":2,\"echo_sum_ms\":50,\"echo_worst_ms\":40}}",
          "2, on the server's list after 25 ms (worst 40 ms)" },
        { "{\"games\":7,\"waiting\":{},\"limits\":[],\"pacer\":[]}", "No game is being played." },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char *page = view(page_html_overview, rows[i].json);
        if (!strstr(page, rows[i].part))
            fail_msg("%s:\n%s", rows[i].json, page);
        free(page);
    }
}

static void a_board_has_its_pieces_where_they_stand(void **state)
{
    (void)state;
    static const struct {
        const char *fen, *last;
        Colour below;
        const char *part;
        int pieces;
    } rows[] = {
        { FEN_START, "", WHITE, "<use class=\"w\" href=\"#r\" x=\"0\" y=\"7\"", 32 },
        { FEN_START, "", BLACK, "<use class=\"w\" href=\"#r\" x=\"7\" y=\"0\"", 32 },
        { "8/8/8/3q4/8/8/8/8", "", WHITE, "<use class=\"b\" href=\"#q\" x=\"3\" y=\"3\"", 1 },
        { "8/8/8/3q4/8/8/8/8", "d1d5", WHITE, "<rect class=\"last\" x=\"3\" y=\"7\"", 1 },
        { "8/8/8/3q4/8/8/8/8", "d1d5", BLACK, "<rect class=\"last\" x=\"4\" y=\"0\"", 1 },
        { "8/8/8/3q4/8/8/8/8", "Q@d5", WHITE, "<g class=\"marks\"><rect class=\"last\" x=\"3\"",
          1 },
        { "", "", WHITE, "<g class=\"pieces\"></g>", 0 },
        { "9k/8", "", WHITE, "<g class=\"pieces\"></g>", 0 },
        { "8888kkkkkkkkkkkk/k", "<svg", WHITE, "<g class=\"marks\"></g>", 0 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Buf out;
        int pieces = 0;
        buf_init(&out, 1 << 16);
        assert_true(
            board_svg_write(&out, text_of(rows[i].fen), text_of(rows[i].last), rows[i].below));
        for (const char *at = buf_view(&out); (at = strstr(at, "<use ")); at++)
            pieces++;
        if (!strstr(buf_view(&out), rows[i].part) || pieces != rows[i].pieces)
            fail_msg("%s: %d pieces\n%s", rows[i].fen, pieces, buf_view(&out));
        buf_release(&out);
    }
}

static void a_game_has_as_much_around_it_as_is_wanted(void **state)
{
    (void)state;
    static const char json[] = "{\"id\":\"abc\",\"plies\":1,\"moves\":[{\"san\":\"<e4\"}]}";
    static const struct {
        GameHtmlDetail detail;
        bool has_thought, has_moves;
    } rows[] = { { GAME_HTML_BARE, false, false },
                 { GAME_HTML_CARD, true, false },
                 { GAME_HTML_WHOLE, true, true } };
    struct json_object *game = jsonread_parse(json, strlen(json), NULL);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Buf out;
        buf_init(&out, 1 << 16);
        assert_true(game_html_write(&out, game, text_of("https://x"), rows[i].detail));
        assert_int_equal(strstr(buf_view(&out), "class=\"thought\"") != NULL, rows[i].has_thought);
        assert_int_equal(strstr(buf_view(&out), "<li>&lt;e4</li>") != NULL, rows[i].has_moves);
        buf_release(&out);
    }
    json_object_put(game);
}

static void chances_are_those_of_lichess(void **state)
{
    (void)state;
    static const struct {
        const char *eval;
        double chances; /* lichess.org/page/accuracy: 50 + 50 (2 / (1 + e^(-0.00368208 cp)) - 1) */
    } rows[] = { { "{\"cp\":0}", 0.5 },   { "{\"cp\":100}", 0.591 }, { "{\"cp\":-300}", 0.249 },
                 { "{\"mate\":2}", 1.0 }, { "{\"mate\":-1}", 0.0 },  { "{}", 0.5 } };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct json_object *eval = jsonread_parse(rows[i].eval, strlen(rows[i].eval), NULL);
        double off = game_html_chances(eval) - rows[i].chances;
        assert_true(off < 0.001 && off > -0.001);
        json_object_put(eval);
    }
}

static void a_view_that_does_not_fit_is_refused(void **state)
{
    (void)state;
    static Writer *const writers[] = { metrics_write, page_html_overview };
    struct json_object *status = jsonread_parse("{\"online\":true,\"up_s\":1}", 24, NULL);
    for (size_t i = 0; i < 2; i++) {
        for (size_t most = 0; most < 100; most++) {
            Buf out;
            buf_init(&out, most);
            assert_false(writers[i](status, &out));
            buf_release(&out);
        }
    }
    json_object_put(status);
}

static void an_echo_counts_in_the_first_bucket_that_holds_it(void **state)
{
    (void)state;
    Counters counters = { 0 };
    static const int64_t times[] = { 0, 10, 11, 10000, 10001, 99999 };
    for (size_t i = 0; i < sizeof times / sizeof *times; i++)
        counters_confirmed(&counters, times[i]);
    assert_int_equal(counters.echo.count, 6);
    assert_int_equal(counters.echo.sum_ms, 0 + 10 + 11 + 10000 + 10001 + 99999);
    assert_int_equal(counters.echo.worst_ms, 99999);
    assert_int_equal(counters.echo.within[0], 2);
    assert_int_equal(counters.echo.within[1], 1);
    assert_int_equal(counters.echo.within[ECHO_BUCKETS - 1], 1);
    for (int i = 1; i < ECHO_BUCKETS; i++)
        assert_true(echo_bounds_ms[i] > echo_bounds_ms[i - 1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_part_of_the_status_has_its_numbers),
        cmocka_unit_test(what_strangers_write_is_text_on_the_page),
        cmocka_unit_test(the_page_shows_what_there_is),
        cmocka_unit_test(a_board_has_its_pieces_where_they_stand),
        cmocka_unit_test(a_game_has_as_much_around_it_as_is_wanted),
        cmocka_unit_test(chances_are_those_of_lichess),
        cmocka_unit_test(a_view_that_does_not_fit_is_refused),
        cmocka_unit_test(an_echo_counts_in_the_first_bucket_that_holds_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
