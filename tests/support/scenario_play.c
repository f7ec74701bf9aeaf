/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Plays a scenario against the state machine of one game. The search finds the next move that the
 * file expects, at once; the account's list of games says what the lines have said. */
#include "bot/game/game.h"
#include "bot/game/game_settings.h"
#include "bot/policy/rules.h"
#include "bot/ops/jsonread.h"
#include "engine/base/check.h"
#include "engine/base/minmax.h"
#include "engine/base/text_format.h"
#include "tests/support/scenario.h"

#include <string.h>

enum { BEGIN_MS = 1000000, REQUEST_SIZE = 40, REQUESTS_MAX = 16 };

typedef struct {
    char text[REQUEST_SIZE]; /* as a record has it */
    uint32_t ticket;         /* 0: "open" */
} Request;

typedef struct {
    const Scenario *scenario;
    const ScenarioRecord *record; /* where it has come to */
    Game game;
    Ratelimit limit;
    int64_t now_ms;
    bool has_begun;              /* the event stream has told of the game */
    bool is_open;                /* its stream */
    uint32_t search;             /* what waits for a move; 0: nothing */
    Request asked[REQUESTS_MAX]; /* and not expected yet */
    int asked_count;
    bool list_is_asked;
    bool black_begins;
    int move_count; /* as the lines have it */
} Staging;

static void fail(const Staging *staging, Error *err, const char *what, Text request)
{
    error_set(err, ERR_INVALID, "%s:%d: %s %.*s, at %d ms", staging->scenario->path,
              staging->record->number, what, TEXT_ARGS(request), (int)(staging->now_ms - BEGIN_MS));
}

/* What castled asks. */

static void write_post(const Command *command, char out[REQUEST_SIZE])
{
    static const char *const names[] = {
        [COMMAND_ABORT] = "abort",        [COMMAND_RESIGN] = "resign", [COMMAND_CLAIM] = "claim-",
        [COMMAND_TAKEBACK] = "takeback/", [COMMAND_DRAW] = "draw/",    [COMMAND_MOVE] = "move/",
    };
    const char *more = "";
    if (command->kind == COMMAND_CLAIM)
        more = command->claims_victory ? "victory" : "draw";
    else if (command->kind == COMMAND_TAKEBACK || command->kind == COMMAND_DRAW)
        more = command->accepts ? "yes" : "no";
    text_format(out, REQUEST_SIZE, "%s%s%s%s", names[command->kind], more, command->uci,
                command->offers_draw ? "?offeringDraw=true" : "");
}

static void ask(Staging *staging, Request request)
{
    CHECK(staging->asked_count < REQUESTS_MAX);
    staging->asked[staging->asked_count++] = request;
}

static void carry_out(Staging *staging, const Effect *effect)
{
    Request post = { .ticket = effect->post.ticket };
    switch (effect->kind) {
    case EFFECT_OPEN_STREAM:
        ask(staging, (Request){ .text = "open" });
        break;
    case EFFECT_CLOSE_STREAM:
        staging->is_open = false;
        break;
    case EFFECT_POST:
        write_post(&effect->post.command, post.text);
        ask(staging, post);
        break;
    case EFFECT_SEARCH:
        staging->search = effect->version;
        break;
    case EFFECT_STOP_SEARCH:
        staging->search = 0;
        break;
    case EFFECT_ASK_LIST:
        staging->list_is_asked = true;
        break;
    case EFFECT_FINISH:
    case EFFECT_NOTE:
        break;
    }
}

static void step(Staging *staging, GameInput input)
{
    Effects todo = { 0 };
    game_step(&staging->game, &input, staging->now_ms, &todo);
    for (int i = 0; i < todo.count; i++)
        carry_out(staging, &todo.list[i]);
}

/* What happens beside the lines. */

static bool is_move(const ScenarioRecord *record)
{
    return record->kind == SCENARIO_EXPECT && text_starts_with(record->request, "move/");
}

