/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tablebase.h - perfect play with few pieces, from Syzygy tables.
 *
 * A Tablebase is a handle on the table files of some directories. It may be shared: any number of
 * threads may call everything here but tablebase_free() at once. The files are found when it is
 * opened. The first probe that needs a file maps it, read only: it takes a lock and some memory,
 * and waits for the disk. Later probes take no lock and allocate nothing. No file may be shortened
 * meanwhile. Files are foreign bytes: a damaged one answers as if it were not there, or wrongly,
 * but never makes a probe read outside of it.
 *
 * Values are for the side to move and assume that the 50-move counter is 0, except in rankings. A
 * position with castling rights is never in the tables.
 * After: chessprogramming.org, "Syzygy Bases", and what syzygy_table.h names. */
#pragma once
#include "engine/core/movegen.h"

typedef struct Tablebase Tablebase;

typedef enum {
    TABLEBASE_LOSS = -2,
    TABLEBASE_BLESSED_LOSS = -1, /* a loss but for the 50-move rule */
    TABLEBASE_DRAW = 0,
    TABLEBASE_CURSED_WIN = 1, /* a win but for the 50-move rule */
    TABLEBASE_WIN = 2,
} TablebaseValue;

typedef struct {
    int wdl_files;
    int dtz_files;
    int max_pieces; /* of the largest WDL table, kings included */
} TablebaseInfo;

/* Finds the tables in `directories`, "DIR[:DIR…]"; of a table that is there twice the first one
 * counts. Files whose size no table has are left out. False when a directory can't be read or there
 * is no WDL table in any. The caller frees. */
bool tablebase_open(Tablebase **out, const char *directories, Error *err) MUST_CHECK;

/* No other thread may be probing. NULL is fine. */
void tablebase_free(Tablebase *tb);

TablebaseInfo tablebase_info(const Tablebase *tb);

/* Maps every file and reads its header. False and an Error that names the first file that is
 * damaged, those left out at opening included. Slow with many tables: for operators' checks. */
bool tablebase_verify(Tablebase *tb, Error *err) MUST_CHECK;

/* Win, draw or loss. False, `value` untouched, when the position is not in the tables: too many
 * pieces, castling rights, or a file that is missing or damaged. `pos` is unchanged after. */
bool tablebase_probe_wdl(Tablebase *tb, Position *pos, TablebaseValue *value) MUST_CHECK;

/* Plies to the next capture, pawn move or mate with best play: positive when the side to move wins,
 * negative when it loses, 0 for draws; beyond 100 when the 50-move rule makes it a draw. May be off
 * by one (tables of some material count in moves), but never where, with the counter at 0, that ply
 * decides between win and draw. Mated: -1. False as above. */
bool tablebase_probe_dtz(Tablebase *tb, Position *pos, int *dtz) MUST_CHECK;

typedef struct {
    Move move;
    /* What the move achieves in this game: with the 50-move counter as it stands, and a draw where
     * it makes the third repetition or lets the opponent make it. */
    TablebaseValue value;
    /* As above, counted from before the move: 1 for a capture or pawn move that wins. 0 for draws
     * and in rankings without distances. */
    int dtz;
    /* The value is the best there is, and no care is needed to keep it: an engine may choose freely
     * among these. At least one move of a ranking holds. */
    bool holds;
} TablebaseMove;

typedef struct {
    bool has_distances; /* else DTZ files are missing: values ignore the 50-move counter */
    int count;
    TablebaseMove moves[MAX_MOVES]; /* every legal move, best first: by value, then by distance
                                       (wins fast, losses slow), mates before all */
} TablebaseRanking;

/* Ranks the legal moves of a position in a game. False, `ranking` unspecified, when it is not in
 * the tables as above or one of its moves leads out of them, or when there are no legal moves. */
bool tablebase_rank_root_moves(Tablebase *tb, Position *pos, TablebaseRanking *ranking) MUST_CHECK;

/* What a move achieves in this game, for draw offers and resignations. */
typedef enum {
    TABLEBASE_VERDICT_NONE, /* nothing certain is known */
    TABLEBASE_VERDICT_LOSS,
    TABLEBASE_VERDICT_DRAW,       /* also a loss that the 50-move rule saves */
    TABLEBASE_VERDICT_CURSED_WIN, /* one that it spoils */
    TABLEBASE_VERDICT_WIN,
} TablebaseVerdict;

/* On the best moves. A loss in a ranking without distances is not certain: the 50-move counter may
 * have made a draw of it. */
TablebaseVerdict tablebase_verdict(const TablebaseRanking *ranking);
