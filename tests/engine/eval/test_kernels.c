/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/eval/kernels.h"

#include "engine/base/random.h"
#include "engine/eval/network_file.h"
#include "tests/support/unit.h"

enum { WIDTH_MAX = NETWORK_WIDTH_MAX, ROWS = 32 };

typedef int16_t Row[WIDTH_MAX];

/* Numbers at which clamping, 16-bit products and wrapping change, among any others. */
static int16_t extreme(uint64_t *seed)
{
    static const int16_t edges[] = { INT16_MIN, -1, 0, 1, 254, 255, 256, INT16_MAX };
    uint64_t n = random_next(seed);
    return n % 3 == 0 ? (int16_t)(n >> 40) : edges[(n >> 8) % 8];
}

static void fill(int16_t *row, int count, uint64_t *seed)
{
    for (int i = 0; i < count; i++)
        row[i] = extreme(seed);
}

static int random_width(uint64_t *seed)
{
    return NETWORK_WIDTH_STEP * (1 + (int)random_below(seed, WIDTH_MAX / NETWORK_WIDTH_STEP));
}

/* What kernels.h says, word by word, in wide integers. */
TEST(every_set_multiplies_as_defined)
{
    _Alignas(KERNELS_ALIGNMENT) static Row a, other;
    _Alignas(KERNELS_ALIGNMENT) static uint8_t is[WIDTH_MAX + 64];
    for (int n = 0; kernels_nth(n); n++) {
        uint64_t seed = 1;
        for (int round = 0; round < 2000; round++) {
            int count = random_width(&seed);
            const int16_t *b = round % 2 ? other : a;
            fill(a, count, &seed);
            fill(other, count, &seed);
            for (int i = 0; round < 512 && i < count; i++) { /* all pairs within the clamp */
                a[i] = (int16_t)(i % 256);
                other[i] = (int16_t)((round / 2 + i / 256) % 256);
            }
            memset(is, 0xee, sizeof is);
            kernels_nth(n)->multiply(is, a, b, count);
            for (int i = 0; i < count; i++) {
                int x = a[i] < 0 ? 0 : a[i] > 255 ? 255 : a[i];
                int y = b[i] < 0 ? 0 : b[i] > 255 ? 255 : b[i];
                if (is[i] != (x * y + 256) / 512)
                    fail_msg("%s: %d times %d is %d", kernels_nth(n)->name, a[i], b[i], is[i]);
            }
            assert_int_equal(is[count], 0xee);
        }
    }
}

static void fill_weights(int8_t *weights, int count, uint64_t *seed)
{
    for (int i = 0; i < count; i++)
        weights[i] = (int8_t)((int)random_below(seed, 255) - 127);
}

TEST(every_set_gives_the_defined_l1)
{
    _Alignas(KERNELS_ALIGNMENT) static uint8_t from[2 * WIDTH_MAX];
    _Alignas(KERNELS_ALIGNMENT) static int8_t weights[2 * WIDTH_MAX * NETWORK_L1];
    _Alignas(KERNELS_ALIGNMENT) int32_t biases[NETWORK_L1], is[NETWORK_L1];
    for (int n = 0; kernels_nth(n); n++) {
        uint64_t seed = 4;
        for (int round = 0; round < 600; round++) {
            int count = 2 * random_width(&seed);
            uint64_t zeros = random_below(&seed, 9); /* of eight fours */
            fill_weights(weights, count * NETWORK_L1, &seed);
            for (int i = 0; i < count; i++)
                from[i] = (uint8_t)(round % 4 == 0 ? 127 : random_below(&seed, 128));
            for (int i = 0; round % 4 && i < count; i += 4)
                if (random_below(&seed, 8) < zeros)
                    memset(from + i, 0, random_below(&seed, 8) ? 4 : 3);
            for (int k = 0; k < NETWORK_L1; k++)
                biases[k] = (int32_t)random_below(&seed, 2001) - 1000;
            if (round % 4 == 0) /* the largest pairs of products */
                memset(weights, round % 8 ? 127 : -127, sizeof weights);
            kernels_nth(n)->l1(is, from, weights, biases, count);
            for (int k = 0; k < NETWORK_L1; k++) {
                int64_t sum = biases[k];
                for (int i = 0; i < count; i++)
                    sum += from[i] * weights[(i / 4 * NETWORK_L1 + k) * 4 + i % 4];
                if (is[k] != sum)
                    fail_msg("%s, neuron %d: %d, not %lld", kernels_nth(n)->name, k, is[k],
                             (long long)sum);
            }
        }
    }
}

