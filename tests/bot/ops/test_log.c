/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/ops/log.h"
#include "tests/support/unit.h"

#include <fcntl.h>
#include <inttypes.h>
#include <json-c/json.h>
#include <sys/socket.h>
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

TEST(an_event_is_one_line_of_words_and_values)
{
    Piped piped;
    open_pipe(&piped, LEVEL_INFO, LOG_FORM_PLAIN);
    log_info(&piped.log, "game", "move",
             FIELDS(F("id", "abcd1234"), F("ply", 12), F("uci", ((Text){ "e2e4e5", 4 })),
                    F("score", "+31")));
    assert_string_equal(written(&piped), "info game move id=abcd1234 ply=12 uci=e2e4 score=+31\n");
    log_warning(&piped.log, "daemon", "stopped", NO_FIELDS);
    assert_string_equal(written(&piped), "warning daemon stopped\n");
    close_pipe(&piped);
}

TEST(every_number_is_written_whole)
{
    Piped piped;
    open_pipe(&piped, LEVEL_INFO, LOG_FORM_PLAIN);
    log_info(&piped.log, "a", "b",
             FIELDS(F("d", -7), F("ld", INT64_MIN), F("lld", -9LL), F("u", 4000000000u),
                    F("zu", (size_t)5), F("lu", UINT64_MAX), F("f", 3.14159)));
    assert_string_equal(written(&piped),
                        "info a b d=-7 ld=-9223372036854775808 lld=-9 u=4000000000 "
                        "zu=5 lu=18446744073709551615 f=3.14\n");
    close_pipe(&piped);
}

TEST(strangers_text_stays_inside_its_value)
{
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
        { NULL, "\"\"" },
    };
    Piped piped;
    open_pipe(&piped, LEVEL_INFO, LOG_FORM_PLAIN);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char expected[200];
        assert_true(
            snprintf(expected, sizeof expected, "info chat line text=%s end=1\n", rows[i].out) > 0);
        log_info(&piped.log, "chat", "line", FIELDS(F("text", rows[i].in), F("end", 1)));
        assert_string_equal(written(&piped), expected);
    }
    close_pipe(&piped);
}

TEST(less_urgent_levels_are_left_out)
{
    Piped piped;
    open_pipe(&piped, LEVEL_WARNING, LOG_FORM_PLAIN);
    log_debug(&piped.log, "a", "debug", NO_FIELDS);
    log_info(&piped.log, "a", "info", NO_FIELDS);
    assert_string_equal(written(&piped), "");
    log_warning(&piped.log, "a", "x", NO_FIELDS);
    log_error(&piped.log, "a", "y", NO_FIELDS);
    assert_string_equal(written(&piped), "warning a x\nerror a y\n");
    piped.log.level = LEVEL_DEBUG;
    log_debug(&piped.log, "a", "z", NO_FIELDS);
    assert_string_equal(written(&piped), "debug a z\n");
    log_error(NULL, "a", "nobody", FIELDS(F("listens", "")));
    close_pipe(&piped);
}

TEST(lines_for_a_journals_stream_begin_with_their_priority)
{
    Piped piped;
    open_pipe(&piped, LEVEL_DEBUG, LOG_FORM_PRIORITY);
    log_error(&piped.log, "a", "b", NO_FIELDS);
    log_warning(&piped.log, "a", "b", NO_FIELDS);
    log_info(&piped.log, "a", "b", NO_FIELDS);
    log_debug(&piped.log, "a", "b", NO_FIELDS);
    assert_string_equal(written(&piped),
                        "<3>error a b\n<4>warning a b\n<6>info a b\n<7>debug a b\n");
    close_pipe(&piped);
}

