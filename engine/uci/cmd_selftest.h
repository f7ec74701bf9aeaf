/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cmd_selftest.h - `castled-uci selftest [NETWORK]`: does this machine play as every other one
 * does? Searches bench's positions with each set of the network's kernels that the processor has
 * (kernels.h) and compares the nodes: one bit of difference in any evaluation changes them. */
#pragma once

/* Arguments after the command's name; returns the exit status. */
int cmd_selftest(int argc, char **argv);
