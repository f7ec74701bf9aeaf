/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/source/external_version.h"

#include "bot/ops/printable.h"
#include "engine/base/alloc.h"

#include <assert.h>
#include <unistd.h>

enum { OPTIONS_MAX = 4096 };

bool external_version_new(ExternalVersion **out, const ExternalEngine *engine,
                          const ExternalConfig *config, Error *err)
{
    ExternalVersion *version = alloc_zeroed(sizeof *version, "an engine's version", err);
    if (!version)
        return false;
    version->config = *config;
    version->engine = *engine;
    version->engine.config = &version->config;
    version->engine.file = &version->file;
    version->engine.held = version->held = -1;
    version->users = 1;
    *out = version;
    return true;
}

static void let_go_of_file(ExternalVersion *version)
{
    if (version->held >= 0)
        close(version->held);
}

void external_version_set_file(ExternalVersion *version, const ExternalFile *file, int held)
{
    let_go_of_file(version);
    version->file = *file;
    version->engine.held = version->held = held;
}

ExternalVersion *external_version_use(ExternalVersion *version)
{
    version->users++;
    return version;
}

void external_version_leave(ExternalVersion *version)
{
    if (!version)
        return;
    assert(version->users > 0);
    if (--version->users > 0)
        return;
    let_go_of_file(version);
    free(version);
}

static int64_t tighter(int64_t limit, int64_t other)
{
    return limit == 0 || (other > 0 && other < limit) ? other : limit;
}

SearchLimits external_version_limit(const ExternalVersion *version, const SearchLimits *limits)
{
    const ExternalConfig *config = &version->config;
    SearchLimits out = *limits;
    out.nodes = (uint64_t)tighter((int64_t)out.nodes, config->nodes);
    out.depth = (int)tighter(out.depth, config->depth_plies);
    out.movetime_ms = tighter(out.movetime_ms, config->movetime_ms);
    return out;
}

void external_version_identify(const ExternalVersion *version, const char *program,
                               char out[ENGINE_IDENTITY_SIZE])
{
    const ExternalConfig *config = &version->config;
    Buf text;
    buf_init(&text, OPTIONS_MAX);
    bool ok = buf_printf(&text, "%s: %s (%s)", config->name, program[0] ? program : "?",
                         version->file.hash[0] ? version->file.hash : "?");
    for (size_t i = 0; ok && i < config->setting_count; i++)
        ok = buf_printf(&text, " %s=%s", config->settings[i].name, config->settings[i].value);
    printable_copy(out, ENGINE_IDENTITY_SIZE, (Text){ text.text, text.len });
    buf_release(&text);
}
