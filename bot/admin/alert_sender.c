/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/admin/alert_sender.h"

#include "bot/http/http.h"
#include "bot/child/sandbox.h"
#include "bot/ops/timer.h"
#include "bot/child/child_process.h"
#include "engine/base/alloc.h"
#include "engine/base/clock.h"
#include "engine/base/text_format.h"

#include <stdlib.h>
#include <string.h>

enum { WHY_SIZE = 200, POST_MS = 15000 };

/* A program that has been started. */
typedef struct {
    AlertSender *sender;
    ChildProcess *process;
    uv_timer_t timer;    /* its time */
    char said[WHY_SIZE]; /* its latest line on standard error */
} Running;

typedef struct {
    char *url, *json;
} Post;

struct AlertSender {
    uv_loop_t *loop;
    AlertSenderOptions options;
    ChildSecrets secrets;
    Running *running[ALERT_COMMANDS_MAX]; /* NULL: free */
    Http *http;
    HttpRequest *request; /* of the first post; NULL: it waits */
    Post posts[ALERT_POSTS_MAX];
    int post_count;
    uv_timer_t timer; /* for the next attempt */
};

static void end_alert(const AlertSender *sender, const char *way, const char *why,
                      bool is_tried_again)
{
    sender->options.on_done(sender->options.user, way, why, is_tried_again);
}

/* The command. */

static void end_running(Running *running)
{
    AlertSender *sender = running->sender;
    for (int i = 0; i < ALERT_COMMANDS_MAX; i++)
        if (sender->running[i] == running)
            sender->running[i] = NULL;
    child_process_close(running->process);
    timer_close(&running->timer);
}

static void alert_sender_on_exit_status(void *user, const char *why)
{
    Running *running = user;
    AlertSender *sender = running->sender;
    bool is_fine = child_process_status(running->process) == 0;
    char words[2 * WHY_SIZE];
    text_format_cut(words, sizeof words, "%s%s%s", why, running->said[0] ? ": " : "",
                    running->said);
    end_running(running);
    end_alert(sender, "command", is_fine ? NULL : words, false);
}

static void alert_sender_on_late(uv_timer_t *timer)
{
    Running *running = timer->data;
    AlertSender *sender = running->sender;
    end_running(running);
    end_alert(sender, "command", "it took too long, and was ended", false);
}

static void alert_sender_on_error_line(void *user, Text line)
{
    Running *running = user;
    text_format_cut(running->said, sizeof running->said, "%.*s", TEXT_ARGS(line));
}

static bool start(AlertSender *sender, Running *running, const char *command, Error *err)
{
    const ChildCallbacks callbacks = { .on_error_line = alert_sender_on_error_line,
                                       .on_end = alert_sender_on_exit_status,
                                       .user = running };
    ChildCommand words;
    if (!child_command_parse(&words, command, err) || !child_command_find(&words, err))
        return false;
    words.as_nobody = sender->options.as_nobody;
    words.has_variables = true;
    return child_process_new(&running->process, sender->loop, &words,
                             sandbox_is_available() ? &sender->secrets : NULL, &callbacks, err);
}

bool alert_sender_run(AlertSender *sender, const char *command, const char *json, Error *err)
{
    int at = 0;
    while (at < ALERT_COMMANDS_MAX && sender->running[at])
        at++;
    if (at == ALERT_COMMANDS_MAX) {
        error_set(err, ERR_RANGE, "%d earlier commands still run", ALERT_COMMANDS_MAX);
        return false;
    }
    Running *running = alloc_zeroed(sizeof *running, "an alert's command", err);
    if (!running)
        return false;
    running->sender = sender;
    if (!start(sender, running, command, err)) {
        free(running);
        return false;
    }
    timer_init(sender->loop, &running->timer, running);
    timer_set(&running->timer, alert_sender_on_late, clock_now_ms() + sender->options.command_ms);
    sender->running[at] = running;
    child_process_say(running->process, text_of(json));
    child_process_say(running->process, text_of("\n"));
    child_process_end_input(running->process);
    return true;
}

/* The POSTs. */

