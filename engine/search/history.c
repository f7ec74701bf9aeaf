/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/search/history.h"

#include "engine/core/zobrist.h"

#include <string.h>

static void pull(int16_t *entry, int bonus, int limit)
{
    int magnitude = bonus < 0 ? -bonus : bonus;
    *entry = (int16_t)(*entry + bonus - *entry * magnitude / limit);
}

static void nudge(int16_t *entry, int bonus)
{
    pull(entry, bonus, HISTORY_MAX);
}

/* The same for a byte. What lies between two steps is rounded up or down in turns, so that many
 * small updates add up as they should. */
static void nudge_byte(History *history, int8_t *entry, int bonus)
{
    enum {
        STRIDE = 79,            /* odd, near the golden section: turns are spread evenly */
        LIFT = 2 * HISTORY_MAX, /* keeps what is divided above zero, where division rounds down */
    };
    int magnitude = bonus < 0 ? -bonus : bonus;
    int change = bonus - *entry * magnitude / (HISTORY_MAX / HISTORY_STEP);
    history->dither = (history->dither + STRIDE) % HISTORY_STEP;
    int steps = (change + LIFT + (int)history->dither) / HISTORY_STEP - LIFT / HISTORY_STEP;
    int value = *entry + steps;
    *entry = (int8_t)(value > INT8_MAX ? INT8_MAX : value < -INT8_MAX ? -INT8_MAX : value);
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
    return &history->butterfly[us][threats >> from & 1][threats >> to & 1][from][to];
}

static int16_t *view_butterfly(const HistoryView *view, const Position *pos, Move m)
{
    Bitboard threats = history_params(view)->history_threats ? view->threats : 0;
    return butterfly_entry(view->history, pos->side_to_move, threats, m);
}

void history_clear(History *history)
{
    memset(history, 0, sizeof *history);
}

int history_continuation(const HistoryView *view, const Position *pos, Move m)
{
    Colour us = pos->side_to_move;
    PieceType type = piece_type(pos->board[move_from(m)]);
    Square to = move_to(m);
    const Params *p = history_params(view);
    int eighths = p->weight_after_1 * (*view->after[0])[us][type][to] +
                  p->weight_after_2 * (*view->after[1])[us][type][to] +
                  p->weight_after_4 * (*view->after[2])[us][type][to] +
                  p->weight_after_6 * (*view->after[3])[us][type][to];
    return eighths * (HISTORY_STEP / 8);
}

int history_quiet(const HistoryView *view, const Position *pos, Move m)
{
    const History *history = view->history;
    Colour us = pos->side_to_move;
    PieceType type = piece_type(pos->board[move_from(m)]);
    const Params *p = history_params(view);
    int eighths =
        p->weight_butterfly * *view_butterfly(view, pos, m) +
        p->weight_pawn * history->pawn[pos->pawn_key % PAWN_HISTORY_SIZE][us][type][move_to(m)];
    return eighths / 8 + history_continuation(view, pos, m);
}

int history_noisy(const HistoryView *view, const Position *pos, Move m)
{
    return *noisy_entry(view->history, pos, m) * history_params(view)->weight_capture / 8;
}

void history_update_quiet(const HistoryView *view, const Position *pos, Move m, int bonus)
{
    History *history = view->history;
    Colour us = pos->side_to_move;
    PieceType type = piece_type(pos->board[move_from(m)]);
    Square to = move_to(m);
    nudge(view_butterfly(view, pos, m), bonus);
    nudge(&history->pawn[pos->pawn_key % PAWN_HISTORY_SIZE][us][type][to], bonus);
    for (int i = 0; i < CONTINUATIONS; i++)
        nudge_byte(history, &(*view->after[i])[us][type][to], bonus);
}

void history_update_made(History *history, Colour us, Bitboard threats, Move m, int bonus)
{
    nudge(butterfly_entry(history, us, threats, m), bonus);
}

void history_update_noisy(History *history, const Position *pos, Move m, int bonus)
{
    /* The entry lies in `history`, which is ours to write. */
    nudge((int16_t *)noisy_entry(history, pos, m), bonus);
}

static void toggle(PieceKeys *keys, Piece piece, Square square)
{
    PieceType type = piece_type(piece);
    if (type == PAWN)
        return;
    uint64_t number = zobrist_piece(piece_colour(piece), type, square);
    keys->pieces[piece_colour(piece)] ^= number;
    if (type == KNIGHT || type == BISHOP)
        keys->minor ^= number;
    else if (type != KING)
        keys->major ^= number;
}

PieceKeys history_piece_keys(const Position *pos)
{
    PieceKeys keys = { 0 };
    for (Bitboard left = pos->occupied; left;) {
        Square square = bitboard_pop(&left);
        toggle(&keys, pos->board[square], square);
    }
    return keys;
}

PieceKeys history_piece_keys_after(const PieceKeys *keys, const Position *pos, Move m)
{
    PieceKeys after = *keys;
    Square from = move_from(m);
    Square to = move_to(m);
    Colour us = pos->side_to_move;
    Piece piece = pos->board[from];
    if (move_is_castling(m)) {
        bool king_side = move_flag(m) == MOVE_CASTLE_KING;
        Square rook_from =
            pos->rules.rook_from[us * 2 + (king_side ? CASTLING_KING_SIDE : CASTLING_QUEEN_SIDE)];
        toggle(&after, piece_make(us, ROOK), rook_from);
        toggle(&after, piece_make(us, ROOK), king_side ? to - 1 : to + 1);
    } else if (move_is_capture(m) && !move_is_en_passant(m)) {
        toggle(&after, pos->board[to], to);
    }
    toggle(&after, piece, from);
    toggle(&after, move_is_promotion(m) ? piece_make(us, move_promotion(m)) : piece, to);
    return after;
}

int history_correction(const History *history, const Position *pos, const PieceKeys *keys,
                       const CorrectionWeights *weights)
{
    Colour us = pos->side_to_move;
    int sum = weights->pawn * history->pawn_correction[us][pos->pawn_key % CORRECTION_SIZE] +
              weights->minor * history->minor_correction[us][keys->minor % CORRECTION_SIZE] +
              weights->major * history->major_correction[us][keys->major % CORRECTION_SIZE];
    for (int colour = WHITE; colour <= BLACK; colour++)
        sum += weights->pieces *
               history->piece_correction[us][colour][keys->pieces[colour] % CORRECTION_SIZE];
    return sum / 1024;
}

void history_update_correction(History *history, const Position *pos, const PieceKeys *keys,
                               int bonus)
{
    Colour us = pos->side_to_move;
    pull(&history->pawn_correction[us][pos->pawn_key % CORRECTION_SIZE], bonus, CORRECTION_MAX);
    pull(&history->minor_correction[us][keys->minor % CORRECTION_SIZE], bonus, CORRECTION_MAX);
    pull(&history->major_correction[us][keys->major % CORRECTION_SIZE], bonus, CORRECTION_MAX);
    for (int colour = WHITE; colour <= BLACK; colour++)
        pull(&history->piece_correction[us][colour][keys->pieces[colour] % CORRECTION_SIZE], bonus,
             CORRECTION_MAX);
}
