/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/admin/game_orders.h"

#include "bot/ops/json_put.h"
#include "engine/base/clock.h"
#include "engine/base/text_format.h"

#include <inttypes.h>

/* {id, opponent}. The caller drops it. */
static struct json_object *describe(const Session *session)
{
    struct json_object *said = json_object_new_object();
    const Game *game = session_game(session);
    json_put_text(said, "id", game->id);
    if (game->us != COLOUR_NONE)
        json_put_text(said, "opponent", session_record(session)->players[game_opponent(game)].name);
    return said;
}

static void answer_call(ControlCall *call, struct json_object *said)
{
    control_answer(call, json_object_to_json_string_ext(said, JSON_C_TO_STRING_PLAIN));
    json_object_put(said);
}

static void game_orders_on_end(void *user, const Session *session, bool ok, const char *why)
{
    ControlCall *call = user;
    const Game *game = session_game(session);
    char text[400];
    if (ok) {
        struct json_object *said = describe(session);
        json_put_text(said, "status", status_name(game->status));
        json_put_text(said, "result", record_result(game->status, game->winner));
        answer_call(call, said);
        return;
    }
    text_format_cut(text, sizeof text, "%s: %s", game->id, why);
    control_refuse(call, text);
}

void game_orders_give(GameSet *games, GameOrder order, ControlCall *call, Text game)
{
    Error err = { 0 };
    const Session *session = game_set_choose(games, game, &err);
    struct json_object *said = session ? describe(session) : NULL;
    if (!session ||
        !game_set_order(games, session_game(session)->id, order, game_orders_on_end, call, &err))
        control_refuse(call, err.text);
    else if (order == ORDER_DRAW)
        answer_call(call, json_object_get(said));
    json_object_put(said);
}

/* As the server counts, in UTF-16. */
static size_t chat_chars(Text text)
{
    size_t count = 0;
    for (size_t i = 0; i < text.len; i++) {
        unsigned char byte = (unsigned char)text.at[i];
        if ((byte & 0xc0) != 0x80)
            count += byte >= 0xf0 ? 2 : 1;
    }
    return count;
}

/* What is wrong with saying this now; "" in `why`: nothing. */
static void find_obstacle(const BotContext *context, Text line, char *why, size_t size)
{
    int64_t limited_ms = ratelimit_wait_ms(context->limit, FAMILY_CHAT, clock_now_ms());
    size_t chars = chat_chars(line);
    why[0] = '\0';
    if (line.len == 0)
        text_format(why, size, "nothing to say");
    else if (chars > CHAT_LINE_CHARS)
        text_format(why, size, "%zu characters; a line of the chat takes %d", chars,
                    CHAT_LINE_CHARS);
    else if (limited_ms > 0)
        text_format(why, size, "the server limits chat for %" PRId64 " s more",
                    (limited_ms + 999) / 1000);
}

/* The game may be over by now. */
static void game_orders_on_said(void *user, const ApiAnswer *reply)
{
    ControlCall *call = user;
    char text[400];
    if (reply->outcome == API_OK) {
        control_answer(call, "{}");
        return;
    }
    text_format_cut(text, sizeof text, "not said, %s: %s", api_outcome_name(reply->outcome),
                    reply->reason);
    control_refuse(call, text);
}

void game_orders_say(const GameSet *games, const BotContext *context, ControlCall *call, Text words)
{
    Error err = { 0 };
    char why[100], line[CONTROL_LINE_MAX];
    Text game = text_next_word(&words, " ");
    const Session *session = game_set_choose(games, game, &err);
    if (!session) {
        control_refuse(call, err.text);
        return;
    }
    words = text_trimmed(words, " ");
    find_obstacle(context, words, why, sizeof why);
    if (why[0] != '\0') {
        control_refuse(call, why);
        return;
    }
    const char *id = session_game(session)->id;
    if (!text_copy(line, sizeof line, words) ||
        !api_chat(context->api, id, "player", line, game_orders_on_said, call, &err)) {
        control_refuse(call, err.text);
        return;
    }
    log_info(context->log, "chat", "ordered", FIELDS(F("id", id), F("text", line)));
}
