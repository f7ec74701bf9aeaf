/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/cli/instance.h"

#include <stdlib.h>

bool instance_choose(CommandOptions *options, const char *name, ServiceUnit *unit, Error *err)
{
    if (!service_unit_of_instance(unit, name)) {
        error_set(err, ERR_INVALID,
                  "not letters, digits, _, - and . (nor castled, which is castled.service: leave "
                  "--instance out)");
        return false;
    }
    if (setenv("STATE_DIRECTORY", unit->state_folder, 1) != 0 ||
        setenv("RUNTIME_DIRECTORY", unit->runtime_folder, 1) != 0) {
        error_set(err, ERR_MEMORY, "no memory");
        return false;
    }
    options->config_file = unit->config_file;
    return true;
}
