/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/cli/board_text.h"

#include "bot/admin/beside_board.h"
#include "bot/model/score_text.h"
#include "bot/ops/jsonread.h"
#include "bot/ops/printable.h"
#include "engine/base/text_format.h"
#include "engine/core/piece.h"
#include "engine/search/engine.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

enum { LINE_MAX_BYTES = 400, BOARD_TOP = 1, BELOW_BOARD = 9 };
enum { ROW_FILES, ROW_PLAYER, ROW_SCORE, ROW_PV, ROW_KIND }; /* below the board */

static int64_t number(const struct json_object *from, const char *key)
{
    return jsonread_int(from, key, INT64_MIN, INT64_MAX, -1);
}

const char *clock_text(char out[CLOCK_TEXT_SIZE], int64_t ms)
{
    int64_t s = ms / 1000;
    if (ms < 0)
        text_format(out, CLOCK_TEXT_SIZE, "%s", "");
    else if (s >= 3600)
        text_format(out, CLOCK_TEXT_SIZE, "%" PRId64 ":%02d:%02d", s / 3600, (int)(s / 60 % 60),
                    (int)(s % 60));
    else if (s >= 10)
        text_format(out, CLOCK_TEXT_SIZE, "%d:%02d", (int)(s / 60), (int)(s % 60));
    else
        text_format(out, CLOCK_TEXT_SIZE, "0:%02d.%d", (int)s, (int)(ms / 100 % 10));
    return out;
}

int eval_score(const struct json_object *eval)
{
    int64_t mate = jsonread_int(eval, "mate", -MAX_PLY, MAX_PLY, 0);
    return mate != 0 ? score_of_mate(mate)
                     : (int)jsonread_int(eval, "cp", -SCORE_TABLEBASE, SCORE_TABLEBASE, SCORE_NONE);
}

/* Made printable, and cut or filled to `width` columns, one for each character. */
static bool put_cell(Buf *out, Text text, int width)
{
    bool ok = true;
    int columns = 0;
    while (ok && text.len > 0) {
        PrintableChar c = printable_next(&text);
        int taken = c.is_escaped ? (int)c.len : 1;
        if (columns + taken > width)
            break;
        ok = buf_put(out, c.text, c.len);
        columns += taken;
    }
    return ok && buf_printf(out, "%*s", width - columns, "");
}

/* As many columns as characters. */
static int columns_of(const char *text)
{
    int columns = 0;
    for (; *text; text++)
        columns += ((unsigned char)*text & 0xC0) != 0x80;
    return columns;
}

/* ---- the board ---- */

/* What stands on a square; '\0': nothing. `file` and `rank` from 0. */
static char piece_at(Text fen, int file, int rank)
{
    int at_file = 0, at_rank = 7;
    for (size_t i = 0; i < fen.len && fen.at[i] != ' ' && fen.at[i] != '[' && at_rank >= rank;
         i++) {
        char c = fen.at[i];
        if (c == '/') {
            at_rank--;
            at_file = 0;
        } else if (c >= '1' && c <= '8') {
            at_file += c - '0';
        } else if (c != '~') {
            if (at_rank == rank && at_file == file)
                return c != '\0' && strchr("pnbrqkPNBRQK", c) ? c : '\0';
            at_file++;
        }
    }
    return '\0';
}

static bool is_square(const char *at, int file, int rank)
{
    return at[0] == 'a' + file && at[1] == '1' + rank;
}

