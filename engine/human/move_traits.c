/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/human/move_traits.h"

#include "engine/base/minmax.h"
#include "engine/core/attacks.h"
#include "engine/core/movegen.h"

#include <stdlib.h>

enum {
    INPUT_LAST = 12 * SQUARE_COUNT,
    INPUT_CASTLING = INPUT_LAST + 2 * SQUARE_COUNT,
    INPUT_EN_PASSANT = INPUT_CASTLING + 4,
    INPUT_RATING = INPUT_EN_PASSANT + 8,
    RATINGS = 9,
    INPUT_HANGING = INPUT_RATING + RATINGS,
    LOWEST_RATING = 1100,
    RATING_STEP = 100,
};
static_assert(INPUT_HANGING + 2 * SQUARE_COUNT == TRAITS_INPUTS, "all inputs");

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

/* Who of the colour takes first on a square, NOBODY if none does. */
static int cheapest(const Position *pos, Colour colour, Bitboard attackers)
{
    for (PieceType type = PAWN; type <= KING; type++)
        if (attackers & pos->pieces[colour][type])
            return type;
    return NOBODY;
}

static Bitboard attacked_from(PieceType type, Colour colour, Square square, Bitboard occupied)
{
    return type == PAWN ? attacks_pawn(colour, square) : attacks_of(type, square, occupied);
}

static Bitboard hanging_men(const Position *pos, Colour colour)
{
    Bitboard hanging = 0, men = pos->occupied_by[colour] & ~pos->pieces[colour][KING];
    while (men) {
        Square square = bitboard_pop(&men);
        Bitboard around = position_attackers(pos, square, pos->occupied);
        int foe = cheapest(pos, colour ^ 1, around);
        bool is_guarded = (around & pos->occupied_by[colour]) != 0;
        if (foe < (int)piece_type(pos->board[square]) || (foe != NOBODY && !is_guarded))
            hanging |= square_bit(square);
    }
    return hanging;
}

