/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/cli/check_parts.h"

#include "bot/archive/postgres_route.h"
#include "bot/config/external_config.h"
#include "bot/ops/writable.h"
#include "bot/source/books.h"
#include "bot/source/builtin_engine.h"
#include "bot/daemon/engine_names_file.h"
#include "engine/base/text_format.h"
#include "engine/human/policy_folder.h"
#include "engine/human/policy_network.h"
#include "engine/core/fen.h"
#include "engine/core/san.h"
#include "engine/search/engine.h"
#include "engine/tablebase/tablebase.h"

#include <assert.h>
#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

enum { TRIAL_MS = 500, WORDS_SIZE = 600 };

static void PRINTF_LIKE(3, 4) fine(FILE *out, const char *what, const char *format, ...)
{
    char words[WORDS_SIZE];
    va_list arguments;
    va_start(arguments, format);
    text_format_cut_v(words, sizeof words, format, arguments);
    va_end(arguments);
    check_say(out, CHECK_OK, what, words);
}

static bool wrong(FILE *out, const char *what, const Error *err)
{
    check_say(out, CHECK_WRONG, what, err->text);
    return false;
}

/* ---- books ---- */

static bool check_book(FILE *out, const char *path, int number)
{
    Book *book;
    Error err = { 0 };
    if (number > BOOKS_MAX)
        error_set(&err, ERR_RANGE, "%s: more than %d books", path, BOOKS_MAX);
    if (error_is_set(&err) || !book_open(&book, path, &err))
        return wrong(out, "book", &err);
    fine(out, "book", "%s: %zu entries", path, book_entries(book));
    book_free(book);
    return true;
}

static bool check_books(FILE *out, const Config *config)
{
    bool ok = true;
    int number = 0;
    BookName name;
    const char *files;
    for (size_t i = 0; (files = config_text_named(config, "book", "files", i)); i++)
        for (Text rest = text_of(files); book_name_next(&rest, &name);)
            ok = check_book(out, name.path, ++number) && ok;
    return ok;
}

/* ---- tables ---- */

static bool check_tables(FILE *out, const Config *config)
{
    Tablebase *tables = NULL;
    Error err = { 0 };
    if (config->engine.syzygy[0] == '\0')
        return true;
    bool ok =
        tablebase_open(&tables, config->engine.syzygy, &err) && tablebase_verify(tables, &err);
    if (ok) {
        TablebaseInfo info = tablebase_info(tables);
        fine(out, "tables", "%s: up to %d pieces, %d files for win or draw, %d for the distance",
             config->engine.syzygy, info.max_pieces, info.wdl_files, info.dtz_files);
    } else {
        wrong(out, "tables", &err);
    }
    tablebase_free(tables);
    return ok;
}

/* ---- networks of people's moves ---- */

static bool check_human_network(FILE *out, const char *path)
{
    PolicyNetwork *network;
    Error err = { 0 };
    if (!policy_load(&network, path, &err))
        return wrong(out, "human", &err);
    PolicyInfo info = policy_info(network);
    if (info.takes_rating)
        fine(out, "human", "%s: castled's own kind, %d hidden units", path, info.filters);
    else
        fine(out, "human", "%s: %d blocks of %d filters, accuracy %.1f %%", path, info.blocks,
             info.filters, (double)info.accuracy);
    policy_free(network);
    return true;
}

static bool check_human_folder(FILE *out, const char *path)
{
    PolicyFolder folder;
    Error err = { 0 };
    if (!policy_folder_read(&folder, path, &err))
        return wrong(out, "human", &err);
    bool ok = true;
    for (int i = 0; i < folder.count; i++)
        ok = check_human_network(out, folder.files[i].path) && ok;
    return ok;
}

static bool check_human_networks(FILE *out, const Config *config)
{
    bool ok = true;
    const char *path;
    for (size_t i = 0; (path = config_text_named(config, "engine", "human", i)); i++)
        if (path[0] != '\0')
            ok = (policy_folder_is(path) ? check_human_folder : check_human_network)(out, path) &&
                 ok;
    return ok;
}

/* ---- the archive ---- */

/* Whether this user may read and write there: a daemon that another user starts may do otherwise.
 */
static bool check_archive_server(FILE *out, const ArchivePlace *place)
{
    Store *store = NULL;
    StoreServer server;
    int64_t games;
    Error err = { 0 };
    bool ok = archive_place_open(place, STORE_READ, &store, &err) &&
              store_ask_server(store, &server, &err) && store_count_games(store, &games, &err);
    archive_place_leave(store);
    if (postgres_safety(place->path).may_be_bare)
        check_say(
            out, CHECK_WARNING, "archive",
            "sslmode lets games and the password go out without TLS, to whoever answers: leave it "
            "out, or say verify-full");
    char words[WORDS_SIZE];
    if (err.code == ERR_NOT_NOW) {
        fine(out, "archive", "%s", err.text);
    } else if (!ok && err.code == ERR_IO) {
        text_format_cut(words, sizeof words,
                        "%s: games are played all the same, and are sent there later", err.text);
        check_say(out, CHECK_WARNING, "archive", words);
    } else if (!ok)
        return wrong(out, "archive", &err);
    else if (!server.can_write)
        check_say(
            out, CHECK_WARNING, "archive",
            "this user may read it, but not write: GRANT INSERT, DELETE ON game, moves, book_move");
    else
        fine(out, "archive", "%s: PostgreSQL %s, schema %d, %" PRId64 " games", place->path,
             server.version, STORE_SCHEMA, games);
    return true;
}

