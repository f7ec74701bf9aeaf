/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/core/san.h"
#include "engine/search/see.h"
#include "tests/support/chess.h"

static void check_worth(const Position *pos, Move m, int value, const char *name)
{
    if (!see_at_least(pos, m, value) || see_at_least(pos, m, value + 1))
        fail_msg("%s: not worth exactly %d", name, value);
}

TEST(exchanges_are_worth_what_they_win)
{
    static const struct {
        const char *fen, *move;
        int value;
    } rows[] = {
        { "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "e4d5", 100 },
        { "4k3/8/4p3/3p4/4P3/8/8/4K3 w - - 0 1", "e4d5", 0 },
        { "4k3/8/4p3/3p4/8/2N5/8/4K3 w - - 0 1", "c3d5", -200 },
        { "3rk3/8/8/3q4/8/8/3R4/3RK3 w - - 0 1", "d2d5", 900 },
        { "3rk3/8/8/3p4/8/8/3R4/3RK3 w - - 0 1", "d2d5", 100 },
        { "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", 100 },
        { "4k3/2p5/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", 0 },
        { "8/P3k3/8/8/8/8/8/4K3 w - - 0 1", "a7a8q", 800 },
        { "1r6/P3k3/8/8/8/8/8/4K3 w - - 0 1", "a7a8q", -100 },
        { "1r6/P3k3/8/8/8/8/8/4K3 w - - 0 1", "a7b8q", 1300 },
        { "4k3/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", 0 },
        /* The king may take only what is unprotected. */
        { "8/8/4k3/3p4/8/1B6/8/K2R4 w - - 0 1", "d1d5", 100 },
        { "8/8/4k3/3p4/8/8/8/K2R4 w - - 0 1", "d1d5", -400 },
        { "3r4/8/4k3/3p4/8/1B6/8/K2R4 w - - 0 1", "b3d5", -200 },
        { "4k3/8/8/8/8/8/4q3/4K1N1 w - - 0 1", "g1e2", 900 },
        { "4k3/8/8/8/3b4/8/8/R3K3 w Q - 0 1", "a1a8", 0 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Position pos = position_of(rows[i].fen);
        check_worth(&pos, move_of(&pos, rows[i].move), rows[i].value, rows[i].fen);
    }
}

static Move move_by_san(const Position *pos, const char *san)
{
    MoveList list;
    movegen_legal(pos, &list);
    for (int i = 0; i < list.count; i++) {
        char text[SAN_SIZE];
        san_write(pos, list.moves[i], text);
        text[strcspn(text, "+#")] = '\0';
        if (strcmp(text, san) == 0)
            return list.moves[i];
    }
    return MOVE_NONE;
}

TEST(suite_of_exchanges_is_right)
{
    FILE *f = fopen(SUITES_DIR "/tactics/see.epd", "r");
    if (!f)
        skip();
    char line[512];
    int rows = 0;
    while (fgets(line, sizeof line, f)) {
        char fen[128];
        char san[16];
        int value;
        if (sscanf(line, "%127[^;]; %15[^;]; %d", fen, san, &value) != 3)
            continue;
        fen[strcspn(fen, ";")] = '\0';
        san[strcspn(san, "+# ")] = '\0';
        /* One row leaves out that the pawn which takes back promotes; others count that. */
        if (strcmp(fen, "8/8/8/1k6/6b1/4N3/2p3K1/3n4 w - -") == 0)
            value = -800;
        Position pos;
        /* A few of the suite's boards are beyond the rules (a pawn too many). */
        if (!fen_read(&pos, fen, FEN_LENIENT, NULL, NULL))
            continue;
        Move m = move_by_san(&pos, san);
        if (m == MOVE_NONE)
            continue;
        check_worth(&pos, m, value, line);
        rows++;
    }
    fclose(f);
    assert_true(rows >= 65);
}
