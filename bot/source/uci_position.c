/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/source/uci_position.h"

#include "bot/source/uci_text.h"
#include "engine/core/fen.h"

bool uci_position_is_960(const MoveRequest *request)
{
    return request->position && request->position->rules.chess960;
}

static bool has_fen(const MoveRequest *request)
{
    return request->fen && request->fen[0] != '\0' && strcmp(request->fen, FEN_START) != 0;
}

/* By our rules, which distinguish castling from other moves wherever the king stands. */
static bool write_chess_moves(const MoveRequest *request, Buf *out)
{
    Position pos;
    Text correspondence = request->moves;
    CastlingNotation notation =
        uci_position_is_960(request) ? CASTLING_KING_TAKES_ROOK : CASTLING_KING_TO_TARGET;
    if (!fen_read(&pos, has_fen(request) ? request->fen : FEN_START, FEN_LENIENT, NULL, NULL))
        return false;
    pos.rules.chess960 = uci_position_is_960(request);
    for (Text word = uci_text_next(&correspondence); word.len > 0;
         word = uci_text_next(&correspondence)) {
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
    return request->position ? write_chess_moves(request, out)
                             : uci_text_write_moves(request->moves, CASTLING_KING_TO_TARGET, out);
}
