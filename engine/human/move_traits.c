/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/human/move_traits.h"

#include "engine/core/attacks.h"

#include <stdlib.h>

enum {
    INPUT_LAST = 12 * SQUARE_COUNT,
    INPUT_CASTLING = INPUT_LAST + 2 * SQUARE_COUNT,
    INPUT_EN_PASSANT = INPUT_CASTLING + 4,
    INPUT_RATING = INPUT_EN_PASSANT + 8,
    RATINGS = 9,
    LOWEST_RATING = 1100,
    RATING_STEP = 100,
};
static_assert(INPUT_RATING + RATINGS == TRAITS_INPUTS, "all inputs");

enum { NOBODY = PIECE_TYPE_COUNT, ATTACKERS = NOBODY + 1 };

static Bitboard all_of(const HumanBoard *board, Colour colour)
{
    Bitboard all = 0;
    for (PieceType type = PAWN; type <= KING; type++)
        all |= board->pieces[colour][type];
    return all;
}

/* What left and what came, between two boards; of castling both pieces. */
static void moved_between(const HumanBoard *before, const HumanBoard *after, Colour who,
                          Bitboard *from, Bitboard *to)
{
    Bitboard old = all_of(before, who), new = all_of(after, who);
    *from = old & ~new;
    *to = new & ~old;
}

TraitsView traits_view(const HumanHistory *history, const Position *pos)
{
    TraitsView view = { .pos = pos };
    Colour us = pos->side_to_move, them = us ^ 1;
    const HumanBoard *boards = history->boards;
    if (history->count > 1) {
        moved_between(&boards[1], &boards[0], them, &view.last_from, &view.last_to);
        view.was_capture = all_of(&boards[1], us) != all_of(&boards[0], us);
    }
    if (history->count > 2)
        moved_between(&boards[2], &boards[1], us, &view.own_from, &view.own_to);
    return view;
}

static Square seen(const Position *pos, Square square)
{
    return pos->side_to_move == WHITE ? square : square_flip(square);
}

static int rating_row(int elo)
{
    int row = elo == 0 ? RATINGS / 2 : (elo - LOWEST_RATING) / RATING_STEP;
    return INPUT_RATING + (elo > 0 && elo < LOWEST_RATING ? 0 : row < RATINGS ? row : RATINGS - 1);
}

static int put_squares(uint16_t *rows, const Position *pos, Bitboard squares, int first)
{
    int count = 0;
    while (squares)
        rows[count++] = (uint16_t)(first + seen(pos, bitboard_pop(&squares)));
    return count;
}

/* Of castling the king's squares would do; the lowest stands for both. */
static Bitboard lowest(Bitboard squares)
{
    return squares & -squares;
}

int traits_inputs(uint16_t rows[TRAITS_INPUTS_MAX], const TraitsView *view, int elo)
{
    const Position *pos = view->pos;
    int count = 0;
    for (int whose = 0; whose < 2; whose++)
        for (PieceType type = PAWN; type <= KING; type++)
            count += put_squares(rows + count, pos, pos->pieces[pos->side_to_move ^ whose][type],
                                 (whose * PIECE_TYPE_COUNT + type) * SQUARE_COUNT);
    count += put_squares(rows + count, pos, lowest(view->last_from), INPUT_LAST);
    count += put_squares(rows + count, pos, lowest(view->last_to), INPUT_LAST + SQUARE_COUNT);
    for (unsigned right = 0; right < 4; right++)
        if (pos->castling >> (right ^ pos->side_to_move * 2U) & 1)
            rows[count++] = (uint16_t)(INPUT_CASTLING + right);
    if (pos->en_passant != SQUARE_NONE)
        rows[count++] = (uint16_t)(INPUT_EN_PASSANT + square_file(pos->en_passant));
    rows[count++] = (uint16_t)rating_row(elo);
    return count;
}

/* Who of the colour takes first on a square, NOBODY if none does. */
static int cheapest(const Position *pos, Bitboard attackers, Colour colour)
{
    for (PieceType type = PAWN; type <= KING; type++)
        if (attackers & pos->pieces[colour][type])
            return type;
    return NOBODY;
}

