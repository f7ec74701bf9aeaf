/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/game/command_requests.h"

#include "engine/base/clock.h"

static ApiEndpoint endpoint_of(const Command *command)
{
    switch (command->kind) {
    case COMMAND_MOVE:
        return ENDPOINT_MOVE;
    case COMMAND_CLAIM:
        return command->claims_victory ? ENDPOINT_CLAIM_VICTORY : ENDPOINT_CLAIM_DRAW;
    case COMMAND_RESIGN:
        return ENDPOINT_RESIGN;
    case COMMAND_ABORT:
        return ENDPOINT_ABORT;
    case COMMAND_TAKEBACK:
        return command->accepts ? ENDPOINT_TAKEBACK_YES : ENDPOINT_TAKEBACK_NO;
    case COMMAND_DRAW:
        return command->accepts ? ENDPOINT_DRAW_YES : ENDPOINT_DRAW_NO;
    }
    return ENDPOINT_ABORT;
}

static void command_requests_on_answer(void *user, const ApiAnswer *answer)
{
    CommandRequest *request = user;
    const CommandRequests *requests = request->requests;
    request->call = NULL;
    requests->on_answer(requests->user, request->kind, request->ticket, answer);
}

/* A later one of its kind is under way. */
static bool is_superseded(const CommandRequests *requests, const CommandRequest *request)
{
    for (int i = 0; i < COMMAND_REQUESTS_MAX; i++) {
        const CommandRequest *other = &requests->list[i];
        if (other->call && other->kind == request->kind && other->ticket > request->ticket)
            return true;
    }
    return false;
}

CommandRequest *command_requests_place(CommandRequests *requests)
{
    CommandRequest *oldest = NULL;
    for (int i = 0; i < COMMAND_REQUESTS_MAX; i++) {
        CommandRequest *request = &requests->list[i];
        if (!request->call)
            return request;
        if (is_superseded(requests, request) && (!oldest || request->ticket < oldest->ticket))
            oldest = request;
    }
    return oldest;
}

static ApiCall *send_post(const CommandRequests *requests, const Post *post,
                          CommandRequest *request, Error *err)
{
    Api *api = requests->bot->api;
    const char *id = requests->game_id;
    ApiEndpoint endpoint = endpoint_of(&post->command);
    if (endpoint != ENDPOINT_MOVE)
        return api_call(api, endpoint, id, command_requests_on_answer, request, err);
    ratelimit_note_move_sent(requests->bot->limit, clock_now_ms());
    return api_move(
        api, id,
        &(ApiMove){ .uci = post->command.uci,
                    .offer = post->command.offers_draw ? MOVE_OFFERING_DRAW : MOVE_PLAIN,
                    .timeout_ms = post->timeout_ms,
                    .fresh_connection = post->tries > 1 },
        command_requests_on_answer, request, err);
}

Reply command_reply(ApiOutcome outcome)
{
    switch (outcome) {
    case API_OK:
        return REPLY_RECEIVED;
    case API_REFUSED:
    case API_FORBIDDEN:
        return REPLY_REFUSED;
    case API_LIMITED:
        return REPLY_LIMITED;
    case API_UNAUTHORIZED:
    case API_SERVER_ERROR:
    case API_UNREACHABLE:
    case API_LOST:
    case API_SILENT:
        return REPLY_LOST;
    }
    return REPLY_LOST;
}

void command_requests_init(CommandRequests *requests, const BotContext *bot, const char *game_id,
                           CommandAnswered *answered, void *user)
{
    *requests =
        (CommandRequests){ .bot = bot, .game_id = game_id, .on_answer = answered, .user = user };
}

bool command_requests_send(CommandRequests *requests, const Post *post)
{
    Error err = { 0 };
    CommandRequest *request = command_requests_place(requests);
    if (request->call)
        api_cancel(request->call);
    *request = (CommandRequest){ .requests = requests,
                                 .kind = post->command.kind,
                                 .ticket = post->ticket };
    request->call = send_post(requests, post, request, &err);
    if (!request->call)
        log_error(requests->bot->log, "game", "command-not-sent",
                  FIELDS(F("id", requests->game_id), F("why", err.text)));
    return request->call;
}

void command_requests_cancel(CommandRequests *requests)
{
    for (int i = 0; i < COMMAND_REQUESTS_MAX; i++) {
        if (requests->list[i].call)
            api_cancel(requests->list[i].call);
        requests->list[i].call = NULL;
    }
}
