/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/admin/control_commands.h"

#include "bot/admin/control_place.h"
#include "bot/admin/game_json.h"
#include "bot/admin/game_orders.h"
#include "bot/archive/archive.h"
#include "bot/config/external_config.h"
#include "bot/ops/json_put.h"
#include "bot/ops/control.h"
#include "bot/pairing/challenge_request.h"
#include "bot/config/config_place.h"
#include "engine/base/alloc.h"
#include "engine/base/clock.h"
#include "engine/base/duration.h"
#include "engine/base/number.h"
#include "engine/base/text_format.h"

#include <stdlib.h>
#include <string.h>

enum { DRAIN_MOST_S = 7 * 86400, LINES_MAX = 1 << 18, ENGINE_USED_DAYS = 365 };

/* A challenge by hand, whose end is awaited. */
typedef struct {
    ControlCommands *op;
    ControlCall *call; /* NULL: free */
} Asked;

/* The words of a tournament may be long. */
enum { TOURNAMENT_WORDS_SIZE = 500 };

struct ControlCommands {
    ControlCommandsOptions options;
    Control *control; /* NULL: off, or no place */
    Asked asked[OUTGOING_MAX];
    Asked arenas[ARENAS_MAX];
};

static void answer_json(ControlCall *call, struct json_object *object)
{
    if (object)
        control_answer(call, json_object_to_json_string_ext(object, JSON_C_TO_STRING_PLAIN));
    else
        control_refuse(call, "no memory");
    json_object_put(object);
}

static void answer_field(ControlCall *call, const char *key, struct json_object *value)
{
    struct json_object *said = json_object_new_object();
    json_put_value(said, key, value);
    answer_json(call, said);
}

static void tell_status(ControlCommands *op, ControlCall *call, Text words)
{
    (void)words;
    answer_json(call, status_json_make(&op->options.view));
}

/* A game that is being played, as game_set_choose() knows it, or one that has just ended. */
static void tell_game(ControlCommands *op, ControlCall *call, Text words)
{
    Text id = text_next_word(&words, " "), from = text_next_word(&words, " ");
    int64_t plies = 0;
    Error err = { 0 };
    if (from.len > 0 && !number_parse(from.at, from.len, 0, GAME_JSON_NO_MOVES, &plies, &err)) {
        control_refuse(call, err.text);
        return;
    }
    struct json_object *game = game_json_find(op->options.view.games, id, (size_t)plies);
    const Session *meant = game ? NULL : game_set_choose(op->options.view.games, id, &err);
    if (meant)
        game = game_json_of_session(meant, (size_t)plies);
    if (game)
        answer_json(call, game);
    else
        control_refuse(call, meant ? "no memory" : err.text);
}

/* Cuts the next word off as a number. */
static bool next_number(Text *words, int64_t most, int64_t *out, Error *err)
{
    Text word = text_next_word(words, " ");
    return number_parse(word.at, word.len, 1, most, out, err);
}

static void drain(ControlCommands *op, ControlCall *call, Text words)
{
    int64_t seconds = 0;
    Error err = { 0 };
    if (words.len > 0 && !next_number(&words, DRAIN_MOST_S, &seconds, &err)) {
        control_refuse(call, err.text);
        return;
    }
    const Slots *slots = op->options.view.context->slots;
    answer_field(call, "games", json_object_new_int(slots_running(slots, SLOTS_REALTIME)));
    op->options.on_drain(op->options.user,
                         seconds > 0 ? clock_now_ms() + seconds * 1000 : INT64_MAX);
}

static void resume(ControlCommands *op, ControlCall *call, Text words)
{
    Error err = { 0 };
    (void)words;
    if (op->options.on_resume(op->options.user, &err))
        control_answer(call, "{}");
    else
        control_refuse(call, err.text);
}

static struct json_object *lines_of(const char *text)
{
    struct json_object *lines = json_object_new_array();
    while (*text) {
        size_t len = strcspn(text, "\n");
        json_put_entry(lines, json_object_new_string_len(text, (int)len));
        text += len + (text[len] == '\n');
    }
    return lines;
}

static void reload(ControlCommands *op, ControlCall *call, Text words)
{
    Buf lines;
    (void)words;
    buf_init(&lines, LINES_MAX);
    bool ok = op->options.on_reload(op->options.user, &lines);
    struct json_object *said = json_object_new_object();
    json_put_text(said, "file", config_place_text(op->options.config_path));
    json_put_value(said, ok ? "changes" : "problems", lines_of(buf_view(&lines)));
    buf_release(&lines);
    answer_json(call, said);
}

