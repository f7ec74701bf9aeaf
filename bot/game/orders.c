/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/game/orders.h"

static bool may_abort(const Game *game, Error *err)
{
    if (game_ply(game) >= BEGUN_PLIES)
        error_set(err, ERR_NOT_NOW, "%s: too late to abort, both have moved; castled resign %s",
                  game->id, game->id);
    else if (game->is_tournament)
        error_set(err, ERR_NOT_NOW, "%s: a tournament's game can't be aborted", game->id);
    else
        return true;
    return false;
}

/* The server ignores such offers without a word. */
static bool may_offer_draw(const Game *game, Error *err)
{
    int since = eval_history_plies_since_offer(&game->eval_history, game_ply(game) + 1);
    if (game->is_against_ai)
        error_set(err, ERR_NOT_NOW, "%s: Lichess's own engine takes no draw offer", game->id);
    else if (game->phase != GAME_PLAYING)
        error_set(err, ERR_NOT_NOW, "%s: it goes with a move, and we can't play in this game",
                  game->id);
    else if (game_ply(game) < BEGUN_PLIES)
        error_set(err, ERR_NOT_NOW, "%s: no draw offers before both have moved", game->id);
    else if (game->draw != OFFER_STANDS && since < DRAW_OFFER_GAP_PLIES)
        error_set(err, ERR_NOT_NOW, "%s: our latest draw offer is %d plies old, Lichess wants %d",
                  game->id, since, DRAW_OFFER_GAP_PLIES);
    else
        return true;
    return false;
}

bool orders_may(const Game *game, GameOrder order, Error *err)
{
    if (game->phase == GAME_JOINING) {
        error_set(err, ERR_NOT_NOW, "%s: not read from the server yet, try again", game->id);
        return false;
    }
    if (game->phase >= GAME_ENDING) {
        error_set(err, ERR_NOT_NOW, "%s: the game is over", game->id);
        return false;
    }
    switch (order) {
    case ORDER_ABORT:
        return may_abort(game, err);
    case ORDER_DRAW:
        return may_offer_draw(game, err);
    case ORDER_RESIGN:
        return true;
    }
    return false;
}

bool orders_command(GameOrder order, CommandKind *out)
{
    if (order == ORDER_DRAW)
        return false;
    *out = order == ORDER_ABORT ? COMMAND_ABORT : COMMAND_RESIGN;
    return true;
}

void orders_take(Step *step, GameOrder order)
{
    CommandKind kind;
    if (orders_command(order, &kind))
        outbox_put(&step->game->outbox, (Command){ .kind = kind, .is_ordered = true },
                   step->now_ms);
    else
        step->game->draw_is_ordered = true;
}

void orders_drop_own(Step *step, CommandKind kind)
{
    if (!step->game->outbox.slots[kind].command.is_ordered)
        outbox_drop(&step->game->outbox, kind);
}

const char *orders_name(GameOrder order)
{
    static const char *const names[] = {
        [ORDER_ABORT] = "abort", [ORDER_RESIGN] = "resign", [ORDER_DRAW] = "draw"
    };
    return names[order];
}
