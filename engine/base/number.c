/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/base/number.h"

#include <inttypes.h>

bool number_parse(const char *text, size_t len, int64_t lo, int64_t hi, int64_t *out, Error *err)
{
    int shown = len > 40 ? 40 : (int)len;
    size_t i = len && text[0] == '-' ? 1 : 0;
    bool negative = i == 1;
    if (i == len) {
        error_set(err, ERR_INVALID, "\"%.*s\" is not a whole number", shown, text);
        return false;
    }
    int64_t value = 0; /* kept negative: INT64_MIN has no positive twin */
    bool fits = true;
    for (; i < len; i++) {
        if (text[i] < '0' || text[i] > '9') {
            error_set(err, ERR_INVALID, "\"%.*s\" is not a whole number", shown, text);
            return false;
        }
        if (fits)
            fits = !__builtin_mul_overflow(value, (int64_t)10, &value) &&
                   !__builtin_sub_overflow(value, (int64_t)(text[i] - '0'), &value);
    }
    if (fits && !negative)
        fits = !__builtin_sub_overflow((int64_t)0, value, &value);
    if (!fits || value < lo || value > hi) {
        error_set(err, ERR_RANGE, "%.*s is not within %" PRId64 "..%" PRId64, shown, text, lo, hi);
        return false;
    }
    *out = value;
    return true;
}
