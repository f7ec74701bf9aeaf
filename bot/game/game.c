/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/game/game.h"

#include "bot/game/offers.h"
#include "bot/game/orders.h"
#include "bot/game/our_move.h"
#include "bot/game/correspondence.h"
#include "bot/game/initial_position.h"
#include "bot/game/game_stream.h"
#include "bot/game/list_check.h"
#include "bot/game/untold_end.h"
#include "bot/model/state_table.h"
#include "engine/base/minmax.h"
#include "engine/core/movegen.h"
#include "engine/base/check.h"
#include "engine/base/text_format.h"

#include <string.h>

enum {
    ENDING_WAIT_MS = 2000,
    LAST_STATE_WAIT_MS = 10000, /* ENDING_WAIT_MS where the stream must be opened first */
    NOT_FOUND_MAX = 2,
    CLOCK_DOUBT_MS = 1000, /* with less left on a clock it may have run out at the server */
};

static const char *const phase_names[] = {
    [GAME_JOINING] = "joining",       [GAME_PLAYING] = "playing", [GAME_DESYNCED] = "desynced",
    [GAME_UNPLAYABLE] = "unplayable", [GAME_ENDING] = "ending",   [GAME_OVER] = "over",
};

static void enter_phase(Game *game, GamePhase phase)
{
    enum { ENDED = 1 << GAME_ENDING | 1 << GAME_OVER };
    static const uint32_t next[] = {
        [GAME_JOINING] = ENDED | 1U << GAME_PLAYING | 1U << GAME_UNPLAYABLE,
        [GAME_PLAYING] = ENDED | 1U << GAME_DESYNCED,
        [GAME_DESYNCED] = ENDED | 1U << GAME_PLAYING,
        [GAME_UNPLAYABLE] = ENDED,
        [GAME_ENDING] = ENDED, /* told twice, by the event stream and the game's */
        [GAME_OVER] = 0,
    };
    static const StateTable table = { phase_names, next };
    game->phase = state_enter(&table, game->phase, phase);
}

/* The end. */

static void stop_playing(Step *step)
{
    Game *game = step->game;
    if (game->search.version != 0)
        step_effect(step, EFFECT_STOP_SEARCH);
    game->search.version = 0;
    game->abort_at_ms = INT64_MAX;
    game->claim_at_ms = INT64_MAX;
    outbox_reset(&game->outbox);
}

static void finish(Step *step)
{
    Game *game = step->game;
    stop_playing(step);
    if (game->stream.is_open)
        game_stream_close(step);
    enter_phase(game, GAME_OVER);
    step_effect(step, EFFECT_FINISH);
}

/* The event stream may be first: the game's own stream may still bring the last move. */
static void game_on_finish(Step *step, GameStatus status, Colour winner)
{
    Game *game = step->game;
    bool was_asleep = game->correspondence.is_asleep;
    game->status = status;
    game->winner = winner;
    if (!game->stream.is_open && !was_asleep) {
        finish(step);
        return;
    }
    stop_playing(step);
    correspondence_wake(step);
    enter_phase(game, GAME_ENDING);
    game->ending_at_ms = step->now_ms + (was_asleep ? LAST_STATE_WAIT_MS : ENDING_WAIT_MS);
}

/* Moves. */

static void note_their_moves(Step *step)
{
    const Game *game = step->game;
    Colour mover = game_opponent(game);
    /* The tail's last move was made by the side that is not to move now. */
    for (int i = 0; i < game->sheet.tail_count; i++) {
        const SheetMove *made = &game->sheet.tail[i];
        bool is_even_back = (game_ply(game) - made->ply) % 2 == 0;
        bool is_theirs = is_even_back == (game->sheet.position.side_to_move == game->us);
        if (is_theirs) {
            Note note = { .kind = NOTE_THEIR_MOVE,
                          .ply = (int)made->ply,
                          .ms = game->clock.time_ms[mover] };
            memcpy(note.san, made->san, sizeof note.san);
            step_note(step, note);
        }
    }
}

static void list_changed(Step *step, uint32_t ply_before)
{
    Game *game = step->game;
    game->has_legal_move = movegen_count(&game->sheet.position) > 0;
    our_move_settle(step);
    list_check_news(step);
    if (game_ply(game) < ply_before) {
        if (game->takeback_is_granted)
            game->takebacks_granted++;
        game->takeback_is_granted = false;
        game->eval_history = (EvalHistory){ 0 };
        step_note(step, (Note){ .kind = NOTE_TAKEN_BACK,
                                .ply = (int)game_ply(game),
                                .count = (int)ply_before });
    }
    note_their_moves(step);
    orders_drop_own(step, COMMAND_ABORT);
    if (game_ply(game) >= BEGUN_PLIES)
        outbox_drop(&game->outbox, COMMAND_ABORT);
    if (game->sheet.position.side_to_move ==
        game->us) { /* a player who moves is there, and may blunder */
        orders_drop_own(step, COMMAND_RESIGN);
        offers_void_countdown(game);
    }
    offers_arm_abort(step);
}