TEST(other_lines_begin_with_the_time)
{
    Piped piped;
    open_pipe(&piped, LEVEL_INFO, LOG_FORM_TIME);
    log_info(&piped.log, "a", "b", NO_FIELDS);
    int year, month, day, hour, minute, second, ms, east, minutes, end = 0;
    assert_int_equal(sscanf(written(&piped), "%4d-%2d-%2d %2d:%2d:%2d.%3d%3d:%2d info a b%n", &year,
                            &month, &day, &hour, &minute, &second, &ms, &east, &minutes, &end),
                     9);
    assert_int_equal(end, 38);
    assert_in_range(east + 14, 0, 28);
    assert_true(year >= 2024);
    close_pipe(&piped);
}

/* The journal's end of its socket. */
typedef struct {
    char path[100];
    int fd;
    char entry[16384];
} Journal;

static void open_journal(Journal *journal)
{
    struct sockaddr_un address = { .sun_family = AF_UNIX };
    int n = snprintf(journal->path, sizeof journal->path, "/tmp/castled-journal-%d", (int)getpid());
    assert_in_range(n, 1, sizeof journal->path - 1);
    memcpy(address.sun_path, journal->path, (size_t)n + 1);
    unlink(journal->path);
    journal->fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK, 0);
    assert_int_equal(bind(journal->fd, (const struct sockaddr *)&address, sizeof address), 0);
}

static const char *entered(Journal *journal)
{
    ssize_t n = recv(journal->fd, journal->entry, sizeof journal->entry - 1, 0);
    journal->entry[n > 0 ? n : 0] = '\0';
    return journal->entry;
}

static void close_journal(Journal *journal)
{
    close(journal->fd);
    unlink(journal->path);
}

/* As systemd names the journal's stream in $JOURNAL_STREAM. */
static void name_stream(int fd, char out[64])
{
    struct stat here;
    assert_int_equal(fstat(fd, &here), 0);
    assert_true(snprintf(out, 64, "%ju:%ju", (uintmax_t)here.st_dev, (uintmax_t)here.st_ino) > 0);
}

TEST(the_journal_is_known_by_its_own_stream)
{
    Piped piped;
    Journal journal;
    open_pipe(&piped, LEVEL_INFO, LOG_FORM_PLAIN);
    open_journal(&journal);
    char ours[64];
    name_stream(piped.write_fd, ours);
    const struct {
        const char *stream, *socket;
        LogFormat format;
        LogForm form;
        bool ok;
    } rows[] = {
        { NULL, journal.path, LOG_AUTO, LOG_FORM_TIME, true },
        { "8:1", journal.path, LOG_AUTO, LOG_FORM_TIME, true },
        { ours, journal.path, LOG_AUTO, LOG_FORM_JOURNAL, true },
        { ours, "/nowhere/socket", LOG_AUTO, LOG_FORM_PRIORITY, true },
        { NULL, journal.path, LOG_TEXT, LOG_FORM_TIME, true },
        { ours, journal.path, LOG_TEXT, LOG_FORM_PRIORITY, true },
        { ours, journal.path, LOG_JSON, LOG_FORM_JSON, true },
        { NULL, journal.path, LOG_JOURNAL, LOG_FORM_JOURNAL, true },
        { NULL, "/nowhere/socket", LOG_JOURNAL, LOG_FORM_TIME, false },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Log log;
        Error err = { 0 };
        if (rows[i].stream)
            setenv("JOURNAL_STREAM", rows[i].stream, 1);
        else
            unsetenv("JOURNAL_STREAM");
        bool ok = log_open(&log, piped.write_fd, LEVEL_INFO, rows[i].format, rows[i].socket, &err);
        if (ok != rows[i].ok || log.form != rows[i].form)
            fail_msg("row %zu: form %d, %s", i, (int)log.form, err.text);
        assert_int_equal(error_is_set(&err), !ok);
        log_close(&log);
    }
    unsetenv("JOURNAL_STREAM");
    close_journal(&journal);
    close_pipe(&piped);
}

