/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What we write is read by pgn-extract, which is not ours; skipped where it is missing. */
#include "bot/review/pgn.h"
#include "bot/game/record_lines.h"
#include "engine/base/random.h"
#include "engine/core/fen.h"
#include "engine/core/movegen.h"
#include "engine/search/engine.h"
#include "tests/support/records.h"
#include "tests/support/unit.h"

#include <unistd.h>

static void expect_pgn(const GameRecord *game, const char *expected)
{
    Buf out;
    buf_init(&out, PGN_MAX);
    assert_true(pgn_write(game, "https://lichess.org", &out));
    assert_string_equal(buf_view(&out), expected);
    buf_release(&out);
}

static void expect_part(const GameRecord *game, const char *part)
{
    Buf out;
    buf_init(&out, PGN_MAX);
    assert_true(pgn_write(game, "https://lichess.org", &out));
    if (!strstr(buf_view(&out), part))
        fail_msg("\"%s\" is not in:\n%s", part, buf_view(&out));
    buf_release(&out);
}

TEST(a_game_is_written_in_export_format)
{
    GameRecord game;
    record_make(&game, "Qw8rTy2u", "alba", "e2e4 c7c5 g1f3 d7d6 f1b5");
    expect_pgn(&game,
               "[Event \"Rated blitz game\"]\n"
               "[Site \"https://lichess.org/Qw8rTy2u\"]\n"
               "[Date \"2026.09.21\"]\n"
               "[Round \"-\"]\n"
               "[White \"Castled-Bot\"]\n"
               "[Black \"alba\"]\n"
               "[Result \"1-0\"]\n"
               "[BlackElo \"2213\"]\n"
               "[BlackTitle \"FM\"]\n"
               "[GameId \"Qw8rTy2u\"]\n"
               "[PlyCount \"5\"]\n"
               "[Termination \"normal\"]\n"
               "[TimeControl \"180+2\"]\n"
               "[UTCDate \"2026.09.21\"]\n"
               "[UTCTime \"14:13:20\"]\n"
               "[Variant \"Standard\"]\n"
               "[WhiteElo \"2240\"]\n"
               "[WhiteTitle \"BOT\"]\n"
               "\n"
               "1. e4 { [%eval 0.31,12] [%clk 0:03:00] } 1... c5 { [%clk 0:02:59] } 2. Nf3 {\n"
               "[%eval -0.09,14] [%clk 0:02:58] } 2... d6 { [%clk 0:02:57] } 3. Bb5+ {\n"
               "[%eval -0.49,16] [%clk 0:02:57] } 1-0\n"
               "\n");
    record_release(&game);
}

TEST(what_was_expected_next_stands_in_the_comment)
{
    GameRecord game;
    record_make(&game, "Qw8rTy2u", "alba", "e2e4 c7c5 g1f3 d7d6 f1b5");
    memcpy(game.moves[0].pv, "e7e5,g1f3,b8c6", 15);
    memcpy(game.moves[2].pv, "e7e6,e1h8,d7d5", 15); /* ends where a move is not legal */
    memcpy(game.moves[4].pv, "a2a4", 5);
    expect_part(&game,
                "1. e4 { [%eval 0.31,12] [%clk 0:03:00] pv e5 Nf3 Nc6 } 1... c5 { [%clk 0:02:59]\n"
                "} 2. Nf3 { [%eval -0.09,14] [%clk 0:02:58] pv e6 } 2... d6 { [%clk 0:02:57] }\n"
                "3. Bb5+ { [%eval -0.49,16] [%clk 0:02:57] } 1-0\n");
    record_release(&game);
}

TEST(an_analysis_marks_the_moves_that_lost)
{
    /* Before each move and after the last: White errs with Bb5+, Black with c5; mate is near. */
    static const int scores[] = { 20, 25, 150, 140, 130, -SCORE_MATE + 6 };
    PositionEval evals[6];
    GameRecord game;
    Buf out;
    record_make(&game, "Qw8rTy2u", "alba", "e2e4 c7c5 g1f3 d7d6 f1b5");
    for (size_t i = 0; i < 6; i++)
        evals[i] = (PositionEval){ .score = scores[i], .depth = 11 };
    memcpy(evals[1].best, "e7e5", 5);
    memcpy(game.moves[0].pv, "e7e5", 5); /* of the search that the analysis stands for */
    memcpy(evals[4].best, "nope", 5);
    game.moves[4].clock_ms = -1;
    buf_init(&out, PGN_MAX);
    assert_true(pgn_write_analysis(&game, evals, "https://lichess.org", &out));
    const char *moves = strstr(buf_view(&out), "1. e4");
    assert_non_null(moves);
    assert_string_equal(moves,
                        "1. e4 { [%eval 0.25,11] [%clk 0:03:00] } 1... c5 $2 { [%eval 1.50,11]\n"
                        "[%clk 0:02:59] Mistake (chess). e5 was best. } 2. Nf3 { [%eval 1.40,11]\n"
                        "[%clk 0:02:58] } 2... d6 { [%eval 1.30,11] [%clk 0:02:57] } 3. Bb5+ $4 {\n"
                        "[%eval #-3,11] Blunder (chess). } 1-0\n\n");
    evals[5].score = SCORE_MATE; /* on the board: no evaluation, and no loss */
    buf_reset(&out);
    assert_true(pgn_write_analysis(&game, evals, "https://lichess.org", &out));
    assert_non_null(strstr(buf_view(&out), "3. Bb5+ 1-0\n"));
    buf_release(&out);
    record_release(&game);
}

