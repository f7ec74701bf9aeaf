/* SPDX-License-Identifier: GPL-3.0-or-later */
/* outbox.h - the commands that one game owes the server, each owned until it is settled.
 *
 * A request's answer settles little: 200 says "received", an error may come after the command was
 * carried out. So a command stays here until the stream shows that it was done, or that it can't be
 * done any more (outbox_drop() for both). Until then the outbox sends it again, with growing
 * delays. It does so only while the stream is live and still shows the state that the command was
 * made for: a move sent twice costs a refusal, never more. Where it could cost more, and after a
 * refusal, the stream is opened again before anything is sent.
 *
 * Pure: no I/O, no clock. One outbox for each game; a move goes before all else and is never held
 * back by another command. */
#pragma once
#include "bot/lichess/ratelimit.h"
#include "engine/core/uci_move.h"

#include <stdbool.h>
#include <stdint.h>

typedef enum { /* most urgent first */
               COMMAND_MOVE,
               COMMAND_CLAIM,
               COMMAND_RESIGN,
               COMMAND_ABORT,
               COMMAND_TAKEBACK, /* answer to a proposal */
               COMMAND_DRAW,     /* answer to an offer */
} CommandKind;
enum { COMMAND_KIND_COUNT = 6 };

typedef struct {
    CommandKind kind;
    bool accepts;            /* of COMMAND_TAKEBACK and COMMAND_DRAW; else they decline */
    bool claims_victory;     /* of COMMAND_CLAIM; else a draw */
    bool offers_draw;        /* of COMMAND_MOVE */
    char uci[UCI_MOVE_SIZE]; /* of COMMAND_MOVE */
    bool resync_first;       /* of COMMAND_MOVE: once made, the same words could be another move */
    bool is_ordered;         /* of COMMAND_RESIGN and COMMAND_ABORT: by the operator */
} Command;

/* What became of a request. */
typedef enum {
    REPLY_RECEIVED, /* 200 */
    REPLY_REFUSED,  /* 4xx: not now, or no more */
    REPLY_LIMITED,  /* 429: the account's Ratelimit has the time */
    REPLY_LOST,     /* time-out, broken connection, 5xx: the stream will show whether it was done */
} Reply;

typedef enum {
    SLOT_EMPTY,
    SLOT_WAITING,   /* to be sent at `due_ms` */
    SLOT_SENT,      /* its request is on the way */
    SLOT_UNSETTLED, /* answered, not seen on the stream: opened again at `due_ms` */
} SlotState;

typedef struct {
    Command command;
    SlotState state;
    uint32_t ticket; /* of its latest request; 0 before the first */
    int tries;       /* requests made */
    int64_t due_ms;
    int64_t sent_ms; /* when the latest request left */
} OutboxSlot;

typedef struct {
    OutboxSlot slots[COMMAND_KIND_COUNT];
    uint32_t last_ticket;
} Outbox;

/* What the outbox's next step depends on. */
typedef struct {
    int64_t now_ms;
    bool is_live;           /* the stream is open and has shown the game's state since */
    int64_t clock_ms;       /* left to us; INT64_MAX without a clock */
    const Ratelimit *limit; /* of the account */
} OutboxView;

typedef enum {
    OUTBOX_NOTHING,
    OUTBOX_SEND,   /* send `command` now; its answer comes back under `ticket` */
    OUTBOX_RESYNC, /* the stream should have settled `command` by now: open it again */
} OutboxAction;

typedef struct {
    OutboxAction action;
    Command command;
    uint32_t ticket;
    int tries; /* 1 for the first request of this command */
} OutboxStep;

/* Forgets all commands; answers still to come will match none. */
void outbox_reset(Outbox *box);

/* Takes a command over, due at once, in place of an unsettled one of the same kind. */
void outbox_put(Outbox *box, Command command, int64_t now_ms);

/* The stream has confirmed or refuted the command of this kind (or there is none: fine). */
void outbox_drop(Outbox *box, CommandKind kind);

/* A newly opened stream shows the state that the commands were made for: what was answered, but not
 * seen, has not been done and is due again. */
void outbox_refuted(Outbox *box, int64_t now_ms);

static inline bool outbox_holds(const Outbox *box, CommandKind kind)
{
    return box->slots[kind].state != SLOT_EMPTY;
}

/* What to do now; call until it says OUTBOX_NOTHING. */
OutboxStep outbox_step(Outbox *box, const OutboxView *view);

/* When outbox_step() will next have something to do; INT64_MAX if only the stream or an answer can
 * bring that about. */
int64_t outbox_next_at_ms(const Outbox *box, bool is_live);

/* A request was answered. `lag_ms`: the usual delay until the stream confirms. An answer to an
 * older request of the same kind, or to a command already dropped, changes nothing. Returns the
 * command that was answered, NULL for none; lent until the next change. */
const OutboxSlot *outbox_answered(Outbox *box, uint32_t ticket, Reply reply, int64_t lag_ms,
                                  int64_t now_ms);
