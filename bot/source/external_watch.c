/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/source/external_watch.h"

#include "bot/ops/timer.h"
#include "engine/base/alloc.h"

#include <unistd.h>

struct ExternalWatch {
    uv_loop_t *loop;
    void (*on_file)(void *user, const ExternalFile *file, int held);
    void *user;
    uv_timer_t timer;
    uv_work_t work;
    ExternalConfig config;
    ExternalFile last, told; /* by the latest look; to the owner */
    int held;                /* of `last`, until it is told; -1: nothing */
    uint32_t left_out;       /* as the owner wants it; the job has its own */
    uint32_t job_left_out;
    bool is_new; /* of the job: `last` is to be told */
    bool is_busy, is_closed, is_timer_closed;
};

static void free_if_done(ExternalWatch *watch)
{
    if (!watch->is_timer_closed || watch->is_busy)
        return;
    if (watch->held >= 0)
        close(watch->held);
    free(watch);
}

static void external_watch_on_timer_closed(uv_handle_t *timer)
{
    ExternalWatch *watch = timer->data;
    watch->is_timer_closed = true;
    free_if_done(watch);
}

/* On the pool; the loop keeps its hands off meanwhile. */
static void look_at_file(uv_work_t *work)
{
    ExternalWatch *watch = work->data;
    ExternalFile now;
    /* The first is what the engine was started from: who waited to see it at rest would take what
     * replaces it meanwhile for it. */
    const bool is_first = watch->told.program[0] == '\0';
    external_file_look(&now, &watch->config, watch->job_left_out);
    watch->is_new = now.program[0] != '\0' && !external_file_is_same(&now, &watch->told) &&
                    (is_first || external_file_is_same(&now, &watch->last));
    if (watch->is_new)
        watch->held = external_file_hold(&now, &watch->config);
    watch->last = now;
}

static void external_watch_on_timer(uv_timer_t *timer);

static void external_watch_on_looked(uv_work_t *work, int status)
{
    ExternalWatch *watch = work->data;
    (void)status; /* nobody cancels it */
    watch->is_busy = false;
    if (watch->is_closed) {
        free_if_done(watch);
        return;
    }
    timer_set(&watch->timer, external_watch_on_timer, timer_after(EXTERNAL_WATCH_MS));
    if (!watch->is_new)
        return;
    const int held = watch->held;
    watch->held = -1;
    watch->told = watch->last;
    watch->on_file(watch->user, &watch->told, held);
}

static void external_watch_on_timer(uv_timer_t *timer)
{
    ExternalWatch *watch = timer->data;
    watch->work.data = watch;
    watch->job_left_out = watch->left_out;
    watch->is_busy =
        uv_queue_work(watch->loop, &watch->work, look_at_file, external_watch_on_looked) == 0;
}

bool external_watch_new(ExternalWatch **out, uv_loop_t *loop, const ExternalConfig *config,
                        void (*on_file)(void *user, const ExternalFile *file, int held), void *user,
                        Error *err)
{
    ExternalWatch *watch = alloc_zeroed(sizeof *watch, "a watch over an engine", err);
    if (!watch)
        return false;
    watch->loop = loop;
    watch->on_file = on_file;
    watch->held = -1;
    watch->user = user;
    watch->config = *config;
    timer_init(loop, &watch->timer, watch);
    timer_set(&watch->timer, external_watch_on_timer, timer_after(0));
    *out = watch;
    return true;
}

void external_watch_leave_out(ExternalWatch *watch, uint32_t arguments)
{
    watch->left_out = arguments;
}

void external_watch_close(ExternalWatch *watch)
{
    if (!watch)
        return;
    watch->is_closed = true;
    uv_close((uv_handle_t *)&watch->timer, external_watch_on_timer_closed);
}
