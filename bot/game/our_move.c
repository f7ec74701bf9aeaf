/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/game/our_move.h"

#include "bot/game/human_pace.h"
#include "bot/game/offers.h"
#include "engine/base/minmax.h"
#include "engine/core/movegen.h"

enum { LAST_RESORT_AFTER_MS = 500 };

int64_t our_move_time_left_ms(const Game *game, int64_t now_ms)
{
    if (game->us == COLOUR_NONE)
        return INT64_MAX;
    return gameclock_left_ms(&game->clock, game->us, game->sheet.position.side_to_move, now_ms);
}

/* A king that castles where it stands ("g1h1", Chess960) could step aside by the same text on our
 * next turn, and a piece could be dropped on the same square again. After any other move no piece
 * of ours stands on its first square. */
static bool is_another_move_later(Move move)
{
    return move_is_drop(move) || (move_is_castling(move) && move_from(move) == move_to(move));
}

/* The move as we write it. */
static void write_move(const Game *game, Move move, char out[UCI_MOVE_SIZE])
{
    bool by_target = game->options.castles_by_target && !game->sheet.position.rules.chess960;
    uci_move_write(&game->sheet.position, move,
                   by_target ? CASTLING_KING_TO_TARGET : CASTLING_KING_TAKES_ROOK, out);
}

static void note_move(Step *step, const MoveChoice *choice)
{
    const Game *game = step->game;
    Note note = { .kind = NOTE_MOVE, .ply = (int)game_ply(game) + 1, .choice = *choice };
    note.ms = our_move_time_left_ms(game, step->now_ms);
    write_move(game, choice->move, note.uci);
    san_write(&game->sheet.position, choice->move, note.san);
    step_note(step, note);
}

static void post_move(Step *step, const MoveChoice *choice)
{
    Game *game = step->game;
    Command command = { .kind = COMMAND_MOVE,
                        .offers_draw = offers_adjudicate(step, choice),
                        .resync_first = is_another_move_later(choice->move) };
    write_move(game, choice->move, command.uci);
    outbox_drop(&game->outbox, COMMAND_TAKEBACK); /* the move is the answer */
    outbox_drop(&game->outbox, COMMAND_DRAW);
    outbox_put(&game->outbox, command, step->now_ms);
    game->sent = (GameMoveSent){ .move = choice->move,
                                 .ply = game_ply(game) + 1,
                                 .found_ms = step->now_ms,
                                 .clock = game->clock };
    note_move(step, choice);
}

static bool is_legal(const MoveList *legal, Move move)
{
    for (int i = 0; i < legal->count; i++) {
        if (legal->moves[i] == move)
            return true;
    }
    return false;
}

/* Whatever happened to the search, a legal move is better than none. */
static void play_choice(Step *step, MoveChoice choice)
{
    Game *game = step->game;
    MoveList legal;
    movegen_legal(&game->sheet.position, &legal);
    game->search.version = 0;
    if (!is_legal(&legal, choice.move)) {
        step_note(step, (Note){ .kind = NOTE_LAST_RESORT, .ply = (int)game_ply(game) + 1 });
        choice = (MoveChoice){ .move = legal.moves[0] };
    }
    post_move(step, &choice);
}

/* What the server's clock lost by our move besides the time that passed here. Where it did not run
 * or was changed otherwise, the time from our request to the stream's echo. */
static int64_t measured_lag_ms(const Game *game, int64_t sent_ms, int64_t now_ms)
{
    const GameClock *then = &game->sent.clock;
    int64_t echo = now_ms - sent_ms;
    int64_t spent = then->time_ms[game->us] + then->increment_ms[game->us] -
                    game->clock.time_ms[game->us] - (sent_ms - then->at_ms);
    bool is_known = then->has_clock && then->running && game->clock.has_both_times &&
                    game->sheet.position.side_to_move != game->us;
    return is_known && spent >= 0 ? spent : echo;
}

