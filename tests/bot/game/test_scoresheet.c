/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/game/scoresheet.h"
#include "tests/support/chess.h"

static void set_up(Scoresheet *sheet, const char *fen)
{
    Position initial = position_of(fen);
    scoresheet_init(sheet, &initial);
}

static SheetChange take(Scoresheet *sheet, const char *moves)
{
    Error err = { 0 };
    SheetChange change = scoresheet_read(sheet, text_of(moves), &err);
    assert_int_equal(change == SHEET_DESYNCED, error_is_set(&err));
    return change;
}

static void assert_fen(const Scoresheet *sheet, const char *expected)
{
    char fen[FEN_SIZE];
    fen_write(&sheet->position, fen);
    assert_string_equal(fen, expected);
}

TEST(lists_are_told_apart)
{
    static const struct {
        const char *moves;
        SheetChange change;
        unsigned ply;
        const char *last_san; /* of the tail, NULL: empty */
    } rows[] = {
        { "", SHEET_REPLAYED, 0, NULL },
        { "", SHEET_SAME, 0, NULL },
        { "e2e4", SHEET_GREW, 1, "e4" },
        { "e2e4", SHEET_SAME, 1, "e4" },
        { "e2e4 e7e5 g1f3", SHEET_GREW, 3, "Nf3" },
        { "e2e4 e7e5 g1f3 b8c6", SHEET_GREW, 4, "Nc6" },
        { "e2e4 e7e5", SHEET_REPLAYED, 2, NULL },      /* taken back */
        { "e2e4 e7e5 f2f4", SHEET_GREW, 3, "f4" },     /* and another way */
        { "e2e4 c7c5 f2f4", SHEET_REPLAYED, 3, NULL }, /* changed in its middle */
        { "e2e4 c7c5 f2f4 d7d", SHEET_DESYNCED, 3, NULL },
        { "e2e4 c7c5 f2f4 d7d5", SHEET_REPLAYED, 4, NULL },
        { "", SHEET_REPLAYED, 0, NULL },
    };
    Scoresheet sheet;
    set_up(&sheet, FEN_START);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint32_t before = sheet.version;
        SheetChange change = take(&sheet, rows[i].moves);
        if (change != rows[i].change || sheet.position.ply != rows[i].ply)
            fail_msg("row %zu: change %d at ply %u", i, (int)change, (unsigned)sheet.position.ply);
        assert_int_equal(sheet.version != before, change != SHEET_SAME);
        if (rows[i].last_san)
            assert_string_equal(sheet.tail[sheet.tail_count - 1].san, rows[i].last_san);
        else if (change != SHEET_DESYNCED)
            assert_int_equal(sheet.tail_count, 0);
        assert_true(position_validate(&sheet.position, NULL));
    }
}

TEST(a_longer_word_is_no_continuation)
{
    Scoresheet sheet;
    set_up(&sheet, "7k/4P3/8/8/8/8/8/K7 w - - 0 1");
    assert_int_equal(take(&sheet, "e7e8"), SHEET_DESYNCED);
    assert_int_equal(take(&sheet, "e7e8q"), SHEET_REPLAYED);
    assert_int_equal(take(&sheet, "e7e8n"), SHEET_REPLAYED);
    assert_fen(&sheet, "4N2k/8/8/8/8/8/8/K7 b - - 0 1");
}

