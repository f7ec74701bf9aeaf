/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/train/game_positions.h"

#include "engine/base/minmax.h"
#include "engine/base/random.h"
#include "engine/core/movegen.h"
#include "engine/core/variant_rules.h"

#include <math.h>
#include <stdlib.h>

enum { SCORE_DECIDED = 3000, VARIANT_SCORE_DECIDED = 12000, CLOCK_MAX = 40, SMOOTH_PLIES = 6 };
enum { PLY_MIN = 10, ENDGAME_PLY_MIN = 2, VARIANT_PLY_MIN = 2, ENDGAME_MEN_MAX = 10 };

static const double smooth_weight = 0.7;

const char *position_fate_text(PositionFate fate)
{
    static const char *const texts[POSITION_FATE_COUNT] = {
        [POSITION_KEPT] = "kept",         [POSITION_UNSCORED] = "unscored",
        [POSITION_IN_CHECK] = "in check", [POSITION_TACTICAL] = "tactical",
        [POSITION_DECIDED] = "decided",   [POSITION_EARLY] = "early",
        [POSITION_STALE] = "stale",
    };
    return texts[fate];
}

static bool is_scored(const ArchivedPly *ply)
{
    return ply->score != ARCHIVE_RANDOM_MOVE && ply->score != ARCHIVE_NO_SCORE;
}

static int capped(int score, bool is_chess)
{
    int cap = is_chess ? POSITION_SCORE_CAP : POSITION_VARIANT_SCORE_CAP;
    return int_clamp(score, -cap, cap);
}

/* All scores are White's: what alternates for the mover has the same sign here. */
static int label_of(const ArchivedGame *game, int ply, LabelForm form)
{
    bool is_chess = packed_start_rules(&game->start) == RULES_STANDARD;
    double sum = 0, weights = 0, weight = 1;
    int end = ply + (form == LABEL_SMOOTH ? SMOOTH_PLIES : 1);
    for (int i = ply; i < end && i < game->ply_count && is_scored(&game->plies[i]); i++) {
        sum += weight * capped(game->plies[i].score, is_chess);
        weights += weight;
        weight *= smooth_weight;
    }
    return (int)lrint(sum / weights);
}

static PositionFate fate_of(const Position *pos, const ArchivedPly *ply, int number, int ply_min,
                            bool takes_tactical)
{
    if (!is_scored(ply))
        return POSITION_UNSCORED;
    if (position_in_check(pos))
        return POSITION_IN_CHECK;
    if (!takes_tactical && !move_is_quiet(ply->move))
        return POSITION_TACTICAL;
    if (abs(ply->score) >= (position_is_chess(pos) ? SCORE_DECIDED : VARIANT_SCORE_DECIDED))
        return POSITION_DECIDED;
    if (number < ply_min)
        return POSITION_EARLY;
    return pos->halfmove_clock > CLOCK_MAX ? POSITION_STALE : POSITION_KEPT;
}

static int last_random_ply(const ArchivedGame *game)
{
    int last = game->ply_count - 1;
    while (last >= 0 && game->plies[last].score != ARCHIVE_RANDOM_MOVE)
        last--;
    return last;
}

static void start_read(Position *pos, const ArchivedGame *game)
{
    bool is_legal = packed_position_read(pos, &game->start, NULL);
    assert(is_legal);
    (void)is_legal;
}

static int first_ply_of(const Position *start)
{
    if (!position_is_chess(start))
        return VARIANT_PLY_MIN;
    return bitboard_count(start->occupied) <= ENDGAME_MEN_MAX ? ENDGAME_PLY_MIN : PLY_MIN;
}

/* All but label and fate. */
static GamePosition position_of(const Position *pos, uint8_t result, int ply)
{
    GamePosition out = { .packed = packed_position_of(pos),
                         .variant = packed_variant_of(pos),
                         .key = pos->key,
                         .men = bitboard_count(pos->occupied) };
    out.packed.result = result;
    out.packed.ply = (uint16_t)ply;
    return out;
}

void game_positions(GamePosition *positions, const ArchivedGame *game, LabelForm form)
{
    Position pos;
    Undo undo;
    start_read(&pos, game);
    int ply_min = first_ply_of(&pos);
    int last_random = last_random_ply(game);
    for (int i = 0; i < game->ply_count; i++) {
        const ArchivedPly *ply = &game->plies[i];
        GamePosition *out = &positions[i];
        *out = position_of(&pos, game->start.result, i);
        out->fate = fate_of(&pos, ply, i, ply_min, false);
        if (i <= last_random)
            out->packed.flags |= PACKED_NO_RESULT;
        out->score = out->fate == POSITION_KEPT ? label_of(game, i, form) : 0;
        position_make(&pos, ply->move, &undo);
    }
}

static void label_static(GamePosition *out, const Position *pos, const StaticJudge *judge,
                         int ply_min)
{
    out->fate = POSITION_IN_CHECK;
    if (position_in_check(pos))
        return;
    int score = judge->evaluate(judge->user, pos);
    ArchivedPly ply = { .score = (int16_t)int_clamp(score, -ARCHIVE_SCORE_MAX, ARCHIVE_SCORE_MAX) };
    out->fate = fate_of(pos, &ply, out->packed.ply, ply_min, true);
    out->score = capped(pos->side_to_move == WHITE ? score : -score, position_is_chess(pos));
}

/* False when the moves end the game. */
static bool sideline_play(Position *pos, uint64_t *random)
{
    enum { PLIES_MAX = 3 };
    Undo undo;
    MoveList moves;
    for (int left = 1 + (int)random_below(random, PLIES_MAX); left > 0; left--) {
        movegen_legal(pos, &moves);
        if (moves.count == 0)
            return false;
        position_make(pos, moves.moves[random_below(random, (uint64_t)moves.count)], &undo);
    }
    return variant_end(pos) == VARIANT_GOES_ON;
}

int sidelines_of(const Position *pos, int count, Position sidelines[BESIDE_MAX])
{
    uint64_t random = pos->key;
    int made = 0;
    for (int i = 0; i < count; i++) {
        sidelines[made] = *pos;
        made += sideline_play(&sidelines[made], &random);
    }
    return made;
}

int game_positions_static(GamePosition *positions, const ArchivedGame *game,
                          const StaticJudge *judge)
{
    Position pos, beside[BESIDE_MAX];
    Undo undo;
    int count = 0;
    start_read(&pos, game);
    int ply_min = first_ply_of(&pos);
    for (int i = 0; i < game->ply_count; i++) {
        positions[count] = position_of(&pos, game->start.result, i);
        GamePosition *root = &positions[count++];
        label_static(root, &pos, judge, ply_min);
        /* Early positions are left out, and so would those beside them be. */
        bool looks = judge->look_beside && i >= ply_min && abs(root->score) <= judge->beside_max;
        int beside_count = looks ? judge->look_beside(judge->user, &pos, beside) : 0;
        for (int j = 0; j < beside_count; j++) {
            positions[count] = position_of(&beside[j], game->start.result, i);
            positions[count].packed.flags |= PACKED_NO_RESULT;
            label_static(&positions[count++], &beside[j], judge, ply_min);
        }
        position_make(&pos, game->plies[i].move, &undo);
    }
    return count;
}
