/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/game/session.h"

#include "bot/archive/archive.h"
#include "bot/game/after_game.h"
#include "bot/game/chatter.h"
#include "bot/game/command_requests.h"
#include "bot/game/game_log.h"
#include "bot/game/game_settings.h"
#include "bot/game/latest_move.h"
#include "bot/game/lost_by_fault.h"
#include "bot/game/move_request.h"
#include "bot/game/orders.h"
#include "bot/game/record_lines.h"
#include "bot/game/session_settings.h"
#include "bot/ops/timer.h"
#include "engine/base/alloc.h"
#include "engine/base/clock.h"
#include "engine/base/minmax.h"
#include "engine/core/fen.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum {
    INPUTS_MAX = 64,
    ORDER_SHOWN_MS = 10000, /* from the server's yes to an order */
};

/* An order of the operator's that is being carried out. */
typedef struct {
    SessionOnOrder *on_end; /* NULL: none */
    void *user;
    CommandKind kind;
    int64_t shown_by_ms; /* the server has said yes, the stream is to show it; 0: it has not */
    Error why;           /* of the latest request that failed */
} Order;

/* Inputs that the game is still to get. An effect that could not begin adds its failure; the delay
 * between tries keeps these few. */
typedef struct {
    GameInput list[INPUTS_MAX];
    int count;
} InputQueue;

struct Session {
    const BotContext *bot;
    const SessionOwner *owner;
    Game game;
    SessionSettings settings;
    Chatter chatter;
    LatestMove latest;
    GameRecord record;
    uv_timer_t timer;
    SourceHandle *source; /* NULL: there was no memory for one, try again */
    ApiCall *stream;
    const ApiAnswer *stream_end; /* while its end is being taken in; else NULL */
    CommandRequests requests;
    Order order;
    bool is_closed;
};

static void step(Session *session, const GameInput *input, const Event *event);

static void queue_input(InputQueue *queue, const GameInput *input)
{
    if (queue->count < INPUTS_MAX)
        queue->list[queue->count++] = *input;
}

/* True if the session is no more, or soon. */
static bool note_answer(Session *session, const ApiAnswer *answer)
{
    if (api_answer_is_denial(answer))
        session->bot->on_denied(session->bot->user, answer);
    return session->is_closed;
}

/* The stream. */

static void session_on_stream_event(void *user, const Event *event)
{
    step(user, &(GameInput){ .kind = INPUT_LINE, .event = event }, event);
}

static void session_on_stream_skipped(void *user, Text start, size_t line_len, const Error *err)
{
    Session *session = user;
    log_warning(session->bot->log, "game", "unreadable",
                FIELDS(F("id", session->game.id), F("bytes", line_len), F("why", err->text),
                       F("start", start)));
    step(session, &(GameInput){ .kind = INPUT_UNREADABLE }, NULL);
}

static StreamEnd stream_end(const ApiAnswer *answer)
{
    switch (answer->outcome) {
    case API_OK:
        return STREAM_CLOSED;
    case API_LIMITED:
        return STREAM_LIMITED;
    case API_REFUSED:
        return answer->status == 404 ? STREAM_NOT_FOUND : STREAM_REFUSED;
    case API_UNAUTHORIZED:
    case API_FORBIDDEN:
    case API_SERVER_ERROR:
    case API_UNREACHABLE:
    case API_LOST:
    case API_SILENT:
        return STREAM_LOST;
    }
    return STREAM_LOST;
}

static void session_on_stream_end(void *user, const ApiAnswer *answer)
{
    Session *session = user;
    session->stream = NULL;
    if (note_answer(session, answer))
        return;
    session->stream_end = answer;
    step(session, &(GameInput){ .kind = INPUT_STREAM_END, .end = stream_end(answer) }, NULL);
    session->stream_end = NULL;
}

static bool open_stream(Session *session)
{
    const ApiStreamCallbacks callbacks = {
        .on_event = session_on_stream_event,
        .on_skipped = session_on_stream_skipped,
        .on_end = session_on_stream_end,
        .user = session,
    };
    Error err = { 0 };
    assert(!session->stream);
    session->stream =
        api_stream(session->bot->api, ENDPOINT_GAME, session->game.id, &callbacks, &err);
    if (session->stream)
        session->bot->counters->streams_opened[STREAM_OF_GAME]++;
    else
        log_error(session->bot->log, "game", "stream-not-opened",
                  FIELDS(F("id", session->game.id), F("why", err.text)));
    return session->stream;
}

