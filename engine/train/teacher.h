/* SPDX-License-Identifier: GPL-3.0-or-later */
/* teacher.h - another engine's static evaluation, whose judgement a network learns.
 *
 * The teacher is a shared object with the functions of teacher_library.h. It is trusted like a
 * program that one starts. One thread for each. */
#pragma once
#include "engine/core/position.h"

typedef struct Teacher Teacher;

/* Opens the shared object, a path with a slash in it, with one of its networks. The Error names the
 * file. The caller frees. */
bool teacher_new(Teacher **out, const char *library, const char *network, Error *err) MUST_CHECK;
void teacher_free(Teacher *teacher);

/* Centipawns for the side to move, who is not in check. The fifty-move counter counts nothing. */
int teacher_evaluate(Teacher *teacher, const Position *pos);
