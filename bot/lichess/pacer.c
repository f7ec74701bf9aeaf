/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/lichess/pacer.h"

#include "engine/base/minmax.h"

#include <assert.h>
#include <string.h>

void pacer_init(Pacer *pacer)
{
    memset(pacer, 0, sizeof *pacer);
    for (int i = 0; i < PACER_MINUTE_MAX; i++)
        pacer->minute[i] = INT64_MIN;
}

static void count_in_minute(Pacer *pacer, int64_t now_ms)
{
    pacer->minute[pacer->minute_next] = now_ms;
    pacer->minute_next = (pacer->minute_next + 1) % PACER_MINUTE_MAX;
}

/* The `back`th latest request's time; INT64_MIN: there was none. */
static int64_t sent_at_ms(const Pacer *pacer, int back)
{
    int at = (pacer->minute_next - back + PACER_MINUTE_MAX) % PACER_MINUTE_MAX;
    return pacer->minute[at];
}

int pacer_last_minute(const Pacer *pacer, int64_t now_ms)
{
    int count = 0;
    while (count < PACER_MINUTE_MAX) {
        int64_t at = sent_at_ms(pacer, count + 1);
        if (at == INT64_MIN || at <= now_ms - PACER_MINUTE_MS)
            break;
        count++;
    }
    return count;
}

void pacer_sent_urgent(Pacer *pacer, PaceRank rank, int64_t now_ms)
{
    assert(pace_is_urgent(rank));
    pacer->counts[rank].sent++;
    count_in_minute(pacer, now_ms);
    if (rank != PACE_MOVE)
        return;
    pacer->moves_out++;
    pacer->move_until_ms = now_ms + PACER_YIELD_MS;
}

void pacer_answered_urgent(Pacer *pacer, PaceRank rank)
{
    if (rank == PACE_MOVE && pacer->moves_out > 0)
        pacer->moves_out--;
}

static int count_waiting(const Pacer *pacer, PaceRank rank)
{
    int count = 0;
    for (int i = 0; i < pacer->waiting_count; i++)
        count += pacer->waiting[i].rank == rank;
    return count;
}

bool pacer_ask(Pacer *pacer, uint32_t ticket, PaceRank rank, ApiFamily family, int64_t now_ms)
{
    assert(ticket != 0 && !pace_is_urgent(rank));
    if (pacer->waiting_count == PACER_WAITING_MAX ||
        (rank == PACE_DECLINE && count_waiting(pacer, rank) >= PACER_DECLINES_MAX))
        return false;
    pacer->waiting[pacer->waiting_count++] = (PacerEntry){ ticket, rank, family, now_ms };
    return true;
}

static void take_out(Pacer *pacer, int at)
{
    pacer->waiting_count--;
    memmove(&pacer->waiting[at], &pacer->waiting[at + 1],
            (size_t)(pacer->waiting_count - at) * sizeof pacer->waiting[0]);
}

/* How many requests a minute may hold before this rank waits; 0: any number. */
static int minute_room(PaceRank rank)
{
    switch (rank) {
    case PACE_DECLINE:
    case PACE_CHAT:
    case PACE_OTHER:
        return PACER_MINUTE_COMMON;
    case PACE_MOVE:
    case PACE_CLAIM:
    case PACE_RESIGN:
    case PACE_ACCEPT:
    case PACE_STREAM:
        break;
    }
    return 0;
}

/* When what is under way lets the next one go. */
static int64_t free_at_ms(const Pacer *pacer, int64_t now_ms)
{
    int64_t at = now_ms;
    if (pacer->moves_out > 0)
        at = int64_max(at, pacer->move_until_ms);
    if (pacer->out != 0)
        at = int64_max(at, pacer->out_until_ms);
    return at;
}

