/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/cli/game_evals.h"

#include "bot/review/replay.h"

/* The best move in the notation of the record: Lichess writes castling as king takes rook only in
 * Chess960. */
static void keep_eval(PositionEval *out, const Position *pos, Move best, int score, int depth)
{
    int sign = pos->side_to_move == WHITE ? 1 : -1;
    *out = (PositionEval){ .score = sign * score, .depth = depth };
    if (best != MOVE_NONE)
        uci_move_write(pos, best,
                       pos->rules.chess960 ? CASTLING_KING_TAKES_ROOK : CASTLING_KING_TO_TARGET,
                       out->best);
}

static bool put_moves(const GameRecord *record, size_t count, Buf *out)
{
    bool ok = true;
    for (size_t i = 0; i < count && ok; i++)
        ok = buf_printf(out, i > 0 ? " %s" : "%s", record->moves[i].uci);
    return ok;
}

/* A position that the game ends with has no best move: mate or stalemate. */
static bool ask_judge(UciJudge *judge, const GameRecord *record, size_t index, const Position *pos,
                      uint64_t nodes, PositionEval *out, Error *err)
{
    MoveList legal;
    UciResult result;
    Buf moves;
    Move best;
    movegen_legal(pos, &legal);
    if (legal.count == 0) {
        keep_eval(out, pos, MOVE_NONE, position_in_check(pos) ? -SCORE_MATE : 0, 1);
        return true;
    }
    buf_init(&moves, MOVE_REQUEST_MOVES_SIZE);
    bool ok = put_moves(record, index, &moves);
    const MoveRequest request = { .variant = record->variant,
                                  .fen = record->initial_fen,
                                  .position = pos,
                                  .moves = { buf_view(&moves), moves.len } };
    ok = ok && uci_judge_go(judge, &request, nodes, &result, err);
    buf_release(&moves);
    if (!ok)
        return false;
    if (!uci_move_match(pos, result.move, strlen(result.move), &best, NULL)) {
        error_set(err, ERR_INVALID, "game %s: the judge's best move \"%s\" is not legal",
                  record->id, result.move);
        return false;
    }
    keep_eval(out, pos, best, result.score, result.depth);
    return true;
}

bool game_evals_search(GameEvalsBy by, const GameRecord *record, uint64_t nodes,
                       GameEvalsOnPosition *on_position, void *user, PositionEval *out, Error *err)
{
    if (by.judge)
        uci_judge_begin(by.judge);
    else
        position_search_begin(by.search);
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
        if (by.judge) {
            if (!ask_judge(by.judge, record, left - 1, &pos, nodes, &out[left - 1], err))
                return false;
            continue;
        }
        position_search_go(by.search, &pos, nodes, &result);
        keep_eval(&out[left - 1], &pos, result.best, result.info.score, result.info.depth);
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
           game_evals_search((GameEvalsBy){ .search = *search }, record, nodes, on_position, user,
                             out, err);
}
