/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/train/warm_start.h"

#include "engine/train/export.h"
#include "engine/train/survey.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { POSITIONS = 20000 };

/* What the network does with its activations. */
typedef struct {
    ModelShape shape;
    double views[NETWORK_BUCKETS_MAX];
    double means[NETWORK_BUCKETS_MAX][NETWORK_WIDTH_MAX]; /* over both views */
    double deviations[NETWORK_BUCKETS_MAX][NETWORK_WIDTH_MAX];
    double matters[NETWORK_WIDTH_MAX];
    int kept[NETWORK_WIDTH_MAX]; /* those that the model takes over, in their order */
} Activity;

typedef struct {
    ModelShape shape;
    float *parameters;
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
static void add_activations(void *user, const ModelSamples *samples, const float *activations)
{
    Activity *activity = user;
    const ModelShape shape = activity->shape;
    const int count = network_activations(shape), partner = shape.width - count;
    for (int s = 0; s < samples->count; s++) {
        double *sums = activity->means[samples->bucket[s]];
        double *squares = activity->deviations[samples->bucket[s]];
        activity->views[samples->bucket[s]] += 2;
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

static bool measure(Activity *activity, const Model *from, const Dataset *data, Error *err)
{
    activity->shape = from->shape;
    if (!survey(from->parameters, from->shape, data, POSITIONS, add_activations, activity, err))
        return false;
    for (int bucket = 0; bucket < from->shape.buckets; bucket++)
        for (int i = 0; i < from->shape.width && activity->views[bucket] > 0; i++) {
            double *mean = &activity->means[bucket][i];
            double *deviation = &activity->deviations[bucket][i];
            *mean /= activity->views[bucket];
            *deviation = sqrt(fabs(*deviation / activity->views[bucket] - *mean * *mean));
        }
    return true;
}

/* Marks the `count` activations that matter most. */
static void choose(Activity *activity, const Model *from, int count)
{
    const int all = network_activations(from->shape);
    bool is_kept[NETWORK_WIDTH_MAX] = { false };
    for (int i = 0; i < all; i++) {
        activity->matters[i] = 0;
        for (int bucket = 0; bucket < from->shape.buckets; bucket++)
            for (int k = 0; k < 2 * NETWORK_L1; k++) {
                size_t at = model_l1_at(from->shape, bucket, k / 2, k % 2, i);
                double share = activity->deviations[bucket][i] * (double)from->parameters[at];
                activity->matters[i] += share * share;
            }
    }
    for (int taken = 0; taken < count; taken++) {
        int best = -1;
        for (int i = 0; i < all; i++)
            if (!is_kept[i] && (best < 0 || activity->matters[i] > activity->matters[best]))
                best = i;
        is_kept[best] = true;
    }
    for (int i = 0, at = 0; i < all; i++)
        if (is_kept[i])
            activity->kept[at++] = i;
}

/* The hidden unit that begins as this one. */
static int unit_of(const Activity *activity, ModelShape shape, ModelShape from, int unit)
{
    const int count = network_activations(shape), of_pair = unit / count;
    return activity->kept[unit % count] +
           (has_products(from) ? of_pair * network_activations(from) : 0);
}

/* A hidden unit's weight and the one of its partner move apart, so that their mean stays. */
static void copy_ft(const Model *to, const Model *from, const Activity *activity, double noise,
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
            row[unit] = known[unit_of(activity, to->shape, from->shape, unit)];
        for (int unit = 0; parts && unit < first; unit++) {
            float apart = model_random_normal(&seed, noise);
            row[unit] += apart;
            row[unit + first] -= apart;
        }
    }
}

static void copy_l1(const Model *to, const Model *from, const Activity *activity, int bucket,
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
            if (taken < count && activity->kept[taken] == i)
                row[taken++] = known[i];
            else
                *bias += (float)(activity->means[bucket][i] * (double)known[i]);
        }
    }
}

static void copy_all(const Model *to, const Model *from, const Activity *activity, double noise,
                     uint64_t seed)
{
    memset(to->parameters, 0, model_size(to->shape) * sizeof *to->parameters);
    copy_ft(to, from, activity, noise, seed);
    for (int bucket = 0; bucket < to->shape.buckets; bucket++)
        for (int k = 0; k < NETWORK_L1; k++)
            copy_l1(to, from, activity, bucket, k);
    size_t ours = model_l2_at(to->shape, 0, 0, 0);
    size_t theirs = model_l2_at(from->shape, 0, 0, 0);
    memcpy(to->parameters + ours, from->parameters + theirs,
           (model_l3_at(to->shape, to->shape.buckets, 0) - ours) * sizeof *to->parameters);
}

bool warm_start(float *parameters, ModelShape shape, const Network *from, const Dataset *data,
                double noise, uint64_t seed, Error *err)
{
    const ModelShape theirs = network_shape_of(&from->info);
    Model known = { theirs, aligned_alloc(MODEL_ALIGNMENT, model_size(theirs) * sizeof(float)) };
    Activity *activity = calloc(1, sizeof *activity);
    bool ok = known.parameters && activity;
    if (ok)
        export_undo(known.parameters, from);
    else
        error_set(err, ERR_MEMORY, "no memory to begin with %s", from->info.name);
    ok = ok && measure(activity, &known, data, err);
    if (ok) {
        choose(activity, &known, network_activations(shape));
        copy_all(&(Model){ shape, parameters }, &known, activity, noise, seed);
    }
    free(activity);
    free(known.parameters);
    return ok;
}
