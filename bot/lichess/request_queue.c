/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/lichess/request_queue.h"

#include "engine/base/minmax.h"

#include <assert.h>
#include <string.h>

void request_queue_init(RequestQueue *queue)
{
    memset(queue, 0, sizeof *queue);
    for (int i = 0; i < REQUESTS_MINUTE_MAX; i++)
        queue->minute[i] = INT64_MIN;
}

static void count_in_minute(RequestQueue *queue, int64_t now_ms)
{
    queue->minute[queue->minute_next] = now_ms;
    queue->minute_next = (queue->minute_next + 1) % REQUESTS_MINUTE_MAX;
}

/* The `back`th latest request's time; INT64_MIN: there was none. */
static int64_t sent_at_ms(const RequestQueue *queue, int back)
{
    int at = (queue->minute_next - back + REQUESTS_MINUTE_MAX) % REQUESTS_MINUTE_MAX;
    return queue->minute[at];
}

int request_queue_last_minute(const RequestQueue *queue, int64_t now_ms)
{
    int count = 0;
    while (count < REQUESTS_MINUTE_MAX) {
        int64_t at = sent_at_ms(queue, count + 1);
        if (at == INT64_MIN || at <= now_ms - REQUESTS_MINUTE_MS)
            break;
        count++;
    }
    return count;
}

void request_queue_sent_urgent(RequestQueue *queue, RequestRank rank, int64_t now_ms)
{
    assert(request_is_urgent(rank));
    queue->counts[rank].sent++;
    count_in_minute(queue, now_ms);
    if (rank != REQUEST_MOVE)
        return;
    queue->moves_out++;
    queue->move_until_ms = now_ms + REQUESTS_YIELD_MS;
}

void request_queue_answered_urgent(RequestQueue *queue, RequestRank rank)
{
    if (rank == REQUEST_MOVE && queue->moves_out > 0)
        queue->moves_out--;
}

static int count_waiting(const RequestQueue *queue, RequestRank rank)
{
    int count = 0;
    for (int i = 0; i < queue->waiting_count; i++)
        count += queue->waiting[i].rank == rank;
    return count;
}

bool request_queue_ask(RequestQueue *queue, uint32_t ticket, RequestRank rank, ApiFamily family,
                       int64_t now_ms)
{
    assert(ticket != 0 && !request_is_urgent(rank));
    if (queue->waiting_count == REQUESTS_WAITING_MAX ||
        (rank == REQUEST_DECLINE && count_waiting(queue, rank) >= REQUESTS_DECLINES_MAX))
        return false;
    queue->waiting[queue->waiting_count++] = (QueuedRequest){ ticket, rank, family, now_ms };
    return true;
}

static void take_out(RequestQueue *queue, int at)
{
    queue->waiting_count--;
    memmove(&queue->waiting[at], &queue->waiting[at + 1],
            (size_t)(queue->waiting_count - at) * sizeof queue->waiting[0]);
}

/* How many requests a minute may hold before this rank waits; 0: any number. */
static int minute_room(RequestRank rank)
{
    switch (rank) {
    case REQUEST_DECLINE:
    case REQUEST_CHAT:
    case REQUEST_OTHER:
        return REQUESTS_MINUTE_COMMON;
    case REQUEST_MOVE:
    case REQUEST_CLAIM:
    case REQUEST_RESIGN:
    case REQUEST_ACCEPT:
    case REQUEST_STREAM:
        break;
    }
    return 0;
}

/* When what is under way lets the next one go. */
static int64_t free_at_ms(const RequestQueue *queue, int64_t now_ms)
{
    int64_t at = now_ms;
    if (queue->moves_out > 0)
        at = int64_max(at, queue->move_until_ms);
    if (queue->out != 0)
        at = int64_max(at, queue->out_until_ms);
    return at;
}

/* A 429's end and room in the minute: when this one may go, were it alone. */
static int64_t allowed_at_ms(const RequestQueue *queue, const QueuedRequest *entry,
                             const Ratelimit *limit, int64_t now_ms)
{
    int64_t at = now_ms;
    if (entry->family != FAMILY_MOVE)
        at += ratelimit_wait_ms(limit, entry->family, now_ms);
    if (entry->rank == REQUEST_DECLINE)
        at = int64_max(at, queue->declined_ms - REQUESTS_DECLINE_BURST * REQUESTS_DECLINE_MS);
    int room = minute_room(entry->rank);
    if (room > 0 && request_queue_last_minute(queue, now_ms) >= room)
        at = int64_max(at, sent_at_ms(queue, room) + REQUESTS_MINUTE_MS);
    return at;
}

