/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/core/position.h"

#include "engine/core/attacks.h"
#include "engine/core/chess_legality.h"
#include "engine/core/pins.h"
#include "engine/core/variant_legality.h"
#include "engine/core/zobrist.h"

#include <string.h>

static bool castling_is_legal(const Position *pos, unsigned wing)
{
    Colour us = pos->side_to_move;
    unsigned index = us * 2U + wing;
    const CastlingRules *rules = &pos->rules;
    if (!(pos->castling >> index & 1) || pos->occupied & rules->must_be_empty[index] ||
        bitboard_has(pos->pinned, rules->rook_from[index]))
        return false;
    Bitboard path = rules->must_be_safe[index];
    if (!position_is_chess(pos))
        return !(path & variant_threats(pos, us));
    Bitboard without_king = pos->occupied ^ pos->pieces[us][KING];
    while (path) {
        if (chess_attackers(pos, us ^ 1, bitboard_pop(&path), without_king))
            return false;
    }
    return true;
}

static bool is_double_step_rank(const Position *pos, int rank)
{
    if (pos->side_to_move == BLACK)
        return rank == RANK_7;
    return rank == RANK_2 || (rank == RANK_1 && variant_rules(pos)->steps_two_from_first);
}

static bool pawn_move_is_pseudo_legal(const Position *pos, Move m)
{
    Colour us = pos->side_to_move;
    Square from = move_from(m), to = move_to(m);
    int forward = us == WHITE ? 8 : -8;
    bool reaches_end = square_rank(to) == (us == WHITE ? RANK_8 : RANK_1);
    if (move_is_promotion(m) != reaches_end)
        return false;
    if (move_is_en_passant(m))
        return to == pos->en_passant && bitboard_has(attacks_pawn(us, from), to);
    if (move_is_capture(m))
        return bitboard_has(attacks_pawn(us, from) & pos->occupied_by[us ^ 1], to);
    if (move_is_double_push(m))
        return is_double_step_rank(pos, square_rank(from)) && to == from + 2 * forward &&
               pos->board[from + forward] == PIECE_NONE && pos->board[to] == PIECE_NONE;
    return to == from + forward && pos->board[to] == PIECE_NONE;
}

/* As promotion to a knight, which is possible just when that to a king is. */
static bool king_promotion_is_pseudo_legal(const Position *pos, Move m)
{
    unsigned flag = move_is_capture(m) ? MOVE_CAPTURE_PROMOTION : MOVE_PROMOTION;
    return variant_rules(pos)->promotes_to_king && move_is_king_promotion(m) &&
           piece_type(pos->board[move_from(m)]) == PAWN &&
           pawn_move_is_pseudo_legal(pos, move_make(move_from(m), move_to(m), flag));
}

bool position_is_pseudo_legal(const Position *pos, Move m)
{
    Colour us = pos->side_to_move;
    Square from = move_from(m), to = move_to(m);
    if (move_is_drop(m))
        return variant_drop_is_pseudo_legal(pos, m);
    Piece piece = pos->board[from];
    if (piece == PIECE_NONE || piece_colour(piece) != us)
        return false;
    if (move_is_castling(m)) {
        unsigned wing = move_castling_wing(m);
        Square target = square_make(wing == CASTLING_KING_SIDE ? FILE_G : FILE_C, 7 * us);
        return piece_type(piece) == KING && to == target && castling_is_legal(pos, wing);
    }
    unsigned flag = move_flag(m);
    if (flag == MOVE_KING_PROMOTION || flag == MOVE_CAPTURE_KING_PROMOTION)
        return king_promotion_is_pseudo_legal(pos, m);
    if (flag == MOVE_NO_FLAG)
        return false;
    if (piece_type(piece) == PAWN)
        return pawn_move_is_pseudo_legal(pos, m);
    Bitboard targets = flag == MOVE_QUIET     ? ~pos->occupied
                       : flag == MOVE_CAPTURE ? pos->occupied_by[us ^ 1]
                                              : 0;
    return bitboard_has(targets & attacks_of(piece_type(piece), from, pos->occupied), to);
}

bool position_is_legal(const Position *pos, Move m)
{
    return position_is_chess(pos) ? chess_is_legal(pos, m) : variant_is_legal(pos, m);
}

bool position_can_take_en_passant(const Position *pos)
{
    if (pos->en_passant == SQUARE_NONE)
        return false;
    Colour us = pos->side_to_move;
    Bitboard pawns = attacks_pawn(us ^ 1, pos->en_passant) & pos->pieces[us][PAWN];
    while (pawns) {
        if (position_is_legal(pos,
                              move_make(bitboard_pop(&pawns), pos->en_passant, MOVE_EN_PASSANT)))
            return true;
    }
    return false;
}