/* A 429's end and room in the minute: when this one may go, were it alone. */
static int64_t allowed_at_ms(const Pacer *pacer, const PacerEntry *entry, const Ratelimit *limit,
                             int64_t now_ms)
{
    int64_t at = now_ms;
    if (entry->family != FAMILY_MOVE)
        at += ratelimit_wait_ms(limit, entry->family, now_ms);
    if (entry->rank == PACE_DECLINE)
        at = int64_max(at, pacer->declined_ms - PACER_DECLINE_BURST * PACER_DECLINE_MS);
    int room = minute_room(entry->rank);
    if (room > 0 && pacer_last_minute(pacer, now_ms) >= room)
        at = int64_max(at, sent_at_ms(pacer, room) + PACER_MINUTE_MS);
    return at;
}

/* The most important one that may go now; -1: none. */
static int choose(const Pacer *pacer, const Ratelimit *limit, int64_t now_ms)
{
    int best = -1;
    for (int i = 0; i < pacer->waiting_count; i++) {
        const PacerEntry *entry = &pacer->waiting[i];
        if (best >= 0 && entry->rank >= pacer->waiting[best].rank)
            continue;
        if (allowed_at_ms(pacer, entry, limit, now_ms) <= now_ms)
            best = i;
    }
    return best;
}

static void count_sent(Pacer *pacer, const PacerEntry *entry, int64_t now_ms)
{
    PacerCount *count = &pacer->counts[entry->rank];
    int64_t waited = now_ms - entry->asked_ms;
    count->sent++;
    if (waited == 0)
        return;
    count->waited++;
    count->waited_ms += waited;
    count->longest_ms = int64_max(count->longest_ms, waited);
}

PacerDo pacer_next(Pacer *pacer, const Ratelimit *limit, int64_t now_ms, uint32_t *ticket)
{
    for (int i = 0; i < pacer->waiting_count; i++) {
        const PacerEntry entry = pacer->waiting[i];
        if (entry.asked_ms > now_ms - PACER_GIVE_UP_MS)
            continue;
        take_out(pacer, i);
        pacer->counts[entry.rank].given_up++;
        *ticket = entry.ticket;
        return PACER_GIVE_UP;
    }
    int chosen = free_at_ms(pacer, now_ms) <= now_ms ? choose(pacer, limit, now_ms) : -1;
    if (chosen < 0)
        return PACER_WAIT;
    const PacerEntry entry = pacer->waiting[chosen];
    take_out(pacer, chosen);
    count_sent(pacer, &entry, now_ms);
    count_in_minute(pacer, now_ms);
    if (entry.rank == PACE_DECLINE)
        pacer->declined_ms = int64_max(pacer->declined_ms, now_ms) + PACER_DECLINE_MS;
    pacer->out = entry.ticket;
    pacer->out_until_ms = now_ms + PACER_TIMEOUT_MS;
    *ticket = entry.ticket;
    return PACER_SEND;
}

int64_t pacer_next_at_ms(const Pacer *pacer, const Ratelimit *limit, int64_t now_ms)
{
    int64_t next = INT64_MAX;
    int64_t is_free = free_at_ms(pacer, now_ms);
    for (int i = 0; i < pacer->waiting_count; i++) {
        const PacerEntry *entry = &pacer->waiting[i];
        int64_t at = int64_max(is_free, allowed_at_ms(pacer, entry, limit, now_ms));
        int64_t given_up = entry->asked_ms + PACER_GIVE_UP_MS;
        at = at < given_up ? at : given_up;
        next = at < next ? at : next;
    }
    return next;
}

void pacer_answered(Pacer *pacer, uint32_t ticket)
{
    if (pacer->out == ticket)
        pacer->out = 0;
}

void pacer_withdraw(Pacer *pacer, uint32_t ticket)
{
    pacer_answered(pacer, ticket);
    for (int i = 0; i < pacer->waiting_count; i++) {
        if (pacer->waiting[i].ticket != ticket)
            continue;
        take_out(pacer, i);
        return;
    }
}

const char *pace_rank_name(PaceRank rank)
{
    static const char *const names[PACE_RANK_COUNT] = {
        [PACE_MOVE] = "move",     [PACE_CLAIM] = "claim",     [PACE_RESIGN] = "resign",
        [PACE_ACCEPT] = "accept", [PACE_DECLINE] = "decline", [PACE_CHAT] = "chat",
        [PACE_OTHER] = "other",   [PACE_STREAM] = "stream",
    };
    return names[rank];
}
