/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/policy/level.h"

#include "bot/config/settings.h"
#include "engine/base/minmax.h"
#include "engine/base/number.h"
#include "engine/base/text_format.h"
#include "engine/search/engine.h"

enum { STEP_SUM = 240, STEP_GAMES = 6, STEP_MIN = 6, GAMES_MAX = 10000 };

int level_for(int elo, int opponent_rating, const LevelLearnt *learnt)
{
    if (!elo_follows_opponent(elo))
        return elo;
    int rating = opponent_rating > 0 ? opponent_rating : LEVEL_UNKNOWN;
    return int_clamp(rating + (elo - ELO_OPPONENT) + learnt->offset, ELO_MIN, LEVEL_MAX);
}

LevelLearnt level_after(LevelLearnt learnt, int result)
{
    int step = int_max(STEP_SUM / (STEP_GAMES + learnt.games), STEP_MIN);
    return (LevelLearnt){ .offset = int_clamp(learnt.offset - result * step, -LEVEL_OFFSET_MAX,
                                              LEVEL_OFFSET_MAX),
                          .games = int_min(learnt.games + 1, GAMES_MAX) };
}

void level_write(const LevelLearnt *learnt, char out[LEVEL_TEXT_SIZE])
{
    text_format(out, LEVEL_TEXT_SIZE, "%d %d", learnt->offset, learnt->games);
}

LevelLearnt level_read(Text text)
{
    int64_t offset, games;
    Text first = text_next_word(&text, " "), second = text_next_word(&text, " ");
    if (text.len > 0 ||
        !number_parse(first.at, first.len, -LEVEL_OFFSET_MAX, LEVEL_OFFSET_MAX, &offset, NULL) ||
        !number_parse(second.at, second.len, 0, GAMES_MAX, &games, NULL))
        return (LevelLearnt){ 0 };
    return (LevelLearnt){ (int)offset, (int)games };
}
