/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/ops/log.h"
#include "tests/unit.h"

#include <fcntl.h>
#include <inttypes.h>
#include <sys/stat.h>
#include <unistd.h>

/* A log into a pipe, and what came out of it. */
typedef struct {
    Log log;
    int read_fd, write_fd;
    char text[8192];
} Piped;

static void open_pipe(Piped *piped, LogLevel level, LogForm form)
{
    int fds[2];
    assert_int_equal(pipe(fds), 0);
    assert_int_equal(fcntl(fds[0], F_SETFL, O_NONBLOCK), 0);
    piped->read_fd = fds[0];
    piped->write_fd = fds[1];
    log_init(&piped->log, fds[1], level, form);
}

static const char *written(Piped *piped)
{
    ssize_t n = read(piped->read_fd, piped->text, sizeof piped->text - 1);
    piped->text[n > 0 ? n : 0] = '\0';
    return piped->text;
}

static void close_pipe(Piped *piped)
{
    close(piped->read_fd);
    close(piped->write_fd);
}

static void an_event_is_one_line_of_words_and_values(void **state)
{
    (void)state;
    Piped piped;
    open_pipe(&piped, LEVEL_INFO, LOG_FORM_PLAIN);
    log_info(&piped.log, "game", "move id=%s ply=%d uci=%.*s score=%+d", "abcd1234", 12, 4,
             "e2e4e5", 31);
    assert_string_equal(written(&piped), "info game move id=abcd1234 ply=12 uci=e2e4 score=+31\n");
    log_warning(&piped.log, "daemon", "stopped");
    assert_string_equal(written(&piped), "warning daemon stopped\n");
    close_pipe(&piped);
}

static void every_number_is_written_whole(void **state)
{
    (void)state;
    Piped piped;
    open_pipe(&piped, LEVEL_INFO, LOG_FORM_PLAIN);
    log_info(&piped.log, "a", "b d=%d ld=%" PRId64 " lld=%lld u=%u zu=%zu x=%x lx=%" PRIx64, -7,
             INT64_MIN, -9LL, 4000000000u, (size_t)5, 255u, UINT64_MAX);
    assert_string_equal(written(&piped),
                        "info a b d=-7 ld=-9223372036854775808 lld=-9 u=4000000000 zu=5 x=ff "
                        "lx=ffffffffffffffff\n");
    log_info(&piped.log, "a", "b f=%.2f share=%d%% c=%c", 3.14159, 50, 'q');
    assert_string_equal(written(&piped), "info a b f=3.14 share=50% c=q\n");
    close_pipe(&piped);
}

static void strangers_text_stays_inside_its_value(void **state)
{
    (void)state;
    static const struct {
        const char *in, *out;
    } rows[] = {
        { "plain", "plain" },
        { "", "\"\"" },
        { "two words", "\"two words\"" },
        { "id=fake", "\"id=fake\"" },
        { "say \"hi\" \\o/", "\"say \\\"hi\\\" \\\\o/\"" },
        { "a\nerror game lost", "\"a\\nerror game lost\"" },
        { "\x1b[2J", "\"\\u001b[2J\"" },
        { "\t", "\"\\u0009\"" },
        { "h\xc3\xa9llo", "h\xc3\xa9llo" },
        { "\xe2\x99\x9e", "\xe2\x99\x9e" },
        { "\xf0\x9f\x90\xb4", "\xf0\x9f\x90\xb4" },
        { "\xff", "\"\\xff\"" },
        { "\xc3", "\"\\xc3\"" },
        { "\xc0\xaf", "\"\\xc0\\xaf\"" },                      /* overlong */
        { "\xed\xa0\x80", "\"\\xed\\xa0\\x80\"" },             /* surrogate */
        { "\xf4\x90\x80\x80", "\"\\xf4\\x90\\x80\\x80\"" },    /* beyond Unicode */
        { "\xc2\x9b", "\"\\u009b\"" },                         /* a control of its own */
        { "abc\xe2\x80\xaegpj.exe", "\"abc\\u202egpj.exe\"" }, /* text turned round */
        { "\xe2\x80\xa8", "\"\\u2028\"" },
        { "\x7f", "\"\\u007f\"" },
        { NULL, "(null)" },
    };
    Piped piped;
    open_pipe(&piped, LEVEL_INFO, LOG_FORM_PLAIN);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char expected[200];
        assert_true(
            snprintf(expected, sizeof expected, "info chat line text=%s end=1\n", rows[i].out) > 0);
        log_info(&piped.log, "chat", "line text=%s end=%d", rows[i].in, 1);
        assert_string_equal(written(&piped), expected);
    }
    close_pipe(&piped);
}

static void less_urgent_levels_are_left_out(void **state)
{
    (void)state;
    Piped piped;
    open_pipe(&piped, LEVEL_WARNING, LOG_FORM_PLAIN);
    log_debug(&piped.log, "a", "debug");
    log_info(&piped.log, "a", "info");
    assert_string_equal(written(&piped), "");
    log_warning(&piped.log, "a", "x");
    log_error(&piped.log, "a", "y");
    assert_string_equal(written(&piped), "warning a x\nerror a y\n");
    piped.log.level = LEVEL_DEBUG;
    log_debug(&piped.log, "a", "z");
    assert_string_equal(written(&piped), "debug a z\n");
    log_error(NULL, "a", "nobody listens");
    close_pipe(&piped);
}

