/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ratelimit.h - which requests wait after a 429, and how long. A 429 stops its own family for what
 * the server says, else a full minute. One without a `ratelimit.key` may come from the proxy in
 * front and stops challenges and the rest as well; but Lichess counts the challenges that we create
 * without a key, for a minute and for a day, so a 429 to those stops creating alone, and for longer
 * each time. A move is never held back by another family's
 * 429; by its own only as long as the clock survives it: else it probes, at most 4 times, at
 * growing distances. Streams are held by their own 429 only: a running game needs its stream. Pure:
 * time comes in. Monotonic milliseconds. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

typedef enum {
    FAMILY_MOVE,    /* moves, and what ends a game */
    FAMILY_ACCOUNT, /* who we are: comes before the event stream, with a limit of its own */
    FAMILY_EVENT_STREAM,
    FAMILY_GAME_STREAM,
    FAMILY_CHALLENGE,  /* accept, decline, cancel */
    FAMILY_CREATE,     /* challenges of ours: their limits may last a day */
    FAMILY_CREATE_BOT, /* those to bots: no request's family, but that of the day's limit on games
                          between bots */
    FAMILY_OTHER,      /* lists */
    FAMILY_CHAT,       /* delays no other family, whatever happens to it */
    FAMILY_COUNT,
} ApiFamily;

enum { RATELIMIT_PROBES_MAX = 4 };

typedef struct {
    int64_t blocked_until_ms[FAMILY_COUNT];
    int64_t move_limited_at_ms; /* when the last 429 on a move came */
    int move_probes;            /* sent since the first 429 of this block, and not lost */
    int creates_refused;        /* by a 429, in a row */
} Ratelimit;

void ratelimit_init(Ratelimit *limit);

/* A limit of an earlier life: `family` is blocked for so long from now on. Returns for how long it
 * will be: at most a day for challenges of ours, a minute for the others. That life may have had
 * another idea of the time, and what ends too early costs one more refusal. */
int64_t ratelimit_restore(Ratelimit *limit, ApiFamily family, int64_t wait_ms, int64_t now_ms);

/* A 429 came at `now_ms` for a call of `family`; `wait_s` as the server said, 0: unknown; `keyed`:
 * with a ratelimit object, so that it concerns this family alone. */
void ratelimit_note(Ratelimit *limit, ApiFamily family, int64_t wait_s, bool keyed, int64_t now_ms);

/* A call of `family` was answered otherwise: a block of moves is over, the next one of creating is
 * short again. */
void ratelimit_note_passed(Ratelimit *limit, ApiFamily family);

/* A call of `family` got no answer: if it was a probe, it does not count. */
void ratelimit_note_lost(Ratelimit *limit, ApiFamily family);

/* How long a call of `family` has to wait from `now_ms`; 0: may go. Not for moves. */
int64_t ratelimit_wait_ms(const Ratelimit *limit, ApiFamily family, int64_t now_ms);

typedef enum { CHALLENGED_ANYBODY, CHALLENGED_BOT } Challenged;

/* The same for a challenge of ours. */
int64_t ratelimit_create_wait_ms(const Ratelimit *limit, Challenged whom, int64_t now_ms);

/* The same for a due move with `clock_ms` left to us (INT64_MAX: no clock): waits for the block's
 * end when at least `reserve_ms` of the clock would be left after it, else for the next probe. */
int64_t ratelimit_move_wait_ms(const Ratelimit *limit, int64_t clock_ms, int64_t reserve_ms,
                               int64_t now_ms);

/* A move was sent at `now_ms`: counts as a probe while moves are blocked. */
void ratelimit_note_move_sent(Ratelimit *limit, int64_t now_ms);

const char *api_family_name(ApiFamily family);
