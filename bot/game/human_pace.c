/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/game/human_pace.h"

#include "bot/policy/pace.h"
#include "engine/base/minmax.h"
#include "engine/core/movegen.h"

enum { USUAL_MOVES = 30 /* where our rules know of none */, FIRST_MOVE_SHARE = 4 };

/* The move that the list ends with; MOVE_NONE: not known. */
static Move latest_move(const Scoresheet *sheet)
{
    int last = sheet->tail_count - 1;
    return last >= 0 && sheet->tail[last].ply == sheet->ply ? sheet->tail[last].move : MOVE_NONE;
}

static void read_position(const Scoresheet *sheet, Move move, PaceFacts *facts)
{
    MoveList legal;
    Move latest = latest_move(sheet);
    bool was_capture = latest != MOVE_NONE && move_is_capture(latest);
    movegen_legal(&sheet->position, &legal);
    facts->legal_moves = legal.count;
    facts->in_check = position_in_check(&sheet->position);
    for (int i = 0; i < legal.count; i++) {
        Move m = legal.moves[i];
        facts->is_recapture |= was_capture && move_is_capture(m) && move_to(m) == move_to(latest) &&
                               (move == MOVE_NONE || move == m);
    }
}

int64_t human_pace_ms(const Game *game, const MoveChoice *choice, int64_t now_ms)
{
    SearchLimits budget = { 0 };
    const ClockUse use = game_clock_use(game);
    if (!game->clock.has_clock)
        return 0;
    gameclock_limit(&game->clock, game->us, now_ms, &use, &budget);
    PaceFacts facts = { .left_ms = budget.time_ms[game->us],
                        .increment_ms = budget.increment_ms[game->us],
                        .move = (int)use.move,
                        .legal_moves = USUAL_MOVES,
                        .seed = game_seed(game) };
    read_position(&game->sheet, choice ? choice->move : MOVE_NONE, &facts);
    if (choice && choice->human.probability > 0) {
        facts.is_people_said = true;
        facts.entropy = (double)choice->human.entropy;
        facts.probability = (double)choice->human.probability;
    }
    int64_t time = pace_think_ms(&facts);
    if (use.by_ms > 0)
        time = int64_clamp(time, 0, int64_max(use.by_ms - now_ms, 0) / FIRST_MOVE_SHARE);
    return time;
}
