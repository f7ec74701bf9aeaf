/* SPDX-License-Identifier: GPL-3.0-or-later */
/* packed_position.h - a position in 32 bytes, with the score and the result that a network learns
 * from. It is the training record, and the start of each game in the archive. Records of variants
 * have 32 more bytes for what chess does not know.
 *
 * The struct is the file format: little-endian, no padding. Score and result are White's, whoever
 * moves; only the trainer's decoder turns them to the side to move. Values; pure; any thread. */
#pragma once
#include "engine/core/position.h"

/* Scores of training records: so many are one logit, whatever the labeller's centipawn was. */
enum { PACKED_SCORE_LOGIT = 200, PACKED_SCORE_MAX = 32000 };

/* Men that a record has room for, without and with the second half. */
enum { PACKED_MEN_MAX = 32, PACKED_VARIANT_MEN_MAX = 52 };

enum { PACKED_WHITE_LOST, PACKED_DRAWN, PACKED_WHITE_WON };

/* Bits of `flags`; bits 4 to 7 are castling rights in the order of CastlingRights. */
enum {
    PACKED_BLACK_TO_MOVE = 1,
    PACKED_FIRST_OF_GAME = 2,  /* of the records kept of a game: whole games are split by it */
    PACKED_NO_RESULT = 4,      /* a random move came later: the result tells nothing here */
    PACKED_CASTLING_SHIFT = 4, /* rights = flags >> 4 */
};

typedef struct {
    uint64_t occupied;  /* bit 0 is a1 */
    uint8_t pieces[16]; /* 4 bits each, in the order of the occupied squares from a1 on, the low
                           half of a byte first: 6 * colour + type; unused ones 0 */
    int16_t score;      /* White's view, 200 = one logit, within ±PACKED_SCORE_MAX */
    uint8_t result;     /* White's points in halves */
    uint8_t flags;
    uint8_t en_passant;     /* square behind the pawn that just moved two, or 64 */
    uint8_t halfmove_clock; /* at most 255 */
    uint16_t ply;           /* of the game */
} PackedPosition;

static_assert(sizeof(PackedPosition) == 32, "the record's layout is a file format");
static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "records are read as they lie in files");

/* The second half of a variant's record. */
typedef struct {
    uint64_t promoted;  /* crazyhouse: as in VariantState, like the two that follow */
    uint8_t pieces[10]; /* of the men behind the first 32, a horde's, in the same way */
    uint8_t pocket[COLOUR_COUNT][POCKET_TYPES];
    uint8_t checks_given[COLOUR_COUNT];
    Ruleset ruleset;
    uint8_t zero;
} PackedVariant;

static_assert(sizeof(PackedVariant) == 32, "the record's layout is a file format");

/* Colour and type of the `index`-th piece, counted from a1 on; not checked: a code above 11 stands
 * only in foreign bytes, which packed_position_read() refuses. */
static inline unsigned packed_position_code(const PackedPosition *packed, int index)
{
    return packed->pieces[index >> 1] >> (index & 1 ? 4 : 0) & 15;
}

/* The same with a second half, where a variant has one; else NULL. */
static inline unsigned packed_code(const PackedPosition *packed, const PackedVariant *variant,
                                   int index)
{
    if (index < PACKED_MEN_MAX)
        return packed_position_code(packed, index);
    index -= PACKED_MEN_MAX;
    return variant->pieces[index >> 1] >> (index & 1 ? 4 : 0) & 15;
}

static inline unsigned packed_code_of(Piece piece)
{
    return (unsigned)piece_colour(piece) * PIECE_TYPE_COUNT + piece_type(piece);
}

/* The men of a record of chess by their squares: codes, or PACKED_EMPTY. */
enum { PACKED_EMPTY = COLOUR_COUNT * PIECE_TYPE_COUNT };

typedef struct {
    uint8_t codes[SQUARE_COUNT];
} PackedBoard;

/* Of a record that packed_position_of() made. */
PackedBoard packed_board_of(const PackedPosition *packed);

/* Puts at most PACKED_MEN_MAX men in place of the record's. */
void packed_board_put(PackedPosition *packed, const PackedBoard *board);

/* Packs the position, which has at most PACKED_MEN_MAX men, in variants PACKED_VARIANT_MEN_MAX;
 * score, result, ply and the flags of games are 0. Of castling the rights are kept, not the rooks.
 */
PackedPosition packed_position_of(const Position *pos);
PackedVariant packed_variant_of(const Position *pos);

/* Stands for the usual start of these rules, which are not chess's: no men, and the rules' number
 * instead of the first ones. */
PackedPosition packed_start_of(Ruleset ruleset);

/* The rules of a start that packed_position_read() takes. */
Ruleset packed_start_rules(const PackedPosition *start);

/* The position again, from bytes of unknown origin: one of chess, or the usual start of a variant.
 * Castling rights are taken to mean the outermost rook, as at the start of every game. Score,
 * result and the flags of games are not looked at. False and an Error when it is no legal position;
 * *pos is then untouched. */
bool packed_position_read(Position *pos, const PackedPosition *packed, Error *err) MUST_CHECK;

/* The same for a record of a variant. */
bool packed_variant_read(Position *pos, const PackedPosition *packed, const PackedVariant *variant,
                         Error *err) MUST_CHECK;