TEST(scores_are_for_white)
{
    GameRecord game;
    record_make(&game, "x", "alba", "e2e4 c7c5");
    game.moves[0].has_choice = false;
    game.moves[1].has_choice = true;
    game.moves[1].depth = 20;
    game.moves[1].score = 150;
    expect_part(&game, "[%eval -1.50,20]");
    game.moves[1].score = SCORE_MATE - 5;
    expect_part(&game, "[%eval #-3,20]");
    game.moves[1].score = -(SCORE_MATE - 4);
    expect_part(&game, "[%eval #2,20]");
    record_release(&game);
}

TEST(other_clocks_have_their_own_words)
{
    GameRecord game;
    record_make(&game, "x", "alba", "e2e4");
    game.time = time_control_of_days(2);
    expect_part(&game, "[TimeControl \"1/172800\"]");
    game.time = time_control_of_days(0);
    expect_part(&game, "[TimeControl \"-\"]");
    record_release(&game);
}

TEST(a_position_by_black_begins_with_dots)
{
    static const char fen[] = "4k3/8/8/8/8/8/4P3/4K3 b - - 3 17";
    GameRecord game;
    record_make(&game, "x", "alba", "");
    game.variant = VARIANT_FROM_POSITION;
    memcpy(game.initial_fen, fen, sizeof fen);
    record_read_state(&game, &(GameState){ .moves = text_of("e8d7 e2e4"), .time_ms = { -1, -1 } });
    expect_part(&game, "[FEN \"4k3/8/8/8/8/8/4P3/4K3 b - - 3 17\"]\n");
    expect_part(&game, "[SetUp \"1\"]\n");
    expect_part(&game, "17... Kd7 18. e4 1-0");
    record_release(&game);
}

TEST(a_move_that_is_not_legal_ends_the_moves)
{
    GameRecord game;
    record_make(&game, "x", "alba", "e2e4 e2e4 d7d5");
    expect_part(&game, "the archive's next move is not legal here } 1-0");
    record_release(&game);
}

TEST(moves_of_a_variant_of_tomorrow_stand_in_a_comment)
{
    GameRecord game;
    record_make(&game, "x", "alba", "e2e4 N@f3 };1.");
    game.variant = VARIANT_UNKNOWN;
    expect_part(&game, "[Variant \"Unknown\"]");
    expect_part(&game, "\n\n{ e2e4 N@f3 ??1? } 1-0");
    record_release(&game);
}

