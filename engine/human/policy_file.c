/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/human/policy_file.h"

#include "engine/human/human_view.h"
#include "engine/human/wire.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum {
    MAGIC = 0x1c0,
    LINEAR16 = 1,
    UNPACKED_MAX = 64 << 20,
    UNPACKED_FIRST = 2 << 20,
    VALUE_PLANES_MAX = 128,
    VALUE_HIDDEN_MAX = 1024,
};

/* Of Net, Format, NetworkFormat, Weights, ConvBlock, the excitation and Layer. */
enum { NET_MAGIC = 1, NET_FORMAT = 4, NET_TRAINING = 5, NET_WEIGHTS = 10 };
enum { FORMAT_ENCODING = 1, FORMAT_NETWORK = 2 };
enum { TRAINING_STEPS = 1, TRAINING_ACCURACY = 5 };
enum {
    WEIGHTS_INPUT = 1,
    WEIGHTS_BLOCK,
    WEIGHTS_POLICY,
    WEIGHTS_VALUE = 6,
    WEIGHTS_VALUE_HIDDEN,
    WEIGHTS_VALUE_HIDDEN_BIAS,
    WEIGHTS_WDL,
    WEIGHTS_WDL_BIAS,
    WEIGHTS_POLICY_HIDDEN,
    WEIGHTS_FIELDS
};
enum { BLOCK_FIRST = 1, BLOCK_SECOND, BLOCK_EXCITATION };
enum {
    CONV_WEIGHTS = 1,
    CONV_BIASES,
    CONV_MEANS,
    CONV_VARIANCES,
    CONV_GAMMAS,
    CONV_BETAS,
    CONV_FIELDS
};
enum { EXCITATION_W1 = 1, EXCITATION_B1, EXCITATION_W2, EXCITATION_B2 };
enum { LAYER_MIN = 1, LAYER_MAX, LAYER_NUMBERS, LAYER_ENCODING };

/* The numbers of a Layer, as they lie in the file. */
typedef struct {
    const uint8_t *words; /* NULL: the layer is not there */
    size_t count;
    float low, high;
} Numbers;

static float number(const Numbers *numbers, size_t i)
{
    unsigned word = numbers->words[2 * i] | (unsigned)numbers->words[2 * i + 1] << 8;
    return numbers->low + (numbers->high - numbers->low) * ((float)word / 65535.0F);
}

static float float_of(uint64_t bits)
{
    uint32_t low = (uint32_t)bits;
    float value;
    memcpy(&value, &low, sizeof value);
    return value;
}

static bool numbers_read(Numbers *out, Wire wire, Error *err)
{
    WireField field;
    Error wrong = { 0 };
    *out = (Numbers){ 0 };
    while (wire_next(&wire, &field, &wrong)) {
        if (field.number == LAYER_MIN && field.kind == WIRE_FOUR)
            out->low = float_of(field.value);
        else if (field.number == LAYER_MAX && field.kind == WIRE_FOUR)
            out->high = float_of(field.value);
        else if (field.number == LAYER_NUMBERS && field.kind == WIRE_BYTES)
            *out = (Numbers){ field.bytes.at, field.bytes.left / 2, out->low, out->high };
        else if (field.number == LAYER_ENCODING)
            error_set(&wrong, ERR_INVALID, "weights in another encoding than 16 bits");
    }
    if (!error_is_set(&wrong) &&
        !(isfinite(out->low) && isfinite(out->high) && out->low <= out->high))
        error_set(&wrong, ERR_INVALID, "weights without a range");
    if (!error_is_set(&wrong) && out->count == 0)
        error_set(&wrong, ERR_INVALID, "a layer without weights");
    if (error_is_set(&wrong))
        error_set(err, wrong.code, "%s", wrong.text);
    return !error_is_set(&wrong);
}

static bool layer_new(PolicyLayer *out, int inputs, int outputs, int size, Error *err)
{
    int stride = (outputs + POLICY_STEP - 1) / POLICY_STEP * POLICY_STEP;
    size_t count = (size_t)size * (size_t)size * (size_t)inputs * (size_t)stride;
    *out = (PolicyLayer){ .inputs = inputs, .outputs = outputs, .size = size, .stride = stride };
    out->weights = aligned_alloc(POLICY_ALIGNMENT, (count + (size_t)stride) * sizeof(float));
    if (!out->weights) {
        error_set(err, ERR_MEMORY, "no memory for the network");
        return false;
    }
    memset(out->weights, 0, (count + (size_t)stride) * sizeof(float));
    out->biases = out->weights + count;
    return true;
}

/* Where the weight [output][input][row][column] of the file goes. */
static float *weight_at(const PolicyLayer *layer, size_t index)
{
    size_t taps = (size_t)layer->size * (size_t)layer->size, inputs = (size_t)layer->inputs;
    size_t tap = index % taps, input = index / taps % inputs, output = index / taps / inputs;
    return &layer->weights[(tap * inputs + input) * (size_t)layer->stride + output];
}

