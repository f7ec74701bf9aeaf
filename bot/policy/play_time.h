/* SPDX-License-Identifier: GPL-3.0-or-later */
/* play_time.h - will a game be over in time, on a host that goes away at a known one? Pure: times
 * are monotonic and come in. */
#pragma once
#include "bot/lichess/event.h"

/* What a player's clock comes to in a game of forty moves, as Lichess estimates it, in seconds;
 * INT_MAX: without a clock. */
int play_time_estimate_s(const TimeControl *time);

/* True if a game that begins now should be over at `ends_ms`, whichever of both clocks is used up;
 * a game without a clock never is. INT64_MAX: there is no end, and any game will do. */
bool play_time_suffices(const TimeControl *time, int64_t ends_ms, int64_t now_ms);
