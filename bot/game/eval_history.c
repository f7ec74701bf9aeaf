/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/game/eval_history.h"

#include "engine/base/number.h"
#include "engine/base/text_format.h"

#include <limits.h>

enum { PLY_MAX = 100000, NUMBERS = 4 };

void eval_history_add(EvalHistory *eval_history, const MoveChoice *choice, uint32_t ply,
                      const DrawSettings *draw, const ResignSettings *resign)
{
    bool is_again = eval_history->ply == ply;
    if (!is_again && eval_history->ply + 2 != ply)
        eval_history->trend = (ScoreTrend){ 0 };
    if (choice->depth > 0)
        trend_add(&eval_history->trend, draw, resign, choice->score - choice->draw_score);
    eval_history->tablebase_verdict = choice->tablebase_verdict;
    eval_history->ply = ply;
}

ScoreTrend eval_history_trend(const EvalHistory *eval_history, uint32_t plies)
{
    bool is_of_these = plies == eval_history->ply || plies == eval_history->ply + 1;
    return is_of_these ? eval_history->trend : (ScoreTrend){ 0 };
}

TablebaseVerdict eval_history_verdict(const EvalHistory *eval_history, uint32_t plies)
{
    return plies == eval_history->ply ? eval_history->tablebase_verdict : TABLEBASE_VERDICT_NONE;
}

int eval_history_plies_since_offer(const EvalHistory *eval_history, uint32_t ply)
{
    bool is_made = eval_history->offered_at_ply > 0 && eval_history->offered_at_ply <= ply;
    return is_made ? (int)(ply - eval_history->offered_at_ply) : INT_MAX;
}

void eval_history_write(const EvalHistory *eval_history, char out[EVAL_HISTORY_TEXT_SIZE])
{
    const ScoreTrend *trend = &eval_history->trend;
    bool has_trend = trend->level > 0 || trend->lost > 0;
    out[0] = '\0';
    if (!has_trend && eval_history->offered_at_ply == 0)
        return;
    text_format(out, EVAL_HISTORY_TEXT_SIZE, "%u %d %d %u", has_trend ? eval_history->ply : 0,
                trend->level, trend->lost, eval_history->offered_at_ply);
}

bool eval_history_read(EvalHistory *out, Text text)
{
    int64_t numbers[NUMBERS];
    size_t from = 0;
    for (int i = 0; i < NUMBERS; i++) {
        const char *blank = from < text.len ? memchr(text.at + from, ' ', text.len - from) : NULL;
        size_t end = blank ? (size_t)(blank - text.at) : text.len;
        bool is_last = i + 1 == NUMBERS;
        if (from > text.len || is_last != (blank == NULL) ||
            !number_parse(text.at + from, end - from, 0, PLY_MAX, &numbers[i], NULL))
            return false;
        from = end + 1;
    }
    *out = (EvalHistory){ .ply = (uint32_t)numbers[0],
                          .trend = { .level = (int)numbers[1], .lost = (int)numbers[2] },
                          .offered_at_ply = (uint32_t)numbers[3] };
    return true;
}