/* What a state came with: a gameFull opens the stream, and so is not older than our requests. */
typedef enum { STATE_UPDATE, STATE_FULL } StateSource;

/* A move that we can't follow may be a garbled line: the stream is opened again once. If that does
 * not help we watch on, since resigning would be worse than any other end. */
static void desync(Step *step, StateSource source)
{
    Game *game = step->game;
    bool is_news = game->phase != GAME_DESYNCED;
    if (game->phase == GAME_ENDING)
        return;
    if (is_news) {
        stop_playing(step);
        enter_phase(game, GAME_DESYNCED);
        game->has_resynced = source == STATE_FULL;
    }
    if (is_news || source == STATE_FULL)
        step_note(step, (Note){ .kind = NOTE_DESYNCED, .text = step->todo->error.text });
    if (!game->has_resynced) {
        game->has_resynced = true;
        game_stream_resync(step);
    }
}

static void read_moves(Step *step, Text moves, StateSource source)
{
    Game *game = step->game;
    uint32_t ply_before = game_ply(game);
    SheetChange change = scoresheet_read(&game->sheet, moves, &step->todo->error);
    if (change == SHEET_DESYNCED) {
        desync(step, source);
        return;
    }
    bool was_astray = game->phase == GAME_DESYNCED;
    if (was_astray)
        enter_phase(game, GAME_PLAYING);
    if (change != SHEET_SAME || was_astray)
        list_changed(step, ply_before);
}

/* A list that gets shorter though we granted no takeback may be old news, come out of order. A
 * stream that is opened anew then shows what holds, takebacks without a question too. */
static bool is_old_news(const Step *step, const GameState *state)
{
    const Game *game = step->game;
    return game->phase == GAME_PLAYING && !game->takeback_is_granted &&
           state->move_count < (int)game_ply(game) && !status_is_final(state->status);
}

static void read_again(Step *step, int plies, int plies_before)
{
    step_note(step, (Note){ .kind = NOTE_OLD_STATE, .ply = plies, .count = plies_before });
    game_stream_resync(step);
}

/* States. */

static void read_clock(Step *step, const GameState *state)
{
    Game *game = step->game;
    int64_t left_ms = state->expires_move_ms - state->expires_idle_ms;
    gameclock_read(&game->clock, state, game->sheet.position.side_to_move, step->now_ms);
    game->first_move_by_ms = state->expires ? step->now_ms + (left_ms > 0 ? left_ms : 0) : 0;
}

/* Where the server says only that the game is over. Our latest move may have ended it, and was then
 * never shown: the list is read with it. */
static void judge_end(Step *step, const GameState *state)
{
    Game *game = step->game;
    Position last = game->sheet.position;
    Colour mover = last.side_to_move;
    Undo undo;
    char list[SCORESHEET_TEXT];
    if (!game->is_set_up)
        return;
    UntoldEnd end = {
        .last = &last, .ply = game_ply(game), .us = game->us, .hides_all = game->options.hides_ends
    };
    end.may_be_out_of_time[mover] =
        gameclock_left_ms(&game->clock, mover, mover, step->now_ms) <= CLOCK_DOUBT_MS;
    bool is_ours = outbox_holds(&game->outbox, COMMAND_MOVE) && game->sent.ply == end.ply + 1;
    if (is_ours)
        position_make(&last, game->sent.move, &undo);
    untold_end_judge(&end, &game->status, &game->winner);
    if (is_ours && game->status != STATUS_UNKNOWN_FINISH &&
        text_format_fits(list, sizeof list, "%.*s %s", TEXT_ARGS(state->moves),
                         game->outbox.slots[COMMAND_MOVE].command.uci))
        read_moves(step, text_of(list), STATE_UPDATE);
}

