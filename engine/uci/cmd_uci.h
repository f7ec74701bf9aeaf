/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cmd_uci.h - `castled-uci` without a command: speaks UCI on standard input and output until "quit"
 * or the end of the input. */
#pragma once

/* Returns the exit status. */
int cmd_uci(void);
