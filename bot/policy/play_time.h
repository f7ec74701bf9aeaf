/* SPDX-License-Identifier: GPL-3.0-or-later */
/* play_time.h - will a game be over in time, on a host that goes away at a known one? Pure: times
 * are monotonic and come in. */
#pragma once
#include "bot/model/time_control.h"

#include <stdbool.h>

/* True if a game that begins now should be over at `ends_ms`, whichever of both clocks is used up;
 * a game without a clock never is. INT64_MAX: there is no end, and any game will do. */
bool play_time_suffices(const TimeControl *time, int64_t ends_ms, int64_t now_ms);
