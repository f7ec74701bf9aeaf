/* SPDX-License-Identifier: GPL-3.0-or-later */
/* control.h - the socket on which the operator's commands reach the daemon.
 *
 * A Unix stream socket, mode 0600, for our own user and root only (SO_PEERCRED). What descends from
 * us is refused: external engines are our user's, too. A client sends one line of printable text
 * (printable.h), gets one line of JSON, and is hung up on. Clients that send nothing, too much, or
 * do not read are dropped, and so are those beyond the maximum. When a client cannot be let in, as
 * the process has no descriptor left, nobody is for a second. Nothing here ever waits. SIGPIPE must
 * be ignored. Loop thread only. */
#pragma once
#include "bot/ops/log.h"
#include "engine/base/error.h"
#include "engine/base/text.h"

#include <uv.h>

typedef struct Control Control;
typedef struct ControlCall ControlCall;

enum {
    CONTROL_CLIENTS_MAX = 16,
    CONTROL_LINE_MAX = 1024, /* bytes of a request, its newline included */
    CONTROL_ANSWER_MAX = 1 << 20,
    CONTROL_ASK_MS = 5000,     /* for the request to come in, and for the answer to be read */
    CONTROL_ANSWER_MS = 60000, /* for the answer to be found */
};

/* `words` is not empty, begins and ends with a word, and is lent for the call; `call` is to be
 * answered exactly once, now or later. */
typedef void ControlHandler(void *user, ControlCall *call, Text words);

/* Binds `path` (its folders are there). A socket without a listener is replaced. One with a
 * listener is an error: a second daemon. */
bool control_new(Control **out, uv_loop_t *loop, const char *path, Log *log,
                 ControlHandler *handler, void *user, Error *err) MUST_CHECK;

/* Closes all connections, removes the socket. Calls still unanswered are gone. NULL is fine. */
void control_close(Control *control);

/* Sends `json` (one line, without newline; copied), even if the client has left; NULL: there was no
 * memory for it, so that the client is hung up on. The call is gone. */
void control_answer(ControlCall *call, const char *json);

/* The same for something that went wrong: {"error": text}. */
void control_refuse(ControlCall *call, const char *text);

/* The client's side, for commands: sends `line` to `path` and waits for the answer's line. Blocks,
 * at most `timeout_ms`. False and an Error with ERR_IO without a listener. The caller frees
 * *answer. */
bool control_ask(const char *path, const char *line, int timeout_ms, char **answer,
                 Error *err) MUST_CHECK;
