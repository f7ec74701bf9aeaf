/* SPDX-License-Identifier: GPL-3.0-or-later */
/* instance.h - one of several daemons on a machine: castled@NAME.service. */
#pragma once
#include "bot/cli/command.h"

enum { INSTANCE_NAME_MAX = 64 };

/* Points this process to what the unit gives that instance: its configuration
 * /etc/castled/NAME.conf
 * (`path`, which `options` lends from then on), and in our environment its state and runtime
 * folders. False, said on stderr: NAME is none. */
bool instance_choose(CommandOptions *options, const char *name,
                     char path[CONFIG_PATH_SIZE]) MUST_CHECK;
