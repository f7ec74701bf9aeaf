/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/cli/check_notify.h"

#include "bot/admin/alert_sender.h"
#include "bot/admin/alerts.h"
#include "bot/child/child_command.h"
#include "engine/base/check.h"
#include "engine/base/clock.h"

#include <stdlib.h>

static const char *name_of(const char *way)
{
    return way[0] == 'c' ? "notify command" : "notify url";
}

typedef struct {
    FILE *out;
    int pending;
    bool has_failed;
} Trial;

static void check_notify_on_done(void *user, const char *way, const char *why, bool is_tried_again)
{
    Trial *trial = user;
    (void)is_tried_again; /* not here */
    check_say(trial->out, why ? CHECK_WRONG : CHECK_OK, name_of(way), why ? why : "took the alert");
    trial->has_failed = trial->has_failed || why;
    trial->pending--;
}

static bool begin(Trial *trial, AlertSender *sender, const Config *config)
{
    Error err = { 0 };
    char *json = alert_json("trial", "", "a trial by castled check: this is how alerts look", 1,
                            clock_unix_ms() / 1000);
    if (!json)
        return false;
    if (config->notify.command[0] != '\0') {
        trial->pending++;
        if (!alert_sender_run(sender, config->notify.command, json, &err))
            check_notify_on_done(trial, "command", err.text, false);
    }
    if (config->notify.url[0] != '\0') {
        trial->pending++;
        if (!alert_sender_post(sender, config->notify.url, json, &err))
            check_notify_on_done(trial, "url", err.text, false);
    }
    free(json);
    return true;
}

static bool try_it(FILE *out, const Config *config, const char *config_file)
{
    Trial trial = { .out = out };
    const AlertSenderOptions options = {
        .command_ms = ALERT_COMMAND_MS,
        .retry_ms = ALERT_RETRY_MS,
        .ca_file = config->account.ca_file,
        .config_file = config_file,
        .token_file = config->account.token_file,
        .as_nobody = true,
        .on_done = check_notify_on_done,
        .user = &trial,
    };
    AlertSender *sender = NULL;
    uv_loop_t loop;
    Error err = { 0 };
    int failure = uv_loop_init(&loop);
    if (failure) {
        check_say(out, CHECK_WRONG, "notify", uv_strerror(failure));
        return false;
    }
    bool ok = alert_sender_new(&sender, &loop, &options, &err) && begin(&trial, sender, config);
    if (!ok)
        check_say(out, CHECK_WRONG, "notify", error_is_set(&err) ? err.text : "no memory");
    while (ok && trial.pending > 0)
        uv_run(&loop, UV_RUN_ONCE);
    alert_sender_close(sender);
    uv_run(&loop, UV_RUN_DEFAULT);
    CHECK(uv_loop_close(&loop) == 0);
    return ok && !trial.has_failed;
}

bool check_notify(FILE *out, const Config *config, const char *config_file, NotifyCheck how)
{
    ChildCommand command;
    Error err = { 0 };
    bool has_command = config->notify.command[0] != '\0', has_url = config->notify.url[0] != '\0';
    if (how == NOTIFY_TRY && !has_command && !has_url) {
        check_say(out, CHECK_WRONG, "notify", "[notify] has neither command nor url");
        return false;
    }
    if (how == NOTIFY_TRY)
        return try_it(out, config, config_file);
    if (has_url)
        check_say(out, CHECK_OK, "notify url", "set; castled check --notify tries it");
    if (!has_command)
        return true;
    bool ok = child_command_parse(&command, config->notify.command, &err) &&
              child_command_find(&command, &err);
    check_say(out, ok ? CHECK_OK : CHECK_WRONG, "notify command", ok ? command.program : err.text);
    return ok;
}
