/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/train/human_model.h"

#include "engine/base/alloc.h"
#include "engine/base/random.h"
#include "engine/human/softmax.h"

#include <string.h>

/* Of a bias in the file: the sums of rows stay in 16 bits. */
enum { BIAS_MOST = INT16_MAX / 2 };

/* Most traits are as unlikely as they should be, and a step of each costs as much as one that
 * counts. Of gradients below it a share is followed, as if they were as large: left out they would
 * sum up, for moves that hardly anybody plays would become likelier with nothing to hold them. */
static const float GRADIENT_MIN = 2e-3F;
static const float EPSILON = 1e-8F;
static const float HIDDEN_MOST = (float)SMALL_POLICY_HIDDEN_MAX / SMALL_POLICY_INPUT_ONE;

/* Weights in rows of the same width, and the sums of their gradients' squares. */
typedef struct {
    float *weights, *squares;
    float most; /* weights lie within it */
} Rows;

struct HumanModel {
    int width;
    Rows biases, inputs, vectors;
    Rows numbers; /* one a trait */
    float hidden[SMALL_POLICY_WIDTH_MAX], hidden_gradient[SMALL_POLICY_WIDTH_MAX];
    float logits[MAX_MOVES];
    /* The traits that some move of the sample has, each once: moves share most of theirs. */
    int count;
    uint16_t traits[TRAITS_COUNT];
    float products[TRAITS_COUNT], gradients[TRAITS_COUNT]; /* of each */
    int16_t place[TRAITS_COUNT]; /* of a trait among them; -1: it is none */
    uint64_t seed;               /* for the gradients that are followed */
};

/* `most` and `one`: the largest integer of the file, and what stands for 1 there. */
static bool rows_init(Rows *rows, size_t count, int most, int one)
{
    rows->most = (float)most / (float)one;
    rows->weights = calloc(count, sizeof *rows->weights);
    rows->squares = calloc(count, sizeof *rows->squares);
    return rows->weights && rows->squares;
}

static void rows_release(Rows *rows)
{
    free(rows->weights);
    free(rows->squares);
}

static void randomise(float *weights, size_t count, float size, uint64_t *seed)
{
    for (size_t i = 0; i < count; i++)
        weights[i] = size * ((float)random_below(seed, 1 << 20) / (1 << 19) - 1);
}

bool human_model_new(HumanModel **out, int width, uint64_t seed, Error *err)
{
    HumanModel *model = alloc_zeroed(sizeof *model, "the model", err);
    if (!model)
        return false;
    size_t row = (size_t)width;
    model->width = width;
    if (!rows_init(&model->biases, row, BIAS_MOST, SMALL_POLICY_INPUT_ONE) ||
        !rows_init(&model->inputs, TRAITS_INPUTS * row, INT8_MAX, SMALL_POLICY_INPUT_ONE) ||
        !rows_init(&model->vectors, TRAITS_COUNT * row, INT8_MAX, SMALL_POLICY_VECTOR_ONE) ||
        !rows_init(&model->numbers, TRAITS_COUNT, INT16_MAX, SMALL_POLICY_NUMBER_ONE)) {
        error_set(err, ERR_MEMORY, "no memory for the model");
        human_model_free(model);
        return false;
    }
    randomise(model->inputs.weights, TRAITS_INPUTS * row, 0.1F, &seed);
    randomise(model->vectors.weights, TRAITS_COUNT * row, 0.05F, &seed);
    for (int i = 0; i < width; i++)
        model->biases.weights[i] = 0.2F;
    memset(model->place, -1, sizeof model->place);
    model->seed = seed;
    *out = model;
    return true;
}

void human_model_free(HumanModel *model)
{
    if (!model)
        return;
    rows_release(&model->biases);
    rows_release(&model->inputs);
    rows_release(&model->vectors);
    rows_release(&model->numbers);
    free(model);
}

/* A weight as the file will hold it, a multiple of 1 / `one`: the sum is so large that floats lie
 * that far apart. The network learns with such weights, or its errors would add up where hidden
 * units grow; steps go to the exact ones. */
static inline float rounded(float weight, int one)
{
    float large = 1.5F * (float)(1 << 23) / (float)one;
    return weight + large - large;
}

static void add(float *restrict to, const float *restrict row, int width)
{
    for (int i = 0; i < width; i++)
        to[i] += rounded(row[i], SMALL_POLICY_INPUT_ONE);
}