bool position_gives_check(const Position *pos, Move m)
{
    return position_is_chess(pos) ? chess_gives_check(pos, m) : variant_gives_check(pos, m);
}

Bitboard position_attackers(const Position *pos, Square square, Bitboard occupied)
{
    return chess_attackers(pos, WHITE, square, occupied) |
           chess_attackers(pos, BLACK, square, occupied);
}

uint64_t position_compute_pawn_key(const Position *pos)
{
    uint64_t key = 0;
    for (Square s = 0; s < SQUARE_COUNT; s++) {
        if (piece_type(pos->board[s]) == PAWN)
            key ^= zobrist_piece(piece_colour(pos->board[s]), PAWN, s);
    }
    return key;
}

/* What the rules compare beside the board; no key of one variant is one of another. */
static uint64_t variant_key(const Position *pos)
{
    const VariantRules *rules = variant_rules(pos);
    uint64_t key = zobrist_ruleset(pos->ruleset);
    for (Bitboard set = pos->variant.promoted; set;)
        key ^= zobrist_promoted(bitboard_pop(&set));
    for (Colour c = WHITE; c < COLOUR_COUNT; c++) {
        for (PieceType t = PAWN; rules->drops_captures && t < POCKET_TYPES; t++)
            key ^= zobrist_pocket(c, t, pos->variant.pocket[c][t]);
        if (rules->counts_checks)
            key ^= zobrist_checks(c, pos->variant.checks_given[c]);
    }
    return key;
}

uint64_t position_compute_key(const Position *pos)
{
    uint64_t key = zobrist_castling(pos->castling);
    for (Square s = 0; s < SQUARE_COUNT; s++) {
        if (pos->board[s] != PIECE_NONE)
            key ^= zobrist_piece(piece_colour(pos->board[s]), piece_type(pos->board[s]), s);
    }
    if (pos->en_passant != SQUARE_NONE)
        key ^= zobrist_en_passant(pos->en_passant);
    if (!position_is_chess(pos))
        key ^= variant_key(pos);
    return pos->side_to_move == WHITE ? key ^ zobrist_side() : key;
}

uint64_t position_board_key(const Position *pos)
{
    return position_is_chess(pos) ? pos->key : pos->key ^ variant_key(pos);
}

static void find_checks(const Position *pos, Bitboard *checkers, Bitboard *pinned)
{
    if (position_is_chess(pos))
        pins_find(pos, pos->side_to_move, checkers, pinned);
    else
        variant_find_checks(pos, pos->side_to_move, checkers, pinned);
}

void position_derive(Position *pos)
{
    memset(pos->pieces, 0, sizeof pos->pieces);
    memset(pos->occupied_by, 0, sizeof pos->occupied_by);
    for (Square s = 0; s < SQUARE_COUNT; s++) {
        Piece piece = pos->board[s];
        if (piece == PIECE_NONE)
            continue;
        pos->pieces[piece_colour(piece)][piece_type(piece)] |= square_bit(s);
        pos->occupied_by[piece_colour(piece)] |= square_bit(s);
    }
    pos->occupied = pos->occupied_by[WHITE] | pos->occupied_by[BLACK];
    pos->key = position_compute_key(pos);
    pos->pawn_key = position_compute_pawn_key(pos);
    find_checks(pos, &pos->checkers, &pos->pinned);
}

/* A royal king may be gone in one way only: exploded. */
static bool has_right_number_of_kings(const Position *pos, Colour c)
{
    const VariantRules *rules = variant_rules(pos);
    int kings = bitboard_count(pos->pieces[c][KING]);
    if (!rules->is_royal[c])
        return rules->promotes_to_king || kings == 0;
    return kings == 1 || (rules->captures_explode && kings == 0);
}

static bool board_is_consistent(const Position *pos, Error *err)
{
    Bitboard all = 0;
    for (Colour c = WHITE; c < COLOUR_COUNT; c++) {
        Bitboard own = 0;
        for (PieceType t = PAWN; t < PIECE_TYPE_COUNT; t++) {
            if (own & pos->pieces[c][t]) {
                error_set(err, ERR_INVALID, "two kinds of pieces of colour %d share a square", c);
                return false;
            }
            own |= pos->pieces[c][t];
        }
        if (own != pos->occupied_by[c] || all & own) {
            error_set(err, ERR_INVALID, "squares of colour %d do not add up", c);
            return false;
        }
        all |= own;
        if (!has_right_number_of_kings(pos, c)) {
            error_set(err, ERR_INVALID, "colour %d has not one king", c);
            return false;
        }
    }
    if (all != pos->occupied) {
        error_set(err, ERR_INVALID, "occupied squares are not those of both colours");
        return false;
    }
    for (Square s = 0; s < SQUARE_COUNT; s++) {
        Piece piece = pos->board[s];
        bool agrees =
            piece == PIECE_NONE
                ? !bitboard_has(all, s)
                : (piece & 7) < PIECE_TYPE_COUNT && piece < PIECE_SLOTS &&
                      bitboard_has(pos->pieces[piece_colour(piece)][piece_type(piece)], s);
        if (!agrees) {
            error_set(err, ERR_INVALID, "mailbox and sets disagree on square %d", s);
            return false;
        }
    }
    return true;
}

