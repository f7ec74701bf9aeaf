/* SPDX-License-Identifier: GPL-3.0-or-later */
/* archive.h - the daemon's side of the archive: games and facts go in, and the loop never waits.
 *
 * A commit may sit in fsync for long (a second on a busy SD card is nothing unusual), so the file
 * is never touched from the loop. A job on libuv's pool of threads, one at a time, does that:
 *
 * | job | when | what |
 * |---|---|---|
 * | open | there is no store | opens the file and reads all facts: both or neither |
 * | write | something is queued | writes all of it by one commit |
 * | tidy | nothing was written for a while | expired facts go, the file gets all that was written |
 * | end | it closes, and nothing is queued | the same, and lets go of the file |
 *
 * A job that fails is tried again, soon at first and at least once a minute, and so is one at the
 * start: a disk that comes later is as good. A disk that is full or can't be written delays
 * nothing. It is logged once, and once more when it works again. Writes stay queued meanwhile; the
 * oldest games are dropped after a while. A file that is no archive, or a newer castled's, is left
 * alone: the daemon does without until its next start. Where the file is moved away or removed, the
 * next job leaves it whole, and goes on with what stands under its name then.
 *
 * However much waits, a stop waits for the job under way, for one that writes, and for the end.
 *
 * Facts, results and what the games say of our books are read from memory. The last two come after
 * the facts, from a thread of low priority (archive_reader.h), since a large archive takes
 * seconds.
 *
 * With a server, games pass through the file to it (forwarder.h); facts stay there. Loop thread
 * only. */
#pragma once
#include "bot/archive/fact_keys.h"
#include "bot/model/record.h"
#include "bot/archive/stats.h"
#include "bot/ops/log.h"
#include "engine/book/book_stats.h"

#include <uv.h>

typedef struct Archive Archive;

typedef enum {
    ARCHIVE_OFF,     /* as configured: facts and book statistics live as long as the process */
    ARCHIVE_OPENING, /* for the first time; what is new waits */
    ARCHIVE_FINE,    /* the last job has succeeded */
    ARCHIVE_FAILING, /* what is new waits; see why */
    ARCHIVE_UNFIT,   /* there is a file that we can't use; see why */
} ArchiveState;

typedef struct {
    ArchiveState state;
    const char *path; /* lent: where finished games are read; "" when off */
    const char *why;  /* lent; "" when fine or off */
    int64_t waiting;  /* games not written yet; with a server: that it does not have yet */
    int64_t written;  /* games, since the start */
    int64_t lost;     /* games that gave way */
    bool is_shared;   /* on a server, with the games of other accounts */
} ArchiveStatus;

/* `path`: of the file, which is opened soon; NULL: off. `log` is lent. Fails only without memory; a
 * file that can't be used is logged. */
bool archive_new(Archive **out, uv_loop_t *loop, const char *path, Log *log, Error *err) MUST_CHECK;

/* Runs the loop until the facts are read, or that has failed, or `most_ms` are over, or
 * `*is_given_up`. Only at the start, and not from a callback. */
void archive_await_facts(Archive *archive, int64_t most_ms, const bool *is_given_up);

/* To be called when facts are read that nobody could ask for until now: those of the file, lent for
 * the call, some of which may have been remembered anew meanwhile. The latter count. */
typedef void ArchiveOnFacts(void *user, const Facts *stored);
void archive_on_facts(Archive *archive, ArchiveOnFacts *on_facts, void *user);

/* From now on the file's games go to the server at `address`, which has the archive, as soon as it
 * can be had; the file holds the others, and the facts. Not for one that is off. */
bool archive_forward(Archive *archive, const char *address, Error *err) MUST_CHECK;

/* Who we are, once that is known: what is asked of a server is about our own games. */
void archive_set_account(Archive *archive, const char *account);

/* Writes what is queued once more, then lets go; the memory goes when that is done. What is being
 * read is given up at once. NULL is fine. */
void archive_close(Archive *archive);

/* Takes a copy, and learns of the moves that a book gave. A game without an id or without moves is
 * not kept. */
void archive_add_game(Archive *archive, const GameRecord *record);

/* A fact until `expires_ms` (Unix); an empty value takes it out. Written down soon. What is no fact
 * (see fact_key_write()) is logged. */
void archive_remember(Archive *archive, FactKind kind, Text id, const char *value,
                      int64_t expires_ms);

/* Is our clock right, as far as the server tells? Until it is said to be, facts that have expired
 * by it stay in the file, and in memory: they are back when the clock is. */
void archive_trust_clock(Archive *archive, bool is_right);

/* The value, lent until the next change; NULL: there is none, or it has expired. */
const char *archive_recall(const Archive *archive, FactKind kind, Text id);

/* All of them, lent, for facts_get(). */
const Facts *archive_facts(const Archive *archive);

/* Calls for each living fact of the kind, in the order of keys; see fact_id(). */
typedef void ArchiveOnFact(void *user, const Fact *fact);
void archive_each_fact(const Archive *archive, FactKind kind, ArchiveOnFact *on_fact, void *user);

/* What all finished games teach about our books' moves; lent as long as the archive lives. */
const BookStats *archive_book_stats(const Archive *archive);

/* What all games in the file say of us against humans and against bots: AGAINST_COUNT rows as
 * stats_read_kinds() reads them, renewed soon after games have been written. Lent until the loop
 * goes on; NULL: not known yet, or the archive is off or can't be read. */
const StatsRow *archive_results(const Archive *archive);

ArchiveStatus archive_status(const Archive *archive);
