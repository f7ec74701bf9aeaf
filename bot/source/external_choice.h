/* SPDX-License-Identifier: GPL-3.0-or-later */
/* external_choice.h - what a UCI engine found, as a choice of ours. Pure. */
#pragma once
#include "bot/model/move_choice.h"
#include "bot/source/uci_talk.h"

/* What it says about its search; no moves. */
MoveChoice external_choice_of(const UciResult *result);

/* Adds its moves, as far as they are legal from `pos` on. False: the first is not. */
bool external_choice_read(const Position *pos, const UciResult *result, MoveChoice *out) MUST_CHECK;