/* The next move that is expected, if there is one. */
static bool find_move(Staging *staging, Error *err)
{
    const Scenario *scenario = staging->scenario;
    const ScenarioRecord *at = staging->record, *end = scenario->records + scenario->count;
    const Position *pos = &staging->game.sheet.position;
    GameInput input = { .kind = INPUT_MOVE_FOUND, .choice.version = staging->search };
    while (at < end && !is_move(at))
        at++;
    staging->search = 0;
    if (at == end)
        return true;
    Text rest = at->request, uci;
    text_next_word(&rest, "/");
    uci = text_next_word(&rest, "/?");
    if (!uci_move_match(pos, uci.at, uci.len, &input.choice.move, err)) {
        error_prefix(err, "%s:%d", scenario->path, at->number);
        return false;
    }
    input.choice.score = at->score_cp;
    input.choice.depth = 1;
    step(staging, input);
    return true;
}

static void tell_list(Staging *staging)
{
    bool is_white_to_move = staging->black_begins == (staging->move_count % 2 == 1);
    staging->list_is_asked = false;
    step(staging, (GameInput){ .kind = INPUT_LISTED,
                               .listed = { is_white_to_move == (staging->game.us == WHITE),
                                           staging->now_ms } });
}

/* Lets time pass until castled asks for something, or to the record's end. */
static bool wait(Staging *staging, Error *err)
{
    int64_t end_ms = BEGIN_MS + staging->record->t_ms;
    while (staging->has_begun && staging->asked_count == 0) {
        int64_t next_ms = int64_max(game_next_at_ms(&staging->game), staging->now_ms);
        if (staging->search != 0) {
            if (!find_move(staging, err))
                return false;
        } else if (staging->list_is_asked) {
            tell_list(staging);
        } else if (next_ms <= end_ms) {
            staging->now_ms = next_ms;
            step(staging, (GameInput){ .kind = INPUT_TIME });
        } else {
            break;
        }
    }
    if (staging->asked_count == 0)
        staging->now_ms = int64_max(end_ms, staging->now_ms);
    return true;
}

static bool wait_in_silence(Staging *staging, Error *err)
{
    if (!wait(staging, err))
        return false;
    if (staging->asked_count == 0)
        return true;
    fail(staging, err, "nothing is expected before this, and castled asks",
         text_of(staging->asked[0].text));
    return false;
}

/* Records. */

static void complete_settings(Staging *staging, const GameFull *full)
{
    GameSettings settings;
    const Config *config = &staging->scenario->config;
    Colour us = gamefull_colour_of(full, staging->scenario->our_id);
    if (us == COLOUR_NONE)
        return;
    GameFacts facts = facts_of_game(full, us);
    rules_apply(config, &facts, &settings, NULL);
    game_settings_complete(&settings, &facts, full, us, config->account.server);
    GameOptions options = game_settings_options(&settings, config->account.server);
    game_configure(&staging->game, &options);
}

static void begin(Staging *staging)
{
    GameAccount account = { .our_id = staging->scenario->our_id, .limit = &staging->limit };
    const Config *config = &staging->scenario->config;
    GameOptions options = game_settings_options(&config->game, config->account.server);
    game_init(&staging->game, staging->scenario->game_id, &account, &options, 1, staging->now_ms);
    staging->has_begun = true;
    step(staging, (GameInput){ .kind = INPUT_TIME });
}

static bool take_event(Staging *staging, const Event *event, Error *err)
{
    if (event->type == EVENT_GAME_START && !staging->has_begun) {
        begin(staging);
        return true;
    }
    if (event->type == EVENT_GAME_FINISH && staging->has_begun) {
        step(staging, (GameInput){ .kind = INPUT_FINISH,
                                   .finish = { event->game.status, event->game.winner } });
        return true;
    }
    fail(staging, err, "the event stream has one gameStart, then a gameFinish, no",
         event->type_name);
    return false;
}

