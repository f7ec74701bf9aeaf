/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/source/assemble.h"

#include "bot/config/config.h"
#include "bot/config/external_config.h"
#include "bot/child/process_guard.h"
#include "bot/child/sandbox.h"
#include "bot/source/book_source.h"
#include "bot/source/chain.h"
#include "bot/source/external.h"
#include "bot/source/online_ask.h"
#include "bot/source/online_source.h"
#include "bot/source/builtin_engine.h"
#include "bot/source/online_choice.h"
#include "bot/source/tables_source.h"
#include "engine/base/clock.h"
#include "engine/human/policy_network.h"

#include <assert.h>
#include <errno.h>
#include <string.h>

typedef struct {
    ChainLink links[CHAIN_LINKS_MAX];
    size_t count;
} Links;

static bool add_books(Links *links, uv_loop_t *loop, const SourceAssembly *all, Error *err)
{
    Books *books;
    ChainLink *link = &links->links[links->count];
    if (!books_new(&books, loop, all->log, err))
        return false;
    books_open(books, all->config);
    const BookSourceOptions options = { .books = books,
                                        .book_stats = all->book_stats,
                                        .seed = (uint64_t)clock_now_us(),
                                        .log = all->log };
    link->timeout_ms = INT64_MAX; /* it answers at once */
    if (!book_source_new(&link->source, loop, &options, err)) {
        books_close(books, NULL, NULL);
        return false;
    }
    links->count++;
    return true;
}

static void assemble_on_less_hash(void *user, int wanted_mib, int got_mib)
{
    log_warning(user, "engine", "less-hash",
                FIELDS(F("wanted_mib", wanted_mib), F("got_mib", got_mib), F("why", "no memory")));
}

/* Like a book: tables that can't be read are logged, and castled plays without them. */
static Tablebase *open_tablebase(const Config *config, Log *log)
{
    Tablebase *tablebase;
    Error err = { 0 };
    if (!config->engine.syzygy[0])
        return NULL;
    if (!tablebase_open(&tablebase, config->engine.syzygy, &err)) {
        log_error(log, "engine", "no-tablebase", FIELDS(F("why", err.text)));
        return NULL;
    }
    TablebaseInfo info = tablebase_info(tablebase);
    log_info(
        log, "engine", "tablebase",
        FIELDS(F("pieces", info.max_pieces), F("wdl", info.wdl_files), F("dtz", info.dtz_files)));
    return tablebase;
}

/* All files that are named are loaded before the first game; those that can't be are logged. Our
 * own network is there anyway, and ready within a millisecond of the first game that wants it. */
static bool open_human_networks(HumanNetworks **out, const Config *config, Log *log, Error *err)
{
    const char *path;
    if (!human_networks_new(out, log, err))
        return false;
    for (size_t i = 0; (path = config_text_named(config, "engine", "human", i)); i++)
        if (policy_is_file(path))
            (void)human_networks_get(*out, path, 0);
    return true;
}

/* Positions that need no web service: our tables hold them. */
static int known_pieces(Tablebase *tablebase)
{
    return tablebase ? tablebase_info(tablebase).max_pieces : 0;
}

static bool add_online(Links *links, uv_loop_t *loop, const SourceAssembly *options,
                       int local_pieces, Error *err)
{
    const Config *config = options->config;
    const char *explorer = config->online_urls[ONLINE_EXPLORER];
    bool is_our_cloud = strcmp(config->online_urls[ONLINE_CLOUD], config->account.url) == 0;
    const HttpOptions http = {
        .origin = explorer,
        .ca_file = config->account.ca_file,
        .token = online_may_have_token(explorer, config->account.url) ? options->token : NULL,
    };
    OnlineSourceOptions online = {
        .has_token = http.token,
        .cloud_limit = is_our_cloud ? options->limit : NULL,
        .local_pieces = local_pieces,
        .seed = (uint64_t)clock_now_us(),
        .log = options->log,
    };
    ChainLink *link = &links->links[links->count];
    for (int i = 0; i < ONLINE_SERVICE_COUNT; i++)
        online.urls[i] = config->online_urls[i];
    link->is_parallel = true;
    link->is_wanted = online_is_wanted;
    link->timeout_ms = INT64_MAX;
    if (!http_new(&online.http, loop, &http, err))
        return false;
    if (!online_source_new(&link->source, loop, &online, err)) {
        http_close(online.http, NULL, NULL);
        return false;
    }
    links->count++;
    return true;
}

/* A source asked first leaves to the second what it does not know. */
static bool add_known_moves(Links *links, uv_loop_t *loop, const SourceAssembly *options,
                            int local_pieces, Error *err)
{
    if (options->config->online_before_book)
        return add_online(links, loop, options, local_pieces, err) &&
               add_books(links, loop, options, err);
    return add_books(links, loop, options, err) &&
           add_online(links, loop, options, local_pieces, err);
}

