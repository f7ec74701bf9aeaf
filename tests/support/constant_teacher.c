/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A teacher (teacher_library.h) to whom the side to move always has so much more, and who knows
 * one network. Says 0 of a position whose fifty-move counter is not 0. With NO_EVALUATION it is no
 * teacher. */
#include "engine/train/teacher_library.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CONSTANT = 140 };

struct TeacherLibrary {
    int score;
};

TeacherLibrary *teacher_library_new(const char *network, char *error, size_t size)
{
    static const char known[] = "constant.nnue";
    const char *slash = strrchr(network, '/');
    if (strcmp(slash ? slash + 1 : network, known) != 0) {
        (void)!snprintf(error, size, "%s: not %s", network, known);
        return NULL;
    }
    TeacherLibrary *teacher = malloc(sizeof *teacher);
    if (teacher)
        teacher->score = CONSTANT;
    return teacher;
}

void teacher_library_free(TeacherLibrary *teacher)
{
    free(teacher);
}

#ifndef NO_EVALUATION
int teacher_library_evaluate(TeacherLibrary *teacher, const char *fen)
{
    return strstr(fen, " 0 ") ? teacher->score : 0;
}
#endif
