/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A transcript as it lies on a disk, with what a foreign engine wrote in it. What is read and
 * written again is read as the same. */
#include "bot/source/transcript.h"

#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool ok)
{
    if (!ok)
        abort();
}

static void read_again(const TranscriptLine *line)
{
    Buf out;
    TranscriptLine again;
    buf_init(&out, 1 << 20);
    must(transcript_write(&out, line));
    must(transcript_read(&again, (Text){ out.text, out.len - 1 }));
    must(again.at_us == line->at_us && again.kind == line->kind);
    must(again.text.len <= line->text.len);
    buf_release(&out);
}

static void read_line(Text text)
{
    TranscriptLine line;
    TranscriptPosition position;
    Text rest;
    if (!transcript_read(&line, text))
        return;
    must(line.text.at >= text.at && line.text.at + line.text.len <= text.at + text.len);
    if (transcript_is_note(&line, TRANSCRIPT_FAULT, &rest))
        must(rest.len < line.text.len);
    if (transcript_read_position(&position, line.text)) {
        must(position.ply >= 1);
        must(position.moves.len + position.fen.len < line.text.len);
    }
    read_again(&line);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    Text rest = { (const char *)data, size };
    while (rest.len > 0) {
        const char *end = memchr(rest.at, '\n', rest.len);
        Text line = { rest.at, end ? (size_t)(end - rest.at) : rest.len };
        rest.at += line.len + (end != NULL);
        rest.len -= line.len + (end != NULL);
        read_line(line);
    }
    return 0;
}
