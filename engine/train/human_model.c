/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/train/human_model.h"

#include "engine/base/alloc.h"
#include "engine/base/random.h"
#include "engine/human/softmax.h"

#include <string.h>

/* Gradients below it are not worth a step; most moves of a position are as unlikely as they should
 * be. */
static const float GRADIENT_MIN = 2e-3F;
static const float EPSILON = 1e-8F;

/* Weights in rows of the same width, and the sums of their gradients' squares. */
typedef struct {
    float *weights, *squares;
} Rows;

struct HumanModel {
    int width;
    Rows biases, inputs, vectors;
    Rows numbers; /* one a trait */
    float hidden[SMALL_POLICY_WIDTH_MAX], hidden_gradient[SMALL_POLICY_WIDTH_MAX];
    float logits[MAX_MOVES];
};

static bool rows_init(Rows *rows, size_t count)
{
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
    if (!rows_init(&model->biases, row) || !rows_init(&model->inputs, TRAITS_INPUTS * row) ||
        !rows_init(&model->vectors, TRAITS_COUNT * row) ||
        !rows_init(&model->numbers, TRAITS_COUNT)) {
        error_set(err, ERR_MEMORY, "no memory for the model");
        human_model_free(model);
        return false;
    }
    randomise(model->inputs.weights, TRAITS_INPUTS * row, 0.1F, &seed);
    randomise(model->vectors.weights, TRAITS_COUNT * row, 0.05F, &seed);
    for (int i = 0; i < width; i++)
        model->biases.weights[i] = 0.2F;
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

static void add(float *restrict to, const float *restrict row, int width)
{
    for (int i = 0; i < width; i++)
        to[i] += row[i];
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
        model->hidden[i] = model->hidden[i] > 0 ? model->hidden[i] : 0;
}

static void sum_vectors(float *restrict sums, const HumanModel *model,
                        const uint16_t traits[TRAITS_OF_A_MOVE])
{
    memset(sums, 0, (size_t)model->width * sizeof *sums);
    for (int i = 0; i < TRAITS_OF_A_MOVE; i++)
        add(sums, model->vectors.weights + traits[i] * model->width, model->width);
}

static float logit_of(const HumanModel *model, const uint16_t traits[TRAITS_OF_A_MOVE])
{
    float sums[SMALL_POLICY_WIDTH_MAX];
    /* Sums side by side: the compiler may not change the order of one. */
    float products[8] = { 0 }, logit = 0;
    sum_vectors(sums, model, traits);
    for (int i = 0; i < model->width; i += 8)
        for (int k = 0; k < 8; k++)
            products[k] += sums[i + k] * model->hidden[i + k];
    for (int k = 0; k < 8; k++)
        logit += products[k];
    for (int i = 0; i < TRAITS_OF_A_MOVE; i++)
        logit += model->numbers.weights[traits[i]];
    return logit;
}

HumanLoss human_model_judge(HumanModel *model, const HumanGames *games, const HumanSample *sample)
{
    const float *targets = games->targets + sample->first_move;
    HumanLoss result = { 0 };
    int likeliest = 0, wanted = 0;
    find_hidden(model, games, sample);
    for (int i = 0; i < sample->move_count; i++)
        model->logits[i] = logit_of(model, games->traits[sample->first_move + (uint32_t)i]);
    softmax(model->logits, sample->move_count);
    for (int i = 0; i < sample->move_count; i++) {
        likeliest = model->logits[i] > model->logits[likeliest] ? i : likeliest;
        wanted = targets[i] > targets[wanted] ? i : wanted;
        if (targets[i] > 0)
            result.loss -= (double)(targets[i] * logf(fmaxf(model->logits[i], 1e-9F)));
    }
    result.is_first = likeliest == wanted;
    return result;
}

/* weights -= rate * gradient / root of the sum of its squares, for gradient = scale * values. */
static void step(Rows *rows, size_t first, const float *restrict values, float scale, float rate,
                 int width)
{
    float *restrict weights = rows->weights + first, *restrict squares = rows->squares + first;
    for (int i = 0; i < width; i++) {
        float gradient = scale * values[i];
        squares[i] += gradient * gradient;
        weights[i] -= rate * gradient / sqrtf(squares[i] + EPSILON);
    }
}

static void step_move(HumanModel *model, const uint16_t traits[TRAITS_OF_A_MOVE], float gradient,
                      float rate)
{
    static const float one = 1;
    for (int i = 0; i < TRAITS_OF_A_MOVE; i++) {
        size_t trait = traits[i];
        step(&model->vectors, trait * (size_t)model->width, model->hidden, gradient, rate,
             model->width);
        step(&model->numbers, trait, &one, gradient, rate, 1);
    }
}

static void add_hidden_gradient(HumanModel *model, const uint16_t traits[TRAITS_OF_A_MOVE],
                                float gradient)
{
    float sums[SMALL_POLICY_WIDTH_MAX];
    sum_vectors(sums, model, traits);
    for (int i = 0; i < model->width; i++)
        model->hidden_gradient[i] += gradient * sums[i];
}

HumanLoss human_model_learn(HumanModel *model, const HumanGames *games, const HumanSample *sample,
                            float rate)
{
    HumanLoss loss = human_model_judge(model, games, sample);
    const float *targets = games->targets + sample->first_move;
    int width = model->width;
    memset(model->hidden_gradient, 0, sizeof model->hidden_gradient);
    for (int way = 0; way < 2; way++) /* all gradients are of the same weights */
        for (int i = 0; i < sample->move_count; i++) {
            const uint16_t *traits = games->traits[sample->first_move + (uint32_t)i];
            float gradient = model->logits[i] - targets[i];
            if (fabsf(gradient) < GRADIENT_MIN)
                continue;
            if (way == 0)
                add_hidden_gradient(model, traits, gradient);
            else
                step_move(model, traits, gradient, rate);
        }
    for (int i = 0; i < width; i++)
        if (model->hidden[i] <= 0)
            model->hidden_gradient[i] = 0;
    step(&model->biases, 0, model->hidden_gradient, 1, rate, width);
    for (int i = 0; i < sample->input_count; i++) {
        size_t row = games->inputs[sample->first_input + (uint32_t)i];
        step(&model->inputs, row * (size_t)width, model->hidden_gradient, 1, rate, width);
    }
    return loss;
}

static long held(float value, float one, long most)
{
    long rounded = lrintf(value * one);
    return rounded > most ? most : rounded < -most ? -most : rounded;
}

static uint8_t *put_short(uint8_t *at, const float *values, size_t count, float one)
{
    for (size_t i = 0; i < count; i++, at += sizeof(int16_t)) {
        int16_t number = (int16_t)held(values[i], one, INT16_MAX / TRAITS_OF_A_MOVE);
        memcpy(at, &number, sizeof number);
    }
    return at;
}

static uint8_t *put_bytes(uint8_t *at, const float *values, size_t count)
{
    for (size_t i = 0; i < count; i++)
        *at++ = (uint8_t)(int8_t)held(values[i], SMALL_POLICY_ONE, INT8_MAX);
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
    at = put_short(at, model->biases.weights, row, SMALL_POLICY_ONE);
    at = put_bytes(at, model->inputs.weights, TRAITS_INPUTS * row);
    at = put_short(at, model->numbers.weights, TRAITS_COUNT, SMALL_POLICY_TRAIT_ONE);
    (void)put_bytes(at, model->vectors.weights, TRAITS_COUNT * row);
    return bytes;
}
