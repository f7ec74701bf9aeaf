/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/source/transcript.h"
#include "tests/support/unit.h"

TEST(lines_are_read_as_they_were_written)
{
    static const struct {
        TranscriptLine line;
        const char *text;
    } rows[] = {
        { { 0, TRANSCRIPT_NOTE, { "game x", 6 } }, "0.000000 # game x" },
        { { 1204518, TRANSCRIPT_TOLD, { "isready", 7 } }, "1.204518 > isready" },
        { { 5000007, TRANSCRIPT_HEARD, { "a \x1b[2J\xffz", 8 } }, "5.000007 < a ?[2J?z" },
        { { 9999999, TRANSCRIPT_ERROR, { " oh", 3 } }, "9.999999 !  oh" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Buf out;
        TranscriptLine read;
        buf_init(&out, 1000);
        assert_true(transcript_write(&out, &rows[i].line));
        assert_int_equal(out.text[out.len - 1], '\n');
        out.text[out.len - 1] = '\0';
        assert_string_equal(out.text, rows[i].text);
        assert_true(transcript_read(&read, text_of(out.text)));
        assert_int_equal(read.at_us, rows[i].line.at_us);
        assert_int_equal(read.kind, rows[i].line.kind);
        buf_release(&out);
    }
}

TEST(long_lines_of_the_engine_are_cut_and_ours_never)
{
    char many[5000];
    Buf out;
    memset(many, 'x', sizeof many);
    buf_init(&out, 8000);
    assert_true(
        transcript_write(&out, &(TranscriptLine){ 0, TRANSCRIPT_HEARD, { many, sizeof many } }));
    assert_int_equal(out.len, sizeof "0.000000 < " + TRANSCRIPT_HEARD_MAX);
    buf_reset(&out);
    assert_true(
        transcript_write(&out, &(TranscriptLine){ 0, TRANSCRIPT_TOLD, { many, sizeof many } }));
    assert_int_equal(out.len, sizeof "0.000000 > " + sizeof many);
    assert_false(
        transcript_write(&out, &(TranscriptLine){ 0, TRANSCRIPT_TOLD, { many, sizeof many } }));
    assert_int_equal(out.len, sizeof "0.000000 > " + sizeof many); /* no half lines */
    buf_release(&out);
}

TEST(what_is_no_line_is_refused)
{
    static const char *const lines[] = {
        "",
        "x",
        "1.2 > go",
        "1.200000",
        "1.200000 ",
        "1.200000>",
        "1.200000 >",
        "1.200000 ? go",
        "-1.200000 > go",
        "1.2000000 > go",
        "99999999999999999999.000000 > go",
        "1.20000x > go",
    };
    TranscriptLine read;
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        if (transcript_read(&read, text_of(lines[i])))
            fail_msg("taken: \"%s\"", lines[i]);
}

TEST(notes_are_known_by_their_first_word)
{
    TranscriptLine line;
    Text rest;
    assert_true(transcript_read(&line, text_of("1.000000 # fault 31 it hangs")));
    assert_true(transcript_is_note(&line, TRANSCRIPT_FAULT, &rest));
    assert_true(text_is(rest, "31 it hangs"));
    assert_false(transcript_is_note(&line, TRANSCRIPT_START, &rest));
    assert_true(transcript_read(&line, text_of("1.000000 # faulty")));
    assert_false(transcript_is_note(&line, TRANSCRIPT_FAULT, &rest));
    assert_true(transcript_read(&line, text_of("1.000000 < fault 1")));
    assert_false(transcript_is_note(&line, TRANSCRIPT_FAULT, &rest));
}

TEST(a_position_has_a_place_moves_and_a_ply)
{
    static const struct {
        const char *told, *fen, *moves;
        int ply; /* 0: refused */
    } rows[] = {
        { "position startpos", "", "", 1 },
        { "position startpos moves e2e4 e7e5", "", "e2e4 e7e5", 3 },
        { "position fen 8/8/8/8/8/8/8/K1k5 w - - 0 1 moves a1a2", "8/8/8/8/8/8/8/K1k5 w - - 0 1",
          "a1a2", 2 },
        { "position fen 8/8/8/8/8/8/8/K1k5 w - - 0 1", "8/8/8/8/8/8/8/K1k5 w - - 0 1", "", 1 },
        { "position startpos moves", "", "", 1 },
        { "position", "", "", 0 },
        { "position e2e4", "", "", 0 },
        { "go infinite", "", "", 0 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        TranscriptPosition read;
        bool ok = transcript_read_position(&read, text_of(rows[i].told));
        assert_int_equal(ok, rows[i].ply > 0);
        if (!ok)
            continue;
        assert_true(text_is(read.fen, rows[i].fen));
        assert_true(text_is(read.moves, rows[i].moves));
        assert_int_equal(read.ply, rows[i].ply);
    }
}
