/* SPDX-License-Identifier: GPL-3.0-or-later */
#define EVAL_TRACE
#include "engine/eval/classical/trace.h"

#include "engine/eval/classical/evaluate.h"

#include <string.h>

const TermRow term_rows[TERM_ROW_COUNT] = {
#define X(name, count, kind) { #name, TERM_##name, count, kind },
    EVAL_TERMS(X)
#undef X
};

int eval_trace(const Position *pos, EvalTrace *trace)
{
    memset(trace, 0, sizeof *trace);
    trace->by_rule = material_is_mop_up(pos, WHITE) || material_is_mop_up(pos, BLACK);
    Evaluation ev = { .pos = pos, .trace = trace };
    return evaluation_sum(&ev, NULL);
}

int eval_rebuild(const EvalTrace *trace, const Tapered weights[TERM_COUNT])
{
    Tapered score = 0, danger[COLOUR_COUNT] = { 0 }, complexity = 0;
    for (int row = 0; row < TERM_ROW_COUNT; row++) {
        for (int i = term_rows[row].first; i < term_rows[row].first + term_rows[row].count; i++) {
            int white = trace->count[WHITE][i], black = trace->count[BLACK][i];
            switch (term_rows[row].kind) {
            case TERM_LINEAR:
                score += weights[i] * (white - black);
                break;
            case TERM_DANGER:
                danger[WHITE] += weights[i] * white;
                danger[BLACK] += weights[i] * black;
                break;
            case TERM_COMPLEXITY:
                complexity += weights[i] * white;
                break;
            }
        }
    }
    if (trace->in_danger[WHITE])
        score -= summing_danger(danger[WHITE]);
    if (trace->in_danger[BLACK])
        score += summing_danger(danger[BLACK]);
    return summing_taper(tapered_mg(score), summing_endgame(score, complexity), trace->phase,
                         trace->scale);
}

const Tapered *eval_trace_weights(void)
{
    return eval_weights;
}