TEST(the_last_error_can_be_said_on_the_journals_stream)
{
    Piped piped;
    Journal journal;
    Log log;
    open_pipe(&piped, LEVEL_INFO, LOG_FORM_PLAIN);
    open_journal(&journal);
    char ours[64];
    name_stream(piped.write_fd, ours);
    setenv("JOURNAL_STREAM", ours, 1);
    assert_true(log_open(&log, piped.write_fd, LEVEL_INFO, LOG_AUTO, journal.path, NULL));
    log_last_words(&log);
    log_error(&log, "a", "first", NO_FIELDS);
    log_error(&log, "account", "no-token", FIELDS(F("why", "there is none")));
    log_info(&log, "a", "later", NO_FIELDS);
    assert_string_equal(written(&piped), "");
    log_last_words(&log);
    assert_string_equal(written(&piped), "<3>error account no-token why=\"there is none\"\n");
    log_close(&log);

    assert_true(log_open(&log, piped.write_fd, LEVEL_INFO, LOG_TEXT, journal.path, NULL));
    log_error(&log, "a", "b", NO_FIELDS);
    assert_string_equal(written(&piped), "<3>error a b\n");
    log_last_words(&log);
    assert_string_equal(written(&piped), "");
    log_close(&log);
    unsetenv("JOURNAL_STREAM");
    close_journal(&journal);
    close_pipe(&piped);
}

TEST(an_entry_of_the_journal_has_the_values_as_fields)
{
    Journal journal;
    Log log;
    open_journal(&journal);
    assert_true(log_open(&log, -1, LEVEL_INFO, LOG_JOURNAL, journal.path, NULL));
    log_info(&log, "game", "move",
             FIELDS(F("id", "abcd1234"), F("ply", 12), F("score", "+31"), F("for-us", "a win")));
    assert_string_equal(entered(&journal),
                        "PRIORITY=6\nSYSLOG_IDENTIFIER=castled\n"
                        "MESSAGE=info game move id=abcd1234 ply=12 score=+31 for-us=\"a win\"\n"
                        "CASTLED_COMPONENT=game\nCASTLED_EVENT=move\nCASTLED_GAME=abcd1234\n"
                        "CASTLED_PLY=12\nCASTLED_SCORE=+31\nCASTLED_FOR_US=a win\n");
    log_error(&log, "chat", "heard", FIELDS(F("text", "\nPRIORITY=0\n_UID=0")));
    assert_string_equal(entered(&journal),
                        "PRIORITY=3\nSYSLOG_IDENTIFIER=castled\n"
                        "MESSAGE=error chat heard text=\"\\nPRIORITY=0\\n_UID=0\"\n"
                        "CASTLED_COMPONENT=chat\nCASTLED_EVENT=heard\n"
                        "CASTLED_TEXT=\\nPRIORITY=0\\n_UID=0\n");
    log_close(&log);
    close_journal(&journal);
}

TEST(a_journal_that_does_not_read_costs_entries_not_time)
{
    Journal journal;
    Log log;
    char text[1001];
    memset(text, 'x', 1000);
    text[1000] = '\0';
    open_journal(&journal);
    assert_true(log_open(&log, -1, LEVEL_INFO, LOG_JOURNAL, journal.path, NULL));
    for (int i = 0; i < 2000; i++) { /* more than a socket's queue holds */
        memset(log.repeats, 0, sizeof log.repeats);
        log_info(&log, "a", "b", FIELDS(F("text", text)));
    }
    assert_in_range(log.dropped, 1000, 1999);
    while (entered(&journal)[0])
        continue;
    log_info(&log, "a", "again", NO_FIELDS);
    assert_non_null(strstr(entered(&journal), "MESSAGE=warning log dropped lines=1"));
    assert_non_null(strstr(entered(&journal), "MESSAGE=info a again\n"));
    close_journal(&journal);
    log_info(&log, "a", "alone", NO_FIELDS);
    assert_int_equal(log.dropped, 1);
    log_close(&log);
}

