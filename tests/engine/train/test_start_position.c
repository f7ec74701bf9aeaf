/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/train/start_position.h"

#include "engine/core/fen.h"
#include "engine/core/movegen.h"
#include "tests/support/unit.h"

enum { DRAWS = 2000 };

TEST(numbers_name_the_starts_of_scharnagls_table)
{
    static const struct {
        int white, black;
        const char *fen;
    } rows[] = {
        { 518, 518, FEN_START },
        { 0, 959, "rkrnnqbb/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1" },
        { 959, 0, "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/RKRNNQBB w KQkq - 0 1" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Position pos;
        char fen[FEN_SIZE];
        start_chess960(&pos, rows[i].white, rows[i].black);
        fen_write(&pos, fen);
        assert_string_equal(fen, rows[i].fen);
    }
}

TEST(every_number_is_another_start_with_all_rights)
{
    static uint64_t keys[CHESS960_COUNT];
    for (int number = 0; number < CHESS960_COUNT; number++) {
        Position pos;
        start_chess960(&pos, number, number);
        assert_int_equal(pos.castling, 15);
        keys[number] = pos.key;
        for (int other = 0; other < number; other++)
            assert_true(keys[other] != pos.key);
    }
}

TEST(endgames_have_few_men_and_nobody_is_in_check)
{
    uint64_t random = 5;
    int counts[33] = { 0 };
    for (int i = 0; i < DRAWS; i++) {
        Position pos;
        MoveList moves;
        start_draw(&pos, START_ENDGAME, &random);
        movegen_legal(&pos, &moves);
        assert_true(position_validate(&pos, NULL));
        assert_false(position_in_check(&pos));
        assert_true(moves.count > 0);
        counts[bitboard_count(pos.occupied)]++;
    }
    int total = 0;
    for (int men = 5; men <= 10; men++) {
        assert_true(counts[men] > DRAWS / 20);
        total += counts[men];
    }
    assert_int_equal(total, DRAWS);
}

TEST(kinds_are_drawn_by_their_shares)
{
    int counts[START_KIND_COUNT] = { 0 };
    uint64_t random = 11;
    for (int i = 0; i < 100000; i++)
        counts[start_kind_draw(&START_SHARES, &random)]++;
    int sum = 0;
    for (int kind = 0; kind < START_KIND_COUNT; kind++) {
        assert_in_range(counts[kind], START_SHARES.percent[kind] * 1000 - 500,
                        START_SHARES.percent[kind] * 1000 + 500);
        sum += START_SHARES.percent[kind];
    }
    assert_int_equal(sum, 100);
}

TEST(the_same_numbers_draw_the_same_starts)
{
    for (StartKind kind = START_USUAL; kind <= START_ENDGAME; kind++) {
        Position first, second;
        uint64_t a = 3, b = 3;
        start_draw(&first, kind, &a);
        start_draw(&second, kind, &b);
        assert_int_equal(first.key, second.key);
        assert_int_equal(a, b);
    }
}

TEST(both_colours_open)
{
    uint64_t random = 7;
    int odd = 0;
    for (int i = 0; i < DRAWS; i++) {
        int plies = start_random_plies(START_USUAL, &random);
        assert_in_range(plies, 8, 9);
        odd += plies & 1;
        assert_in_range(start_random_plies(START_CHESS960, &random), 4, 6);
        assert_int_equal(start_random_plies(START_ENDGAME, &random), 0);
    }
    assert_in_range(odd, DRAWS * 4 / 10, DRAWS * 6 / 10);
}
