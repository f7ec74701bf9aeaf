/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/eval/accumulator.h"

#include "engine/base/random.h"
#include "engine/core/fen.h"
#include "engine/core/movegen.h"
#include "tests/support/games.h"
#include "tests/support/random_network.h"
#include "tests/support/unit.h"

/* A zeroed stack; the caller frees. */
static AccumulatorStack *new_stack(void)
{
    size_t size = (sizeof(AccumulatorStack) + 63) / 64 * 64;
    AccumulatorStack *stack = aligned_alloc(KERNELS_ALIGNMENT, size);
    assert_non_null(stack);
    memset(stack, 0, size);
    return stack;
}

/* By rank from one's own side, and by file from the nearer edge; of four and of eight. */
static const int king_buckets[2][8][4] = {
    { { 0, 0, 1, 1 },
      { 2, 2, 2, 2 },
      { 3, 3, 3, 3 },
      { 3, 3, 3, 3 },
      { 3, 3, 3, 3 },
      { 3, 3, 3, 3 },
      { 3, 3, 3, 3 },
      { 3, 3, 3, 3 } },
    { { 0, 1, 2, 3 },
      { 4, 4, 5, 5 },
      { 6, 6, 6, 6 },
      { 6, 6, 6, 6 },
      { 7, 7, 7, 7 },
      { 7, 7, 7, 7 },
      { 7, 7, 7, 7 },
      { 7, 7, 7, 7 } },
};

/* The hidden units of a view, from the board and in wide integers; clamped. */
static void hidden_by_definition(int64_t *hidden, const Network *network, const Position *pos,
                                 Colour view)
{
    Square king = position_king(pos, view);
    int rank = king / 8, file = king % 8;
    int king_bucket = king_buckets[network->info.king_buckets == 8][view == BLACK ? 7 - rank : rank]
                                  [file >= 4 ? 7 - file : file];
    int flip = (view == BLACK ? 56 : 0) ^ (file >= 4 ? 7 : 0);
    for (int unit = 0; unit < network->info.width; unit++) {
        hidden[unit] = network->weights.ft_biases[unit];
        for (Square s = 0; s < SQUARE_COUNT; s++) {
            Piece piece = pos->board[s];
            if (piece == PIECE_NONE)
                continue;
            int index = 768 * king_bucket + 384 * (piece_colour(piece) != view) +
                        64 * piece_type(piece) + (s ^ flip);
            hidden[unit] += network->weights.ft_weights[index * network->info.width + unit];
        }
        hidden[unit] = hidden[unit] < 0 ? 0 : hidden[unit] > 255 ? 255 : hidden[unit];
    }
}

static int64_t clamped(int64_t value, int64_t lowest, int64_t highest)
{
    return value < lowest ? lowest : value > highest ? highest : value;
}

/* The evaluation as network_file.h defines it. */
static int64_t evaluation_by_definition(const Network *network, const Position *pos)
{
    enum { QC = 127 * 96, QD = 1024 };
    const NetworkInfo *info = &network->info;
    const NetworkWeights *w = &network->weights;
    int pieces = bitboard_count(pos->occupied);
    int active = info->activation == NETWORK_PRODUCTS ? info->width / 2 : info->width;
    int bucket = info->buckets == 1 ? 0 : (pieces - 2) / 4;
    int64_t hidden[2 * NETWORK_WIDTH_MAX], l1[16], inputs[30], sum = 0;
    for (int side = 0; side < 2; side++)
        hidden_by_definition(hidden + side * info->width, network, pos,
                             pos->side_to_move ^ (Colour)side);
    for (int k = 0; k < 16; k++) {
        l1[k] = w->l1_biases[bucket * 16 + k];
        for (int i = 0; i < 2 * active; i++) {
            const int64_t *a = hidden + i / active * info->width + i % active;
            int at = ((bucket * 2 * active + i) / 4 * 16 + k) * 4 + i % 4;
            l1[k] += (a[0] * a[info->width - active] + 256) / 512 * w->l1_weights[at];
        }
    }
    for (int k = 0; k < 15; k++) {
        int64_t cut = clamped(l1[k], -QC, QC);
        inputs[k] = clamped(l1[k], 0, QC);
        inputs[15 + k] = cut * cut / QC;
    }
    for (int k = 0; k < 32; k++) {
        int64_t l2 = w->l2_biases[bucket * 32 + k];
        for (int i = 0; i < 30; i++)
            l2 += inputs[i] * w->l2_weights[((bucket * 15 + i / 2) * 32 + k) * 2 + i % 2];
        sum += clamped(l2 / QD, 0, QC) * w->l3_weights[bucket * 32 + k];
    }
    return (l1[15] * QD + sum) * info->scale / (QC * QD);
}

TEST(evaluation_is_the_defined_one)
{
    static const NetworkShape shapes[] = {
        { 32, 1, RULES_STANDARD, 4, NETWORK_SQUARES },
        { 96, 8, RULES_STANDARD, 8, NETWORK_SQUARES },
        { 192, 8, RULES_STANDARD, 4, NETWORK_PRODUCTS },
        { 256, 8, RULES_STANDARD, 8, NETWORK_PRODUCTS },
    };
    AccumulatorStack *stack = new_stack();
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        Network *network = random_network_of(shapes[i], i);
        for (int number = 0; number < 960; number += 97) {
            Position pos;
            uint64_t seed = (uint64_t)number;
            games_start(&pos, number);
            for (int ply = 0; ply < 120; ply++) {
                MoveList list;
                Undo undo;
                movegen_legal(&pos, &list);
                if (list.count == 0)
                    break;
                position_make(&pos, list.moves[random_below(&seed, (uint64_t)list.count)], &undo);
                if (ply % 7 != 0)
                    continue;
                accumulator_reset(stack, network, &pos);
                assert_int_equal(accumulator_evaluate(stack, &pos),
                                 evaluation_by_definition(network, &pos));
            }
        }
        network_free(network);
    }
    free(stack);
}

