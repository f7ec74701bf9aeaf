/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/admin/board_svg.h"

#include <ctype.h>
#include <string.h>

/* Every second square, as one path: a1 is dark from either side. */
static bool put_squares(Buf *out)
{
    bool ok = buf_put_text(out, "<rect class=\"light\" width=\"8\" height=\"8\"/>"
                                "<path class=\"dark\" d=\"");
    for (int row = 0; ok && row < 8; row++)
        for (int column = 1 - row % 2; ok && column < 8; column += 2)
            ok = buf_printf(out, "M%d %dh1v1h-1z", column, row);
    return ok && buf_put_text(out, "\"/>");
}

/* Where a file and a rank, from 0, lie on the board as it is drawn. */
static int column_of(int file, Colour below)
{
    return below == WHITE ? file : 7 - file;
}

static int row_of(int rank, Colour below)
{
    return below == WHITE ? 7 - rank : rank;
}

static bool put_mark(Buf *out, const char *square, Colour below)
{
    int file = square[0] - 'a', rank = square[1] - '1';
    if (file < 0 || file > 7 || rank < 0 || rank > 7)
        return true; /* a drop has one square */
    return buf_printf(out, "<rect class=\"last\" x=\"%d\" y=\"%d\" width=\"1\" height=\"1\"/>",
                      column_of(file, below), row_of(rank, below));
}

static bool put_marks(Buf *out, Text last, Colour below)
{
    bool ok = buf_put_text(out, "<g class=\"marks\">");
    if (ok && last.len >= 4)
        ok = put_mark(out, last.at, below) && put_mark(out, last.at + 2, below);
    return ok && buf_put_text(out, "</g>");
}

static bool put_names(Buf *out, Colour below)
{
    bool ok = buf_put_text(out, "<g class=\"names\">");
    for (int i = 0; ok && i < 8; i++)
        ok = buf_printf(out, "<text x=\"%d.92\" y=\"7.95\">%c</text>", column_of(i, below),
                        'a' + i) &&
             buf_printf(out, "<text x=\".14\" y=\"%d.22\">%d</text>", row_of(i, below), i + 1);
    return ok && buf_put_text(out, "</g>");
}

static bool put_piece(Buf *out, char letter, bool is_promoted, int column, int row)
{
    return buf_printf(
        out, "<use class=\"%c%s\" href=\"#%c\" x=\"%d\" y=\"%d\" width=\"1\" height=\"1\"/>",
        isupper((unsigned char)letter) ? 'w' : 'b', is_promoted ? " promoted" : "",
        tolower((unsigned char)letter), column, row);
}

static bool put_pieces(Buf *out, Text fen, Colour below)
{
    bool ok = buf_put_text(out, "<g class=\"pieces\">");
    int file = 0, rank = 7;
    for (size_t i = 0; ok && i < fen.len && rank >= 0; i++) {
        char c = fen.at[i];
        if (c == '/') {
            rank--;
            file = 0;
        } else if (c >= '1' && c <= '8') {
            file += c - '0';
        } else if (c != '\0' && strchr("pnbrqkPNBRQK", c) && file < 8) {
            bool is_promoted = i + 1 < fen.len && fen.at[i + 1] == '~';
            ok = put_piece(out, c, is_promoted, column_of(file, below), row_of(rank, below));
            file++;
        } else if (c != '~') {
            break;
        }
    }
    return ok && buf_put_text(out, "</g>");
}

bool board_svg_write(Buf *out, Text fen, Text last, Colour below)
{
    return buf_put_text(out, "<svg class=\"board\" viewBox=\"0 0 8 8\" role=\"img\">") &&
           put_squares(out) && put_marks(out, last, below) && put_names(out, below) &&
           put_pieces(out, fen, below) && buf_put_text(out, "</svg>");
}
