/* SPDX-License-Identifier: GPL-3.0-or-later */
/* machine.h - the machine that we run on, in words for people. Any thread; nothing here waits for a
 * disk. */
#pragma once

enum { MACHINE_TEXT_SIZE = 80 };

/* Its processor: Linux's name for it, or else the kind ("aarch64"). */
void machine_cpu(char out[MACHINE_TEXT_SIZE]);

/* Its memory: "16 GiB". */
void machine_ram(char out[MACHINE_TEXT_SIZE]);
