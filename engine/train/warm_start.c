/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/train/warm_start.h"

#include "engine/train/export.h"

#include <stdlib.h>
#include <string.h>

static const char *activation_text(ModelShape shape)
{
    return shape.activation == NETWORK_PRODUCTS ? "products" : "squares";
}

bool warm_start_check(ModelShape shape, const Network *from, Error *err)
{
    const ModelShape theirs = network_shape_of(&from->info);
    if (theirs.activation == shape.activation && theirs.width == shape.width &&
        theirs.buckets == shape.buckets && theirs.ruleset == shape.ruleset &&
        theirs.king_buckets <= shape.king_buckets)
        return model_shape_check(theirs, err);
    error_set(err, ERR_INVALID,
              "%s has width %d of %s, %d king and %d output buckets: nothing to begin %d of %s, %d "
              "and %d with, or is of other rules",
              from->info.name, theirs.width, activation_text(theirs), theirs.king_buckets,
              theirs.buckets, shape.width, activation_text(shape), shape.king_buckets,
              shape.buckets);
    return false;
}

bool warm_start(float *parameters, ModelShape shape, const Network *from, Error *err)
{
    const ModelShape theirs = network_shape_of(&from->info);
    const int of_bucket = network_inputs(shape) / shape.king_buckets;
    float *known = aligned_alloc(MODEL_ALIGNMENT, model_size(theirs) * sizeof *known);
    if (!known) {
        error_set(err, ERR_MEMORY, "no memory to begin with %s", from->info.name);
        return false;
    }
    export_undo(known, from);
    memset(parameters, 0, model_size(shape) * sizeof *parameters);
    for (int input = 0; input < network_inputs(shape); input++) {
        int bucket = input / of_bucket * theirs.king_buckets / shape.king_buckets;
        memcpy(parameters + model_ft_at(shape, input, 0),
               known + model_ft_at(theirs, bucket * of_bucket + input % of_bucket, 0),
               (size_t)shape.width * sizeof *parameters);
    }
    /* Nothing from the biases on depends on king buckets. */
    size_t rest = model_ft_bias_at(shape, 0), end = model_l3_at(shape, shape.buckets, 0);
    memcpy(parameters + rest, known + model_ft_bias_at(theirs, 0),
           (end - rest) * sizeof *parameters);
    free(known);
    return true;
}
