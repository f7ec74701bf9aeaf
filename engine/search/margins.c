/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/search/margins.h"

#include "engine/base/minmax.h"

/* 256 * ln n: integers, so that every compiler and machine plays the same. */
enum { LN_SIZE = 64 };
static const int ln_256[LN_SIZE] = {
    0,   0,   177,  281,  355,  412,  459,  498,  532,  562,  589,  614,  636,  657,  676,  693,
    710, 725, 740,  754,  767,  779,  791,  803,  814,  824,  834,  844,  853,  862,  871,  879,
    887, 895, 903,  910,  917,  924,  931,  938,  944,  951,  957,  963,  969,  975,  980,  986,
    991, 996, 1001, 1007, 1012, 1016, 1021, 1026, 1030, 1035, 1039, 1044, 1048, 1052, 1057, 1061,
};

static int ln_of(int n)
{
    return ln_256[int_min(n, LN_SIZE - 1)];
}

int margin_reduction(const Params *params, int depth, int move_count)
{
    return params->lmr_base + ln_of(depth) * ln_of(move_count) / 256 * params->lmr_scale / 256;
}

int margin_late_move_count(const Params *params, int depth, bool improving)
{
    return (params->lmp_base + depth * depth) / (improving ? 1 : 2);
}

int margin_reverse_futility(const Params *params, const FutilityFacts *facts)
{
    return params->rfp_margin * facts->depth - (facts->improving ? params->rfp_improving : 0) -
           (facts->worsening ? params->rfp_worsening : 0) + (facts->tt_pv ? params->rfp_tt_pv : 0) +
           facts->correction * params->rfp_correction / 16;
}

int margin_null_reduction(const Params *params, int depth, int eval_margin)
{
    return params->null_base + depth / params->null_divisor +
           int_min(eval_margin / params->null_eval_divisor, params->null_eval_max);
}

int margin_eval(const Params *params, int eval, int material, int halfmoves)
{
    eval += eval * params->material_scale * (material - MARGIN_MATERIAL) /
            (MARGIN_MATERIAL_START * 1024);
    return eval -
           eval * int_min(halfmoves, 100 /* a FEN may say more */) * params->fifty_scale / 22000;
}

int margin_history_bonus(const Params *params, int depth)
{
    return int_min(params->bonus_scale * depth - params->bonus_offset, params->bonus_max);
}

int margin_history_malus(const Params *params, int depth)
{
    return int_min(params->malus_scale * depth - params->bonus_offset, params->malus_max);
}
