/* SPDX-License-Identifier: GPL-3.0-or-later */
/* priority.h - engines whose search threads run at a lower priority than the thread that asks. One
 * that gives way is as nice as can be: beside others it gets some 4 % of a core, enough to end in
 * time.
 *
 * Niceness is all there is. In real time the loop's thread would be served sooner where searches
 * fill all cores, but libuv has it spin, with sched_yield(), until a thread that wakes it has left
 * uv_async_send(): in real time that waits for ever for a thread whose core it has taken. */
#pragma once
#include "engine/search/engine.h"

typedef enum { SEARCH_USUAL, SEARCH_GIVES_WAY } SearchRank;

/* Makes *engine where it is NULL, else gives it these options, as engine_new() and
 * engine_set_options() do. Waits for the new threads to be there, not for anything else. */
bool priority_lower_engine(Engine **engine, const EngineOptions *options, SearchRank rank,
                           Error *err) MUST_CHECK;
