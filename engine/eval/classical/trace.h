/* SPDX-License-Identifier: GPL-3.0-or-later */
/* trace.h - the evaluation with its working shown, for the tuner and for tests; no part of the
 * engine's library. */
#pragma once
#include "engine/core/position.h"
#include "engine/eval/classical/tapered.h"
#include "engine/eval/classical/terms.h"

/* Everything that the value was made of but the weights. */
typedef struct {
    int16_t count[COLOUR_COUNT][TERM_COUNT]; /* how often a side has a feature, or its king the
                                                danger; COMPLEXITY terms stand under White */
    bool in_danger[COLOUR_COUNT];            /* DANGER terms of this king's side count at all */
    bool by_rule; /* a rule about the material gave the value, not the weights */
    int phase;
    int scale; /* for the side that the endgame's value favours */
} EvalTrace;

/* The value of classical_evaluate(pos, NULL), and its parts in *trace. */
int eval_trace(const Position *pos, EvalTrace *trace);

/* That value for White again (not clamped), from the trace with any weights; by_rule is false. */
int eval_rebuild(const EvalTrace *trace, const Tapered weights[TERM_COUNT]);

/* The weights that the engine is built with. */
const Tapered *eval_trace_weights(void);

/* The rows of EVAL_TERMS. */
typedef struct {
    const char *name;
    int first, count;
    TermKind kind;
} TermRow;

enum {
#define X(name, count, kind) TERM_ROW_##name,
    EVAL_TERMS(X)
#undef X
        TERM_ROW_COUNT
};

extern const TermRow term_rows[TERM_ROW_COUNT];
