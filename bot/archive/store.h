/* SPDX-License-Identifier: GPL-3.0-or-later */
/* store.h - the archive's rows in a file of SQLite's (db_sqlite.h) or on a PostgreSQL server
 * (db_postgres.h): one connection, blocking calls.
 *
 * Each finished game has one row, and another with its moves as lists of words (one word for each
 * ply), so that listing a hundred thousand games reads no moves. Each book move of ours has a row
 * too. A table holds facts with an expiry, in a file only: they are one daemon's. Each archive
 * holds the version of its schema. Older ones are brought up to date when opened for writing. Newer
 * ones are refused, and so is any file that is not ours.
 *
 * With each game stands the account of ours that played it: daemons of many accounts may share a
 * server.
 *
 * A store belongs to one thread at a time: see archive.h for how the loop stays out of its calls.
 * Its contents are as untrusted as any file's. */
#pragma once
#include "bot/archive/schema.h"
#include "bot/model/record.h"
#include "engine/base/error.h"
#include "engine/book/book_stats.h"

#include <stdatomic.h>

typedef struct Store Store;

/* Errors: ERR_INVALID: not an archive, or damaged, or of a newer castled: it will never work;
 * ERR_RANGE: this game or fact never will, others may; ERR_NOT_NOW: on a server there is no archive
 * yet; ERR_REFUSED: so, and this user may not make it; ERR_IO: may work another time. */
bool store_new(Store **out, const char *path, StoreMode mode, Error *err) MUST_CHECK;

/* The same; while `stop`, which is lent, is true, on any thread, all calls fail soon: see
 * db_sqlite_open() and db_postgres_open(). */
bool store_new_until(Store **out, const char *path, StoreMode mode, const atomic_bool *stop,
                     Error *err) MUST_CHECK;

/* A file, to be written. */
bool store_new_telling(Store **out, const char *path, const atomic_bool *stop,
                       const StoreUpgrade *upgrade, Error *err) MUST_CHECK;

void store_free(Store *store); /* NULL is fine */

/* Does the file stand under its name no more? What is written then is in none that is read later.
 */
bool store_has_moved(Store *store);

/* Brings all that was written into the file itself, wherever it lies by now. Without it the latest
 * may stand in the one beside it ("-wal"), which keeps its name when the file gets another. */
void store_checkpoint(Store *store);

/* Of a store on a server: which one it is, and whether we might write there. */
typedef struct {
    char version[80];
    bool can_write;
} StoreServer;
bool store_ask_server(Store *store, StoreServer *out, Error *err) MUST_CHECK;

/* What is added or dropped between these is written at once, at the cost of one commit. What fails
 * with ERR_RANGE meanwhile is left out of the batch; any other failure calls for
 * store_drop_batch(), also that of the end: nothing of the batch is written then. */
bool store_begin_batch(Store *store, Error *err) MUST_CHECK;
bool store_end_batch(Store *store, Error *err) MUST_CHECK;
void store_drop_batch(Store *store);

/* All or nothing, with the moves that a book gave. A game that is there already is replaced, but
 * not by one with no more in it: the server sends finished games again after a restart. */
bool store_add_game(Store *store, const GameRecord *record, Error *err) MUST_CHECK;

/* The game, its moves and its analysis are not there any more, whether they were or not. */
bool store_drop_game(Store *store, const GameRecord *record, Error *err) MUST_CHECK;

bool store_count_games(Store *store, int64_t *out, Error *err) MUST_CHECK;

/* The number of the game that was added last; 0: there is none. */
bool store_last_game(Store *store, int64_t *out, Error *err) MUST_CHECK;

/* A fact until `expires_ms` (Unix; INT64_MAX: for good). An empty value takes it out. */
bool store_put_fact(Store *store, const char *key, const char *value, int64_t expires_ms,
                    Error *err) MUST_CHECK;

/* Calls for each fact, also those that have expired. */
typedef void StoreOnFact(void *user, const char *key, const char *value, int64_t expires_ms);
bool store_read_facts(Store *store, StoreOnFact *on_fact, void *user, Error *err) MUST_CHECK;

/* Takes out the facts that have expired. */
bool store_expire_facts(Store *store, int64_t now_ms, Error *err) MUST_CHECK;

/* What the games of `account` (NULL: all), up to `last_game` (store_last_game(); INT64_MAX: all),
 * say about the moves of books, those played most first, as many as there is room. */
bool store_read_book_stats(Store *store, const char *account, int64_t last_game, BookStats *out,
                           Error *err) MUST_CHECK;

enum { STORE_HUMANS = 1, STORE_BOTS };
enum { STORE_CASUAL = 1, STORE_RATED };
enum { STORE_WON = 1, STORE_LOST, STORE_DRAWN };

/* Which games; all that is set must hold, 0 and NULL are not. */
typedef struct {
    const char *id;
    const char *account;  /* of ours; so the next: */
    const char *opponent; /* id or name, in any case */
    const char *opening;  /* a family of eco.h: "Sicilian Defense" */
    int kind;             /* of the opponent: STORE_HUMANS, STORE_BOTS */
    int mode;             /* STORE_CASUAL, STORE_RATED */
    int outcome;          /* for us: STORE_WON, STORE_LOST, STORE_DRAWN */
    Variant variant;
    Speed speed;
    int64_t since_ms;    /* ended at or after (Unix) */
    int64_t until_ms;    /* ended before */
    int64_t no_analysis; /* with a result, and no analysis of at least so many nodes is kept */
    int64_t limit;       /* at most this number, the latest ones, */
    int64_t skip;        /* … but so many of these; with a limit only */
    bool is_earliest;    /* the earliest ones instead of the latest */
} StoreFilter;

typedef enum { STORE_SUMMARIES, STORE_WHOLE_GAMES } StoreDetail;
typedef enum { STORE_NEWEST_FIRST, STORE_OLDEST_FIRST } StoreOrder;

/* Calls for each game of the filter; the record is lent, without moves in a summary (but its
 * `plies`). What can't be read in a row reads as unknown. */
typedef void StoreOnGame(void *user, const GameRecord *record, int plies);
bool store_find_games(Store *store, const StoreFilter *filter, StoreDetail detail, StoreOrder order,
                      StoreOnGame *on_game, void *user, Error *err) MUST_CHECK;
