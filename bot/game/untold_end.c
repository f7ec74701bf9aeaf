/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/game/untold_end.h"

#include "engine/core/bitboard.h"
#include "engine/core/movegen.h"
#include "engine/core/outcome.h"

enum {
    LAST_ABORT_PLY = 2, /* with as many moves made the opponent may still abort */
    LONE_MEN = 2,       /* with so few a side may not win on time */
};

/* Is it over on the board? */
static bool judge_board(const Position *last, GameStatus *status, Colour *winner)
{
    *winner = COLOUR_NONE;
    switch (position_outcome(last)) {
    case OUTCOME_CHECKMATE:
        *status = STATUS_MATE;
        *winner = colour_other(last->side_to_move);
        return true;
    case OUTCOME_VARIANT_WIN:
        *status = STATUS_VARIANT_END;
        *winner = last->side_to_move;
        return true;
    case OUTCOME_VARIANT_LOSS:
        *status = STATUS_VARIANT_END;
        *winner = colour_other(last->side_to_move);
        return true;
    case OUTCOME_STALEMATE:
        *status = STATUS_STALEMATE;
        return true;
    case OUTCOME_INSUFFICIENT_MATERIAL:
    case OUTCOME_VARIANT_DRAW:
    case OUTCOME_FIVEFOLD:
    case OUTCOME_SEVENTY_FIVE_MOVES:
    case OUTCOME_THREEFOLD: /* ends a bot's game at once, as the next does */
    case OUTCOME_FIFTY_MOVES:
        *status = STATUS_DRAW;
        return true;
    case OUTCOME_NONE:
        break;
    }
    return false;
}

/* Could the side to move have ended it, and not lost it? */
static bool may_have_ended(const Position *last, Colour us)
{
    MoveList legal;
    movegen_legal(last, &legal);
    for (int i = 0; i < legal.count; i++) {
        Position after = *last;
        Undo undo;
        GameStatus status;
        Colour winner;
        position_make(&after, legal.moves[i], &undo);
        if (judge_board(&after, &status, &winner) && winner != us)
            return true;
    }
    return false;
}

static bool have_we_won(const UntoldEnd *end)
{
    const Position *last = end->last;
    bool is_our_turn = last->side_to_move == end->us;
    if (!end->hides_all || end->ply <= LAST_ABORT_PLY || end->may_be_out_of_time[end->us])
        return false;
    if (end->may_be_out_of_time[colour_other(end->us)] &&
        bitboard_count(last->occupied_by[end->us]) <= LONE_MEN)
        return false;
    return is_our_turn || !may_have_ended(last, end->us);
}

void untold_end_judge(const UntoldEnd *end, GameStatus *status, Colour *winner)
{
    if (judge_board(end->last, status, winner))
        return;
    *status = STATUS_UNKNOWN_FINISH;
    *winner = have_we_won(end) ? end->us : COLOUR_NONE;
}