TraitsView traits_view(const HumanHistory *history, const Position *pos)
{
    TraitsView view = { .pos = pos };
    Colour us = pos->side_to_move, them = us ^ 1;
    view.hanging[0] = hanging_men(pos, us);
    view.hanging[1] = hanging_men(pos, them);
    const HumanBoard *boards = history->boards;
    if (history->count > 1) {
        moved_between(&boards[1], &boards[0], them, &view.last_from, &view.last_to);
        view.was_capture = all_of(&boards[1], us) != all_of(&boards[0], us);
        if (view.last_to) {
            Square square = bitboard_first(view.last_to);
            view.last_attacks =
                attacked_from(piece_type(pos->board[square]), them, square, pos->occupied);
        }
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
    for (int whose = 0; whose < 2; whose++)
        count += put_squares(rows + count, pos, view->hanging[whose],
                             INPUT_HANGING + whose * SQUARE_COUNT);
    return count;
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

/* The dearest of the colour's men in a set, NOBODY if it has none. */
static int dearest(const Position *pos, Bitboard set, Colour colour)
{
    for (int type = KING; type >= PAWN; type--)
        if (set & pos->pieces[colour][type])
            return type;
    return NOBODY;
}

static int distance(Square a, Square b)
{
    int files = abs(square_file(a) - square_file(b)), ranks = abs(square_rank(a) - square_rank(b));
    return files > ranks ? files : ranks;
}

/* What the traits of one move are made of. */
typedef struct {
    const TraitsView *view;
    const Position *pos;
    Move move;
    Square from, to;
    PieceType type;
    Colour us, them;
    int victim, foe;   /* captured; who takes back first */
    Bitboard occupied; /* without the moved piece */
    Bitboard around_from, around_to;
    Bitboard attacked; /* by the piece from its new square */
    bool gives_check;
} MoveFacts;

static MoveFacts facts_of(const TraitsView *view, Move m)
{
    const Position *pos = view->pos;
    MoveFacts f = { .view = view,
                    .pos = pos,
                    .move = m,
                    .from = move_from(m),
                    .to = move_to(m),
                    .us = pos->side_to_move,
                    .them = pos->side_to_move ^ 1,
                    .victim = NOBODY };
    f.type = piece_type(pos->board[f.from]);
    f.occupied = pos->occupied & ~square_bit(f.from);
    f.around_to = position_attackers(pos, f.to, f.occupied) & ~square_bit(f.from);
    f.around_from = position_attackers(pos, f.from, pos->occupied);
    if (move_is_capture(m))
        f.victim = move_flag(m) == MOVE_EN_PASSANT ? PAWN : (int)piece_type(pos->board[f.to]);
    f.foe = cheapest(pos, f.them, f.around_to);
    f.attacked = attacked_from(f.type, f.us, f.to, f.occupied | square_bit(f.to));
    f.gives_check = position_gives_check(pos, m);
    return f;
}

/* Rows of the traits, one page after the other. */
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

/* The man and its squares. */
static void put_movement(Pages *p, const MoveFacts *f)
{
    const TraitsView *view = f->view;
    int promotion = move_is_promotion(f->move) ? move_promotion(f->move) - KNIGHT + 1 : 0;
    bool is_same = (view->own_to & square_bit(f->from)) != 0;
    bool is_back = is_same && (view->own_from & square_bit(f->to));
    Square from = seen(f->pos, f->from), to = seen(f->pos, f->to);
    int rank_change = square_rank(to) - square_rank(from);
    int men = bitboard_count(f->pos->occupied);
    put(p, 6 * 64, f->type * 64 + to);
    put(p, 6 * 64, f->type * 64 + from);
    put(p, 5, promotion);
    put(p, 66, direction_of(from, to, move_is_castling(f->move)));
    put(p, 6 * 3, f->type * 3 + is_same + is_back);
    put(p, 4 * 6 * 3,
        (int_min((men - 1) / 8, 3) * 6 + f->type) * 3 + (rank_change > 0) + 2 * (rank_change < 0));
    put(p, 6 * 8, f->type * 8 + distance(f->to, position_king(f->pos, f->them)));
    put(p, 6 * 8, f->type * 8 + distance(f->to, position_king(f->pos, f->us)));
    put(p, 6 * 9,
        f->type * 9 + (view->last_to ? distance(f->to, bitboard_first(view->last_to)) : 8));
}

/* What is exchanged, and who guards whom. */
static void put_exchange(Pages *p, const MoveFacts *f)
{
    const Position *pos = f->pos;
    int hunter = cheapest(pos, f->them, f->around_from);
    int guards = bitboard_count(f->around_to & pos->occupied_by[f->us]);
    int foes = bitboard_count(f->around_to & pos->occupied_by[f->them]);
    int was_guarded = (f->around_from & pos->occupied_by[f->us]) != 0;
    bool is_capture = f->victim != NOBODY;
    int victim = is_capture ? f->victim : 5;
    bool is_taking_back = f->view->was_capture && (f->view->last_to & square_bit(f->to));
    bool is_loss = f->foe < (int)f->type && (!is_capture || f->victim < (int)f->type);
    int gain = !is_capture ? 0 : 1 + (f->victim >= (int)f->type) + (f->victim > (int)f->type);
    int size = f->type <= KNIGHT ? (int)f->type : (int)f->type - 1; /* a bishop as a knight */
    put(p, 6 * 6 * ATTACKERS, (f->type * 6 + victim) * ATTACKERS + f->foe);
    put(p, 6 * ATTACKERS * 2, (f->type * ATTACKERS + hunter) * 2 + was_guarded);
    put(p, 6 * ATTACKERS * 2, (f->type * ATTACKERS + f->foe) * 2 + (guards > 0));
    put(p, 6 * 2, victim * 2 + is_taking_back);
    put(p, 16, f->gives_check * 8 + (f->foe != NOBODY) * 4 + (guards > 0) * 2 + is_loss);
    put(p, 5 * 4 * 3 * 3, ((size * 4 + gain) * 3 + int_min(foes, 2)) * 3 + int_min(guards, 2));
}

/* What it threatens, saves and answers. */
static void put_threats(Pages *p, const MoveFacts *f)
{
    const Position *pos = f->pos;
    const TraitsView *view = f->view;
    Bitboard from = square_bit(f->from), to = square_bit(f->to);
    Bitboard foes = f->attacked & pos->occupied_by[f->them], worth = 0;
    for (PieceType type = f->type; type <= KING; type++)
        worth |= pos->pieces[f->them][type];
    int targets = bitboard_count(foes & (worth | view->hanging[1]));
    int change = bitboard_count(f->attacked & ~pos->occupied_by[f->us]) -
                 bitboard_count(attacked_from(f->type, f->us, f->from, pos->occupied) &
                                ~pos->occupied_by[f->us]);
    int wider = change < -3 ? 0 : change < 0 ? 1 : change == 0 ? 2 : change <= 3 ? 3 : 4;
    int answer = !position_in_check(pos)       ? 0
                 : f->type == KING             ? 1
                 : position_checkers(pos) & to ? 2
                                               : 3;
    bool takes = f->victim != NOBODY;
    put(p, 6 * 7, f->type * 7 + dearest(pos, foes, f->them));
    put(p, 6 * 3, f->type * 3 + int_min(targets, 2));
    put(p, 6 * 5, f->type * 5 + wider);
    put(p, 4 * 6, answer * 6 + f->type);
    put(p, 7 * 2 * 2,
        (dearest(pos, view->hanging[0], f->us) * 2 + !!(view->hanging[0] & from)) * 2 + takes);
    put(p, 7 * 2 * 2,
        (dearest(pos, view->last_attacks, f->us) * 2 + !!(view->last_attacks & from)) * 2 +
            !!(view->last_to & to));
    put(p, 7, dearest(pos, f->attacked & view->hanging[0] & ~from, f->us));
}

static bool is_mate(const Position *pos, Move m)
{
    Position after = *pos;
    Undo undo;
    MoveList answers;
    position_make(&after, m, &undo);
    movegen_legal(&after, &answers);
    return answers.count == 0;
}

/* The files' squares before a man, as its side goes. */
static Bitboard ahead(Colour us, Square square, Bitboard files)
{
    int rank = square_rank(square);
    Bitboard above = rank == RANK_8 ? 0 : ~(Bitboard)0 << (8 * (rank + 1));
    Bitboard below = ((Bitboard)1 << (8 * rank)) - 1;
    return files & (us == WHITE ? above : below);
}

/* Pawns, files and the end. */
static void put_structure(Pages *p, const MoveFacts *f)
{
    const Position *pos = f->pos;
    Bitboard own = pos->pieces[f->us][PAWN], theirs = pos->pieces[f->them][PAWN];
    Bitboard file = BITBOARD_FILE_A << square_file(f->to), beside = 0;
    beside |= square_file(f->to) > FILE_A ? file >> 1 : 0;
    beside |= square_file(f->to) < FILE_H ? file << 1 : 0;
    bool is_opposed = (ahead(f->us, f->to, file) & theirs) != 0;
    bool is_passed = !is_opposed && !(ahead(f->us, f->to, beside) & theirs);
    bool is_chained = (attacks_pawn(f->them, f->to) & own) != 0;
    bool is_lever = (attacks_pawn(f->us, f->to) & theirs) != 0;
    bool is_kicked = (ahead(f->us, f->to, beside) & theirs) != 0;
    int openness = (file & own) ? 0 : (file & theirs) ? 1 : 2;
    put(p, 17, f->type != PAWN ? 16 : is_passed * 8 + is_opposed * 4 + is_chained * 2 + is_lever);
    put(p, 6 * 2, f->type * 2 + is_kicked);
    put(p, 7, f->type == ROOK ? openness : f->type == QUEEN ? 3 + openness : 6);
    put(p, 3, f->gives_check ? 1 + is_mate(pos, f->move) : 0);
}

void traits_of_move(uint16_t traits[TRAITS_OF_A_MOVE], const TraitsView *view, Move m)
{
    MoveFacts facts = facts_of(view, m);
    Pages p = { traits, 0 };
    put_movement(&p, &facts);
    put_exchange(&p, &facts);
    put_threats(&p, &facts);
    put_structure(&p, &facts);
    assert(p.first == TRAITS_COUNT && p.next == traits + TRAITS_OF_A_MOVE);
}
