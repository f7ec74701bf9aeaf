/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/games.h"

#include "engine/base/random.h"
#include "engine/core/fen.h"
#include "engine/core/movegen.h"
#include "engine/core/outcome.h"
#include "tests/support/unit.h"

/* Puts `piece` on the n-th free square of `rank`. */
static void put_on_free(char rank[9], int n, char piece)
{
    for (int i = 0; i < 8; i++) {
        if (rank[i] == '.' && n-- == 0)
            rank[i] = piece;
    }
}

/* After: Reinhard Scharnagl's numbering, en.wikipedia.org/wiki/Chess960_numbering_scheme. */
void games_start(Position *pos, int number)
{
    static const char knights[10][2] = { { 0, 1 }, { 0, 2 }, { 0, 3 }, { 0, 4 }, { 1, 2 },
                                         { 1, 3 }, { 1, 4 }, { 2, 3 }, { 2, 4 }, { 3, 4 } };
    char rank[9] = "........";
    rank[number % 4 * 2 + 1] = 'b';
    number /= 4;
    rank[number % 4 * 2] = 'b';
    number /= 4;
    put_on_free(rank, number % 6, 'q');
    number /= 6;
    put_on_free(rank, knights[number][1], 'n'); /* the right one first: the left one's n holds */
    put_on_free(rank, knights[number][0], 'n');
    put_on_free(rank, 0, 'r');
    put_on_free(rank, 0, 'k');
    put_on_free(rank, 0, 'r');
    char fen[FEN_SIZE], white[9] = { 0 };
    for (int i = 0; i < 8; i++)
        white[i] = (char)(rank[i] & ~32);
    int wrote =
        snprintf(fen, sizeof fen, "%s/pppppppp/8/8/8/8/PPPPPPPP/%s w KQkq - 0 1", rank, white);
    assert_true(wrote > 0 && (size_t)wrote < sizeof fen);
    assert_true(fen_read(pos, fen, FEN_STRICT, NULL, NULL));
}

void game_set_play(uint64_t seed, int count, GameVisitor *visit, void *user)
{
    for (int game = 0; game < count; game++) {
        Position pos;
        games_start(&pos, game % 2 == 0 ? 518 : (int)random_below(&seed, 960));
        for (int ply = 0; ply < 300; ply++) {
            visit(&pos, user);
            Outcome outcome = position_outcome(&pos);
            if (outcome != OUTCOME_NONE && outcome != OUTCOME_THREEFOLD)
                break;
            MoveList list;
            movegen_noisy(&pos, &list);
            if (list.count == 0 || random_below(&seed, 4) != 0)
                movegen_legal(&pos, &list);
            Undo undo;
            position_make(&pos, list.moves[random_below(&seed, (uint64_t)list.count)], &undo);
        }
    }
}
