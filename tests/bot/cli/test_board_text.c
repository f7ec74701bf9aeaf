/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/cli/board_text.h"
#include "bot/ops/jsonread.h"
#include "tests/support/unit.h"

static struct json_object *read_game(const char *json)
{
    struct json_object *game = jsonread_parse(json, strlen(json), NULL);
    assert_non_null(game);
    return game;
}

static void expect_row(const char *json, int row, BoardTurn turn, const char *expected)
{
    struct json_object *game = read_game(json);
    Buf out;
    buf_init(&out, 10000);
    assert_true(board_text_write(&out, game, row, BOARD_LETTERS, turn));
    if (strcmp(buf_view(&out), expected) != 0)
        fail_msg("%s, row %d:\n\"%s\" and not\n\"%s\"", json, row, buf_view(&out), expected);
    buf_release(&out);
    json_object_put(game);
}

#define GAME                                                                                       \
    "{\"id\":\"abcdefgh\",\"phase\":\"playing\",\"us\":\"white\",\"speed\":\"blitz\","             \
    "\"white\":{\"name\":\"Castled\",\"title\":\"BOT\",\"rating\":2000},"                          \
    "\"black\":{\"name\":\"A\xc3\xa4"                                                              \
    "bcdefghijklmnopqrstuvwxyz\"},\"turn\":\"black\","                                             \
    "\"is_ticking\":true,\"clock_ms\":{\"white\":61000,\"black\":9700},\"last\":\"e2e4\","         \
    "\"fen\":\"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1\","                      \
    "\"eval\":{\"cp\":-31,\"depth\":9,\"pv\":[\"e5\",\"Nf3\"]}}"

TEST(what_acts_on_a_terminal_is_escaped)
{
    expect_row("{\"id\":\"\\u001b[2J\",\"speed\":\"\\u202eab\",\"phase\":\"x\"}", 13,
               BOARD_AS_PLAYED, "  \\u001b[2J \\u202eab x      ");
    expect_row("{\"black\":{\"name\":\"\\u009b31m\"}}", 0, BOARD_AS_PLAYED,
               "  \\u009b31m                 ");
}

TEST(the_latest_moves_stand_beside_the_board)
{
    static const struct {
        const char *json;
        int line, count;
        const char *expected;
    } rows[] = {
        { "{\"plies\":3,\"from\":0,\"moves\":[{\"san\":\"e4\"},{\"san\":\"e5\"},{\"san\":\"Nf3\"}]"
          "}",
          0, 14, "  1.  e4      e5      " },
        { "{\"plies\":3,\"from\":0,\"moves\":[{\"san\":\"e4\"},{\"san\":\"e5\"},{\"san\":\"Nf3\"}]"
          "}",
          1, 14, "  2.  Nf3             " },
        { "{\"plies\":3,\"from\":0,\"moves\":[{\"san\":\"e4\"},{\"san\":\"e5\"},{\"san\":\"Nf3\"}]"
          "}",
          2, 14, "                      " },
        { "{\"plies\":42,\"from\":40,\"moves\":[{\"san\":\"Qxd8+\"},{\"san\":\"Kxd8\"}]}", 0, 1,
          " 21.  Qxd8+   Kxd8    " },
        { "{\"plies\":42,\"from\":40,\"moves\":[{\"san\":\"Qxd8+\"},{\"san\":\"Kxd8\"}]}", 0, 2,
          " 20.                  " },
        { "{\"plies\":2,\"from\":0,\"initial_fen\":\"8/8 b - "
          "-\",\"moves\":[{\"san\":\"e5\"},{\"san\":\"Nf3\"}]}",
          0, 9, "  1.  …       e5      " },
        { "{\"plies\":2,\"from\":0,\"initial_fen\":\"8/8 b - "
          "-\",\"moves\":[{\"san\":\"e5\"},{\"san\":\"Nf3\"}]}",
          1, 9, "  2.  Nf3             " },
        { "{}", 0, 14, "                      " },
        { "{\"plies\":1,\"from\":0,\"moves\":[{\"san\":\"\\u001b[2J\"}]}", 0, 14,
          "  1.  \\u001b[2        " },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct json_object *game = read_game(rows[i].json);
        Buf out;
        buf_init(&out, 1000);
        assert_true(board_text_moves_write(&out, game, rows[i].line, rows[i].count));
        assert_string_equal(buf_view(&out), rows[i].expected);
        buf_release(&out);
        json_object_put(game);
    }
}

