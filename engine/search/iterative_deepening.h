/* SPDX-License-Identifier: GPL-3.0-or-later */
/* iterative_deepening.h - iterative deepening at the root: depth by depth, line by line, in
 * aspiration windows, until a limit is reached. Internal to engine/search. */
#pragma once
#include "engine/search/worker.h"

/* One thread's whole search. The main thread (index 0) reports iterations and checks the limits.
 * The others search until search_stopped(). Afterwards the worker's root moves are in order of
 * merit. */
void iterative_deepening_run(Worker *worker);

/* The worker's line of this index (from 0) as callbacks get it. */
void iterative_deepening_info(const Worker *worker, int line, SearchInfo *info);
