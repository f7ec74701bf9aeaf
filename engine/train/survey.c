/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/train/survey.h"

#include <stdlib.h>

bool survey(const float *parameters, ModelShape shape, const Dataset *data, uint32_t count,
            SurveyVisit *visit, void *user, Error *err)
{
    float logits[MODEL_SAMPLES_MAX];
    float *activations =
        aligned_alloc(MODEL_ALIGNMENT, model_activations_size(shape) * sizeof *activations);
    ModelRounded rounded;
    bool has_rounded = model_rounded_init(&rounded, shape);
    ModelSamples *samples = calloc(1, sizeof *samples);
    bool ok = activations && has_rounded && samples;
    if (ok)
        model_round(&rounded, parameters, shape, 0, model_size(shape));
    else
        error_set(err, ERR_MEMORY, "no memory to survey a network of width %d", shape.width);
    count = count < data->training_count ? count : data->training_count;
    for (uint32_t at = 0; ok && at < count;) {
        samples->count = 0;
        for (; samples->count < MODEL_SAMPLES_MAX && at < count; at++) {
            uint64_t index = (uint64_t)at * data->training_count / count;
            dataset_add_training(samples, data, (uint32_t)index, shape);
        }
        model_forward(&rounded, shape, samples, activations, logits);
        visit(user, samples, activations);
    }
    free(samples);
    model_rounded_release(&rounded);
    free(activations);
    return ok;
}
