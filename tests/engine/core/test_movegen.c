/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/base/random.h"
#include "engine/core/movegen.h"

#include "engine/core/fen.h"
#include "engine/core/uci_move.h"
#include "tests/support/games.h"
#include "tests/support/unit.h"

#include <unistd.h>

#ifdef NDEBUG
enum { GAMES = 200 };
#else
enum { GAMES = 10 };
#endif

/* A set of moves: one bit for each 16-bit value. */
typedef struct {
    uint64_t bits[1024];
} MoveSet;

static void set_add(MoveSet *set, Move m)
{
    assert_int_equal(set->bits[m >> 6] >> (m & 63) & 1, 0); /* never twice */
    set->bits[m >> 6] |= 1ULL << (m & 63);
}

static MoveSet set_of(const MoveList *list)
{
    MoveSet set = { 0 };
    for (int i = 0; i < list->count; i++)
        set_add(&set, list->moves[i]);
    return set;
}

/* The two ways to the legal moves share no code: the generators, and the questions about any
 * 16 bits. */
static void check_generators(Position *pos, void *user)
{
    (void)user;
    MoveList list;
    movegen_legal(pos, &list);
    MoveSet legal = set_of(&list);
    assert_int_equal(movegen_count(pos), list.count);
    MoveSet noisy_and_quiet = { 0 };
    movegen_noisy(pos, &list);
    for (int i = 0; i < list.count; i++) {
        assert_false(move_is_quiet(list.moves[i]));
        set_add(&noisy_and_quiet, list.moves[i]);
    }
    movegen_quiet(pos, movegen_threats(pos), &list);
    for (int i = 0; i < list.count; i++) {
        assert_true(move_is_quiet(list.moves[i]));
        set_add(&noisy_and_quiet, list.moves[i]);
    }
    assert_memory_equal(&noisy_and_quiet, &legal, sizeof legal);

    MoveSet asked = { 0 };
    for (uint32_t bits = 0; bits <= UINT16_MAX; bits++) {
        Move m = (Move)bits;
        if (position_allows(pos, m))
            set_add(&asked, m);
    }
    assert_memory_equal(&asked, &legal, sizeof legal);
}

TEST(generators_agree_with_questions_about_any_16_bits)
{
    game_set_play(1, GAMES / 2, check_generators, NULL);
}

static void check_threats(Position *pos, void *user)
{
    (void)user;
    Colour us = pos->side_to_move;
    Bitboard without_king = pos->occupied ^ pos->pieces[us][KING];
    Bitboard expected = 0;
    for (Square square = 0; square < SQUARE_COUNT; square++)
        if (position_attackers(pos, square, without_king) & pos->occupied_by[us ^ 1])
            expected |= square_bit(square);
    assert_int_equal(movegen_threats(pos), expected);
}

TEST(threats_are_all_squares_with_an_attacker)
{
    game_set_play(2, GAMES, check_threats, NULL);
}