static void find_hidden(HumanModel *model, const HumanGames *games, const HumanSample *sample)
{
    int width = model->width;
    memcpy(model->hidden, model->biases.weights, (size_t)width * sizeof(float));
    for (int i = 0; i < sample->input_count; i++)
        add(model->hidden,
            model->inputs.weights + games->inputs[sample->first_input + (uint32_t)i] * width,
            width);
    for (int i = 0; i < width; i++)
        model->hidden[i] = fminf(fmaxf(model->hidden[i], 0), HIDDEN_MOST);
}

/* A trait's part of the logit of each move that has it. */
static float product_of(const HumanModel *model, int trait)
{
    const float *vector = model->vectors.weights + trait * model->width;
    /* Sums side by side: the compiler may not change the order of one. */
    float sums[16] = { 0 }, product = model->numbers.weights[trait];
    for (int i = 0; i < model->width; i += 16)
        for (int k = 0; k < 16; k++)
            sums[k] += rounded(vector[i + k], SMALL_POLICY_VECTOR_ONE) * model->hidden[i + k];
    for (int k = 0; k < 16; k++)
        product += sums[k];
    return product;
}

static void find_logits(HumanModel *model, const HumanGames *games, const HumanSample *sample)
{
    for (int i = 0; i < model->count; i++)
        model->place[model->traits[i]] = -1;
    model->count = 0;
    for (int i = 0; i < sample->move_count; i++) {
        const uint16_t *traits = games->traits[sample->first_move + (uint32_t)i];
        model->logits[i] = 0;
        for (int k = 0; k < TRAITS_OF_A_MOVE; k++) {
            int16_t *place = &model->place[traits[k]];
            if (*place < 0) {
                *place = (int16_t)model->count;
                model->traits[model->count] = traits[k];
                model->products[model->count++] = product_of(model, traits[k]);
            }
            model->logits[i] += model->products[*place];
        }
    }
}

HumanLoss human_model_judge(HumanModel *model, const HumanGames *games, const HumanSample *sample)
{
    const float *targets = games->targets + sample->first_target;
    HumanLoss result = { 0 };
    int likeliest = 0, wanted = 0;
    find_hidden(model, games, sample);
    find_logits(model, games, sample);
    softmax(model->logits, sample->move_count);
    for (int i = 0; i < sample->move_count; i++) {
        likeliest = model->logits[i] > model->logits[likeliest] ? i : likeliest;
        wanted = targets[i] > targets[wanted] ? i : wanted;
        if (targets[i] > 0) {
            result.loss -= (double)(targets[i] * logf(fmaxf(model->logits[i], 1e-9F)));
            result.entropy -= (double)(targets[i] * logf(targets[i]));
        }
    }
    result.is_first = likeliest == wanted;
    return result;
}

/* 1 / root of a positive number, within 0.2 %: a division and a root took a fifth of the time.
 * After: Lomont, "Fast inverse square root", 2003. */
static inline float inverse_root(float x)
{
    union {
        float value;
        uint32_t bits;
    } guess = { .value = x };
    guess.bits = 0x5F375A86 - (guess.bits >> 1);
    return guess.value * (1.5F - 0.5F * x * guess.value * guess.value);
}

/* weights -= rate * gradient / root of the sum of its squares, for gradient = scale * values; then
 * held within what the file can hold, so that training makes up for it. */
static void step(Rows *rows, size_t first, const float *restrict values, float scale, float rate,
                 int width)
{
    float *restrict weights = rows->weights + first, *restrict squares = rows->squares + first;
    float most = rows->most;
    for (int i = 0; i < width; i++) {
        float gradient = scale * values[i];
        squares[i] += gradient * gradient;
        float weight = weights[i] - rate * gradient * inverse_root(squares[i] + EPSILON);
        weight = weight < most ? weight : most;
        weights[i] = weight > -most ? weight : -most;
    }
}

static void find_gradients(HumanModel *model, const HumanGames *games, const HumanSample *sample)
{
    memset(model->gradients, 0, (size_t)model->count * sizeof *model->gradients);
    for (int i = 0; i < sample->move_count; i++) {
        const uint16_t *traits = games->traits[sample->first_move + (uint32_t)i];
        float gradient = model->logits[i] - games->targets[sample->first_target + (uint32_t)i];
        for (int k = 0; k < TRAITS_OF_A_MOVE; k++)
            model->gradients[model->place[traits[k]]] += gradient;
    }
}

