/* SPDX-License-Identifier: GPL-3.0-or-later */
/* session.h - a game that is being played: carries out the effects of game.h's state machine. It
 * has one game stream, one handle at the source of moves, one timer, the requests under way and the
 * log lines. A correspondence game that sleeps has only its memory. The operator's rules are
 * applied when the gameFull has come. All decisions are the state machine's. Loop thread only. */
#pragma once
#include "bot/account/context.h"
#include "bot/config/ini_reader.h"
#include "bot/game/game.h"
#include "bot/game/slots.h"
#include "bot/model/record.h"
#include "bot/ops/counters.h"
#include "bot/source/source.h"

typedef struct Session Session;

/* Callbacks of all sessions. Lent; outlives them. */
typedef struct {
    LagMeter *lag; /* the account's, in all its games; written here */
    /* The game is over (see session_game()): the session is to be closed, now or later. */
    void (*on_over)(void *user, Session *session);
    /* Our move was found: the game's eval_history is another one. */
    void (*on_eval_history)(void *user, const Session *session);
    /* A game with a clock is about to search. */
    void (*on_search)(void *user);
    /* The game's stream failed again, or is there again after a loss. `why` is lent. */
    void (*on_stream_lost)(void *user, const char *why);
    void (*on_stream_back)(void *user);
    /* The account's list of games is to be asked for, once for all games. */
    void (*on_ask_list)(void *user);
    /* After each step: a search may have ended, or a correspondence game may need its turn. */
    void (*on_step)(void *user);
    void *user;
} SessionOwner;

/* What is known of a game before its own stream. Lent for the call. */
typedef struct {
    const GameInfo *info;
    bool is_rematch;
    const EvalHistory *eval_history; /* as an earlier process left it; NULL: unknown */
    uint64_t seed;                   /* for its stream's jitter */
} SessionStart;

/* Joins the game; a correspondence game only when it is our turn. */
bool session_new(Session **out, const BotContext *bot, const SessionOwner *owner,
                 const SessionStart *start, Error *err) MUST_CHECK;

/* Leaves the game as it is on the server; nothing more is called for it. The memory goes in close
 * callbacks (I8). */
void session_close(Session *session);

/* The event stream says that the game is over. */
void session_finished(Session *session, GameStatus status, Colour winner);

/* Another stream was opened again after a loss: this game's need not wait longer. */
void session_reached(Session *session);

/* The account's list of games, asked for at `asked_ms`, has this one, or lacks it. */
void session_listed(Session *session, const GameInfo *info, int64_t asked_ms);
void session_unlisted(Session *session, int64_t asked_ms);

/* The server reports a running game again: whose turn it is. */
void session_read_turn(Session *session, const GameInfo *info);

/* A correspondence game may search for its move. */
void session_grant_turn(Session *session);

/* A game with a clock is about to search: see correspondence.h. */
void session_make_way(Session *session);

/* The operator asks for this (orders.h). False and an Error where it can't be, nothing was done.
 * `on_end` comes when the game is over (`ok`), or when nothing came of the order: `why` says so and
 * is lent. It never comes for ORDER_DRAW, which goes with our next move, nor once the session was
 * closed. */
typedef void SessionOnOrder(void *user, const Session *session, bool ok, const char *why);
bool session_order(Session *session, GameOrder order, SessionOnOrder *on_end, void *user,
                   Error *err) MUST_CHECK;

/* Our evaluation of a game that is being played. */
typedef struct {
    MoveChoice choice;    /* best so far, while we search; else our latest move's. Depth 0: none */
    const Position *from; /* the position that it was found in, lent until the next event; NULL: not
                             known */
    bool is_searching;
} SessionView;

SessionView session_view(const Session *session);

/* Lent. */
const Game *session_game(const Session *session);

/* For this game. Lent. */
const ChatSettings *session_chat_settings(const Session *session);

/* Which external engine plays our moves, by its section's name: of the latest move, or as it was
 * drawn or chosen; "": ours, or not known yet. */
void session_engine(const Session *session, char out[INI_SECTION_LONGEST + 1]);

/* What is worth keeping of the game, complete when on_over comes. Lent. */
const GameRecord *session_record(const Session *session);