static void set_log_level(ControlCommands *op, ControlCall *call, Text words)
{
    Log *log = op->options.view.context->log;
    for (int level = 0; level < LEVEL_COUNT; level++) {
        const char *from = log_level_names[log->level], *to = log_level_names[level];
        if (!text_is(words, to))
            continue;
        log->level = (LogLevel)level;
        log_info(log, "daemon", "log-level", FIELDS(F("from", from), F("to", to)));
        struct json_object *said = json_object_new_object();
        json_put_text(said, "from", from);
        json_put_text(said, "to", to);
        answer_json(call, said);
        return;
    }
    control_refuse(call, "no such level: there are error, warning, info and debug");
}

/* Its name, or "all" for what the configuration says. */
static void use_engine(ControlCommands *op, ControlCall *call, Text words)
{
    const BotContext *context = op->options.view.context;
    char name[INI_SECTION_LONGEST + 1];
    bool is_all = text_is(words, EXTERNAL_ALL), is_known = is_all;
    for (size_t i = 0; i < context->config->external_count && !is_known; i++)
        is_known = text_is(words, context->config->externals[i].name);
    if (!is_known || !text_copy(name, sizeof name, words)) {
        control_refuse(call, "no such engine: it is not an [engine.external NAME] of the "
                             "configuration, nor all");
        return;
    }
    archive_remember(context->archive, FACT_ENGINE, text_of(""), is_all ? "" : name,
                     clock_unix_ms() + ENGINE_USED_DAYS * DURATION_DAY_MS);
    log_info(context->log, "engine", "used", FIELDS(F("engine", name)));
    answer_field(call, "engine", json_object_new_string(name));
}

static void abort_game(ControlCommands *op, ControlCall *call, Text words)
{
    game_orders_give(op->options.games, ORDER_ABORT, call, words);
}

static void resign(ControlCommands *op, ControlCall *call, Text words)
{
    game_orders_give(op->options.games, ORDER_RESIGN, call, words);
}

static void draw(ControlCommands *op, ControlCall *call, Text words)
{
    game_orders_give(op->options.games, ORDER_DRAW, call, words);
}

static void say(ControlCommands *op, ControlCall *call, Text words)
{
    game_orders_say(op->options.games, op->options.view.context, call, words);
}

static void control_commands_on_challenge_end(void *user, const OutgoingResult *result)
{
    Asked *asked = user;
    char text[300];
    ControlCall *call = asked->call;
    asked->call = NULL;
    switch (result->end) {
    case OUTGOING_ACCEPTED: {
        struct json_object *said = json_object_new_object();
        json_put_text(said, "id", result->id);
        json_put_text(said, "url", asked->op->options.view.context->config->account.url);
        answer_json(call, said);
        return;
    }
    case OUTGOING_DECLINED:
        text_format_cut(text, sizeof text, "declined: %s", result->text);
        break;
    case OUTGOING_UNANSWERED:
        text_format_cut(text, sizeof text, "no answer in 20 s; withdrawn");
        break;
    case OUTGOING_REFUSED:
        text_format_cut(text, sizeof text, "the server says no: %s", result->text);
        break;
    case OUTGOING_LIMITED:
        text_format_cut(text, sizeof text, "no more challenges for now: %s", result->text);
        break;
    case OUTGOING_LOST:
        text_format_cut(text, sizeof text, "the request was lost: %s", result->text);
        break;
    }
    control_refuse(call, text);
}

/* NULL: all are taken. */
static Asked *take_asked(ControlCommands *op, Asked *list, int count, ControlCall *call)
{
    for (int i = 0; i < count; i++) {
        if (list[i].call)
            continue;
        list[i] = (Asked){ .op = op, .call = call };
        return &list[i];
    }
    control_refuse(call, "too much of that is under way already");
    return NULL;
}

static void challenge(ControlCommands *op, ControlCall *call, Text words)
{
    ChallengeRequest wanted;
    Error err = { 0 };
    Asked *asked = take_asked(op, op->asked, OUTGOING_MAX, call);
    if (!asked)
        return;
    if (challenge_request_read(&wanted, words, &err) &&
        pairing_shell_challenge(op->options.pairing, &wanted, control_commands_on_challenge_end,
                                asked, &err))
        return;
    asked->call = NULL;
    control_refuse(call, err.text);
}

