/* SPDX-License-Identifier: GPL-3.0-or-later */
/* slots.h - which games we play, which challenges we have accepted, and who waits.
 *
 * A slot is taken by a running game, and by a challenge that was accepted within the last ten
 * seconds and is not a game yet. Games without a clock have slots of their own, because they sleep
 * for days. Slots limit what is accepted, never what is played: a game that exists counts even if
 * there was no slot for it. Further challenges wait by rank, then in order of arrival, until they
 * are withdrawn or their turn comes. The server does not report when an owner leaves or comes back:
 * one not seen for 20 s may be away. A challenge whose owner is away keeps its place, is passed
 * over, and is dropped when the queue is full. The offer of a rematch is in no list of the server,
 * so it waits without such a doubt, but not for long. Some slots may be reserved for humans. Pure:
 * time comes in. */
#pragma once
#include "bot/config/settings.h"
#include "bot/lichess/event.h"

enum {
    SLOTS_GAMES_MAX = 256, /* Lichess allows 200 */
    SLOTS_WAITING_MAX = 32,
    SLOTS_FINISHED_MAX = 64,
    SLOTS_LEASE_MS = 10000,
    SLOTS_START_MS = 4000,   /* a game that has not begun by then may not be reported */
    SLOTS_UNSEEN_MS = 20000, /* a real-time challenge's owner may have left by then */
    SLOTS_WAIT_MOST_MS = 3 * 3600 * 1000,  /* Lichess deletes one whose owner is away that long */
    SLOTS_REMATCH_WAIT_MS = 5 * 60 * 1000, /* nobody looks at an offer for longer */
};

typedef enum {
    SLOTS_REALTIME,
    SLOTS_CORRESPONDENCE, /* by days, or without any limit */
    SLOTS_KIND_COUNT,
} SlotsKind;

typedef struct {
    int of_kind[SLOTS_KIND_COUNT];
    int for_humans; /* of those for games with a clock, closed to bots */
} SlotLimits;

/* Whom a game or challenge is with. */
typedef struct {
    char id[USER_ID_SIZE]; /* user id; "": anonymous, or not known */
    OpponentKind kind;
} SlotsPlayer;

/* What is to be played. */
typedef struct {
    TimeControl time;
    Variant variant;
    bool rated;
} SlotsWanted;

typedef struct {
    char id[GAME_ID_SIZE];
    SlotsKind kind;
    SlotsPlayer player;
    SlotsWanted wanted; /* waiting: this game, */
    int64_t offered_ms; /* … and since when */
    int64_t rank;
    int64_t until_ms;    /* INT64_MAX: for good */
    int64_t start_by_ms; /* accepted: the game's start is overdue then; 0: not awaited */
    int64_t seen_ms;     /* waiting: when the server last reported it */
    bool is_away;        /* waiting: its owner, by the server */
    bool is_unseen;      /* accepted, running: it was unknown whether the owner was there */
    bool is_rematch;     /* offers of these stand beside challenges */
    /* Waiting: an earlier one of the player, whose acceptance was on its way when this one came.
     * Either the server had cancelled it by then, or it becomes a game. "": none. */
    char after[GAME_ID_SIZE];
} SlotsEntry;

typedef struct {
    SlotsEntry entries[SLOTS_GAMES_MAX];
    int count;
} SlotsList;

/* Its fields are slots.c's; others ask the functions below. */
typedef struct Slots {
    SlotLimits limits;
    SlotsList games;
    SlotsList accepted;                              /* not games yet */
    SlotsList waiting;                               /* in order of arrival */
    char finished[SLOTS_FINISHED_MAX][GAME_ID_SIZE]; /* a ring: replays of these are old news */
    int finished_next;
} Slots;

void slots_init(Slots *slots, SlotLimits limits);

/* From now on. Fewer slots than are taken take none away. */
void slots_resize(Slots *slots, SlotLimits limits);

SlotsPlayer slots_player(Text id, OpponentKind kind);

/* A game is there, new or reported again. */
typedef enum { SLOTS_NEW, SLOTS_KNOWN, SLOTS_FINISHED, SLOTS_FULL } SlotsGame;
SlotsGame slots_game_started(Slots *slots, const char *id, SlotsKind kind, SlotsPlayer player);
void slots_game_over(Slots *slots, const char *id);

/* We failed to take the game up: it is new again at its next report. */
void slots_game_dropped(Slots *slots, const char *id);

bool slots_plays(const Slots *slots, const char *id);

typedef struct {
    SlotsKind kind;
    bool must_wait; /* may not be accepted just now, even if there is a slot */
    SlotsPlayer player;
    SlotsWanted wanted;
    int64_t rank; /* the higher, the sooner */
    bool is_rematch;
} SlotsTerms;

/* A challenge to play. SLOTS_TAKEN: it holds a slot now and is to be accepted. SLOTS_QUEUED_BEHIND:
 * it waits for an earlier one of the same player that is being accepted, and for the game with a
 * clock if it becomes one. */
