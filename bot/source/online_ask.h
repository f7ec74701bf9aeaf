/* SPDX-License-Identifier: GPL-3.0-or-later */
/* online_ask.h - the addresses of a position at the web services. Pure. */
#pragma once
#include "bot/source/source.h"

enum { ONLINE_URL_SIZE = 1000 };

/* The whole URL for `position` in a game like the request's, at `base` ("https://host"). False when
 * it does not fit. */
bool online_url(char out[ONLINE_URL_SIZE], OnlineService service, const char *base,
                const Position *position, const MoveRequest *request) MUST_CHECK;

/* Does the answer come as lines, the first of which is enough? */
bool online_is_streamed(OnlineService service, const MoveRequest *request);

/* May the explorer at `explorer` be shown the token of the account at `account`? Only where it is
 * the same server, or the account's own name with "explorer." before it. Both as KEY_URL has them.
 */
bool online_may_have_token(const char *explorer, const char *account);

/* "cloud", …: also a MoveChoice's source. */
const char *online_name(OnlineService service);
