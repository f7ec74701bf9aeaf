/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/core/uci_move.h"

#include "engine/core/fen.h"
#include "tests/support/games.h"
#include "tests/support/unit.h"

#ifdef NDEBUG
enum { GAMES = 100 };
#else
enum { GAMES = 6 };
#endif

TEST(texts_match_the_listed_moves)
{
    static const struct {
        const char *fen, *text;
        Move move; /* MOVE_NONE: no match */
    } rows[] = {
        { FEN_START, "e2e4", 12 << 6 | 28 | MOVE_DOUBLE_PUSH << 12 },
        { FEN_START, "e2e3", 12 << 6 | 20 },
        { FEN_START, "e2e5", MOVE_NONE },
        { FEN_START, "e7e5", MOVE_NONE },
        { FEN_START, "", MOVE_NONE },
        { FEN_START, "e2", MOVE_NONE },
        { FEN_START, "e2e4q", MOVE_NONE },
        { FEN_START, "e2e4 ", MOVE_NONE },
        { FEN_START, "E2E4", MOVE_NONE },
        { FEN_START, "0000", MOVE_NONE },
        { FEN_START, "e2e4\xff\x1b[31m", MOVE_NONE },
        { "8/4P3/8/8/8/1k6/8/4K3 w - - 0 1", "e7e8q", 52 << 6 | 60 | 11 << 12 },
        { "8/4P3/8/8/8/1k6/8/4K3 w - - 0 1", "e7e8n", 52 << 6 | 60 | 8 << 12 },
        { "8/4P3/8/8/8/1k6/8/4K3 w - - 0 1", "e7e8", MOVE_NONE },
        { "8/4P3/8/8/8/1k6/8/4K3 w - - 0 1", "e7e8k", MOVE_NONE },
        { "3r4/4P3/8/8/8/1k6/8/4K3 w - - 0 1", "e7d8b", 52 << 6 | 59 | 13 << 12 },
        { "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", 36 << 6 | 43 | 5 << 12 },
        /* Castling is read both ways in a standard game … */
        { "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1g1", 4 << 6 | 6 | 2 << 12 },
        { "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1h1", 4 << 6 | 6 | 2 << 12 },
        { "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1c1", 4 << 6 | 2 | 2 << 12 },
        { "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1a1", 4 << 6 | 2 | 2 << 12 },
        { "r3k2r/8/8/8/8/8/8/R3K2R w kq - 0 1", "e1h1", MOVE_NONE },
        /* … and in Chess960, where the king's own step comes first. */
        { "5k2/8/8/8/8/8/8/5K1R w K - 0 1", "f1g1", 5 << 6 | 6 },
        { "5k2/8/8/8/8/8/8/5K1R w K - 0 1", "f1h1", 5 << 6 | 6 | 2 << 12 },
        { "5k2/8/8/8/8/8/8/1K5R w K - 0 1", "b1g1", 1 << 6 | 6 | 2 << 12 },
        { "5k2/8/8/8/8/8/8/6KR w K - 0 1", "g1h1", 6 << 6 | 6 | 2 << 12 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Position pos;
        Error err = { 0 };
        Move m = 4711;
        if (!fen_read(&pos, rows[i].fen, FEN_STRICT, NULL, &err))
            fail_msg("%s", err.text);
        bool ok = uci_move_match(&pos, rows[i].text, strlen(rows[i].text), &m, &err);
        if (m != (rows[i].move ? rows[i].move : 4711) || ok != (rows[i].move != MOVE_NONE))
            fail_msg("%s in %s: %d", rows[i].text, rows[i].fen, m);
    }
}

TEST(an_error_names_text_and_position)
{
    Position pos;
    Error err = { 0 };
    Move m;
    assert_true(fen_read(&pos, FEN_START, FEN_STRICT, NULL, NULL));
    assert_false(uci_move_match(&pos, "e2e5", 4, &m, &err));
    assert_string_equal(err.text, "move \"e2e5\" is not legal in " FEN_START);
    err = (Error){ 0 };
    assert_false(uci_move_match(&pos, "\x1b[2J and much more text", 23, &m, &err));
    assert_string_equal(err.text, "move \"?[2J?and?much?m\" is not legal in " FEN_START);
    err = (Error){ 0 };
    assert_false(uci_move_match(&pos, "e2\0e4", 5, &m, &err));
    assert_string_equal(err.text, "move \"e2?e4\" is not legal in " FEN_START);
}

TEST(no_move_is_written_as_zeros)
{
    Position pos;
    char text[UCI_MOVE_SIZE];
    assert_true(fen_read(&pos, FEN_START, FEN_STRICT, NULL, NULL));
    uci_move_write(&pos, MOVE_NONE, CASTLING_KING_TO_TARGET, text);
    assert_string_equal(text, "0000");
}

static void check_round_trip(Position *pos, void *user)
{
    (void)user;
    MoveList list;
    movegen_legal(pos, &list);
    for (int i = 0; i < list.count; i++) {
        char text[UCI_MOVE_SIZE];
        Move m;
        CastlingNotation notation =
            pos->rules.chess960 || i % 2 ? CASTLING_KING_TAKES_ROOK : CASTLING_KING_TO_TARGET;
        uci_move_write(pos, list.moves[i], notation, text);
        assert_true(uci_move_match(pos, text, strlen(text), &m, NULL));
        assert_int_equal(m, list.moves[i]);
    }
}

TEST(every_legal_move_survives_the_round_trip)
{
    game_set_play(21, GAMES / 4 + 2, check_round_trip, NULL);
}
