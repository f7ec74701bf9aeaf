/* SPDX-License-Identifier: GPL-3.0-or-later */
/* engine.h - the library's front door: an engine that searches one position at a time.
 *
 * Any number of engines live in one process; they share no writable state but an
 * EngineHash that they were lent. One thread, the owner's, calls the functions here. A search runs
 * on the engine's own threads, which call the callbacks: these must be short, must not call the
 * engine, and must copy what they keep. Everything large is allocated by engine_new() and
 * engine_set_*(), nothing during a search. */
#pragma once
#include "engine/base/error.h"
#include "engine/core/movegen.h"
#include "engine/core/position.h"
#include "engine/human/policy_network.h"
#include "engine/search/score.h"
#include "engine/tablebase/tablebase.h"

/* What it is and whose judgement it learnt, for those who ask; ORIGIN.md has the rest. */
#define ENGINE_ORIGIN                                                                              \
    "search and network of its own; the network learnt from Stockfish 15.1's evaluation"

typedef struct Engine Engine;

/* A transposition table that several engines may share. */
typedef struct Tt EngineHash;

/* The numbers that the search was tuned by, params.h. */
typedef struct Params Params;

/* The weights of the evaluation, network.h. */
typedef struct Network Network;

/* How likely each move is to be a person's, policy_network.h. */
typedef struct PolicyNetwork PolicyNetwork;

/* The positions before, as that network looks back on them, human_view.h. */
typedef struct HumanHistory HumanHistory;

/* Ratings that weaker play can be asked for, see strength_limit.h. */
enum { ELO_MIN = 600, ELO_MAX = 2800 };

enum { MAX_MULTI_PV = 256, MAX_THREADS = 256 };

/* How much a draw may be worth less, or more, than 0. */
enum { CONTEMPT_MAX = 250 };

typedef struct {
    int threads;          /* 1..MAX_THREADS */
    int hash_mib;         /* 1..1048576, of the engine's own; without meaning where `hash` is set */
    EngineHash *hash;     /* lent, shared by any number of engines; NULL: one of its own */
    int multi_pv;         /* 1..MAX_MULTI_PV lines */
    int overhead_ms;      /* kept back from every move's time, 0..60000 */
    Tablebase *tablebase; /* lent, shared by any number of engines; NULL: none */
    const Network *network;                         /* lent too; NULL: the one that is built in */
    const Network *variant_networks[RULESET_COUNT]; /* the same for each variant; NULL: what is
                                                       built in, chess's where none is */
    const PolicyNetwork *human; /* lent too, for SearchLimits.human; NULL: none */
    const Params *params;       /* copied; NULL: the defaults, as always but in builds for tuning */
} EngineOptions;

#define ENGINE_OPTIONS_DEFAULT                                                                     \
    {                                                                                              \
        .threads = 1, .hash_mib = 16, .multi_pv = 1, .overhead_ms = 10                             \
    }

/* What ends a search; zero means "not limited by this". With nothing set the search runs until
 * engine_stop(). */
typedef struct {
    bool has_clock;
    int64_t time_ms[COLOUR_COUNT];
    int64_t increment_ms[COLOUR_COUNT];
    int moves_to_go;
    bool ponders; /* we think in the opponent's time too, whatever `ponder` says of this search */
    int64_t movetime_ms;
    int depth;      /* plies */
    uint64_t nodes; /* exact with one thread */
    int mate;       /* search for a mate in this many moves */
    bool infinite;  /* report only after engine_stop() */
    bool ponder; /* report only after engine_ponderhit() or stop; until then no limit of time holds
                  */
    uint64_t nodes_per_ms; /* the search's clock: this many nodes are a millisecond, which makes
                              limits of time exact and the same on a busy machine. 0: real time */
    int threads;           /* at most this many of the engine's; 0: all */
    int elo;               /* weaker play on purpose, of this rating; 0: none */
    bool human; /* chess: the move that a person might choose, by EngineOptions.human and a short
                   search; `elo` says whose, and 0 that the network alone decides */
    bool human_likeliest; /* with it: the likeliest move instead of one drawn at random */
    uint64_t seed;   /* with `elo`, `human` and `variety_cp`: seeds the choice, together with the
                        position */
    int variety_cp;  /* at full strength one of the best three moves is played, drawn by `seed` and
                        the position, if it is worse by no more; 0: always the best */
    int contempt_cp; /* that a draw is worth less than 0 to the side to move at the root, in
                        ±CONTEMPT_MAX; scores say so too */
    int search_move_count; /* 0: all */
    Move search_moves[MAX_MOVES];
} SearchLimits;

