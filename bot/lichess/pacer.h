/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pacer.h - when each request of the account may go.
 *
 * Lichess asks for one request at a time and, by its proxy, for some 180 a minute at most. So all
 * requests but two kinds stand in one queue, by rank, then by arrival, and go one after the other.
 * A move waits for no other request: it goes at once, and the queue stops until its answer. Streams
 * go at once as well: a game needs its own, and back-off paces them already. Less important
 * requests are held back as the last minute fills up, so that moves always have room. Refusals,
 * which are not urgent, are spread.
 *
 * What a 429 has stopped (ratelimit.h) waits here. What has waited too long is dropped, because its
 * caller has other plans by then. When an answer is late, the queue goes on without it.
 *
 * Pure: time comes in (monotonic milliseconds). */
#pragma once
#include "bot/lichess/ratelimit.h"

typedef enum { /* most important first */
               PACE_MOVE,
               PACE_CLAIM, /* claims, and answers to proposals in a game */
               PACE_RESIGN,
               PACE_ACCEPT,
               PACE_DECLINE,
               PACE_CHAT,
               PACE_OTHER,
               PACE_STREAM, /* beside the order */
} PaceRank;
enum { PACE_RANK_COUNT = 8 };

enum {
    PACER_WAITING_MAX = 256,
    PACER_MINUTE_MS = 60000,
    PACER_MINUTE_MAX = 512,    /* requests a minute that are counted */
    PACER_MINUTE_COMMON = 120, /* beyond that chat, refusals and the rest wait */
    PACER_DECLINE_MS = 1500,   /* refusals go so far apart … */
    PACER_DECLINE_BURST = 16,  /* … but for those saved up */
    PACER_DECLINES_MAX = 64,   /* that wait; others are not even queued */
    PACER_YIELD_MS = 1000,     /* so long the queue holds still for a move's answer */
    PACER_TIMEOUT_MS = 2000,   /* so long for any other */
    PACER_GIVE_UP_MS = 70000,  /* longer than a full minute's 429 */
};

typedef struct {
    uint32_t ticket;
    PaceRank rank;
    ApiFamily family;
    int64_t asked_ms;
} PacerEntry;

typedef struct {
    int64_t sent;       /* since the start */
    int64_t waited;     /* of them, those that had to wait */
    int64_t waited_ms;  /* in total */
    int64_t longest_ms; /* of all waits */
    int64_t given_up;   /* never sent */
} PacerCount;

typedef struct {
    PacerEntry waiting[PACER_WAITING_MAX]; /* in order of arrival */
    int waiting_count;
    int64_t minute[PACER_MINUTE_MAX]; /* a ring: when the latest requests went */
    int minute_next;
    int64_t declined_ms;   /* the refusals so far, at their distance, last until then */
    int64_t move_until_ms; /* the queue holds still until then */
    int moves_out;         /* moves without an answer */
    uint32_t out;          /* ticket of the queue's request under way; 0: none */
    int64_t out_until_ms;
    PacerCount counts[PACE_RANK_COUNT];
} Pacer;

void pacer_init(Pacer *pacer);

/* True for ranks that never wait. */
static inline bool pace_is_urgent(PaceRank rank)
{
    return rank == PACE_MOVE || rank == PACE_STREAM;
}

/* An urgent request goes at `now_ms`. */
void pacer_sent_urgent(Pacer *pacer, PaceRank rank, int64_t now_ms);

/* Queues a request; `ticket`, not 0, is the caller's name for it. False when the queue is full, for
 * refusals sooner than for others. */
bool pacer_ask(Pacer *pacer, uint32_t ticket, PaceRank rank, ApiFamily family, int64_t now_ms);

/* What the queue does next; call until it says PACER_WAIT. */
typedef enum {
    PACER_WAIT,
    PACER_SEND /* `ticket` goes now */,
    PACER_GIVE_UP /* `ticket` */
} PacerDo;
PacerDo pacer_next(Pacer *pacer, const Ratelimit *limit, int64_t now_ms, uint32_t *ticket);

/* When to call pacer_next() again; INT64_MAX: not before the next request or answer. */
int64_t pacer_next_at_ms(const Pacer *pacer, const Ratelimit *limit, int64_t now_ms);

/* The owner has dropped it; sent or not, its answer is ignored. */
void pacer_withdraw(Pacer *pacer, uint32_t ticket);

/* It was answered, or failed. */
void pacer_answered(Pacer *pacer, uint32_t ticket);
void pacer_answered_urgent(Pacer *pacer, PaceRank rank);

/* Requests that went within the last minute. */
int pacer_last_minute(const Pacer *pacer, int64_t now_ms);

const char *pace_rank_name(PaceRank rank);