static void schedule(ControlCommands *op, ControlCall *call, Text words)
{
    ChallengeRequest wanted;
    int64_t at_unix_s, games;
    Error err = { 0 };
    int number = 0;
    if (next_number(&words, INT64_MAX / 2000, &at_unix_s, &err) &&
        next_number(&words, SCHEDULE_GAMES_MOST, &games, &err) &&
        challenge_request_read(&wanted, words, &err))
        number = pairing_shell_schedule(op->options.pairing, &wanted, at_unix_s, (int)games, &err);
    if (number > 0)
        answer_field(call, "number", json_object_new_int(number));
    else
        control_refuse(call, err.text);
}

static void unschedule(ControlCommands *op, ControlCall *call, Text words)
{
    int64_t number;
    Error err = { 0 };
    if (!next_number(&words, SCHEDULE_MAX, &number, &err))
        control_refuse(call, err.text);
    else if (!pairing_shell_unschedule(op->options.pairing, (int)number))
        control_refuse(call, "nothing of that number is scheduled");
    else
        answer_field(call, "number", json_object_new_int64(number));
}

static void control_commands_on_arena(void *user, bool ok, const char *text)
{
    Asked *asked = user;
    ControlCall *call = asked->call;
    asked->call = NULL;
    if (!ok) {
        control_refuse(call, text);
        return;
    }
    answer_field(call, "name", json_object_new_string(text));
}

static void tournament(ControlCommands *op, ControlCall *call, Text words)
{
    Text verb = text_next_word(&words, " ");
    bool joins = text_is(verb, "join");
    PairingShell *pairing = op->options.pairing;
    ArenaSpec spec;
    char text[TOURNAMENT_WORDS_SIZE];
    Error err = { 0 };
    if (!joins && !text_is(verb, "leave")) {
        control_refuse(call, "neither join nor leave");
        return;
    }
    if (!text_copy(text, sizeof text, words)) {
        control_refuse(call, "too many words, or too long");
        return;
    }
    Asked *asked = take_asked(op, op->arenas, ARENAS_MAX, call);
    if (!asked)
        return;
    if (arena_spec_read(&spec, text, &err) &&
        (joins ? pairing_shell_join(pairing, &spec, control_commands_on_arena, asked, &err)
               : pairing_shell_leave(pairing, &spec, control_commands_on_arena, asked, &err)))
        return;
    asked->call = NULL;
    control_refuse(call, err.text);
}

/* `least`, `most`: words behind the name. */
static const struct {
    const char *name;
    int least, most;
    void (*run)(ControlCommands *op, ControlCall *call, Text words);
} requests[] = {
    { "status", 0, 0, tell_status },
    { "game", 1, 2, tell_game },
    { "drain", 0, 1, drain },
    { "resume", 0, 0, resume },
    { "reload", 0, 0, reload },
    { "log-level", 1, 1, set_log_level },
    { "engine-use", 1, 1, use_engine },
    { "abort", 0, 1, abort_game },
    { "resign", 0, 1, resign },
    { "draw", 0, 1, draw },
    { "say", 2, CONTROL_LINE_MAX, say },
    { "challenge", 2, 6, challenge },
    { "schedule", 4, 8, schedule },
    { "unschedule", 1, 1, unschedule },
    { "tournament", 2, 4, tournament },
};

static void control_commands_on_request(void *user, ControlCall *call, Text words)
{
    Text name = text_next_word(&words, " ");
    int count = 0;
    for (Text rest = words; text_next_word(&rest, " ").len > 0;)
        count++;
    words = text_trimmed(words, " ");
    for (size_t i = 0; i < sizeof requests / sizeof *requests; i++) {
        if (!text_is(name, requests[i].name))
            continue;
        if (count < requests[i].least || count > requests[i].most)
            control_refuse(call, "wrong number of arguments");
        else
            requests[i].run(user, call, words);
        return;
    }
    control_refuse(call, "unknown command");
}

bool control_commands_new(ControlCommands **out, const ControlCommandsOptions *options, Error *err)
{
    const BotContext *context = options->view.context;
    char path[CONTROL_PLACE_SIZE];
    Error why = { 0 };
    ControlCommands *op = alloc_zeroed(sizeof *op, "the commands", err);
    if (!op)
        return false;
    op->options = *options;
    if (!control_place(context->config, path, sizeof path, &why) ||
        !control_new(&op->control, context->loop, path, context->log, control_commands_on_request,
                     op, &why)) {
        if (why.code != ERR_NONE)
            log_error(context->log, "control", "off", FIELDS(F("why", why.text)));
    } else {
        log_debug(context->log, "control", "listening", FIELDS(F("socket", path)));
    }
    *out = op;
    return true;
}

void control_commands_close(ControlCommands *op)
{
    if (!op)
        return;
    control_close(op->control);
    free(op);
}
