/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/random_variant_games.h"

#include "engine/base/random.h"
#include "engine/core/fen.h"
#include "engine/core/movegen.h"
#include "engine/core/variant_rules.h"
#include "tests/support/unit.h"

enum { PLIES_MAX = 150 };

void variant_games_play(Ruleset ruleset, uint64_t seed, int count, VariantVisitor *visit,
                        void *user)
{
    for (int game = 0; game < count; game++) {
        Position pos;
        assert_true(fen_read_as(&pos, ruleset, variant_rules_table[ruleset].start_fen, FEN_STRICT,
                                NULL, NULL));
        for (int ply = 0; ply < PLIES_MAX; ply++) {
            MoveList moves;
            Undo undo;
            movegen_legal(&pos, &moves);
            if (moves.count == 0)
                break;
            visit(&pos, user);
            position_make(&pos, moves.moves[random_below(&seed, (uint64_t)moves.count)], &undo);
        }
    }
}
