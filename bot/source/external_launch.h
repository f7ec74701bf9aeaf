/* SPDX-License-Identifier: GPL-3.0-or-later */
/* external_launch.h - what happens between a child process of ours and the engine that it becomes.
 *
 * libuv starts programs, but can't say what is to happen to one when we die. So the child is this
 * very program once more, which asks the kernel to be killed with us, takes a lower priority, drops
 * what it inherited, and becomes the engine. */
#pragma once
#include <stdbool.h>

/* The first argument of such a child; then come our process id, the program's path, its argv. */
#define EXTERNAL_LAUNCH "--launch-engine"

/* For the first line of main(): true if that is what this process is for. */
bool external_launch_is_asked(int argc, char *const *argv);

/* Becomes the engine. Returns only when that fails: the exit status, having said why on stderr. */
int external_launch(int argc, char *const *argv);
