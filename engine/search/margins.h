/* SPDX-License-Identifier: GPL-3.0-or-later */
/* margins.h - how much to leave out, reduce or learn, as pure functions of depth and the like.
 * Whether to is the search's affair. Depths in plies, margins in centipawns. */
#pragma once
#include "engine/search/params.h"

/* Late-move reduction of the `move_number`th move (from 1) at `depth`, in 1/1024 plies. */
int margin_reduction(const Params *params, int depth, int move_number);

/* So many moves at `depth` are enough to look at when none was any good. */
int margin_move_count(const Params *params, int depth, bool improving);

/* An evaluation so far above beta is not expected to come down within `depth`. */
int margin_reverse_futility(const Params *params, int depth, bool improving);

/* The null move's reduction when the evaluation is `surplus` >= 0 above beta. */
int margin_null_reduction(const Params *params, int depth, int surplus);

/* Praise and blame for the histories after a search of `depth`. */
int margin_history_bonus(const Params *params, int depth);
int margin_history_malus(const Params *params, int depth);
