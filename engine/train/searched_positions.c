/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/train/searched_positions.h"

#include "engine/base/random.h"
#include "engine/search/engine.h"

#include <stdlib.h>

enum { HASH_MIB = 1 };

struct SearchedPositions {
    Engine *engine;
    uint64_t random;
    uint64_t seen; /* in the search that runs */
    int wanted;
    Position *found;
};

bool searched_positions_new(SearchedPositions **out, Error *err)
{
    EngineOptions options = ENGINE_OPTIONS_DEFAULT;
    options.hash_mib = HASH_MIB;
    SearchedPositions *searched = calloc(1, sizeof *searched);
    if (!searched) {
        error_set(err, ERR_MEMORY, "no memory to search");
        return false;
    }
    if (!engine_new(&searched->engine, &options, err)) {
        free(searched);
        return false;
    }
    *out = searched;
    return true;
}

void searched_positions_free(SearchedPositions *searched)
{
    if (!searched)
        return;
    engine_free(searched->engine);
    free(searched);
}

void searched_positions_begin(SearchedPositions *searched)
{
    engine_clear(searched->engine);
}

/* Each position is kept with the same likelihood, however many there will be. After: J. S. Vitter,
 * "Random sampling with a reservoir", 1985 (algorithm R). */
static void take(void *user, const Position *pos)
{
    SearchedPositions *searched = user;
    uint64_t place = searched->seen++;
    if (place >= (uint64_t)searched->wanted)
        place = random_below(&searched->random, searched->seen);
    if (place < (uint64_t)searched->wanted)
        searched->found[place] = *pos;
}

static void ignore_result(void *user, const SearchResult *result)
{
    (void)user;
    (void)result;
}

int searched_positions(SearchedPositions *searched, const Position *pos, int count,
                       Position found[BESIDE_MAX])
{
    SearchLimits limits = { .nodes = SEARCHED_NODES };
    SearchCallbacks callbacks = { .on_done = ignore_result, .on_evaluate = take, .user = searched };
    searched->random = pos->key;
    searched->seen = 0;
    searched->wanted = count;
    searched->found = found;
    engine_set_position(searched->engine, pos);
    engine_go(searched->engine, &limits, &callbacks);
    engine_wait(searched->engine);
    return searched->seen < (uint64_t)count ? (int)searched->seen : count;
}