static int direction_of(Square from, Square to, bool is_castling)
{
    int files = square_file(to) - square_file(from), ranks = square_rank(to) - square_rank(from);
    if (is_castling)
        return 64 + (files > 0);
    int x = (files > 0) - (files < 0), y = (ranks > 0) - (ranks < 0);
    bool is_jump = files && ranks && abs(files) != abs(ranks);
    if (is_jump)
        return 56 + (abs(files) > 1) + 2 * (x > 0) + 4 * (y > 0);
    static const int8_t ways[3][3] = { { 0, 1, 2 }, { 3, 0, 4 }, { 5, 6, 7 } };
    int distance = abs(files) > abs(ranks) ? abs(files) : abs(ranks);
    return 7 * ways[x + 1][y + 1] + (distance > 0 ? distance - 1 : 0);
}

/* The dearest piece that the moved one attacks from its square. */
static int dearest_attacked(const Position *pos, PieceType type, Square to, Bitboard occupied)
{
    Colour us = pos->side_to_move;
    Bitboard attacked = type == PAWN ? attacks_pawn(us, to) : attacks_of(type, to, occupied);
    for (int victim = KING; victim >= PAWN; victim--)
        if (attacked & pos->pieces[us ^ 1][victim])
            return victim;
    return NOBODY;
}

static int distance(Square a, Square b)
{
    int files = abs(square_file(a) - square_file(b)), ranks = abs(square_rank(a) - square_rank(b));
    return files > ranks ? files : ranks;
}

/* What the last pages of a list of traits begin with. */
typedef struct {
    uint16_t *next;
    int first;
} Pages;

static void put(Pages *pages, int size, int row)
{
    assert(row >= 0 && row < size);
    *pages->next++ = (uint16_t)(pages->first + row);
    pages->first += size;
}

void traits_of_move(uint16_t traits[TRAITS_OF_A_MOVE], const TraitsView *view, Move m)
{
    const Position *pos = view->pos;
    Colour us = pos->side_to_move, them = us ^ 1;
    Square from = move_from(m), to = move_to(m);
    PieceType type = piece_type(pos->board[from]);
    bool is_castling = move_is_castling(m);
    Bitboard moved = pos->occupied & ~square_bit(from);
    Bitboard around_to = position_attackers(pos, to, moved) & ~square_bit(from);
    Bitboard around_from = position_attackers(pos, from, pos->occupied);
    int victim = !move_is_capture(m)               ? NOBODY
                 : move_flag(m) == MOVE_EN_PASSANT ? PAWN
                                                   : piece_type(pos->board[to]);
    int foe = cheapest(pos, around_to, them), hunter = cheapest(pos, around_from, them);
    int guards = (around_to & pos->occupied_by[us]) != 0;
    int promotion = move_is_promotion(m) ? move_promotion(m) - KNIGHT + 1 : 0;
    bool is_taking_back = view->was_capture && (view->last_to & square_bit(to));
    bool is_loss = foe < type && (victim == NOBODY || victim < type);
    bool is_same = (view->own_to & square_bit(from)) != 0;
    bool is_back = is_same && (view->own_from & square_bit(to));
    int was_guarded = (around_from & pos->occupied_by[us]) != 0;
    Pages p = { traits, 0 };
    put(&p, 6 * 64, type * 64 + seen(pos, to));
    put(&p, 6 * 64, type * 64 + seen(pos, from));
    put(&p, 6 * 6 * ATTACKERS, (type * 6 + (victim == NOBODY ? 5 : victim)) * ATTACKERS + foe);
    put(&p, 5, promotion);
    put(&p, 6 * ATTACKERS * 2, (type * ATTACKERS + hunter) * 2 + was_guarded);
    put(&p, 6 * ATTACKERS * 2, (type * ATTACKERS + foe) * 2 + guards);
    put(&p, 6 * 2, (victim == NOBODY ? 5 : victim) * 2 + is_taking_back);
    put(&p, 66, direction_of(seen(pos, from), seen(pos, to), is_castling));
    put(&p, 16, position_gives_check(pos, m) * 8 + (foe != NOBODY) * 4 + guards * 2 + is_loss);
    put(&p, 6 * 7, type * 7 + dearest_attacked(pos, type, to, moved | square_bit(to)));
    put(&p, 6 * 8, type * 8 + distance(to, position_king(pos, them)));
    put(&p, 6 * 3, type * 3 + is_same + is_back);
    assert(p.first == TRAITS_COUNT && p.next == traits + TRAITS_OF_A_MOVE);
}
