/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/search/history.h"

#include <string.h>

static void update_with_gravity(int16_t *entry, int bonus, int limit)
{
    int magnitude = bonus < 0 ? -bonus : bonus;
    *entry = (int16_t)(*entry + bonus - *entry * magnitude / limit);
}

static void update_entry(int16_t *entry, int bonus)
{
    update_with_gravity(entry, bonus, HISTORY_MAX);
}

static const int16_t *noisy_entry(const History *history, const Position *pos, Move m)
{
    PieceType victim = move_is_en_passant(m) ? PAWN : piece_type(pos->board[move_to(m)]);
    return &history->capture[pos->board[move_from(m)]][move_to(m)][victim];
}

static int16_t *butterfly_entry(History *history, Colour us, Bitboard threats, Move m)
{
    Square from = move_from(m);
    Square to = move_to(m);
    if (move_is_drop(m))
        return &history->drop[us][move_dropped(m)][to];
    return &history->butterfly[us][threats >> from & 1][threats >> to & 1][from][to];
}

static int16_t *view_butterfly(const HistoryView *view, const Position *pos, Move m)
{
    Bitboard threats = params_in_use(view->params)->history_threats ? view->threats : 0;
    return butterfly_entry(view->history, pos->side_to_move, threats, m);
}

void history_clear(History *history)
{
    memset(history, 0, sizeof *history);
}

int history_continuation(const HistoryView *view, const Position *pos, Move m)
{
    Colour us = pos->side_to_move;
    PieceType type = piece_type(position_moved_piece(pos, m));
    Square to = move_to(m);
    const Params *p = params_in_use(view->params);
    int eighths = p->weight_continuation_1 * (*view->continuation[0])[us][type][to] +
                  p->weight_continuation_2 * (*view->continuation[1])[us][type][to];
    return eighths / 8;
}

int history_quiet(const HistoryView *view, const Position *pos, Move m)
{
    const History *history = view->history;
    Colour us = pos->side_to_move;
    PieceType type = piece_type(position_moved_piece(pos, m));
    const Params *p = params_in_use(view->params);
    int eighths =
        p->weight_butterfly * *view_butterfly(view, pos, m) +
        p->weight_pawn * history->pawn[pos->pawn_key % PAWN_HISTORY_SIZE][us][type][move_to(m)];
    return eighths / 8 + history_continuation(view, pos, m);
}

int history_noisy(const HistoryView *view, const Position *pos, Move m)
{
    return *noisy_entry(view->history, pos, m) * params_in_use(view->params)->weight_capture / 8;
}

void history_update_quiet(const HistoryView *view, const Position *pos, Move m, int bonus)
{
    History *history = view->history;
    Colour us = pos->side_to_move;
    PieceType type = piece_type(position_moved_piece(pos, m));
    Square to = move_to(m);
    update_entry(view_butterfly(view, pos, m), bonus);
    update_entry(&history->pawn[pos->pawn_key % PAWN_HISTORY_SIZE][us][type][to], bonus);
    for (int i = 0; i < CONTINUATION_COUNT; i++)
        update_entry(&(*view->continuation[i])[us][type][to], bonus);
}

void history_update_butterfly(History *history, Colour us, Bitboard threats, Move m, int bonus)
{
    update_entry(butterfly_entry(history, us, threats, m), bonus);
}

void history_update_continuation(ContinuationHistory *continuation, const Position *pos, Square to,
                                 int bonus)
{
    Piece piece = pos->board[to];
    if (piece != PIECE_NONE)
        update_entry(&(*continuation)[piece_colour(piece)][piece_type(piece)][to], bonus);
}

void history_update_noisy(History *history, const Position *pos, Move m, int bonus)
{
    /* The entry lies in `history`, which is ours to write. */
    update_entry((int16_t *)noisy_entry(history, pos, m), bonus);
}

/* What the position's correction is the sum of. */
enum { CORRECTIONS = 3 + COLOUR_COUNT };
static void correction_entries(int16_t *entries[CORRECTIONS], History *history, const Position *pos,
                               const PieceKeys *keys)
{
    Colour us = pos->side_to_move;
    entries[0] = &history->pawn_correction[us][pos->pawn_key % CORRECTION_SIZE];
    entries[1] = &history->minor_correction[us][keys->minor % CORRECTION_SIZE];
    entries[2] = &history->major_correction[us][keys->major % CORRECTION_SIZE];
    for (int colour = WHITE; colour <= BLACK; colour++)
        entries[3 + colour] =
            &history->piece_correction[us][colour][keys->non_pawn[colour] % CORRECTION_SIZE];
}

int history_correction(const History *history, const Position *pos, const PieceKeys *keys,
                       const CorrectionWeights *weights)
{
    const int by[CORRECTIONS] = { weights->pawn, weights->minor, weights->major, weights->pieces,
                                  weights->pieces };
    int16_t *entries[CORRECTIONS];
    int sum = 0;
    correction_entries(entries, (History *)history, pos, keys); /* which are only read */
    for (int i = 0; i < CORRECTIONS; i++)
        sum += by[i] * *entries[i];
    return sum / 1024;
}

void history_update_correction(History *history, const Position *pos, const PieceKeys *keys,
                               int bonus)
{
    int16_t *entries[CORRECTIONS];
    correction_entries(entries, history, pos, keys);
    for (int i = 0; i < CORRECTIONS; i++)
        update_with_gravity(entries[i], bonus, CORRECTION_MAX);
}