TEST(special_positions_have_the_listed_moves)
{
    static const struct {
        const char *name, *fen, *moves;
    } rows[] = {
        { "pinned knight has no moves", "4r1k1/8/8/8/8/8/4N3/4K3 w - - 0 1",
          "e1d1 e1d2 e1f1 e1f2" },
        { "pinned rook slides on its line", "4r1k1/8/8/8/8/8/3PRP2/3QKB2 w - - 0 1",
          "d2d3 d2d4 f2f3 f2f4 d1c1 d1b1 d1a1 d1c2 d1b3 d1a4 f1g2 f1h3 e2e3 e2e4 e2e5 e2e6 e2e7 "
          "e2e8" },
        { "en passant would uncover the rank", "8/8/8/8/k1pP3R/8/8/4K3 b - d3 0 1",
          "a4a3 a4a5 a4b3 a4b4 a4b5 c4c3" },
        { "en passant takes the checking pawn", "8/8/8/2k5/3Pp3/8/8/4K3 b - d3 0 1",
          "c5b4 c5b5 c5b6 c5c4 c5c6 c5d4 c5d5 c5d6 e4d3" },
        { "en passant pinned on the diagonal", "8/8/4k3/8/2pP4/8/B7/4K3 b - d3 0 1",
          "e6d5 e6d6 e6d7 e6e7 e6f5 e6f6 e6f7" },
        { "double check: only the king moves", "4k3/8/3N4/8/8/8/7q/4RK2 b - - 0 1",
          "e8d7 e8d8 e8f8" },
        { "castling not through an attacked square", "5r1k/8/8/8/8/8/7P/4K2R w K - 0 1",
          "e1d1 e1d2 e1e2 h1f1 h1g1 h2h3 h2h4" },
        { "castling queen-side past an attacked b1", "1r5k/8/8/8/8/8/P7/R3K3 w Q - 0 1",
          "a1b1 a1c1 a1d1 a2a3 a2a4 e1c1 e1d1 e1d2 e1e2 e1f1 e1f2" },
        { "a chess960 rook shields its king", "7k/8/8/8/8/8/PPPP4/rRK5 w B - 0 1",
          "a2a3 a2a4 b2b3 b2b4 c2c3 c2c4 d2d3 d2d4 c1d1 b1a1" },
        { "a chess960 king castles on the spot", "7k/8/8/8/8/8/5PPP/6KR w K - 0 1",
          "f2f3 f2f4 g2g3 g2g4 h2h3 h2h4 g1f1 g1h1" },
        { "promotions with and without capture", "n6k/1P6/8/8/8/8/8/K7 w - - 0 1",
          "a1a2 a1b1 a1b2 b7a8b b7a8n b7a8q b7a8r b7b8b b7b8n b7b8q b7b8r" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Position pos;
        Error err = { 0 };
        if (!fen_read(&pos, rows[i].fen, FEN_STRICT, NULL, &err))
            fail_msg("%s: %s", rows[i].name, err.text);
        MoveList list;
        movegen_legal(&pos, &list);
        size_t listed = 1;
        for (const char *c = rows[i].moves; *c; c++)
            listed += *c == ' ';
        for (int k = 0; k < list.count; k++) {
            char text[UCI_MOVE_SIZE];
            uci_move_write(&pos, list.moves[k],
                           pos.rules.chess960 ? CASTLING_KING_TAKES_ROOK : CASTLING_KING_TO_TARGET,
                           text);
            if (!strstr(rows[i].moves, text))
                fail_msg("%s: %s", rows[i].name, text);
        }
        if ((size_t)list.count != listed)
            fail_msg("%s: %d moves", rows[i].name, list.count);
    }
}

TEST(no_board_overflows_a_move_list)
{
    uint64_t random = 7;
    int most = 0;
    for (int round = 0; round < 20000; round++) {
        /* Kings in opposite corners, queens and knights of one side anywhere else. */
        char fen[FEN_SIZE], *out = fen;
        uint64_t share = random_below(&random, 90) + 5;
        for (int s = 0; s < 64; s++) {
            bool is_queen = random_below(&random, 200) < share;
            bool is_knight = random_below(&random, 200) < share;
            *out++ = s == 0 ? 'k' : s == 63 ? 'K' : is_queen ? 'Q' : is_knight ? 'N' : '1';
            if (s % 8 == 7)
                *out++ = s == 63 ? ' ' : '/';
        }
        memcpy(out, "w - -", 6);
        Position pos;
        if (!fen_read(&pos, fen, FEN_LENIENT, NULL, NULL))
            continue; /* the black king is in check */
        MoveList list;
        movegen_legal(&pos, &list);
        most = list.count > most ? list.count : most;
    }
    assert_in_range(most, 100, 460);
}

/* Every 40th position of the games goes to Stockfish; its answer has the same moves. */
typedef struct {
    FILE *commands;
    int seen, asked;
    char (*fens)[FEN_SIZE];
    int *counts;
    int (*sums)[2];
} Judge;

enum { MOST_ASKED = 400 };

/* Order does not matter: compare the number of moves and a sum over their texts. */
static int text_sum(const char *text, size_t len)
{
    unsigned hash = 2166136261U;
    for (size_t i = 0; i < len; i++)
        hash = (hash ^ (unsigned char)text[i]) * 16777619U;
    return (int)(hash >> 8);
}

static void ask(Position *pos, void *user)
{
    Judge *judge = user;
    if (judge->seen++ % 40 != 0 || judge->asked == MOST_ASKED)
        return;
    MoveList list;
    movegen_legal(pos, &list);
    int i = judge->asked++;
    fen_write(pos, judge->fens[i]);
    judge->counts[i] = list.count;
    judge->sums[i][0] = judge->sums[i][1] = 0;
    for (int k = 0; k < list.count; k++) {
        char text[UCI_MOVE_SIZE];
        uci_move_write(pos, list.moves[k], CASTLING_KING_TAKES_ROOK, text);
        judge->sums[i][0] ^= text_sum(text, strlen(text));
    }
    fprintf(judge->commands, "position fen %s\ngo perft 1\n", judge->fens[i]);
}

TEST(stockfish_finds_the_same_moves)
{
    const char *program = "/usr/games/stockfish";
    if (access(program, X_OK) != 0)
        skip();
    static char fens[MOST_ASKED][FEN_SIZE];
    static int counts[MOST_ASKED], sums[MOST_ASKED][2];
    char path[] = "/tmp/castled-test-XXXXXX", command[128];
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    Judge judge = { fdopen(fd, "w"), 0, 0, fens, counts, sums };
    assert_non_null(judge.commands);
    fprintf(judge.commands, "setoption name UCI_Chess960 value true\n");
    game_set_play(3, 60, ask, &judge);
    fclose(judge.commands);
    assert_true(judge.asked > 100);

    int wrote = snprintf(command, sizeof command, "%s <%s", program, path);
    assert_true(wrote > 0 && (size_t)wrote < sizeof command);
    FILE *answers = popen(command, "r");
    assert_non_null(answers);
    char line[256];
    int i = 0, count = 0;
    while (i < judge.asked && fgets(line, sizeof line, answers)) {
        char *colon = strstr(line, ": ");
        if (colon && (colon - line == 4 || colon - line == 5)) {
            sums[i][1] ^= text_sum(line, (size_t)(colon - line));
            count++;
        } else if (strncmp(line, "Nodes searched: ", 16) == 0) {
            if (count != counts[i] || sums[i][0] != sums[i][1])
                fail_msg("%s: %d moves, Stockfish has %d or others", fens[i], counts[i], count);
            i++;
            count = 0;
        }
    }
    pclose(answers);
    unlink(path);
    assert_int_equal(i, judge.asked);
}
