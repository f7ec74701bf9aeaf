/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/game/lag.h"

#include "engine/base/number.h"
#include "engine/base/text_format.h"

enum {
    DELAY_MAX_MS = 3000,
    UNKNOWN_USUAL_MS = 100,
    UNKNOWN_WORST_MS = 300,
    USUAL_PERCENT = 60, /* rather too much than too little: it is paid for every move to come */
    WORST_PERCENT = 95, /* the latest delay alone is more than the rest up to 100 */
    SPARE_PERCENT = 25, /* beyond the usual, as long as nothing worse was seen, */
    SPARE_MS = 20,      /* and always */
};

void lag_meter_init(LagMeter *meter)
{
    *meter = (LagMeter){ 0 };
}

void lag_meter_add(LagMeter *meter, int64_t delay_ms)
{
    int64_t delay = delay_ms < 0 ? 0 : delay_ms > DELAY_MAX_MS ? DELAY_MAX_MS : delay_ms;
    if (meter->count < LAG_SAMPLES)
        meter->count++;
    for (int i = meter->count - 1; i > 0; i--)
        meter->delay_ms[i] = meter->delay_ms[i - 1];
    meter->delay_ms[0] = (int32_t)delay;
}

/* The shortest delay that is not exceeded by more than the rest of the weight. The latest weighs
 * LAG_SAMPLES, each one before it one less. */
static int64_t quantile_ms(const LagMeter *meter, int percent)
{
    int total = 0;
    int64_t best = DELAY_MAX_MS;
    for (int i = 0; i < meter->count; i++)
        total += LAG_SAMPLES - i;
    for (int i = 0; i < meter->count; i++) {
        int covered = 0;
        for (int j = 0; j < meter->count; j++)
            covered += meter->delay_ms[j] <= meter->delay_ms[i] ? LAG_SAMPLES - j : 0;
        if (covered * 100 >= total * percent && meter->delay_ms[i] < best)
            best = meter->delay_ms[i];
    }
    return best;
}

Lag lag_meter_expected(const LagMeter *meter, int64_t configured_ms)
{
    if (configured_ms != OVERHEAD_AUTO)
        return (Lag){ configured_ms, configured_ms };
    if (meter->count == 0)
        return (Lag){ UNKNOWN_USUAL_MS, UNKNOWN_WORST_MS };
    int64_t usual = quantile_ms(meter, USUAL_PERCENT);
    int64_t worst = quantile_ms(meter, WORST_PERCENT);
    int64_t spare = usual * (100 + SPARE_PERCENT) / 100;
    return (Lag){ usual, (worst > spare ? worst : spare) + SPARE_MS };
}

void lag_meter_write(const LagMeter *meter, char out[LAG_TEXT_SIZE])
{
    size_t len = 0;
    out[0] = '\0';
    for (int i = 0; i < meter->count; i++) {
        len +=
            text_format(out + len, LAG_TEXT_SIZE - len, "%s%d", i ? " " : "", meter->delay_ms[i]);
    }
}

void lag_meter_read(LagMeter *meter, Text text)
{
    lag_meter_init(meter);
    for (size_t from = 0; from < text.len && meter->count < LAG_SAMPLES;) {
        size_t end = from;
        int64_t delay;
        while (end < text.len && text.at[end] != ' ')
            end++;
        if (number_parse(text.at + from, end - from, 0, DELAY_MAX_MS, &delay, NULL))
            meter->delay_ms[meter->count++] = (int32_t)delay;
        from = end + 1;
    }
}