static bool put_square(Buf *out, const struct json_object *game, int file, int rank,
                       BoardStyle style)
{
    static const char kinds[] = "kqrbnp";
    static const char *const glyphs[] = { "♚", "♛", "♜", "♝", "♞", "♟" };
    char piece = piece_at(jsonread_text(game, "fen"), file, rank);
    Text last = jsonread_text(game, "last");
    bool is_lit =
        last.len >= 4 && (is_square(last.at, file, rank) || is_square(last.at + 2, file, rank));
    bool is_light = (file + rank) % 2 == 1;
    if (style == BOARD_LETTERS)
        return buf_printf(out, "%c%c%c", is_lit ? '(' : ' ', piece ? piece : '.',
                          is_lit ? ')' : ' ');
    int ground = is_lit ? (is_light ? 187 : 143) : is_light ? 180 : 137;
    const char *kind = piece ? strchr(kinds, tolower((unsigned char)piece)) : NULL;
    return buf_printf(out, "\x1b[48;5;%d;%sm %s \x1b[0m", ground,
                      isupper((unsigned char)piece) ? "1;38;5;231" : "38;5;16",
                      kind ? glyphs[kind - kinds] : " ");
}

static bool put_rank(Buf *out, const struct json_object *game, int row, BoardStyle style,
                     Colour below)
{
    int rank = below == WHITE ? 7 - row : row;
    bool ok = buf_printf(out, "%d ", rank + 1);
    for (int column = 0; ok && column < 8; column++)
        ok = put_square(out, game, below == WHITE ? column : 7 - column, rank, style);
    return ok && buf_put_text(out, "  ");
}

/* ---- the words around it ---- */

static bool put_player(Buf *out, const struct json_object *game, Colour side)
{
    const char *name = side == WHITE ? "white" : "black";
    const struct json_object *player = jsonread_object(game, name);
    char clock[CLOCK_TEXT_SIZE], line[LINE_MAX_BYTES], rating[CLOCK_TEXT_SIZE] = "";
    bool runs =
        jsonread_bool(game, "is_ticking", false) && text_is(jsonread_text(game, "turn"), name);
    Text title = jsonread_text(player, "title");
    if (number(player, "rating") > 0)
        text_format(rating, sizeof rating, " %d", (int)number(player, "rating"));
    clock_text(clock, number(jsonread_object(game, "clock_ms"), name));
    Buf beside;
    buf_init(&beside, LINE_MAX_BYTES);
    bool ok = beside_board_write(&beside, jsonread_text(game, "fen"), side);
    int len = snprintf(line, sizeof line, "%s %.*s%s%.*s%s", runs ? ">" : " ", TEXT_ARGS(title),
                       title.len > 0 ? " " : "", TEXT_ARGS(jsonread_text(player, "name")), rating);
    int width = BOARD_TEXT_COLUMNS - (int)strlen(clock) - columns_of(buf_view(&beside));
    ok = ok && len >= 0 && width >= 0 && put_cell(out, text_of(line), width) &&
         buf_put_text(out, buf_view(&beside)) && buf_put_text(out, clock);
    buf_release(&beside);
    return ok;
}

static bool put_files(Buf *out, Colour below)
{
    static const char *const files[COLOUR_COUNT] = { "   a  b  c  d  e  f  g  h",
                                                     "   h  g  f  e  d  c  b  a" };
    return put_cell(out, text_of(files[below]), BOARD_TEXT_COLUMNS);
}

static bool put_score(Buf *out, const struct json_object *game)
{
    const struct json_object *eval = jsonread_object(game, "eval");
    char score[SCORE_TEXT_SIZE], line[LINE_MAX_BYTES] = "";
    int64_t depth = number(eval, "depth");
    if (depth > 0)
        text_format(line, sizeof line, "  White %s  depth %d", score_text(eval_score(eval), score),
                    (int)depth);
    return put_cell(out, text_of(line), BOARD_TEXT_COLUMNS);
}

static bool put_pv(Buf *out, const struct json_object *game)
{
    const struct json_object *list = jsonread_array(jsonread_object(game, "eval"), "pv");
    Buf line;
    buf_init(&line, LINE_MAX_BYTES);
    bool ok = buf_put_char(&line, ' ');
    for (size_t i = 0; ok && list && i < json_object_array_length(list); i++)
        ok = buf_printf(&line, " %s", json_object_get_string(json_object_array_get_idx(list, i)));
    ok = ok && put_cell(out, text_of(buf_view(&line)), BOARD_TEXT_COLUMNS);
    buf_release(&line);
    return ok;
}

