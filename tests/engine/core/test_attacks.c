/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/base/random.h"
#include "engine/core/attacks.h"

#include "tests/support/games.h"
#include "tests/support/unit.h"

/* Slow and obvious: square `to` is attacked when it is reached by `n` equal steps and all squares
 * before it are empty. */
static bool reaches(Square from, Square to, int df, int dr, int most, Bitboard occupied)
{
    int file = square_file(from), rank = square_rank(from);
    for (int n = 1; n <= most; n++) {
        file += df;
        rank += dr;
        if (file < 0 || file > 7 || rank < 0 || rank > 7)
            return false;
        if (square_make(file, rank) == to)
            return true;
        if (bitboard_has(occupied, square_make(file, rank)))
            return false;
    }
    return false;
}

typedef enum { ORTHOGONAL, DIAGONAL, KNIGHTLY, PAWN_UP, PAWN_DOWN } Way;

static bool is_way(Way way, int df, int dr)
{
    switch (way) {
    case ORTHOGONAL:
        return abs(df) + abs(dr) == 1;
    case DIAGONAL:
        return abs(df) == 1 && abs(dr) == 1;
    case KNIGHTLY:
        return abs(df * dr) == 2;
    case PAWN_UP:
        return abs(df) == 1 && dr == 1;
    case PAWN_DOWN:
        return abs(df) == 1 && dr == -1;
    }
    return false;
}

static Bitboard slow(Square from, Way way, int most, Bitboard occupied)
{
    Bitboard set = 0;
    for (Square to = 0; to < SQUARE_COUNT; to++) {
        for (int df = -2; df <= 2; df++) {
            for (int dr = -2; dr <= 2; dr++) {
                if (is_way(way, df, dr) && reaches(from, to, df, dr, most, occupied))
                    set |= square_bit(to);
            }
        }
    }
    return set;
}

TEST(leapers_match_the_slow_way)
{
    for (Square s = 0; s < SQUARE_COUNT; s++) {
        assert_true(attacks_knight(s) == slow(s, KNIGHTLY, 1, 0));
        assert_true(attacks_king(s) == (slow(s, ORTHOGONAL, 1, 0) | slow(s, DIAGONAL, 1, 0)));
        assert_true(attacks_pawn(WHITE, s) == slow(s, PAWN_UP, 1, 0));
        assert_true(attacks_pawn(BLACK, s) == slow(s, PAWN_DOWN, 1, 0));
        assert_true(attacks_of_pawns(WHITE, square_bit(s)) == attacks_pawn(WHITE, s));
        assert_true(attacks_of_pawns(BLACK, square_bit(s)) == attacks_pawn(BLACK, s));
        assert_true(attacks_rook_rays(s) == slow(s, ORTHOGONAL, 7, 0));
        assert_true(attacks_bishop_rays(s) == slow(s, DIAGONAL, 7, 0));
        assert_true((attacks_from[s].diagonal ^ attacks_from[s].antidiagonal) ==
                    attacks_bishop_rays(s));
        assert_true((attacks_from[s].diagonal & attacks_from[s].antidiagonal) == square_bit(s));
    }
    assert_true(attacks_from[A1].diagonal == 0x8040201008040201ULL);
}

TEST(between_and_line_match_the_slow_way)
{
    for (Square a = 0; a < SQUARE_COUNT; a++) {
        for (Square b = 0; b < SQUARE_COUNT; b++) {
            Bitboard between = 0, line = 0;
            for (Way way = ORTHOGONAL; way <= DIAGONAL; way++) {
                if (a == b || !bitboard_has(slow(a, way, 7, 0), b))
                    continue;
                between = slow(a, way, 7, square_bit(b)) & slow(b, way, 7, square_bit(a));
                /* Rays from two squares of a line also meet off it, on neither square's line. */
                line = square_bit(a) | square_bit(b) | (slow(a, way, 7, 0) & slow(b, way, 7, 0));
                if (way == ORTHOGONAL)
                    line &= square_file(a) == square_file(b)
                                ? BITBOARD_FILE_A << square_file(a)
                                : BITBOARD_RANK_1 << 8 * square_rank(a);
                else
                    line &= bitboard_has(attacks_from[a].diagonal, b)
                                ? attacks_from[a].diagonal
                                : attacks_from[a].antidiagonal;
                between &= line;
            }
            assert_true(attacks_between(a, b) == between);
            assert_true(attacks_line(a, b) == line);
        }
    }
}

/* Occupancies of all densities. */
static Bitboard random_occupancy(uint64_t *random)
{
    Bitboard set = random_next(random);
    for (uint64_t n = random_below(random, 4); n > 0; n--)
        set &= random_next(random);
    return random_below(random, 4) == 0 ? ~set : set;
}

TEST(sliders_match_the_slow_way)
{
    uint64_t random = 1;
    for (int round = 0; round < 20; round++) {
        for (Square s = 0; s < SQUARE_COUNT; s++) {
            Bitboard occupied = random_occupancy(&random);
            Bitboard rook = slow(s, ORTHOGONAL, 7, occupied);
            Bitboard bishop = slow(s, DIAGONAL, 7, occupied);
            assert_true(attacks_rook(s, occupied) == rook);
            assert_true(attacks_bishop(s, occupied) == bishop);
            assert_true(attacks_magic_rook(s, occupied) == rook);
            assert_true(attacks_magic_bishop(s, occupied) == bishop);
        }
    }
}

/* Every subset of what matters, and random occupancies. */
TEST(pext_and_magic_are_equal)
{
#ifdef ATTACKS_HAVE_PEXT
    if (!__builtin_cpu_supports("bmi2"))
        skip();
    uint64_t random = 2;
    for (Square s = 0; s < SQUARE_COUNT; s++) {
        Bitboard rook = attacks_pext_squares[s].rook_mask, occupied = 0;
        do {
            assert_true(attacks_pext_rook(s, occupied) == attacks_magic_rook(s, occupied));
            occupied = (occupied - rook) & rook;
        } while (occupied);
        Bitboard bishop = attacks_pext_squares[s].bishop_mask;
        do {
            assert_true(attacks_pext_bishop(s, occupied) == attacks_magic_bishop(s, occupied));
            occupied = (occupied - bishop) & bishop;
        } while (occupied);
        for (int round = 0; round < 1000; round++) {
            occupied = random_occupancy(&random);
            assert_true(attacks_pext_rook(s, occupied) == attacks_magic_rook(s, occupied));
            assert_true(attacks_pext_bishop(s, occupied) == attacks_magic_bishop(s, occupied));
        }
    }
#else
    skip();
#endif
}
