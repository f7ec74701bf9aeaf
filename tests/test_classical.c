/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/core/movegen.h"
#include "engine/core/outcome.h"
#include "engine/eval/classical/classical.h"
#include "engine/eval/classical/trace.h"
#include "tests/games.h"
#include "tests/chess.h"

static Position lenient_position(const char *fen)
{
    return position_in(fen, FEN_LENIENT);
}

/* The same position with colours exchanged: ranks turned over, case of the letters swapped, the
 * other side to move. Castling rights and en passant, which the value does not read, are dropped.
 */
static Position mirrored(const Position *pos)
{
    char fen[FEN_SIZE], out[FEN_SIZE];
    fen_write(pos, fen);
    char *end = strchr(fen, ' ');
    size_t length = 0;
    for (char *rank = end; rank > fen;) {
        char *start = rank;
        while (start > fen && start[-1] != '/')
            start--;
        for (char *at = start; at < rank; at++)
            out[length++] = *at >= 'a' ? (char)(*at - 32) : *at >= 'A' ? (char)(*at + 32) : *at;
        rank = start > fen ? start - 1 : fen;
        if (rank > fen)
            out[length++] = '/';
    }
    out[length] = '\0';
    char whole[FEN_SIZE + 16];
    int written =
        snprintf(whole, sizeof whole, "%s %c - - 0 1", out, pos->side_to_move == WHITE ? 'b' : 'w');
    assert_true(written > 0 && (size_t)written < sizeof whole);
    return lenient_position(whole);
}

static void check_mirror(Position *pos, void *context)
{
    Position flipped = mirrored(pos);
    int value = classical_evaluate(pos, NULL), other = classical_evaluate(&flipped, NULL);
    if (value != other) {
        char fen[FEN_SIZE];
        fen_write(pos, fen);
        fail_msg("%s is worth %d, mirrored %d", fen, value, other);
    }
    ++*(int *)context;
}

static void mirrored_position_has_the_same_value(void **state)
{
    (void)state;
    int seen = 0;
    game_set_play(0x1234567, 60, check_mirror, &seen);
    assert_true(seen > 5000);
}

static void check_cached(Position *pos, void *context)
{
    PawnTable *table = context;
    int value = classical_evaluate(pos, NULL);
    assert_int_equal(value, classical_evaluate(pos, table));
    assert_int_equal(value, classical_evaluate(pos, table));
}

static void pawn_table_changes_no_value(void **state)
{
    (void)state;
    PawnTable *table = test_calloc(1, sizeof *table + 63);
    PawnTable *aligned = (PawnTable *)(((uintptr_t)table + 63) & ~(uintptr_t)63);
    game_set_play(0x7654321, 60, check_cached, aligned);
    test_free(table);
}

static void check_rebuilt(Position *pos, void *context)
{
    EvalTrace trace;
    int value = classical_evaluate(pos, NULL);
    assert_int_equal(value, eval_trace(pos, &trace));
    if (trace.by_rule)
        return;
    int rebuilt = eval_rebuild(&trace, eval_trace_weights());
    assert_int_equal(value, pos->side_to_move == WHITE ? rebuilt : -rebuilt);
    for (int i = 0; i < TERM_COUNT; i++)
        ((bool *)context)[i] |= trace.count[WHITE][i] || trace.count[BLACK][i];
}

static void value_follows_from_traced_counts_and_weights(void **state)
{
    (void)state;
    bool used[TERM_COUNT] = { false };
    game_set_play(0xabcdef, 200, check_rebuilt, used);
    for (int row = 0; row < TERM_ROW_COUNT; row++) {
        int last = term_rows[row].first + term_rows[row].count;
        bool any = false;
        for (int i = term_rows[row].first; i < last; i++)
            any |= used[i];
        if (!any)
            fail_msg("%s is never used", term_rows[row].name);
    }
}

