/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/human/small_policy.h"

#include "engine/human/softmax.h"

#include <string.h>

enum { MAGIC_SIZE = sizeof SMALL_POLICY_MAGIC, WIDTH_AT = 24 };

static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "numbers in memory are as in the file");

bool small_policy_is(const uint8_t *bytes, size_t size)
{
    return size >= MAGIC_SIZE && memcmp(bytes, SMALL_POLICY_MAGIC, MAGIC_SIZE) == 0;
}

size_t small_policy_size(int width)
{
    size_t row = (size_t)width;
    return SMALL_POLICY_HEADER_SIZE + row * sizeof(int16_t) + TRAITS_INPUTS * row +
           TRAITS_COUNT * sizeof(int16_t) + TRAITS_COUNT * row;
}

bool small_policy_view(SmallPolicy *out, const uint8_t *bytes, size_t size, Error *err)
{
    uint32_t width = 0;
    if (small_policy_is(bytes, size) && size >= SMALL_POLICY_HEADER_SIZE)
        memcpy(&width, bytes + WIDTH_AT, sizeof width);
    bool is_width =
        width > 0 && width <= SMALL_POLICY_WIDTH_MAX && width % SMALL_POLICY_WIDTH_STEP == 0;
    if (!is_width || size != small_policy_size((int)width)) {
        error_set(err, ERR_INVALID, "no network of people's moves, or cut short");
        return false;
    }
    const uint8_t *at = bytes + SMALL_POLICY_HEADER_SIZE;
    out->width = (int)width;
    out->biases = (const int16_t *)(const void *)at;
    at += width * sizeof(int16_t);
    out->inputs = (const int8_t *)at;
    at += (size_t)TRAITS_INPUTS * width;
    out->numbers = (const int16_t *)(const void *)at;
    at += TRAITS_COUNT * sizeof(int16_t);
    out->vectors = (const int8_t *)at;
    return true;
}

static_assert(TRAITS_INPUTS * SMALL_POLICY_WIDTH_STEP % 2 == 0, "numbers stay at even addresses");

static void add_row(int16_t *sums, const int8_t *row, int width)
{
    for (int i = 0; i < width; i++)
        sums[i] = (int16_t)(sums[i] + row[i]);
}

static void hidden_layer(int16_t *hidden, const SmallPolicy *policy, const TraitsView *view,
                         int elo)
{
    uint16_t rows[TRAITS_INPUTS_MAX];
    int count = traits_inputs(rows, view, elo);
    memcpy(hidden, policy->biases, (size_t)policy->width * sizeof *hidden);
    for (int i = 0; i < count; i++)
        add_row(hidden, policy->inputs + rows[i] * policy->width, policy->width);
    for (int i = 0; i < policy->width; i++) {
        int value = hidden[i] < 0 ? 0 : hidden[i];
        hidden[i] = (int16_t)(value > SMALL_POLICY_HIDDEN_MAX ? SMALL_POLICY_HIDDEN_MAX : value);
    }
}

/* A trait's part of the logit of each move that has it. */
static float product_of(const SmallPolicy *policy, const int16_t *hidden, int trait)
{
    const int8_t *vector = policy->vectors + trait * policy->width;
    int32_t product = 0;
    for (int i = 0; i < policy->width; i++)
        product += hidden[i] * vector[i];
    return (float)product / (SMALL_POLICY_INPUT_ONE * SMALL_POLICY_VECTOR_ONE) +
           (float)policy->numbers[trait] / SMALL_POLICY_NUMBER_ONE;
}

void small_policy_evaluate(const SmallPolicy *policy, const HumanHistory *history,
                           const Position *pos, const MoveList *moves, int elo,
                           float probability[MAX_MOVES])
{
    int16_t hidden[SMALL_POLICY_WIDTH_MAX];
    float products[TRAITS_COUNT];
    bool is_known[TRAITS_COUNT] = { 0 }; /* moves share most of their traits */
    TraitsView view = traits_view(history, pos);
    hidden_layer(hidden, policy, &view, elo);
    for (int i = 0; i < moves->count; i++) {
        uint16_t traits[TRAITS_OF_A_MOVE];
        traits_of_move(traits, &view, moves->moves[i]);
        probability[i] = 0;
        for (int k = 0; k < TRAITS_OF_A_MOVE; k++) {
            int trait = traits[k];
            if (!is_known[trait])
                products[trait] = product_of(policy, hidden, trait);
            is_known[trait] = true;
            probability[i] += products[trait];
        }
    }
    softmax(probability, moves->count);
}
