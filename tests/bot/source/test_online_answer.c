/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/source/online_answer.h"
#include "engine/search/engine.h"
#include "tests/support/chess.h"

static Position set_up(const char *fen)
{
    Position position = position_of(fen);
    return position;
}

static void assert_move(const Position *position, Move move, const char *uci)
{
    char text[UCI_MOVE_SIZE];
    uci_move_write(position, move, CASTLING_KING_TO_TARGET, text);
    assert_string_equal(text, uci);
}

TEST(an_explorers_moves_are_read)
{
    static const char body[] =
        "{\"white\":9,\"draws\":2,\"black\":1,\"moves\":["
        "{\"uci\":\"e2e4\",\"san\":\"e4\",\"white\":5,\"draws\":3,\"black\":2,\"game\":null},"
        "{\"uci\":\"e2e5\",\"white\":500},{\"uci\":\"e2e4\",\"white\":9},{\"uci\":7},null,[],"
        "{\"uci\":\"\"},{\"uci\":\"d2d4\",\"white\":-5,\"draws\":1e300,\"black\":\"3\"}],"
        "\"opening\":null}";
    Position position = set_up(FEN_START);
    ExplorerAnswer answer;
    assert_true(explorer_answer_parse(&answer, &position, body, strlen(body), NULL));
    assert_int_equal(answer.count, 2);
    assert_move(&position, answer.moves[0].move, "e2e4");
    assert_int_equal(answer.moves[0].white, 5);
    assert_int_equal(answer.moves[0].draws, 3);
    assert_int_equal(answer.moves[0].black, 2);
    assert_move(&position, answer.moves[1].move, "d2d4");
    assert_int_equal(answer.moves[1].white, 0);
    assert_int_equal(answer.moves[1].draws, (int64_t)1 << 40);
    assert_int_equal(answer.moves[1].black, 0);
}

TEST(castling_comes_as_king_takes_rook)
{
    static const char body[] = "{\"moves\":[{\"uci\":\"e8h8\",\"black\":1}]}";
    Position position = set_up("r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R b KQkq - 0 1");
    ExplorerAnswer answer;
    assert_true(explorer_answer_parse(&answer, &position, body, strlen(body), NULL));
    assert_int_equal(answer.count, 1);
    assert_move(&position, answer.moves[0].move, "e8g8");
}

TEST(a_clouds_scores_are_turned_to_the_side_to_move)
{
    static const struct {
        const char *score;
        int for_white;
        bool is_read;
    } rows[] = {
        { "\"cp\":24", 24, true },
        { "\"cp\":-1e9", -CLOUD_SCORE_MAX, true },
        { "\"mate\":1", SCORE_MATE - 1, true },
        { "\"mate\":3", SCORE_MATE - 5, true },
        { "\"mate\":-2", -(SCORE_MATE - 4), true },
        { "\"mate\":-100000", -(SCORE_MATE - 120), true },
        { "\"mate\":null,\"cp\":7", 7, true },
        { "\"cp\":\"24\"", 0, false },
        { "\"x\":1", 0, false },
    };
    Position white = set_up("4k3/4p3/8/8/8/8/4P3/4K3 w - - 0 1");
    Position black = set_up("4k3/4p3/8/8/8/8/4P3/4K3 b - - 0 1");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char body[300];
        CloudAnswer answer;
        assert_true(snprintf(body, sizeof body,
                             "{\"depth\":40,\"knodes\":13,\"pvs\":[{\"moves\":\"e2e4\",%s},"
                             "{\"moves\":\"e7e5 e2e4\",%s}]}",
                             rows[i].score, rows[i].score) > 0);
        assert_true(cloud_answer_parse(&answer, &white, body, strlen(body), NULL));
        assert_int_equal(answer.depth, 40);
        assert_int_equal(answer.nodes, 13000);
        assert_int_equal(answer.count, rows[i].is_read);
        if (rows[i].is_read && answer.lines[0].score != rows[i].for_white)
            fail_msg("%s: %d", rows[i].score, answer.lines[0].score);
        assert_true(cloud_answer_parse(&answer, &black, body, strlen(body), NULL));
        if (!rows[i].is_read)
            continue;
        int for_black = answer.lines[0].score;
        bool is_mate = for_black >= SCORE_MATE - MAX_PLY || for_black <= MAX_PLY - SCORE_MATE;
        if (!is_mate)
            assert_int_equal(for_black, -rows[i].for_white);
        else /* who mates needs one ply less than the other has */
            assert_int_equal(abs(for_black + rows[i].for_white), 1);
    }
}

