/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/core/uci_move.h"

#include "engine/core/fen.h"

#include <string.h>

static char *put_square(char *out, Square square)
{
    *out++ = (char)('a' + square_file(square));
    *out++ = (char)('1' + square_rank(square));
    return out;
}

void uci_move_write(const Position *pos, Move m, CastlingNotation notation, char out[UCI_MOVE_SIZE])
{
    if (m == MOVE_NONE) {
        memcpy(out, "0000", 5);
        return;
    }
    Square to = move_to(m);
    if (move_is_drop(m)) {
        out[0] = piece_letter(piece_make(WHITE, move_dropped(m)));
        out[1] = '@';
        *put_square(out + 2, to) = '\0';
        return;
    }
    if (move_is_castling(m) && notation == CASTLING_KING_TAKES_ROOK)
        to = castling_rook_from(pos, m);
    char *end = put_square(put_square(out, move_from(m)), to);
    if (move_is_promotion(m))
        *end++ = "nbrq"[move_flag(m) & 3];
    else if (move_is_king_promotion(m))
        *end++ = 'k';
    *end = '\0';
}

/* The square that the text of any move but a drop begins with, or SQUARE_NONE. */
static Square origin(const char *text, size_t len)
{
    if (len < 2 || text[0] < 'a' || text[0] > 'h' || text[1] < '1' || text[1] > '8')
        return SQUARE_NONE;
    return square_make(text[0] - 'a', text[1] - '1');
}

static bool match(const Position *pos, const MoveList *list, const char *text, size_t len,
                  CastlingNotation notation, Move *out)
{
    Square from = origin(text, len);
    for (int i = 0; i < list->count; i++) {
        if (!move_is_drop(list->moves[i]) && move_from(list->moves[i]) != from)
            continue; /* most moves: writing them all costs more than generating them */
        char legal[UCI_MOVE_SIZE];
        uci_move_write(pos, list->moves[i], notation, legal);
        if (strlen(legal) == len && memcmp(legal, text, len) == 0) {
            *out = list->moves[i];
            return true;
        }
    }
    return false;
}

/* The part of foreign text that goes into a message: short, and without control characters. */
static void quote(char *out, size_t size, const char *text, size_t len)
{
    size_t n = 0;
    for (; n < len && n + 1 < size; n++)
        out[n] = (char)(text[n] > ' ' && text[n] < 127 ? text[n] : '?');
    out[n] = '\0';
}

bool uci_move_match(const Position *pos, const char *text, size_t len, Move *out, Error *err)
{
    /* The notation of the game first: in Chess960 "f1g1" is the king's step before it is castling.
     */
    CastlingNotation own = pos->rules.chess960 ? CASTLING_KING_TAKES_ROOK : CASTLING_KING_TO_TARGET;
    CastlingNotation other =
        pos->rules.chess960 ? CASTLING_KING_TO_TARGET : CASTLING_KING_TAKES_ROOK;
    MoveList list;
    movegen_legal(pos, &list);
    if (match(pos, &list, text, len, own, out) || match(pos, &list, text, len, other, out))
        return true;
    char fen[FEN_SIZE], quoted[16];
    fen_write(pos, fen);
    quote(quoted, sizeof quoted, text, len);
    error_set(err, ERR_INVALID, "move \"%s\" is not legal in %s", quoted, fen);
    return false;
}
