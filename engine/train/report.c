/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/train/report.h"

#include "engine/base/pages.h"
#include "engine/core/fen.h"
#include "engine/eval/evaluation.h"

#include <math.h>
#include <stdlib.h>

enum { ACTIVITY_POSITIONS = 10000, FAR = 20000 };

/* What rounding adds to the loss hardly depends on the loss, which is next to nothing where a
 * network has learnt an evaluation without noise: so little is 1.4 % of a game's points. */
#define LOSS_RISE_MAX 1.02
#define LOSS_RISE_NEGLIGIBLE 0.0002
#define DEAD_MAX 0.2

/* Whose value everybody knows, roughly: centipawns for the side to move. */
static const struct {
    const char *fen;
    int lowest, highest;
} simple[] = {
    { FEN_START, -60, 60 },
    { "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1", -60, 60 },
    { "rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 600, FAR },
    { "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNB1KBNR b KQkq - 0 1", 600, FAR },
    { "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNB1KBNR w KQkq - 0 1", -FAR, -600 },
    { "1nbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQk - 0 1", 200, FAR },
    { "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/R1BQKBNR w KQkq - 0 1", -FAR, -100 },
    { "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1", 300, FAR },
    { "6k1/5ppp/8/8/8/8/5PPP/6K1 w - - 0 1", -100, 100 },
    { "3rr1k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1", -FAR, -300 },
};
enum { SIMPLE_COUNT = sizeof simple / sizeof *simple };

static void judge_validation(Report *report, Evaluator *evaluator, const Network *network,
                             const Dataset *data, float lambda)
{
    LossSums sums = { 0 };
    double ours = 0, scores = 0, off = 0;
    Position pos;
    for (uint32_t i = 0; i < data->validation_count; i++) {
        const PackedPosition *packed = &data->validation[i];
        if (!dataset_validation_read(&pos, data, i))
            continue;
        float score = dataset_score(packed);
        float logit = (float)evaluate_by(evaluator, network, &pos) / (float)network->info.scale;
        loss_add(&sums, packed, lambda, logit);
        ours += fabs((double)logit);
        scores += fabs((double)score);
        off += fabs((double)(logit - score));
    }
    report->losses = loss_mean(&sums);
    report->size_ratio = scores > 0 ? ours / scores : 0;
    report->mean_error_cp = sums.count ? off * network->info.scale / (double)sums.count : 0;
}

static void judge_simple(Report *report, Evaluator *evaluator, const Network *network)
{
    Position pos;
    report->simple_failed = 0;
    for (int i = 0; i < SIMPLE_COUNT; i++) {
        int value = fen_read(&pos, simple[i].fen, FEN_STRICT, NULL, NULL)
                        ? evaluate_by(evaluator, network, &pos)
                        : FAR + 1;
        report->simple_failed += value < simple[i].lowest || value > simple[i].highest;
    }
}

static void judge_weights(Report *report, const float *parameters, ModelShape shape)
{
    float largest = 0;
    /* No fmax() of doubles: Debian's gcc 12 crashes where it makes vectors of that for arm64. */
    for (size_t i = 0; i < model_ft_bias_at(shape, 0); i++)
        largest = fmaxf(largest, fabsf(parameters[i]));
    report->ft_max = (double)largest;
    for (int bucket = 0; bucket < shape.buckets; bucket++)
        for (size_t i = 0; i < NETWORK_L2; i++)
            report->output_sums[bucket] +=
                fabs((double)parameters[model_l3_at(shape, bucket, 0) + i]);
}

/* Counts of a hidden unit over the samples. */
typedef struct {
    uint32_t active, full;
} Activity;

static void activity_add(Activity *units, ModelShape shape, const ModelSamples *samples,
                         const float *activations)
{
    for (int unit = 0; unit < shape.width; unit++)
        for (int s = 0; s < samples->count; s++)
            for (int view = 0; view < 2; view++) {
                float hidden = activations[model_activation_at(shape, s, view) + (size_t)unit];
                units[unit].active += hidden > 0;
                units[unit].full += hidden >= 1;
            }
}

/* Of positions spread evenly over the data. */
static bool judge_activity(Report *report, const float *parameters, ModelShape shape,
                           const Dataset *data)
{
    float logits[MODEL_SAMPLES_MAX];
    const uint32_t all = data->training_count;
    const uint32_t count = all < ACTIVITY_POSITIONS ? all : ACTIVITY_POSITIONS;
    float *activations =
        aligned_alloc(MODEL_ALIGNMENT, model_activations_size(shape) * sizeof *activations);
    Activity *units = calloc((size_t)shape.width, sizeof *units);
    ModelSamples *samples = calloc(1, sizeof *samples);
    ModelRounded rounded;
    bool ok = model_rounded_init(&rounded, shape) && activations && units && samples;
    if (ok)
        model_round(&rounded, parameters, shape, 0, model_size(shape));
    for (uint32_t at = 0; ok && at < count;) {
        for (samples->count = 0; samples->count < MODEL_SAMPLES_MAX && at < count; at++)
            dataset_add_training(samples, data, (uint32_t)((uint64_t)at * all / count), shape);
        model_forward(&rounded, shape, samples, activations, logits);
        activity_add(units, shape, samples, activations);
    }
    for (int unit = 0; ok && unit < shape.width; unit++) {
        report->never_active += (units[unit].active == 0) / (double)shape.width;
        report->always_full += (units[unit].full == 2 * count) / (double)shape.width;
    }
    model_rounded_release(&rounded);
    free(activations);
    free(units);
    free(samples);
    return ok;
}

bool report_init(Report *report, const Network *network, const float *parameters,
                 const Dataset *data, float lambda, Error *err)
{
    ModelShape shape = network_shape_of(&network->info);
    Evaluator *evaluator = pages_new(sizeof *evaluator);
    Report made = { 0 };
    bool ok = evaluator && judge_activity(&made, parameters, shape, data);
    if (ok) {
        judge_validation(&made, evaluator, network, data, lambda);
        if (data->ruleset == RULES_STANDARD)
            judge_simple(&made, evaluator, network);
        judge_weights(&made, parameters, shape);
        *report = made;
    } else {
        error_set(err, ERR_MEMORY, "no memory to judge a network of width %d", shape.width);
    }
    pages_free(evaluator, sizeof *evaluator);
    return ok;
}

bool report_check(const Report *report, double model_loss, Error *err)
{
    if (report->losses.blend > model_loss * LOSS_RISE_MAX &&
        report->losses.blend > model_loss + LOSS_RISE_NEGLIGIBLE)
        error_set(err, ERR_INVALID, "the integers lose too much: loss %.6f, the model's %.6f",
                  report->losses.blend, model_loss);
    else if (report->never_active + report->always_full > DEAD_MAX)
        error_set(err, ERR_INVALID, "%.0f %% of the hidden units never change",
                  100 * (report->never_active + report->always_full));
    else if (report->simple_failed)
        error_set(err, ERR_INVALID, "%d of %d simple positions are judged wrong",
                  report->simple_failed, SIMPLE_COUNT);
    else
        return true;
    return false;
}

bool report_write(const Report *report, int buckets, FILE *out)
{
    bool ok = fprintf(out,
                      "integer loss: %.6f\n"
                      "integer loss against scores: %.6f\n"
                      "integer loss against results: %.6f\n"
                      "mean |logit| / mean |score|: %.3f\n"
                      "mean |evaluation - score|: %.1f centipawns\n"
                      "largest FT weight: %.3f\n"
                      "hidden units never active: %.1f %%, always full: %.1f %%\n"
                      "simple positions judged wrong: %d of %d\n"
                      "sums of L3 weights:",
                      report->losses.blend, report->losses.scores, report->losses.results,
                      report->size_ratio, report->mean_error_cp, report->ft_max,
                      100 * report->never_active, 100 * report->always_full, report->simple_failed,
                      SIMPLE_COUNT) > 0;
    for (int bucket = 0; bucket < buckets; bucket++)
        ok = fprintf(out, " %.1f", report->output_sums[bucket]) > 0 && ok;
    return fputc('\n', out) != EOF && ok;
}
