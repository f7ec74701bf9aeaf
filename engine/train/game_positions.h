/* SPDX-License-Identifier: GPL-3.0-or-later */
/* game_positions.h - the positions of an archived game, each with its label and whether a network
 * should learn from it. Pure; any thread. */
#pragma once
#include "engine/train/archive.h"

/* Labels stay within it, in centipawns; in variants, where one move may gain more, within the
 * second. */
enum { POSITION_SCORE_CAP = 2000, POSITION_VARIANT_SCORE_CAP = 8000 };

/* Why a position is left out; the first that applies. */
typedef enum {
    POSITION_KEPT,
    POSITION_UNSCORED, /* before a random move, or scored as a mate */
    POSITION_IN_CHECK,
    POSITION_TACTICAL, /* the best move is a capture or a promotion: no static matter */
    POSITION_DECIDED,  /* a score of 3,000 or more */
    POSITION_EARLY,    /* ply below 10; below 2 after an endgame start */
    POSITION_STALE,    /* fifty-move counter above 40: scores then speak of the counter */
    POSITION_FATE_COUNT,
} PositionFate;

const char *position_fate_text(PositionFate fate);

typedef enum {
    LABEL_RAW,    /* the position's own score */
    LABEL_SMOOTH, /* with the next five plies', weights 0.7^i: the side to move's optimism, which
                     changes sides with each ply, cancels, and so does noise. Not across a random
                     move or a mate */
    LABEL_STATIC, /* a static evaluation: of a teacher's network, in variants castled's own */
} LabelForm;

typedef struct {
    PackedPosition packed; /* with result, ply and PACKED_NO_RESULT; the score is still 0 */
    PackedVariant variant; /* of positions that are not chess */
    uint64_t key;
    PositionFate fate;
    int score; /* label for POSITION_KEPT: centipawns for White, within the cap */
    int men;
} GamePosition;

/* Writes the game's positions, one for each ply, to positions[0..ply_count). The game is legal. */
void game_positions(GamePosition *positions, const ArchivedGame *game, LabelForm form);

/* Positions beside each of a game's: at most so many. */
enum { BESIDE_MAX = 16 };

/* Whose static evaluation, and of which positions. */
typedef struct {
    /* Centipawns for the side to move, who is not in check. */
    int (*evaluate)(void *user, const Position *pos);
    /* Writes positions that are near `pos`, and returns how many; NULL: none. */
    int (*look_beside)(void *user, const Position *pos, Position beside[BESIDE_MAX]);
    int beside_max; /* none is near a position whose label is beyond it */
    void *user;
} StaticJudge;

/* The same with LABEL_STATIC, whatever scores and moves the game has: tactical positions are kept,
 * since a search evaluates these too. After each position come those beside it. Writes at most
 * (1 + BESIDE_MAX) positions for each ply and returns how many. */
int game_positions_static(GamePosition *positions, const ArchivedGame *game,
                          const StaticJudge *judge);

/* `count` positions reached from `pos` by one to three random moves, which depend on it alone:
 * mistakes as a search meets them. Where the moves end the game, one fewer. Returns how many. */
int sidelines_of(const Position *pos, int count, Position sidelines[BESIDE_MAX]);