typedef enum {
    SLOTS_TAKEN,
    SLOTS_WAITS,
    SLOTS_QUEUED_BEHIND,
    SLOTS_DUPLICATE,
    SLOTS_NO_ROOM
} SlotsOffer;
SlotsOffer slots_offer(Slots *slots, const char *id, const SlotsTerms *terms, int64_t now_ms);

/* A slot for a challenge of ours until then; false when there is none. */
bool slots_hold(Slots *slots, const char *id, SlotsKind kind, SlotsPlayer player, int64_t until_ms);

/* The slot held under `name` is for the challenge `id`, with this player, until then. */
void slots_bind_hold(Slots *slots, const char *name, const char *id, SlotsPlayer player,
                     int64_t until_ms);

/* The challenge has ended (withdrawn, or our acceptance was refused): true if it was here. */
bool slots_forget(Slots *slots, const char *id);

/* This player has sent the challenge `id`: the server has cancelled an earlier one that waits,
 * without a report. Takes it out and writes its id; false when there is none. */
bool slots_replace(Slots *slots, const char *player_id, const char *id,
                   char replaced[GAME_ID_SIZE]);

/* Whose turn it is of those that wait, lent until the next change; NULL: no slot, or no waiting
 * owner is there. */
const SlotsEntry *slots_peek(const Slots *slots);

/* The same of those whose owners cannot have left without our knowing it. */
const SlotsEntry *slots_peek_seen(const Slots *slots, int64_t now_ms);

/* May the owner of this challenge, which waits, have left? */
bool slots_owner_may_be_absent(const SlotsEntry *entry, int64_t now_ms);

/* The challenge, which waits, takes a slot: it is to be accepted. */
void slots_take(Slots *slots, const char *id, int64_t now_ms);

/* Games of the kind that run; slots that there are for it. */
int slots_running(const Slots *slots, SlotsKind kind);
int slots_limit(const Slots *slots, SlotsKind kind);

/* Challenges that wait, in order of arrival; lent until the next change. */
const SlotsList *slots_waiting(const Slots *slots);

/* Whose challenge it is, of those accepted that are no games yet; "": of nobody known. Lent until
 * the next change. */
const char *slots_accepted_player(const Slots *slots, const char *id);

/* True if there is a slot for a game of this kind with such an opponent. */
bool slots_has_free(const Slots *slots, SlotsKind kind, OpponentKind opponent);

/* Does this challenge wait, is it accepted, or a game, running or over? */
bool slots_knows(const Slots *slots, const char *id);

/* Its acceptance was granted: it holds the slot for SLOTS_LEASE_MS more. */
void slots_granted(Slots *slots, const char *id, int64_t now_ms);

/* True once for each game whose start is overdue, though its acceptance was granted: it may have
 * begun without a report. */
bool slots_miss_start(Slots *slots, int64_t now_ms);

/* Its acceptance got lost: it waits again, as the first of its rank, unless the player has sent
 * another one meanwhile, which the server has in its place. */
void slots_return(Slots *slots, const char *id);

/* The server listed the open challenges; the request went out at `asked_ms`, so later ones are not
 * in the list. `is_open` is called for each that waits. */
void slots_update_presence(Slots *slots, bool (*is_open)(void *user, const char *id), void *user,
                           int64_t asked_ms, int64_t now_ms);

/* True if a challenge could be accepted now, were its owner not away. */
bool slots_next_is_absent(const Slots *slots);

/* True for a game that began by a challenge whose owner may have left. */
bool slots_game_is_unseen(const Slots *slots, const char *id);

/* An entry that is out of date is taken out and its id written. */
typedef enum {
    SLOTS_NOTHING_EXPIRED,
    SLOTS_LEASE_EXPIRED, /* accepted, and no game came of it */
    SLOTS_WAIT_EXPIRED,  /* its turn never came */
} SlotsExpired;
SlotsExpired slots_expire(Slots *slots, char id[GAME_ID_SIZE], int64_t now_ms);

/* When slots_expire() or slots_miss_start() will next have something; INT64_MAX: never. */
int64_t slots_next_at_ms(const Slots *slots);

/* Games, and challenges accepted or waiting, with this player, but for the one challenge
 * `except_id`. None without a player. One that is being accepted does not count: a further
 * challenge replaces or follows it. */
typedef struct {
    int running, pending;
} SlotsCounts;
SlotsCounts slots_count_player(const Slots *slots, const char *player_id, const char *except_id);

/* When the best of this player's challenges will have its turn: 1 is next; 0: none is waiting. */
int slots_place(const Slots *slots, const char *player_id);

/* How many of the kind a list holds. */
int slots_count(const SlotsList *list, SlotsKind kind);

static inline int slots_used(const Slots *slots, SlotsKind kind)
{
    return slots_count(&slots->games, kind) + slots_count(&slots->accepted, kind);
}