static void close_stream(Session *session)
{
    if (session->stream)
        api_cancel(session->stream);
    session->stream = NULL;
}

/* Commands. */

static void note_order(Session *session, CommandKind kind, const ApiAnswer *answer)
{
    Order *order = &session->order;
    if (!order->on_end || kind != order->kind)
        return;
    order->shown_by_ms = answer->outcome == API_OK ? clock_now_ms() + ORDER_SHOWN_MS : 0;
    order->why = (Error){ .code = ERR_NONE };
    error_set(&order->why, ERR_REFUSED, "%s: %s", api_outcome_name(answer->outcome),
              answer->reason);
}

static void session_on_reply(void *user, CommandKind kind, uint32_t ticket, const ApiAnswer *answer)
{
    Session *session = user;
    if (note_answer(session, answer))
        return;
    note_order(session, kind, answer);
    GameInput input = { .kind = INPUT_REPLY };
    input.reply.ticket = ticket;
    input.reply.reply = command_reply(answer->outcome);
    step(session, &input, NULL);
    if (answer->outcome != API_OK)
        log_info(session->bot->log, "game", "command-failed",
                 FIELDS(F("id", session->game.id), F("outcome", api_outcome_name(answer->outcome)),
                        F("status", answer->status), F("why", answer->reason)));
}

static void configure(Session *session, const Player *them)
{
    GameOptions options = session_settings_options(&session->settings, them->id);
    game_configure(&session->game, &options);
}

/* The first gameFull says which game it is, and so which settings hold. */
static void complete_settings(Session *session, const GameFull *full)
{
    Colour us = gamefull_colour_of(full, session->bot->our_id);
    if (session->settings.is_complete || us == COLOUR_NONE)
        return;
    session_settings_complete(&session->settings, full, us);
    configure(session, &full->players[colour_other(us)]);
    chatter_begin(&session->chatter, full, us);
}

/* Thinking. */

static void session_on_move_found(void *user, const MoveChoice *choice)
{
    step(user, &(GameInput){ .kind = INPUT_MOVE_FOUND, .choice = *choice }, NULL);
}

static void open_source(Session *session)
{
    Error err = { 0 };
    if (session->source)
        return;
    session->source = source_handle_new(session->bot->source, session_on_move_found, session, &err);
    if (!session->source)
        log_error(session->bot->log, "game", "no-engine",
                  FIELDS(F("id", session->game.id), F("why", err.text)));
}

static void release_source(Session *session)
{
    SourceFaults faults = { .strikes = 0 };
    source_add_faults(session->source, &faults);
    record_take_strikes(&session->record, faults.strikes, faults.engine);
    source_handle_free(session->source);
    session->source = NULL;
}

static void log_plan(const Session *session, const MoveRequest *request)
{
    const Game *game = &session->game;
    Lag lag = game_lag(game);
    if (request->limits.has_clock)
        log_debug(session->bot->log, "game", "search",
                  FIELDS(F("id", game->id), F("ply", game->sheet.ply + 1),
                         F("clock_ms", game->clock.time_ms[game->us]),
                         F("budget_ms", request->limits.time_ms[game->us]),
                         F("lag_ms", lag.usual_ms), F("worst_lag_ms", lag.worst_ms),
                         F("contempt", request->limits.contempt_cp)));
}

/* Without a source the game plays any legal move before time runs out. */
static void search(Session *session, uint32_t version)
{
    open_source(session);
    if (!session->source)
        return;
    if (!session->game.correspondence.is_correspondence)
        session->owner->on_search(session->owner->user);
    char fen[FEN_SIZE];
    MoveRequest request =
        game_move_request(&session->game, &session->settings.game, version, clock_now_ms(), fen);
    log_plan(session, &request);
    const char *opponent = session->settings.uci_opponent;
    request.opponent = opponent[0] != '\0' ? opponent : NULL;
    source_search(session->source, &request);
}

/* The end. */

static void let_go(Session *session)
{
    close_stream(session);
    command_requests_cancel(&session->requests);
    release_source(session);
    chatter_release(&session->chatter);
    uv_timer_stop(&session->timer);
}

/* Steps. */

static void session_on_timer(uv_timer_t *timer)
{
    step(timer->data, &(GameInput){ .kind = INPUT_TIME }, NULL);
}