TEST(a_clouds_lines_are_read_as_far_as_they_are_legal)
{
    static const char body[] =
        "{\"depth\":999,\"pvs\":[{\"moves\":\"e2e4 e7e5 g1f3\",\"cp\":20},"
        "{\"moves\":\"d2d4 d2d4\",\"cp\":18},{\"moves\":\"a2a5 a7a5\",\"cp\":99},"
        "{\"moves\":\"\",\"cp\":99},{\"moves\":\" \",\"cp\":99},{\"moves\":null,\"cp\":9},"
        "{\"cp\":9},7,{\"moves\":\"c2c4\",\"cp\":10}]}";
    Position position = set_up(FEN_START);
    CloudAnswer answer;
    assert_true(cloud_answer_parse(&answer, &position, body, strlen(body), NULL));
    assert_int_equal(answer.depth, MAX_PLY - 1);
    assert_int_equal(answer.count, 3);
    assert_move(&position, answer.lines[0].move, "e2e4");
    assert_move(&position, answer.lines[0].reply, "e7e5");
    assert_move(&position, answer.lines[1].move, "d2d4");
    assert_int_equal(answer.lines[1].reply, MOVE_NONE);
    assert_move(&position, answer.lines[2].move, "c2c4");
    assert_int_equal(answer.lines[2].reply, MOVE_NONE);
}

TEST(a_tables_categories_are_turned_round)
{
    static const struct {
        const char *word;
        int end; /* -1: left out */
    } rows[] = {
        { "loss", TABLE_WIN },
        { "syzygy-loss", TABLE_MAYBE_WIN },
        { "maybe-loss", TABLE_MAYBE_WIN },
        { "blessed-loss", TABLE_CURSED_WIN },
        { "draw", TABLE_DRAW },
        { "cursed-win", TABLE_BLESSED_LOSS },
        { "maybe-win", TABLE_MAYBE_LOSS },
        { "syzygy-win", TABLE_MAYBE_LOSS },
        { "win", TABLE_LOSS },
        { "unknown", -1 },
        { "Win", -1 },
        { "", -1 },
    };
    Position position = set_up("8/8/8/3k4/8/8/4Q3/K7 w - - 0 1");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char body[300];
        TableAnswer answer;
        assert_true(snprintf(body, sizeof body,
                             "{\"category\":\"win\",\"moves\":[{\"uci\":\"e2e3\",\"dtz\":-17,"
                             "\"category\":\"%s\"}]}",
                             rows[i].word) > 0);
        assert_true(table_answer_parse(&answer, &position, body, strlen(body), NULL));
        assert_false(answer.is_whole);
        assert_int_equal(answer.count, rows[i].end >= 0);
        if (rows[i].end < 0)
            continue;
        assert_int_equal(answer.moves[0].end, rows[i].end);
        assert_int_equal(answer.moves[0].dtz, 17);
    }
}

TEST(an_answer_of_all_legal_moves_is_whole)
{
    static const char body[] = "{\"moves\":[{\"uci\":\"h8g8\",\"dtz\":null,\"category\":\"win\"},"
                               "{\"uci\":\"h8g8\",\"category\":\"draw\"},"
                               "{\"uci\":\"h8g7\",\"category\":\"win\",\"dtz\":99999}]}";
    TableAnswer answer;
    Position position = set_up("7k/7p/7P/8/8/8/8/K5R1 b - - 0 1"); /* no move at all */
    assert_true(table_answer_parse(&answer, &position, body, strlen(body), NULL));
    assert_int_equal(answer.count, 0);
    assert_true(answer.is_whole);
    position = set_up("7k/7p/7P/8/8/8/8/K7 b - - 0 1");
    assert_true(table_answer_parse(&answer, &position, body, strlen(body), NULL));
    assert_int_equal(answer.count, 1);
    assert_int_equal(answer.moves[0].dtz, 0);
    assert_true(answer.is_whole);
}

