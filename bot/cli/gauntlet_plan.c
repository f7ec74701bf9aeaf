/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/cli/gauntlet_plan.h"

#include "engine/base/minmax.h"
#include "engine/base/text_format.h"

#include <string.h>

bool gauntlet_init(Gauntlet *out, const UserList *list, const ChallengeRequest *request, int games,
                   Error *err)
{
    *out = (Gauntlet){ .games = games, .request = *request };
    if (list->count == 0 || list->count > GAUNTLET_PLAYERS_MAX) {
        error_set(err, ERR_RANGE, "%zu names; a gauntlet has 1 to %d", list->count,
                  GAUNTLET_PLAYERS_MAX);
        return false;
    }
    for (size_t i = 0; i < list->count; i++) {
        GauntletPlayer *player = &out->players[out->count++];
        if (text_copy(player->id, sizeof player->id, text_of(list->ids[i])))
            continue;
        error_set(err, ERR_INVALID, "%s is no player's name", list->ids[i]);
        return false;
    }
    return true;
}

static bool is_of_it(const ChallengeRequest *request, const GameRecord *record)
{
    return record->time.kind == TIME_CLOCK && record->time.base_s == request->base_s &&
           record->time.increment_s == request->increment_s && record->rated == request->rated &&
           record->variant == request->variant && record->status != STATUS_ABORTED &&
           record->status != STATUS_NO_START;
}

void gauntlet_count(Gauntlet *gauntlet, const GameRecord *record)
{
    const Player *them = record_opponent(record);
    if (!is_of_it(&gauntlet->request, record))
        return;
    for (int i = 0; i < gauntlet->count; i++) {
        GauntletPlayer *player = &gauntlet->players[i];
        if (strcmp(player->id, them->id) != 0)
            continue;
        player->games++;
        player->won += record->winner == record->us;
        player->drawn += record->winner == COLOUR_NONE;
        player->lost += record->winner != record->us && record->winner != COLOUR_NONE;
        player->rating_sum += them->rating;
        player->rated_games += them->rating > 0;
    }
}

bool gauntlet_has(const Gauntlet *gauntlet, const char *id)
{
    for (int i = 0; i < gauntlet->count; i++)
        if (strcmp(gauntlet->players[i].id, id) == 0)
            return true;
    return false;
}

void gauntlet_recount(Gauntlet *gauntlet)
{
    for (int i = 0; i < gauntlet->count; i++) {
        GauntletPlayer *player = &gauntlet->players[i];
        player->games = player->won = player->drawn = player->lost = player->rated_games = 0;
        player->rating_sum = 0;
    }
}

GauntletPlayer *gauntlet_next(Gauntlet *gauntlet, int64_t now_ms, int64_t *at_ms)
{
    GauntletPlayer *next = NULL;
    *at_ms = INT64_MAX;
    for (int i = 0; i < gauntlet->count; i++) {
        GauntletPlayer *player = &gauntlet->players[i];
        if (player->games >= gauntlet->games || player->refusals >= GAUNTLET_TRIES)
            continue;
        *at_ms = int64_min(*at_ms, player->next_ms);
        if (player->next_ms <= now_ms && (!next || player->games < next->games))
            next = player;
    }
    return next;
}

ChallengeRequest gauntlet_request(const Gauntlet *gauntlet, const GauntletPlayer *player)
{
    ChallengeRequest request = gauntlet->request;
    bool is_black = (player - gauntlet->players + player->games) % 2 != 0;
    memcpy(request.opponent, player->id, sizeof request.opponent);
    request.colour = is_black ? BLACK : WHITE;
    return request;
}

void gauntlet_refused(GauntletPlayer *player, int64_t now_ms)
{
    player->refusals++;
    player->next_ms = now_ms + GAUNTLET_RETRY_MS;
}

void gauntlet_accepted(GauntletPlayer *player)
{
    player->refusals = 0;
    player->next_ms = 0;
}

static bool put_row(Buf *out, const GauntletPlayer *player, const char *name)
{
    char score[16] = "-", performance[16] = "-", opponents[16] = "-";
    StatsRow row = {
        .games = player->games, .won = player->won, .drawn = player->drawn, .lost = player->lost
    };
    if (player->rated_games > 0) {
        row.opponents = (double)player->rating_sum / player->rated_games;
        text_format(opponents, sizeof opponents, "%.0f", row.opponents);
        if (stats_performance(&row) != 0)
            text_format(performance, sizeof performance, "%d", stats_performance(&row));
    }
    if (player->games > 0)
        text_format(score, sizeof score, "%.1f %%",
                    100 * (player->won + player->drawn / 2.0) / player->games);
    return buf_printf(out, "%6d %6d %6d %6d  %7s  %9s  %11s  %s%s\n", player->games, player->won,
                      player->drawn, player->lost, score, opponents, performance, name,
                      player->refusals >= GAUNTLET_TRIES ? " (refused)" : "");
}

bool gauntlet_table(const Gauntlet *gauntlet, Buf *out)
{
    GauntletPlayer all = { .games = 0 };
    bool ok = buf_printf(out, "%6s %6s %6s %6s  %7s  %9s  %11s  %s\n", "games", "won", "drawn",
                         "lost", "score", "opponents", "performance", "opponent");
    for (int i = 0; i < gauntlet->count; i++) {
        const GauntletPlayer *player = &gauntlet->players[i];
        all.games += player->games;
        all.won += player->won;
        all.drawn += player->drawn;
        all.lost += player->lost;
        all.rating_sum += player->rating_sum;
        all.rated_games += player->rated_games;
        ok = ok && put_row(out, player, player->id);
    }
    return ok && put_row(out, &all, "all");
}