static bool has_count(const Numbers *numbers, size_t count, Error *err)
{
    if (numbers->words && numbers->count == count)
        return true;
    error_set(err, ERR_INVALID, "a layer has %zu numbers instead of %zu", numbers->count, count);
    return false;
}

/* What batch normalisation multiplies an output with. */
static bool scales_read(float *scales, const Numbers parts[CONV_FIELDS], size_t outputs, Error *err)
{
    for (int part = CONV_MEANS; part <= CONV_BETAS; part++)
        if (!has_count(&parts[part], outputs, err))
            return false;
    for (size_t o = 0; o < outputs; o++) {
        float variance = number(&parts[CONV_VARIANCES], o) + 1e-5F;
        scales[o] = number(&parts[CONV_GAMMAS], o) / sqrtf(variance);
        if (variance <= 0 || !isfinite(scales[o])) {
            error_set(err, ERR_INVALID, "a variance below zero");
            return false;
        }
    }
    return true;
}

static bool convolution_read(PolicyLayer *out, Wire wire, int inputs, int size, Error *err)
{
    Numbers parts[CONV_FIELDS] = { 0 };
    float scales[POLICY_FILTERS_MAX];
    Error wrong = { 0 };
    for (WireField field; wire_next(&wire, &field, &wrong);)
        if (field.kind == WIRE_BYTES && field.number < CONV_FIELDS &&
            !numbers_read(&parts[field.number], field.bytes, &wrong))
            break;
    if (error_is_set(&wrong)) {
        error_set(err, wrong.code, "%s", wrong.text);
        return false;
    }
    bool is_normalised = parts[CONV_VARIANCES].words != NULL;
    size_t outputs = parts[is_normalised ? CONV_VARIANCES : CONV_BIASES].count;
    if (outputs == 0 || outputs > POLICY_FILTERS_MAX) {
        error_set(err, ERR_RANGE, "a layer of %zu outputs: not within 1..%d", outputs,
                  POLICY_FILTERS_MAX);
        return false;
    }
    if (!has_count(&parts[CONV_WEIGHTS], outputs * (size_t)inputs * (size_t)size * (size_t)size,
                   err) ||
        (parts[CONV_BIASES].words && !has_count(&parts[CONV_BIASES], outputs, err)) ||
        (is_normalised && !scales_read(scales, parts, outputs, err)) ||
        !layer_new(out, inputs, (int)outputs, size, err))
        return false;
    for (size_t o = 0; o < outputs; o++) {
        out->biases[o] = parts[CONV_BIASES].words ? number(&parts[CONV_BIASES], o) : 0;
        if (is_normalised)
            out->biases[o] = number(&parts[CONV_BETAS], o) +
                             scales[o] * (out->biases[o] - number(&parts[CONV_MEANS], o));
    }
    size_t each = parts[CONV_WEIGHTS].count / outputs;
    for (size_t i = 0; i < parts[CONV_WEIGHTS].count; i++)
        *weight_at(out, i) =
            number(&parts[CONV_WEIGHTS], i) * (is_normalised ? scales[i / each] : 1);
    return true;
}

/* A fully connected layer; `inputs` 0: as many as there are weights for. */
static bool connected_read(PolicyLayer *out, Wire weights, Wire biases, int inputs, int outputs_max,
                           Error *err)
{
    Numbers w, b;
    if (!numbers_read(&w, weights, err) || !numbers_read(&b, biases, err))
        return false;
    if (b.count > (size_t)outputs_max) {
        error_set(err, ERR_RANGE, "a layer of %zu outputs: not within 1..%d", b.count, outputs_max);
        return false;
    }
    if (!has_count(&w, b.count * (size_t)inputs, err) ||
        !layer_new(out, inputs, (int)b.count, 1, err))
        return false;
    for (size_t i = 0; i < w.count; i++)
        *weight_at(out, i) = number(&w, i);
    for (size_t i = 0; i < b.count; i++)
        out->biases[i] = number(&b, i);
    return true;
}

/* Takes the message's parts with the numbers 1..count-1; the last of each. */
static bool parts_read(Wire *parts, uint32_t count, Wire wire, Error *err)
{
    Error wrong = { 0 };
    for (WireField field; wire_next(&wire, &field, &wrong);)
        if (field.kind == WIRE_BYTES && field.number < count)
            parts[field.number] = field.bytes;
    if (error_is_set(&wrong))
        error_set(err, wrong.code, "%s", wrong.text);
    return !error_is_set(&wrong);
}