static void journal_lines_begin_with_their_priority(void **state)
{
    (void)state;
    Piped piped;
    open_pipe(&piped, LEVEL_DEBUG, LOG_FORM_JOURNAL);
    log_error(&piped.log, "a", "b");
    log_warning(&piped.log, "a", "b");
    log_info(&piped.log, "a", "b");
    log_debug(&piped.log, "a", "b");
    assert_string_equal(written(&piped),
                        "<3>error a b\n<4>warning a b\n<6>info a b\n<7>debug a b\n");
    close_pipe(&piped);
}

static void other_lines_begin_with_the_time(void **state)
{
    (void)state;
    Piped piped;
    open_pipe(&piped, LEVEL_INFO, LOG_FORM_TIME);
    log_info(&piped.log, "a", "b");
    int year, month, day, hour, minute, second, ms, end = 0;
    assert_int_equal(sscanf(written(&piped), "%4d-%2d-%2d %2d:%2d:%2d.%3d info a b%n", &year,
                            &month, &day, &hour, &minute, &second, &ms, &end),
                     7);
    assert_int_equal(end, 32);
    assert_true(year >= 2024);
    close_pipe(&piped);
}

static void the_journal_is_known_by_its_own_stream(void **state)
{
    (void)state;
    Piped piped;
    open_pipe(&piped, LEVEL_INFO, LOG_FORM_PLAIN);
    struct stat here;
    char stream[64];
    assert_int_equal(fstat(piped.write_fd, &here), 0);
    assert_true(snprintf(stream, sizeof stream, "%ju:%ju", (uintmax_t)here.st_dev,
                         (uintmax_t)here.st_ino) > 0);
    unsetenv("JOURNAL_STREAM");
    assert_int_equal(log_form_for(piped.write_fd), LOG_FORM_TIME);
    setenv("JOURNAL_STREAM", stream, 1);
    assert_int_equal(log_form_for(piped.write_fd), LOG_FORM_JOURNAL);
    setenv("JOURNAL_STREAM", "8:1", 1);
    assert_int_equal(log_form_for(piped.write_fd), LOG_FORM_TIME);
    unsetenv("JOURNAL_STREAM");
    close_pipe(&piped);
}

static void long_lines_are_cut_between_characters(void **state)
{
    (void)state;
    Piped piped;
    open_pipe(&piped, LEVEL_INFO, LOG_FORM_PLAIN);
    char text[6001];
    for (size_t i = 0; i < 6000; i += 3)
        memcpy(text + i, "\xe2\x99\x9e", 3);
    text[6000] = '\0';
    for (int shift = 0; shift < 3; shift++) {
        log_info(&piped.log, "a", "b text%.*s=%s", shift, "xx", text);
        const char *line = written(&piped);
        size_t len = strlen(line);
        assert_in_range(len, LOG_LINE_MAX - 8, LOG_LINE_MAX + 4);
        assert_memory_equal(line + len - 7, "\xe2\x99\x9e\xe2\x80\xa6\n", 7);
    }
    close_pipe(&piped);
}

static void a_reader_that_does_not_read_costs_lines_not_time(void **state)
{
    (void)state;
    Piped piped;
    open_pipe(&piped, LEVEL_INFO, LOG_FORM_PLAIN);
    char text[1001];
    memset(text, 'x', 1000);
    text[1000] = '\0';
    for (int i = 0; i < 500; i++) /* far more than a pipe holds */
        log_info(&piped.log, "a", "b text=%s", text);
    assert_in_range(piped.log.dropped, 400, 499);
    unsigned long dropped = piped.log.dropped;
    while (written(&piped)[0])
        continue;
    log_info(&piped.log, "a", "again");
    char expected[100];
    assert_true(snprintf(expected, sizeof expected, "warning log dropped lines=%lu\ninfo a again\n",
                         dropped) > 0);
    assert_string_equal(written(&piped), expected);
    assert_int_equal(piped.log.dropped, 0);
    close_pipe(&piped);
}

static void a_reader_that_left_is_no_harm(void **state)
{
    (void)state;
    Piped piped;
    open_pipe(&piped, LEVEL_INFO, LOG_FORM_PLAIN);
    close(piped.read_fd);
    log_info(&piped.log, "a", "b"); /* no SIGPIPE: poll tells of the error first */
    assert_int_equal(piped.log.dropped, 1);
    close(piped.write_fd);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_event_is_one_line_of_words_and_values),
        cmocka_unit_test(every_number_is_written_whole),
        cmocka_unit_test(strangers_text_stays_inside_its_value),
        cmocka_unit_test(less_urgent_levels_are_left_out),
        cmocka_unit_test(journal_lines_begin_with_their_priority),
        cmocka_unit_test(other_lines_begin_with_the_time),
        cmocka_unit_test(the_journal_is_known_by_its_own_stream),
        cmocka_unit_test(long_lines_are_cut_between_characters),
        cmocka_unit_test(a_reader_that_does_not_read_costs_lines_not_time),
        cmocka_unit_test(a_reader_that_left_is_no_harm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