static bool castling_is_consistent(const Position *pos, Error *err)
{
    for (unsigned i = 0; i < 4; i++) {
        if (!(pos->castling >> i & 1))
            continue;
        Colour c = i < 2 ? WHITE : BLACK;
        if (!pos->pieces[c][KING]) {
            error_set(err, ERR_INVALID, "castling right %u has no king", i);
            return false;
        }
        Square king = position_king(pos, c), rook = pos->rules.rook_from[i];
        bool rook_is_there =
            rook < SQUARE_COUNT && square_rank(rook) == 7 * c && square_rank(king) == 7 * c &&
            pos->board[rook] == piece_make(c, ROOK) && (i % 2 == 0 ? rook > king : rook < king);
        CastlingRights right = (CastlingRights)(1U << i);
        if (!rook_is_there || pos->rules.keep[king] & right || pos->rules.keep[rook] & right) {
            error_set(err, ERR_INVALID, "castling right %u has no king and rook", i);
            return false;
        }
    }
    return true;
}

static bool en_passant_is_consistent(const Position *pos, Error *err)
{
    Square square = pos->en_passant;
    if (square == SQUARE_NONE)
        return true;
    Colour us = pos->side_to_move, them = us ^ 1;
    bool ok = square < SQUARE_COUNT && square_rank(square) == (us == WHITE ? RANK_6 : RANK_3) &&
              pos->board[square] == PIECE_NONE &&
              pos->board[en_passant_victim(square)] == piece_make(them, PAWN) &&
              pos->board[us == WHITE ? square + 8 : square - 8] == PIECE_NONE &&
              attacks_pawn(them, square) & pos->pieces[us][PAWN];
    if (!ok)
        error_set(err, ERR_INVALID, "nothing to take en passant on square %d", square);
    return ok;
}

bool position_validate(const Position *pos, Error *err)
{
    Colour us = pos->side_to_move;
    if (us > BLACK) {
        error_set(err, ERR_INVALID, "no side to move");
        return false;
    }
    if (!board_is_consistent(pos, err) || !castling_is_consistent(pos, err) ||
        !en_passant_is_consistent(pos, err))
        return false;
    Bitboard no_pawns = BITBOARD_RANK_8;
    no_pawns |= variant_rules(pos)->steps_two_from_first ? 0 : BITBOARD_RANK_1;
    if (pos->pieces[WHITE][PAWN] & no_pawns ||
        pos->pieces[BLACK][PAWN] & (BITBOARD_RANK_1 | BITBOARD_RANK_8)) {
        error_set(err, ERR_INVALID, "a pawn stands on the first or last rank");
        return false;
    }
    Bitboard left_in_check, checkers, pinned;
    if (position_is_chess(pos))
        left_in_check = chess_attackers(pos, us, position_king(pos, us ^ 1), pos->occupied);
    else
        variant_find_checks(pos, us ^ 1, &left_in_check, &pinned);
    /* A king that exploded its enemy may well be attacked. */
    bool is_over = variant_rules(pos)->captures_explode && !pos->pieces[us][KING];
    if (left_in_check && !is_over) {
        error_set(err, ERR_INVALID, "the side that just moved is in check");
        return false;
    }
    find_checks(pos, &checkers, &pinned);
    bool is_chess = position_is_chess(pos);
    if (checkers != pos->checkers || pinned != pos->pinned ||
        (is_chess &&
         checkers != chess_attackers(pos, us ^ 1, position_king(pos, us), pos->occupied))) {
        error_set(err, ERR_INVALID, "checks or pins are out of date");
        return false;
    }
    if (pos->key != position_compute_key(pos) || pos->pawn_key != position_compute_pawn_key(pos)) {
        error_set(err, ERR_INVALID, "a key is out of date");
        return false;
    }
    if (pos->plies_since_null > pos->ply || pos->fullmove_number == 0) {
        error_set(err, ERR_INVALID, "a counter is out of range");
        return false;
    }
    return true;
}
