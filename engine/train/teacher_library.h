/* SPDX-License-Identifier: GPL-3.0-or-later */
/* teacher_library.h - what castled-expand asks of a teacher that is a shared object: the static
 * evaluation of a program whose sources somebody has (scripts/teacher builds one of a Stockfish's).
 * The teacher runs in this process, so a label costs microseconds, and nothing of its code is here.
 *
 * C and C++. One teacher may be used by one thread; any number of them may exist. */
#pragma once
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct TeacherLibrary TeacherLibrary;

/* Opens the teacher with this network. NULL and a text in `error`, which has room for `size`
 * characters, when that is none of its networks. The caller frees. */
TeacherLibrary *teacher_library_new(const char *network, char *error, size_t size);
void teacher_library_free(TeacherLibrary *teacher);

/* What it evaluates the position of a FEN to, for the side to move, who is not in check: 100 is as
 * good as a pawn more in the middle game. The position is legal. Within ±30,000. */
int teacher_library_evaluate(TeacherLibrary *teacher, const char *fen);

#ifdef __cplusplus
}
#endif
