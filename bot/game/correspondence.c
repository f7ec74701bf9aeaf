/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/game/correspondence.h"

void correspondence_init(GameCorrespondence *correspondence)
{
    correspondence->turn_since_ms = INT64_MAX;
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

void correspondence_grant_turn(Step *step, bool is_low_priority)
{
    GameCorrespondence *correspondence = &step->game->correspondence;
    correspondence->may_search = true;
    correspondence->is_low_priority = is_low_priority;
    correspondence->granted_at_ms = step->now_ms;
    correspondence_wake(step);
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

/* The game's own stream knows best whose turn it is. */
static void read_own_turn(const Game *game, GameCorrespondence *correspondence)
{
    bool owes = game_owes_move(game);
    correspondence->is_our_turn = owes;
    correspondence->may_search = correspondence->may_search && owes;
    correspondence->deadline_ms = owes ? gameclock_deadline_ms(&game->clock, game->us) : INT64_MAX;
}

static void note_since_when(const Game *game, GameCorrespondence *correspondence, int64_t now_ms)
{
    if (!correspondence->may_search && !game_wants_turn(game))
        correspondence->turn_since_ms = INT64_MAX;
    else if (correspondence->turn_since_ms == INT64_MAX)
        correspondence->turn_since_ms = now_ms;
}

bool correspondence_sleep(Step *step)
{
    Game *game = step->game;
    GameCorrespondence *correspondence = &game->correspondence;
    bool is_read = game->stream.is_live && game->phase != GAME_ENDING;
    if (is_read)
        read_own_turn(game, correspondence);
    note_since_when(game, correspondence, step->now_ms);
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
