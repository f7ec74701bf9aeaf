/* SPDX-License-Identifier: GPL-3.0-or-later */
/* online_choice.h - decisions about moves from the web: which services to query, how long a move
 * waits for them, and which of their moves is good enough. Pure; `random` is a state for random.h,
 * advanced only where chance decides. */
#pragma once
#include "bot/source/online_answer.h"
#include "bot/source/source.h"

/* Of an endgame in the web's tablebases, of chess, and of atomic and antichess. */
enum { ONLINE_TABLEBASE_PIECES = 7, ONLINE_VARIANT_TABLEBASE_PIECES = 6 };

/* There may be tables. Lichess's hold many endgames of one piece more, if a pawn of each side
 * stands on the same file and they face each other. For such a position moves or distances are
 * often missing, but the best moves come first. After: lila-tablebase, "op1". */
bool online_may_be_endgame(const Position *position);

/* Does the request name services? */
bool online_is_wanted(const MoveRequest *request);

/* Fills `out` with the services to query, in the operator's order, and returns their number. Our
 * own tablebases hold all endgames of up to `local_pieces`; 0: there are none. */
int online_plan(OnlineService out[ONLINE_SERVICE_COUNT], const MoveRequest *request,
                int local_pieces);

/* How long the request's move may wait for the service: as the operator says, and not longer than a
 * move takes with what is left on the clock. */
int64_t online_deadline_ms(const MoveRequest *request, OnlineService service);

/* What became of asking a service. */
typedef enum {
    ONLINE_FOUND,
    ONLINE_NOTHING, /* it has no move that is good enough */
    ONLINE_FAILED,  /* no answer that makes sense */
    ONLINE_LIMITED, /* we ask too often, or may not ask at all */
} OnlineOutcome;

/* Reads an answer with its HTTP status and chooses among its moves; *err says why it failed. Where
 * tables only suggest, several equally good moves come in `candidates`, which else is empty. */
OnlineOutcome online_judge(MoveChoice *out, MoveList *candidates, OnlineService service, int status,
                           Text body, const Position *position, const OnlineSettings *settings,
                           uint64_t *random, Error *err);

/* The move to play, in a MoveChoice without version and source; its depth is 0 without a score.
 * False when none is good enough. Moves that bring a position of the game back are not taken from
 * an opening. */
bool explorer_choose(MoveChoice *out, const ExplorerAnswer *answer, const Position *position,
                     const OnlineSettings *settings, uint64_t *random);
bool cloud_choose(MoveChoice *out, const CloudAnswer *answer, const Position *position,
                  const OnlineSettings *settings, uint64_t *random);
bool chessdb_choose(MoveChoice *out, const ChessdbAnswer *answer, const Position *position,
                    const OnlineSettings *settings, uint64_t *random);

/* Keeps the win or the draw, with the 50-move counter in mind, and does not repeat positions in a
 * won game. The distance breaks ties, then the service's order. Where moves are missing, only a win
 * counts, or a likely one. */
bool table_choose(MoveChoice *out, const TableAnswer *answer, const Position *position);

/* The moves that keep the same result, the one above among them. In a won game they stay clear of
 * the last ply of the 50 moves. Once a position has come up again, only the one above is left, so
 * that no repetition makes a draw. */
void table_suggest(MoveList *candidates, const TableAnswer *answer, const Position *position);
