/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The status as metrics, and the counters.h that they show. */
#include "bot/admin/metrics.h"
#include "bot/ops/jsonread.h"
#include "bot/ops/counters.h"
#include "tests/support/unit.h"

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

TEST(each_part_of_the_status_has_its_numbers)
{
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

TEST(metrics_that_do_not_fit_are_refused)
{
    static const char json[] = "{\"online\":true,\"games\":[]}";
    struct json_object *status = jsonread_parse(json, sizeof json - 1, NULL);
    for (size_t most = 0; most < 100; most++) {
        Buf out;
        buf_init(&out, most);
        assert_false(metrics_write(status, &out));
        buf_release(&out);
    }
    json_object_put(status);
}

TEST(an_echo_counts_in_the_first_bucket_that_holds_it)
{
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
