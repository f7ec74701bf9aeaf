/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/lichess/backoff.h"

#include "engine/base/check.h"
#include "engine/base/duration.h"
#include "engine/base/random.h"

const BackoffPolicy BACKOFF_EVENT_STREAM = {
    .first_ms = 1000,
    .most_ms = 30000,
    .good_ms = 30000,
    .window_opens = 25,
    .window_ms = 600000,
};

const BackoffPolicy BACKOFF_GAME_STREAM = {
    .first_ms = 250,
    .most_ms = 5000,
    .good_ms = 10000,
};

void backoff_init(Backoff *backoff, const BackoffPolicy *policy, uint64_t seed)
{
    CHECK(policy->window_opens >= 0 && policy->window_opens <= BACKOFF_WINDOW_MAX);
    *backoff = (Backoff){ .policy = *policy, .random = seed };
}

void backoff_restore(Backoff *backoff, const int64_t *attempts_ms, int count)
{
    for (int i = 0; i < count; i++)
        backoff_attempt(backoff, attempts_ms[i]);
}

int backoff_attempts(const Backoff *backoff, int64_t *out, int64_t now_ms)
{
    int known =
        backoff->attempt_count < BACKOFF_WINDOW_MAX ? backoff->attempt_count : BACKOFF_WINDOW_MAX;
    int count = 0;
    for (int i = backoff->attempt_count - known; i < backoff->attempt_count; i++) {
        int64_t at = backoff->attempts[i % BACKOFF_WINDOW_MAX];
        if (at > now_ms - backoff->policy.window_ms)
            out[count++] = at;
    }
    return count;
}

int64_t backoff_window_wait_ms(const Backoff *backoff, int64_t now_ms)
{
    int opens = backoff->policy.window_opens;
    if (opens == 0 || backoff->attempt_count < opens)
        return 0;
    int64_t oldest = backoff->attempts[(backoff->attempt_count - opens) % BACKOFF_WINDOW_MAX];
    int64_t free_at = oldest + backoff->policy.window_ms;
    return duration_until(free_at, now_ms);
}

void backoff_attempt(Backoff *backoff, int64_t now_ms)
{
    backoff->attempts[backoff->attempt_count % BACKOFF_WINDOW_MAX] = now_ms;
    /* The ring's index stays small; which attempts it holds does not change. */
    if (++backoff->attempt_count >= 2 * BACKOFF_WINDOW_MAX)
        backoff->attempt_count -= BACKOFF_WINDOW_MAX;
}

void backoff_opened(Backoff *backoff, int64_t now_ms)
{
    backoff->is_open = true;
    backoff->opened_at_ms = now_ms;
}

/* Half to one and a half times the distance that belongs to the number of failures. */
static int64_t jittered_ms(Backoff *backoff)
{
    int64_t distance = backoff->policy.first_ms;
    for (int i = 2; i < backoff->failures && distance < backoff->policy.most_ms; i++)
        distance *= 2;
    if (distance > backoff->policy.most_ms)
        distance = backoff->policy.most_ms;
    if (distance == 0)
        return 0;
    return distance / 2 + (int64_t)random_below(&backoff->random, (uint64_t)distance + 1);
}

int64_t backoff_ended_ms(Backoff *backoff, int64_t now_ms)
{
    bool was_good = backoff->is_open && now_ms - backoff->opened_at_ms >= backoff->policy.good_ms;
    if (was_good)
        backoff->failures = backoff->short_lives = 0;
    else if (backoff->is_open)
        backoff->short_lives++;
    else
        backoff->short_lives = 0;
    backoff->is_open = false;
    backoff->failures++;
    int64_t wait = backoff->failures == 1 ? 0 : jittered_ms(backoff);
    int64_t window = backoff_window_wait_ms(backoff, now_ms);
    return wait > window ? wait : window;
}
