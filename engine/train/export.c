/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/train/export.h"

#include "engine/base/pages.h"
#include "engine/eval/accumulator.h"

#include <stdlib.h>
#include <string.h>

enum { REFERENCE_MIN = 50, REFERENCE_MAX = 400 };

static void quantise(const NetworkWeights *to, const float *parameters, ModelShape shape)
{
    int width = shape.width;
    for (int input = 0; input < NETWORK_INPUTS; input++)
        for (int unit = 0; unit < width; unit++)
            to->feature_weights[input * width + unit] = (int16_t)network_quantise(
                parameters[model_feature_at(shape, input, unit)], NETWORK_QA);
    for (int unit = 0; unit < width; unit++)
        to->feature_biases[unit] =
            (int16_t)network_quantise(parameters[model_bias_at(shape, unit)], NETWORK_QA);
    for (int bucket = 0; bucket < shape.buckets; bucket++) {
        for (int view = 0; view < 2; view++)
            for (int unit = 0; unit < width; unit++)
                to->output_weights[(bucket * 2 + view) * width + unit] = (int16_t)network_quantise(
                    parameters[model_output_at(shape, bucket, view, unit)], NETWORK_QB);
        to->output_biases[bucket] = network_quantise(
            parameters[model_output_bias_at(shape, bucket)], NETWORK_QA * NETWORK_QB);
    }
}

bool export_network(uint8_t **bytes, size_t *size, const float *parameters, const NetworkInfo *info,
                    const char *generation, Error *err)
{
    ModelShape shape = { info->width, info->buckets };
    size_t width = (size_t)info->width, buckets = (size_t)info->buckets;
    NetworkWeights weights = {
        .feature_weights = malloc(NETWORK_INPUTS * width * sizeof(int16_t)),
        .feature_biases = malloc(width * sizeof(int16_t)),
        .output_weights = malloc(buckets * 2 * width * sizeof(int16_t)),
        .output_biases = malloc(buckets * sizeof(int32_t)),
    };
    bool ok = weights.feature_weights && weights.feature_biases && weights.output_weights &&
              weights.output_biases;
    if (ok)
        quantise(&weights, parameters, shape);
    else
        error_set(err, ERR_MEMORY, "no memory for a network of width %zu", width);
    ok = ok && network_file_write(bytes, size, info, &weights, generation, err);
    free(weights.feature_weights);
    free(weights.feature_biases);
    free(weights.output_weights);
    free(weights.output_biases);
    return ok;
}

void export_undo(float *parameters, const Network *network)
{
    ModelShape shape = { network->info.width, network->info.buckets };
    const NetworkWeights *weights = &network->weights;
    int width = shape.width;
    memset(parameters, 0, model_size(shape) * sizeof *parameters);
    for (int input = 0; input < NETWORK_INPUTS; input++)
        for (int unit = 0; unit < width; unit++)
            parameters[model_feature_at(shape, input, unit)] =
                (float)weights->feature_weights[input * width + unit] / NETWORK_QA;
    for (int unit = 0; unit < width; unit++)
        parameters[model_bias_at(shape, unit)] = (float)weights->feature_biases[unit] / NETWORK_QA;
    for (int bucket = 0; bucket < shape.buckets; bucket++) {
        for (int view = 0; view < 2; view++)
            for (int unit = 0; unit < width; unit++)
                parameters[model_output_at(shape, bucket, view, unit)] =
                    (float)weights->output_weights[(bucket * 2 + view) * width + unit] / NETWORK_QB;
        parameters[model_output_bias_at(shape, bucket)] =
            (float)weights->output_biases[bucket] / (NETWORK_QA * NETWORK_QB);
    }
}

bool export_fit_scale(int *scale, const Network *network, ExportEvaluation *reference, void *user,
                      const PackedPosition *records, uint32_t count, Error *err)
{
    AccumulatorStack *stack = pages_new(sizeof *stack);
    double ours = 0, theirs = 0;
    Position pos;
    if (!stack) {
        error_set(err, ERR_MEMORY, "no memory to evaluate");
        return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        if (!packed_position_read(&pos, &records[i], NULL))
            continue;
        int value = abs(reference(user, &pos));
        if (value < REFERENCE_MIN || value > REFERENCE_MAX)
            continue;
        accumulator_reset(stack, network, &pos);
        ours += abs(accumulator_evaluate(stack, &pos));
        theirs += value;
    }
    pages_free(stack, sizeof *stack);
    double fitted = network->info.scale * theirs / (ours > 0 ? ours : 1);
    if (ours > 0 && fitted >= 1 && fitted <= NETWORK_SCALE_MAX) {
        *scale = (int)(fitted + 0.5);
        return true;
    }
    error_set(err, ERR_RANGE, "a scale of %.1f from %u positions: not within 1..%d", fitted, count,
              NETWORK_SCALE_MAX);
    return false;
}
