/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tables_source.h - local endgame tables for external engines, as a parallel link of a chain.
 *
 * Where the tables hold a position they give the moves that keep its value; the request says
 * whether an engine chooses among them or the best is played. Their verdict goes to the offers and
 * resignations. Our own engine needs none of this: it looks up its root moves itself.
 * Tables are read on the loop's pool, because they may wait for the disk. A move waits for them no
 * longer than TABLES_DEADLINE_MS. */
#pragma once
#include "bot/source/source.h"
#include "engine/tablebase/tablebase.h"

#include <uv.h>

enum { TABLES_DEADLINE_MS = 500 };

/* `tables` are the source's from now on; on failure (no memory) they are still the caller's. */
bool tables_source_new(Source **out, uv_loop_t *loop, Tablebase *tables, Error *err) MUST_CHECK;

/* Are the tables to be asked for a request? Pure. */
bool tables_are_wanted(const MoveRequest *request);
