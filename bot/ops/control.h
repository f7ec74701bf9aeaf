/* SPDX-License-Identifier: GPL-3.0-or-later */
/* control.h - the socket on which the operator's commands reach the daemon.
 *
 * A Unix stream socket, mode 0600, and only our own user or root is heard (SO_PEERCRED). A client
 * sends one line (control_request.h), gets one line of JSON, and is hung up on. Who says nothing,
 * too much, or does not read is dropped; so is whoever comes when there are too many. Nothing here
 * ever waits. SIGPIPE must be ignored. Loop thread only. */
#pragma once
#include "bot/ops/control_request.h"
#include "bot/ops/log.h"

#include <uv.h>

typedef struct Control Control;
typedef struct ControlCall ControlCall;

enum {
    CONTROL_CLIENTS_MAX = 16,
    CONTROL_ANSWER_MAX = 1 << 20,
    CONTROL_ASK_MS = 5000,     /* for the request to come in, and for the answer to be read */
    CONTROL_ANSWER_MS = 60000, /* for the answer to be found */
};

/* `request` is lent for the call; `call` is to be answered exactly once, now or later. */
typedef void ControlHandler(void *user, ControlCall *call, const ControlRequest *request);

/* Binds `path` (its folders are there). A socket that nobody listens at any more is replaced; one
 * that somebody does is an error: a second daemon. */
bool control_new(Control **out, uv_loop_t *loop, const char *path, Log *log,
                 ControlHandler *handler, void *user, Error *err) MUST_CHECK;

/* Hangs up on everybody, takes the socket away. Calls still unanswered are gone. NULL is fine. */
void control_close(Control *control);

/* Sends `json` (one line, without newline; copied), even if nobody is there to read it any more.
 * The call is gone. */
void control_answer(ControlCall *call, const char *json);

/* The same for something that went wrong: {"error": text}. */
void control_refuse(ControlCall *call, const char *text);

/* The client's side, for commands: sends `line` to `path` and waits for the answer's line. Blocks,
 * at most `timeout_ms`. False and an Error with ERR_IO where nobody listens. The caller frees
 * *answer. */
bool control_ask(const char *path, const char *line, int timeout_ms, char **answer,
                 Error *err) MUST_CHECK;
