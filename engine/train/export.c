/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/train/export.h"

#include "engine/base/minmax.h"
#include "engine/base/pages.h"
#include "engine/eval/evaluation.h"

#include <stdlib.h>
#include <string.h>

enum { REFERENCE_MIN = 50, REFERENCE_MAX = 400, REFERENCE_VARIANT_MAX = 1600 };

/* Calls `move` for each weight: where it stands in the model, in the array of the network, and how
 * many integers are one. */
typedef void WeightMove(void *user, size_t at, int array, size_t index, int unit);

enum { FEATURES, FEATURE_BIASES, FIRST, FIRST_BIASES, SECOND, SECOND_BIASES, THIRD };

static void each_weight_of_bucket(ModelShape shape, int bucket, WeightMove *move, void *user)
{
    for (int k = 0; k < NETWORK_FIRST; k++) {
        for (int active = 0; active < 2 * network_activations(shape); active++)
            move(user, model_first_at(shape, bucket, k, 0, active), FIRST,
                 network_first_at(shape, bucket, k, active), NETWORK_QB);
        move(user, model_first_bias_at(shape, bucket, k), FIRST_BIASES,
             (size_t)(bucket * NETWORK_FIRST + k), NETWORK_QC);
    }
    for (int k = 0; k < NETWORK_SECOND; k++) {
        for (int input = 0; input < NETWORK_SECOND_INPUTS; input++)
            move(user, model_second_at(shape, bucket, input, k), SECOND,
                 network_second_at(bucket, k, input), NETWORK_QD);
        move(user, model_second_bias_at(shape, bucket, k), SECOND_BIASES,
             (size_t)(bucket * NETWORK_SECOND + k), NETWORK_QC * NETWORK_QD);
        move(user, model_third_at(shape, bucket, k), THIRD, (size_t)(bucket * NETWORK_SECOND + k),
             NETWORK_QD);
    }
}

static void each_weight(ModelShape shape, WeightMove *move, void *user)
{
    for (int input = 0; input < network_inputs(shape); input++)
        for (int unit = 0; unit < shape.width; unit++) {
            size_t at = model_feature_at(shape, input, unit);
            move(user, at, FEATURES, at, NETWORK_QA);
        }
    for (int unit = 0; unit < shape.width; unit++)
        move(user, model_bias_at(shape, unit), FEATURE_BIASES, (size_t)unit, NETWORK_QA);
    for (int bucket = 0; bucket < shape.buckets; bucket++)
        each_weight_of_bucket(shape, bucket, move, user);
}

typedef struct {
    float *parameters;
    const NetworkWeights *weights;
} Conversion;

static void to_integer(void *user, size_t at, int array, size_t index, int unit)
{
    const Conversion *c = user;
    int32_t value = network_quantise(c->parameters[at], unit);
    switch (array) {
    case FEATURES:
        c->weights->feature_weights[index] = (int16_t)value;
        break;
    case FEATURE_BIASES:
        c->weights->feature_biases[index] = (int16_t)value;
        break;
    case FIRST:
        c->weights->first_weights[index] = (int8_t)int_clamp(value, -INT8_MAX, INT8_MAX);
        break;
    case FIRST_BIASES:
        c->weights->first_biases[index] = value;
        break;
    case SECOND:
        c->weights->second_weights[index] = (int16_t)value;
        break;
    case SECOND_BIASES:
        c->weights->second_biases[index] = value;
        break;
    default:
        c->weights->third_weights[index] = (int16_t)value;
    }
}

static void to_parameter(void *user, size_t at, int array, size_t index, int unit)
{
    const Conversion *c = user;
    const NetworkWeights *w = c->weights;
    int32_t value = array == FEATURES         ? w->feature_weights[index]
                    : array == FEATURE_BIASES ? w->feature_biases[index]
                    : array == FIRST          ? w->first_weights[index]
                    : array == FIRST_BIASES   ? w->first_biases[index]
                    : array == SECOND         ? w->second_weights[index]
                    : array == SECOND_BIASES  ? w->second_biases[index]
                                              : w->third_weights[index];
    c->parameters[at] = (float)value / (float)unit;
}

bool export_network(uint8_t **bytes, size_t *size, const float *parameters, const NetworkInfo *info,
                    const char *generation, Error *err)
{
    ModelShape shape = network_shape_of(info);
    void *payload = calloc(1, network_payload_size(shape));
    if (!payload) {
        error_set(err, ERR_MEMORY, "no memory for a network of width %d", info->width);
        return false;
    }
    const NetworkWeights weights = network_weights_at(payload, shape);
    Conversion conversion = { (float *)(uintptr_t)parameters, &weights }; /* not written to */
    each_weight(shape, to_integer, &conversion);
    bool ok = network_file_write(bytes, size, info, &weights, generation, err);
    free(payload);
    return ok;
}

void export_undo(float *parameters, const Network *network)
{
    ModelShape shape = network_shape_of(&network->info);
    memset(parameters, 0, model_size(shape) * sizeof *parameters);
    each_weight(shape, to_parameter, &(Conversion){ parameters, &network->weights });
}

bool export_fit_scale(int *scale, const Network *network, ExportEvaluation *reference, void *user,
                      const Dataset *data, uint32_t count, Error *err)
{
    Evaluator *evaluator = pages_new(sizeof *evaluator);
    int highest = data->ruleset == RULES_STANDARD ? REFERENCE_MAX : REFERENCE_VARIANT_MAX;
    double ours = 0, theirs = 0;
    Position pos;
    if (!evaluator) {
        error_set(err, ERR_MEMORY, "no memory to evaluate");
        return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        if (!dataset_validation_read(&pos, data, i))
            continue;
        int value = abs(reference(user, &pos));
        if (value < REFERENCE_MIN || value > highest)
            continue;
        ours += abs(evaluate_by(evaluator, network, &pos));
        theirs += value;
    }
    pages_free(evaluator, sizeof *evaluator);
    double fitted = network->info.scale * theirs / (ours > 0 ? ours : 1);
    if (ours > 0 && fitted >= 1 && fitted <= NETWORK_SCALE_MAX) {
        *scale = (int)(fitted + 0.5);
        return true;
    }
    error_set(err, ERR_RANGE, "a scale of %.1f from %u positions: not within 1..%d", fitted, count,
              NETWORK_SCALE_MAX);
    return false;
}
