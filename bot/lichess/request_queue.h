/* SPDX-License-Identifier: GPL-3.0-or-later */
/* request_queue.h - when each request of the account may go.
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
               REQUEST_MOVE,
               REQUEST_CLAIM, /* claims, and answers to proposals in a game */
               REQUEST_RESIGN,
               REQUEST_ACCEPT,
               REQUEST_DECLINE,
               REQUEST_CHAT,
               REQUEST_OTHER,
               REQUEST_STREAM, /* beside the order */
} RequestRank;
enum { REQUEST_RANK_COUNT = 8 };

enum {
    REQUESTS_WAITING_MAX = 256,
    REQUESTS_MINUTE_MS = 60000,
    REQUESTS_MINUTE_MAX = 512,    /* requests a minute that are counted */
    REQUESTS_MINUTE_COMMON = 120, /* beyond that chat, refusals and the rest wait */
    REQUESTS_DECLINE_MS = 1500,   /* refusals go so far apart … */
    REQUESTS_DECLINE_BURST = 16,  /* … but for those saved up */
    REQUESTS_DECLINES_MAX = 64,   /* that wait; others are not even queued */
    REQUESTS_YIELD_MS = 1000,     /* so long the queue holds still for a move's answer */
    REQUESTS_TIMEOUT_MS = 2000,   /* so long for any other */
    REQUESTS_GIVE_UP_MS = 70000,  /* longer than a full minute's 429 */
};

typedef struct {
    uint32_t ticket;
    RequestRank rank;
    ApiFamily family;
    int64_t asked_ms;
} QueuedRequest;

typedef struct {
    int64_t sent;       /* since the start */
    int64_t waited;     /* of them, those that had to wait */
    int64_t waited_ms;  /* in total */
    int64_t longest_ms; /* of all waits */
    int64_t given_up;   /* never sent */
} RequestCount;

typedef struct {
    QueuedRequest waiting[REQUESTS_WAITING_MAX]; /* in order of arrival */
    int waiting_count;
    int64_t minute[REQUESTS_MINUTE_MAX]; /* a ring: when the latest requests went */
    int minute_next;
    int64_t declined_ms;   /* the refusals so far, at their distance, last until then */
    int64_t move_until_ms; /* the queue holds still until then */
    int moves_out;         /* moves without an answer */
    uint32_t out;          /* ticket of the queue's request under way; 0: none */
    int64_t out_until_ms;
    RequestCount counts[REQUEST_RANK_COUNT];
} RequestQueue;

void request_queue_init(RequestQueue *queue);

/* True for ranks that never wait. */
static inline bool request_is_urgent(RequestRank rank)
{
    return rank == REQUEST_MOVE || rank == REQUEST_STREAM;
}

/* An urgent request goes at `now_ms`. */
void request_queue_sent_urgent(RequestQueue *queue, RequestRank rank, int64_t now_ms);

/* Queues a request; `ticket`, not 0, is the caller's name for it. False when the queue is full, for
 * refusals sooner than for others. */
bool request_queue_ask(RequestQueue *queue, uint32_t ticket, RequestRank rank, ApiFamily family,
                       int64_t now_ms);

/* What the queue does next; call until it says REQUESTS_WAIT. */
typedef enum {
    REQUESTS_WAIT,
    REQUESTS_SEND /* `ticket` goes now */,
    REQUESTS_GIVE_UP /* `ticket` */
} RequestQueueStep;
RequestQueueStep request_queue_next(RequestQueue *queue, const Ratelimit *limit, int64_t now_ms,
                                    uint32_t *ticket);

/* When to call request_queue_next() again; INT64_MAX: not before the next request or answer. */
int64_t request_queue_next_at_ms(const RequestQueue *queue, const Ratelimit *limit, int64_t now_ms);

/* The owner has dropped it; sent or not, its answer is ignored. */
void request_queue_withdraw(RequestQueue *queue, uint32_t ticket);

/* It was answered, or failed. */
void request_queue_answered(RequestQueue *queue, uint32_t ticket);
void request_queue_answered_urgent(RequestQueue *queue, RequestRank rank);

/* Requests that went within the last minute. */
int request_queue_last_minute(const RequestQueue *queue, int64_t now_ms);

const char *request_rank_name(RequestRank rank);
