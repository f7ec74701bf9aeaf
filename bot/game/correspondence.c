/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/game/correspondence.h"

void correspondence_init(GameCorrespondence *rest)
{
    rest->turn_since_ms = INT64_MAX;
    rest->deadline_ms = INT64_MAX;
    rest->sleep_at_ms = INT64_MAX;
}

void correspondence_read_turn(Step *step, bool is_ours, int64_t left_ms)
{
    Game *game = step->game;
    GameCorrespondence *rest = &game->rest;
    if (game->stream.is_live || (game->is_set_up && game->clock.has_clock))
        return;
    rest->is_correspondence = true;
    if (game->phase == GAME_JOINING && !game->stream.is_open && !rest->may_think)
        rest->is_asleep = true;
    rest->is_our_turn = is_ours;
    rest->deadline_ms = is_ours && left_ms != INT64_MAX ? step->now_ms + left_ms : INT64_MAX;
}

void correspondence_grant_turn(Step *step, bool is_low_priority)
{
    GameCorrespondence *rest = &step->game->rest;
    rest->may_think = true;
    rest->is_low_priority = is_low_priority;
    rest->granted_at_ms = step->now_ms;
    correspondence_wake(step);
}

void correspondence_wake(Step *step)
{
    step->game->rest.is_asleep = false;
}

static bool outbox_is_empty(const Outbox *outbox)
{
    for (int kind = 0; kind < COMMAND_KIND_COUNT; kind++)
        if (outbox_holds(outbox, (CommandKind)kind))
            return false;
    return true;
}

/* The game's own stream knows best whose turn it is. */
static void read_own_turn(const Game *game, GameCorrespondence *rest)
{
    bool owes = game_owes_move(game);
    rest->is_our_turn = owes;
    rest->may_think = rest->may_think && owes;
    rest->deadline_ms = owes ? gameclock_deadline_ms(&game->clock, game->us) : INT64_MAX;
}

static void note_since_when(const Game *game, GameCorrespondence *rest, int64_t now_ms)
{
    if (!rest->may_think && !game_wants_turn(game))
        rest->turn_since_ms = INT64_MAX;
    else if (rest->turn_since_ms == INT64_MAX)
        rest->turn_since_ms = now_ms;
}

bool correspondence_sleep(Step *step)
{
    Game *game = step->game;
    GameCorrespondence *rest = &game->rest;
    bool is_read = game->stream.is_live && game->phase != GAME_ENDING;
    if (is_read)
        read_own_turn(game, rest);
    note_since_when(game, rest, step->now_ms);
    bool may =
        rest->is_correspondence && is_read && !rest->may_think && outbox_is_empty(&game->outbox);
    if (!may)
        rest->sleep_at_ms = INT64_MAX;
    else if (rest->sleep_at_ms == INT64_MAX)
        rest->sleep_at_ms = step->now_ms + game->options.stay_ms;
    if (step->now_ms < rest->sleep_at_ms)
        return false;
    rest->is_asleep = true;
    rest->sleep_at_ms = INT64_MAX;
    return true;
}
