/* SPDX-License-Identifier: GPL-3.0-or-later */
/* control_place.h - where the control socket is, for the daemon and for the commands. */
#pragma once
#include "bot/cli/command.h"

/* The daemon's: what [status] socket says, else castled.sock in $RUNTIME_DIRECTORY (systemd), else
 * in $XDG_RUNTIME_DIR/castled, else in the state directory; its folder is made. False with an
 * Error; err->code ERR_NONE: it is off. */
bool control_place(const Config *config, char *out, size_t size, Error *err) MUST_CHECK;

/* Asks the daemon of this configuration: looks where it may be, also in systemd's usual place.
 * Prints what is in the way, and returns how the command is to end; EXIT_FINE: the caller frees
 * *answer. An answer {"error": …} is printed and ends as EXIT_FAULT. */
ExitStatus control_ask_daemon(const CommandOptions *options, const char *line, char **answer);