static void read_state(Step *step, const GameState *state, StateSource source)
{
    Game *game = step->game;
    bool was_ending = game->phase == GAME_ENDING;
    if (game->phase == GAME_JOINING)
        return; /* gameFull comes first; without it a state means nothing */
    read_clock(step, state);
    if (state->status == STATUS_UNKNOWN && game->status != STATUS_UNKNOWN) {
        error_set(&step->todo->error, ERR_INVALID, "%.*s", TEXT_ARGS(state->status_text));
        step_note(step, (Note){ .kind = NOTE_UNKNOWN_STATUS, .text = step->todo->error.text });
    }
    bool starts = state->status == STATUS_STARTED && game->status != STATUS_STARTED;
    if (!was_ending)
        game->status = state->status;
    uint32_t version_before = game->sheet.version;
    if (game->is_set_up)
        read_moves(step, state->moves, source);
    if (starts)
        offers_arm_abort(step);
    if (source == STATE_FULL) {
        outbox_refuted(&game->outbox, step->now_ms);
    }
    if (status_is_final(state->status)) {
        game->status = state->status;
        game->winner = state->winner;
        if (state->status == STATUS_UNKNOWN_FINISH && state->winner == COLOUR_NONE)
            judge_end(step, state);
        finish(step);
        return;
    }
    if (was_ending || game->phase != GAME_PLAYING)
        return;
    bool shows_our_move =
        game->sheet.version != version_before && game->sheet.position.side_to_move != game->us;
    offers_read(step, state, shows_our_move ? OFFERS_DECLINED_BY_OUR_MOVE : OFFERS_STAND);
}

/* Sets up what never changes in a game. False and an Error when it is none that we can play. */
static bool read_setup(Step *step, const GameFull *full, Error *err)
{
    Game *game = step->game;
    int dropped;
    if (game->us == COLOUR_NONE) {
        error_set(err, ERR_INVALID, "neither side is %s", game->our_id);
        return false;
    }
    if (!initial_position_read(&game->sheet, game->fen, full, &dropped, err))
        return false;
    if (dropped > 0)
        step_note(step, (Note){ .kind = NOTE_CLAIMS_DROPPED, .count = dropped });
    return true;
}

/* A game that we can't play is aborted while that costs neither side anything. */
static void unplayable(Step *step, const GameState *state)
{
    Game *game = step->game;
    enter_phase(game, GAME_UNPLAYABLE);
    step_note(step, (Note){ .kind = NOTE_UNPLAYABLE, .text = step->todo->error.text });
    if (state->move_count < 2 && state->status == STATUS_STARTED)
        outbox_put(&game->outbox, (Command){ .kind = COMMAND_ABORT }, step->now_ms);
}

static bool is_against_ai(const Game *game, const GameFull *full)
{
    return game->us != COLOUR_NONE && full->players[game_opponent(game)].ai_level > 0;
}

static OpponentKind opponent_kind(const Game *game, const GameFull *full)
{
    bool is_engine =
        game->us != COLOUR_NONE && player_is_engine(&full->players[game_opponent(game)]);
    return is_engine ? KIND_BOT : KIND_HUMAN;
}

/* The server makes gameFull of a game that it read before it subscribed the stream: what came
 * earlier on the stream is the later. */
static bool is_overtaken(const Game *game, const GameState *state)
{
    return state->move_count < game->stream.early_plies && !status_is_final(state->status);
}

static void read_full(Step *step, const GameFull *full)
{
    Game *game = step->game;
    if (is_overtaken(game, &full->state)) {
        read_again(step, full->state.move_count, game->stream.early_plies);
        return;
    }
    game_stream_set_live(step);
    offers_void_countdown(game); /* a return while it was closed is never reported */
    if (!game->is_set_up && game->phase != GAME_UNPLAYABLE) {
        game->us = gamefull_colour_of(full, game->our_id);
        game->variant = full->variant;
        game->is_tournament = full->tournament_id.len > 0;
        game->opponent_kind = opponent_kind(game, full);
        game->is_against_ai = is_against_ai(game, full);
        gameclock_start(&game->clock, full, step->now_ms);
        game->clock.may_run = game->options.is_paired;
        game->correspondence.is_correspondence = full->time.kind != TIME_CLOCK;
        game->is_set_up = read_setup(step, full, &step->todo->error);
    }
    /* It may be known to be over before the first line about it. */
    if (game->phase == GAME_JOINING && game->is_set_up) {
        enter_phase(game, GAME_PLAYING);
        step_note(step, (Note){ .kind = NOTE_JOINED, .ply = full->state.move_count });
    } else if (game->phase == GAME_JOINING) {
        unplayable(step, &full->state);
    }
    read_state(step, &full->state, STATE_FULL);
}

static void read_update(Step *step, const GameState *state)
{
    Game *game = step->game;
    if (!game->stream.is_live)
        game->stream.early_plies = int_max(game->stream.early_plies, state->move_count);
    if (!is_old_news(step, state))
        read_state(step, state, STATE_UPDATE);
    else if (game->stream.is_live) /* else gameFull is still to come */
        read_again(step, state->move_count, (int)game_ply(game));
}

