/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/uci/cmd_uci.h"

#include "engine/base/buf.h"
#include "engine/uci/protocol.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Lines of standard input, none longer than UCI_LINE_MAX. */
typedef struct {
    Buf pending;      /* bytes read and not yet handled */
    bool is_skipping; /* the rest of a line that is too long */
} Input;

/* stdio locks the stream for each call, so lines of two threads do not mix. */
static void write_stdout(void *user, const char *text)
{
    (void)user;
    fputs(text, stdout);
    fflush(stdout);
}

/* Handles the whole lines that are there. False after "quit". */
static bool handle_lines(Uci *uci, Input *input)
{
    size_t done = 0;
    bool go_on = true;
    while (go_on) {
        const char *line = buf_view(&input->pending) + done;
        const char *newline = memchr(line, '\n', input->pending.len - done);
        if (!newline)
            break;
        size_t len = (size_t)(newline - line);
        if (!input->is_skipping)
            go_on = uci_handle(uci, line, len);
        input->is_skipping = false;
        done += len + 1;
    }
    buf_consume(&input->pending, done);
    return go_on;
}

/* Takes more bytes in; a line that would not fit is dropped up to its end. */
static void take_bytes(Uci *uci, Input *input, const char *bytes, size_t len)
{
    if (buf_put(&input->pending, bytes, len))
        return;
    if (!input->is_skipping)
        uci_complain(uci, "the line is too long");
    input->is_skipping = true;
    buf_reset(&input->pending);
    /* Only its end matters now, and what follows. A chunk is far smaller than the buffer. */
    const char *newline = memchr(bytes, '\n', len);
    if (newline && !buf_put(&input->pending, newline, len - (size_t)(newline - bytes)))
        buf_reset(&input->pending);
}

static int run_session(Uci *uci)
{
    enum { CHUNK_BYTES = 4096 };
    char chunk[CHUNK_BYTES];
    Input input = { 0 };
    buf_init(&input.pending, UCI_LINE_MAX);
    bool go_on = true;
    while (go_on) {
        ssize_t len = read(STDIN_FILENO, chunk, sizeof chunk);
        if (len < 0 && errno == EINTR)
            continue;
        if (len <= 0)
            break;
        take_bytes(uci, &input, chunk, (size_t)len);
        go_on = handle_lines(uci, &input);
    }
    if (go_on && input.pending.len && !input.is_skipping) /* a last line without its newline */
        go_on = uci_handle(uci, buf_view(&input.pending), input.pending.len);
    buf_release(&input.pending);
    return EXIT_SUCCESS;
}

int cmd_uci(void)
{
    Uci *uci;
    Error err = { 0 };
    if (!uci_new(&uci, write_stdout, NULL, &err)) {
        fprintf(stderr, "castled-uci: %s\n", err.text);
        return EXIT_FAILURE;
    }
    int status = run_session(uci);
    uci_free(uci);
    return status;
}