static bool block_read(PolicyBlock *block, Wire wire, int filters, Error *err)
{
    Wire parts[BLOCK_EXCITATION + 1] = { 0 }, excitation[EXCITATION_B2 + 1] = { 0 };
    if (!parts_read(parts, BLOCK_EXCITATION + 1, wire, err) ||
        !parts_read(excitation, EXCITATION_B2 + 1, parts[BLOCK_EXCITATION], err) ||
        !convolution_read(&block->first, parts[BLOCK_FIRST], filters, 3, err) ||
        !convolution_read(&block->second, parts[BLOCK_SECOND], filters, 3, err) ||
        !connected_read(&block->squeeze, excitation[EXCITATION_W1], excitation[EXCITATION_B1],
                        filters, POLICY_FILTERS_MAX, err) ||
        !connected_read(&block->excite, excitation[EXCITATION_W2], excitation[EXCITATION_B2],
                        block->squeeze.outputs, 2 * POLICY_FILTERS_MAX, err))
        return false;
    if (block->first.outputs == filters && block->second.outputs == filters &&
        block->excite.outputs == 2 * filters)
        return true;
    error_set(err, ERR_INVALID, "its layers have other sizes");
    return false;
}

static bool tower_read(PolicyWeights *out, Wire wire, Error *err)
{
    Error wrong = { 0 };
    for (WireField field; wire_next(&wire, &field, &wrong);) {
        if (field.number != WEIGHTS_BLOCK || field.kind != WIRE_BYTES)
            continue;
        if (out->block_count == POLICY_BLOCKS_MAX) {
            error_set(&wrong, ERR_RANGE, "more than %d blocks", POLICY_BLOCKS_MAX);
            break;
        }
        if (!block_read(&out->blocks[out->block_count++], field.bytes, out->filters, &wrong)) {
            error_prefix(&wrong, "block %d", out->block_count);
            break;
        }
    }
    if (error_is_set(&wrong))
        error_set(err, wrong.code, "%s", wrong.text);
    return !error_is_set(&wrong);
}

static bool named(bool ok, const char *name, Error *err)
{
    if (!ok)
        error_prefix(err, "%s", name);
    return ok;
}

static bool weights_read(PolicyWeights *out, Wire wire, Error *err)
{
    Wire parts[WEIGHTS_FIELDS] = { 0 };
    if (!parts_read(parts, WEIGHTS_FIELDS, wire, err) ||
        !named(convolution_read(&out->input, parts[WEIGHTS_INPUT], HUMAN_PLANES, 3, err),
               "input layer", err))
        return false;
    out->filters = out->input.outputs;
    if (!tower_read(out, wire, err) ||
        !named(convolution_read(&out->policy_hidden, parts[WEIGHTS_POLICY_HIDDEN], out->filters, 3,
                                err) &&
                   convolution_read(&out->policy, parts[WEIGHTS_POLICY], out->policy_hidden.outputs,
                                    3, err),
               "policy head", err) ||
        !named(convolution_read(&out->value, parts[WEIGHTS_VALUE], out->filters, 1, err) &&
                   connected_read(&out->value_hidden, parts[WEIGHTS_VALUE_HIDDEN],
                                  parts[WEIGHTS_VALUE_HIDDEN_BIAS],
                                  out->value.outputs * SQUARE_COUNT, VALUE_HIDDEN_MAX, err) &&
                   connected_read(&out->win_draw_loss, parts[WEIGHTS_WDL], parts[WEIGHTS_WDL_BIAS],
                                  out->value_hidden.outputs, 3, err),
               "value head", err))
        return false;
    if (out->policy_hidden.outputs == out->filters && out->policy.outputs == HUMAN_OUTPUT_PLANES &&
        out->win_draw_loss.outputs == 3 && out->value.outputs <= VALUE_PLANES_MAX)
        return true;
    error_set(err, ERR_INVALID, "its heads have other sizes");
    return false;
}

/* Is it a network of the kind that is computed here? */
static bool architecture_is_known(Wire format, Error *err)
{
    static const struct {
        const char *what;
        uint64_t wanted;
    } rows[] = {
        [1] = { "input", 1 },   /* classical, 112 planes */
        [2] = { "output", 2 },  /* win, draw, loss */
        [3] = { "network", 4 }, /* residual, squeeze and excitation, with head formats */
        [4] = { "policy", 2 },  /* convolution */
        [5] = { "value", 2 },   /* win, draw, loss */
        [6] = { "moves left", 0 }, [7] = { "activation", 0 }, /* ReLU */
    };
    enum { ROWS = sizeof rows / sizeof *rows };
    uint64_t found[ROWS] = { 0 };
    Error wrong = { 0 };
    for (WireField field; wire_next(&format, &field, &wrong);)
        if (field.number < ROWS && field.kind == WIRE_VARINT)
            found[field.number] = field.value;
    for (int i = 1; i < ROWS; i++)
        if (found[i] != rows[i].wanted)
            error_set(&wrong, ERR_INVALID,
                      "another architecture than Maia's: %s format %llu, not %llu", rows[i].what,
                      (unsigned long long)found[i], (unsigned long long)rows[i].wanted);
    if (error_is_set(&wrong))
        error_set(err, wrong.code, "%s", wrong.text);
    return !error_is_set(&wrong);
}

