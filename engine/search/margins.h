/* SPDX-License-Identifier: GPL-3.0-or-later */
/* margins.h - pruning margins, reductions and history bonuses as pure functions of depth and the
 * like. When to apply them is the search's decision. Depths in plies, margins in centipawns. */
#pragma once
#include "engine/search/params.h"

/* Late-move reduction of the `move_number`th move (from 1) at `depth`, in 1/1024 plies. */
int margin_reduction(const Params *params, int depth, int move_count);

/* Late move pruning: quiet moves from this move count on are skipped at `depth`. */
int margin_late_move_count(const Params *params, int depth, bool improving);

/* What the margin of reverse futility depends on: `improving` and `worsening` make it smaller, all
 * else larger. */
typedef struct {
    int depth;
    bool improving;
    bool worsening; /* the opponent's last move made things worse for them */
    bool tt_pv;     /* it was on a principal variation before */
    int correction; /* of the evaluation in centipawns, either way */
} FutilityFacts;

/* Reverse futility margin: an evaluation this far above beta is expected to hold for the depth. */
int margin_reverse_futility(const Params *params, const FutilityFacts *facts);

/* Null move reduction in plies when the evaluation is `eval_margin` >= 0 above beta. */
int margin_null_reduction(const Params *params, int depth, int eval_margin);

/* The static evaluation as the search takes it. An advantage counts more the more pieces are left
 * to win with, `material` of both sides in pawns (after Stockfish 15), and less the nearer the
 * fifty-move draw is. Pieces worth MARGIN_MATERIAL leave it as it is. */
enum { MARGIN_MATERIAL_START = 62, MARGIN_MATERIAL = 40 };
int margin_eval(const Params *params, int eval, int material, int halfmoves);

/* History bonus and malus after a search of `depth`. */
int margin_history_bonus(const Params *params, int depth);
int margin_history_malus(const Params *params, int depth);
