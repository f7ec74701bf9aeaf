/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/search/history.h"

#include <string.h>

static void nudge(int16_t *entry, int bonus)
{
    int magnitude = bonus < 0 ? -bonus : bonus;
    *entry = (int16_t)(*entry + bonus - *entry * magnitude / HISTORY_MAX);
}

static const int16_t *noisy_entry(const History *history, const Position *pos, Move m)
{
    PieceType victim = move_is_en_passant(m) ? PAWN : piece_type(pos->board[move_to(m)]);
    return &history->capture[pos->board[move_from(m)]][move_to(m)][victim];
}

void history_clear(History *history)
{
    memset(history, 0, sizeof *history);
}

int history_continuation(const HistoryView *view, const Position *pos, Move m)
{
    Piece piece = pos->board[move_from(m)];
    Square to = move_to(m);
    return (*view->after[0])[piece][to] + (*view->after[1])[piece][to] +
           (*view->after[2])[piece][to] / 2 + (*view->after[3])[piece][to] / 2;
}

int history_quiet(const HistoryView *view, const Position *pos, Move m)
{
    const History *history = view->history;
    Piece piece = pos->board[move_from(m)];
    return history->butterfly[pos->side_to_move][move_from(m)][move_to(m)] +
           history->pawn[pos->pawn_key % PAWN_HISTORY_SIZE][piece][move_to(m)] +
           history_continuation(view, pos, m);
}

int history_noisy(const History *history, const Position *pos, Move m)
{
    return *noisy_entry(history, pos, m);
}

void history_update_quiet(const HistoryView *view, const Position *pos, Move m, int bonus)
{
    History *history = view->history;
    Piece piece = pos->board[move_from(m)];
    Square to = move_to(m);
    nudge(&history->butterfly[pos->side_to_move][move_from(m)][to], bonus);
    nudge(&history->pawn[pos->pawn_key % PAWN_HISTORY_SIZE][piece][to], bonus);
    for (int i = 0; i < CONTINUATIONS; i++)
        nudge(&(*view->after[i])[piece][to], bonus);
}

void history_update_noisy(History *history, const Position *pos, Move m, int bonus)
{
    /* The entry lies in `history`, which is ours to write. */
    nudge((int16_t *)noisy_entry(history, pos, m), bonus);
}
