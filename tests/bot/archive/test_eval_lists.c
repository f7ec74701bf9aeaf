/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/archive/eval_lists.h"
#include "tests/support/unit.h"

enum { MANY = 10, LIST_MAX = 1000 };

static const PositionEval evals[MANY] = {
    { .score = 31, .depth = 14, .best = "e2e4" },
    { .score = -250, .depth = 3, .best = "e7e8q" },
    { .score = SCORE_NONE },
    { .score = SCORE_MATE - 9, .depth = MAX_PLY, .best = "P@e4" },
    { .score = -SCORE_MATE + 6, .depth = 12, .best = "e1h1" },
    { .score = SCORE_MATE },
    { .score = -SCORE_MATE },
    { .score = 0, .depth = 1 },
    { .score = SCORE_TABLEBASE - 3, .depth = 9, .best = "a1a2" },
    { .score = -1000, .depth = 9, .best = "a1a2" },
};

static void unknown(PositionEval out[MANY])
{
    for (int i = 0; i < MANY; i++)
        out[i] = (PositionEval){ .score = SCORE_NONE };
}

TEST(lists_are_written_as_documented)
{
    static const char *const expected[EVAL_LIST_COUNT] = {
        "31 -250 - #5 #-3 #0 #-0 0 ",
        "14 3 - 128 12 0 0 1 9 9",
        "e2e4 e7e8q - P@e4 e1h1 - - - a1a2 a1a2",
    };
    static_assert(MAX_PLY == 128, "the depth above");
    for (int kind = 0; kind < EVAL_LIST_COUNT; kind++) {
        Buf text;
        buf_init(&text, LIST_MAX);
        assert_true(eval_list_write(evals, MANY, (EvalListKind)kind, &text));
        if (strncmp(buf_view(&text), expected[kind], strlen(expected[kind])) != 0)
            fail_msg("list %d: %s", kind, buf_view(&text));
        buf_release(&text);
    }
}

TEST(what_was_written_is_read_again)
{
    PositionEval back[MANY];
    unknown(back);
    for (int kind = 0; kind < EVAL_LIST_COUNT; kind++) {
        Buf text;
        buf_init(&text, LIST_MAX);
        assert_true(eval_list_write(evals, MANY, (EvalListKind)kind, &text));
        assert_true(eval_list_read(back, MANY, (EvalListKind)kind, text_of(buf_view(&text))));
        buf_release(&text);
    }
    for (int i = 0; i < MANY; i++) {
        assert_int_equal(back[i].score, evals[i].score);
        assert_int_equal(back[i].depth, evals[i].depth);
        assert_string_equal(back[i].best, evals[i].best);
    }
}

TEST(other_lists_are_refused)
{
    static const struct {
        EvalListKind kind;
        const char *list;
    } rows[] = {
        { EVAL_LIST_SCORES, "" },           { EVAL_LIST_SCORES, "1" },
        { EVAL_LIST_SCORES, "1 2 3" },      { EVAL_LIST_SCORES, "1 2 " },
        { EVAL_LIST_SCORES, "1 x" },        { EVAL_LIST_SCORES, "1 #" },
        { EVAL_LIST_SCORES, "1 #-" },       { EVAL_LIST_SCORES, "1 #9999" },
        { EVAL_LIST_SCORES, "1 99999999" }, { EVAL_LIST_SCORES, "1 0x2" },
        { EVAL_LIST_DEPTHS, "1 -1" },       { EVAL_LIST_DEPTHS, "1 129" },
        { EVAL_LIST_DEPTHS, "1 1e1" },      { EVAL_LIST_BEST, "e2e4" },
        { EVAL_LIST_BEST, "e2e4 <b>" },     { EVAL_LIST_BEST, "e2e4 e7e5e7e5e7e5" },
        { EVAL_LIST_BEST, "e2e4 e7\"e5" },  { EVAL_LIST_COUNT, "1 1" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        PositionEval back[MANY];
        unknown(back);
        if (eval_list_read(back, 2, rows[i].kind, text_of(rows[i].list)))
            fail_msg("read: \"%s\"", rows[i].list);
    }
}
