/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The lists of a damaged analysis, a line each: what is read of them is written as lists that are
 * read as the same again. */
#include "bot/archive/eval_lists.h"
#include "engine/base/text.h"

#include <stdlib.h>

enum { POSITIONS = 12, LIST_MAX = 4096 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool ok)
{
    if (!ok)
        abort();
}

static void unknown(PositionEval out[POSITIONS])
{
    for (int i = 0; i < POSITIONS; i++)
        out[i] = (PositionEval){ .score = SCORE_NONE };
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    PositionEval first[POSITIONS], again[POSITIONS];
    Text rest = { (const char *)data, size };
    unknown(first);
    unknown(again);
    for (int kind = 0; kind < EVAL_LIST_COUNT; kind++) {
        Text line = text_next_word(&rest, "\n");
        (void)!eval_list_read(first, POSITIONS, (EvalListKind)kind, line);
    }
    for (int kind = 0; kind < EVAL_LIST_COUNT; kind++) {
        Buf once, twice;
        buf_init(&once, LIST_MAX);
        buf_init(&twice, LIST_MAX);
        must(eval_list_write(first, POSITIONS, (EvalListKind)kind, &once));
        must(eval_list_read(again, POSITIONS, (EvalListKind)kind,
                            (Text){ buf_view(&once), once.len }));
        must(eval_list_write(again, POSITIONS, (EvalListKind)kind, &twice));
        must(once.len == twice.len && memcmp(buf_view(&once), buf_view(&twice), once.len) == 0);
        buf_release(&once);
        buf_release(&twice);
    }
    return 0;
}
