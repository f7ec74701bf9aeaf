/* SPDX-License-Identifier: GPL-3.0-or-later */
/* online_check.h - does the server see us? An event stream can be open at our end and be lost at
 * the server's: keep-alives may still come, but no challenge does. So soon after the start, and
 * then every hour, we look at our own `online` flag. Where it is not set though the stream has been
 * open for long enough, the stream is opened again. Loop thread only. */
#pragma once
#include "bot/account/event_stream.h"

typedef struct OnlineCheck OnlineCheck;

/* Both are lent and outlive it. */
bool online_check_new(OnlineCheck **out, const BotContext *context, EventStream *events,
                      Error *err) MUST_CHECK;

/* The memory goes in close callbacks (I8). NULL is fine. */
void online_check_close(OnlineCheck *check);