static void arm_timer(Session *session)
{
    int64_t next = game_next_at_ms(&session->game);
    if (session->order.on_end && session->order.shown_by_ms != 0)
        next = int64_min(next, session->order.shown_by_ms);
    timer_set(&session->timer, session_on_timer, next);
}

/* False if it could not even be begun: *failure then says so to the game. */
static bool carry_out(Session *session, const Effect *effect, GameInput *failure)
{
    switch (effect->kind) {
    case EFFECT_OPEN_STREAM:
        *failure = (GameInput){ .kind = INPUT_STREAM_END, .end = STREAM_LOST };
        return open_stream(session);
    case EFFECT_CLOSE_STREAM:
        close_stream(session);
        return true;
    case EFFECT_POST:
        *failure = (GameInput){ .kind = INPUT_REPLY };
        failure->reply.ticket = effect->post.ticket;
        failure->reply.reply = REPLY_LOST;
        return command_requests_send(&session->requests, &effect->post);
    case EFFECT_SEARCH:
        search(session, effect->version);
        return true;
    case EFFECT_ASK_LIST:
        session->owner->on_ask_list(session->owner->user);
        return true;
    case EFFECT_STOP_SEARCH:
        if (session->source)
            source_stop(session->source);
        return true;
    case EFFECT_FINISH:
    case EFFECT_NOTE:
        return true; /* when all else is done */
    }
    return true;
}

/* The answer to a wish, if it is one; else "". */
static void read_wish(Session *session, const ChatLine *said, char answer[WISH_ANSWER_SIZE])
{
    const GameRecord *record = &session->record;
    const Player *them = record_opponent(record);
    SessionSettings *settings = &session->settings;
    Wish wish;
    answer[0] = '\0';
    if (!settings->is_complete || user_list_has(&session->bot->config->mute, text_of(them->id)) ||
        !talk_wish(&settings->game.chat, said, them->id, &wish))
        return;
    const WishFacts facts = { .is_person = !player_is_engine(them),
                              .is_rated = record->rated,
                              .has_begun = game_ply(&session->game) >= 2,
                              .can_recur = after_game_can_recur(record),
                              .level = settings->game.engine.elo };
    wish_answer(&wish, &facts, answer);
    if (session_settings_grant(settings, &wish, &facts, them->id))
        configure(session, them);
}

static void read_chat(Session *session, const ChatLine *said, InputQueue *queue)
{
    const Player *them = record_opponent(&session->record);
    char answer[WISH_ANSWER_SIZE];
    read_wish(session, said, answer);
    chatter_hear(&session->chatter, said, answer, clock_now_ms());
    if (session->game.options.pace != PACE_HUMAN || !talk_asks_to_hurry(said, them->id))
        return;
    session_settings_hurry(&session->settings, them);
    queue_input(queue, &(GameInput){ .kind = INPUT_HURRY });
}

static void keep_line(Session *session, const Event *event, InputQueue *queue)
{
    if (event->type == EVENT_GAME_FULL) {
        record_read_full(&session->record, &event->full, session->game.us);
    } else if (event->type == EVENT_GAME_STATE) {
        record_read_state(&session->record, &event->state);
    } else if (event->type == EVENT_CHAT_LINE) {
        read_chat(session, &event->chat, queue);
    }
}

static void note_stream_lost(Session *session, const Note *note)
{
    const ApiAnswer *end = session->stream_end;
    session->bot->counters->streams_lost[STREAM_OF_GAME]++;
    game_log_stream_lost(session->bot->log, &session->game, note, end);
    if (note->count > 1)
        session->owner->on_stream_lost(session->owner->user, end ? end->reason : "no memory");
}

static void keep_note(Session *session, const Note *note)
{
    if (note->kind == NOTE_MOVE) {
        latest_move_take(&session->latest, &session->game.sheet, note);
        record_take_choice(&session->record, note->ply, note->uci, &note->choice,
                           latest_move_from(&session->latest));
        session->owner->on_eval_history(session->owner->user, session);
    }
    if (note->kind == NOTE_CONFIRMED)
        counters_confirmed(session->bot->counters, note->ms);
    if (note->kind == NOTE_STREAM_LOST)
        note_stream_lost(session, note);
    if (note->kind == NOTE_STREAM_BACK)
        session->owner->on_stream_back(session->owner->user);
    if (note->kind == NOTE_CONFIRMED && note->lag_ms >= 0)
        lag_meter_add(session->owner->lag, note->lag_ms);
    game_log_note(session->bot->log, &session->game, &session->record, note);
}

