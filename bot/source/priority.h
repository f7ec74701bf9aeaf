/* SPDX-License-Identifier: GPL-3.0-or-later */
/* priority.h - engines whose search threads run at a lower priority than the caller's: as low as
 * that of programs that we start (child_niceness()).
 *
 * The further apart, the sooner the loop's thread is served where searches fill all cores. For a
 * move it wakes twice, and by the second time it has had more than its share of the core. Beside a
 * search that is nicer by 5 it then waits for the kernel's next tick, up to 4 ms. Beside one that
 * is nicer by 15 it hardly ever waits. So the service runs us at -10, and searches are at 5
 * nevertheless.
 *
 * Niceness is all there is. With real-time priority the loop's thread would not wait at all. But
 * libuv has it spin, with sched_yield(), until a thread that wakes it has left uv_async_send():
 * that would wait without end for a thread whose core it has taken. */
#pragma once
#include "engine/search/engine.h"

/* Makes *engine where it is NULL, else gives it these options, as engine_new() and
 * engine_set_options() do. Waits for the new threads to be there, not for anything else. */
bool priority_lower_engine(Engine **engine, const EngineOptions *options, Error *err) MUST_CHECK;
