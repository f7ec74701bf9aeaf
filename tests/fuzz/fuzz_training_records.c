/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Records of positions: whatever their bytes, those that the trainer takes have inputs that the
 * network has, and a target within 0 and 1. */
#include "engine/train/dataset.h"
#include "engine/train/loss.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(const ModelSamples *samples, int sample)
{
    if (samples->bucket[sample] >= NETWORK_BUCKETS_MAX ||
        samples->active[sample] > NETWORK_ACTIVE_MAX)
        abort();
    for (int view = 0; view < 2; view++) {
        for (int i = 0; i < samples->active[sample]; i++) {
            if (samples->inputs[sample][view][i] >= FEATURES_KING_BUCKETS_MAX * FEATURES_OF_BUCKET)
                abort();
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static ModelSamples samples;
    const ModelShape shape = { 128, NETWORK_BUCKETS_MAX, RULES_STANDARD, FEATURES_KING_BUCKETS_MAX,
                               NETWORK_PRODUCTS };
    PackedPosition packed;
    samples.count = 0;
    for (; size >= sizeof packed && samples.count < MODEL_SAMPLES_MAX;
         data += sizeof packed, size -= sizeof packed) {
        Position pos;
        memcpy(&packed, data, sizeof packed);
        bool is_taken = dataset_takes(&packed);
        /* What is judged by legal positions reads them from the same bytes. */
        if (packed.occupied && packed_position_read(&pos, &packed, NULL) &&
            packed.result <= PACKED_WHITE_WON && !is_taken)
            abort();
        if (!is_taken)
            continue;
        dataset_add_sample(&samples, &packed, shape);
        check(&samples, samples.count - 1);
        float target = loss_target(&packed, 0.5F);
        if (!(target >= 0 && target <= 1))
            abort();
    }
    return 0;
}
