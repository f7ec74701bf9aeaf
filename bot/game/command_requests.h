/* SPDX-License-Identifier: GPL-3.0-or-later */
/* command_requests.h - a game's commands on their way to the server. A part of session.c; what
 * becomes of a command is the outbox's to know. Loop thread only. */
#pragma once
#include "bot/account/context.h"
#include "bot/game/game_state.h"

/* Moves, their repetitions and other commands that may be unanswered at the same time. */
enum { COMMAND_REQUESTS_MAX = 16 };

/* The server answered, or did not; lent for the call. */
typedef void CommandAnswered(void *user, CommandKind kind, uint32_t ticket,
                             const ApiAnswer *answer);

typedef struct CommandRequests CommandRequests;

typedef struct {
    CommandRequests *requests;
    ApiCall *call; /* NULL: free */
    CommandKind kind;
    uint32_t ticket;
} CommandRequest;

struct CommandRequests {
    const BotContext *bot;
    const char *game_id;
    CommandAnswered *on_answer;
    void *user;
    CommandRequest list[COMMAND_REQUESTS_MAX];
};

/* What an answer means to the outbox. */
Reply command_reply(ApiOutcome outcome);

/* All that is given is lent, and outlives the requests. */
void command_requests_init(CommandRequests *requests, const BotContext *bot, const char *game_id,
                           CommandAnswered *answered, void *user);

/* Where the next request goes: a free place, or that of the oldest request that a later one of its
 * kind supersedes: a move's earlier try, or the answer to a proposal that was taken back since.
 * There are more places than kinds, so that there always is one. */
CommandRequest *command_requests_place(CommandRequests *requests);

/* False, and logged, when it can't even start; nothing is called for it then. */
bool command_requests_send(CommandRequests *requests, const Post *post);

/* Forgets all of them; nothing more is called. */
void command_requests_cancel(CommandRequests *requests);
