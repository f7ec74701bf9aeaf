/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/sources.h"

#include "bot/source/chain.h"
#include "bot/source/own_engine.h"

typedef struct {
    ChainLink links[CHAIN_LINKS_MAX];
    size_t count;
} Links;

static void on_less_hash(void *user, int wanted_mib, int got_mib)
{
    log_warning(user, "engine", "less-hash wanted_mib=%d got_mib=%d why=%s", wanted_mib, got_mib,
                "no memory");
}

static bool add_own_engine(Links *links, uv_loop_t *loop, const Config *config, Log *log,
                           Error *err)
{
    const OwnEngineOptions options = {
        .threads = config->engine.threads,
        .hash_mib = config->engine.hash_mib,
        .on_less_hash = on_less_hash,
        .user = log,
    };
    ChainLink *link = &links->links[links->count];
    link->patience_ms = INT64_MAX;
    if (!own_engine_new(&link->source, loop, &options, err))
        return false;
    links->count++;
    return true;
}

bool sources_new(Source **out, uv_loop_t *loop, const Config *config, Log *log, Error *err)
{
    Links links = { .count = 0 };
    bool ok = add_own_engine(&links, loop, config, log, err) &&
              chain_new(out, loop, links.links, links.count, err);
    for (size_t i = 0; i < links.count && !ok; i++)
        source_close(links.links[i].source, NULL, NULL);
    return ok;
}
