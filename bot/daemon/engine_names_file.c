/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/daemon/engine_names_file.h"

#include "engine/base/buf.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

bool engine_names_load(EngineNames *out, const char *path, Error *err)
{
    out->count = 0;
    if (path[0] == '\0')
        return engine_names_parse(out, engine_names_asset("engines.txt"), err);
    Buf text;
    Error why = { 0 };
    FILE *file = fopen(path, "re");
    buf_init(&text, ENGINE_NAMES_FILE_MAX);
    if (!file)
        error_set(&why, ERR_IO, "%s", strerror(errno));
    bool ok = file && buf_read(&text, file, &why) &&
              engine_names_parse(out, (Text){ buf_view(&text), text.len }, &why);
    if (file)
        fclose(file);
    buf_release(&text);
    if (!ok)
        error_set(err, why.code, "%s: %s", path, why.text);
    return ok;
}
