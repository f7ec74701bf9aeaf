/* SPDX-License-Identifier: GPL-3.0-or-later */
/* decline_reason.h - which of the server's reasons tells a player best what to change. Pure. */
#pragma once
#include "bot/policy/rules.h"

/* Where the speed is not among those wanted: whether all of them are slower, or all faster. */
DeclineReason decline_reason_by_speed(uint32_t wanted, Speed speed);

/* Where challenge.accept is off, a rule says what the player could change: one that would have
 * opened the door but for one condition, or the one that closed it. DECLINE_LATER: nothing. */
DeclineReason decline_reason_when_off(const Challenge *challenge, const Config *config);
