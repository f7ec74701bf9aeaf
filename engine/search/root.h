/* SPDX-License-Identifier: GPL-3.0-or-later */
/* root.h - the root's moves, before they are searched. Internal to engine/search; pure but for the
 * tablebases' files. */
#pragma once
#include "engine/search/engine.h"

/* The legal moves of `pos`, those of limits->search_moves alone where there are any. */
void root_collect(MoveList *moves, const Position *pos, const SearchLimits *limits);

/* What the tablebases hold for the root. */
typedef struct {
    TablebaseVerdict verdict; /* on the moves that are left */
    int score;                /* of the best of them, or SCORE_NONE */
    bool has_distances;       /* the moves left make progress without further probes */
} RootTablebase;

extern const RootTablebase ROOT_TABLEBASE_NONE;

/* Leaves only the moves that keep the value of `pos`, where the tablebases hold it and
 * "searchmoves" allows one. May wait for the disk. */
RootTablebase root_keep_tablebase_moves(MoveList *moves, Position *pos, Tablebase *tablebase);