/* Requests first, then words about them: a move waits for no log line. */
static void carry_out_all(Session *session, const Effects *todo, InputQueue *queue)
{
    for (int i = 0; i < todo->count; i++) {
        GameInput failure;
        if (!carry_out(session, &todo->list[i], &failure))
            queue_input(queue, &failure);
    }
}

static void keep_notes(Session *session, const Effects *todo)
{
    for (int i = 0; i < todo->count; i++)
        if (todo->list[i].kind == EFFECT_NOTE)
            keep_note(session, &todo->list[i].note);
}

static void end_order(Session *session, bool ok, const char *why)
{
    Order order = session->order;
    session->order.on_end = NULL;
    if (order.on_end)
        order.on_end(order.user, session, ok, why);
}

static void note_their_engine(Session *session)
{
    const Player *them = record_opponent(&session->record);
    const char *engine = archive_recall(session->bot->archive, FACT_RUNS, text_of(them->id));
    if (engine)
        text_copy(session->record.their_engine, sizeof session->record.their_engine,
                  text_of(engine));
}

static void end_session(Session *session)
{
    const Game *game = &session->game;
    if (game->status == STATUS_OUTOFTIME && lost_by_fault(game))
        source_lost_on_time(session->source);
    chatter_end(&session->chatter, game->status);
    let_go(session);
    note_their_engine(session);
    record_end(&session->record, game->status, game->winner, clock_unix_ms());
    session_settings_learn(&session->settings, game, &session->record);
    game_log_end(session->bot->log, game, &session->record);
    end_order(session, true, "");
    session->owner->on_over(session->owner->user, session);
}

/* Nothing came of an order, or nothing that can be seen. */
static void end_order_in_vain(Session *session)
{
    const Order *order = &session->order;
    if (!order->on_end)
        return;
    if (order->shown_by_ms != 0 && clock_now_ms() >= order->shown_by_ms)
        end_order(session, false, "the server has accepted it, but does not show it yet");
    else if (order->shown_by_ms == 0 && !outbox_holds(&session->game.outbox, order->kind))
        end_order(session, false,
                  order->why.code ? order->why.text : "the game went on in the meantime");
}

static void wait_for_more(Session *session)
{
    if (session->game.correspondence.is_asleep)
        release_source(session);
    end_order_in_vain(session);
    arm_timer(session);
    session->owner->on_step(session->owner->user);
}

static void take_input(Session *session, const GameInput *input, const Event *event,
                       InputQueue *queue)
{
    Effects todo;
    todo.count = 0;
    if (event && event->type == EVENT_GAME_FULL)
        complete_settings(session, &event->full);
    GamePhase before = session->game.phase;
    game_step(&session->game, input, clock_now_ms(), &todo);
    carry_out_all(session, &todo, queue);
    if (session->game.phase != before)
        log_debug(session->bot->log, "game", "phase",
                  FIELDS(F("id", session->game.id), F("from", game_phase_name(before)),
                         F("to", game_phase_name(session->game.phase))));
    if (event)
        keep_line(session, event, queue);
    keep_notes(session, &todo);
}

/* `event`: what `input` was read from; NULL: nothing. */
static void step(Session *session, const GameInput *input, const Event *event)
{
    if (session->is_closed || session->game.phase == GAME_OVER)
        return;
    InputQueue queue;
    queue.count = 0;
    take_input(session, input, event, &queue);
    for (int i = 0; i < queue.count && session->game.phase != GAME_OVER; i++) {
        GameInput failure = queue.list[i];
        take_input(session, &failure, NULL, &queue);
    }
    if (session->game.phase == GAME_OVER)
        end_session(session);
    else
        wait_for_more(session);
}

static GameInput turn_input(const GameInfo *info)
{
    GameInput input = { .kind = INPUT_TURN };
    input.turn.is_ours = info->is_our_turn;
    input.turn.left_ms = info->seconds_left < 0 ? INT64_MAX : info->seconds_left * 1000;
    return input;
}

