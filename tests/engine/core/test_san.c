/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/core/san.h"

#include "tests/support/chess.h"
#include "tests/support/games.h"

#ifdef NDEBUG
enum { GAMES = 40 };
#else
enum { GAMES = 4 };
#endif

TEST(moves_are_written_as_listed)
{
    static const struct {
        const char *fen, *uci, *san;
    } rows[] = {
        { FEN_START, "e2e4", "e4" },
        { FEN_START, "g1f3", "Nf3" },
        { "rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2", "e4d5", "exd5" },
        { "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", "exd6" },
        { "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1g1", "O-O" },
        { "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1c1", "O-O-O" },
        { "5k2/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", "O-O+" },
        { "3r4/4P3/8/8/8/1k6/8/4K3 w - - 0 1", "e7d8q", "exd8=Q" },
        { "8/4P1k1/8/8/8/8/8/4K3 w - - 0 1", "e7e8n", "e8=N+" },
        { "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", "a1a8", "Ra8#" },
        { "4k3/8/8/8/8/8/8/R3K2R w - - 0 1", "a1d1", "Rd1" }, /* the other one is blocked */
        { "4k3/8/8/8/8/4K3/8/R6R w - - 0 1", "a1d1", "Rad1" },
        { "4k3/8/8/R7/8/4K3/8/R7 w - - 0 1", "a1a3", "R1a3" },
        { "8/8/k7/8/4Q2Q/8/8/K6Q w - - 0 1", "h4e1", "Qh4e1" },
        { "4k3/8/8/8/1n6/5n2/2P5/K7 b - - 0 1", "b4c2", "Nxc2+" },
        /* The pinned knight may not go there: no disambiguation. */
        { "4k3/8/8/8/1b6/2N5/8/4K1N1 w - - 0 1", "g1e2", "Ne2" },
        { "4k3/8/8/8/8/8/3r4/4K3 w - - 0 1", "e1d2", "Kxd2" },
        { "k7/8/8/8/8/8/8/6KR w K - 0 1", "g1h1", "O-O" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[SAN_SIZE];
        Position pos = position_of(rows[i].fen);
        san_write(&pos, move_of(&pos, rows[i].uci), text);
        assert_string_equal(text, rows[i].san);
    }
}

TEST(moves_of_variants_are_written_as_listed)
{
    static const struct {
        Ruleset ruleset;
        const char *fen, *uci, *san;
    } rows[] = {
        { RULES_CRAZYHOUSE, "4k3/8/8/8/8/8/8/4K1N1[NP] w - - 0 1", "N@f3", "N@f3" },
        { RULES_CRAZYHOUSE, "4k3/8/8/8/8/8/8/4K1N1[NP] w - - 0 1", "P@e4", "P@e4" },
        { RULES_CRAZYHOUSE, "4k3/8/8/8/8/8/8/4K1N1[NP] w - - 0 1", "N@f6", "N@f6+" },
        { RULES_CRAZYHOUSE, "4k3/8/8/8/8/8/8/4K1N1[NP] w - - 0 1", "g1f3", "Nf3" },
        { RULES_CRAZYHOUSE, "6k1/5ppp/8/8/8/8/8/4K3[R] w - - 0 1", "R@e8", "R@e8#" },
        /* A drop there makes no other move ambiguous, but a promoted man does. */
        { RULES_CRAZYHOUSE, "4k3/8/8/8/8/4K3/8/R6R~[R] w - - 0 1", "a1d1", "Rad1" },
        { RULES_ANTICHESS, "8/P7/8/8/8/8/7p/8 w - - 0 1", "a7a8k", "a8=K" },
        { RULES_ANTICHESS, "1n6/P7/8/8/8/8/7p/8 w - - 0 1", "a7b8k", "axb8=K" },
        { RULES_ANTICHESS, "8/8/8/8/8/7p/8/K1K5 w - - 0 1", "a1b1", "Kab1" },
        { RULES_ANTICHESS, "4k3/8/8/8/8/8/8/4R3 w - - 0 1", "e1e8", "Rxe8#" },
        { RULES_ANTICHESS, "8/8/8/p7/8/P7/8/8 w - - 0 1", "a3a4", "a4#" },    /* Black has won */
        { RULES_ANTICHESS, "4k3/p7/8/8/8/8/8/3R4 w - - 0 1", "d1e1", "Re1" }, /* no check */
        { RULES_ATOMIC, "4k3/3p4/8/8/8/8/8/3QK3 w - - 0 1", "d1d7", "Qxd7#" },
        { RULES_ATOMIC, "4k3/8/8/8/8/8/8/3QK3 w - - 0 1", "d1a4", "Qa4+" },
        { RULES_ATOMIC, "8/8/8/3k4/8/3K4/8/Q7 w - - 0 1", "d3d4", "Kd4" },
        { RULES_ATOMIC, "8/8/8/3k4/3K4/8/8/Q6R w - - 0 1", "h1h5", "Rh5" }, /* kings touch */
        { RULES_HORDE, "4k3/8/8/8/8/8/8/P7 w - - 0 1", "a1a3", "a3" },
        { RULES_HORDE, "4k3/8/8/8/8/8/r7/P7 b - - 0 1", "a2a1", "Rxa1#" },
        { RULES_KING_OF_THE_HILL, "7k/8/8/8/8/3K4/8/8 w - - 0 1", "d3d4", "Kd4#" },
        { RULES_RACING_KINGS, "8/7K/k7/8/8/8/8/8 w - - 0 1", "h7h8", "Kh8#" },
        { RULES_RACING_KINGS, "8/k6K/8/8/8/8/8/8 w - - 0 1", "h7h8", "Kh8" },
        { RULES_RACING_KINGS, "7K/k7/8/8/8/8/8/8 b - - 0 1", "a7a8", "Ka8" },  /* a draw */
        { RULES_RACING_KINGS, "7K/k7/8/8/8/8/8/8 b - - 0 1", "a7a6", "Ka6#" }, /* White has won */
        { RULES_THREE_CHECK, "4k3/8/8/8/8/8/8/4K2R w - - 3+3 0 1", "h1h8", "Rh8+" },
        { RULES_THREE_CHECK, "4k3/8/8/8/8/8/8/4K2R w - - 1+3 0 1", "h1h8", "Rh8#" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[SAN_SIZE];
        Position pos = position_by(rows[i].ruleset, rows[i].fen);
        san_write(&pos, move_of(&pos, rows[i].uci), text);
        assert_string_equal(text, rows[i].san);
    }
}

static void check_distinct(Position *pos, void *user)
{
    (void)user;
    static char texts[MAX_MOVES][SAN_SIZE];
    MoveList list;
    movegen_legal(pos, &list);
    for (int i = 0; i < list.count; i++) {
        san_write(pos, list.moves[i], texts[i]);
        for (int k = 0; k < i; k++)
            assert_string_not_equal(texts[i], texts[k]);
    }
}

TEST(different_moves_have_different_texts)
{
    game_set_play(31, GAMES, check_distinct, NULL);
}