TEST(chessdbs_moves_are_read)
{
    static const char body[] =
        "{\"status\":\"ok\",\"moves\":[{\"uci\":\"e2e4\",\"score\":12,\"rank\":2,\"winrate\":\"5\"}"
        ","
        "{\"uci\":\"d2d4\",\"score\":\"??\",\"rank\":0},{\"uci\":\"c2c4\",\"score\":-40000,"
        "\"rank\":77},{\"uci\":\"0000\",\"score\":1,\"rank\":2}],\"ply\":3}";
    Position position = set_up(FEN_START);
    ChessdbAnswer answer;
    assert_true(chessdb_answer_parse(&answer, &position, body, strlen(body), NULL));
    assert_false(answer.is_limited);
    assert_int_equal(answer.count, 2);
    assert_int_equal(answer.moves[0].score, 12);
    assert_int_equal(answer.moves[0].rank, 2);
    assert_int_equal(answer.moves[1].score, -30000);
    assert_int_equal(answer.moves[1].rank, 2);
    static const char limited[] = "{\"status\":\"rate limit exceeded\"}";
    assert_true(chessdb_answer_parse(&answer, &position, limited, strlen(limited), NULL));
    assert_true(answer.is_limited);
    assert_int_equal(answer.count, 0);
    static const char unknown[] = "{\"status\":\"unknown\",\"moves\":[{\"uci\":\"e2e4\","
                                  "\"score\":1,\"rank\":2}]}";
    assert_true(chessdb_answer_parse(&answer, &position, unknown, strlen(unknown), NULL));
    assert_int_equal(answer.count, 0);
}

TEST(chessdbs_distances_say_how_an_endgame_ends)
{
    static const struct {
        int score;
        int end; /* -1: left out */
        int dtz;
    } rows[] = {
        { 0, TABLE_DRAW, 0 },
        { 29990, TABLE_WIN, 10 },
        { 24980, TABLE_WIN, 20 },
        { -24999, TABLE_LOSS, 1 },
        { 19900, TABLE_CURSED_WIN, 100 },
        { -19900, TABLE_BLESSED_LOSS, 100 },
        { 350, -1, 0 },
        { -10000, -1, 0 },
        { 27000, -1, 0 },
        { 23000, -1, 0 },
    };
    Position position = set_up("8/8/8/3k4/8/8/4Q3/K7 w - - 0 1");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        ChessdbAnswer scores = { .count = 1, .moves = { { 1, rows[i].score, 2 } } };
        TableAnswer answer;
        table_answer_of_chessdb(&answer, &position, &scores);
        assert_false(answer.is_whole);
        if (answer.count != (rows[i].end >= 0))
            fail_msg("%d: %d", rows[i].score, answer.count);
        if (answer.count == 0)
            continue;
        if ((int)answer.moves[0].end != rows[i].end || answer.moves[0].dtz != rows[i].dtz)
            fail_msg("%d: %d, %d", rows[i].score, (int)answer.moves[0].end, answer.moves[0].dtz);
    }
}

TEST(what_is_no_answer_is_refused)
{
    static const char *const bodies[] = {
        "",
        "null",
        "7",
        "[]",
        "\"moves\"",
        "{",
        "{}",
        "<html>401</html>",
        "{\"moves\":{}}",
        "{\"pvs\":7}",
        "{\"status\":3}",
        "{\"moves\":[]",
        "{\"error\":\"Not found\"}",
        "\xff\xfe",
        "{\"moves\":[],\"pvs\":[],\"status\":\"ok\"} x",
    };
    Position position = set_up(FEN_START);
    for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++) {
        const char *body = bodies[i];
        size_t len = strlen(body);
        static ExplorerAnswer explorer;
        static TableAnswer table;
        static ChessdbAnswer chessdb;
        CloudAnswer cloud;
        Error errors[4] = { 0 };
        if (explorer_answer_parse(&explorer, &position, body, len, &errors[0]) ||
            cloud_answer_parse(&cloud, &position, body, len, &errors[1]) ||
            table_answer_parse(&table, &position, body, len, &errors[2]) ||
            chessdb_answer_parse(&chessdb, &position, body, len, &errors[3]))
            fail_msg("%s was read", body);
        for (int j = 0; j < 4; j++)
            assert_int_not_equal(errors[j].code, ERR_NONE);
    }
}

TEST(a_flood_of_moves_is_read_to_its_first_few_hundred)
{
    enum { ENTRIES = 19000, SIZE = ENTRIES * 40 };
    char *body = malloc(SIZE);
    Position position = set_up(FEN_START);
    static ExplorerAnswer answer;
    assert_non_null(body);
    size_t len = (size_t)snprintf(body, SIZE, "{\"moves\":[{\"uci\":\"e2e4\",\"white\":1}");
    for (int i = 0; i < ENTRIES; i++)
        len += (size_t)snprintf(body + len, SIZE - len, ",{\"uci\":\"%s\",\"white\":1}",
                                i < ENTRIES / 2 ? "e7e5" : "d2d4");
    len += (size_t)snprintf(body + len, SIZE - len, "]}");
    assert_true(explorer_answer_parse(&answer, &position, body, len, NULL));
    assert_int_equal(answer.count, 1);
    free(body);
}
