/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Networks of variants: their inputs, their files, and what engine and trainer make of them. */
#include "engine/base/pages.h"
#include "engine/base/random.h"
#include "engine/core/fen.h"
#include "engine/core/movegen.h"
#include "engine/eval/evaluation.h"
#include "engine/eval/output_layers.h"
#include "engine/train/dataset.h"
#include "tests/support/random_network.h"
#include "tests/support/unit.h"
#include "tests/support/random_variant_games.h"

enum { FIRST_VARIANT = RULES_STANDARD + 1, WIDTH = 64, BUCKETS = 8, SEED = 5 };

typedef struct {
    Evaluator *walking, *fresh;
    Network *network;
    uint64_t random;
    int positions, most_active;
} Walk;

static Walk walk_new(Ruleset ruleset)
{
    Walk walk = { .walking = pages_new(sizeof(Evaluator)),
                  .fresh = pages_new(sizeof(Evaluator)),
                  .network =
                      random_network_of(variant_network_shape(ruleset, WIDTH, BUCKETS), SEED),
                  .random = SEED };
    assert_non_null(walk.walking);
    assert_non_null(walk.fresh);
    return walk;
}

static void walk_free(Walk *walk)
{
    pages_free(walk->walking, sizeof *walk->walking);
    pages_free(walk->fresh, sizeof *walk->fresh);
    network_free(walk->network);
}

static void must_agree(Walk *walk, const Position *pos)
{
    int shall = evaluate_by(walk->fresh, walk->network, pos);
    int is = variant_accumulator_evaluate(&walk->walking->variant, pos);
    if (shall != is) {
        char fen[FEN_SIZE];
        fen_write(pos, fen);
        fail_msg("%s: %s: %d, not %d", walk->network->kernels->name, fen, is, shall);
    }
}

/* A search leaves positions and comes back to them. */
static void look_around(Position *pos, void *user)
{
    Walk *walk = user;
    MoveList moves;
    Undo undo;
    movegen_legal(pos, &moves);
    Move m = moves.moves[random_below(&walk->random, (uint64_t)moves.count)];
    if (random_below(&walk->random, 2) == 0)
        must_agree(walk, pos);
    position_make(pos, m, &undo);
    must_agree(walk, pos);
    position_unmake(pos, m, &undo);
    must_agree(walk, pos);
    walk->positions++;
}

TEST(incremental_and_fresh_evaluation_agree_in_every_variant)
{
    for (Ruleset r = FIRST_VARIANT; r < RULESET_COUNT; r++) {
        Walk walk = walk_new(r);
        for (int set = 0; kernels_nth(set); set++) {
            network_force(walk.network, kernels_nth(set));
            variant_accumulator_reset(&walk.walking->variant, walk.network);
            variant_games_play(r, SEED + (uint64_t)set, 20, look_around, &walk);
        }
        assert_true(walk.positions > 500);
        walk_free(&walk);
    }
}

static void compare_kernels(Position *pos, void *user)
{
    Walk *walk = user;
    network_force(walk->network, kernels_nth(0));
    int portable = evaluate_by(walk->fresh, walk->network, pos);
    for (int set = 1; kernels_nth(set); set++) {
        network_force(walk->network, kernels_nth(set));
        assert_int_equal(evaluate_by(walk->fresh, walk->network, pos), portable);
    }
}

TEST(all_kernels_evaluate_alike_in_every_variant)
{
    for (Ruleset r = FIRST_VARIANT; r < RULESET_COUNT; r++) {
        Walk walk = walk_new(r);
        variant_games_play(r, SEED, 5, compare_kernels, &walk);
        walk_free(&walk);
    }
}