static void material_that_cannot_win_is_worth_little(void **state)
{
    (void)state;
    static const struct {
        const char *name, *fen;
        int at_most;
    } rows[] = {
        { "two knights", "8/8/4k3/8/8/3NK3/3N4/8 w - - 0 1", 0 },
        { "one bishop", "8/8/4k3/8/8/3BK3/8/8 b - - 0 1", 0 },
        { "wrong rook pawn, king in its corner", "k7/8/P7/1K6/8/8/8/4B3 w - - 0 1", 0 },
        { "wrong rook pawn for Black", "8/8/8/5b2/1k6/p7/8/K7 w - - 0 1", 0 },
        { "rook pawn alone, king in its corner", "7k/8/6KP/8/8/8/8/8 w - - 0 1", 0 },
        { "rook against bishop", "8/8/4k3/3b4/8/3RK3/8/8 w - - 0 1", 60 },
        { "rook and bishop against rook", "8/8/4k3/3r4/8/3RK3/3B4/8 w - - 0 1", 200 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Position pos = lenient_position(rows[i].fen);
        int value = abs(classical_evaluate(&pos, NULL));
        if (value > rows[i].at_most)
            fail_msg("%s: %d, not within %d", rows[i].name, value, rows[i].at_most);
    }
}

static void material_that_wins_is_worth_much(void **state)
{
    (void)state;
    static const struct {
        const char *name, *fen;
    } rows[] = {
        { "queen", "8/8/4k3/8/8/3QK3/8/8 w - - 0 1" },
        { "rook", "8/8/4k3/8/8/3RK3/8/8 w - - 0 1" },
        { "bishop and knight", "8/8/4k3/8/8/3BK3/3N4/8 w - - 0 1" },
        { "two bishops", "8/8/4k3/8/8/3BK3/3B4/8 w - - 0 1" },
        { "right rook pawn", "k7/8/P7/1K6/8/8/8/5B2 w - - 0 1" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Position pos = lenient_position(rows[i].fen);
        int value = classical_evaluate(&pos, NULL);
        if (value < 300)
            fail_msg("%s: only %d", rows[i].name, value);
    }
}

static void bishop_and_knight_drive_to_the_bishops_corner(void **state)
{
    (void)state;
    /* The bishop on d3 is light: the king is mated on h1 and a8, not on a1 and h8. */
    Position right = lenient_position("k7/8/1K6/8/8/3B4/3N4/8 w - - 0 1");
    Position wrong = lenient_position("7k/8/6K1/8/8/3B4/3N4/8 w - - 0 1");
    assert_true(classical_evaluate(&right, NULL) > classical_evaluate(&wrong, NULL) + 100);
}

static void more_is_better(void **state)
{
    (void)state;
    static const struct {
        const char *name, *better, *worse;
    } rows[] = {
        { "a knight more", "rnbqkb1r/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
          "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1" },
        { "a passed pawn that is further", "6k1/5ppp/2P5/8/8/8/5PPP/6K1 w - - 0 1",
          "6k1/5ppp/8/8/2P5/8/5PPP/6K1 w - - 0 1" },
        { "pawns side by side, not doubled", "6k1/5ppp/8/8/8/3PP3/6PP/6K1 w - - 0 1",
          "6k1/5ppp/8/8/8/3P4/3P2PP/6K1 w - - 0 1" },
        { "rooks on an open file, not shut in", "6k1/1ppp1ppp/8/8/8/8/1PPP1PPP/4R1K1 w - - 0 1",
          "6k1/1ppp1ppp/8/8/8/8/1PPP1PPP/1R4K1 w - - 0 1" },
        { "the move", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
          "8/8/4k3/8/8/4K3/8/8 w - - 0 1" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Position better = lenient_position(rows[i].better), worse = lenient_position(rows[i].worse);
        if (classical_evaluate(&better, NULL) <= classical_evaluate(&worse, NULL))
            fail_msg("%s: %d, not more than %d", rows[i].name, classical_evaluate(&better, NULL),
                     classical_evaluate(&worse, NULL));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mirrored_position_has_the_same_value),
        cmocka_unit_test(pawn_table_changes_no_value),
        cmocka_unit_test(value_follows_from_traced_counts_and_weights),
        cmocka_unit_test(material_that_cannot_win_is_worth_little),
        cmocka_unit_test(material_that_wins_is_worth_much),
        cmocka_unit_test(bishop_and_knight_drive_to_the_bishops_corner),
        cmocka_unit_test(more_is_better),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
