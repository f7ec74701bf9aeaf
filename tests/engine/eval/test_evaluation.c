/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/eval/evaluation.h"

#include "engine/core/fen.h"
#include "tests/support/games.h"
#include "tests/support/random_network.h"
#include "tests/support/unit.h"

typedef struct {
    Evaluator *evaluator; /* aligned as evaluation.h asks for */
    Network *network;
} Fixture;

static int setup(void **state)
{
    Fixture *f = calloc(1, sizeof *f);
    size_t size = (sizeof(Evaluator) + 63) / 64 * 64;
    assert_non_null(f);
    f->evaluator = aligned_alloc(64, size);
    assert_non_null(f->evaluator);
    memset(f->evaluator, 0, size);
    f->network = random_network(1, 32, 8);
    *state = f;
    return 0;
}

static int teardown(void **state)
{
    Fixture *f = *state;
    network_free(f->network);
    free(f->evaluator);
    free(f);
    return 0;
}

static int value_of(Fixture *f, const Network *network, const char *fen)
{
    Position pos;
    Error err = { 0 };
    if (!fen_read(&pos, fen, FEN_LENIENT, NULL, &err))
        fail_msg("%s: %s", fen, err.text);
    evaluator_reset(f->evaluator, &(Networks){ { network } }, &pos);
    return evaluate(f->evaluator, &pos);
}

/* Random weights have no sense of chess: the material rules decide here. */
TEST_IN(rules_of_material_hold_with_any_network, setup, teardown)
{
    Fixture *f = *state;
    static const struct {
        const char *name, *fen;
        int lo, hi;
    } rows[] = {
        { "two knights", "8/8/4k3/8/8/3NK3/3N4/8 w - - 0 1", -EVAL_LIMIT, 0 },
        { "two knights, their enemy to move", "8/8/4k3/8/8/3NK3/3N4/8 b - - 0 1", 0, EVAL_LIMIT },
        { "wrong rook pawn", "k7/8/P7/1K6/8/8/8/4B3 w - - 0 1", -EVAL_LIMIT, 0 },
        { "wrong rook pawn for Black", "8/8/8/5b2/1k6/p7/8/K7 w - - 0 1", 0, EVAL_LIMIT },
        { "queen", "8/8/4k3/8/8/3QK3/8/8 w - - 0 1", 3000, EVAL_LIMIT },
        { "bare king to move", "8/8/4k3/8/8/3RK3/8/8 b - - 0 1", -EVAL_LIMIT, -3000 },
        { "bishop and knight", "8/8/4k3/8/8/3b4/3n4/K7 b - - 0 1", 3000, EVAL_LIMIT },
    };
    for (uint64_t seed = 1; seed <= 8; seed++) {
        Network *network = random_network(seed, 32, 8);
        for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
            int value = value_of(f, network, rows[i].fen);
            if (value < rows[i].lo || value > rows[i].hi)
                fail_msg("%s: %d, not within %d..%d", rows[i].name, value, rows[i].lo, rows[i].hi);
        }
        network_free(network);
    }
}

TEST_IN(bishop_and_knight_drive_the_king_to_the_right_corner, setup, teardown)
{
    Fixture *f = *state;
    int right = value_of(f, f->network, "k7/8/8/8/8/3BK3/3N4/8 w - - 0 1"); /* a8: light */
    int wrong = value_of(f, f->network, "7k/8/8/8/8/3BK3/3N4/8 w - - 0 1"); /* h8: dark */
    assert_true(right > wrong + 100);
}

/* Whatever stands on the board, and however large the weights. */
TEST_IN(value_stays_within_its_limit, setup, teardown)
{
    Fixture *f = *state;
    static const char *const fens[] = {
        "QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/KQQQQQ1k b - - 0 1",
        "QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/QQQQ4/QQQQp3/QQQQ4/QQQQQQ2/KQQQQQ1k b - - 0 1",
        "qqqqqqqq/qqqqqqqq/qqqqqqqq/8/4P3/8/qqqqqq2/kqqqqq1K w - - 0 1",
        "RRRRRRRR/RRRRRRRR/NNNNNNNN/BBBBBBBB/NNNNNNNN/RRRRRRRR/RRRRRR1p/KRRRRR1k b - - 0 1",
        "6k1/PPPPPPPP/8/PPPPPPPP/8/8/PPPPPPPP/K7 b - - 0 1",
    };
    Network loud = *f->network;
    _Alignas(KERNELS_ALIGNMENT) int32_t biases[8 * NETWORK_L1] = { 0 };
    loud.weights.l1_biases = biases;
    for (size_t i = 0; i < sizeof fens / sizeof *fens; i++) {
        for (int bucket = 0; bucket < 8; bucket++)
            biases[(bucket + 1) * NETWORK_L1 - 1] = i % 2 ? INT32_MAX / 2 : INT32_MIN / 2;
        int value = value_of(f, &loud, fens[i]);
        assert_true(value >= -EVAL_LIMIT && value <= EVAL_LIMIT);
    }
    assert_int_equal(value_of(f, &loud, FEN_START), -EVAL_LIMIT);
}

static void check_twin(Position *pos, void *user)
{
    Fixture *f = user;
    Position twin = *pos;
    for (Square s = 0; s < SQUARE_COUNT; s++)
        twin.board[s ^ 56] = pos->board[s] == PIECE_NONE ? PIECE_NONE : (Piece)(pos->board[s] ^ 8);
    twin.side_to_move ^= 1;
    twin.castling = 0;
    twin.en_passant = SQUARE_NONE;
    position_derive(&twin);
    evaluator_reset(f->evaluator, &(Networks){ { f->network } }, pos);
    int value = evaluate(f->evaluator, pos);
    evaluator_reset(f->evaluator, &(Networks){ { f->network } }, &twin);
    assert_int_equal(evaluate(f->evaluator, &twin), value);
}

TEST_IN(position_with_colours_exchanged_has_the_same_value, setup, teardown)
{
    game_set_play(5, 10, check_twin, *state);
}
