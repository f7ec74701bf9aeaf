/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/sources.h"

#include "bot/source/chain.h"
#include "bot/source/own_engine.h"

typedef struct {
    ChainLink links[CHAIN_LINKS_MAX];
    size_t count;
} Links;

static bool add_own_engine(Links *links, uv_loop_t *loop, const Config *config, Error *err)
{
    const OwnEngineOptions options = {
        .threads = config->engine.threads,
        .hash_mib = config->engine.hash_mib,
        .games = config->games.concurrency,
    };
    ChainLink *link = &links->links[links->count];
    link->patience_ms = INT64_MAX;
    if (!own_engine_new(&link->source, loop, &options, err))
        return false;
    links->count++;
    return true;
}

bool sources_new(Source **out, uv_loop_t *loop, const Config *config, Error *err)
{
    Links links = { .count = 0 };
    bool ok = add_own_engine(&links, loop, config, err) &&
              chain_new(out, loop, links.links, links.count, err);
    for (size_t i = 0; i < links.count && !ok; i++)
        source_close(links.links[i].source, NULL, NULL);
    return ok;
}