bool check_archive(FILE *out, const ArchivePlace *place)
{
    static const char *const owners[] = {
        [ARCHIVE_OF_NOBODY] = "nobody's",
        [ARCHIVE_OF_CONFIG] = "as configured",
        [ARCHIVE_OF_DAEMON] = "the running daemon's",
        [ARCHIVE_OF_USER] = "this user's own",
        [ARCHIVE_OF_SERVICE] = "the service's",
    };
    Store *store = NULL;
    Error err = { 0 };
    bool is_there = place->access != ARCHIVE_ABSENT;
    if (place->owner == ARCHIVE_OF_NOBODY) {
        fine(out, "archive", "off");
        return true;
    }
    if (place->owner == ARCHIVE_OF_SERVER)
        return check_archive_server(out, place);
    if (place->is_ours && !writable_look(place->path, FOLDER_MAY_BE_MADE, &err))
        return wrong(out, "archive", &err);
    if (is_there && !archive_place_open(place, STORE_READ, &store, &err)) {
        if (place->access != ARCHIVE_FORBIDDEN)
            return wrong(out, "archive", &err);
        /* A daemon that this user starts has an archive of its own. */
        check_say(out, CHECK_WARNING, "archive", err.text);
        return true;
    }
    archive_place_leave(store);
    fine(out, "archive", "%s (%s)%s%s", place->path, owners[place->owner],
         is_there         ? ""
         : place->is_ours ? ": not there yet, and can be made"
                          : ": not there",
         !is_there && place->owner == ARCHIVE_OF_USER
             ? "; the service's will be in " ARCHIVE_SERVICE_FOLDER
             : "");
    return true;
}

/* ---- our own engine ---- */

static void check_parts_on_trial_done(void *user, const SearchResult *result)
{
    *(SearchResult *)user = *result;
}

static bool check_own_engine(FILE *out, const Config *config)
{
    const SearchLimits limits = { .movetime_ms = TRIAL_MS };
    SearchResult result = { 0 };
    const SearchCallbacks callbacks = { .on_done = check_parts_on_trial_done, .user = &result };
    EngineOptions options = ENGINE_OPTIONS_DEFAULT;
    Engine *engine;
    Position pos;
    Error err = { 0 };
    char san[SAN_SIZE];
    options.threads = config->engine.threads > 0 ? config->engine.threads : builtin_engine_cores();
    options.hash_mib = config->engine.hash_mib;
    if (!engine_new(&engine, &options, &err))
        return wrong(out, "own engine", &err);
    bool ok = fen_read(&pos, FEN_START, FEN_STRICT, NULL, &err);
    assert(ok);
    (void)ok;
    engine_set_position(engine, &pos);
    engine_go(engine, &limits, &callbacks);
    engine_wait(engine);
    engine_free(engine);
    san_write(&pos, result.best, san);
    int64_t time_ms = result.info.time_ms > 0 ? result.info.time_ms : 1;
    fine(out, "own engine",
         "plays %s at depth %d; %" PRIu64 " thousand nodes per second on %d threads, hash %d MiB",
         san, result.info.depth, result.info.nodes / (uint64_t)time_ms, options.threads,
         options.hash_mib);
    return true;
}

/* ---- who plays what ---- */

/* The engine that is asked first in a game of the variant; config->external_count: our own. */
static size_t first_engine(const Config *config, Variant variant)
{
    size_t i = 0;
    while (i < config->external_count &&
           !(config_set_has(config->externals[i].variants, (int)variant) &&
             external_is_named(config->game.engine.external, config->externals[i].name)))
        i++;
    return i;
}

static void say_variants(FILE *out, const Config *config)
{
    Buf line;
    buf_init(&line, WORDS_SIZE);
    bool ok = true;
    for (size_t i = 0; ok && i <= config->external_count; i++) {
        bool is_ours = i == config->external_count;
        const char *before = "";
        for (int v = VARIANT_UNKNOWN + 1; ok && v < VARIANT_COUNT; v++) {
            if (first_engine(config, (Variant)v) != i)
                continue;
            if (before[0] == '\0')
                ok = buf_printf(&line, "%s%s: ", line.len > 0 ? "; " : "",
                                is_ours ? "castled's engine" : config->externals[i].name);
            ok = ok && buf_printf(&line, "%s%s", before, variant_name((Variant)v));
            before = ", ";
        }
    }
    if (ok)
        fine(out, "variants", "%s", buf_view(&line));
    buf_release(&line);
}

static bool check_engine_names(FILE *out, const Config *config)
{
    EngineNames names;
    Error err = { 0 };
    if (config->engine_names[0] == '\0')
        return true;
    if (!engine_names_load(&names, config->engine_names, &err))
        return wrong(out, "engine names", &err);
    fine(out, "engine names", "%s: %d patterns", config->engine_names, names.count);
    return true;
}

bool check_parts(FILE *out, const Config *config)
{
    bool ok = check_own_engine(out, config);
    ok = check_engine_names(out, config) && ok;
    say_variants(out, config);
    ok = check_books(out, config) && ok;
    ok = check_human_networks(out, config) && ok;
    return check_tables(out, config) && ok;
}
