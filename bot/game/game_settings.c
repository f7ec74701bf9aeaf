/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/game/game_settings.h"

#include "bot/policy/contempt.h"
#include "bot/policy/manners.h"
#include "bot/model/odds.h"
#include "engine/search/engine.h"

enum { UNSEEN_WAIT_S = 8 };

static Pace pace_of(const GameSettings *settings)
{
    switch (settings->pace.human) {
    case SWITCH_AUTO:
        return settings->engine.elo > 0 ? PACE_HUMAN : PACE_ENGINE;
    case SWITCH_NO:
    case SWITCH_COUNT:
        return PACE_ENGINE;
    case SWITCH_YES:
        return PACE_HUMAN;
    }
    return PACE_ENGINE;
}

/* Whose games the explorer counts, where it counts one player's. */
static void name_player(OnlineSettings *online, const GameFull *full, Colour us)
{
    const char *player;
    if (online->games == EXPLORER_OPPONENT)
        player = full->players[colour_other(us)].id;
    else if (online->player[0] == '\0')
        player = full->players[us].id;
    else
        return;
    text_copy(online->player, sizeof online->player, text_of(player));
}

/* Weakened play was fitted without contempt. Who gives odds is thought to be much the stronger. */
static void choose_contempt(GameSettings *settings, const GameFacts *facts, Colour us)
{
    if (settings->engine.contempt_cp != CONFIG_AUTO)
        return;
    settings->engine.contempt_cp = settings->engine.elo > 0 ? 0
                                   : odds_given(facts->initial_fen).giver == us
                                       ? CONTEMPT_MAX
                                       : contempt_cp(facts->our_rating, facts->opponent.rating);
}

/* A slip of the mouse costs a person no casual game. */
static void choose_takebacks(GameSettings *settings, const GameFacts *facts)
{
    if (settings->games.takebacks == CONFIG_AUTO)
        settings->games.takebacks = !facts->rated && facts->kind == KIND_HUMAN;
}

void game_settings_copy(GameSettings *out, const GameSettings *settings)
{
    *out = *settings;
    out->challenge.allow = out->challenge.block = (UserList){ 0 };
}

void game_settings_follow_level(GameSettings *settings, ServerKind server, uint64_t seed)
{
    if (server == SERVER_PYCHESS) /* tells a resignation to nobody */
        settings->resign.enabled = SWITCH_NO;
    manners_choose(&settings->draw, &settings->resign, settings->engine.elo, seed);
}

void game_settings_complete(GameSettings *settings, const GameFacts *facts, const GameFull *full,
                            Colour us, ServerKind server)
{
    choose_contempt(settings, facts, us);
    choose_takebacks(settings, facts);
    name_player(&settings->online, full, us);
    game_settings_follow_level(settings, server, game_seed_of(full->id));
}

void game_settings_limit_wait(GameSettings *settings, bool may_abort, bool is_unseen)
{
    if (!may_abort)
        settings->games.abort_after_s = 0;
    else if (is_unseen)
        settings->games.abort_after_s = UNSEEN_WAIT_S;
}

GameOptions game_settings_options(const GameSettings *settings, ServerKind server)
{
    return (GameOptions){ .pace = pace_of(settings),
                          .overhead_ms = settings->engine.overhead_ms,
                          .abort_after_ms = (int64_t)settings->games.abort_after_s * 1000,
                          .castles_by_target = server == SERVER_PYCHESS,
                          .hides_ends = server == SERVER_PYCHESS,
                          .takebacks = settings->games.takebacks,
                          .claim = settings->games.claim,
                          .draw = settings->draw,
                          .resign = settings->resign,
                          .search_ms = (int64_t)settings->games.correspondence_movetime_s * 1000,
                          .linger_ms = (int64_t)settings->games.correspondence_linger_s * 1000 };
}