static void drop_first(AlertSender *sender)
{
    free(sender->posts[0].url);
    free(sender->posts[0].json);
    memmove(&sender->posts[0], &sender->posts[1],
            (size_t)--sender->post_count * sizeof *sender->posts);
}

static void post_first(AlertSender *sender);

static void alert_sender_on_retry(uv_timer_t *timer)
{
    post_first(timer->data);
}

/* 4xx is about this message or this address: another try would get the same. */
static bool may_try_again(const HttpResult *result)
{
    return result->outcome != HTTP_ANSWERED || result->head.status >= 500 ||
           result->head.status == 429;
}

static void alert_sender_on_answer(void *user, const HttpResult *result)
{
    AlertSender *sender = user;
    char why[WHY_SIZE];
    bool is_fine = result->outcome == HTTP_ANSWERED && result->head.status / 100 == 2;
    bool is_again = !is_fine && may_try_again(result);
    if (result->outcome == HTTP_ANSWERED)
        text_format_cut(why, sizeof why, "it answers %d", result->head.status);
    else
        text_format_cut(why, sizeof why, "%s", result->error);
    sender->request = NULL;
    if (is_again) {
        timer_set(&sender->timer, alert_sender_on_retry, clock_now_ms() + sender->options.retry_ms);
    } else {
        drop_first(sender);
        timer_set(&sender->timer, alert_sender_on_retry, clock_now_ms());
    }
    end_alert(sender, "url", is_fine ? NULL : why, is_again);
}

static void post_first(AlertSender *sender)
{
    const HttpCallbacks callbacks = { .on_done = alert_sender_on_answer, .user = sender };
    Error err = { 0 };
    if (sender->request || sender->post_count == 0)
        return;
    const HttpSpec spec = {
        .method = HTTP_POST,
        .url = sender->posts[0].url,
        .body = text_of(sender->posts[0].json),
        .is_json_body = true,
        .timeout_ms = POST_MS,
    };
    sender->request = http_request(sender->http, &spec, &callbacks, &err);
    if (sender->request)
        return;
    drop_first(sender);
    end_alert(sender, "url", err.text, false);
}

bool alert_sender_post(AlertSender *sender, const char *url, const char *json, Error *err)
{
    if (sender->post_count == ALERT_POSTS_MAX) {
        error_set(err, ERR_RANGE, "%d earlier alerts wait", ALERT_POSTS_MAX);
        return false;
    }
    Post post = { strdup(url), strdup(json) };
    if (!post.url || !post.json) {
        error_set(err, ERR_MEMORY, "no memory");
        free(post.url);
        free(post.json);
        return false;
    }
    sender->posts[sender->post_count++] = post;
    /* Behind a failure the first one has its own time. */
    if (sender->post_count == 1)
        timer_set(&sender->timer, alert_sender_on_retry, clock_now_ms());
    return true;
}

/* The whole. */

bool alert_sender_new(AlertSender **out, uv_loop_t *loop, const AlertSenderOptions *options,
                      Error *err)
{
    const HttpOptions http = { .origin = "", .ca_file = options->ca_file };
    AlertSender *sender = alloc_zeroed(sizeof *sender, "alerts", err);
    if (!sender)
        return false;
    sender->loop = loop;
    sender->options = *options;
    child_secrets_init(&sender->secrets, options->config_file, options->token_file, NULL);
    if (!http_new(&sender->http, loop, &http, err)) {
        free(sender);
        return false;
    }
    timer_init(loop, &sender->timer, sender);
    *out = sender;
    return true;
}

int alert_sender_busy(const AlertSender *sender)
{
    int busy = sender->post_count;
    for (int i = 0; i < ALERT_COMMANDS_MAX; i++)
        busy += sender->running[i] != NULL;
    return busy;
}

void alert_sender_close(AlertSender *sender)
{
    if (!sender)
        return;
    for (int i = 0; i < ALERT_COMMANDS_MAX; i++)
        if (sender->running[i])
            end_running(sender->running[i]);
    http_close(sender->http, NULL, NULL);
    while (sender->post_count > 0)
        drop_first(sender);
    timer_close(&sender->timer);
}