static bool format_read(Wire wire, Error *err)
{
    Wire network = { 0 };
    uint64_t encoding = 0;
    Error wrong = { 0 };
    for (WireField field; wire_next(&wire, &field, &wrong);) {
        if (field.number == FORMAT_ENCODING && field.kind == WIRE_VARINT)
            encoding = field.value;
        if (field.number == FORMAT_NETWORK && field.kind == WIRE_BYTES)
            network = field.bytes;
    }
    if (!error_is_set(&wrong) && encoding != LINEAR16)
        error_set(&wrong, ERR_INVALID, "weights in another encoding than 16 bits");
    if (error_is_set(&wrong)) {
        error_set(err, wrong.code, "%s", wrong.text);
        return false;
    }
    return architecture_is_known(network, err);
}

static void training_read(PolicyWeights *out, Wire wire)
{
    for (WireField field; wire_next(&wire, &field, NULL);) {
        if (field.number == TRAINING_STEPS && field.kind == WIRE_VARINT)
            out->training_steps = (uint32_t)field.value;
        if (field.number == TRAINING_ACCURACY && field.kind == WIRE_FOUR &&
            isfinite(float_of(field.value)))
            out->accuracy = float_of(field.value);
    }
}

bool policy_message_read(PolicyWeights *out, const uint8_t *bytes, size_t size, Error *err)
{
    Wire wire = { bytes, size }, parts[NET_WEIGHTS + 1] = { 0 };
    WireField first;
    *out = (PolicyWeights){ 0 };
    if (!wire_next(&wire, &first, NULL) || first.number != NET_MAGIC || first.kind != WIRE_FOUR ||
        first.value != MAGIC) {
        error_set(err, ERR_INVALID, "no network of Lc0's");
        return false;
    }
    if (!parts_read(parts, NET_WEIGHTS + 1, wire, err) || !format_read(parts[NET_FORMAT], err))
        return false;
    training_read(out, parts[NET_TRAINING]);
    if (weights_read(out, parts[NET_WEIGHTS], err))
        return true;
    policy_weights_release(out);
    return false;
}

/* The whole stream, in memory that the caller frees; NULL and an Error. */
static uint8_t *unpack(const uint8_t *bytes, size_t size, size_t *unpacked, Error *err)
{
    enum { GZIP = 16 };
    z_stream stream = { .next_in = (Bytef *)(uintptr_t)bytes, .avail_in = (uInt)size };
    if (size > UINT32_MAX || inflateInit2(&stream, MAX_WBITS + GZIP) != Z_OK) {
        error_set(err, ERR_MEMORY, "no memory to unpack it");
        return NULL;
    }
    uint8_t *out = NULL;
    int step = Z_OK;
    for (size_t room = UNPACKED_FIRST; step == Z_OK && room <= UNPACKED_MAX; room *= 2) {
        uint8_t *larger = realloc(out, room);
        if (!larger) {
            error_set(err, ERR_MEMORY, "no memory to unpack it");
            break;
        }
        out = larger;
        stream.next_out = out + stream.total_out;
        stream.avail_out = (uInt)(room - stream.total_out);
        step = inflate(&stream, Z_NO_FLUSH);
    }
    *unpacked = stream.total_out;
    inflateEnd(&stream);
    if (step == Z_STREAM_END)
        return out;
    error_set(err, ERR_INVALID,
              step == Z_OK ? "larger than any such network" : "cut short, or not packed by gzip");
    free(out);
    return NULL;
}

bool policy_file_read(PolicyWeights *out, const uint8_t *bytes, size_t size, Error *err)
{
    size_t unpacked;
    *out = (PolicyWeights){ 0 };
    uint8_t *message = unpack(bytes, size, &unpacked, err);
    bool ok = message && policy_message_read(out, message, unpacked, err);
    free(message);
    return ok;
}

void policy_weights_release(PolicyWeights *weights)
{
    PolicyLayer *const heads[] = {
        &weights->input, &weights->policy_hidden, &weights->policy,
        &weights->value, &weights->value_hidden,  &weights->win_draw_loss
    };
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
        free(heads[i]->weights);
    for (int i = 0; i < weights->block_count; i++) {
        PolicyBlock *block = &weights->blocks[i];
        free(block->first.weights);
        free(block->second.weights);
        free(block->squeeze.weights);
        free(block->excite.weights);
    }
    *weights = (PolicyWeights){ 0 };
}
