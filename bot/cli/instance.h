/* SPDX-License-Identifier: GPL-3.0-or-later */
/* instance.h - a command for one of several daemons on a machine: castled@NAME.service. */
#pragma once
#include "bot/cli/command.h"
#include "bot/cli/service_unit.h"

/* Points this process to what the unit gives that instance: its configuration (`unit`, from which
 * `options` borrows it from then on), and in our environment its state and runtime folders. False
 * and an Error: there is no instance NAME. */
bool instance_choose(CommandOptions *options, const char *name, ServiceUnit *unit,
                     Error *err) MUST_CHECK;
