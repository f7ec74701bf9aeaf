/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cmd_perft.h - `castled-uci perft` and `castled-uci divide`: count the legal move tree. */
#pragma once

/* Arguments after the command's name; return the exit status. */
int cmd_perft(int argc, char **argv);
int cmd_divide(int argc, char **argv);