/* The engine's evaluation, worked out from the inputs that the trainer has of the record. */
static int evaluation_of_record(const Network *network, const PackedPosition *packed,
                                const PackedVariant *variant)
{
    static ModelSamples samples;
    _Alignas(KERNELS_ALIGNMENT) int16_t hidden[2][WIDTH];
    samples.count = 0;
    dataset_add_variant_sample(&samples, packed, variant, network_shape_of(&network->info));
    for (int view = 0; view < 2; view++) {
        memcpy(hidden[view], network->weights.ft_biases, sizeof hidden[view]);
        for (int i = 0; i < samples.active[0]; i++) {
            int input = samples.inputs[0][view][i];
            assert_in_range(input, 0, network_inputs(network_shape_of(&network->info)) - 1);
            for (int unit = 0; unit < WIDTH; unit++)
                hidden[view][unit] =
                    (int16_t)(hidden[view][unit] + network_feature(network, input)[unit]);
        }
    }
    _Alignas(KERNELS_ALIGNMENT) uint8_t active[OUTPUT_LAYERS_INPUTS_MAX];
    output_layers_activate(network, active, hidden[0]);
    output_layers_activate(network, active + WIDTH, hidden[1]);
    return output_layers_evaluate(network, active, samples.bucket[0]);
}

static void pack_and_compare(Position *pos, void *user)
{
    Walk *walk = user;
    Position read;
    Error err = { 0 };
    char before[FEN_SIZE], after[FEN_SIZE];
    PackedPosition packed = packed_position_of(pos);
    const PackedVariant variant = packed_variant_of(pos);
    packed.ply = (uint16_t)(2 * (pos->fullmove_number - 1));
    fen_write(pos, before);
    assert_true(dataset_takes_variant(&packed, &variant));
    if (!packed_variant_read(&read, &packed, &variant, &err))
        fail_msg("%s: %s", before, err.text);
    fen_write(&read, after);
    assert_string_equal(after, before);
    assert_int_equal(read.key, pos->key);
    assert_int_equal(evaluation_of_record(walk->network, &packed, &variant),
                     evaluate_by(walk->fresh, walk->network, pos));
}

TEST(trainer_sees_in_a_record_what_the_engine_sees_in_the_position)
{
    for (Ruleset r = FIRST_VARIANT; r < RULESET_COUNT; r++) {
        Walk walk = walk_new(r);
        variant_games_play(r, SEED, 30, pack_and_compare, &walk);
        walk_free(&walk);
    }
}

TEST(hands_and_checks_have_inputs_of_their_own)
{
    /* Own pawns, enemy queens in hand; own and enemy checks. */
    assert_int_equal(variant_features_counter_index(RULES_CRAZYHOUSE, WHITE, WHITE, PAWN, 1), 768);
    assert_int_equal(variant_features_counter_index(RULES_CRAZYHOUSE, BLACK, BLACK, KNIGHT, 3),
                     776);
    assert_int_equal(variant_features_counter_index(RULES_CRAZYHOUSE, WHITE, BLACK, QUEEN, 2), 801);
    assert_int_equal(variant_features_counter_index(RULES_THREE_CHECK, BLACK, BLACK, 0, 2), 769);
    assert_int_equal(variant_features_counter_index(RULES_THREE_CHECK, BLACK, WHITE, 0, 1), 770);
    assert_int_equal(network_inputs(variant_network_shape(RULES_CRAZYHOUSE, WIDTH, BUCKETS)), 802);
    assert_int_equal(network_inputs(variant_network_shape(RULES_THREE_CHECK, WIDTH, BUCKETS)), 772);
}

TEST(only_a_royal_king_mirrors_its_view)
{
    assert_int_equal(variant_features_view_of(RULES_ATOMIC, WHITE, 4).flip, 7);
    assert_int_equal(variant_features_view_of(RULES_ATOMIC, BLACK, 60).flip, 63);
    assert_int_equal(variant_features_view_of(RULES_ANTICHESS, WHITE, 4).flip, 0);
    assert_int_equal(variant_features_view_of(RULES_HORDE, WHITE, 4).flip, 0);
    assert_int_equal(variant_features_view_of(RULES_HORDE, BLACK, 60).flip, 63);
    assert_int_equal(variant_features_view_of(RULES_RACING_KINGS, BLACK, 8).flip, 0);
}

