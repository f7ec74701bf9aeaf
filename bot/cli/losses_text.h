/* SPDX-License-Identifier: GPL-3.0-or-later */
/* losses_text.h - what analysed games cost us points by, in a few lines on standard output. */
#pragma once
#include "bot/archive/stats.h"

/* `row`: of STATS_ALL. Nothing where no game is analysed. */
void losses_print(const StatsRow *row);
