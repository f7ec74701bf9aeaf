/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/train/dataset.h"

#include "engine/train/loss.h"
#include "tests/support/packed_positions.h"
#include "tests/support/chess.h"

#include <unistd.h>

enum { RECORDS = 2000 };

typedef struct {
    char path[64];
    PackedPosition records[RECORDS];
} Fixture;

static int set_up(void **state)
{
    Fixture *f = calloc(1, sizeof *f);
    assert_non_null(f);
    strcpy(f->path, "/tmp/test_dataset.XXXXXX");
    int fd = mkstemp(f->path);
    assert_true(fd >= 0);
    close(fd);
    packed_positions_fill(f->records, RECORDS, 2);
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    Fixture *f = *state;
    unlink(f->path);
    free(f);
    return 0;
}

static bool load(Fixture *f, Dataset *data, int files, Error *err)
{
    const char *const paths[] = { f->path, f->path };
    packed_positions_write(f->path, f->records, RECORDS);
    return dataset_init(data, RULES_STANDARD, paths, files, err);
}

TEST_IN(validation_takes_the_last_games_whole, set_up, tear_down)
{
    Fixture *f = *state;
    Dataset data;
    assert_true(load(f, &data, 1, NULL));
    assert_int_equal(data.training_count + data.validation_count, RECORDS);
    assert_int_equal(data.validation_count, 60); /* 2000 / 33, down to whole games of 10 */
    assert_true(data.validation[0].flags & PACKED_FIRST_OF_GAME);
    assert_memory_equal(data.training, f->records, data.training_count * sizeof *f->records);
    assert_memory_equal(data.validation, f->records + RECORDS - 60, 60 * sizeof *f->records);
    dataset_release(&data);
}

TEST_IN(every_file_gives_its_share_to_validation, set_up, tear_down)
{
    Fixture *f = *state;
    Dataset data;
    assert_true(load(f, &data, 2, NULL));
    assert_int_equal(data.training_count, 2 * (RECORDS - 60));
    assert_int_equal(data.validation_count, 2 * 60);
    assert_memory_equal(data.validation, data.validation + 60, 60 * sizeof *f->records);
    dataset_release(&data);
}

static void no_kings(PackedPosition *packed)
{
    memset(packed->pieces, 0, sizeof packed->pieces);
}

static void too_many_men(PackedPosition *packed)
{
    packed->occupied = ~UINT64_C(0);
}

static void unknown_piece(PackedPosition *packed)
{
    packed->pieces[0] = 0xff;
}

static void unknown_result(PackedPosition *packed)
{
    packed->result = 3;
}

TEST_IN(records_that_are_none_are_refused_by_number, set_up, tear_down)
{
    Fixture *f = *state;
    static void (*const spoils[])(PackedPosition *) = { no_kings, too_many_men, unknown_piece,
                                                        unknown_result };
    for (size_t i = 0; i < sizeof spoils / sizeof *spoils; i++) {
        Dataset data;
        Error err = { 0 };
        PackedPosition kept = f->records[7];
        spoils[i](&f->records[7]);
        assert_false(load(f, &data, 1, &err));
        assert_non_null(strstr(err.text, ": record 7: no position"));
        assert_non_null(strstr(err.text, f->path));
        f->records[7] = kept;
    }
}

TEST_IN(files_of_odd_size_or_few_games_are_refused, set_up, tear_down)
{
    Fixture *f = *state;
    const char *const paths[] = { f->path };
    Dataset data;
    packed_positions_write(f->path, f->records, 20);
    assert_false(dataset_init(&data, RULES_STANDARD, paths, 1, NULL));
    packed_positions_write(f->path, f->records, RECORDS);
    assert_int_equal(truncate(f->path, 32 * 100 + 1), 0);
    assert_false(dataset_init(&data, RULES_STANDARD, paths, 1, NULL));
    unlink(f->path);
    assert_false(dataset_init(&data, RULES_STANDARD, paths, 1, NULL));
}

static PackedPosition packed_of(const char *fen)
{
    Position pos = position_of(fen);
    return packed_position_of(&pos);
}

static int compare(const void *a, const void *b)
{
    return *(const uint16_t *)a - *(const uint16_t *)b;
}

/* The inputs of a view, sorted. */
static const uint16_t *sorted(ModelSamples *samples, int sample, int view)
{
    qsort(samples->inputs[sample][view], samples->active[sample], sizeof(uint16_t), compare);
    return samples->inputs[sample][view];
}

/* Colours exchanged and the board turned over: for the side to move it is the same position. */
TEST(twins_give_the_same_sample_score_and_result)
{
    PackedPosition white =
        packed_of("r3k2r/pp1n1ppp/2p5/3pP3/1b1P4/5N2/PPP2PPP/R3K2R w KQkq - 0 1");
    PackedPosition black =
        packed_of("r3k2r/ppp2ppp/5n2/1B1p4/3Pp3/2P5/PP1N1PPP/R3K2R b KQkq - 0 1");
    ModelSamples samples = { 0 };
    white.score = 150;
    black.score = -150;
    white.result = PACKED_WHITE_WON;
    black.result = PACKED_WHITE_LOST;
    const ModelShape shape = { 64, 8, RULES_STANDARD, 4, NETWORK_SQUARES };
    dataset_add_sample(&samples, &white, shape);
    dataset_add_sample(&samples, &black, shape);
    assert_int_equal(samples.active[0], 24);
    assert_int_equal(samples.active[1], 24);
    assert_int_equal(samples.bucket[0], 5);
    for (int view = 0; view < 2; view++)
        assert_memory_equal(sorted(&samples, 0, view), sorted(&samples, 1, view),
                            24 * sizeof(uint16_t));
    assert_float_equal(dataset_score(&white), 0.75F, 1e-6);
    assert_float_equal(dataset_score(&black), 0.75F, 1e-6);
    assert_float_equal(dataset_result(&white), 1, 0);
    assert_float_equal(dataset_result(&black), 1, 0);
}

TEST(target_blends_the_result_where_it_says_something)
{
    PackedPosition packed = packed_of("8/8/4k3/8/8/4K3/4P3/8 b - - 0 1");
    packed.score = 200; /* a logit for White: 0.2689 for Black */
    packed.result = PACKED_WHITE_WON;
    assert_float_equal(loss_target(&packed, 0), 0.26894F, 1e-4);
    assert_float_equal(loss_target(&packed, 0.5F), 0.13447F, 1e-4);
    assert_float_equal(loss_target(&packed, 1), 0, 1e-6);
    packed.flags |= PACKED_NO_RESULT;
    assert_float_equal(loss_target(&packed, 1), 0.26894F, 1e-4);
}
