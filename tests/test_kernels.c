/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/eval/kernels.h"

#include "engine/base/random.h"
#include "engine/eval/network_file.h"
#include "tests/unit.h"

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
static int32_t output_by_definition(const int16_t *us, const int16_t *them, const int16_t *weights,
                                    int width)
{
    int64_t sum = 0;
    for (int i = 0; i < 2 * width; i++) {
        int64_t h = i < width ? us[i] : them[i - width];
        h = h < 0 ? 0 : h > 255 ? 255 : h;
        sum += h * weights[i] * h;
    }
    return (int32_t)(uint32_t)sum;
}

static void every_set_gives_the_defined_output(void **state)
{
    (void)state;
    _Alignas(KERNELS_ALIGNMENT) static Row us, them, weights[2];
    for (int n = 0; kernels_nth(n); n++) {
        const Kernels *kernels = kernels_nth(n);
        uint64_t seed = 1;
        for (int round = 0; round < 10000; round++) {
            int width = random_width(&seed);
            fill(us, width, &seed);
            fill(them, width, &seed);
            int16_t *w = weights[0];
            for (int i = 0; i < 2 * width; i++)
                w[i] = (int16_t)((int)random_below(&seed, 255) - 127);
            int32_t is = kernels->output(us, them, w, width);
            int32_t shall = output_by_definition(us, them, w, width);
            if (is != shall)
                fail_msg("%s, width %d: %d, not %d", kernels->name, width, is, shall);
        }
    }
}

/* Sums that pass 2^31 wrap, in every set alike. No network that is loaded has such weights. */
static void outputs_wrap_alike(void **state)
{
    (void)state;
    _Alignas(KERNELS_ALIGNMENT) static Row hidden, weights[2];
    for (int i = 0; i < WIDTH_MAX; i++) {
        hidden[i] = 255;
        weights[0][i] = weights[1][i] = 127;
    }
    for (int n = 0; kernels_nth(n); n++)
        assert_int_equal(kernels_nth(n)->output(hidden, hidden, weights[0], WIDTH_MAX),
                         (int32_t)(uint32_t)(2048ULL * 255 * 255 * 127));
}

static void every_set_adds_and_removes_rows_modulo_16_bits(void **state)
{
    (void)state;
    _Alignas(KERNELS_ALIGNMENT) static Row from, rows[ROWS], is, kept;
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
            fill(from, width, &seed);
            fill(kept, WIDTH_MAX, &seed);
            memcpy(is, kept, sizeof is);
            for (int i = 0; i < ROWS; i++)
                fill(rows[i], width, &seed);
            if (kind == 0)
                kernels->add1_remove1(is, from, pointers, pointers + 2, width);
            else if (kind == 1)
                kernels->add1_remove2(is, from, pointers, pointers + 2, width);
            else if (kind == 2)
                kernels->add2_remove2(is, from, pointers, pointers + 2, width);
            else
                kernels->refresh(is, from, pointers, count, width);
            for (int i = 0; i < width; i++) {
                int sum = from[i];
                for (int r = 0; r < count; r++)
                    sum += rows[r][i];
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
        }
    }
}

static void rows_may_be_updated_in_place(void **state)
{
    (void)state;
    _Alignas(KERNELS_ALIGNMENT) static Row from, rows[4], apart;
    const int16_t *pointers[4] = { rows[0], rows[1], rows[2], rows[3] };
    for (int n = 0; kernels_nth(n); n++) {
        uint64_t seed = 3;
        fill(from, WIDTH_MAX, &seed);
        for (int i = 0; i < 4; i++)
            fill(rows[i], WIDTH_MAX, &seed);
        kernels_nth(n)->add2_remove2(apart, from, pointers, pointers + 2, WIDTH_MAX);
        kernels_nth(n)->add2_remove2(from, from, pointers, pointers + 2, WIDTH_MAX);
        assert_memory_equal(from, apart, sizeof from);
    }
}

static void sets_are_found_by_name(void **state)
{
    (void)state;
    int count = 0;
    for (; kernels_nth(count); count++)
        assert_ptr_equal(kernels_named(kernels_nth(count)->name), kernels_nth(count));
    assert_ptr_equal(kernels_best(), kernels_nth(count - 1));
    assert_string_equal(kernels_nth(0)->name, "portable");
    assert_null(kernels_named("mmx"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_set_gives_the_defined_output),
        cmocka_unit_test(outputs_wrap_alike),
        cmocka_unit_test(every_set_adds_and_removes_rows_modulo_16_bits),
        cmocka_unit_test(rows_may_be_updated_in_place),
        cmocka_unit_test(sets_are_found_by_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
