/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/train/teacher.h"

#include "engine/core/fen.h"
#include "engine/train/teacher_library.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

struct Teacher {
    void *object;
    TeacherLibrary *library;
    TeacherLibrary *(*library_new)(const char *network, char *error, size_t size);
    void (*library_free)(TeacherLibrary *library);
    int (*evaluate)(TeacherLibrary *library, const char *fen);
};

/* ISO C has no cast from an object's address to a function's; POSIX gives both the same form. */
static bool function_find(void *function, const Teacher *teacher, const char *name)
{
    void *at = dlsym(teacher->object, name);
    memcpy(function, &at, sizeof at);
    return at != NULL;
}

static bool library_open(Teacher *teacher, const char *path, const char *network, Error *err)
{
    char why[sizeof err->text] = "";
    teacher->object = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!teacher->object) {
        error_set(err, ERR_IO, "%s", dlerror());
        return false;
    }
    if (!function_find(&teacher->library_new, teacher, "teacher_library_new") ||
        !function_find(&teacher->library_free, teacher, "teacher_library_free") ||
        !function_find(&teacher->evaluate, teacher, "teacher_library_evaluate")) {
        error_set(err, ERR_INVALID, "%s: no teacher; scripts/teacher builds one", path);
        return false;
    }
    teacher->library = teacher->library_new(network, why, sizeof why);
    if (!teacher->library)
        error_set(err, ERR_INVALID, "%s", why);
    return teacher->library != NULL;
}

bool teacher_new(Teacher **out, const char *library, const char *network, Error *err)
{
    Teacher *teacher = calloc(1, sizeof *teacher);
    if (!teacher) {
        error_set(err, ERR_MEMORY, "no memory for a teacher");
        return false;
    }
    if (library_open(teacher, library, network, err)) {
        *out = teacher;
        return true;
    }
    teacher_free(teacher);
    return false;
}

void teacher_free(Teacher *teacher)
{
    if (!teacher)
        return;
    if (teacher->library)
        teacher->library_free(teacher->library);
    if (teacher->object)
        dlclose(teacher->object);
    free(teacher);
}

int teacher_evaluate(Teacher *teacher, const Position *pos)
{
    Position fresh = *pos;
    char fen[FEN_SIZE];
    fresh.halfmove_clock = 0; /* a score that speaks of the counter teaches nothing */
    fen_write(&fresh, fen);
    return teacher->evaluate(teacher->library, fen);
}
