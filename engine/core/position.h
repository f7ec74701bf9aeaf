/* SPDX-License-Identifier: GPL-3.0-or-later */
/* position.h - a position of chess, Chess960 or a variant, with what it needs of its game's past.
 *
 * A Position is a value: no pointers, copy it with `=`. Its struct is public because hot code reads
 * it; only engine/core writes it. The functions here take a valid position and, where a move is
 * taken, a legal one (position_is_legal(), movegen.h, uci_move.h make sure); they assert it and
 * cannot fail. Owner's thread only, like every value. */
#pragma once
#include "engine/base/error.h"
#include "engine/core/move.h"
#include "engine/core/ruleset.h"
#include "engine/core/zobrist.h"

typedef uint8_t CastlingRights;
enum { WHITE_KING_SIDE = 1, WHITE_QUEEN_SIDE = 2, BLACK_KING_SIDE = 4, BLACK_QUEEN_SIDE = 8 };
/* index = colour * 2 + CASTLING_KING_SIDE or CASTLING_QUEEN_SIDE, bit = 1 << index */

/* Where castling happens in this game: fixed from the first position on. Entries whose right never
 * existed are unspecified. */
typedef struct {
    Square rook_from[4];       /* by castling index */
    Bitboard must_be_empty[4]; /* squares between and under king and rook, themselves excluded */
    Bitboard must_be_safe[4];  /* the king's path, its from and to squares included */
    CastlingRights keep[64];   /* rights &= keep[from] & keep[to] on every move; always set */
    bool chess960;             /* castling is written and read as king takes rook */
} CastlingRules;

/* How far back repetitions can be seen. 75 moves without progress end a game, and a search looks
 * ahead at most MAX_PLY; together they stay below. A power of two. */
enum { POSITION_KEY_RING = 512 };

typedef struct Position {
    Bitboard pieces[COLOUR_COUNT][PIECE_TYPE_COUNT];
    Bitboard occupied_by[COLOUR_COUNT];
    Bitboard occupied;
    Piece board[SQUARE_COUNT]; /* mailbox */
    Bitboard checkers;         /* enemy pieces that give check to the side to move */
    Bitboard pinned;           /* its pieces that may only move on a line with their king */

    uint64_t key;      /* Polyglot's Zobrist key; in variants with numbers of their own added */
    uint64_t pawn_key; /* the pawns' part of it alone */
    Colour side_to_move;
    CastlingRights castling;
    Square en_passant; /* the square behind the pawn that just moved two, set only when a pawn
                          of the side to move attacks it (pinned or not); else SQUARE_NONE */
    Ruleset ruleset;
    uint16_t halfmove_clock;   /* plies since the last capture or pawn move */
    uint16_t fullmove_number;  /* from 1 */
    uint16_t plies_since_null; /* plies with a known key behind us, never across a null move */
    uint32_t ply;              /* moves made since the position was set up; indexes `keys` */

    CastlingRules rules;
    uint64_t keys[POSITION_KEY_RING]; /* keys[ply % ring] is the key of the position before move
                                         `ply`, without an en-passant file where no capture was
                                         legal: what the rules of repetition compare */
    VariantState variant;             /* last: chess does not touch it */
} Position;

enum { EXPLODED_MAX = 9 }; /* the captor and eight neighbours */

/* What make cannot work out backwards; lives in the caller's storage until unmake. */
typedef struct {
    uint64_t key;
    uint64_t pawn_key;
    uint64_t forgotten_key; /* what stood in the key ring */
    Bitboard checkers;
    Bitboard pinned;
    Piece captured; /* PIECE_NONE if none */
    CastlingRights castling;
    Square en_passant;
    uint16_t halfmove_clock;
    uint16_t plies_since_null;

    /* Written and read in variants alone. */
    VariantState variant;
    Bitboard exploded;                   /* atomic: all that a capture took with its captor */
    Piece exploded_pieces[EXPLODED_MAX]; /* from the lowest square of `exploded` on */
} Undo;