bool session_new(Session **out, const BotContext *bot, const SessionOwner *owner,
                 const SessionStart *start, Error *err)
{
    const GameInfo *info = start->info;
    const char *id = info->id;
    bool is_correspondence = info->speed == SPEED_CORRESPONDENCE;
    GameInput input = is_correspondence ? turn_input(info) : (GameInput){ .kind = INPUT_TIME };
    Session *session = alloc_zeroed(sizeof *session, "a game", err);
    if (!session)
        return false;
    session->bot = bot;
    session->owner = owner;
    session_settings_init(&session->settings, bot, session->game.id, info, start->is_rematch);
    record_init(&session->record);
    GameOptions options = game_settings_options(&bot->config->game, bot->config->account.server);
    ChatterContext chat = { .bot = bot,
                            .game = &session->game,
                            .record = &session->record,
                            .latest = &session->latest,
                            .settings = &session->settings.game };
    chatter_init(&session->chatter, &chat);
    GameAccount account = { bot->our_id, bot->limit, *owner->lag };
    game_init(&session->game, id, &account, &options, start->seed, clock_now_ms());
    if (start->eval_history)
        game_recall(&session->game, start->eval_history);
    command_requests_init(&session->requests, bot, session->game.id, session_on_reply, session);
    timer_init(bot->loop, &session->timer, session);
    *out = session;
    step(session, &input, NULL); /* opens the stream */
    if (!is_correspondence)
        open_source(session); /* while the server answers */
    return true;
}

static void session_on_timer_closed(uv_handle_t *handle)
{
    Session *session = handle->data;
    record_release(&session->record);
    free(session);
}

void session_close(Session *session)
{
    assert(!session->is_closed);
    session->is_closed = true;
    let_go(session);
    uv_close((uv_handle_t *)&session->timer, session_on_timer_closed);
}

void session_finished(Session *session, GameStatus status, Colour winner)
{
    GameInput input = { .kind = INPUT_FINISH };
    input.finish.status = status;
    input.finish.winner = winner;
    step(session, &input, NULL);
}

void session_reached(Session *session)
{
    step(session, &(GameInput){ .kind = INPUT_REACHED }, NULL);
}

void session_listed(Session *session, const GameInfo *info, int64_t asked_ms)
{
    GameInput input = { .kind = INPUT_LISTED, .listed = { info->is_our_turn, asked_ms } };
    step(session, &input, NULL);
}

void session_unlisted(Session *session, int64_t asked_ms)
{
    GameInput input = { .kind = INPUT_UNLISTED, .listed = { .asked_ms = asked_ms } };
    step(session, &input, NULL);
}

void session_read_turn(Session *session, const GameInfo *info)
{
    if (info->speed != SPEED_CORRESPONDENCE)
        return;
    GameInput input = turn_input(info);
    step(session, &input, NULL);
}

void session_grant_turn(Session *session)
{
    step(session, &(GameInput){ .kind = INPUT_TURN_GRANTED }, NULL);
}

void session_make_way(Session *session)
{
    step(session, &(GameInput){ .kind = INPUT_MAKE_WAY }, NULL);
}

bool session_order(Session *session, GameOrder order, SessionOnOrder *on_end, void *user,
                   Error *err)
{
    CommandKind kind;
    const char *id = session->game.id, *name = orders_name(order);
    if (session->order.on_end) {
        error_set(err, ERR_NOT_NOW, "%s: an order is being carried out already", id);
        return false;
    }
    if (!orders_may(&session->game, order, err))
        return false;
    log_info(session->bot->log, "game", "ordered", FIELDS(F("id", id), F("what", name)));
    if (orders_command(order, &kind))
        session->order = (Order){ .on_end = on_end, .user = user, .kind = kind };
    step(session, &(GameInput){ .kind = INPUT_ORDER, .order = order }, NULL);
    return true;
}

SessionView session_view(const Session *session)
{
    const Scoresheet *sheet = &session->game.sheet;
    SessionView view = { .choice = session->latest.choice,
                         .from = latest_move_from(&session->latest) };
    MoveChoice found;
    if (session->source && game_owes_move(&session->game) &&
        source_progress(session->source, &found) && found.version == sheet->version)
        view = (SessionView){ .choice = found, .from = &sheet->position, .is_searching = true };
    return view;
}

const Game *session_game(const Session *session)
{
    return &session->game;
}

const ChatSettings *session_chat_settings(const Session *session)
{
    return &session->settings.game.chat;
}

void session_engine(const Session *session, char out[INI_SECTION_LONGEST + 1])
{
    Text rest = text_of(session->record.engine), name = text_next_word(&rest, ":");
    const bool is_ours = strcmp(session->settings.engine, "none") == 0;
    out[0] = '\0';
    if (name.len == 0 && !is_ours)
        name = text_of(session->settings.engine);
    text_copy(out, INI_SECTION_LONGEST + 1, name);
}

const GameRecord *session_record(const Session *session)
{
    return &session->record;
}
