/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ask_daemon.h - a command's question to the running daemon, over its control socket. */
#pragma once
#include "bot/cli/command.h"

/* Asks the daemon of this configuration: looks where it may be, also in systemd's usual place.
 * Prints what is in the way, and returns how the command is to end; EXIT_FINE: the caller frees
 * *answer. An answer {"error": …} is printed and ends as EXIT_FAULT. */
ExitStatus ask_daemon(const CommandOptions *options, const char *line, char **answer) MUST_CHECK;

/* The same for who has read the configuration and can do without an answer: prints nothing, and
 * waits at most `timeout_ms` at each place. False and an Error where no daemon answers; else the
 * caller frees *answer, which may be an {"error": …}. */
bool ask_daemon_quietly(const Config *config, const char *line, int timeout_ms, char **answer,
                        Error *err) MUST_CHECK;
