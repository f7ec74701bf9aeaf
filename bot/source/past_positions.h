/* SPDX-License-Identifier: GPL-3.0-or-later */
/* past_positions.h - the positions that led to a request's, as a network of people's moves looks
 * back on them. Pure. */
#pragma once
#include "bot/source/source.h"
#include "engine/human/policy_network.h"

/* From the request's `fen` and `moves`; where these do not lead to its position, that one alone. */
void past_positions_read(HumanHistory *out, const MoveRequest *request);
