/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/train/import_games.h"

#include "engine/core/fen.h"
#include "engine/core/uci_move.h"
#include "tests/support/unit.h"

TEST(a_line_becomes_a_game)
{
    static const struct {
        const char *move;
        int score; /* for White */
    } expected[] = {
        { "e2e4", ARCHIVE_RANDOM_MOVE }, { "e7e5", -31 }, { "g1f3", -6 },
        { "g8f6", ARCHIVE_NO_SCORE },    { "f1c4", 12 },  { "f8c5", ARCHIVE_NO_SCORE },
        { "e1g1", ARCHIVE_NO_SCORE },
    };
    ArchivedGame game;
    Position pos;
    Error err = { 0 };
    if (!import_game_read(&game,
                          text_of("chess\tstartpos\t1/2-1/2\t1\te2e4 e7e5:31 g1f3:-6u g8f6:? "
                                  "f1c4:12l f8c5:m-3 e1g1:m5"),
                          &err))
        fail_msg("%s", err.text);
    assert_int_equal(game.start.result, PACKED_DRAWN);
    assert_int_equal(game.ply_count, 7);
    assert_true(packed_position_read(&pos, &game.start, &err));
    for (int i = 0; i < game.ply_count; i++) {
        char move[UCI_MOVE_SIZE];
        Undo undo;
        uci_move_write(&pos, game.plies[i].move, CASTLING_KING_TO_TARGET, move);
        assert_string_equal(move, expected[i].move);
        assert_int_equal(game.plies[i].score, expected[i].score);
        position_make(&pos, game.plies[i].move, &undo);
    }
}

TEST(chess960_castles_onto_the_rook)
{
    ArchivedGame game;
    Error err = { 0 };
    assert_true(import_game_read(
        &game, text_of("chess960\t4k3/8/8/8/8/8/8/1R3KR1 w GB - 0 1\t1-0\t0\tf1g1:50 e8e7:-50"),
        &err));
    assert_true(move_is_castling(game.plies[0].move));
    assert_int_equal(game.plies[1].score, 50);
}

TEST(lines_that_are_no_game_are_refused)
{
    static const struct {
        const char *line, *text;
    } rows[] = {
        { "", "neither chess" },
        { "shogi\tstartpos\t1-0\t0\te2e4", "neither chess" },
        { "chess\tnowhere\t1-0\t0\te2e4", "FEN" },
        { "chess\t", "FEN" },
        { "chess\tstartpos\t2-0\t0\te2e4", "result" },
        { "chess\tstartpos\t1-0\t0\te2e5", "ply 1" },
        { "chess\tstartpos\t1-0\t0\te2e4  e7e5", "ply 2" },
        { "chess\tstartpos\t1-0\t0\te2e4:", "ply 1" },
        { "chess\tstartpos\t1-0\t0\te2e4:u", "ply 1" },
        { "chess\tstartpos\t1-0\t0\te2e4:1x", "ply 1" },
        { "chess\tstartpos\t1-0\t0\te2e4:99999999999", "ply 1" },
        { "chess\trnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 and more and more and "
          "more and more and more and more and more and more and more and more and more and more "
          "and "
          "more and more and more and more and more and more and more and more and more and more "
          "and "
          "more and more and more and more and more and more\t1-0\t0\te2e4",
          "longer than a FEN" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        ArchivedGame game;
        Error err = { 0 };
        if (import_game_read(&game, text_of(rows[i].line), &err))
            fail_msg("'%s' was read", rows[i].line);
        if (!strstr(err.text, rows[i].text))
            fail_msg("'%s': %s", rows[i].line, err.text);
    }
}

TEST(a_game_longer_than_the_archive_takes_is_refused)
{
    static char line[5 * 4 * 300 + 64];
    ArchivedGame game;
    Error err = { 0 };
    size_t len = (size_t)snprintf(line, sizeof line, "chess\tstartpos\t1-0\t0\tg1f3");
    for (int i = 1; i <= ARCHIVE_PLIES_MAX; i++) {
        static const char *const moves[] = { "g1f3", "g8f6", "f3g1", "f6g8" };
        len += (size_t)snprintf(line + len, sizeof line - len, " %s", moves[i % 4]);
    }
    assert_false(import_game_read(&game, (Text){ line, len }, &err));
    assert_non_null(strstr(err.text, "more than"));
}

TEST(a_second_run_leaves_out_the_games_of_the_first)
{
    static char text[] = "chess\tstartpos\t1-0\t0\te2e4:1\n"
                         "chess\tstartpos\t0-1\t0\td2d4:2\n"
                         "chess\tstartpos\t1-0\t0\te2e5:2\n";
    ShardHeader header = { .kind = "import", .labeller = "Stockfish 15.1" }, next;
    GameMaker maker;
    ArchivedGame game;
    Error err = { 0 };
    FILE *in = fmemopen(text, strlen(text), "r");
    assert_non_null(in);
    assert_true(import_games_new(&maker, in, &header, &err));
    assert_int_equal(maker.next_shard(maker.user, 0, &next, &err), MAKER_MADE);
    assert_int_equal(maker.make(maker.user, (GameIndex){ .number = 1, .total = 1 }, &game, &err),
                     MAKER_MADE);
    assert_int_equal(game.plies[0].score, 2);
    assert_int_equal(maker.make(maker.user, (GameIndex){ .number = 2, .total = 2 }, &game, &err),
                     MAKER_FAILED);
    assert_non_null(strstr(err.text, "line 3"));
    assert_int_equal(maker.make(maker.user, (GameIndex){ .number = 3, .total = 3 }, &game, &err),
                     MAKER_ENDED);
    assert_int_equal(maker.next_shard(maker.user, 1, &next, &err), MAKER_ENDED);
    maker.free(maker.user);
    fclose(in);
}