/* The object that the line is. */
static struct json_object *object_written(Piped *piped)
{
    const char *line = written(piped);
    size_t len = strlen(line);
    assert_in_range(len, 2, LOG_LINE_MAX + 16);
    assert_ptr_equal(strchr(line, '\n'), line + len - 1);
    struct json_object *object = json_tokener_parse(line);
    assert_true(json_object_is_type(object, json_type_object));
    return object;
}

static const char *member(struct json_object *object, const char *name)
{
    return json_object_get_string(json_object_object_get(object, name));
}

TEST(a_line_of_json_is_an_object_with_the_values)
{
    Piped piped;
    open_pipe(&piped, LEVEL_INFO, LOG_FORM_JSON);
    log_info(&piped.log, "game", "move",
             FIELDS(F("id", "abcd1234"), F("ply", 12), F("clock", "3+2"), F("f", 0.5)));
    const char *line = written(&piped);
    int year, month, day, hour, minute, second, ms, end = 0;
    assert_int_equal(sscanf(line, "{\"timestamp\":\"%4d-%2d-%2dT%2d:%2d:%2d.%3dZ\"%n", &year,
                            &month, &day, &hour, &minute, &second, &ms, &end),
                     7);
    assert_true(year >= 2024);
    assert_string_equal(line + end,
                        ",\"level\":\"info\",\"component\":\"game\",\"event\":\"move\","
                        "\"game\":\"abcd1234\",\"ply\":12,\"clock\":\"3+2\",\"f\":0.50}\n");
    log_info(&piped.log, "a", "b", FIELDS(F("not", 0.0 / 0.0)));
    struct json_object *object = object_written(&piped);
    assert_true(json_object_is_type(json_object_object_get(object, "not"), json_type_string));
    json_object_put(object);
    close_pipe(&piped);
}

TEST(strangers_text_stays_inside_its_json_string)
{
    static const struct {
        const char *in, *out;
    } rows[] = {
        { "two words", "two words" },
        { "", "" },
        { "a\nb", "a\nb" },
        { "\"},{\"level\":\"error", "\"},{\"level\":\"error" },
        { "\\u0041\\", "\\u0041\\" },
        { "\x1b[2J\t\x7f", "\x1b[2J\t\x7f" },
        { "h\xc3\xa9llo \xe2\x99\x9e", "h\xc3\xa9llo \xe2\x99\x9e" },
        { "\xe2\x80\xae", "\xe2\x80\xae" },
        { "\xff\xc3", "\\xff\\xc3" },
        { "\xf3\xa0\x80\x81", "\\ue0001" }, /* JSON has no escape of that length */
    };
    Piped piped;
    open_pipe(&piped, LEVEL_INFO, LOG_FORM_JSON);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        log_info(&piped.log, "chat", "line", FIELDS(F("text", rows[i].in), F("end", 1)));
        struct json_object *object = object_written(&piped);
        for (const char *at = piped.text; *at; at++)
            assert_true((unsigned char)*at >= 0x20 || at[1] == '\0');
        assert_string_equal(member(object, "text"), rows[i].out);
        assert_string_equal(member(object, "level"), "info");
        assert_int_equal(json_object_get_int(json_object_object_get(object, "end")), 1);
        json_object_put(object);
    }
    close_pipe(&piped);
}

TEST(long_lines_of_json_are_cut_and_stay_json)
{
    Piped piped;
    open_pipe(&piped, LEVEL_INFO, LOG_FORM_JSON);
    char text[2200];
    const char *fillings[] = { "x", "\n", "\xff", "\xe2\x99\x9e", "\"" };
    for (size_t filling = 0; filling < sizeof fillings / sizeof *fillings; filling++) {
        size_t size = strlen(fillings[filling]);
        for (size_t i = 0; i + size < sizeof text; i += size)
            memcpy(text + i, fillings[filling], size);
        for (size_t len = 1800; len < 2100; len++) { /* the end may fall on any byte of the rest */
            memset(piped.log.repeats, 0, sizeof piped.log.repeats);
            log_info(
                &piped.log, "a", "b",
                FIELDS(F("text", ((Text){ text, len })), F("number", 123456), F("last", "end")));
            struct json_object *object = object_written(&piped);
            const char *last = member(object, "last");
            assert_true(!last || strcmp(last, "end") == 0 || strcmp(last, "\xe2\x80\xa6") == 0 ||
                        strstr(last, "\xe2\x80\xa6"));
            const char *number = member(object, "number");
            assert_true(!number || strcmp(number, "123456") == 0);
            json_object_put(object);
        }
    }
    close_pipe(&piped);
}

