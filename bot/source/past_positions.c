/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/source/past_positions.h"

#include "bot/model/variant_start.h"
#include "bot/source/uci_text.h"
#include "engine/core/uci_move.h"

static bool replay(HumanHistory *out, const MoveRequest *request)
{
    Position pos;
    Text rest = request->moves;
    bool has_fen = request->fen && request->fen[0] != '\0';
    if (!variant_start_read(&pos, request->variant, request->fen, FEN_LENIENT, NULL, NULL))
        return false;
    pos.rules.chess960 = request->position->rules.chess960;
    human_history_init(out, &pos, has_fen ? human_en_passant_of(request->fen) : SQUARE_NONE);
    for (Text word = uci_text_next(&rest); word.len > 0; word = uci_text_next(&rest)) {
        Move move;
        Undo undo;
        if (!uci_move_match(&pos, word.at, word.len, &move, NULL))
            return false;
        position_make(&pos, move, &undo);
        human_history_push(out, &pos);
    }
    return pos.key == request->position->key;
}

void past_positions_read(HumanHistory *out, const MoveRequest *request)
{
    if (!replay(out, request))
        human_history_init(out, request->position, request->position->en_passant);
}
