/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/cli/game_evals.h"

#include "bot/archive/replay.h"

/* The best move in the notation of the record: Lichess writes castling as king takes rook only in
 * Chess960. */
static void keep(PositionEval *out, const Position *pos, const SearchResult *result)
{
    int sign = pos->side_to_move == WHITE ? 1 : -1;
    *out = (PositionEval){ .score = sign * result->info.score, .depth = result->info.depth };
    if (result->best != MOVE_NONE)
        uci_move_write(pos, result->best,
                       pos->rules.chess960 ? CASTLING_KING_TAKES_ROOK : CASTLING_KING_TO_TARGET,
                       out->best);
}

bool game_evals_search(PositionSearch *search, const GameRecord *record, uint64_t nodes,
                       GameEvalsOnPosition *on_position, void *user, PositionEval *out, Error *err)
{
    position_search_begin(search);
    for (size_t left = record->count + 1; left > 0; left--) {
        Position pos;
        SearchResult result;
        if (!replay_begin(&pos, record->variant, record->initial_fen)) {
            error_set(err, ERR_INVALID, "game %s: our engine does not play %s", record->id,
                      variant_name(record->variant));
            return false;
        }
        if (record->has_gaps || !replay_to(&pos, record, left - 1)) {
            error_set(err, ERR_INVALID, "game %s: its moves in the archive are damaged",
                      record->id);
            return false;
        }
        on_position(user, left);
        position_search_go(search, &pos, nodes, &result);
        keep(&out[left - 1], &pos, &result);
    }
    return true;
}

bool game_evals_get(Store *store, PositionSearch **search, const GameRecord *record, uint64_t nodes,
                    GameEvalsOnPosition *on_position, void *user, PositionEval *out, Error *err)
{
    int64_t kept;
    if (!store_read_analysis(store, record, out, &kept, err))
        return false;
    if (kept > 0 && (uint64_t)kept >= nodes)
        return true;
    return (*search || position_search_new(search, POSITION_SEARCH_WAITED_FOR, err)) &&
           game_evals_search(*search, record, nodes, on_position, user, out, err);
}
