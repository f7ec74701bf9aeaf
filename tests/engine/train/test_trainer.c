/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/train/trainer.h"

#include "engine/base/pages.h"
#include "engine/eval/accumulator.h"
#include "engine/train/export.h"
#include "engine/train/report.h"
#include "tests/support/packed_positions.h"
#include "tests/support/unit.h"

#include <math.h>
#include <unistd.h>

enum { TRAINING = 1000, VALIDATION = 100 };

static const TrainerSettings settings = {
    .shape = { 64, 8, RULES_STANDARD, 4, NETWORK_SQUARES },
    .passes = 4,
    .batch = 300,
    .lambda = 0.3F,
    .rate = 0.001F,
    .seed = 7,
};

/* Static storage would be shared by tests. */
typedef struct {
    PackedPosition training[TRAINING], validation[VALIDATION];
    Dataset data;
    char path[64];
} Fixture;

static int set_up(void **state)
{
    Fixture *f = calloc(1, sizeof *f);
    assert_non_null(f);
    packed_positions_fill(f->training, TRAINING, 1);
    packed_positions_fill(f->validation, VALIDATION, 2);
    f->data = (Dataset){ .training = f->training,
                         .validation = f->validation,
                         .training_count = TRAINING,
                         .validation_count = VALIDATION };
    strcpy(f->path, "/tmp/test_trainer.XXXXXX");
    int fd = mkstemp(f->path);
    assert_true(fd >= 0);
    close(fd);
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

static Trainer *trainer_of(const Fixture *f, const TrainerSettings *with)
{
    Trainer *trainer = NULL;
    Error err = { 0 };
    if (!trainer_new(&trainer, with, &f->data, &err))
        fail_msg("%s", err.text);
    return trainer;
}

static Trainer *trained(const Fixture *f, int passes, int threads)
{
    Trainer *trainer = trainer_of(f, &settings);
    for (int i = 0; i < passes; i++)
        trainer_pass(trainer, threads, NULL, NULL);
    return trainer;
}

static void assert_same(const Trainer *a, const Trainer *b)
{
    int passes = trainer_passes_done(a);
    assert_int_equal(passes, trainer_passes_done(b));
    assert_memory_equal(trainer_parameters(a), trainer_parameters(b),
                        model_size(settings.shape) * sizeof(float));
    assert_memory_equal(trainer_history(a), trainer_history(b),
                        (size_t)passes * sizeof(TrainerPass));
}

TEST_IN(any_number_of_threads_gives_the_same_bits, set_up, tear_down)
{
    const Fixture *f = *state;
    static const int threads[] = { 2, 3, 8 };
    Trainer *one = trained(f, 3, 1);
    for (size_t i = 0; i < sizeof threads / sizeof *threads; i++) {
        Trainer *more = trained(f, 3, threads[i]);
        assert_same(one, more);
        trainer_free(more);
    }
    trainer_free(one);
}

TEST_IN(interrupted_run_ends_like_one_without_a_break, set_up, tear_down)
{
    Fixture *f = *state;
    Trainer *whole = trained(f, 4, 2), *begun = trained(f, 2, 2), *rest = trained(f, 1, 1);
    assert_true(trainer_save(begun, f->path, NULL));
    trainer_free(begun);
    assert_true(trainer_restore(rest, f->path, NULL));
    assert_int_equal(trainer_passes_done(rest), 2);
    trainer_pass(rest, 2, NULL, NULL);
    trainer_pass(rest, 2, NULL, NULL);
    assert_same(rest, whole);
    trainer_free(whole);
    trainer_free(rest);
}

TEST_IN(thousand_positions_are_learnt_by_heart, set_up, tear_down)
{
    const Fixture *f = *state;
    const TrainerSettings by_heart = { .shape = { 64, 1, RULES_STANDARD, 4, NETWORK_SQUARES },
                                       .passes = 600,
                                       .batch = 100,
                                       .rate = 0.005F,
                                       .seed = 1 };
    Trainer *trainer = trainer_of(f, &by_heart);
    while (trainer_passes_done(trainer) < by_heart.passes)
        trainer_pass(trainer, 1, NULL, NULL);
    double loss = trainer_history(trainer)[by_heart.passes - 1].training;
    trainer_free(trainer);
    if (loss >= 1e-4)
        fail_msg("loss %.6f", loss);
}

static void change_settings(Trainer **trainer, Fixture *f)
{
    TrainerSettings other = settings;
    other.lambda = 0;
    trainer_free(*trainer);
    *trainer = trainer_of(f, &other);
}

static void change_data(Trainer **trainer, Fixture *f)
{
    trainer_free(*trainer);
    f->training[0].score++;
    *trainer = trainer_of(f, &settings);
    f->training[0].score--;
}

static void cut_the_file(Trainer **trainer, Fixture *f)
{
    (void)trainer;
    assert_int_equal(truncate(f->path, 5000), 0);
}

static void empty_the_file(Trainer **trainer, Fixture *f)
{
    (void)trainer;
    assert_int_equal(truncate(f->path, 0), 0);
}

static void overwrite(const Fixture *f, long at, const char *bytes, size_t size)
{
    FILE *file = fopen(f->path, "r+b");
    assert_non_null(file);
    assert_int_equal(fseek(file, at, SEEK_SET), 0);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

static void spoil_the_magic(Trainer **trainer, Fixture *f)
{
    (void)trainer;
    overwrite(f, 0, "X", 1);
}

static void claim_more_passes(Trainer **trainer, Fixture *f)
{
    (void)trainer;
    overwrite(f, 48, "\xff\xff\xff\xff", 4); /* where the header has the passes made */
}

static void spoil_a_weight(Trainer **trainer, Fixture *f)
{
    (void)trainer;
    overwrite(f, 56 + 4 * 1000, "\xff\xff\xff\xff", 4); /* not a number */
}

TEST_IN(checkpoints_of_something_else_are_refused, set_up, tear_down)
{
    Fixture *f = *state;
    static void (*const changes[])(Trainer **, Fixture *) = {
        change_settings, change_data,       cut_the_file,   empty_the_file,
        spoil_the_magic, claim_more_passes, spoil_a_weight,
    };
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        Trainer *trainer = trained(f, 1, 1);
        Error err = { 0 };
        assert_true(trainer_save(trainer, f->path, NULL));
        changes[i](&trainer, f);
        int passes = trainer_passes_done(trainer);
        assert_false(trainer_restore(trainer, f->path, &err));
        assert_non_null(strstr(err.text, f->path));
        assert_int_equal(trainer_passes_done(trainer), passes);
        trainer_free(trainer);
    }
}

TEST_IN(every_byte_of_a_checkpoints_header_counts, set_up, tear_down)
{
    Fixture *f = *state;
    Trainer *trainer = trained(f, 1, 1);
    char header[56];
    assert_true(trainer_save(trainer, f->path, NULL));
    FILE *file = fopen(f->path, "rb");
    assert_non_null(file);
    assert_int_equal(fread(header, 1, sizeof header, file), sizeof header);
    fclose(file);
    for (size_t at = 0; at < sizeof header; at++) {
        char other = (char)(header[at] ^ 0x41);
        overwrite(f, (long)at, &other, 1);
        if (trainer_restore(trainer, f->path, NULL))
            fail_msg("took another byte %zu", at);
        overwrite(f, (long)at, &header[at], 1);
    }
    assert_true(trainer_restore(trainer, f->path, NULL));
    trainer_free(trainer);
}

TEST_IN(settings_out_of_range_are_refused, set_up, tear_down)
{
    const Fixture *f = *state;
    TrainerSettings wrong[5] = { settings, settings, settings, settings, settings };
    wrong[0].shape.width = 100;
    wrong[1].passes = -1;
    wrong[2].batch = 7;
    wrong[3].lambda = 1.5F;
    wrong[4].rate = 0;
    for (int i = 0; i < 5; i++) {
        Trainer *trainer = NULL;
        assert_false(trainer_new(&trainer, &wrong[i], &f->data, NULL));
        assert_null(trainer);
    }
}

/* -- from the trainer to the engine -- */

static Network *network_of(const Trainer *trainer, int scale)
{
    const NetworkInfo info = { .width = 64, .buckets = 8, .king_buckets = 4, .scale = scale };
    uint8_t *bytes = NULL;
    size_t size = 0;
    Network *network = NULL;
    assert_true(export_network(&bytes, &size, trainer_parameters(trainer), &info, "test", NULL));
    assert_true(network_read(&network, bytes, size, NULL));
    free(bytes);
    return network;
}

TEST_IN(engine_evaluates_what_the_trainer_computes, set_up, tear_down)
{
    const Fixture *f = *state;
    Trainer *trainer = trained(f, 4, 1);
    Network *network = network_of(trainer, 1000);
    Report report;
    assert_true(report_init(&report, network, trainer_parameters(trainer), &f->data,
                            settings.lambda, NULL));
    double expected = trainer_history(trainer)[3].validation.blend;
    assert_float_equal((float)report.losses.blend, (float)expected, (float)(0.02 * expected));
    network_free(network);
    trainer_free(trainer);
}

TEST_IN(training_goes_on_from_a_network, set_up, tear_down)
{
    const Fixture *f = *state;
    Trainer *trainer = trained(f, 4, 1), *next = NULL;
    Network *network = network_of(trainer, 1000);
    TrainerSettings from = settings;
    from.from = network;
    assert_true(trainer_new(&next, &from, &f->data, NULL));
    Network *same = network_of(next, 1000);
    assert_string_equal(same->info.name, network->info.name); /* it has the weights' hash */
    network_free(same);
    trainer_free(next);
    next = NULL;
    from.shape.buckets = 1;
    Error err = { 0 };
    assert_false(trainer_new(&next, &from, &f->data, &err));
    assert_null(next);
    assert_non_null(strstr(err.text,
                           "has width 64 of squares, 4 king and 8 output buckets: nothing to "
                           "begin 64 of squares, 4 and 1 with"));
    network_free(network);
    trainer_free(trainer);
}

TEST_IN(training_goes_on_only_from_the_network_it_began_with, set_up, tear_down)
{
    Fixture *f = *state;
    Trainer *first = trained(f, 4, 1), *second = trained(f, 3, 1);
    Network *networks[] = { NULL, network_of(first, 1000), network_of(second, 1000) };
    trainer_free(first);
    trainer_free(second);
    for (int began = 0; began < 3; began++) {
        TrainerSettings with = settings;
        with.from = networks[began];
        Trainer *trainer = trainer_of(f, &with);
        trainer_pass(trainer, 1, NULL, NULL);
        assert_true(trainer_save(trainer, f->path, NULL));
        trainer_free(trainer);
        for (int next = 0; next < 3; next++) {
            Error err = { 0 };
            with.from = networks[next];
            trainer = trainer_of(f, &with);
            if (trainer_restore(trainer, f->path, &err) != (began == next) ||
                (began != next && !strstr(err.text, "(--from)")))
                fail_msg("began with %d, goes on with %d: %s", began, next, err.text);
            trainer_free(trainer);
        }
    }
    for (int i = 0; i < 3; i++)
        network_free(networks[i]);
}

static int always_60(void *user, const Position *pos)
{
    (void)user;
    return pos->side_to_move == WHITE ? 60 : -60;
}

static double mean_size(const Network *network, const Fixture *f)
{
    AccumulatorStack *stack = pages_new(sizeof *stack);
    double sum = 0;
    assert_non_null(stack);
    for (int i = 0; i < VALIDATION; i++) {
        Position pos;
        assert_true(packed_position_read(&pos, &f->validation[i], NULL));
        accumulator_reset(stack, network, &pos);
        sum += abs(accumulator_evaluate(stack, &pos));
    }
    pages_free(stack, sizeof *stack);
    return sum / VALIDATION;
}

TEST_IN(scale_makes_evaluations_as_large_as_the_reference, set_up, tear_down)
{
    const Fixture *f = *state;
    Trainer *trainer = trained(f, 4, 1);
    Network *before = network_of(trainer, 2000);
    int scale = 0;
    assert_true(export_fit_scale(&scale, before, always_60, NULL, &f->data, VALIDATION, NULL));
    Network *fitted = network_of(trainer, scale);
    assert_float_equal((float)mean_size(fitted, f), 60, 1);
    network_free(before);
    network_free(fitted);
    trainer_free(trainer);
}

static int always_0(void *user, const Position *pos)
{
    (void)user;
    (void)pos;
    return 0;
}

TEST_IN(scale_without_a_measure_is_refused, set_up, tear_down)
{
    const Fixture *f = *state;
    Trainer *trainer = trained(f, 1, 1);
    Network *network = network_of(trainer, 1000);
    int scale = 5;
    assert_false(export_fit_scale(&scale, network, always_0, NULL, &f->data, VALIDATION, NULL));
    assert_int_equal(scale, 5);
    network_free(network);
    trainer_free(trainer);
}

TEST(report_refuses_what_is_not_sound)
{
    const Report sound = { .losses = { .blend = 0.01 } };
    Report lossy = sound, dead = sound, wrong = sound;
    assert_true(report_check(&sound, 0.01, NULL));
    lossy.losses.blend = 0.0103;
    assert_false(report_check(&lossy, 0.01, NULL));
    /* A fifth more than next to nothing is less than rounding always costs. */
    lossy.losses.blend = 0.0006;
    assert_true(report_check(&lossy, 0.0005, NULL));
    lossy.losses.blend = 0.0008;
    assert_false(report_check(&lossy, 0.0005, NULL));
    dead.never_active = 0.15;
    dead.always_full = 0.1;
    assert_false(report_check(&dead, 0.01, NULL));
    wrong.simple_failed = 1;
    assert_false(report_check(&wrong, 0.01, NULL));
}
