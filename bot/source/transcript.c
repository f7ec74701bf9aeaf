/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/source/transcript.h"

#include "engine/base/number.h"

#include <inttypes.h>

enum { SECOND_US = 1000000, FRACTION_DIGITS = 6 };
#define SECONDS_MAX (INT64_C(1) << 32)

static bool put_words(Buf *out, Text text)
{
    char piece[256];
    while (text.len > 0) {
        size_t len = text.len < sizeof piece ? text.len : sizeof piece;
        for (size_t i = 0; i < len; i++)
            piece[i] = text.at[i] >= ' ' && text.at[i] <= '~' ? text.at[i] : '?';
        if (!buf_put(out, piece, len))
            return false;
        text.at += len;
        text.len -= len;
    }
    return true;
}

bool transcript_write(Buf *out, const TranscriptLine *line)
{
    size_t before = out->len;
    Text text = line->text;
    bool is_ours = line->kind == TRANSCRIPT_TOLD || line->kind == TRANSCRIPT_NOTE;
    if (!is_ours && text.len > TRANSCRIPT_HEARD_MAX)
        text.len = TRANSCRIPT_HEARD_MAX;
    if (buf_printf(out, "%" PRId64 ".%06d %c ", line->at_us / SECOND_US,
                   (int)(line->at_us % SECOND_US), (char)line->kind) &&
        put_words(out, text) && buf_put_char(out, '\n'))
        return true;
    if (out->len > before) { /* no half lines */
        out->len = before;
        out->text[before] = '\0';
    }
    return false;
}

static bool read_time(Text word, int64_t *out)
{
    const char *point = word.len > 0 ? memchr(word.at, '.', word.len) : NULL;
    int64_t seconds, fraction;
    size_t whole = point ? (size_t)(point - word.at) : 0;
    if (!point || word.len - whole - 1 != FRACTION_DIGITS ||
        !number_parse(word.at, whole, 0, SECONDS_MAX, &seconds, NULL) ||
        !number_parse(point + 1, FRACTION_DIGITS, 0, SECOND_US - 1, &fraction, NULL))
        return false;
    *out = seconds * SECOND_US + fraction;
    return true;
}

bool transcript_read(TranscriptLine *out, Text line)
{
    TranscriptLine read = { .kind = TRANSCRIPT_NOTE };
    Text rest = line;
    if (!read_time(text_next_word(&rest, " "), &read.at_us) || rest.len < 3 || rest.at[0] != ' ' ||
        rest.at[2] != ' ')
        return false;
    switch (rest.at[1]) {
    case '>':
    case '<':
    case '!':
    case '#':
        read.kind = (TranscriptKind)rest.at[1];
        break;
    default:
        return false;
    }
    read.text = (Text){ rest.at + 3, rest.len - 3 };
    *out = read;
    return true;
}

bool transcript_is_note(const TranscriptLine *line, const char *word, Text *rest)
{
    size_t len = strlen(word);
    Text text = line->text;
    if (line->kind != TRANSCRIPT_NOTE || !text_starts_with(text, word) ||
        (text.len > len && text.at[len] != ' '))
        return false;
    *rest = text_trimmed((Text){ text.at + len, text.len - len }, " ");
    return true;
}

/* The word's place in the text, or its end. */
static size_t find_word(Text text, const char *wanted)
{
    Text rest = text;
    for (Text word = text_next_word(&rest, " "); word.len > 0; word = text_next_word(&rest, " "))
        if (text_is(word, wanted))
            return (size_t)(word.at - text.at);
    return text.len;
}

bool transcript_read_position(TranscriptPosition *out, Text told)
{
    TranscriptPosition read = { .ply = 1 };
    Text rest = told;
    if (!text_is(text_next_word(&rest, " "), "position"))
        return false;
    size_t moves_at = find_word(rest, "moves");
    Text place = { rest.at, moves_at };
    Text kind = text_next_word(&place, " ");
    if (text_is(kind, "fen"))
        read.fen = text_trimmed(place, " ");
    else if (!text_is(kind, "startpos"))
        return false;
    if (moves_at < rest.len) {
        read.moves = (Text){ rest.at + moves_at, rest.len - moves_at };
        (void)text_next_word(&read.moves, " ");
        read.moves = text_trimmed(read.moves, " ");
    }
    Text moves = read.moves;
    while (text_next_word(&moves, " ").len > 0)
        read.ply++;
    *out = read;
    return true;
}