enum { KING_BUCKETS = 8 }; /* of the network below */

/* What the random games below must have had in them. */
typedef struct {
    int castlings, en_passants, promotions, capture_promotions, crossings, nulls, crossed_castlings;
} Seen;

static void note(Seen *seen, const Position *pos, Move m)
{
    Square from = move_from(m), to = move_to(m);
    bool crosses = piece_type(pos->board[from]) == KING &&
                   features_view_changes(KING_BUCKETS, pos->side_to_move, from, to);
    seen->castlings += move_is_castling(m);
    seen->en_passants += move_is_en_passant(m);
    seen->promotions += move_is_promotion(m) && !move_is_capture(m);
    seen->capture_promotions += move_is_promotion(m) && move_is_capture(m);
    seen->crossings += crosses && !move_is_castling(m);
    seen->crossed_castlings += crosses && move_is_castling(m);
}

/* Castling, en passant and promotions are rare: take them when they are there. */
static Move choose(const MoveList *list, uint64_t *seed)
{
    for (int i = 0; i < list->count; i++) {
        Move m = list->moves[i];
        bool rare = move_is_castling(m) || move_is_en_passant(m) || move_is_promotion(m);
        if (rare && random_below(seed, 2) == 0)
            return m;
    }
    return list->moves[random_below(seed, (uint64_t)list->count)];
}

typedef struct {
    AccumulatorStack *stack, *fresh;
    const Network *network;
    Position pos;
    uint64_t seed;
    int evaluated_of_8; /* how lazy: positions evaluated out of eight */
    Seen seen;
} Walk;

static void must_agree(Walk *walk)
{
    accumulator_reset(walk->fresh, walk->network, &walk->pos);
    int shall = accumulator_evaluate(walk->fresh, &walk->pos);
    if (!accumulator_is_up_to_date(walk->stack, &walk->pos) ||
        accumulator_evaluate(walk->stack, &walk->pos) != shall) {
        char fen[FEN_SIZE];
        fen_write(&walk->pos, fen);
        fail_msg("%s, %s", walk->network->kernels->name, fen);
    }
}

/* Plays on for up to `plies`, goes back all the way, and evaluates here and there both ways. */
static void play_and_return(Walk *walk, int plies)
{
    if (random_below(&walk->seed, 8) < (uint64_t)walk->evaluated_of_8)
        must_agree(walk);
    MoveList list;
    movegen_legal(&walk->pos, &list);
    if (plies == 0 || list.count == 0)
        return;
    Undo undo;
    if (!position_in_check(&walk->pos) && random_below(&walk->seed, 16) == 0) {
        walk->seen.nulls++;
        position_make_null(&walk->pos, &undo);
        play_and_return(walk, plies - 1);
        position_unmake_null(&walk->pos, &undo);
        return;
    }
    Move m = choose(&list, &walk->seed);
    note(&walk->seen, &walk->pos, m);
    const Change change = change_of(&walk->pos, m);
    accumulator_push(walk->stack, &change);
    position_make(&walk->pos, m, &undo);
    play_and_return(walk, plies - 1);
    position_unmake(&walk->pos, m, &undo);
    accumulator_pop(walk->stack);
    if (random_below(&walk->seed, 8) < (uint64_t)walk->evaluated_of_8)
        must_agree(walk);
}

TEST(updated_sums_equal_fresh_ones_throughout_random_games)
{
    enum { GAMES = 1000, PLIES = 100 };
    Walk walk = { .stack = new_stack(), .fresh = new_stack(), .seed = 7 };
    Network *network = random_network_of(
        (NetworkShape){ 64, 8, RULES_STANDARD, KING_BUCKETS, NETWORK_PRODUCTS }, 1);
    walk.network = network;
    int sets = 0;
    while (kernels_nth(sets))
        sets++;
    for (int game = 0; game < GAMES; game++) {
        network_force(network, kernels_nth(game % sets));
        games_start(&walk.pos, game % 10 == 0 ? (int)random_below(&walk.seed, 960) : 518);
        walk.evaluated_of_8 = game % 8 + 1;
        accumulator_reset(walk.stack, network, &walk.pos);
        play_and_return(&walk, PLIES);
    }
    const Seen *seen = &walk.seen;
    assert_true(seen->castlings > 100 && seen->en_passants > 100 && seen->promotions > 100 &&
                seen->capture_promotions > 100 && seen->crossings > 1000 && seen->nulls > 1000 &&
                seen->crossed_castlings > 10);
    network_free(network);
    free(walk.stack);
    free(walk.fresh);
}

/* The server lets people set up what they like. */
TEST(more_pieces_than_a_game_has_are_evaluated_too)
{
    Position pos;
    assert_true(fen_read(
        &pos, "knnnnnnn/nnnnnnnn/nnnnnnnn/nnnnnnnn/NNNNNNNN/NNNNNNNN/NNNNNNNN/NNNNNNNK w - -",
        FEN_LENIENT, NULL, NULL));
    Network *network = random_network(1, 64, 8);
    AccumulatorStack *stack = new_stack();
    accumulator_reset(stack, network, &pos);
    (void)accumulator_evaluate(stack, &pos);
    network_free(network);
    free(stack);
}
