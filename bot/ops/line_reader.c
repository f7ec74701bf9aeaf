/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/ops/line_reader.h"

#include "engine/base/check.h"

#include <string.h>

enum { SHOWN_OF_SKIPPED = 200 }; /* bytes of a skipped line that are kept for the log */

void line_reader_init(LineReader *reader, const LineReaderCallbacks *callbacks, size_t line_max)
{
    CHECK(line_max >= 1 && line_max <= LINE_READER_MAX);
    *reader = (LineReader){ .callbacks = *callbacks };
    buf_init(&reader->partial, line_max + 1); /* a '\r' may follow */
}

void line_reader_release(LineReader *reader)
{
    buf_release(&reader->partial);
}

static void deliver(LineReader *reader, const char *line, size_t len)
{
    const LineReaderCallbacks *to = &reader->callbacks;
    size_t text_len = len > 0 && line[len - 1] == '\r' ? len - 1 : len;
    if (text_len == 0)
        to->on_empty_line(to->user);
    else if (text_len > reader->partial.max - 1)
        to->on_long_line(to->user, line, len < SHOWN_OF_SKIPPED ? len : SHOWN_OF_SKIPPED, len);
    else
        to->on_line(to->user, line, text_len);
}

/* Keeps the start of a line whose end is still to come; a line that can't be kept whole is skipped
 * from here on. */
static void keep_bytes(LineReader *reader, const char *bytes, size_t len)
{
    if (reader->too_long == 0 && buf_put(&reader->partial, bytes, len))
        return;
    if (reader->too_long == 0)
        reader->too_long = reader->partial.len;
    for (size_t i = 0; i < len && reader->partial.len < SHOWN_OF_SKIPPED; i++)
        if (!buf_put_char(&reader->partial, bytes[i]))
            break; /* what is shown of it may be short */
    reader->too_long += len;
}

/* The line that was kept is complete. */
static void deliver_kept(LineReader *reader)
{
    const LineReaderCallbacks *to = &reader->callbacks;
    Buf line = reader->partial; /* a callback may feed or release the reader's successor */
    size_t skipped = reader->too_long;
    buf_init(&reader->partial, line.max);
    reader->too_long = 0;
    if (skipped > 0)
        to->on_long_line(to->user, buf_view(&line),
                         line.len < SHOWN_OF_SKIPPED ? line.len : SHOWN_OF_SKIPPED, skipped);
    else
        deliver(reader, buf_view(&line), line.len);
    buf_release(&line);
}

void line_reader_feed(LineReader *reader, const char *bytes, size_t len)
{
    while (len > 0 && !reader->is_stopped) {
        const char *end = memchr(bytes, '\n', len);
        size_t part = end ? (size_t)(end - bytes) : len;
        bool is_fresh = reader->partial.len == 0 && reader->too_long == 0;
        if (end && is_fresh) {
            deliver(reader, bytes, part);
        } else {
            keep_bytes(reader, bytes, part);
            if (end)
                deliver_kept(reader);
        }
        bytes += part + (end ? 1 : 0);
        len -= part + (end ? 1 : 0);
    }
}

void line_reader_finish(LineReader *reader)
{
    if (!reader->is_stopped && (reader->partial.len > 0 || reader->too_long > 0))
        deliver_kept(reader);
}

void line_reader_stop(LineReader *reader)
{
    reader->is_stopped = true;
}
