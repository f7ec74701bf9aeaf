/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/game/eval_history.h"

#include "engine/base/number.h"

#include <limits.h>
#include <stdio.h>

enum { PLY_MAX = 100000, NUMBERS = 4 };

void outlook_add(Outlook *outlook, const Thought *thought, uint32_t ply, const DrawSettings *draw,
                 const ResignSettings *resign)
{
    bool is_again = outlook->ply == ply;
    if (!is_again && outlook->ply + 2 != ply)
        outlook->trend = (ScoreTrend){ 0 };
    if (thought->depth > 0)
        trend_add(&outlook->trend, draw, resign, thought->score);
    outlook->tables = thought->tables;
    outlook->ply = ply;
}

ScoreTrend outlook_trend(const Outlook *outlook, uint32_t plies)
{
    bool is_of_these = plies == outlook->ply || plies == outlook->ply + 1;
    return is_of_these ? outlook->trend : (ScoreTrend){ 0 };
}

TableVerdict outlook_tables(const Outlook *outlook, uint32_t plies)
{
    return plies == outlook->ply ? outlook->tables : TABLES_SILENT;
}

int outlook_plies_since_offer(const Outlook *outlook, uint32_t ply)
{
    bool is_made = outlook->offered_at_ply > 0 && outlook->offered_at_ply <= ply;
    return is_made ? (int)(ply - outlook->offered_at_ply) : INT_MAX;
}

void outlook_write(const Outlook *outlook, char out[OUTLOOK_TEXT_SIZE])
{
    const ScoreTrend *trend = &outlook->trend;
    bool has_trend = trend->level > 0 || trend->lost > 0;
    out[0] = '\0';
    if (!has_trend && outlook->offered_at_ply == 0)
        return;
    int len = snprintf(out, OUTLOOK_TEXT_SIZE, "%u %d %d %u", has_trend ? outlook->ply : 0,
                       trend->level, trend->lost, outlook->offered_at_ply);
    if (len < 0 || len >= OUTLOOK_TEXT_SIZE) /* four numbers of ten digits do fit */
        out[0] = '\0';
}

bool outlook_read(Outlook *out, Text text)
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
    *out = (Outlook){ .ply = (uint32_t)numbers[0],
                      .trend = { .level = (int)numbers[1], .lost = (int)numbers[2] },
                      .offered_at_ply = (uint32_t)numbers[3] };
    return true;
}
