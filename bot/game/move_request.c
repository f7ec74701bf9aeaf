/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/game/move_request.h"

#include "bot/game/human_pace.h"
#include "engine/base/minmax.h"

enum { VARIED_PLIES = 16 };
enum { FAST_MOVETIME_MS = 250, PACE_MOVETIME_MIN_MS = 20 };

static bool plays_as_human(const GameSettings *settings)
{
    return settings->engine.elo > 0 && settings->engine.human[0] != '\0' &&
           settings->engine.style == STYLE_HUMAN;
}

static SearchLimits per_move(const GameSettings *settings, uint64_t seed, uint32_t ply)
{
    return (SearchLimits){ .elo = settings->engine.elo,
                           .human = plays_as_human(settings),
                           .human_likeliest = settings->engine.human_choice == HUMAN_LIKELIEST,
                           .seed = seed,
                           .variety_cp = ply < VARIED_PLIES ? settings->engine.variety_cp : 0,
                           .contempt_cp = int_max(settings->engine.contempt_cp, 0),
                           .nodes = (uint64_t)settings->engine.nodes,
                           .depth = settings->engine.depth_plies,
                           .movetime_ms = settings->engine.movetime_ms };
}

static BookRequest book_request(const GameSettings *settings)
{
    return (BookRequest){ .files = settings->book.files,
                          .is_used = settings->book.use,
                          .max_moves = settings->book.max_moves,
                          .may_repeat = settings->book.repeat,
                          .learns = settings->book.learn,
                          .rules = { .pick = settings->book.choice,
                                     .min_weight = (uint32_t)settings->book.min_weight,
                                     .max_plies = settings->book.max_ply } };
}

/* The search ends by the time that its move is to be made. Weakened play takes less anyway, and is
 * as strong as was asked for. */
static void limit_to_pace(const Game *game, int64_t now_ms, SearchLimits *limits)
{
    int64_t most_ms = 0;
    if (game->options.pace == PACE_FAST)
        most_ms = FAST_MOVETIME_MS;
    else if (game->options.pace == PACE_HUMAN && limits->elo == 0 && game->clock.has_clock)
        most_ms = int64_max(human_pace_ms(game, NULL, now_ms), PACE_MOVETIME_MIN_MS);
    if (most_ms > 0 && (limits->movetime_ms == 0 || limits->movetime_ms > most_ms))
        limits->movetime_ms = most_ms;
}

void game_search_limits(const Game *game, int64_t now_ms, SearchLimits *limits)
{
    const ClockUse use = game_clock_use(game);
    gameclock_limit(&game->clock, game->us, now_ms, &use, limits);
    limit_to_pace(game, now_ms, limits);
}

/* Weakened play uses no other source. */
static const OnlineSettings nobody_online;

MoveRequest game_move_request(const Game *game, const GameSettings *settings, uint32_t version,
                              int64_t now_ms, char fen[FEN_SIZE])
{
    const Scoresheet *sheet = &game->sheet;
    const bool is_weak = settings->engine.elo > 0;
    MoveRequest request = { .version = version,
                            .game = game->id,
                            .variant = game->variant,
                            .us = game->us,
                            .position = &sheet->position,
                            .fen = game->fen,
                            .moves = { sheet->text, sheet->len },
                            .engines = is_weak ? "none" : settings->engine.external,
                            .human = plays_as_human(settings) ? settings->engine.human : NULL,
                            .limits = per_move(settings, game_seed(game), game_ply(game)),
                            .overhead_ms = game_lag(game).worst_ms,
                            .book = book_request(settings),
                            .tables = settings->engine.tables,
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
