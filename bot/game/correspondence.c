/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/game/correspondence.h"

void rest_init(GameRest *rest)
{
    rest->due_since_ms = INT64_MAX;
    rest->deadline_ms = INT64_MAX;
    rest->rest_at_ms = INT64_MAX;
}

void rest_read_turn(Step *step, bool is_ours, int64_t left_ms)
{
    Game *game = step->game;
    GameRest *rest = &game->rest;
    if (game->stream.is_live || (game->is_set_up && game->clock.has_clock))
        return;
    rest->is_slow = true;
    if (game->phase == GAME_JOINING && !game->stream.is_open && !rest->is_called)
        rest->is_resting = true;
    rest->is_due = is_ours;
    rest->deadline_ms = is_ours && left_ms != INT64_MAX ? step->now_ms + left_ms : INT64_MAX;
}

void rest_call(Step *step, bool gives_way)
{
    GameRest *rest = &step->game->rest;
    rest->is_called = true;
    rest->gives_way = gives_way;
    rest->called_at_ms = step->now_ms;
    rest_end(step);
}

void rest_end(Step *step)
{
    step->game->rest.is_resting = false;
}

static bool outbox_is_empty(const Outbox *outbox)
{
    for (int kind = 0; kind < COMMAND_KIND_COUNT; kind++)
        if (outbox_holds(outbox, (CommandKind)kind))
            return false;
    return true;
}

/* The game's own stream knows best whose turn it is. */
static void read_own_turn(const Game *game, GameRest *rest)
{
    bool owes = game_owes_move(game);
    rest->is_due = owes;
    rest->is_called = rest->is_called && owes;
    rest->deadline_ms = owes ? gameclock_deadline_ms(&game->clock, game->us) : INT64_MAX;
}

static void note_since_when(const Game *game, GameRest *rest, int64_t now_ms)
{
    if (!rest->is_called && !game_wants_turn(game))
        rest->due_since_ms = INT64_MAX;
    else if (rest->due_since_ms == INT64_MAX)
        rest->due_since_ms = now_ms;
}

bool rest_begins(Step *step)
{
    Game *game = step->game;
    GameRest *rest = &game->rest;
    bool is_read = game->stream.is_live && game->phase != GAME_ENDING;
    if (is_read)
        read_own_turn(game, rest);
    note_since_when(game, rest, step->now_ms);
    bool may = rest->is_slow && is_read && !rest->is_called && outbox_is_empty(&game->outbox);
    if (!may)
        rest->rest_at_ms = INT64_MAX;
    else if (rest->rest_at_ms == INT64_MAX)
        rest->rest_at_ms = step->now_ms + game->options.stay_ms;
    if (step->now_ms < rest->rest_at_ms)
        return false;
    rest->is_resting = true;
    rest->rest_at_ms = INT64_MAX;
    return true;
}
