/* SPDX-License-Identifier: GPL-3.0-or-later */
/* alert_sender.h - the ways on which an alert leaves: to a program's standard input, and by POST to
 * a web address. Nothing waits for either. Loop thread only.
 *
 * The program is started as external engines are (child_process.h): without a shell, without our
 * secrets, at a lower priority; it ends with all that it has started when its time is up, or when
 * we end. A POST that the network or the server's trouble prevents is repeated again and again, as
 * the network is often what the alert is about. Both are bounded; what is too much is dropped. */
#pragma once
#include "engine/base/error.h"

#include <stdbool.h>
#include <uv.h>

typedef struct AlertSender AlertSender;

enum {
    ALERT_COMMANDS_MAX = 4, /* that run at once */
    ALERT_POSTS_MAX = 16,   /* that wait */
};

/* What they are but in tests. */
#define ALERT_COMMAND_MS 30000
#define ALERT_RETRY_MS 60000

/* Lent for the call, but for those that say more. */
typedef struct {
    int64_t command_ms;      /* what a command may take */
    int64_t retry_ms;        /* between attempts of a POST */
    const char *ca_file;     /* as in http.h */
    const char *config_file; /* the program can't read these two, where the kernel has Landlock */
    const char *token_file;
    bool as_nobody; /* where we are root, commands run as nobody */
    /* A command has ended, or a POST was answered or not. `way`: "command" or "url". `why`: NULL:
     * well; else what went wrong, and it `is_tried_again` later or not. */
    void (*on_done)(void *user, const char *way, const char *why, bool is_tried_again);
    void *user; /* outlives the sender */
} AlertSenderOptions;

bool alert_sender_new(AlertSender **out, uv_loop_t *loop, const AlertSenderOptions *options,
                      Error *err) MUST_CHECK;

/* Starts `command` (child_command.h), which gets `json` and a newline, then the end of its
 * input. False and an Error when it can't be started, or ALERT_COMMANDS_MAX run; on_done does not
 * come. */
bool alert_sender_run(AlertSender *sender, const char *command, const char *json,
                      Error *err) MUST_CHECK;

/* Sends `json` to `url` as application/json. False and an Error when ALERT_POSTS_MAX wait. */
bool alert_sender_post(AlertSender *sender, const char *url, const char *json,
                       Error *err) MUST_CHECK;

/* Commands that run and POSTs that wait. */
int alert_sender_busy(const AlertSender *sender);

/* Ends commands, drops POSTs; on_done does not come any more. The memory goes in close callbacks
 * (I8). NULL is fine. */
void alert_sender_close(AlertSender *sender);
