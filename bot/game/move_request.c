/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/game/move_request.h"

#include "engine/base/minmax.h"

/* The same game has the same luck after a restart. */
static uint64_t seed_of(const char *game_id)
{
    uint64_t seed = 0;
    for (const char *c = game_id; *c; c++)
        seed = seed * 131 + (unsigned char)*c;
    return seed;
}

static SearchLimits per_move(const Config *settings, const char *game_id)
{
    return (SearchLimits){ .elo = settings->engine.elo,
                           .seed = seed_of(game_id),
                           .contempt_cp = int_max(settings->engine.contempt_cp, 0),
                           .nodes = (uint64_t)settings->engine.nodes,
                           .depth = settings->engine.depth_plies,
                           .movetime_ms = settings->engine.movetime_ms };
}

static BookRequest book_request(const Config *settings)
{
    return (BookRequest){ .is_used = settings->book.use,
                          .may_repeat = settings->book.repeat,
                          .learns = settings->book.learn,
                          .rules = { .pick = settings->book.choice,
                                     .min_weight = (uint32_t)settings->book.min_weight,
                                     .max_plies = settings->book.max_ply } };
}

void game_search_limits(const Game *game, int64_t now_ms, SearchLimits *limits)
{
    const ClockUse use = game_clock_use(game);
    gameclock_limit(&game->clock, game->us, now_ms, &use, limits);
}

/* Weakened play uses no other source. */
static const OnlineSettings nobody_online;

MoveRequest game_move_request(const Game *game, const Config *settings, uint32_t version,
                              int64_t now_ms, char fen[FEN_SIZE])
{
    const Scoresheet *sheet = &game->sheet;
    const bool is_weak = settings->engine.elo > 0 && sheet->has_rules;
    MoveRequest request = { .version = version,
                            .game = game->id,
                            .variant = game->variant,
                            .us = game->us,
                            .position = sheet->has_rules ? &sheet->position : NULL,
                            .fen = game->fen,
                            .moves = { sheet->text, sheet->len },
                            .engines = is_weak ? "none" : settings->engine.external,
                            .is_refused = game->refusals > 0,
                            .limits = per_move(settings, game->id),
                            .overhead_ms = game_lag(game).worst_ms,
                            .book = book_request(settings),
                            .online = is_weak ? nobody_online : settings->online,
                            .ponder = settings->engine.ponder && !is_weak &&
                                      !game->correspondence.is_correspondence };
    if (!sheet->fits) { /* too long to be sent: then without its past */
        fen_write(&sheet->position, fen);
        request.fen = fen;
    }
    game_search_limits(game, now_ms, &request.limits);
    return request;
}