TEST(a_low_terminal_keeps_the_board_and_its_players)
{
    static const struct {
        int room, count;
        const char *left_out;
    } rows[] = {
        { 30, 14, "" },          { 14, 14, "" },        { 13, 13, "12" },
        { 12, 12, "9 12" },      { 11, 11, "9 12 13" }, { 10, 10, "9 11 12 13" },
        { 3, 10, "9 11 12 13" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        int shown[BOARD_TEXT_ROWS], at = 0;
        char left_out[80] = "";
        size_t len = 0;
        assert_int_equal(board_text_rows(rows[i].room, shown), rows[i].count);
        for (int row = 0; row < BOARD_TEXT_ROWS; row++)
            if (at < rows[i].count && shown[at] == row)
                at++;
            else
                len += (size_t)snprintf(left_out + len, sizeof left_out - len, "%s%d",
                                        len > 0 ? " " : "", row);
        assert_string_equal(left_out, rows[i].left_out);
    }
}

TEST(each_row_shows_its_part)
{
    static const struct {
        int row;
        BoardTurn turn;
        const char *expected;
    } rows[] = {
        { 0, BOARD_AS_PLAYED,
          "> A\xc3\xa4"
          "bcdefghijklmnopqrs0:09.7" },
        { 1, BOARD_AS_PLAYED, "8  r  n  b  q  k  b  n  r   " },
        { 5, BOARD_AS_PLAYED, "4  .  .  .  . (P) .  .  .   " },
        { 7, BOARD_AS_PLAYED, "2  P  P  P  P (.) P  P  P   " },
        { 9, BOARD_AS_PLAYED, "   a  b  c  d  e  f  g  h   " },
        { 10, BOARD_AS_PLAYED, "  BOT Castled 2000      1:01" },
        { 11, BOARD_AS_PLAYED, "  White -0.31  depth 9      " },
        { 12, BOARD_AS_PLAYED, "  e5 Nf3                    " },
        { 13, BOARD_AS_PLAYED, "  abcdefgh blitz playing    " },
        { 0, BOARD_FLIPPED, "  BOT Castled 2000      1:01" },
        { 1, BOARD_FLIPPED, "1  R  N  B  K  Q  B  N  R   " },
        { 2, BOARD_FLIPPED, "2  P  P  P (.) P  P  P  P   " },
        { 9, BOARD_FLIPPED, "   h  g  f  e  d  c  b  a   " },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        expect_row(GAME, rows[i].row, rows[i].turn, rows[i].expected);
}

TEST(what_is_missing_or_wrong_leaves_a_row_of_the_same_width)
{
    static const char *const games[] = {
        "{}",
        "{\"fen\":\"\",\"last\":\"e\"}",
        "{\"fen\":\"99999999999/x/\",\"last\":\"Q@d5\",\"eval\":{\"pv\":[1,null,{}],\"depth\":1}}",
        "{\"fen\":7,\"white\":[],\"clock_ms\":{\"white\":-5},\"us\":{}}",
        "{\"fen\":\"kkkkkkkkkkkkkkkkkkkkkkk\",\"white\":{\"name\":\"\\ud83d\\ude00\"}}",
    };
    for (size_t i = 0; i < sizeof games / sizeof *games; i++) {
        struct json_object *game = read_game(games[i]);
        for (int row = 0; row < BOARD_TEXT_ROWS; row++) {
            Buf out;
            int columns = 0;
            buf_init(&out, 10000);
            assert_true(board_text_write(&out, game, row, BOARD_LETTERS, BOARD_AS_PLAYED));
            for (const char *at = buf_view(&out); *at; at++)
                columns += ((unsigned char)*at & 0xC0) != 0x80;
            if (columns != BOARD_TEXT_COLUMNS)
                fail_msg("%s, row %d: \"%s\"", games[i], row, buf_view(&out));
            buf_release(&out);
        }
        json_object_put(game);
    }
}

TEST(clocks_are_read_as_people_do)
{
    static const struct {
        int64_t ms;
        const char *text;
    } rows[] = { { -1, "" },        { 0, "0:00.0" },      { 9999, "0:09.9" },
                 { 10000, "0:10" }, { 3599999, "59:59" }, { 3600000, "1:00:00" } };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[CLOCK_TEXT_SIZE];
        assert_string_equal(clock_text(text, rows[i].ms), rows[i].text);
    }
}
