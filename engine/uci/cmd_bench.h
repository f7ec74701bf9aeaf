/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cmd_bench.h - `castled-uci bench [DEPTH [NETWORK]]`: searches a fixed set of positions, each with
 * one thread and a fresh hash of 16 MiB, with the built-in network or NETWORK. The sum of the nodes
 * is the engine's signature: the same number, the same play, whatever the compiler or the machine.
 * The last line, "N nodes M nps", is what OpenBench reads. */
#pragma once
#include "engine/eval/network.h"
#include "engine/search/engine.h"

/* Arguments after the command's name; returns the exit status. */
int cmd_bench(int argc, char **argv);

/* The sum of the nodes at a depth in plies, with a network or (NULL) the one built in. Reports
 * progress on standard error. False without memory. */
bool bench_run(const Network *network, int depth, uint64_t *nodes, Error *err) MUST_CHECK;