TEST(every_damaged_bit_of_a_variants_file_is_noticed)
{
    size_t size = 0;
    uint8_t *bytes =
        random_network_file_of(variant_network_shape(RULES_CRAZYHOUSE, 32, 1), 1, &size);
    Network *network = NULL;
    for (size_t at = 0; at < size; at += at < NETWORK_HEADER_SIZE ? 1 : 509) {
        /* Another scale, manifest or name is another network, no damaged one. */
        if (at == 36 || at == 37 || (at >= 80 && at < NETWORK_HEADER_SIZE))
            continue;
        for (int bit = 0; bit < 8; bit++) {
            bytes[at] ^= (uint8_t)(1 << bit);
            assert_false(network_read(&network, bytes, size, NULL));
            bytes[at] ^= (uint8_t)(1 << bit);
        }
    }
    assert_true(network_read(&network, bytes, size, NULL));
    assert_int_equal(network->info.ruleset, RULES_CRAZYHOUSE);
    network_free(network);
    free(bytes);
}

TEST(embedded_networks_are_sound_and_small)
{
    enum { LARGEST = 256000 };
    size_t size, used = 0;
    const uint8_t *files = network_embedded_variants(&size);
    for (Ruleset r = FIRST_VARIANT; r < RULESET_COUNT; r++) {
        Network view, *read = NULL;
        if (!network_embedded_of(&view, r))
            continue;
        NetworkShape shape = network_shape_of(&view.info);
        const uint8_t *file = (const uint8_t *)view.weights.ft_weights - NETWORK_HEADER_SIZE;
        Error err = { 0 };
        assert_int_equal(shape.ruleset, r);
        assert_int_equal((uintptr_t)file % KERNELS_ALIGNMENT, 0);
        assert_true(file >= files && file + network_file_size(shape) <= files + size);
        assert_in_range(network_file_size(shape), 1, LARGEST);
        if (!network_read(&read, file, network_file_size(shape), &err))
            fail_msg("%s", err.text);
        network_free(read);
        used += network_file_size(shape);
    }
    assert_int_equal(used, size);
}

TEST(every_variant_has_a_network)
{
    Network network;
    for (Ruleset r = FIRST_VARIANT; r < RULESET_COUNT; r++)
        assert_true(network_embedded_of(&network, r));
}

TEST(records_that_are_no_variants_position_are_refused)
{
    Position pos, start;
    assert_true(fen_read_as(&start, RULES_CRAZYHOUSE,
                            variant_rules_table[RULES_CRAZYHOUSE].start_fen, FEN_STRICT, NULL,
                            NULL));
    const PackedPosition good = packed_position_of(&start);
    const PackedVariant variant = packed_variant_of(&start);
    PackedVariant rows[] = { variant, variant, variant, variant, variant, variant };
    rows[0].ruleset = RULES_STANDARD;
    rows[1].ruleset = RULESET_COUNT;
    rows[2].zero = 1;
    rows[3].pocket[BLACK][QUEEN] = 255;
    rows[4].checks_given[WHITE] = 1;
    rows[5].ruleset = RULES_ATOMIC;
    rows[5].pocket[WHITE][PAWN] = 1;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Error err = { 0 };
        pos = start;
        if (packed_variant_read(&pos, &good, &rows[i], &err))
            fail_msg("row %zu was read", i);
        assert_true(error_is_set(&err));
        assert_memory_equal(&pos, &start, sizeof pos);
    }
    PackedPosition other = packed_start_of(RULES_ATOMIC);
    other.pieces[3] = 1;
    assert_false(packed_position_read(&pos, &other, NULL));
    other = packed_start_of(RULES_ATOMIC);
    other.pieces[0] = RULESET_COUNT;
    assert_false(packed_position_read(&pos, &other, NULL));
}

TEST(a_start_stands_for_its_variants_usual_one)
{
    for (Ruleset r = FIRST_VARIANT; r < RULESET_COUNT; r++) {
        Position pos, usual;
        const PackedPosition start = packed_start_of(r);
        assert_true(packed_position_read(&pos, &start, NULL));
        assert_true(
            fen_read_as(&usual, r, variant_rules_table[r].start_fen, FEN_STRICT, NULL, NULL));
        assert_int_equal(pos.ruleset, r);
        assert_int_equal(pos.key, usual.key);
        assert_int_equal(packed_start_rules(&start), r);
    }
}
