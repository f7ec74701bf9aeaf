/* SPDX-License-Identifier: GPL-3.0-or-later */
/* priority.h - who gets a core first: the network's thread, then the first instant of a search,
 * then searches that go on.
 *
 * A kernel that lets threads run to the end of their slice (Linux from 6.6 on) has a thread that
 * wakes wait for up to 4 ms where searches fill all cores, whatever its niceness. Only a real-time
 * policy is served at once. That needs a permission (RLIMIT_RTPRIO, which the systemd unit gives,
 * or root); without it everything works by niceness alone, as it does on other kernels. A search
 * that gives way is as nice as can be: beside others it gets some 4 % of a core, enough to end in
 * time. */
#pragma once
#include "engine/search/engine.h"

/* The calling thread goes first from now on, if that is permitted. Threads and processes that it
 * makes do not. */
void priority_raise_network(void);

typedef enum { SEARCH_USUAL, SEARCH_GIVES_WAY } SearchRank;

/* Makes *engine where it is NULL, else gives it these options, as engine_new() and
 * engine_set_options() do; its threads run at a lower priority than the thread that asks. Waits for
 * the new threads to be there, not for anything else. */
bool priority_lower_engine(Engine **engine, const EngineOptions *options, SearchRank rank,
                           Error *err) MUST_CHECK;
