/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/train/warm_start.h"

#include "engine/train/export.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { POSITIONS = 20000 };

/* What the network does with its activations. */
typedef struct {
    double means[NETWORK_BUCKETS_MAX][NETWORK_WIDTH_MAX]; /* over both views */
    double deviations[NETWORK_BUCKETS_MAX][NETWORK_WIDTH_MAX];
    double matters[NETWORK_WIDTH_MAX];
    int kept[NETWORK_WIDTH_MAX]; /* those that the model takes over, in their order */
} Survey;

typedef struct {
    ModelShape shape;
    float *parameters;
    int16_t *rounded; /* of the network alone */
} Model;

static bool has_products(ModelShape shape)
{
    return shape.activation == NETWORK_PRODUCTS;
}

bool warm_start_check(ModelShape shape, const Network *from, Error *err)
{
    const ModelShape theirs = network_shape_of(&from->info);
    if (!model_shape_check(theirs, err))
        return false;
    bool fits = theirs.activation == shape.activation
                    ? theirs.width == shape.width
                    : has_products(shape) && network_activations(shape) <= theirs.width;
    if (fits && theirs.buckets == shape.buckets && theirs.ruleset == shape.ruleset &&
        theirs.king_buckets <= shape.king_buckets)
        return true;
    error_set(err, ERR_INVALID,
              "%s has width %d of %s, %d king and %d output buckets: nothing to begin %d of %s, %d "
              "and %d with, or is of other rules",
              from->info.name, theirs.width, has_products(theirs) ? "products" : "squares",
              theirs.king_buckets, theirs.buckets, shape.width,
              has_products(shape) ? "products" : "squares", shape.king_buckets, shape.buckets);
    return false;
}

/* Adds up the activations of the samples and their squares, and counts views by bucket. */
static void add_activations(Survey *survey, ModelShape shape, const ModelSamples *samples,
                            const float *activations, double views[NETWORK_BUCKETS_MAX])
{
    const int count = network_activations(shape), partner = shape.width - count;
    for (int s = 0; s < samples->count; s++) {
        double *sums = survey->means[samples->bucket[s]];
        double *squares = survey->deviations[samples->bucket[s]];
        views[samples->bucket[s]] += 2;
        for (int view = 0; view < 2; view++) {
            const float *hidden = activations + model_activation_at(shape, s, view);
            for (int i = 0; i < count; i++) {
                double active = (double)(hidden[i] * hidden[i + partner]);
                sums[i] += active;
                squares[i] += active * active;
            }
        }
    }
}

static void measure(Survey *survey, const Model *from, const Dataset *data, ModelSamples *samples,
                    float *activations)
{
    double views[NETWORK_BUCKETS_MAX] = { 0 };
    float logits[MODEL_SAMPLES_MAX];
    uint32_t count = data->training_count < POSITIONS ? data->training_count : POSITIONS;
    for (uint32_t at = 0; at < count;) {
        samples->count = 0;
        while (samples->count < MODEL_SAMPLES_MAX && at < count)
            dataset_add_training(samples, data, at++, from->shape);
        model_forward(from->parameters, from->rounded, from->shape, samples, activations, logits);
        add_activations(survey, from->shape, samples, activations, views);
    }
    for (int bucket = 0; bucket < from->shape.buckets; bucket++)
        for (int i = 0; i < from->shape.width && views[bucket] > 0; i++) {
            double *mean = &survey->means[bucket][i], *deviation = &survey->deviations[bucket][i];
            *mean /= views[bucket];
            *deviation = sqrt(fabs(*deviation / views[bucket] - *mean * *mean));
        }
}

/* Marks the `count` activations that matter most. */
static void choose(Survey *survey, const Model *from, int count)
{
    const int all = network_activations(from->shape);
    bool is_kept[NETWORK_WIDTH_MAX] = { false };
    for (int i = 0; i < all; i++) {
        survey->matters[i] = 0;
        for (int bucket = 0; bucket < from->shape.buckets; bucket++)
            for (int k = 0; k < 2 * NETWORK_L1; k++) {
                size_t at = model_l1_at(from->shape, bucket, k / 2, k % 2, i);
                double share = survey->deviations[bucket][i] * (double)from->parameters[at];
                survey->matters[i] += share * share;
            }
    }
    for (int taken = 0; taken < count; taken++) {
        int best = -1;
        for (int i = 0; i < all; i++)
            if (!is_kept[i] && (best < 0 || survey->matters[i] > survey->matters[best]))
                best = i;
        is_kept[best] = true;
    }
    for (int i = 0, at = 0; i < all; i++)
        if (is_kept[i])
            survey->kept[at++] = i;
}