static bool put_kind(Buf *out, const struct json_object *game)
{
    bool is_over = text_is(jsonread_text(game, "phase"), "over");
    char line[LINE_MAX_BYTES];
    text_format_cut(line, sizeof line, "  %.*s %.*s %.*s", TEXT_ARGS(jsonread_text(game, "id")),
                    TEXT_ARGS(jsonread_text(game, is_over ? "result" : "speed")),
                    TEXT_ARGS(jsonread_text(game, is_over ? "status" : "phase")));
    return put_cell(out, text_of(line), BOARD_TEXT_COLUMNS);
}

bool board_text_write(Buf *out, const struct json_object *game, int row, BoardStyle style,
                      BoardTurn turn)
{
    /* In a race both sides run upwards, as on Lichess. */
    bool is_black = text_is(jsonread_text(game, "us"), "black") &&
                    !text_is(jsonread_text(game, "variant"), "racingKings");
    Colour below = is_black == (turn == BOARD_AS_PLAYED) ? BLACK : WHITE;
    if (row == 0)
        return put_player(out, game, colour_other(below));
    if (row < BELOW_BOARD)
        return put_rank(out, game, row - BOARD_TOP, style, below);
    switch (row - BELOW_BOARD) {
    case ROW_FILES:
        return put_files(out, below);
    case ROW_PLAYER:
        return put_player(out, game, below);
    case ROW_SCORE:
        return put_score(out, game);
    case ROW_PV:
        return put_pv(out, game);
    default:
        return put_kind(out, game);
    }
}

/* The name of the move of this ply, from 0 on; empty where it is not there. */
static Text move_name(const struct json_object *game, int64_t ply)
{
    const struct json_object *moves = jsonread_array(game, "moves");
    int64_t at = ply - number(game, "from");
    if (!moves || at < 0 || at >= (int64_t)json_object_array_length(moves))
        return (Text){ NULL, 0 };
    return jsonread_text(json_object_array_get_idx(moves, (size_t)at), "san");
}

bool board_text_moves_write(Buf *out, const struct json_object *game, int line, int count)
{
    enum { NUMBER_COLUMNS = 6, SAN_COLUMNS = (BOARD_TEXT_MOVES_COLUMNS - NUMBER_COLUMNS) / 2 };
    Text fen = jsonread_text(game, "initial_fen");
    int64_t begins_black = fen.len > 0 && memmem(fen.at, fen.len, " b ", 3);
    int64_t last = (number(game, "plies") + begins_black + 1) / 2;
    int64_t move = line + (last > count ? last - count : 0), white = 2 * move - begins_black;
    char shown[LINE_MAX_BYTES] = "";
    if (move < last)
        text_format(shown, sizeof shown, "%3" PRId64 ".", move + 1);
    Text name = move == 0 && begins_black ? text_of("…") : move_name(game, white);
    return put_cell(out, text_of(shown), NUMBER_COLUMNS) && put_cell(out, name, SAN_COLUMNS) &&
           put_cell(out, move_name(game, white + 1), SAN_COLUMNS);
}

int board_text_rows(int room, int rows[BOARD_TEXT_ROWS])
{
    /* What goes first where there is no room. */
    static const int spare[] = { ROW_PV, ROW_FILES, ROW_KIND, ROW_SCORE };
    int count = 0;
    for (int row = 0; row < BOARD_TEXT_ROWS; row++) {
        bool is_shown = true;
        for (int i = 0; i < BOARD_TEXT_ROWS - room && i < BOARD_TEXT_ROWS - BOARD_TEXT_ROWS_LEAST;
             i++)
            is_shown = is_shown && row != BELOW_BOARD + spare[i];
        if (is_shown)
            rows[count++] = row;
    }
    return count;
}
