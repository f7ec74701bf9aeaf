/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/game/offers.h"

#include "bot/game/list_check.h"
#include "engine/base/minmax.h"
#include "engine/core/bitboard.h"

enum {
    CLAIM_RETRY_MS = 5000,
    CLAIM_TRIES_MAX = 5,
    /* The countdown has a line every 5 s. Who returns before its end is not reported. */
    COUNTDOWN_VOID_MS = 10000,
};
enum {
    YES_WAIT_MAX_MS = 5000, /* for a "yes" to arrive, */
    YES_WAIT_SHARE = 8,     /* but not more than this part of our clock */
    YES_EFFECT_MS = 1000,   /* for the stream to show what it did */
};

/* Draws and resignation. */

/* As it is, or will be after the move of ours that is just found. */
static Standing standing(const Step *step, uint32_t plies)
{
    const Game *game = step->game;
    const Scoresheet *sheet = &game->sheet;
    return (Standing){
        .opponent = game->opponent_kind,
        .move_number = sheet->position.fullmove_number,
        .pieces = bitboard_count(sheet->position.occupied),
        .opponent_clock_ms = gameclock_left_ms(&game->clock, game_opponent(game),
                                               sheet->position.side_to_move, step->now_ms),
        .trend = eval_history_trend(&game->eval_history, plies),
        .tablebase_verdict = eval_history_verdict(&game->eval_history, plies),
        .takes_no_offer = game->is_against_ai,
        .plies = (int)game_ply(game),
    };
}

static void note_answer(Step *step, uint32_t ply, bool accept)
{
    step_note(step, (Note){ .kind = NOTE_DRAW_OFFERED, .ply = (int)ply, .is_accepted = accept });
}

/* To offer a draw while the opponent does is to accept theirs. */
static bool accepts_with_move(Step *step, const Standing *now, const MoveChoice *choice)
{
    const Game *game = step->game;
    if (game->draw != OFFER_STANDS && game->draw != OFFER_ANSWERED)
        return false;
    bool accept = choice->depth > 0 && adjudicate_accepts_draw(&game->options.draw, now);
    note_answer(step, game_ply(game) + 1, accept);
    return accept;
}

static bool offers_with_move(Step *step, const Standing *now, uint32_t ply)
{
    EvalHistory *eval_history = &step->game->eval_history;
    int since = eval_history_plies_since_offer(eval_history, ply);
    if (!adjudicate_offers_draw(&step->game->options.draw, now, since))
        return false;
    eval_history->offered_at_ply = ply;
    step_note(step, (Note){ .kind = NOTE_OFFERS_DRAW, .ply = (int)ply });
    return true;
}

/* To the server it is the same whether that offers or accepts. */
static bool offers_by_order(Step *step, uint32_t ply)
{
    Game *game = step->game;
    game->draw_is_ordered = false;
    game->eval_history.offered_at_ply = ply;
    step_note(step, (Note){ .kind = NOTE_OFFERS_DRAW, .ply = (int)ply });
    return true;
}

bool offers_adjudicate(Step *step, const MoveChoice *choice)
{
    Game *game = step->game;
    const GameOptions *options = &game->options;
    uint32_t ply = game_ply(game) + 1;
    eval_history_add(&game->eval_history, choice, ply, &options->draw, &options->resign);
    Standing now = standing(step, ply);
    now.opponent_mates_next = choice->score <= -(SCORE_MATE - 2);
    if (game->draw_is_ordered)
        return offers_by_order(step, ply);
    if (accepts_with_move(step, &now, choice))
        return true;
    if (choice->depth == 0)
        return false; /* from a book, or in need: it says nothing */
    if (!adjudicate_resigns(&options->resign, &now))
        return offers_with_move(step, &now, ply);
    if (!outbox_holds(&game->outbox, COMMAND_RESIGN))
        outbox_put(&game->outbox, (Command){ .kind = COMMAND_RESIGN }, step->now_ms);
    step_note(step, (Note){ .kind = NOTE_RESIGNS, .ply = (int)ply, .ms = now.opponent_clock_ms });
    return false;
}