static bool take_line(Staging *staging, const Event *event, Error *err)
{
    if (!staging->is_open) {
        fail(staging, err, "the game's stream is not open for this", event->type_name);
        return false;
    }
    if (event->type == EVENT_GAME_FULL) {
        complete_settings(staging, &event->full);
        staging->move_count = event->full.state.move_count;
        Text rest = event->full.initial_fen;
        text_next_word(&rest, " ");
        staging->black_begins = text_is(text_next_word(&rest, " "), "b");
    } else if (event->type == EVENT_GAME_STATE) {
        staging->move_count = event->state.move_count;
    }
    step(staging, (GameInput){ .kind = INPUT_LINE, .event = event });
    return true;
}

static bool send_line(Staging *staging, Error *err)
{
    Event event;
    if (!wait_in_silence(staging, err))
        return false;
    if (!event_read(&event, json_object_get(staging->record->line), err)) {
        error_prefix(err, "%s:%d", staging->scenario->path, staging->record->number);
        return false;
    }
    bool ok = staging->record->is_of_game ? take_line(staging, &event, err)
                                          : take_event(staging, &event, err);
    event_release(&event);
    return ok;
}

static void end_stream(Staging *staging, StreamEnd end)
{
    staging->is_open = false;
    step(staging, (GameInput){ .kind = INPUT_STREAM_END, .end = end });
}

static void open_stream(Staging *staging, int status)
{
    staging->is_open = status == 200;
    if (!staging->is_open)
        end_stream(staging, status == 404                   ? STREAM_NOT_FOUND
                            : status == 429                 ? STREAM_LIMITED
                            : status >= 400 && status < 500 ? STREAM_REFUSED
                                                            : STREAM_LOST);
}

static void answer(Staging *staging, uint32_t ticket, int status)
{
    GameInput input = { .kind = INPUT_REPLY, .reply = { .ticket = ticket } };
    input.reply.reply = status == 200                   ? REPLY_RECEIVED
                        : status == 429                 ? REPLY_LIMITED
                        : status >= 400 && status < 500 ? REPLY_REFUSED
                                                        : REPLY_LOST;
    if (input.reply.reply == REPLY_LIMITED)
        ratelimit_note(&staging->limit, FAMILY_MOVE, 0, false, staging->now_ms);
    step(staging, input);
}

static bool expect(Staging *staging, Error *err)
{
    const ScenarioRecord *record = staging->record;
    if (!wait(staging, err))
        return false;
    if (staging->asked_count == 0) {
        fail(staging, err, "castled has not asked", record->request);
        return false;
    }
    Request request = staging->asked[0];
    if (!text_is(record->request, request.text)) {
        fail(staging, err, "castled asks something else:", text_of(request.text));
        return false;
    }
    memmove(staging->asked, staging->asked + 1, (size_t)--staging->asked_count * sizeof request);
    if (request.ticket == 0)
        open_stream(staging, record->answer);
    else
        answer(staging, request.ticket, record->answer);
    return true;
}

static bool play_record(Staging *staging, Error *err)
{
    switch (staging->record->kind) {
    case SCENARIO_LINE:
        return send_line(staging, err);
    case SCENARIO_END:
        if (!wait_in_silence(staging, err))
            return false;
        end_stream(staging, STREAM_CLOSED);
        return true;
    case SCENARIO_EXPECT:
        return expect(staging, err);
    case SCENARIO_QUIET:
        return wait_in_silence(staging, err);
    }
    return false;
}

bool scenario_play(const Scenario *scenario, Error *err)
{
    Staging staging = { .scenario = scenario, .now_ms = BEGIN_MS };
    bool ok = true;
    ratelimit_init(&staging.limit);
    for (int i = 0; ok && i < scenario->count; i++) {
        staging.record = &scenario->records[i];
        ok = play_record(&staging, err);
    }
    return ok && wait_in_silence(&staging, err);
}