/* The largest sums that network_weights_check() lets through, of these signs. */
static void set_largest(int32_t *l1, int16_t *weights, int16_t *l3, int sign, int l3_sign)
{
    for (int i = 0; i < NETWORK_L1; i++)
        l1[i] = INT32_MAX;
    for (int i = 0; i < NETWORK_L2_INPUTS * NETWORK_L2; i++)
        weights[i] = (int16_t)(sign * 5871);
    for (int k = 0; k < NETWORK_L2; k++)
        l3[k] = (int16_t)(l3_sign * 5504);
}

TEST(every_set_gives_the_defined_l2_and_l3)
{
    _Alignas(KERNELS_ALIGNMENT) int32_t l1[NETWORK_L1];
    _Alignas(KERNELS_ALIGNMENT) int16_t weights[NETWORK_L2_INPUTS * NETWORK_L2];
    _Alignas(KERNELS_ALIGNMENT) int16_t l3[NETWORK_L2];
    _Alignas(KERNELS_ALIGNMENT) int32_t biases[NETWORK_L2];
    for (int n = 0; kernels_nth(n); n++) {
        uint64_t seed = 5;
        for (int round = 0; round < 1000; round++) {
            int limit = round % 2 ? 5800 : 200; /* most neurons at an end of the clamp, or few */
            int64_t inputs[30];
            for (int i = 0; i < NETWORK_L1; i++)
                l1[i] = round % 3 ? (int32_t)random_below(&seed, 30001) - 15000
                                  : (int32_t)(uint32_t)random_next(&seed);
            for (int i = 0; i < NETWORK_L2_INPUTS * NETWORK_L2; i++)
                weights[i] = (int16_t)((int)random_below(&seed, (uint64_t)(2 * limit + 1)) - limit);
            for (int k = 0; k < NETWORK_L2; k++) {
                biases[k] = (int32_t)random_below(&seed, 2001) - 1000;
                l3[k] = (int16_t)((int)random_below(&seed, 10001) - 5000);
            }
            if (round % 8 == 0)
                set_largest(l1, weights, l3, round % 16 ? 1 : -1, round % 32 < 16 ? 1 : -1);
            for (int i = 0; i < 15; i++) {
                int64_t cut = l1[i] < -12192 ? -12192 : l1[i] > 12192 ? 12192 : l1[i];
                inputs[i] = cut < 0 ? 0 : cut;
                inputs[15 + i] = cut * cut / 12192;
            }
            int64_t shall = 0;
            for (int k = 0; k < NETWORK_L2; k++) {
                int64_t l2 = biases[k];
                for (int i = 0; i < NETWORK_L2_INPUTS; i++)
                    l2 += inputs[i] * weights[(i / 2 * NETWORK_L2 + k) * 2 + i % 2];
                l2 /= 1024;
                shall += (l2 < 0 ? 0 : l2 > 12192 ? 12192 : l2) * l3[k];
            }
            int32_t is = kernels_nth(n)->l2_l3(l1, weights, biases, l3);
            if (is != shall)
                fail_msg("%s: %d, not %lld", kernels_nth(n)->name, is, (long long)shall);
        }
    }
}