/* Where we are to move, the move waits. */
static void say_yes(Step *step, CommandKind kind)
{
    Game *game = step->game;
    int64_t left_ms = game->clock.has_clock
                          ? gameclock_left_ms(&game->clock, game->us, game->us, step->now_ms)
                          : INT64_MAX;
    outbox_put(&game->outbox, (Command){ .kind = kind, .accepts = true }, step->now_ms);
    game->move_waits_until_ms = step->now_ms + int64_min(YES_WAIT_MAX_MS, left_ms / YES_WAIT_SHARE);
}

void offers_yes_answered(Step *step, Reply reply)
{
    Game *game = step->game;
    int64_t effect_ms = reply == REPLY_REFUSED ? 0 : YES_EFFECT_MS;
    game->move_waits_until_ms = int64_min(game->move_waits_until_ms, step->now_ms + effect_ms);
}

static void answer_takeback(Step *step)
{
    Game *game = step->game;
    bool is_declined_by_move = outbox_holds(&game->outbox, COMMAND_MOVE);
    bool grant = !is_declined_by_move && game->takebacks_granted < game->options.takebacks;
    game->takeback = is_declined_by_move ? OFFER_DECLINED_BY_MOVE : OFFER_ANSWERED;
    game->takeback_is_granted = grant;
    if (grant)
        say_yes(step, COMMAND_TAKEBACK);
    else if (!is_declined_by_move)
        outbox_put(&game->outbox, (Command){ .kind = COMMAND_TAKEBACK }, step->now_ms);
    step_note(
        step,
        (Note){ .kind = NOTE_TAKEBACK_ASKED, .ply = (int)game_ply(game), .is_accepted = grant });
}

/* What becomes of an offer by what a line shows of it. */
static OfferState next_offer(OfferState offer, bool is_shown, OffersShown shown)
{
    if (!is_shown)
        return OFFER_NONE;
    if (shown == OFFERS_DECLINED_BY_OUR_MOVE)
        return OFFER_DECLINED_BY_MOVE;
    return offer == OFFER_NONE ? OFFER_STANDS : offer;
}

static void read_takeback(Step *step, const GameState *state, OffersShown shown)
{
    Game *game = step->game;
    bool is_shown = state->proposes_takeback[game_opponent(game)];
    game->takeback = next_offer(game->takeback, is_shown, shown);
    if (game->takeback == OFFER_STANDS)
        answer_takeback(step);
    if (game->takeback != OFFER_ANSWERED) {
        game->takeback_is_granted = false;
        outbox_drop(&game->outbox, COMMAND_TAKEBACK);
    }
    if (state->proposes_takeback[game->us])
        outbox_put(&game->outbox, (Command){ .kind = COMMAND_TAKEBACK }, step->now_ms);
}

/* The move that came with an offer may have changed the tablebases' verdict: the search probes them
 * again. */
static bool knows_enough(const Game *game)
{
    return game->eval_history.tablebase_verdict == TABLEBASE_VERDICT_NONE ||
           game->eval_history.ply == game_ply(game);
}

static void answer_draw(Step *step)
{
    Game *game = step->game;
    Standing now = standing(step, game_ply(game));
    bool is_declined_by_move = outbox_holds(&game->outbox, COMMAND_MOVE);
    bool accept = !is_declined_by_move && knows_enough(game) &&
                  adjudicate_accepts_draw(&game->options.draw, &now);
    if (!accept && !is_declined_by_move && game_owes_move(game))
        return; /* our move is not found yet, and may come with a yes */
    game->draw = is_declined_by_move ? OFFER_DECLINED_BY_MOVE : OFFER_ANSWERED;
    if (accept)
        say_yes(step, COMMAND_DRAW);
    else if (!is_declined_by_move)
        outbox_put(&game->outbox, (Command){ .kind = COMMAND_DRAW }, step->now_ms);
    note_answer(step, game_ply(game), accept);
}

