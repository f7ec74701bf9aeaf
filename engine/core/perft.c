/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/core/perft.h"

#include "engine/core/uci_move.h"

#include <inttypes.h>

uint64_t perft(Position *pos, int depth)
{
    if (depth <= 0)
        return 1;
    if (depth == 1)
        return (uint64_t)movegen_count(pos);
    MoveList list;
    movegen_legal(pos, &list);
    uint64_t leaves = 0;
    for (int i = 0; i < list.count; i++) {
        Undo undo;
        position_make(pos, list.moves[i], &undo);
        leaves += perft(pos, depth - 1);
        position_unmake(pos, list.moves[i], &undo);
    }
    return leaves;
}

void perft_divide(Position *pos, int depth, FILE *out)
{
    CastlingNotation notation =
        pos->rules.chess960 ? CASTLING_KING_TAKES_ROOK : CASTLING_KING_TO_TARGET;
    MoveList list;
    movegen_legal(pos, &list);
    uint64_t total = 0;
    for (int i = 0; i < list.count; i++) {
        char text[UCI_MOVE_SIZE];
        uci_move_write(pos, list.moves[i], notation, text);
        Undo undo;
        position_make(pos, list.moves[i], &undo);
        uint64_t leaves = perft(pos, depth - 1);
        position_unmake(pos, list.moves[i], &undo);
        fprintf(out, "%s: %" PRIu64 "\n", text, leaves);
        total += leaves;
    }
    fprintf(out, "\nNodes searched: %" PRIu64 "\n", total);
}
