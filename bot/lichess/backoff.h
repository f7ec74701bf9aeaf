/* SPDX-License-Identifier: GPL-3.0-or-later */
/* backoff.h - when to try again: at once the first time, then after growing, jittered delays. A
 * limit over a window holds too: Lichess allows 30 opens of the event stream in 10 minutes. Pure:
 * time comes in (monotonic milliseconds), randomness comes from a seed. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

enum { BACKOFF_WINDOW_MAX = 32 };

typedef struct {
    int64_t first_ms; /* the second retry's distance before jitter; doubles from there */
    int64_t most_ms;  /* largest distance before jitter */
    int64_t good_ms;  /* a connection that lived so long wipes the slate */
    int window_opens; /* most attempts within window_ms, 0: no limit, ..BACKOFF_WINDOW_MAX */
    int64_t window_ms;
} BackoffPolicy;

/* For the event stream: 25 opens in 10 minutes. For a game's stream: no window, seconds at most. */
extern const BackoffPolicy BACKOFF_EVENT_STREAM;
extern const BackoffPolicy BACKOFF_GAME_STREAM;

typedef struct {
    BackoffPolicy policy;
    uint64_t random;
    int failures;    /* attempts since the last good one */
    int short_lives; /* opened, but ended before good_ms, in a row: a second client? */
    bool is_open;
    int64_t opened_at_ms;
    int64_t attempts[BACKOFF_WINDOW_MAX]; /* a ring of the latest */
    int attempt_count;
} Backoff;

void backoff_init(Backoff *backoff, const BackoffPolicy *policy, uint64_t seed);

/* Attempts of an earlier life, in order, count for the window. */
void backoff_restore(Backoff *backoff, const int64_t *attempts_ms, int count);

/* The attempts within the window, in order, at most BACKOFF_WINDOW_MAX; returns how many. */
int backoff_attempts(const Backoff *backoff, int64_t *out, int64_t now_ms);

/* How long until one more attempt keeps within the window's limit. */
int64_t backoff_window_wait_ms(const Backoff *backoff, int64_t now_ms);

/* An attempt starts now. */
void backoff_attempt(Backoff *backoff, int64_t now_ms);

/* The attempt was answered: the stream is open. */
void backoff_opened(Backoff *backoff, int64_t now_ms);

/* The attempt failed, or the open stream ended: how long to wait before the next attempt (0: none).
 * Call once for each end. */
int64_t backoff_ended_ms(Backoff *backoff, int64_t now_ms);
