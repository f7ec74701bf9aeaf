/* SPDX-License-Identifier: GPL-3.0-or-later */
/* blocking_api.h - a command's own way to the server, where no daemon is needed: one call at a
 * time, and the command waits for its answer. Not for the daemon: it blocks. */
#pragma once
#include "bot/config/config.h"
#include "bot/lichess/api.h"

typedef struct BlockingApi BlockingApi;

/* To the configured server, with `token`; both may go afterwards. */
bool blocking_api_new(BlockingApi **out, const Config *config, const char *token,
                      Error *err) MUST_CHECK;

/* NULL is fine. */
void blocking_api_free(BlockingApi *inquiry);

/* A call of api.h that needs nothing but the account. */
typedef ApiCall *BlockingCall(Api *api, ApiOnAnswer *on_answer, void *user, Error *err);

/* Returns when the answer has come, which takes up to the request's timeout. False: nothing was
 * sent, and on_answer was not called. */
bool blocking_api_call(BlockingApi *inquiry, BlockingCall *call, ApiOnAnswer *on_answer, void *user,
                       Error *err) MUST_CHECK;