static void game_on_event(Step *step, const Event *event)
{
    step->game->stream.heard_ms = step->now_ms;
    switch (event->type) {
    case EVENT_GAME_FULL:
        read_full(step, &event->full);
        break;
    case EVENT_GAME_STATE:
        read_update(step, &event->state);
        break;
    case EVENT_OPPONENT_GONE:
        offers_read_gone(step, &event->gone);
        break;
    case EVENT_UNKNOWN:
    case EVENT_GAME_START:
    case EVENT_GAME_FINISH:
    case EVENT_CHALLENGE:
    case EVENT_CHALLENGE_CANCELED:
    case EVENT_CHALLENGE_DECLINED:
    case EVENT_CHAT_LINE:
    case EVENT_TYPE_COUNT:
        break;
    }
}

/* Other inputs. */

static void game_on_stream_end(Step *step, StreamEnd end)
{
    Game *game = step->game;
    if (!game->stream.is_open)
        return;
    game_stream_ended(step, end);
    if (game->phase == GAME_ENDING) {
        finish(step);
        return;
    }
    if (end != STREAM_NOT_FOUND && end != STREAM_REFUSED)
        return;
    if (++game->stream.not_found >= NOT_FOUND_MAX) {
        step_note(step, (Note){ .kind = NOTE_GONE, .end = end });
        finish(step);
    }
}

static void game_on_reply(Step *step, uint32_t ticket, Reply reply)
{
    Game *game = step->game;
    const OutboxSlot *slot =
        outbox_answered(&game->outbox, ticket, reply, game_lag(game).worst_ms, step->now_ms);
    if (!slot)
        return;
    if (slot->command.kind == COMMAND_ABORT && reply == REPLY_REFUSED) {
        game->abort_is_refused = true;
        game->abort_at_ms = INT64_MAX;
        step_note(step, (Note){ .kind = NOTE_ABORT_REFUSED });
    }
    if (slot->command.kind == COMMAND_CLAIM && reply == REPLY_REFUSED)
        game->claim_at_ms = INT64_MAX; /* too early, or they are back: the next line decides */
    if (slot->command.accepts)
        offers_yes_answered(step, reply);
    if (slot->command.kind != COMMAND_MOVE || reply == REPLY_RECEIVED)
        return;
    static const NoteKind notes[] = {
        [REPLY_REFUSED] = NOTE_REFUSED,
        [REPLY_LIMITED] = NOTE_LIMITED,
        [REPLY_LOST] = NOTE_LOST,
    };
    Note note = { .kind = notes[reply], .ply = (int)game->sent.ply, .count = slot->tries };
    memcpy(note.uci, slot->command.uci, sizeof note.uci);
    step_note(step, note);
}

static void game_on_input(Step *step, const GameInput *input)
{
    switch (input->kind) {
    case INPUT_TIME:
        break;
    case INPUT_LINE: /* of a stream that was closed a few may be on their way */
        if (step->game->stream.is_open)
            game_on_event(step, input->event);
        break;
    case INPUT_UNREADABLE:
        step_note(step, (Note){ .kind = NOTE_UNREADABLE });
        game_stream_resync(step);
        break;
    case INPUT_STREAM_END:
        game_on_stream_end(step, input->end);
        break;
    case INPUT_REPLY:
        game_on_reply(step, input->reply.ticket, input->reply.reply);
        break;
    case INPUT_MOVE_FOUND:
        our_move_found(step, &input->choice);
        break;
    case INPUT_FINISH:
        game_on_finish(step, input->finish.status, input->finish.winner);
        break;
    case INPUT_REACHED:
        game_stream_hurry(step);
        break;
    case INPUT_LISTED:
        list_check_listed(step, input->listed.is_our_turn, input->listed.asked_ms);
        break;
    case INPUT_UNLISTED:
        if (list_check_unlisted(step, input->listed.asked_ms))
            finish(step);
        break;
    case INPUT_TURN:
        correspondence_read_turn(step, input->turn.is_ours, input->turn.left_ms);
        break;
    case INPUT_TURN_GRANTED:
        correspondence_grant_turn(step);
        break;
    case INPUT_MAKE_WAY:
        correspondence_make_way(step);
        break;
    case INPUT_ORDER:
        orders_take(step, input->order);
        break;
    case INPUT_HURRY:
        our_move_hurry(step);
        break;
    }
}

/* What the state asks for, whatever the input was. */