/* The hidden unit that begins as this one. */
static int unit_of(const Survey *survey, ModelShape shape, ModelShape from, int unit)
{
    const int count = network_activations(shape), of_pair = unit / count;
    return survey->kept[unit % count] +
           (has_products(from) ? of_pair * network_activations(from) : 0);
}

/* A hidden unit's weight and the one of its partner move apart, so that their mean stays. */
static void copy_ft(const Model *to, const Model *from, const Survey *survey, double noise,
                    uint64_t seed)
{
    const int units = to->shape.width, first = network_activations(to->shape);
    const int of_bucket = network_inputs(to->shape) / to->shape.king_buckets;
    bool parts = has_products(to->shape) && !has_products(from->shape);
    for (int input = 0; input <= network_inputs(to->shape); input++) { /* and the biases */
        int bucket = input / of_bucket * from->shape.king_buckets / to->shape.king_buckets;
        int theirs = bucket * of_bucket + input % of_bucket;
        if (input == network_inputs(to->shape))
            theirs = network_inputs(from->shape);
        float *row = to->parameters + model_ft_at(to->shape, input, 0);
        const float *known = from->parameters + model_ft_at(from->shape, theirs, 0);
        for (int unit = 0; unit < units; unit++)
            row[unit] = known[unit_of(survey, to->shape, from->shape, unit)];
        for (int unit = 0; parts && unit < first; unit++) {
            float apart = model_random_normal(&seed, noise);
            row[unit] += apart;
            row[unit + first] -= apart;
        }
    }
}

static void copy_l1(const Model *to, const Model *from, const Survey *survey, int bucket,
                    int neuron)
{
    const int count = network_activations(to->shape);
    float *bias = &to->parameters[model_l1_bias_at(to->shape, bucket, neuron)];
    *bias = from->parameters[model_l1_bias_at(from->shape, bucket, neuron)];
    for (int view = 0; view < 2; view++) {
        float *row = to->parameters + model_l1_at(to->shape, bucket, neuron, view, 0);
        const float *known = from->parameters + model_l1_at(from->shape, bucket, neuron, view, 0);
        int taken = 0;
        for (int i = 0; i < network_activations(from->shape); i++) {
            if (taken < count && survey->kept[taken] == i)
                row[taken++] = known[i];
            else
                *bias += (float)(survey->means[bucket][i] * (double)known[i]);
        }
    }
}

static void copy_all(const Model *to, const Model *from, const Survey *survey, double noise,
                     uint64_t seed)
{
    memset(to->parameters, 0, model_size(to->shape) * sizeof *to->parameters);
    copy_ft(to, from, survey, noise, seed);
    for (int bucket = 0; bucket < to->shape.buckets; bucket++)
        for (int k = 0; k < NETWORK_L1; k++)
            copy_l1(to, from, survey, bucket, k);
    size_t ours = model_l2_at(to->shape, 0, 0, 0);
    size_t theirs = model_l2_at(from->shape, 0, 0, 0);
    memcpy(to->parameters + ours, from->parameters + theirs,
           (model_l3_at(to->shape, to->shape.buckets, 0) - ours) * sizeof *to->parameters);
}

bool warm_start(float *parameters, ModelShape shape, const Network *from, const Dataset *data,
                double noise, uint64_t seed, Error *err)
{
    const ModelShape theirs = network_shape_of(&from->info);
    Model known = { theirs, aligned_alloc(MODEL_ALIGNMENT, model_size(theirs) * sizeof(float)),
                    aligned_alloc(MODEL_ALIGNMENT, model_rounded_size(theirs) * sizeof(int16_t)) };
    float *activations =
        aligned_alloc(MODEL_ALIGNMENT, model_activations_size(theirs) * sizeof *activations);
    ModelSamples *samples = calloc(1, sizeof *samples);
    Survey *survey = calloc(1, sizeof *survey);
    bool ok = known.parameters && known.rounded && activations && samples && survey;
    if (ok) {
        export_undo(known.parameters, from);
        model_round(known.rounded, known.parameters, theirs, 0, model_size(theirs));
        measure(survey, &known, data, samples, activations);
        choose(survey, &known, network_activations(shape));
        copy_all(&(Model){ .shape = shape, .parameters = parameters }, &known, survey, noise, seed);
    } else {
        error_set(err, ERR_MEMORY, "no memory to begin with %s", from->info.name);
    }
    free(survey);
    free(samples);
    free(activations);
    free(known.rounded);
    free(known.parameters);
    return ok;
}
