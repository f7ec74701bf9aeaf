/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/human/human_view.h"

#include "engine/core/outcome.h"

#include <stdlib.h>
#include <string.h>

enum {
    PLANES_A_POSITION = 13,
    PLANE_REPEATED = 12, /* of a position's */
    PLANE_CASTLING = PLANES_A_POSITION * HUMAN_POSITIONS,
    PLANE_BLACK = PLANE_CASTLING + 4,
    PLANE_CLOCK,
    PLANE_NOTHING,
    PLANE_ALL,
};

static_assert(PLANE_ALL + 1 == HUMAN_PLANES, "the planes of the format");

static const Bitboard ALL_SQUARES = ~0ULL;

static HumanBoard board_of(const Position *pos)
{
    HumanBoard board = { .is_repeated = position_repetitions(pos) > 0 };
    memcpy(board.pieces, pos->pieces, sizeof board.pieces);
    return board;
}

static bool is_usual_start(const Position *pos)
{
    static const Bitboard men[PIECE_TYPE_COUNT] = { 0xff00, 0x42, 0x24, 0x81, 0x08, 0x10 };
    for (PieceType type = PAWN; type <= KING; type++)
        if (pos->pieces[WHITE][type] != men[type] ||
            pos->pieces[BLACK][type] != __builtin_bswap64(men[type]))
            return false;
    return pos->side_to_move == WHITE && pos->castling == 0xf && pos->halfmove_clock == 0 &&
           pos->fullmove_number == 1;
}

Square human_en_passant_of(const char *fen)
{
    for (int field = 0; field < 3; field++) {
        fen += strcspn(fen, " ");
        fen += strspn(fen, " ");
    }
    bool is_square = fen[0] >= 'a' && fen[0] <= 'h' && (fen[1] == '3' || fen[1] == '6');
    return is_square ? square_make(fen[0] - 'a', fen[1] - '1') : SQUARE_NONE;
}

void human_history_init(HumanHistory *history, const Position *first, Square en_passant)
{
    memset(history, 0, sizeof *history);
    history->boards[0] = board_of(first);
    history->count = 1;
    history->begins_before = !is_usual_start(first);
    history->before = history->boards[0];
    if (en_passant == SQUARE_NONE)
        return;
    /* Before the pawn moved two squares it stood behind the en-passant square. */
    Colour them = first->side_to_move ^ 1;
    int back = them == WHITE ? -8 : 8;
    Bitboard now = square_bit((Square)(en_passant - back));
    if (history->before.pieces[them][PAWN] & now)
        history->before.pieces[them][PAWN] ^= now | square_bit((Square)(en_passant + back));
}

void human_history_push(HumanHistory *history, const Position *pos)
{
    memmove(history->boards + 1, history->boards, (HUMAN_POSITIONS - 1) * sizeof *history->boards);
    history->boards[0] = board_of(pos);
    if (history->count < HUMAN_POSITIONS)
        history->count++;
}

static Bitboard seen_by(Colour us, Bitboard squares)
{
    return us == WHITE ? squares : __builtin_bswap64(squares);
}

static void put_board(HumanPlane *planes, const HumanBoard *board, Colour us)
{
    for (PieceType type = PAWN; type <= KING; type++) {
        planes[type].squares = seen_by(us, board->pieces[us][type]);
        planes[6 + type].squares = seen_by(us, board->pieces[us ^ 1][type]);
    }
    planes[PLANE_REPEATED].squares = board->is_repeated ? ALL_SQUARES : 0;
}

static void put_castling(HumanPlane *planes, const Position *pos)
{
    for (int whose = 0; whose < 2; whose++)
        for (int wing = CASTLING_KING_SIDE; wing <= CASTLING_QUEEN_SIDE; wing++) {
            unsigned right = (pos->side_to_move ^ (unsigned)whose) * 2U + (unsigned)wing;
            bool is_queen_side = wing == CASTLING_QUEEN_SIDE;
            if (pos->castling >> right & 1)
                planes[PLANE_CASTLING + 2 * whose + !is_queen_side].squares = ALL_SQUARES;
        }
}

void human_planes(HumanPlane planes[HUMAN_PLANES], const HumanHistory *history, const Position *pos)
{
    for (int i = 0; i < HUMAN_PLANES; i++)
        planes[i] = (HumanPlane){ .value = 1 };
    for (int i = 0; i < HUMAN_POSITIONS; i++) {
        bool is_known = i < history->count;
        if (is_known || history->begins_before)
            put_board(&planes[PLANES_A_POSITION * i],
                      is_known ? &history->boards[i] : &history->before, pos->side_to_move);
    }
    put_castling(planes, pos);
    planes[PLANE_BLACK].squares = pos->side_to_move == BLACK ? ALL_SQUARES : 0;
    planes[PLANE_CLOCK] =
        (HumanPlane){ pos->halfmove_clock ? ALL_SQUARES : 0, (float)pos->halfmove_clock };
    planes[PLANE_ALL].squares = ALL_SQUARES;
}

/* Of the eight directions, clockwise from straight ahead. */
static int direction_of(int files, int ranks)
{
    static const int8_t directions[3][3] = { { 5, 6, 7 }, { 4, -1, 0 }, { 3, 2, 1 } };
    int x = (files > 0) - (files < 0), y = (ranks > 0) - (ranks < 0);
    return directions[x + 1][y + 1];
}

static int knight_plane(int files, int ranks)
{
    static const int8_t jumps[8][2] = { { 1, 2 },   { 2, 1 },   { 2, -1 }, { 1, -2 },
                                        { -1, -2 }, { -2, -1 }, { -2, 1 }, { -1, 2 } };
    for (int i = 0; i < 8; i++)
        if (jumps[i][0] == files && jumps[i][1] == ranks)
            return 56 + i;
    return -1;
}

int human_output_index(const Position *pos, Move m)
{
    static const int8_t promotions[PIECE_TYPE_COUNT] = { [ROOK] = 0, [BISHOP] = 1, [QUEEN] = 2 };
    Square from = move_from(m), to = move_is_castling(m) ? castling_rook_from(pos, m) : move_to(m);
    if (pos->side_to_move == BLACK) {
        from = square_flip(from);
        to = square_flip(to);
    }
    int files = square_file(to) - square_file(from), ranks = square_rank(to) - square_rank(from);
    int plane = knight_plane(files, ranks);
    if (move_is_promotion(m) && move_promotion(m) != KNIGHT) {
        plane = 64 + 3 * (files + 1) + promotions[move_promotion(m)];
    } else if (plane < 0) {
        int distance = abs(files) > abs(ranks) ? abs(files) : abs(ranks);
        plane = 7 * direction_of(files, ranks) + distance - 1;
    }
    return plane * SQUARE_COUNT + from;
}
