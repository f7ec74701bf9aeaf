/* SPDX-License-Identifier: GPL-3.0-or-later */
/* online_choice.h - decisions about moves from the web: who is asked, how long a move waits for
 * that, and which of the moves told is good enough. Pure; `random` is a state for random.h,
 * advanced only where chance decides. */
#pragma once
#include "bot/source/online_answer.h"
#include "bot/source/source.h"

enum { ONLINE_TABLEBASE_PIECES = 7 }; /* of an endgame that the tablebases on the web know */

/* Tablebases exist for the position: few pieces, and no castling rights. */
bool online_is_endgame(const Position *position);

/* There may be tables: lichess's know many an endgame of one man more, if a pawn of each side stand
 * on the same file and face each other. Of such a position it often knows nothing, or not all
 * moves, and no distances, but the best moves come first. After: lila-tablebase, "op1". */
bool online_may_be_endgame(const Position *position);

/* Fills `out` with the services worth asking, in the operator's order, and returns their number.
 * Our own tablebases know all endgames of up to `local_pieces`; 0: there are none. */
int online_plan(OnlineService out[ONLINE_SERVICE_COUNT], const MoveRequest *request,
                int local_pieces);

/* How long the request's move may wait for the service: as the operator says, and not longer than a
 * move takes with what is left on the clock. */
int64_t online_deadline_ms(const MoveRequest *request, OnlineService service);

/* What became of asking a service. */
typedef enum {
    ONLINE_FOUND,
    ONLINE_NOTHING, /* it knows no move that is good enough */
    ONLINE_FAILED,  /* no answer that makes sense */
    ONLINE_LIMITED, /* we ask too often, or may not ask at all */
} OnlineOutcome;

/* Reads an answer with its HTTP status and chooses among its moves; *err says why it failed.
 * Where tables are only to suggest, and more than one move is as good, these come in `candidates`,
 * which else is empty. */
OnlineOutcome online_judge(MoveChoice *out, MoveList *candidates, OnlineService service, int status,
                           Text body, const Position *position, const OnlineSettings *settings,
                           uint64_t *random, Error *err);

/* The move to play, in a MoveChoice without version and source; its depth is 0 where no score was
 * told. False when none is good enough. Moves that bring a position of the game back are not taken
 * from an opening. */
bool explorer_choose(MoveChoice *out, const ExplorerAnswer *answer, const Position *position,
                     const OnlineSettings *settings, uint64_t *random);
bool cloud_choose(MoveChoice *out, const CloudAnswer *answer, const Position *position,
                  const OnlineSettings *settings, uint64_t *random);
bool chessdb_choose(MoveChoice *out, const ChessdbAnswer *answer, const Position *position,
                    const OnlineSettings *settings, uint64_t *random);

/* Keeps the win or the draw, with an eye on the count to 50 moves; does not repeat positions in a
 * won game; the distance breaks ties, then the service's order. Takes nothing less than a win, if
 * only a likely one, where moves are missing. */
bool table_choose(MoveChoice *out, const TableAnswer *answer, const Position *position);

/* The moves that keep what that one does, as above, it among them. A won game's come a little
 * before the last ply that the 50 moves leave, and once a position has come up again there is but
 * that one: an engine that likes to wait gets no draw out of it. */
void table_suggest(MoveList *candidates, const TableAnswer *answer, const Position *position);
