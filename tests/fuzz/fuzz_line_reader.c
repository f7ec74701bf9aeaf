/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The bytes of a stream, whole and in pieces: both give the same calls. */
#include "bot/ops/line_reader.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool ok)
{
    if (!ok)
        abort();
}

static void on_line(void *user, const char *line, size_t len)
{
    must(len > 0 && !memchr(line, '\n', len));
    must(buf_printf(user, "L%zu:", len) && buf_put(user, line, len));
}

static void on_empty_line(void *user)
{
    must(buf_put_char(user, 'K'));
}

static void on_long_line(void *user, const char *start, size_t len, size_t line_len)
{
    must(len <= line_len && (len == 0 || !memchr(start, '\n', len)));
    must(buf_printf(user, "S%zu", line_len));
}

static void read_in_pieces(Buf *calls, const char *bytes, size_t len, size_t piece)
{
    LineReaderCallbacks callbacks = { on_line, on_empty_line, on_long_line, calls };
    LineReader reader;
    line_reader_init(&reader, &callbacks, 40);
    for (size_t at = 0; at < len; at += piece)
        line_reader_feed(&reader, bytes + at, len - at < piece ? len - at : piece);
    line_reader_finish(&reader);
    line_reader_release(&reader);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 2)
        return 0;
    const char *bytes = (const char *)data + 1;
    Buf whole, pieces;
    buf_init(&whole, 1 << 24);
    buf_init(&pieces, 1 << 24);
    read_in_pieces(&whole, bytes, size - 1, size);
    read_in_pieces(&pieces, bytes, size - 1, data[0] % 16 + 1u);
    must(strcmp(buf_view(&whole), buf_view(&pieces)) == 0 && whole.len == pieces.len);
    buf_release(&whole);
    buf_release(&pieces);
    return 0;
}
