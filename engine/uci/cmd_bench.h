/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cmd_bench.h - `castled-uci bench [DEPTH]`: searches a fixed set of positions with one thread and
 * a fresh table of 16 MiB each. The sum of the nodes is the engine's signature: the same number,
 * the same play, whatever the compiler or the machine. The last line, "N nodes M nps", is what
 * OpenBench reads. */
#pragma once

/* Arguments after the command's name; returns the exit status. */
int cmd_bench(int argc, char **argv);
