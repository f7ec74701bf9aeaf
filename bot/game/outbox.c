/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/game/outbox.h"

#include <string.h>

enum {
    RETRY_FIRST_MS = 250,
    RETRY_MAX_MS = 8000,
    REFUSED_RESYNC_MS = 100, /* the stream's word on a refused command is usually on its way */
    REFUSED_RETRY_FIRST_MS = 1000,
    REFUSED_RETRY_MAX_MS = 60000,
    CONFIRM_WAIT_MIN_MS = 2000,
    LIMIT_RECHECK_MS = 500,
    LIMIT_RESERVE_MS = 15000, /* what the clock must hold beyond a limit's minute */
    SIDE_TRIES_MAX = 3,       /* for commands that are only polite */
};

void outbox_reset(Outbox *box)
{
    uint32_t last_ticket = box->last_ticket;
    memset(box, 0, sizeof *box);
    box->last_ticket = last_ticket;
}

void outbox_put(Outbox *box, Command command, int64_t now_ms)
{
    box->slots[command.kind] =
        (OutboxSlot){ .command = command, .state = SLOT_WAITING, .due_ms = now_ms };
}

void outbox_drop(Outbox *box, CommandKind kind)
{
    box->slots[kind].state = SLOT_EMPTY;
}

/* first_ms, doubled for each try after the first, up to max_ms. */
static int64_t growing_ms(int64_t first_ms, int tries, int64_t max_ms)
{
    int64_t wait = first_ms;
    for (int i = 1; i < tries && wait < max_ms; i++)
        wait *= 2;
    return wait < max_ms ? wait : max_ms;
}

void outbox_refuted(Outbox *box, int64_t now_ms)
{
    OutboxSlot *slot = &box->slots[COMMAND_MOVE];
    if (slot->state != SLOT_UNSETTLED)
        return;
    slot->state = SLOT_WAITING;
    slot->due_ms = now_ms + growing_ms(RETRY_FIRST_MS, slot->tries, RETRY_MAX_MS);
}

/* Whether the slot may act at its due time, or something else must happen first. A first request
 * needs no live stream: the clock runs, and the stream's last line is the best there is. */
static bool slot_is_ready(const Outbox *box, const OutboxSlot *slot, bool is_live)
{
    switch (slot->state) {
    case SLOT_EMPTY:
    case SLOT_SENT:
        return false;
    case SLOT_WAITING:
        return (is_live || slot->tries == 0) &&
               (slot->command.kind == COMMAND_MOVE || box->slots[COMMAND_MOVE].state != SLOT_SENT);
    case SLOT_UNSETTLED:
        return is_live;
    }
    return false;
}

/* A 429 asks for a minute's silence. Only a move may break it, and only where the clock would not
 * survive it: Ratelimit keeps count of that. */
static int64_t limited_for_ms(const OutboxSlot *slot, const OutboxView *view)
{
    if (slot->command.kind == COMMAND_MOVE)
        return ratelimit_move_wait_ms(view->limit, view->clock_ms, LIMIT_RESERVE_MS, view->now_ms);
    return ratelimit_wait_ms(view->limit, FAMILY_OTHER, view->now_ms);
}

OutboxStep outbox_step(Outbox *box, const OutboxView *view)
{
    for (int kind = 0; kind < COMMAND_KIND_COUNT; kind++) {
        OutboxSlot *slot = &box->slots[kind];
        if (!slot_is_ready(box, slot, view->is_live) || slot->due_ms > view->now_ms)
            continue;
        if (slot->state == SLOT_UNSETTLED) {
            slot->state = SLOT_WAITING;
            slot->due_ms = view->now_ms +
                           growing_ms(REFUSED_RETRY_FIRST_MS, slot->tries, REFUSED_RETRY_MAX_MS);
            return (OutboxStep){ OUTBOX_RESYNC, slot->command, slot->ticket, slot->tries };
        }
        int64_t limited = limited_for_ms(slot, view);
        if (limited > 0) {
            /* Not longer: another game's move may pass meanwhile, which lifts the limit. */
            slot->due_ms = view->now_ms + (limited < LIMIT_RECHECK_MS ? limited : LIMIT_RECHECK_MS);
            continue;
        }
        slot->state = SLOT_SENT;
        slot->sent_ms = view->now_ms;
        slot->tries++;
        slot->ticket = ++box->last_ticket;
        return (OutboxStep){ OUTBOX_SEND, slot->command, slot->ticket, slot->tries };
    }
    return (OutboxStep){ .action = OUTBOX_NOTHING };
}

int64_t outbox_next_at_ms(const Outbox *box, bool is_live)
{
    int64_t next = INT64_MAX;
    for (int kind = 0; kind < COMMAND_KIND_COUNT; kind++) {
        const OutboxSlot *slot = &box->slots[kind];
        if (slot_is_ready(box, slot, is_live) && slot->due_ms < next)
            next = slot->due_ms;
    }
    return next;
}

static void move_answered(OutboxSlot *slot, Reply reply, int64_t lag_ms, int64_t now_ms)
{
    int64_t first = lag_ms > RETRY_FIRST_MS ? lag_ms : RETRY_FIRST_MS;
    switch (reply) {
    case REPLY_RECEIVED:
        slot->state = SLOT_UNSETTLED;
        slot->due_ms =
            now_ms + (4 * lag_ms > CONFIRM_WAIT_MIN_MS ? 4 * lag_ms : CONFIRM_WAIT_MIN_MS);
        break;
    case REPLY_REFUSED:
        slot->state = SLOT_UNSETTLED;
        slot->due_ms = now_ms + REFUSED_RESYNC_MS + lag_ms;
        break;
    case REPLY_LIMITED:
        slot->state = SLOT_WAITING;
        slot->due_ms = now_ms;
        break;
    case REPLY_LOST:
        slot->state = slot->command.resync_first ? SLOT_UNSETTLED : SLOT_WAITING;
        slot->due_ms = now_ms + growing_ms(first, slot->tries, RETRY_MAX_MS);
        break;
    }
}

/* Aborts and answers to proposals: worth a few tries, and nothing more. A "yes" that came through
 * would be a proposal of our own when it came again. */
static void side_command_answered(OutboxSlot *slot, Reply reply, int64_t now_ms)
{
    bool may_repeat = !slot->command.accepts && slot->tries < SIDE_TRIES_MAX;
    if ((reply == REPLY_LOST || reply == REPLY_LIMITED) && may_repeat) {
        slot->state = SLOT_WAITING;
        slot->due_ms = now_ms + growing_ms(REFUSED_RETRY_FIRST_MS, slot->tries, RETRY_MAX_MS);
    } else {
        slot->state = SLOT_EMPTY;
    }
}

const OutboxSlot *outbox_answered(Outbox *box, uint32_t ticket, Reply reply, int64_t lag_ms,
                                  int64_t now_ms)
{
    for (int kind = 0; kind < COMMAND_KIND_COUNT; kind++) {
        OutboxSlot *slot = &box->slots[kind];
        if (slot->state != SLOT_SENT || slot->ticket != ticket)
            continue;
        if (kind == COMMAND_MOVE)
            move_answered(slot, reply, lag_ms, now_ms);
        else
            side_command_answered(slot, reply, now_ms);
        return slot;
    }
    return NULL;
}