TEST(castling_is_read_in_both_notations)
{
    static const struct {
        const char *fen, *moves, *after;
    } rows[] = {
        { "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1g1 e8c8",
          "2kr3r/8/8/8/8/8/8/R4RK1 w - - 2 2" },
        { "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1h1 e8a8",
          "2kr3r/8/8/8/8/8/8/R4RK1 w - - 2 2" },
        { "1r2k1r1/6p1/8/8/8/8/1P4P1/1R2K1R1 w GBgb - 0 1", "e1g1 e8b8",
          "2kr2r1/6p1/8/8/8/8/1P4P1/1R3RK1 w - - 2 2" },
        { "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", "e8h8 e1a1",
          "r4rk1/8/8/8/8/8/8/2KR3R b - - 2 2" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Scoresheet sheet;
        Error err = { 0 };
        set_up(&sheet, rows[i].fen);
        if (scoresheet_read(&sheet, text_of(rows[i].moves), &err) != SHEET_REPLAYED)
            fail_msg("row %zu: %s", i, err.text);
        assert_fen(&sheet, rows[i].after);
    }
}

TEST(a_stray_move_is_named_with_its_ply_and_position)
{
    Scoresheet sheet;
    Error err = { 0 };
    set_up(&sheet, FEN_START);
    assert_int_equal(scoresheet_read(&sheet, text_of("e2e4 e2e5"), &err), SHEET_DESYNCED);
    assert_non_null(strstr(err.text, "ply 2"));
    assert_non_null(strstr(err.text, "e2e5"));
    assert_non_null(strstr(err.text, "rnbqkbnr/pppppppp"));
}

/* Knights to and fro: without end, when repetitions do not count. */
static size_t long_list(char *out, int plies)
{
    static const char *const words[] = { "g1f3 ", "g8f6 ", "f3g1 ", "f6g8 " };
    size_t len = 0;
    for (int i = 0; i < plies; i++) {
        memcpy(out + len, words[i % 4], 5);
        len += 5;
    }
    return len - 1; /* without the last blank */
}

TEST(a_list_beyond_the_memory_is_followed_all_the_same)
{
    static char list[5 * 3000];
    Scoresheet sheet;
    set_up(&sheet, FEN_START);
    for (int plies = 1; plies < 3000; plies += plies < 20 ? 1 : 37) {
        Text moves = { list, long_list(list, plies) };
        SheetChange change = scoresheet_read(&sheet, moves, NULL);
        assert_true(change == SHEET_GREW || change == SHEET_REPLAYED);
        assert_int_equal(sheet.position.ply, plies);
        assert_int_equal(scoresheet_read(&sheet, moves, NULL), SHEET_SAME);
    }
    Text shorter = { list, long_list(list, 2500) };
    assert_int_equal(scoresheet_read(&sheet, shorter, NULL), SHEET_REPLAYED);
    assert_int_equal(sheet.position.ply, 2500);
}

TEST(hostile_lists_stray_and_do_no_harm)
{
    static const char *const lists[] = { "\xff", "e2e4  x",
                                         "0000", "e2e4 e7e5 e1e2 e8e7 z",
                                         "N@f3", "e7e8qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqq" };
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        Scoresheet sheet;
        set_up(&sheet, FEN_START);
        assert_int_equal(take(&sheet, lists[i]), SHEET_DESYNCED);
        assert_int_equal(take(&sheet, "e2e4"), SHEET_REPLAYED);
        assert_int_equal(sheet.position.ply, 1);
    }
}

TEST(a_variants_moves_are_made_by_its_rules)
{
    static const struct {
        const char *moves;
        SheetChange change;
        unsigned ply;
        const char *last;
    } rows[] = {
        { "", SHEET_REPLAYED, 0, NULL },
        { "e2e4 d7d5 e4d5 d8d5", SHEET_GREW, 4, "Qxd5" },
        { "e2e4 d7d5 e4d5 d8d5 P@e6", SHEET_GREW, 5, "P@e6" },
        { "e2e4 d7d5 e4d5 d8d5 P@e6", SHEET_SAME, 5, "P@e6" },
        { "e2e4 d7d5", SHEET_REPLAYED, 2, NULL },
        { "e2e4 d7d5 P@e6", SHEET_DESYNCED, 2, NULL },
        { "e2e4 d7d5 e4d5", SHEET_REPLAYED, 3, NULL },
    };
    Scoresheet sheet;
    Position start = position_by(RULES_CRAZYHOUSE, FEN_START);
    scoresheet_init(&sheet, &start);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        SheetChange change = take(&sheet, rows[i].moves);
        if (change != rows[i].change || sheet.ply != rows[i].ply)
            fail_msg("row %zu: change %d at ply %u", i, (int)change, (unsigned)sheet.ply);
        if (rows[i].last)
            assert_string_equal(sheet.tail[sheet.tail_count - 1].san, rows[i].last);
    }
}
