/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/sources.h"

#include "bot/config/external_config.h"
#include "bot/source/book_source.h"
#include "bot/source/chain.h"
#include "bot/source/external.h"
#include "bot/source/own_engine.h"
#include "engine/base/clock.h"

#include <assert.h>
#include <string.h>

typedef struct {
    ChainLink links[CHAIN_LINKS_MAX];
    size_t count;
} Links;

/* Books that can't be read are told of; one plays without them as well. */
static void open_books(BookSourceOptions *options, const Config *config, Log *log)
{
    const char *at = config->book.files;
    while (*at) {
        char path[CONFIG_TEXT_SIZE];
        size_t len = strcspn(at, ":");
        Error err = { 0 };
        memcpy(path, at, len);
        path[len] = '\0';
        at += len + (at[len] == ':');
        if (len == 0)
            continue;
        if (options->count == BOOK_SOURCE_BOOKS_MAX) {
            log_error(log, "book", "no-book file=%s why=%s", path, "too many books");
        } else if (!book_open(&options->books[options->count], path, &err)) {
            log_error(log, "book", "no-book file=%s why=%s", path, err.text);
        } else {
            log_info(log, "book", "book file=%s entries=%zu", path,
                     book_entries(options->books[options->count]));
            options->count++;
        }
    }
}

static bool add_books(Links *links, uv_loop_t *loop, const Config *config, Log *log, Error *err)
{
    BookSourceOptions options = { .seed = (uint64_t)clock_now_us() };
    ChainLink *link = &links->links[links->count];
    open_books(&options, config, log);
    if (options.count == 0)
        return true;
    link->patience_ms = INT64_MAX; /* it answers at once */
    if (!book_source_new(&link->source, loop, &options, err)) {
        for (size_t i = 0; i < options.count; i++)
            book_free(options.books[i]);
        return false;
    }
    links->count++;
    return true;
}

static void on_less_hash(void *user, int wanted_mib, int got_mib)
{
    log_warning(user, "engine", "less-hash wanted_mib=%d got_mib=%d why=%s", wanted_mib, got_mib,
                "no memory");
}

/* Like a book, tables that can't be read are told of and done without. */
static Tablebase *open_tables(const Config *config, Log *log)
{
    Tablebase *tablebase;
    Error err = { 0 };
    if (!config->engine.syzygy[0])
        return NULL;
    if (!tablebase_open(&tablebase, config->engine.syzygy, &err)) {
        log_error(log, "engine", "no-tables why=%s", err.text);
        return NULL;
    }
    TablebaseInfo info = tablebase_info(tablebase);
    log_info(log, "engine", "tables men=%d wdl=%d dtz=%d", info.max_men, info.wdl_files,
             info.dtz_files);
    return tablebase;
}

static_assert((int)EXTERNALS_MAX < (int)CHAIN_LINKS_MAX, "all engines and ours make one chain");

/* Each plays one game with its share of the totals. */
static bool add_external_engines(Links *links, uv_loop_t *loop, const Config *config, Log *log,
                                 Error *err)
{
    int threads = config->engine.threads > 0 ? config->engine.threads : own_engine_cores();
    int games = config->games.concurrency;
    for (size_t i = 0; i < config->external_count; i++) {
        const ExternalEngine engine = {
            .config = &config->externals[i],
            .threads = threads > games ? threads / games : 1,
            .hash_mib = config->engine.hash_mib > games ? config->engine.hash_mib / games : 1,
            .log = log,
        };
        ChainLink *link = &links->links[links->count];
        link->is_optional = true;
        link->patience_ms = INT64_MAX;
        if (!external_new(&link->source, loop, &engine, err))
            return false;
        links->count++;
    }
    return true;
}

static bool add_own_engine(Links *links, uv_loop_t *loop, const Config *config, Log *log,
                           Error *err)
{
    const OwnEngineOptions options = {
        .tablebase = open_tables(config, log),
        .threads = config->engine.threads,
        .hash_mib = config->engine.hash_mib,
        .on_less_hash = on_less_hash,
        .user = log,
    };
    ChainLink *link = &links->links[links->count];
    link->patience_ms = INT64_MAX;
    if (!own_engine_new(&link->source, loop, &options, err)) {
        tablebase_free(options.tablebase);
        return false;
    }
    links->count++;
    return true;
}

bool sources_new(Source **out, uv_loop_t *loop, const Config *config, Log *log, Error *err)
{
    Links links = { .count = 0 };
    bool ok = add_books(&links, loop, config, log, err) &&
              add_external_engines(&links, loop, config, log, err) &&
              add_own_engine(&links, loop, config, log, err) &&
              chain_new(out, loop, links.links, links.count, err);
    for (size_t i = 0; i < links.count && !ok; i++)
        source_close(links.links[i].source, NULL, NULL);
    return ok;
}
