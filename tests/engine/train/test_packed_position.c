/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/train/packed_position.h"

#include "tests/support/games.h"
#include "tests/support/chess.h"

TEST(a_packed_position_has_the_bytes_of_the_format)
{
    /* Kings a1 and h8, a white pawn e2, a black knight c3: worked out by hand. */
    Position pos = position_of("7k/8/8/8/8/2n5/4P3/K7 b - - 7 31");
    PackedPosition packed = packed_position_of(&pos);
    static const uint8_t expected[32] = {
        0x01, 0x10, 0x04, 0, 0,  0, 0, 0x80, /* a1, e2 (bit 12), c3 (bit 18), h8 */
        0x05, 0xb7,                          /* K P n k from the low half on: 5, 0, 7, 11 */
        0,    0,    0,    0, 0,  0, 0, 0,    0, 0, 0, 0, 0, 0, /* unused */
        0,    0,    0,    1, 64, 7, 0, 0,
    };
    assert_memory_equal(&packed, expected, sizeof expected);
}

static void pack_and_read(Position *pos, void *user)
{
    Position read;
    Error err = { 0 };
    char before[FEN_SIZE], after[FEN_SIZE];
    int *chess960 = user;
    PackedPosition packed = packed_position_of(pos);
    packed.ply = (uint16_t)(2 * (pos->fullmove_number - 1));
    fen_write(pos, before);
    if (strpbrk(strchr(before, ' ') + 2, "ABCDEFGHabcdefgh") && pos->en_passant == SQUARE_NONE)
        return; /* a right of an inner rook: the format keeps no rook */
    if (!packed_position_read(&read, &packed, &err))
        fail_msg("%s: %s", before, err.text);
    fen_write(&read, after);
    assert_string_equal(after, before);
    assert_int_equal(read.key, pos->key);
    *chess960 += pos->castling && pos->rules.chess960;
}

TEST(positions_of_games_come_back_as_they_were)
{
    int chess960 = 0;
    game_set_play(17, 60, pack_and_read, &chess960);
    assert_true(chess960 > 100);
}

TEST(bytes_that_are_no_position_are_refused)
{
    Position start = position_of(FEN_START);
    const PackedPosition good = packed_position_of(&start);
    PackedPosition rows[] = { good, good, good, good, good, good, good };
    rows[0].occupied = ~0ULL; /* 64 men */
    rows[1].pieces[0] = 0xff; /* codes 15 */
    rows[2].pieces[2] = 0x33; /* no white king */
    rows[3].en_passant = 65;  /* off the board */
    rows[4].en_passant = 20;  /* no pawn has just moved two */
    rows[5].occupied = 0;     /* empty */
    rows[6].pieces[0] = 0x15; /* kings more than one, rights without a rook */
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Position pos = start;
        Error err = { 0 };
        if (packed_position_read(&pos, &rows[i], &err))
            fail_msg("row %zu was read", i);
        assert_true(error_is_set(&err));
        assert_memory_equal(&pos, &start, sizeof pos);
    }
}
