/* SPDX-License-Identifier: GPL-3.0-or-later */
/* external_launch.h - what happens between a child process of ours and the engine that it becomes.
 *
 * libuv starts programs, but has no way to end one and its descendants when we die. So the child is
 * this very program once more. It stays between us and the engine: it starts the engine and ends as
 * the engine ends. It takes all of the engine's descendants with it, when the engine ends, on
 * SIGTERM, and when we die. The engine gets a lower priority and a session of its own, and is the
 * first to end where memory runs out. It inherits three descriptors, and that of its own file where
 * it is run by one. Private files are hidden from it, and other processes guarded. Root can have it
 * run as nobody. */
#pragma once
#include <stdbool.h>

/* The first argument of such a child. Then come our process id; EXTERNAL_LAUNCH_AS_US or
 * EXTERNAL_LAUNCH_AS_NOBODY; how many paths it must not read, or EXTERNAL_LAUNCH_UNCONFINED, and
 * of each what sandbox.h says of a HiddenPath; the program's path
 * (EXTERNAL_LAUNCH_HELD: our descriptor of that number), and its argv. */
#define EXTERNAL_LAUNCH "--launch-engine"
#define EXTERNAL_LAUNCH_AS_US "us"
#define EXTERNAL_LAUNCH_AS_NOBODY "nobody"
#define EXTERNAL_LAUNCH_UNCONFINED "-"
#define EXTERNAL_LAUNCH_HELD "3"
enum { EXTERNAL_LAUNCH_HELD_FD = 3 };

/* For the first line of main(): true if that is what this process is for. */
bool external_launch_is_asked(int argc, char *const *argv);

/* Runs the engine. Returns only when it can't be started: the exit status, said why on stderr. */
int external_launch(int argc, char *const *argv);
