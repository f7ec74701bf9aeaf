/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/policy/adjudicate.h"

void trend_add(ScoreTrend *trend, const DrawSettings *draw, const ResignSettings *resign,
               int score_cp)
{
    bool is_level = score_cp >= -draw->score_cp && score_cp <= draw->score_cp;
    bool is_lost = score_cp <= -resign->score_cp;
    trend->level = is_level ? trend->level + 1 : 0;
    trend->lost = is_lost ? trend->lost + 1 : 0;
}

/* An opponent about to lose on time gets no offer. */
static bool has_time(const Standing *standing, int opponent_clock_s)
{
    return standing->opponent_clock_ms >= (int64_t)opponent_clock_s * 1000;
}

static bool is_with(const DrawSettings *draw, const Standing *standing)
{
    return config_set_has(draw->opponents, (int)standing->opponent) &&
           has_time(standing, draw->opponent_clock_s);
}

static bool is_drawish(const DrawSettings *draw, const Standing *standing)
{
    if (standing->tablebase_verdict == TABLEBASE_VERDICT_WIN)
        return false;
    if (standing->tablebase_verdict == TABLEBASE_VERDICT_DRAW && draw->tablebase)
        return true;
    return standing->move_number >= draw->from_move && standing->pieces <= draw->pieces &&
           standing->trend.level >= draw->moves;
}

bool adjudicate_offers_draw(const DrawSettings *draw, const Standing *standing,
                            int plies_since_offer)
{
    /* An offer stands until the opponent moves, and would turn the fall of the flag into a draw. */
    if (standing->opponent_clock_ms < DRAW_OFFER_CLOCK_MIN_MS)
        return false;
    bool is_heard = !standing->takes_no_offer && standing->plies >= BEGUN_PLIES &&
                    plies_since_offer > DRAW_OFFER_GAP_PLIES;
    return draw->offer && is_heard && is_with(draw, standing) && is_drawish(draw, standing);
}

static bool is_level(const DrawSettings *draw, const Standing *standing)
{
    return draw->accepts_level && standing->tablebase_verdict != TABLEBASE_VERDICT_WIN &&
           standing->trend.level >= draw->moves;
}

bool adjudicate_accepts_draw(const DrawSettings *draw, const Standing *standing)
{
    bool is_saved = standing->tablebase_verdict == TABLEBASE_VERDICT_LOSS && draw->tablebase;
    return draw->accept && is_with(draw, standing) &&
           (is_saved || is_drawish(draw, standing) || is_level(draw, standing));
}

static bool is_lost(const ResignSettings *resign, const Standing *standing)
{
    switch (standing->tablebase_verdict) {
    case TABLEBASE_VERDICT_DRAW:
    case TABLEBASE_VERDICT_CURSED_WIN:
    case TABLEBASE_VERDICT_WIN:
        return false;
    case TABLEBASE_VERDICT_LOSS:
        if (resign->tablebase)
            return true;
        break;
    case TABLEBASE_VERDICT_NONE:
        break;
    }
    return standing->trend.lost >= resign->moves;
}

bool adjudicate_resigns(const ResignSettings *resign, const Standing *standing)
{
    bool is_mated_next = resign->lets_mate && standing->opponent_mates_next;
    return resign->enabled == SWITCH_YES && !is_mated_next && standing->plies + 1 >= BEGUN_PLIES &&
           config_set_has(resign->opponents, (int)standing->opponent) &&
           has_time(standing, resign->opponent_clock_s) && is_lost(resign, standing);
}
