/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/source/uci_position.h"

#include "bot/source/uci_text.h"
#include "bot/model/variant_start.h"

bool uci_position_is_960(const MoveRequest *request)
{
    return request->position->rules.chess960;
}

static bool has_fen(const MoveRequest *request)
{
    return request->fen && request->fen[0] != '\0' &&
           strcmp(request->fen, variant_start_fen(request->variant)) != 0;
}

static bool write_moves(const MoveRequest *request, Buf *out)
{
    Position pos;
    Text rest = request->moves;
    CastlingNotation notation =
        uci_position_is_960(request) ? CASTLING_KING_TAKES_ROOK : CASTLING_KING_TO_TARGET;
    if (!variant_start_read(&pos, request->variant, request->fen, FEN_LENIENT, NULL, NULL))
        return false;
    pos.rules.chess960 = uci_position_is_960(request);
    for (Text word = uci_text_next(&rest); word.len > 0; word = uci_text_next(&rest)) {
        Move move;
        Undo undo;
        char text[UCI_MOVE_SIZE];
        if (!uci_move_match(&pos, word.at, word.len, &move, NULL))
            return false;
        uci_move_write(&pos, move, notation, text);
        position_make(&pos, move, &undo);
        if (!buf_printf(out, " %s", text))
            return false;
    }
    return true;
}

bool uci_position_write(const MoveRequest *request, Buf *out)
{
    bool ok =
        has_fen(request) ? buf_printf(out, "fen %s", request->fen) : buf_put_text(out, "startpos");
    if (!ok || request->moves.len == 0)
        return ok;
    if (!buf_put_text(out, " moves"))
        return false;
    return write_moves(request, out);
}