static void empty_outbox(Step *step)
{
    Game *game = step->game;
    OutboxView view = { .now_ms = step->now_ms,
                        .clock_ms = our_move_time_left_ms(game, step->now_ms),
                        .limit = game->limit };
    for (;;) {
        view.is_live = game->stream.is_live;
        OutboxStep next = outbox_step(&game->outbox, &view);
        if (next.action == OUTBOX_NOTHING)
            return;
        Note note = { .ply = (int)game->sent.ply, .count = next.tries };
        memcpy(note.uci, next.command.uci, sizeof note.uci);
        if (next.action == OUTBOX_RESYNC) {
            note.kind = NOTE_RESYNC;
            step_note(step, note);
            game_stream_resync(step);
            game_stream_keep_open(step);
            continue;
        }
        game->has_resigned = game->has_resigned || next.command.kind == COMMAND_RESIGN;
        Post *post = &step_effect(step, EFFECT_POST)->post;
        post->command = next.command;
        post->ticket = next.ticket;
        post->tries = next.tries;
        post->timeout_ms = gameclock_request_timeout_ms(view.clock_ms, game_lag(game));
        if (next.tries > 1 && next.command.kind == COMMAND_MOVE) {
            note.kind = NOTE_AGAIN;
            step_note(step, note);
        }
    }
}

void game_init(Game *game, const char *id, const GameAccount *account, const GameOptions *options,
               uint64_t seed, int64_t now_ms)
{
    memset(game, 0, sizeof *game);
    CHECK(strlen(id) < sizeof game->id && strlen(account->our_id) < sizeof game->our_id);
    memcpy(game->id, id, strlen(id) + 1);
    memcpy(game->our_id, account->our_id, strlen(account->our_id) + 1);
    game->options = *options;
    game->limit = account->limit;
    game->lag = account->lag;
    backoff_init(&game->stream.backoff, &BACKOFF_GAME_STREAM, seed);
    game->stream.due_ms = game->stream.heard_ms = game->stream.down_ms = now_ms;
    game->stream.early_plies = -1;
    list_check_init(&game->list_check, now_ms);
    game->us = COLOUR_NONE;
    game->winner = COLOUR_NONE;
    game->status = STATUS_CREATED;
    game->abort_at_ms = INT64_MAX;
    offers_void_countdown(game);
    correspondence_init(&game->correspondence);
}

void game_recall(Game *game, const EvalHistory *eval_history)
{
    game->eval_history = *eval_history;
}

void game_configure(Game *game, const GameOptions *options)
{
    game->options = *options;
}

void game_step(Game *game, const GameInput *input, int64_t now_ms, Effects *todo)
{
    Step step = { game, now_ms, todo };
    todo->count = 0;
    todo->error = (Error){ .code = ERR_NONE };
    if (game->phase == GAME_OVER)
        return;
    game_on_input(&step, input);
    if (game->phase == GAME_ENDING && now_ms >= game->ending_at_ms)
        finish(&step);
    if (game->phase == GAME_OVER)
        return;
    game_stream_keep_open(&step);
    our_move_search(&step);
    our_move_release(&step);
    our_move_stop_early(&step);
    list_check_step(&step);
    offers_abort_idle(&step);
    offers_claim(&step);
    empty_outbox(&step);
    if (correspondence_sleep(&step)) {
        step_note(&step, (Note){ .kind = NOTE_SLEEPS, .ply = (int)game_ply(game) });
        game_stream_close(&step);
    }
}

int64_t game_next_at_ms(const Game *game)
{
    if (game->phase == GAME_OVER)
        return INT64_MAX;
    int64_t next = outbox_next_at_ms(&game->outbox, game->stream.is_live);
    next = int64_min(next, list_check_next_at_ms(game));
    next = int64_min(next, offers_abort_next_at_ms(game));
    next = int64_min(next, game->claim_at_ms);
    next = int64_min(next, game_stream_next_at_ms(game));
    next = int64_min(next, game->correspondence.sleep_at_ms);
    if (game->search.version == 0 && game_owes_move(game) && game->move_waits_until_ms != 0)
        next = int64_min(next, game->move_waits_until_ms);
    if (game->search.version != 0)
        next = int64_min(next, game->search.is_held            ? game->search.hold_until_ms
                               : game->search.is_stopped_early ? game->search.last_resort_at_ms
                                                               : game->search.stop_early_at_ms);
    if (game->phase == GAME_ENDING)
        next = int64_min(next, game->ending_at_ms);
    return next;
}

const char *game_phase_name(GamePhase phase)
{
    return phase_names[phase];
}
