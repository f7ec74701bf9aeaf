/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/archive/eval_lists.h"

#include "bot/archive/move_lists.h"
#include "engine/base/number.h"

#include <ctype.h>

static bool put_word(const PositionEval *eval, EvalListKind kind, Buf *out)
{
    char score[SCORE_WORD_SIZE];
    if (eval->score == SCORE_NONE)
        return buf_put_char(out, '-');
    switch (kind) {
    case EVAL_LIST_SCORES:
        score_word_write(eval->score, score);
        return buf_put_text(out, score);
    case EVAL_LIST_DEPTHS:
        return buf_printf(out, "%d", eval->depth);
    case EVAL_LIST_BEST:
        return buf_put_text(out, eval->best[0] != '\0' ? eval->best : "-");
    case EVAL_LIST_COUNT:
        break;
    }
    return false;
}

bool eval_list_write(const PositionEval *evals, size_t count, EvalListKind kind, Buf *out)
{
    bool ok = true;
    for (size_t i = 0; i < count && ok; i++)
        ok = (i == 0 || buf_put_char(out, ' ')) && put_word(&evals[i], kind, out);
    return ok;
}

/* Moves are not validated here; replay does that. */
static bool read_best(PositionEval *eval, Text word)
{
    for (size_t i = 0; i < word.len; i++)
        if (!isalnum((unsigned char)word.at[i]) && word.at[i] != '@')
            return false;
    return word.len > 0 && text_copy(eval->best, sizeof eval->best, word);
}

static bool read_word(PositionEval *eval, EvalListKind kind, Text word)
{
    int64_t depth;
    if (text_is(word, "-"))
        return true;
    switch (kind) {
    case EVAL_LIST_SCORES:
        return score_word_read(word, &eval->score);
    case EVAL_LIST_DEPTHS:
        if (!number_parse(word.at, word.len, 0, MAX_PLY, &depth, NULL))
            return false;
        eval->depth = (int)depth;
        return true;
    case EVAL_LIST_BEST:
        return read_best(eval, word);
    case EVAL_LIST_COUNT:
        break;
    }
    return false;
}

bool eval_list_read(PositionEval *evals, size_t count, EvalListKind kind, Text list)
{
    for (size_t i = 0; i < count; i++)
        if (!read_word(&evals[i], kind, text_next_word(&list, " ")))
            return false;
    return list.len == 0;
}
