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

enum { FT, FT_BIASES, L1, L1_BIASES, L2, L2_BIASES, L3 };

static void each_weight_of_bucket(ModelShape shape, int bucket, WeightMove *move, void *user)
{
    for (int k = 0; k < NETWORK_L1; k++) {
        for (int active = 0; active < 2 * network_activations(shape); active++)
            move(user, model_l1_at(shape, bucket, k, 0, active), L1,
                 network_l1_at(shape, bucket, k, active), NETWORK_QB);
        move(user, model_l1_bias_at(shape, bucket, k), L1_BIASES, (size_t)(bucket * NETWORK_L1 + k),
             NETWORK_QC);
    }
    for (int k = 0; k < NETWORK_L2; k++) {
        for (int input = 0; input < NETWORK_L2_INPUTS; input++)
            move(user, model_l2_at(shape, bucket, input, k), L2, network_l2_at(bucket, k, input),
                 NETWORK_QD);
        move(user, model_l2_bias_at(shape, bucket, k), L2_BIASES, (size_t)(bucket * NETWORK_L2 + k),
             NETWORK_QC * NETWORK_QD);
        move(user, model_l3_at(shape, bucket, k), L3, (size_t)(bucket * NETWORK_L2 + k),
             NETWORK_QD);
    }
}

static void each_weight(ModelShape shape, WeightMove *move, void *user)
{
    for (int input = 0; input < network_inputs(shape); input++)
        for (int unit = 0; unit < shape.width; unit++) {
            size_t at = model_ft_at(shape, input, unit);
            move(user, at, FT, at, NETWORK_QA);
        }
    for (int unit = 0; unit < shape.width; unit++)
        move(user, model_ft_bias_at(shape, unit), FT_BIASES, (size_t)unit, NETWORK_QA);
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
    case FT:
        c->weights->ft_weights[index] = (int16_t)value;
        break;
    case FT_BIASES:
        c->weights->ft_biases[index] = (int16_t)value;
        break;
    case L1:
        c->weights->l1_weights[index] = (int8_t)int_clamp(value, -INT8_MAX, INT8_MAX);
        break;
    case L1_BIASES:
        c->weights->l1_biases[index] = value;
        break;
    case L2:
        c->weights->l2_weights[index] = (int16_t)value;
        break;
    case L2_BIASES:
        c->weights->l2_biases[index] = value;
        break;
    default:
        c->weights->l3_weights[index] = (int16_t)value;
    }
}

static void to_parameter(void *user, size_t at, int array, size_t index, int unit)
{
    const Conversion *c = user;
    const NetworkWeights *w = c->weights;
    int32_t value = array == FT          ? w->ft_weights[index]
                    : array == FT_BIASES ? w->ft_biases[index]
                    : array == L1        ? w->l1_weights[index]
                    : array == L1_BIASES ? w->l1_biases[index]
                    : array == L2        ? w->l2_weights[index]
                    : array == L2_BIASES ? w->l2_biases[index]
                                         : w->l3_weights[index];
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