/* A handle of its own: our engine's is freed before a lookup may have ended. */
static bool add_tables(Links *links, uv_loop_t *loop, const Config *config, Error *err)
{
    Tablebase *tables;
    ChainLink *link = &links->links[links->count];
    if (config->external_count == 0 || !config->engine.syzygy[0] ||
        !tablebase_open(&tables, config->engine.syzygy, NULL))
        return true; /* open_tablebase() has said why */
    link->is_parallel = true;
    link->is_wanted = tables_are_wanted;
    link->timeout_ms = INT64_MAX;
    if (!tables_source_new(&link->source, loop, tables, err)) {
        tablebase_free(tables);
        return false;
    }
    links->count++;
    return true;
}

static_assert((int)EXTERNALS_MAX + 4 <= (int)CHAIN_LINKS_MAX,
              "books, the web, tables, all engines and ours make one chain");

static void warn_of_kernel(Log *log, const char *advice)
{
    log_warning(log, "engine", "no-sandbox",
                FIELDS(F("why", strerror(errno)), F("advice", advice)));
}

/* Logged once: the engines play nevertheless. */
static void warn_without_sandbox(const Config *config, Log *log)
{
    bool is_wanted = false;
    for (size_t i = 0; i < config->external_count; i++)
        is_wanted |= config->externals[i].sandbox;
    if (is_wanted && !sandbox_is_available())
        warn_of_kernel(log, "this kernel has no Landlock: external engines can read the files of "
                            "castled's user, the token too");
    if (is_wanted && !process_guard_is_available())
        warn_of_kernel(log, "this kernel has no seccomp: external engines can change castled's "
                            "limits and priority");
}

/* Each plays one game with its share of the totals. */
static bool add_external_engines(Links *links, uv_loop_t *loop, const SourceAssembly *options,
                                 Error *err)
{
    const Config *config = options->config;
    ChildSecrets secrets;
    int threads = config->engine.threads > 0 ? config->engine.threads : builtin_engine_cores();
    child_secrets_init(&secrets, options->config_file, config->account.token_file,
                       config->archive.database);
    warn_without_sandbox(config, options->log);
    for (size_t i = 0; i < config->external_count; i++) {
        const ExternalEngine engine = {
            .config = &config->externals[i],
            .secrets = &secrets,
            .syzygy = config->engine.syzygy,
            .threads = threads,
            .hash_mib = config->engine.hash_mib,
            .games = &config->games.concurrency,
            .log = options->log,
            .transcripts = options->transcripts,
            .on_failure = options->on_engine_failed,
            .user = options->user,
        };
        ChainLink *link = &links->links[links->count];
        link->is_optional = true;
        link->timeout_ms = INT64_MAX;
        if (!external_source_new(&link->source, loop, &engine, err))
            return false;
        links->count++;
    }
    return true;
}

/* On success the tables and networks are the engine's. */
static bool add_own_engine(Links *links, uv_loop_t *loop, const Config *config, Log *log,
                           Tablebase *tablebase, HumanNetworks *human, Error *err)
{
    const EnginePoolOptions options = {
        .tablebase = tablebase,
        .human = human,
        .threads = config->engine.threads,
        .hash_mib = config->engine.hash_mib,
        .on_less_hash = assemble_on_less_hash,
        .user = log,
    };
    ChainLink *link = &links->links[links->count];
    link->timeout_ms = INT64_MAX;
    if (!builtin_engine_new(&link->source, loop, &options, err))
        return false;
    links->count++;
    return true;
}

bool source_assemble(Source **out, uv_loop_t *loop, const SourceAssembly *options, Error *err)
{
    const Config *config = options->config;
    Log *log = options->log;
    Links links = { .count = 0 };
    Tablebase *tablebase = open_tablebase(config, log);
    HumanNetworks *human = NULL;
    bool has_engine = false;
    bool ok = open_human_networks(&human, config, log, err) &&
              add_known_moves(&links, loop, options, known_pieces(tablebase), err) &&
              add_tables(&links, loop, config, err) &&
              add_external_engines(&links, loop, options, err) &&
              (has_engine = add_own_engine(&links, loop, config, log, tablebase, human, err)) &&
              chain_new(out, loop, log, links.links, links.count, err);
    if (!has_engine) {
        tablebase_free(tablebase);
        human_networks_free(human);
    }
    for (size_t i = 0; i < links.count && !ok; i++)
        source_close(links.links[i].source, NULL, NULL);
    return ok;
}
