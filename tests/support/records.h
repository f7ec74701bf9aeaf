/* SPDX-License-Identifier: GPL-3.0-or-later */
/* records.h - finished games for the archive's tests. */
#pragma once
#include "bot/model/record.h"

/* A game of UCI moves, with clocks and thoughts that follow from their place in it. The caller
 * releases it. */
void record_make(GameRecord *out, const char *id, const char *opponent, const char *moves);
