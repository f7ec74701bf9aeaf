/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pairing_log.h - the log's lines about challenges, planned matches and the search for opponents.
 * Loop thread only. */
#pragma once
#include "bot/ops/log.h"
#include "bot/pairing/pairing_state.h"

void pairing_log_note(Log *log, const PairNote *note);