/* Its mean is the gradient. */
static float worth_a_step(float gradient, uint64_t *seed)
{
    float size = fabsf(gradient);
    if (size >= GRADIENT_MIN)
        return gradient;
    enum { STEPS = 1 << 24 };
    float drawn = (float)random_below(seed, STEPS) * (GRADIENT_MIN / STEPS);
    return drawn < size ? copysignf(GRADIENT_MIN, gradient) : 0;
}

static void step_traits(HumanModel *model, float rate)
{
    static const float one = 1;
    memset(model->hidden_gradient, 0, sizeof model->hidden_gradient);
    for (int i = 0; i < model->count; i++) {
        size_t trait = model->traits[i], first = trait * (size_t)model->width;
        float gradient = worth_a_step(model->gradients[i], &model->seed);
        if (gradient == 0)
            continue;
        for (int k = 0; k < model->width; k++)
            model->hidden_gradient[k] += gradient * model->vectors.weights[first + (size_t)k];
        step(&model->vectors, first, model->hidden, gradient, rate, model->width);
        step(&model->numbers, trait, &one, gradient, rate, 1);
    }
}

HumanLoss human_model_learn(HumanModel *model, const HumanGames *games, const HumanSample *sample,
                            float rate)
{
    HumanLoss loss = human_model_judge(model, games, sample);
    int width = model->width;
    find_gradients(model, games, sample);
    step_traits(model, rate);
    for (int i = 0; i < width; i++)
        if (model->hidden[i] <= 0 || model->hidden[i] >= HIDDEN_MOST)
            model->hidden_gradient[i] = 0;
    step(&model->biases, 0, model->hidden_gradient, 1, rate, width);
    for (int i = 0; i < sample->input_count; i++) {
        size_t row = games->inputs[sample->first_input + (uint32_t)i];
        step(&model->inputs, row * (size_t)width, model->hidden_gradient, 1, rate, width);
    }
    return loss;
}

static void round_off(Rows *rows, size_t count, float one)
{
    for (size_t i = 0; i < count; i++)
        rows->weights[i] = rintf(rows->weights[i] * one) / one;
}

void human_model_round(HumanModel *model)
{
    size_t row = (size_t)model->width;
    round_off(&model->biases, row, SMALL_POLICY_INPUT_ONE);
    round_off(&model->inputs, TRAITS_INPUTS * row, SMALL_POLICY_INPUT_ONE);
    round_off(&model->numbers, TRAITS_COUNT, SMALL_POLICY_NUMBER_ONE);
    round_off(&model->vectors, TRAITS_COUNT * row, SMALL_POLICY_VECTOR_ONE);
}

static uint8_t *put_shorts(uint8_t *at, const Rows *rows, size_t count, float one)
{
    for (size_t i = 0; i < count; i++, at += sizeof(int16_t)) {
        int16_t number = (int16_t)lrintf(rows->weights[i] * one);
        memcpy(at, &number, sizeof number);
    }
    return at;
}

static uint8_t *put_bytes(uint8_t *at, const Rows *rows, size_t count, float one)
{
    for (size_t i = 0; i < count; i++)
        *at++ = (uint8_t)(int8_t)lrintf(rows->weights[i] * one);
    return at;
}

uint8_t *human_model_export(const HumanModel *model, const uint8_t recipe_hash[])
{
    uint8_t *bytes = calloc(1, small_policy_size(model->width));
    if (!bytes)
        return NULL;
    size_t row = (size_t)model->width;
    uint32_t width = (uint32_t)model->width;
    memcpy(bytes, SMALL_POLICY_MAGIC, sizeof SMALL_POLICY_MAGIC);
    memcpy(bytes + 24, &width, sizeof width);
    memcpy(bytes + SMALL_POLICY_HEADER_SIZE - SMALL_POLICY_HASH_SIZE, recipe_hash,
           SMALL_POLICY_HASH_SIZE);
    uint8_t *at = bytes + SMALL_POLICY_HEADER_SIZE;
    at = put_shorts(at, &model->biases, row, SMALL_POLICY_INPUT_ONE);
    at = put_bytes(at, &model->inputs, TRAITS_INPUTS * row, SMALL_POLICY_INPUT_ONE);
    at = put_shorts(at, &model->numbers, TRAITS_COUNT, SMALL_POLICY_NUMBER_ONE);
    (void)put_bytes(at, &model->vectors, TRAITS_COUNT * row, SMALL_POLICY_VECTOR_ONE);
    return bytes;
}