void our_move_search(Step *step)
{
    Game *game = step->game;
    GameSearch *search = &game->search;
    bool is_waiting = step->now_ms < game->move_waits_until_ms;
    if (!is_waiting)
        game->move_waits_until_ms = 0;
    bool owes = game_owes_move(game) && !is_waiting &&
                (!game->correspondence.is_correspondence || game->correspondence.may_search);
    if (search->version != 0 && (!owes || search->version != game->sheet.version)) {
        search->version = 0;
        step_effect(step, EFFECT_STOP_SEARCH);
    }
    if (!owes || search->version != 0 || outbox_holds(&game->outbox, COMMAND_MOVE))
        return;
    const ClockUse use = game_clock_use(game);
    *search = (GameSearch){
        .version = game->sheet.version,
        .since_ms = step->now_ms,
        .stop_early_at_ms = gameclock_stop_early_at_ms(&game->clock, game->us, step->now_ms, &use),
    };
    step_effect(step, EFFECT_SEARCH)->version = search->version;
}

void our_move_release(Step *step)
{
    Game *game = step->game;
    GameSearch *search = &game->search;
    if (search->version == 0 || !search->is_held)
        return;
    if (game->options.pace == PACE_HUMAN && step->now_ms < search->hold_until_ms)
        return;
    search->held.time_ms = step->now_ms - search->since_ms;
    play_choice(step, search->held);
}

void our_move_stop_early(Step *step)
{
    Game *game = step->game;
    GameSearch *search = &game->search;
    if (search->version == 0 || search->is_held)
        return;
    if (search->is_stopped_early) {
        if (step->now_ms >= search->last_resort_at_ms)
            play_choice(step, (MoveChoice){ .move = MOVE_NONE });
        return;
    }
    if (step->now_ms < search->stop_early_at_ms)
        return;
    int64_t left = our_move_time_left_ms(game, step->now_ms);
    int64_t timeout = left / 4 < LAST_RESORT_AFTER_MS ? left / 4 : LAST_RESORT_AFTER_MS;
    search->is_stopped_early = true;
    search->last_resort_at_ms = step->now_ms + timeout;
    step_effect(step, EFFECT_STOP_SEARCH);
    step_note(step,
              (Note){ .kind = NOTE_STOPPED_EARLY, .ply = (int)game_ply(game) + 1, .ms = left });
}

/* A move in need has waited long enough. */
static bool holds_back(Step *step, const MoveChoice *choice)
{
    Game *game = step->game;
    GameSearch *search = &game->search;
    if (game->options.pace != PACE_HUMAN || search->is_stopped_early ||
        !move_choice_has_move(choice))
        return false;
    int64_t until = search->since_ms + human_pace_ms(game, choice, search->since_ms);
    search->hold_until_ms = int64_min(until, search->stop_early_at_ms);
    search->is_held = step->now_ms < search->hold_until_ms;
    search->held = *choice;
    search->held.candidates = NULL; /* was lent */
    return search->is_held;
}

void our_move_found(Step *step, const MoveChoice *choice)
{
    Game *game = step->game;
    if (game->search.version == 0 || choice->version != game->search.version)
        return; /* of a list that is no more, or after the last resort */
    if (holds_back(step, choice))
        return;
    play_choice(step, *choice);
}

void our_move_hurry(Step *step)
{
    Game *game = step->game;
    GameSearch *search = &game->search;
    if (game->options.pace != PACE_HUMAN)
        return;
    game->options.pace = PACE_FAST;
    if (search->version != 0 && !search->is_held && !search->is_stopped_early)
        step_effect(step, EFFECT_STOP_SEARCH); /* its move still comes */
}

void our_move_settle(Step *step)
{
    Game *game = step->game;
    if (!outbox_holds(&game->outbox, COMMAND_MOVE))
        return;
    const OutboxSlot *slot = &game->outbox.slots[COMMAND_MOVE];
    for (int i = 0; i < game->sheet.tail_count; i++) {
        const SheetMove *made = &game->sheet.tail[i];
        if (made->ply != game->sent.ply || made->move != game->sent.move)
            continue;
        int64_t lag = slot->tries == 1 ? measured_lag_ms(game, slot->sent_ms, step->now_ms) : -1;
        if (game->is_against_ai && lag >= LAG_AI_HOLD_MS)
            lag -= LAG_AI_HOLD_MS;
        if (lag >= 0)
            lag_meter_add(&game->lag, lag);
        step_note(step, (Note){ .kind = NOTE_CONFIRMED,
                                .ply = (int)made->ply,
                                .count = slot->tries,
                                .ms = step->now_ms - game->sent.found_ms,
                                .lag_ms = lag });
    }
    outbox_drop(&game->outbox, COMMAND_MOVE);
}
