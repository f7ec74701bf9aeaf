/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/search/root.h"

static bool is_wanted(const SearchLimits *limits, Move m)
{
    for (int i = 0; i < limits->search_move_count; i++)
        if (limits->search_moves[i] == m)
            return true;
    return limits->search_move_count == 0;
}

void root_collect(MoveList *moves, const Position *pos, const SearchLimits *limits)
{
    MoveList legal;
    movegen_legal(pos, &legal);
    moves->count = 0;
    for (int i = 0; i < legal.count; i++)
        if (is_wanted(limits, legal.moves[i]))
            moves->moves[moves->count++] = legal.moves[i];
}

const RootTablebase ROOT_TABLEBASE_NONE = { TABLEBASE_VERDICT_NONE, SCORE_NONE, false };

static int score_of(TablebaseValue value)
{
    if (value == TABLEBASE_WIN)
        return SCORE_TABLEBASE;
    if (value == TABLEBASE_LOSS)
        return -SCORE_TABLEBASE;
    return SCORE_DRAW + value;
}

static bool holds(const TablebaseRanking *ranking, Move m)
{
    for (int i = 0; i < ranking->count; i++)
        if (ranking->moves[i].move == m)
            return ranking->moves[i].holds;
    return false;
}

RootTablebase root_keep_tablebase_moves(MoveList *moves, Position *pos, Tablebase *tablebase)
{
    TablebaseRanking ranking;
    if (!tablebase_rank_root_moves(tablebase, pos, &ranking))
        return ROOT_TABLEBASE_NONE;
    int kept = 0;
    for (int i = 0; i < moves->count; i++)
        if (holds(&ranking, moves->moves[i]))
            moves->moves[kept++] = moves->moves[i];
    if (kept == 0)
        return ROOT_TABLEBASE_NONE; /* "searchmoves" allows only worse ones */
    moves->count = kept;
    return (RootTablebase){ .verdict = tablebase_verdict(&ranking),
                            .score = score_of(ranking.moves[0].value),
                            .has_distances = ranking.has_distances };
}