TEST(variants_are_written_by_their_rules)
{
    static const struct {
        Variant variant;
        const char *fen, *uci, *part;
    } rows[] = {
        { VARIANT_CRAZYHOUSE, "", "e2e4 d7d5 e4d5 d8d5 P@e6", "[Variant \"Crazyhouse\"]\n" },
        { VARIANT_CRAZYHOUSE, "", "e2e4 d7d5 e4d5 d8d5 P@e6", " P@e6 " },
        { VARIANT_ATOMIC, "", "e2e4 d7d5 e4d5", " exd5 " },
        { VARIANT_KING_OF_THE_HILL, "", "e2e4", "[Variant \"King of the Hill\"]\n" },
        { VARIANT_RACING_KINGS, "8/8/8/8/8/8/krbnNBRK/qrbnNBRQ w - - 0 1", "h2h3",
          "[SetUp \"1\"]\n" },
        { VARIANT_RACING_KINGS, "8/8/8/8/8/8/krbnNBRK/qrbnNBRQ w - - 0 1", "h2h3", "1. Kh3" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        GameRecord game;
        record_make(&game, "x", "alba", rows[i].uci);
        game.variant = rows[i].variant;
        memcpy(game.initial_fen, rows[i].fen, strlen(rows[i].fen) + 1);
        expect_part(&game, rows[i].part);
        record_release(&game);
    }
}

TEST(names_cannot_break_out_of_their_tags)
{
    GameRecord game;
    record_make(&game, "x", "alba", "e2e4");
    memcpy(game.players[WHITE].name, "a\"]\n[b\\", sizeof "a\"]\n[b\\");
    expect_part(&game, "[White \"a\\\"]?[b\\\\\"]\n");
    memcpy(game.players[WHITE].name, "\xc3\x98\xe2\x80\xae\xc2\x9b\xff", 9);
    expect_part(&game, "[White \"\xc3\x98???\"]\n");
    record_release(&game);
}

TEST(a_game_that_is_too_long_is_no_half_game)
{
    GameRecord game;
    Buf out;
    record_make(&game, "x", "alba", "e2e4");
    buf_init(&out, 100);
    assert_false(pgn_write(&game, "https://lichess.org", &out));
    buf_release(&out);
    record_release(&game);
}

/* A seeded game of random legal moves from any initial position. */
static void play_random(GameRecord *out, const char *id, Variant variant, const char *fen,
                        uint64_t seed)
{
    Position pos;
    Buf moves;
    buf_init(&moves, 10000);
    Error err = { 0 };
    if (!fen_read(&pos, fen, FEN_STRICT, NULL, &err))
        fail_msg("%s", err.text);
    pos.rules.chess960 |= variant == VARIANT_CHESS960;
    for (int i = 0; i < 200; i++) {
        MoveList legal;
        Undo undo;
        char uci[UCI_MOVE_SIZE];
        movegen_legal(&pos, &legal);
        if (legal.count == 0)
            break;
        Move move = legal.moves[random_below(&seed, (uint64_t)legal.count)];
        uci_move_write(&pos, move, CASTLING_KING_TAKES_ROOK, uci);
        assert_true(buf_printf(&moves, "%s%s", i > 0 ? " " : "", uci));
        position_make(&pos, move, &undo);
    }
    record_make(out, id, "alba", "");
    out->variant = variant;
    if (strcmp(fen, FEN_START) != 0) {
        assert_true(strlen(fen) < sizeof out->initial_fen);
        memcpy(out->initial_fen, fen, strlen(fen) + 1);
    }
    record_read_state(out, &(GameState){ .moves = text_of(buf_view(&moves)), .time_ms = { 1, 1 } });
    buf_release(&moves);
}

static int count_words(const char *text, const char *word)
{
    int count = 0;
    for (const char *at = strstr(text, word); at; at = strstr(at + 1, word))
        count++;
    return count;
}

static void expect_short_lines(const char *text)
{
    for (const char *end; (end = strchr(text, '\n')); text = end + 1)
        assert_true(end - text <= PGN_COLUMNS || text[0] == '[');
}

/* Has pgn-extract read the file, every move checked, and write all it understood in UCI. */
static void extract(const char *path, Buf *out)
{
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], STDOUT_FILENO);
        dup2(ends[1], STDERR_FILENO);
        execl(PGN_EXTRACT, PGN_EXTRACT, "-Wuci", "-C", path, (char *)NULL);
        _exit(127);
    }
    close(ends[1]);
    char bytes[4096];
    for (ssize_t n; (n = read(ends[0], bytes, sizeof bytes)) > 0;)
        assert_true(buf_put(out, bytes, (size_t)n));
    close(ends[0]);
}

TEST(another_program_reads_every_game)
{
    static const struct {
        Variant variant;
        const char *fen;
    } starts[] = {
        { VARIANT_STANDARD, FEN_START },
        { VARIANT_FROM_POSITION, "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1" },
        { VARIANT_CHESS960, "bqnbrkrn/pppppppp/8/8/8/8/PPPPPPPP/BQNBRKRN w GEge - 0 1" },
        { VARIANT_CHESS960, "nrbkqbrn/pppppppp/8/8/8/8/PPPPPPPP/NRBKQBRN w GBgb - 0 1" },
    };
    enum { GAMES = 40 };
    char path[] = "/tmp/castled-pgn-XXXXXX";
    Buf text, read_back;
    if (PGN_EXTRACT[0] == '\0')
        skip();
    buf_init(&text, GAMES * (size_t)PGN_MAX);
    buf_init(&read_back, GAMES * (size_t)PGN_MAX);
    for (int i = 0; i < GAMES; i++) {
        GameRecord game;
        char id[16];
        size_t start = (size_t)i % (sizeof starts / sizeof *starts);
        assert_true(snprintf(id, sizeof id, "game%d", i) > 0);
        play_random(&game, id, starts[start].variant, starts[start].fen, (uint64_t)i);
        assert_true(pgn_write(&game, "https://lichess.org", &text));
        record_release(&game);
    }
    expect_short_lines(buf_view(&text));
    int fd = mkstemp(path);
    assert_int_equal(write(fd, buf_view(&text), text.len), (ssize_t)text.len);
    close(fd);
    extract(path, &read_back);
    unlink(path);
    char all[40];
    assert_true(snprintf(all, sizeof all, "%d games matched out of %d.", GAMES, GAMES) > 0);
    if (!strstr(buf_view(&read_back), all) || count_words(buf_view(&read_back), "[White ") != GAMES)
        fail_msg("%s", buf_view(&read_back));
    buf_release(&text);
    buf_release(&read_back);
}
