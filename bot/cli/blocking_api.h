/* SPDX-License-Identifier: GPL-3.0-or-later */
/* blocking_api.h - a command's own way to the server, where no daemon is needed. Not for the
 * daemon: it blocks. */
#pragma once
#include "bot/config/config.h"
#include "bot/lichess/api.h"

/* Asks the configured server and returns when the answer has come, which takes up to the request's
 * timeout. False: nothing was sent, and on_answer was not called. */
bool blocking_api_call(const Config *config, const char *token, ApiEndpoint endpoint,
                       ApiOnAnswer *on_answer, void *user, Error *err) MUST_CHECK;