TEST(every_set_adds_and_removes_rows_modulo_16_bits)
{
    _Alignas(KERNELS_ALIGNMENT) static Row from, rows[ROWS], is, kept;
    _Alignas(KERNELS_ALIGNMENT) static uint8_t active[WIDTH_MAX + 64], product[WIDTH_MAX];
    const int16_t *pointers[ROWS];
    for (int i = 0; i < ROWS; i++)
        pointers[i] = rows[i];
    for (int n = 0; kernels_nth(n); n++) {
        const Kernels *kernels = kernels_nth(n);
        uint64_t seed = 2;
        for (int round = 0; round < 2000; round++) {
            int width = random_width(&seed);
            int kind = round % 4;
            int count = kind == 3 ? (int)random_below(&seed, ROWS + 1) : 0;
            int removed_count = kind == 3 ? (int)random_below(&seed, (uint64_t)(count + 1)) : 0;
            fill(from, width, &seed);
            fill(kept, WIDTH_MAX, &seed);
            memcpy(is, kept, sizeof is);
            for (int i = 0; i < ROWS; i++)
                fill(rows[i], width, &seed);
            /* Nothing, squares, or products of the halves, where both are whole steps. */
            bool is_even = width % (2 * NETWORK_WIDTH_STEP) == 0;
            int active_count = round / 4 % 3 == 2 && is_even ? width / 2 : width;
            bool is_active = kind < 3 && round / 4 % 3 > 0;
            memset(active, 0xee, sizeof active);
            if (kind < 3)
                kernels->update(is, from, pointers, kind == 2 ? 2 : 1, pointers + 2,
                                kind == 0 ? 1 : 2, width, is_active ? active : NULL, active_count);
            else
                kernels->refresh(is, from, pointers + removed_count, count - removed_count,
                                 pointers, removed_count, width);
            for (int i = 0; i < width; i++) {
                int sum = from[i];
                for (int r = 0; r < count; r++)
                    sum += r < removed_count ? -rows[r][i] : rows[r][i];
                if (kind < 3)
                    sum += rows[0][i] - rows[2][i];
                if (kind == 1 || kind == 2)
                    sum -= rows[3][i];
                if (kind == 2)
                    sum += rows[1][i];
                if (is[i] != (int16_t)(uint16_t)sum)
                    fail_msg("%s, width %d, kind %d: unit %d", kernels->name, width, kind, i);
            }
            assert_memory_equal(is + width, kept + width, (size_t)(WIDTH_MAX - width) * sizeof *is);
            if (is_active) {
                kernels->multiply(product, is, is + width - active_count, active_count);
                assert_memory_equal(active, product, (size_t)active_count);
            }
            assert_int_equal(active[is_active ? active_count : 0], 0xee);
        }
    }
}

TEST(rows_may_be_updated_in_place)
{
    _Alignas(KERNELS_ALIGNMENT) static Row from, rows[4], apart;
    _Alignas(KERNELS_ALIGNMENT) static uint8_t active[WIDTH_MAX];
    const int16_t *pointers[4] = { rows[0], rows[1], rows[2], rows[3] };
    for (int n = 0; kernels_nth(n); n++) {
        uint64_t seed = 3;
        fill(from, WIDTH_MAX, &seed);
        for (int i = 0; i < 4; i++)
            fill(rows[i], WIDTH_MAX, &seed);
        for (int halves = 1; halves <= 2; halves++) {
            kernels_nth(n)->update(apart, from, pointers, 2, pointers + 2, 2, WIDTH_MAX, active,
                                   WIDTH_MAX / halves);
            kernels_nth(n)->update(from, from, pointers, 2, pointers + 2, 2, WIDTH_MAX, active,
                                   WIDTH_MAX / halves);
            assert_memory_equal(from, apart, sizeof from);
        }
    }
}

TEST(sets_are_in_order_of_speed)
{
    int count = 0;
    while (kernels_nth(count))
        count++;
    assert_ptr_equal(kernels_best(), kernels_nth(count - 1));
    assert_string_equal(kernels_nth(0)->name, "portable");
#if defined(__aarch64__)
    assert_string_equal(kernels_best()->name, "neon");
#elif defined(__SSE4_1__)
    assert_string_equal(kernels_nth(1)->name, "sse41");
#endif
}
