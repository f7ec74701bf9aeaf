/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pairing_fixture.h - the state machine of pairing.h under test, in a small world: a configuration,
 * slots, facts, and the requests that are under way. We are castled-bot. A script is a row of words
 * with blanks between, each one input; see pairing_play(). */
#pragma once
#include "bot/pairing/arenas.h"
#include "bot/pairing/matchmaker.h"
#include "bot/pairing/outgoing.h"
#include "bot/pairing/pairing.h"
#include "bot/pairing/schedule.h"
#include "tests/support/unit.h"

enum { PAIRING_OPEN_MAX = 512, PAIRING_LOG_SIZE = 2000 };

/* When scripts begin: a Monday, 2024-01-01 00:00 UTC. */
#define PAIRING_BEGIN_UNIX_MS INT64_C(1704067200000)

typedef struct {
    PairAsk ask;
    uint32_t ticket;
    char id[GAME_ID_SIZE];
} OpenRequest;

typedef struct {
    Config config;
    Slots slots;
    Ratelimit limit;
    Facts facts;
    RecentGames recent_games;
    PairView view;
    PairTime now;
    Pairing pairing;
    PairEffects todo; /* of the last step */
    OpenRequest open[PAIRING_OPEN_MAX];
    int open_count;
    uint32_t orders;                   /* of the operator's, so far */
    char told[PAIRING_LOG_SIZE];       /* "accepted declined …": what the operator was told */
    char arena_told[PAIRING_LOG_SIZE]; /* the same of tournaments: "done:Cup no:Wrong_entry_code" */
    char asked[PAIRING_LOG_SIZE];      /* "create cancel …": all requests so far */
    char left[PAIRING_LOG_SIZE];       /* why tournaments were left: "it_is_over withdrawn" */
    int denials, looks;                /* reports of a refused token, looks for games */
    int remembered;                    /* facts written */
} PairingFixture;

/* `config`: the lines of a configuration file, or NULL. On the heap. */
PairingFixture *pairing_fixture_new(const char *config);
void pairing_fixture_free(PairingFixture *f);

/* Another process, with the same facts. */
void pairing_restart(PairingFixture *f);

/* One step; what it remembers is in f->facts afterwards. */
void pairing_feed(PairingFixture *f, const PairInput *input);

/* Milliseconds pass, and then it is PAIR_ON_TIME; "due": as many as pairing_next_at_ms() says. */
void pairing_pass_ms(PairingFixture *f, int64_t ms);
void pairing_pass_until_due(PairingFixture *f);

/* The ticket of the open request of this kind; 0: there is none. */
uint32_t pairing_open(const PairingFixture *f, PairAsk ask);

/* Answers the open request of this kind, which there must be. */
void pairing_answer(PairingFixture *f, PairAsk ask, ApiAnswer answer);

/* One input each: the challenge of user-WHO called WHO000WHICH000, its end, its game, the server's
 * list with just that. */
void pairing_challenge(PairingFixture *f, char who, char which);
void pairing_leave(PairingFixture *f, char who, char which);
void pairing_start(PairingFixture *f, char who, char which);
void pairing_see(PairingFixture *f, char who, char which);

/* Plays a script, and checks after each word that slots and requests agree with the state. Its
 * words:
 *   +N, due             N ms pass; as many as the state asks for
 *   order               the operator challenges alba to 3+2
 *   plan                … in a minute, to two games with white
 *   drop                … takes that back
 *   made                the server has made our challenge, as ours1111
 *   accepted, declined  its own stream says so at its end, in a line
 *   ends                its stream ends
 *   refused, forbidden, unauthorized, limited, broken, lost      so is the request's answer
 *   gone                the answer to our cancelling
 *   rated, unrated, listed, unlisted, somebody, nobody, unknown      what the matchmaker asks for
 *   started, over       the game ours1111
 *   event-declined, event-canceled       the event stream says so of ours1111
 *   a1, b1, b2, …       a challenge to us: user-a's first, user-b's first, user-b's second
 *   a1-leaves, a1-starts, a1-ends, a1-seen     it is withdrawn; a game; in the server's list, alone
 *   granted, accept-no, accept-lost, accept-broken, accept-token, accept-banned, accept-limited,
 *   accept-spent        the answer to our acceptance
 *   unsent              the answer to our refusal
 *   sees-nobody, list-lost, list-denied        the server's list of challenges
 *   known, young, unknown-user                 a challenger's account
 *   one-slot, limit     there is just one slot; the server takes no answers for a minute
 *   opened              the event stream has opened
 *   offline, online     the event stream
 *   drain, resume, busy, free            somebody else's game takes a slot, and leaves it
 *   settings            our account is known, or the configuration was read again
 *   join, leave         the operator orders it of the tournament arena111
 *   soon, soon-in, running, running-in, withdrawn-from, no-bots, finished, unreadable, missing,
 *   look-broken         so is a tournament, without and with us
 *   joined, join-no, join-later, join-condition, join-scope, join-token, join-lost
 *   left, leave-no, leave-broken
 *   arena-game, arena-game-won, arena-game-late, arena-game-not-begun      its game; our first move
 *                       came too late, or the opponent's did
 *   team-arena, team-earlier, team-later       lines of a team's list: arena111 in a minute, …
 *   team-read, team-lost                       its end */
void pairing_play(PairingFixture *f, const char *script);
