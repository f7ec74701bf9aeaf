/* SPDX-License-Identifier: GPL-3.0-or-later */
/* slots.h - which games we play, which challenges we have accepted, and who waits.
 *
 * One count for all: a slot is taken by a game that runs and by a challenge that was accepted and
 * has not become a game yet (for ten seconds; then it never will). Games with a clock and games
 * without one have slots of their own, as these rest for days. Slots limit what is accepted, never
 * what is played: a game that exists counts even if there was no slot for it. Further challenges
 * wait by rank, then in order of arrival, until they are withdrawn, too old to be still meant, or
 * their turn comes. Some slots may be kept for humans. Pure: time comes in. */
#pragma once
#include "bot/lichess/event.h"

enum {
    LEDGER_GAMES_MAX = 256, /* Lichess allows 200 */
    LEDGER_WAITING_MAX = 32,
    LEDGER_FINISHED_MAX = 64,
    LEDGER_PLAYER_SIZE = 32,
    LEDGER_LEASE_MS = 10000,
    LEDGER_STALE_MS = 20000, /* Lichess forgets a real-time challenge after that */
};

typedef enum {
    LEDGER_REALTIME,
    LEDGER_CORRESPONDENCE, /* by days, or without any limit */
    LEDGER_KIND_COUNT,
} LedgerKind;

typedef struct {
    int of_kind[LEDGER_KIND_COUNT];
    int for_humans; /* of those for games with a clock, closed to bots */
} LedgerSlots;

/* Whom a game or challenge is with. */
typedef struct {
    char id[LEDGER_PLAYER_SIZE]; /* user id; "": anonymous, or not known */
    bool is_bot;
} LedgerPlayer;

typedef struct {
    char id[GAME_ID_SIZE];
    LedgerKind kind;
    LedgerPlayer player;
    int64_t rank;
    int64_t until_ms; /* INT64_MAX: for good */
} LedgerEntry;

typedef struct {
    LedgerEntry entries[LEDGER_GAMES_MAX];
    int count;
} LedgerList;

typedef struct {
    LedgerSlots slots;
    LedgerList games;
    LedgerList accepted;                              /* not games yet */
    LedgerList waiting;                               /* in order of arrival */
    char finished[LEDGER_FINISHED_MAX][GAME_ID_SIZE]; /* a ring: replays of these are old news */
    int finished_next;
} Ledger;

void ledger_init(Ledger *ledger, LedgerSlots slots);

/* From now on. Fewer slots than are taken take none away. */
void ledger_resize(Ledger *ledger, LedgerSlots slots);

LedgerPlayer ledger_player(Text id, bool is_bot);

/* A game is there, new or told again. */
typedef enum { LEDGER_NEW, LEDGER_KNOWN, LEDGER_FINISHED, LEDGER_FULL } LedgerGame;
LedgerGame ledger_game_started(Ledger *ledger, const char *id, LedgerKind kind,
                               LedgerPlayer player);
void ledger_game_over(Ledger *ledger, const char *id);

/* We failed to take the game up: it is new again when it is told of next. */
void ledger_game_dropped(Ledger *ledger, const char *id);

bool ledger_plays(const Ledger *ledger, const char *id);

typedef struct {
    LedgerKind kind; /* one with a clock goes stale */
    bool must_wait;  /* may not be accepted just now, even if there is a slot */
    LedgerPlayer player;
    int64_t rank; /* the higher, the sooner */
} LedgerTerms;

/* A challenge that we want. LEDGER_TAKEN: it holds a slot now and is to be accepted. */
typedef enum { LEDGER_TAKEN, LEDGER_WAITS, LEDGER_DUPLICATE, LEDGER_NO_ROOM } LedgerOffer;
LedgerOffer ledger_offer(Ledger *ledger, const char *id, const LedgerTerms *terms, int64_t now_ms);

/* A slot for a challenge of ours, with a clock, until then; false when there is none. */
bool ledger_hold(Ledger *ledger, const char *id, LedgerPlayer player, int64_t until_ms);

/* The challenge is no more (withdrawn, or our acceptance was refused): true if we knew it. */
bool ledger_forget(Ledger *ledger, const char *id);

/* A slot may be free: takes it for the next one that waits and writes its id, to be accepted. */
bool ledger_next(Ledger *ledger, char id[GAME_ID_SIZE], int64_t now_ms);

/* An entry that is out of date is taken out and its id written; false when there is none. */
bool ledger_expire(Ledger *ledger, char id[GAME_ID_SIZE], int64_t now_ms);

/* When ledger_expire() will next have something; INT64_MAX: never. */
int64_t ledger_next_at_ms(const Ledger *ledger);

/* Games, and challenges accepted or waiting, with this player, but for the one challenge
 * `except_id`. None for nobody. */
typedef struct {
    int running, pending;
} LedgerCounts;
LedgerCounts ledger_count_player(const Ledger *ledger, const char *player_id,
                                 const char *except_id);

/* When the best of this player's challenges will have its turn: 1 is next; 0: none is waiting. */
int ledger_place(const Ledger *ledger, const char *player_id);

/* How many of the kind a list holds. */
int ledger_count(const LedgerList *list, LedgerKind kind);

static inline int ledger_slots_used(const Ledger *ledger, LedgerKind kind)
{
    return ledger_count(&ledger->games, kind) + ledger_count(&ledger->accepted, kind);
}
