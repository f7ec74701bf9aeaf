/* SPDX-License-Identifier: GPL-3.0-or-later */
/* child_launch.h - what happens between a child process of ours and the program that it becomes.
 *
 * libuv starts programs, but has no way to end one and its descendants when we die. So the child is
 * castled once more. It stays between us and the program: it starts the program and ends as the
 * program ends. It takes all of the program's descendants with it, when the program ends, on
 * SIGTERM, and when we die. The program gets a lower priority and a session of its own, and is the
 * first to end where memory runs out. It inherits three descriptors, and that of its own file where
 * it is run by one. Private files are hidden from it, and other processes guarded. Root can have it
 * run as nobody. */
#pragma once
#include <stdbool.h>

/* The first argument of such a child. Then come our process id; CHILD_LAUNCH_AS_US or
 * CHILD_LAUNCH_AS_NOBODY; how many paths it must not read, or CHILD_LAUNCH_UNCONFINED, and
 * of each what sandbox.h says of a HiddenPath; the program's path
 * (CHILD_LAUNCH_HELD: our descriptor of that number), and its argv. */
#define CHILD_LAUNCH "--launch-engine"
#define CHILD_LAUNCH_AS_US "us"
#define CHILD_LAUNCH_AS_NOBODY "nobody"
#define CHILD_LAUNCH_UNCONFINED "-"
#define CHILD_LAUNCH_HELD "3"
enum { CHILD_LAUNCH_HELD_FD = 3 };

/* How nice such a program is. */
int child_niceness(void);

/* For the first line of main(): true if that is what this process is for. */
bool child_launch_is_asked(int argc, char *const *argv);

/* Runs the program. Returns only when it can't be started: the exit status, said why on stderr. */
int child_launch(int argc, char *const *argv);
