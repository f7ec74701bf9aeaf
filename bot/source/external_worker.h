/* SPDX-License-Identifier: GPL-3.0-or-later */
/* external_worker.h - one external engine that is kept running.
 *
 * It is started, greeted, given its options, and probed from time to time. It is killed when it
 * does not answer what needs no search. Whenever it has ended it is started again, with growing
 * delays while it fails.
 *
 * It is in one of these states, each with one deadline:
 *
 *   state       it means                              on its deadline    leads to
 *   DOWN        no process                            starts one         GREETING
 *   GREETING    uciok is to come                      fails              SETTING_UP
 *   SETTING_UP  readyok after its options is to come  fails              IDLE
 *   IDLE        nothing is to come                    -                  PREPARING
 *   PREPARING   readyok before a search is to come    fails              SEARCHING, STOPPING, IDLE
 *   SEARCHING   it searches or ponders                is pinged          STOPPING, DISCARDING, IDLE
 *   PINGED      the same, and readyok is to come      fails, if it has   SEARCHING, and where that
 *                                                     answered before    leads
 *   STOPPING    bestmove after stop is to come        fails              IDLE, DISCARDING
 *   DISCARDING  the same, and nobody wants it         fails              IDLE
 *   ANSWERED    a guess was over before it was right  hands it on        IDLE
 *
 * A process that fails, ends or is replaced leads to DOWN from every state. When the request's time
 * is up, a worker in PREPARING, SEARCHING or PINGED tells it to stop. A ponder hit leads to
 * ANSWERED from SEARCHING and PINGED. Loop thread only. */
#pragma once
#include "bot/config/external_config.h"
#include "bot/ops/log.h"
#include "bot/source/external_file.h"
#include "bot/child/child_process.h"
#include "bot/source/transcript.h"
#include "bot/source/uci_talk.h"

/* Lent, and outlives all workers made with it. */
typedef struct {
    const ExternalConfig *config;
    const ChildSecrets *secrets;
    const char *syzygy; /* tablebases, for an engine that can use them and has no others; "" */
    /* Totals for all games, sent to an engine that has such options; 0: not sent. */
    int threads, hash_mib;
    const int *games; /* how many share them: read at each start and each new game; NULL: one */
    Log *log;
    /* A process of it has failed, or a game of its owner found fault with it; may be NULL. */
    void (*on_failure)(void *user, const char *engine, const char *why);
    void *user;
    const ExternalFile *file; /* the file to run; NULL or without a name: as the command says */
    int held;                 /* of it, see external_file_hold(); only with a `file` */
    const char *transcripts;  /* the folder for them; "": none are kept */
} ExternalEngine;

typedef struct ExternalWorker ExternalWorker;

/* All from the loop. */
typedef struct {
    void (*on_ready)(void *user); /* it has started, or dropped a request: it may be given one */
    void (*on_result)(void *user, const UciResult *result);
    /* It crashed or hung; its request is dropped. It is being started again. */
    void (*on_failure)(void *user, const char *why);
    /* What is said, as it is; one that has been running begins with what it was told before. */
    void (*on_traffic)(void *user, TranscriptKind kind, Text text);
    void *user;
} ExternalOwner;

/* A request, and what else the engine needs. */
typedef struct {
    UciSearch search;
    Variant variant;
    bool is_960;
    const char *opponent; /* said at the beginning of a game; lent for the call; NULL: not known */
    int64_t search_ms, stop_ms; /* see MoveRequestTimeout */
} ExternalTask;

/* Starts one; a program that can't be started now is tried again, as if it had ended. */
bool external_worker_new(ExternalWorker **out, uv_loop_t *loop, const ExternalEngine *engine,
                         Error *err) MUST_CHECK;

/* Its receiver from now on; NULL: none. An earlier request is dropped. */
void external_worker_assign(ExternalWorker *worker, const ExternalOwner *owner);

/* May it be given a request now? Else on_ready will say so. */
bool external_worker_is_ready(const ExternalWorker *worker);

/* Has it come up, so that it may be waited for? */
bool external_worker_is_up(const ExternalWorker *worker);

/* Is it down, and not started again at once? */
bool external_worker_is_out(const ExternalWorker *worker);

/* The conversation, to be read. */
const UciTalk *external_worker_talk(const ExternalWorker *worker);

/* Only when it is ready. */
void external_worker_search(ExternalWorker *worker, const ExternalTask *task);

/* The guess of the last request was right: on_result comes, as for a request with these limits.
 * False: it does not ponder it. */
bool external_worker_ponderhit(ExternalWorker *worker, int64_t search_ms, int64_t stop_ms);

void external_worker_stop(ExternalWorker *worker);

/* The result of its search is not wanted any more. */
void external_worker_discard(ExternalWorker *worker);

/* It has played nonsense: a new process, without on_failure. */
void external_worker_restart(ExternalWorker *worker, const char *why);

/* The last call; its process ends soon after. */
void external_worker_close(ExternalWorker *worker);
