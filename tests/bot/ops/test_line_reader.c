/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/ops/line_reader.h"
#include "tests/support/unit.h"

/* Writes down what the reader calls. */
typedef struct {
    Buf log;
    LineReader reader;
    int stop_after; /* lines; 0: never */
    int lines;
} Notes;

static void note_line(void *user, const char *line, size_t len)
{
    Notes *notes = user;
    assert_true(buf_printf(&notes->log, "%.*s|", (int)len, line));
    if (++notes->lines == notes->stop_after)
        line_reader_stop(&notes->reader);
}

static void note_keepalive(void *user)
{
    Notes *notes = user;
    assert_true(buf_put_text(&notes->log, "~|"));
}

static void note_skipped(void *user, const char *start, size_t len, size_t line_len)
{
    Notes *notes = user;
    assert_true(buf_printf(&notes->log, "!%.*s(%zu)|", len < 3 ? (int)len : 3, start, line_len));
}

static void notes_init(Notes *notes, size_t line_max)
{
    LineReaderCallbacks callbacks = { note_line, note_keepalive, note_skipped, notes };
    buf_init(&notes->log, 1 << 20);
    notes->stop_after = notes->lines = 0;
    line_reader_init(&notes->reader, &callbacks, line_max);
}

static void notes_release(Notes *notes)
{
    line_reader_release(&notes->reader);
    buf_release(&notes->log);
}

TEST(lines_come_whole_however_they_are_split)
{
    static const char input[] = "{\"a\":1}\n\n{\"b\":2}\r\n\r\nlast line without end";
    static const char expected[] = "{\"a\":1}|~|{\"b\":2}|~|last line without end|";
    size_t len = sizeof input - 1;
    for (size_t piece = 1; piece <= len; piece++) {
        Notes notes;
        notes_init(&notes, 100);
        for (size_t at = 0; at < len; at += piece)
            line_reader_feed(&notes.reader, input + at, len - at < piece ? len - at : piece);
        line_reader_finish(&notes.reader);
        assert_string_equal(buf_view(&notes.log), expected);
        notes_release(&notes);
    }
    for (size_t a = 0; a <= len; a++) { /* two cuts at every pair of places */
        for (size_t b = a; b <= len; b++) {
            Notes notes;
            notes_init(&notes, 100);
            line_reader_feed(&notes.reader, input, a);
            line_reader_feed(&notes.reader, input + a, b - a);
            line_reader_feed(&notes.reader, input + b, len - b);
            line_reader_finish(&notes.reader);
            assert_string_equal(buf_view(&notes.log), expected);
            notes_release(&notes);
        }
    }
}

TEST(too_long_lines_are_skipped_and_told)
{
    static const char input[] = "12345678\n123456789\n1234567890ab\r\nok\n12345678\r\n123456789";
    static const char expected[] = "12345678|!123(9)|!123(13)|ok|12345678|!123(9)|";
    size_t len = sizeof input - 1;
    for (size_t piece = len; piece >= 1; piece--) {
        Notes notes;
        notes_init(&notes, 8);
        for (size_t at = 0; at < len; at += piece)
            line_reader_feed(&notes.reader, input + at, len - at < piece ? len - at : piece);
        line_reader_finish(&notes.reader);
        assert_string_equal(buf_view(&notes.log), expected);
        notes_release(&notes);
    }
}

TEST(an_endless_line_takes_bounded_memory)
{
    Notes notes;
    char chunk[1000];
    memset(chunk, 'x', sizeof chunk);
    notes_init(&notes, LINE_READER_MAX);
    for (int i = 0; i < 5000; i++)
        line_reader_feed(&notes.reader, chunk, sizeof chunk);
    assert_true(notes.reader.partial.capacity <= LINE_READER_MAX + 2);
    line_reader_feed(&notes.reader, "\nnext\n", 6);
    assert_string_equal(buf_view(&notes.log), "!xxx(5000000)|next|");
    assert_int_equal(notes.reader.partial.capacity, 0);
    notes_release(&notes);
}

TEST(whole_lines_need_no_memory)
{
    Notes notes;
    notes_init(&notes, 100);
    line_reader_feed(&notes.reader, "one\ntwo\n\n", 9);
    assert_int_equal(notes.reader.partial.capacity, 0);
    assert_string_equal(buf_view(&notes.log), "one|two|~|");
    notes_release(&notes);
}

TEST(a_callback_can_stop_the_reader)
{
    Notes notes;
    notes_init(&notes, 100);
    notes.stop_after = 2;
    line_reader_feed(&notes.reader, "one\ntwo\nthree\nfour\n", 19);
    line_reader_feed(&notes.reader, "five\n", 5);
    line_reader_finish(&notes.reader);
    assert_string_equal(buf_view(&notes.log), "one|two|");
    notes_release(&notes);
}
