/* SPDX-License-Identifier: GPL-3.0-or-later */
/* teacher.h - another engine whose scores our network learns: a UCI program as child process, asked
 * with a fixed number of nodes, one thread and a small hash that lives as long as a game.
 *
 * Its answers depend on the program, the nodes, the hash and the game alone, so the same games come
 * out again. Known engines are held to their bench count. Owner's thread only; calls block.
 *
 * What its scores are, and what is done to them here:
 * - They are the mover's; TeacherAnswer has White's.
 * - A search may end on a bound. Its value is kept: at a few hundred nodes one search in seven ends
 *   so, most of them low, and the scores left would be too high on average.
 * - An announced mate is no score (ARCHIVE_NO_SCORE).
 * - Known engines shrink their scores as the fifty-move counter rises; that is undone.
 * After: Stefan Meyer-Kahlen, "Description of the universal chess interface"; Stockfish 15.1,
 * evaluate.cpp and uci.cpp. */
#pragma once
#include "engine/base/text.h"
#include "engine/train/archive.h"

#include <stdatomic.h>

/* Searches of fewer nodes may end before they have a score. */
enum { TEACHER_NODES_MIN = 100, TEACHER_SILENCE_S = 30 };

typedef struct {
    const char *path; /* program; lent while the teacher lives */
    int nodes;        /* at least TEACHER_NODES_MIN */
    int hash_mib;
    int silence_s; /* an answer may take so long; a test may want less than TEACHER_SILENCE_S */
} TeacherOptions;

typedef struct {
    char name[sizeof((ShardHeader *)0)->labeller];
    char network[sizeof((ShardHeader *)0)->network]; /* "": it told none */
} TeacherIdentity;

typedef struct {
    Move best;     /* legal */
    int16_t score; /* centipawns for White, or ARCHIVE_NO_SCORE */
    int mate;      /* announced: 1 for White, -1 for Black, else 0 */
} TeacherAnswer;

typedef struct Teacher Teacher;

/* Starts the program and asks who it is. The caller frees. */
bool teacher_new(Teacher **out, const TeacherOptions *options, Error *err) MUST_CHECK;
void teacher_free(Teacher *teacher);

const TeacherIdentity *teacher_identity(const Teacher *teacher);

/* The nodes that `PATH bench 16 1 10` counts; 0 where the program has no such command. False and an
 * Error when a known engine counts others than it should: a build that was changed. */
bool teacher_bench(const char *path, const TeacherIdentity *identity, uint64_t *nodes,
                   Error *err) MUST_CHECK;

/* After a failure of the following the teacher can only be freed. */

/* Forgets all and begins a game here. */
bool teacher_begin_game(Teacher *teacher, const Position *start, Error *err) MUST_CHECK;

/* The game went on with `m`, legal in `before`, which led to `after`. */
bool teacher_play(Teacher *teacher, const Position *before, Move m, const Position *after,
                  Error *err) MUST_CHECK;

/* Its move and score here, where the game stands; there is a legal move. */
bool teacher_ask(Teacher *teacher, const Position *pos, TeacherAnswer *answer,
                 Error *err) MUST_CHECK;

/* The same for a position alone, without the game's past and with its fifty-move counter at zero.
 * Requests are not written ahead: UCI lets no engine expect a position while it searches. */
bool teacher_ask_alone(Teacher *teacher, const Position *pos, TeacherAnswer *answer,
                       Error *err) MUST_CHECK;

/* Something to be done with a teacher, from the beginning each time it is called. */
typedef bool TeacherTask(Teacher *teacher, void *user, Error *err);

/* Does the task with *teacher, which is started where it is NULL. Where that fails, the program is
 * started again and the task begins anew, TEACHER_TRIES times in all; *teacher is then NULL. */
enum { TEACHER_TRIES = 3 };
bool teacher_run(Teacher **teacher, const TeacherOptions *options, TeacherTask *task, void *user,
                 atomic_ullong *restarts, Error *err) MUST_CHECK;

/* -- what it says: pure, for bytes of unknown origin -- */

typedef struct {
    bool is_mate;
    int64_t value; /* centipawns or moves to mate, mover's view, within ±1,000,000 */
} TeacherScore;

/* Printed centipawns of the side to move, in a position whose fifty-move counter the engine took to
 * be `clock`, as the archive has them: White's, undamped, within its limits. */
int16_t teacher_white_score(const TeacherIdentity *identity, const Position *pos, int clock,
                            int64_t printed);

/* The score in an "info" line, bound or not; false where it has none of the first line's. */
bool teacher_read_score(Text line, TeacherScore *score);
