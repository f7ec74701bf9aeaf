/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/config/config_place.h"

#include "bot/config/config.h"
#include "bot/config/environment.h"
#include "engine/base/text_format.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Puts directory + rest into `out` and says whether such a file is there. */
static bool is_there(char *out, size_t out_size, const char *directory, const char *rest)
{
    return text_format_fits(out, out_size, "%s%s", directory, rest) && access(out, F_OK) == 0;
}

bool config_place_find(const char *asked, char *out, size_t out_size, Error *err)
{
    if (asked) {
        if (text_format_fits(out, out_size, "%s", asked) && out[0])
            return true;
        error_set(err, ERR_RANGE, "the configuration's path is too long");
        return false;
    }
    const char *xdg = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");
    if (xdg && xdg[0] == '/') { /* the specification: anything else is to be ignored */
        if (is_there(out, out_size, xdg, "/castled/castled.conf"))
            return true;
    } else if (home && is_there(out, out_size, home, "/.config/castled/castled.conf")) {
        return true;
    }
    if (is_there(out, out_size, "", "/etc/castled/castled.conf"))
        return true;
    if (environment_suffices(environ) && out_size > 0) {
        memcpy(out, CONFIG_NO_FILE, sizeof CONFIG_NO_FILE);
        return true;
    }
    error_set(err, ERR_IO,
              "no configuration: neither ~/.config/castled/castled.conf nor "
              "/etc/castled/castled.conf is there, no --config FILE, and nothing in the "
              "environment such as CASTLED_TOKEN; castled init writes a file");
    return false;
}

const char *config_place_text(const char *path)
{
    return path[0] != '\0' ? path : "no file, only the environment";
}