typedef struct {
    int depth, seldepth; /* plies */
    int line;            /* 1..multi_pv */
    int score;           /* see score.h */
    ScoreBound bound;
    uint64_t nodes;
    uint64_t nps; /* nodes a second */
    int64_t time_ms;
    int hashfull; /* per mille */
    uint64_t tablebase_hits;
    int pv_length;
    Move pv[MAX_PLY];
} SearchInfo;

typedef struct {
    Move move;
    int number; /* from 1: its place in the order */
    int depth;  /* plies */
    uint64_t nodes;
    uint64_t nps; /* nodes a second */
    int64_t time_ms;
} RootMoveInfo;

typedef struct {
    Move best;       /* legal; MOVE_NONE only when there is no legal move */
    Move ponder;     /* the reply expected, or MOVE_NONE */
    SearchInfo info; /* of the last finished iteration; depth 0 when there was none */
    TablebaseVerdict tablebase_verdict; /* on `best` */
    HumanOpinion human; /* with SearchLimits.human: people's, of `best`; else all 0 */
} SearchResult;

typedef struct {
    void (*on_info)(void *user, const SearchInfo *info); /* may be NULL */
    /* The root move whose search begins, in searches of more than three seconds: a sign of life.
     * May be NULL. */
    void (*on_root_move)(void *user, const RootMoveInfo *info);
    void (*on_done)(void *user, const SearchResult *result); /* exactly once for each engine_go() */
    /* Each position that the static evaluation is asked for, by any thread: for those who make
     * training data of them. May be NULL. */
    void (*on_evaluate)(void *user, const Position *pos);
    void *user;
} SearchCallbacks;

/* A hash to be shared, of 1..1048576 MiB; the operating system gives the memory when it is first
 * written. Freed when no engine has it any more; NULL is fine. */
bool engine_hash_new(EngineHash **out, int mib, Error *err) MUST_CHECK;
void engine_hash_free(EngineHash *hash);

/* A copy of the network that is built in, for EngineOptions.network of any number of engines: they
 * search 3 % faster with it (network.h). NULL: no memory; engines do without. Freed when no engine
 * has it any more; NULL is fine. */
Network *engine_network_new(void);
void engine_network_free(Network *network);

/* A new engine at the start position; the caller frees it. Fails without memory or threads. */
bool engine_new(Engine **out, const EngineOptions *options, Error *err) MUST_CHECK;

/* Stops a running search (its on_done still comes), joins the threads. NULL is fine. */
void engine_free(Engine *engine);

/* The following wait for no search: they must not be called while one runs. It has ended when its
 * on_done is called, returned or not, as far as what on_done wrote shows that to the owner. */

/* Changes options; an own hash's contents are lost only when its size or the network changes. On
 * failure (no memory) the old options still hold. */
bool engine_set_options(Engine *engine, const EngineOptions *options, Error *err) MUST_CHECK;

/* Clears hash and histories, so that the next search is as in a new engine, with all threads: a
 * large hash takes seconds, mostly for the system to give its memory. A shared hash is cleared too:
 * no other engine may be searching with it. */
void engine_clear(Engine *engine);

/* The position to search, copied, with its history for repetitions. */
void engine_set_position(Engine *engine, const Position *pos);

/* The positions that led to the one that is set, for SearchLimits.human; copied. Without them, as
 * after each engine_set_position(), it is judged as one without a past. */
void engine_set_history(Engine *engine, const HumanHistory *history);

/* The instructions that the network is computed with on this processor: "avx2", say. Static. */
const char *engine_kernels(void);

/* Static evaluation of a position in centipawns for the side to move (not in check). */
int engine_evaluate(Engine *engine, const Position *pos);

/* Starts a search; returns at once. */
void engine_go(Engine *engine, const SearchLimits *limits, const SearchCallbacks *callbacks);

/* These may be called at any time. */

/* on_done comes within 5 ms. No search running: nothing happens. */
void engine_stop(Engine *engine);

/* The move pondered on was played: the limits of time hold from now on, and count from engine_go()
 * on, so that time spent on pondering is time saved. */
void engine_ponderhit(Engine *engine);

/* Blocks until no search runs and its on_done has returned. */
void engine_wait(Engine *engine);
