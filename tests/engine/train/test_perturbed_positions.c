/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/train/perturbed_positions.h"

#include "engine/core/fen.h"
#include "tests/support/unit.h"

#define SHARP "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"

enum { ROUNDS = 500, WANTED = ROUNDS * BESIDE_MAX };

typedef struct {
    Position from, found[BESIDE_MAX];
    int count;
} Case;

static Case *perturbed_of(const char *fen)
{
    static Case c;
    assert_true(fen_read(&c.from, fen, FEN_STRICT, NULL, NULL));
    c.count = perturbed_positions(&c.from, BESIDE_MAX, c.found);
    return &c;
}

static int squares_that_differ(const Position *a, const Position *b)
{
    int count = 0;
    for (int square = 0; square < SQUARE_COUNT; square++)
        count += a->board[square] != b->board[square];
    return count;
}

static void assert_perturbed(const Position *from, const Position *found)
{
    char fen[FEN_SIZE];
    Position again;
    fen_write(found, fen);
    assert_true(fen_read(&again, fen, FEN_STRICT, NULL, NULL)); /* legal, by the rules of FEN */
    assert_false(position_in_check(found));
    assert_int_equal(found->side_to_move, from->side_to_move);
    assert_int_equal(found->en_passant, SQUARE_NONE);
    assert_in_range(squares_that_differ(from, found), 1, 6); /* two for each edit */
    assert_int_equal(found->castling & ~from->castling, 0);
}

/* The key alone seeds the edits, so another one in each round gives others. */
TEST(legal_positions_near_the_first_with_the_same_side_to_move)
{
    Position pos;
    int made = 0, fewer_men = 0, kings_moved = 0, rights_kept = 0, ones = 0;
    assert_true(fen_read(&pos, SHARP, FEN_STRICT, NULL, NULL));
    for (int round = 0; round < ROUNDS; round++) {
        static Position found[BESIDE_MAX];
        pos.key = (uint64_t)round;
        int count = perturbed_positions(&pos, BESIDE_MAX, found);
        made += count;
        for (int i = 0; i < count; i++) {
            assert_perturbed(&pos, &found[i]);
            fewer_men += bitboard_count(found[i].occupied) < bitboard_count(pos.occupied);
            kings_moved += position_king(&found[i], WHITE) != position_king(&pos, WHITE) ||
                           position_king(&found[i], BLACK) != position_king(&pos, BLACK);
            rights_kept += found[i].castling == pos.castling;
            ones += squares_that_differ(&pos, &found[i]) <= 2;
        }
    }
    assert_in_range(made, WANTED / 2, WANTED);
    assert_in_range(fewer_men, made / 10, made / 2);
    assert_in_range(kings_moved, made / 10, made / 2);
    assert_in_range(rights_kept, made / 4, made * 3 / 4);
    assert_in_range(ones, made / 4, made * 3 / 4);
}

TEST(the_same_position_always_has_the_same_ones_which_differ)
{
    uint64_t keys[BESIDE_MAX] = { 0 };
    Case *c = perturbed_of(SHARP);
    int count = c->count, different = 0;
    for (int i = 0; i < count; i++)
        keys[i] = c->found[i].key;
    c = perturbed_of(SHARP);
    assert_int_equal(c->count, count);
    for (int i = 0; i < count; i++) {
        assert_true(c->found[i].key == keys[i]);
        different += i > 0 && keys[i] != keys[i - 1];
    }
    assert_in_range(different, count / 2, count);
}

TEST(castling_is_lost_with_the_king_or_the_rook_alone)
{
    Position pos;
    int lost = 0;
    assert_true(fen_read(&pos, SHARP, FEN_STRICT, NULL, NULL));
    for (int round = 0; round < ROUNDS; round++) {
        Position found;
        pos.key = (uint64_t)round;
        if (!perturbed_positions(&pos, 1, &found))
            continue;
        for (unsigned index = 0; index < 4; index++) {
            Square king = position_king(&pos, index / 2 ? BLACK : WHITE);
            Square rook = pos.rules.rook_from[index];
            bool stand =
                found.board[king] == pos.board[king] && found.board[rook] == pos.board[rook];
            assert_int_equal(found.castling >> index & 1, stand);
            lost += !stand;
        }
    }
    assert_true(lost > 0);
}

TEST(bare_kings_only_walk)
{
    Case *c = perturbed_of("8/8/3k4/8/8/3K4/8/8 w - - 0 1");
    assert_true(c->count > 0);
    for (int i = 0; i < c->count; i++) {
        assert_perturbed(&c->from, &c->found[i]);
        assert_int_equal(bitboard_count(c->found[i].occupied), 2);
    }
}

TEST(none_are_wanted)
{
    Position pos, found;
    assert_true(fen_read(&pos, SHARP, FEN_STRICT, NULL, NULL));
    assert_int_equal(perturbed_positions(&pos, 0, &found), 0);
}
