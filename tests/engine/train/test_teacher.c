/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/train/teacher.h"

#include "engine/core/fen.h"
#include "tests/support/unit.h"

TEST(a_teacher_evaluates_positions_as_if_their_fifty_moves_began)
{
    static const char *const fens[] = { FEN_START, "4k3/8/8/8/8/8/4R3/4K3 b - - 37 60" };
    Teacher *teacher;
    Position pos;
    Error err = { 0 };
    if (!teacher_new(&teacher, TEACHER, "some/constant.nnue", &err))
        fail_msg("%s", err.text);
    for (size_t i = 0; i < sizeof fens / sizeof *fens; i++) {
        assert_true(fen_read(&pos, fens[i], FEN_STRICT, NULL, NULL));
        assert_int_equal(teacher_evaluate(teacher, &pos), 140); /* constant_teacher.c */
    }
    teacher_free(teacher);
}

TEST(what_is_no_teacher_is_named)
{
    static const struct {
        const char *library, *network, *why;
    } rows[] = {
        { TEACHER, "other.nnue", "other.nnue: not constant.nnue" },
        { NO_TEACHER, "constant.nnue", "scripts/teacher builds one" },
        { "/proc/self/status", "constant.nnue", "/proc/self/status: " },
        { "/nowhere/teacher.so", "constant.nnue", "/nowhere/teacher.so: " },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Teacher *teacher;
        Error err = { 0 };
        assert_false(teacher_new(&teacher, rows[i].library, rows[i].network, &err));
        if (!strstr(err.text, rows[i].why))
            fail_msg("%s: %s", rows[i].library, err.text);
    }
    teacher_free(NULL);
}