/* The most important one that may go now; -1: none. */
static int choose(const RequestQueue *queue, const Ratelimit *limit, int64_t now_ms)
{
    int best = -1;
    for (int i = 0; i < queue->waiting_count; i++) {
        const QueuedRequest *entry = &queue->waiting[i];
        if (best >= 0 && entry->rank >= queue->waiting[best].rank)
            continue;
        if (allowed_at_ms(queue, entry, limit, now_ms) <= now_ms)
            best = i;
    }
    return best;
}

static void count_sent(RequestQueue *queue, const QueuedRequest *entry, int64_t now_ms)
{
    RequestCount *count = &queue->counts[entry->rank];
    int64_t waited = now_ms - entry->asked_ms;
    count->sent++;
    if (waited == 0)
        return;
    count->waited++;
    count->waited_ms += waited;
    count->longest_ms = int64_max(count->longest_ms, waited);
}

RequestQueueStep request_queue_next(RequestQueue *queue, const Ratelimit *limit, int64_t now_ms,
                                    uint32_t *ticket)
{
    for (int i = 0; i < queue->waiting_count; i++) {
        const QueuedRequest entry = queue->waiting[i];
        if (entry.asked_ms > now_ms - REQUESTS_GIVE_UP_MS)
            continue;
        take_out(queue, i);
        queue->counts[entry.rank].given_up++;
        *ticket = entry.ticket;
        return REQUESTS_GIVE_UP;
    }
    int chosen = free_at_ms(queue, now_ms) <= now_ms ? choose(queue, limit, now_ms) : -1;
    if (chosen < 0)
        return REQUESTS_WAIT;
    const QueuedRequest entry = queue->waiting[chosen];
    take_out(queue, chosen);
    count_sent(queue, &entry, now_ms);
    count_in_minute(queue, now_ms);
    if (entry.rank == REQUEST_DECLINE)
        queue->declined_ms = int64_max(queue->declined_ms, now_ms) + REQUESTS_DECLINE_MS;
    queue->out = entry.ticket;
    queue->out_until_ms = now_ms + REQUESTS_TIMEOUT_MS;
    *ticket = entry.ticket;
    return REQUESTS_SEND;
}

int64_t request_queue_next_at_ms(const RequestQueue *queue, const Ratelimit *limit, int64_t now_ms)
{
    int64_t next = INT64_MAX;
    int64_t is_free = free_at_ms(queue, now_ms);
    for (int i = 0; i < queue->waiting_count; i++) {
        const QueuedRequest *entry = &queue->waiting[i];
        int64_t at = int64_max(is_free, allowed_at_ms(queue, entry, limit, now_ms));
        int64_t given_up = entry->asked_ms + REQUESTS_GIVE_UP_MS;
        at = at < given_up ? at : given_up;
        next = at < next ? at : next;
    }
    return next;
}

void request_queue_answered(RequestQueue *queue, uint32_t ticket)
{
    if (queue->out == ticket)
        queue->out = 0;
}

void request_queue_withdraw(RequestQueue *queue, uint32_t ticket)
{
    request_queue_answered(queue, ticket);
    for (int i = 0; i < queue->waiting_count; i++) {
        if (queue->waiting[i].ticket != ticket)
            continue;
        take_out(queue, i);
        return;
    }
}

const char *request_rank_name(RequestRank rank)
{
    static const char *const names[REQUEST_RANK_COUNT] = {
        [REQUEST_MOVE] = "move",     [REQUEST_CLAIM] = "claim",     [REQUEST_RESIGN] = "resign",
        [REQUEST_ACCEPT] = "accept", [REQUEST_DECLINE] = "decline", [REQUEST_CHAT] = "chat",
        [REQUEST_OTHER] = "other",   [REQUEST_STREAM] = "stream",
    };
    return names[rank];
}