/* Plays a legal move; fills *undo. */
void position_make(Position *pos, Move m, Undo *undo);

/* Takes back the last move made, which was `m` with this undo: restores every field. */
void position_unmake(Position *pos, Move m, const Undo *undo);

/* Passes the turn (search's null move). Not while in check. */
void position_make_null(Position *pos, Undo *undo);
void position_unmake_null(Position *pos, const Undo *undo);

/* Key and pawn key, recomputed. */
uint64_t position_compute_key(const Position *pos);
uint64_t position_compute_pawn_key(const Position *pos);

/* Polyglot's key in every variant: of the board alone, without pockets and checks given. Books of
 * variants are sorted by it. */
uint64_t position_board_key(const Position *pos);

/* Is it chess that is played, Chess960 included? Hot code asks this once and then goes chess's way,
 * on which no other rules are looked up; what variants need stands aside in functions of their own.
 */
static inline bool position_is_chess(const Position *pos)
{
    return __builtin_expect_with_probability(pos->ruleset == RULES_STANDARD, true, 0.99);
}

/* The king of a side that has one: always, under standard rules. */
static inline Square position_king(const Position *pos, Colour colour)
{
    return bitboard_first(pos->pieces[colour][KING]);
}

/* Where the rook of a castling move of the side to move stands, and where it goes. */
static inline Square castling_rook_from(const Position *pos, Move m)
{
    return pos->rules.rook_from[pos->side_to_move * 2U + move_castling_wing(m)];
}

static inline Square castling_rook_to(Move m)
{
    return move_castling_wing(m) == CASTLING_KING_SIDE ? move_to(m) - 1 : move_to(m) + 1;
}

/* The piece that a pseudo-legal move brings to its target, as it stood before or came from hand. */
static inline Piece position_moved_piece(const Position *pos, Move m)
{
    return move_is_drop(m) ? piece_make(pos->side_to_move, move_dropped(m))
                           : pos->board[move_from(m)];
}

/* Pieces of both colours that attack `square` when `occupied` is what blocks sliders. */
Bitboard position_attackers(const Position *pos, Square square, Bitboard occupied);

/* Enemy pieces that give check to the side to move. */
static inline Bitboard position_checkers(const Position *pos)
{
    return pos->checkers;
}

static inline bool position_in_check(const Position *pos)
{
    return position_checkers(pos) != 0;
}

/* For moves of unknown origin (transposition table, killers): `m` may be any 16 bits. In variants
 * both questions are about a game that goes on, variant_end(). */
bool position_is_pseudo_legal(const Position *pos, Move m);

/* `m` is pseudo-legal: does it leave our king safe? */
bool position_is_legal(const Position *pos, Move m);

/* Both at once: may `m`, any 16 bits, be made here? */
static inline bool position_allows(const Position *pos, Move m)
{
    return position_is_pseudo_legal(pos, m) && position_is_legal(pos, m);
}

/* Is there an en-passant capture, and a legal one? */
bool position_can_take_en_passant(const Position *pos);

/* What `keys` keeps of a position: its key without an en-passant square that allows no capture, so
 * that the same moves make the same position (FIDE 9.2.3). */
static inline uint64_t position_key_in_history(const Position *pos)
{
    bool is_idle = pos->en_passant != SQUARE_NONE && !position_can_take_en_passant(pos);
    return is_idle ? pos->key ^ zobrist_en_passant(pos->en_passant) : pos->key;
}

/* `m` is legal: does it give check? */
bool position_gives_check(const Position *pos, Move m);

/* Works out what follows from the mailbox, the side to move, the castling rights and the en-passant
 * square: all sets and keys. For code that sets up a position square by square (fen.c). */
void position_derive(Position *pos);

/* Checks bitboards, mailbox, occupancy, kings, counters, keys, castling rights and en passant
 * against each other and the rules. False and an Error with the first contradiction. For tests and
 * asserts. */
bool position_validate(const Position *pos, Error *err);