static void read_draw(Step *step, const GameState *state, OffersShown shown)
{
    Game *game = step->game;
    bool is_shown = state->offers_draw[game_opponent(game)];
    game->draw = next_offer(game->draw, is_shown, shown);
    if (game->draw == OFFER_STANDS)
        answer_draw(step);
    if (game->draw != OFFER_ANSWERED)
        outbox_drop(&game->outbox, COMMAND_DRAW);
}

void offers_read(Step *step, const GameState *state, OffersShown shown)
{
    if (step->game->sheet.position.side_to_move != step->game->us)
        step->game->move_waits_until_ms = 0;
    read_takeback(step, state, shown);
    read_draw(step, state, shown);
}

void offers_read_gone(Step *step, const OpponentGone *gone)
{
    Game *game = step->game;
    if (!gone->gone || step->now_ms >= game->countdown_void_ms)
        game->claim_tries = 0;
    game->countdown_void_ms = gone->gone ? step->now_ms + COUNTDOWN_VOID_MS : INT64_MIN;
    int64_t at_ms = step->now_ms + gone->claim_win_s * 1000;
    bool may_claim = gone->claim_win_s >= 0 && at_ms < game->countdown_void_ms &&
                     game->options.claim != CLAIM_NOTHING && game->claim_tries < CLAIM_TRIES_MAX;
    game->claim_at_ms = may_claim ? at_ms : INT64_MAX;
    if (!may_claim)
        outbox_drop(&game->outbox, COMMAND_CLAIM);
}

void offers_void_countdown(Game *game)
{
    game->countdown_void_ms = INT64_MIN;
    game->claim_at_ms = INT64_MAX;
    outbox_drop(&game->outbox, COMMAND_CLAIM);
}

void offers_arm_abort(Step *step)
{
    Game *game = step->game;
    bool waits = game->phase == GAME_PLAYING && game->status == STATUS_STARTED &&
                 game_ply(game) < 2 && game->sheet.position.side_to_move != game->us;
    bool may = game->clock.has_clock && !game->is_tournament && !game->abort_is_refused &&
               game->options.abort_after_ms > 0;
    game->abort_at_ms = waits && may ? step->now_ms + game->options.abort_after_ms : INT64_MAX;
}

void offers_abort_idle(Step *step)
{
    Game *game = step->game;
    if (step->now_ms < game->abort_at_ms ||
        !list_check_confirms_their_turn(step, game->abort_at_ms))
        return;
    game->abort_at_ms = step->now_ms + game->options.abort_after_ms;
    outbox_put(&game->outbox, (Command){ .kind = COMMAND_ABORT }, step->now_ms);
    step_note(step, (Note){ .kind = NOTE_NO_FIRST_MOVE, .ms = game->options.abort_after_ms });
}

int64_t offers_abort_next_at_ms(const Game *game)
{
    return game->abort_at_ms == INT64_MAX ? INT64_MAX
                                          : list_check_again_at_ms(game, game->abort_at_ms);
}

void offers_claim(Step *step)
{
    Game *game = step->game;
    if (step->now_ms < game->claim_at_ms)
        return;
    game->claim_at_ms = INT64_MAX;
    bool is_their_turn = game->phase == GAME_PLAYING && game->status == STATUS_STARTED &&
                         game->stream.is_live && game->has_legal_move &&
                         game->sheet.position.side_to_move != game->us;
    if (!is_their_turn || outbox_holds(&game->outbox, COMMAND_CLAIM))
        return;
    bool victory = game->options.claim == CLAIM_VICTORY;
    int64_t again_ms = step->now_ms + CLAIM_RETRY_MS;
    if (++game->claim_tries < CLAIM_TRIES_MAX && again_ms < game->countdown_void_ms)
        game->claim_at_ms = again_ms;
    outbox_put(&game->outbox, (Command){ .kind = COMMAND_CLAIM, .claims_victory = victory },
               step->now_ms);
    step_note(step,
              (Note){ .kind = NOTE_CLAIMS, .ply = (int)game_ply(game), .claims_victory = victory });
}