TEST(long_lines_are_cut_between_characters)
{
    Piped piped;
    open_pipe(&piped, LEVEL_INFO, LOG_FORM_PLAIN);
    char text[6001];
    for (size_t i = 0; i < 6000; i += 3)
        memcpy(text + i, "\xe2\x99\x9e", 3);
    text[6000] = '\0';
    for (int shift = 0; shift < 3; shift++) {
        log_info(&piped.log, &"aaa"[shift], "b", FIELDS(F("text", text)));
        const char *line = written(&piped);
        size_t len = strlen(line);
        assert_in_range(len, LOG_LINE_MAX - 8, LOG_LINE_MAX + 4);
        assert_memory_equal(line + len - 7, "\xe2\x99\x9e\xe2\x80\xa6\n", 7);
    }
    close_pipe(&piped);
}

TEST(a_reader_that_does_not_read_costs_lines_not_time)
{
    Piped piped;
    open_pipe(&piped, LEVEL_INFO, LOG_FORM_PLAIN);
    char text[1001];
    memset(text, 'x', 1000);
    text[1000] = '\0';
    for (int i = 0; i < 500; i++) { /* far more than a pipe holds */
        memset(piped.log.repeats, 0, sizeof piped.log.repeats);
        log_info(&piped.log, "a", "b", FIELDS(F("text", text)));
    }
    assert_in_range(piped.log.dropped, 400, 499);
    unsigned long dropped = piped.log.dropped;
    while (written(&piped)[0])
        continue;
    log_info(&piped.log, "a", "again", NO_FIELDS);
    char expected[100];
    assert_true(snprintf(expected, sizeof expected, "warning log dropped lines=%lu\ninfo a again\n",
                         dropped) > 0);
    assert_string_equal(written(&piped), expected);
    assert_int_equal(piped.log.dropped, 0);
    close_pipe(&piped);
}

TEST(a_flood_of_one_event_is_counted)
{
    Piped piped;
    open_pipe(&piped, LEVEL_INFO, LOG_FORM_PLAIN);
    for (int i = 0; i < 1000; i++)
        log_warning(&piped.log, "a", "flood", FIELDS(F("i", i)));
    int lines = 0;
    for (const char *at = written(&piped); (at = strchr(at, '\n')); at++)
        lines++;
    assert_int_equal(lines, LOG_WARNINGS_MAX);
    log_warning(&piped.log, "a", "other", NO_FIELDS);
    assert_string_equal(written(&piped), "warning a other\n");
    piped.log.second_at_ms -= 1000;
    log_info(&piped.log, "a", "next", NO_FIELDS);
    assert_string_equal(written(&piped),
                        "warning log repeated component=a event=flood lines=980\ninfo a next\n");
    log_warning(&piped.log, "a", "flood", NO_FIELDS);
    assert_string_equal(written(&piped), "warning a flood\n");
    close_pipe(&piped);
}

TEST(a_reader_that_left_is_no_harm)
{
    Piped piped;
    open_pipe(&piped, LEVEL_INFO, LOG_FORM_PLAIN);
    close(piped.read_fd);
    log_info(&piped.log, "a", "b", NO_FIELDS); /* no SIGPIPE: poll reports the error first */
    assert_int_equal(piped.log.dropped, 1);
    close(piped.write_fd);
}
