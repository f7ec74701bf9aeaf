/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/cli/instance.h"

#include <stdio.h>
#include <stdlib.h>

bool instance_choose(CommandOptions *options, const char *name, ServiceUnit *unit)
{
    if (!service_unit_of_instance(unit, name)) {
        fprintf(stderr,
                "castled: --instance %s: not letters, digits, _, - and . (nor castled, which is "
                "castled.service: leave --instance out)\n",
                name);
        return false;
    }
    if (setenv("STATE_DIRECTORY", unit->state_folder, 1) != 0 ||
        setenv("RUNTIME_DIRECTORY", unit->runtime_folder, 1) != 0) {
        fprintf(stderr, "castled: no memory\n");
        return false;
    }
    options->config_file = unit->config_file;
    return true;
}
