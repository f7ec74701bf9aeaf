/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/cli/losses_text.h"

#include <inttypes.h>
#include <stdio.h>

static const char *between(bool *is_first)
{
    const char *sign = *is_first ? "" : ", ";
    *is_first = false;
    return sign;
}

void losses_print(const StatsRow *row)
{
    const LossSum *sum = &row->losses;
    bool is_first = true;
    int64_t lost = 0;
    if (sum->games == 0)
        return;
    printf("analysed: %" PRId64 " of %" PRId64 " games", sum->games, row->games);
    if (sum->accurate > 0)
        printf(", accuracy %.1f %%, theirs %.1f %%", sum->ours / (double)sum->accurate,
               sum->theirs / (double)sum->accurate);
    printf("\nwinning chances lost a game: ");
    for (int i = 0; i < CAUSE_COUNT; i++)
        printf("%s%.0f %% %s", between(&is_first), sum->lost[i] / (double)sum->games,
               loss_cause_name((LossCause)i));
    puts("");
    is_first = true;
    for (int i = 0; i < CAUSE_COUNT; i++)
        lost += sum->lost_by[i];
    if (lost == 0)
        return;
    printf("games lost by: ");
    for (int i = 0; i < CAUSE_COUNT; i++)
        if (sum->lost_by[i] > 0)
            printf("%s%" PRId64 " %s", between(&is_first), sum->lost_by[i],
                   loss_cause_name((LossCause)i));
    puts("");
}
