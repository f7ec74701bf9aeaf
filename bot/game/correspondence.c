/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/game/correspondence.h"

#include "engine/base/minmax.h"

enum {
    SOON_MS = 3600 * 1000,
    WORTH_PLAYING_MS = 1000, /* what a search for at least so long has found */
};

void correspondence_init(GameCorrespondence *correspondence)
{
    correspondence->deadline_ms = INT64_MAX;
    correspondence->sleep_at_ms = INT64_MAX;
}

void correspondence_read_turn(Step *step, bool is_ours, int64_t left_ms)
{
    Game *game = step->game;
    GameCorrespondence *correspondence = &game->correspondence;
    if (game->stream.is_live || (game->is_set_up && game->clock.has_clock))
        return;
    correspondence->is_correspondence = true;
    if (game->phase == GAME_JOINING && !game->stream.is_open && !correspondence->may_search)
        correspondence->is_asleep = true;
    correspondence->is_our_turn = is_ours;
    correspondence->deadline_ms =
        is_ours && left_ms != INT64_MAX ? step->now_ms + left_ms : INT64_MAX;
}

void correspondence_grant_turn(Step *step)
{
    GameCorrespondence *correspondence = &step->game->correspondence;
    correspondence->may_search = true;
    correspondence->granted_at_ms = step->now_ms;
    correspondence_wake(step);
}

bool correspondence_can_wait(const Game *game, int64_t now_ms)
{
    return game->correspondence.deadline_ms - now_ms > SOON_MS;
}

void correspondence_make_way(Step *step)
{
    Game *game = step->game;
    GameSearch *search = &game->search;
    bool has_found = search->version != 0 && step->now_ms - search->since_ms >= WORTH_PLAYING_MS;
    if (has_found || !correspondence_can_wait(game, step->now_ms))
        search->stop_early_at_ms = int64_min(search->stop_early_at_ms, step->now_ms);
    else
        game->correspondence.may_search = false;
}

void correspondence_wake(Step *step)
{
    step->game->correspondence.is_asleep = false;
}

static bool outbox_is_empty(const Outbox *outbox)
{
    for (int kind = 0; kind < COMMAND_KIND_COUNT; kind++)
        if (outbox_holds(outbox, (CommandKind)kind))
            return false;
    return true;
}

/* The game's own stream decides whose turn it is. */
static void read_own_turn(const Game *game, GameCorrespondence *correspondence)
{
    bool owes = game_owes_move(game);
    correspondence->is_our_turn = owes;
    correspondence->may_search = correspondence->may_search && owes;
    correspondence->deadline_ms = owes ? gameclock_deadline_ms(&game->clock, game->us) : INT64_MAX;
}

bool correspondence_sleep(Step *step)
{
    Game *game = step->game;
    GameCorrespondence *correspondence = &game->correspondence;
    bool is_read = game->stream.is_live && game->phase != GAME_ENDING;
    if (is_read)
        read_own_turn(game, correspondence);
    bool may = correspondence->is_correspondence && is_read && !correspondence->may_search &&
               outbox_is_empty(&game->outbox);
    if (!may)
        correspondence->sleep_at_ms = INT64_MAX;
    else if (correspondence->sleep_at_ms == INT64_MAX)
        correspondence->sleep_at_ms = step->now_ms + game->options.linger_ms;
    if (step->now_ms < correspondence->sleep_at_ms)
        return false;
    correspondence->is_asleep = true;
    correspondence->sleep_at_ms = INT64_MAX;
    return true;
}
