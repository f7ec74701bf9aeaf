/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/train/packed_position.h"

#include "engine/core/fen.h"
#include "engine/core/variant_rules.h"
#include "engine/base/check.h"

#include <stdio.h>
#include <string.h>

enum { BOARD_SIZE = 144, POCKET_SIZE = 72, POCKET_ROOM_FOR = 16 }; /* texts */

/* Writes a code, of a man that `codes` has no bits of yet. */
static void code_put(uint8_t *codes, int index, unsigned code)
{
    codes[index >> 1] |= (uint8_t)(code << (index & 1 ? 4 : 0));
}

PackedPosition packed_position_of(const Position *pos)
{
    PackedPosition packed = { .occupied = pos->occupied, .en_passant = SQUARE_NONE };
    Bitboard left = pos->occupied;
    CHECK(bitboard_count(left) <=
          (position_is_chess(pos) ? PACKED_MEN_MAX : PACKED_VARIANT_MEN_MAX));
    for (int index = 0; left && index < PACKED_MEN_MAX; index++)
        code_put(packed.pieces, index, packed_code_of(pos->board[bitboard_pop(&left)]));
    packed.flags = (uint8_t)(pos->castling << PACKED_CASTLING_SHIFT |
                             (pos->side_to_move == BLACK ? PACKED_BLACK_TO_MOVE : 0));
    packed.en_passant = pos->en_passant;
    packed.halfmove_clock = (uint8_t)(pos->halfmove_clock < 255 ? pos->halfmove_clock : 255);
    return packed;
}

PackedVariant packed_variant_of(const Position *pos)
{
    PackedVariant packed = { .promoted = pos->variant.promoted, .ruleset = pos->ruleset };
    int index = -PACKED_MEN_MAX;
    CHECK(bitboard_count(pos->occupied) <= PACKED_VARIANT_MEN_MAX);
    for (Bitboard left = pos->occupied; left; index++) {
        Square square = bitboard_pop(&left);
        if (index >= 0)
            code_put(packed.pieces, index, packed_code_of(pos->board[square]));
    }
    memcpy(packed.pocket, pos->variant.pocket, sizeof packed.pocket);
    memcpy(packed.checks_given, pos->variant.checks_given, sizeof packed.checks_given);
    return packed;
}

PackedBoard packed_board_of(const PackedPosition *packed)
{
    PackedBoard board;
    int index = 0;
    memset(board.codes, PACKED_EMPTY, sizeof board.codes);
    for (Bitboard left = packed->occupied; left; index++)
        board.codes[bitboard_pop(&left)] = (uint8_t)packed_position_code(packed, index);
    return board;
}

void packed_board_put(PackedPosition *packed, const PackedBoard *board)
{
    int index = 0;
    packed->occupied = 0;
    memset(packed->pieces, 0, sizeof packed->pieces);
    for (int square = 0; square < SQUARE_COUNT; square++) {
        if (board->codes[square] == PACKED_EMPTY)
            continue;
        CHECK(index < PACKED_MEN_MAX);
        packed->occupied |= square_bit((Square)square);
        code_put(packed->pieces, index++, board->codes[square]);
    }
}

PackedPosition packed_start_of(Ruleset ruleset)
{
    assert(ruleset > RULES_STANDARD && ruleset < RULESET_COUNT);
    return (PackedPosition){ .pieces = { ruleset }, .en_passant = SQUARE_NONE };
}

Ruleset packed_start_rules(const PackedPosition *start)
{
    return start->occupied ? RULES_STANDARD : start->pieces[0];
}

/* The board as FEN has it; false when a code is no piece. */
static bool board_write(const PackedPosition *packed, const PackedVariant *variant,
                        char out[BOARD_SIZE])
{
    char board[SQUARE_COUNT] = { 0 };
    int index = 0;
    for (Bitboard left = packed->occupied; left; index++) {
        Square square = bitboard_pop(&left);
        unsigned code = packed_code(packed, variant, index);
        if (code >= PACKED_EMPTY)
            return false;
        board[square_flip(square)] = "PNBRQKpnbrqk"[code];
    }
    for (int square = 0; square < SQUARE_COUNT; square++) {
        bool after_digit = square % 8 && !board[square - 1];
        if (square && square % 8 == 0)
            *out++ = '/';
        if (board[square])
            *out++ = board[square];
        else if (after_digit)
            out[-1]++;
        else
            *out++ = '1';
        if (variant && bitboard_has(variant->promoted, square_flip((Square)square)))
            *out++ = '~';
    }
    *out = 0;
    return true;
}

/* The pockets as FEN has them; false when they hold more than any game's. */
static bool pocket_write(const PackedVariant *variant, char out[POCKET_SIZE])
{
    int men = 0;
    for (int i = 0; i < COLOUR_COUNT * POCKET_TYPES; i++)
        men += variant->pocket[i / POCKET_TYPES][i % POCKET_TYPES];
    if (men > POCKET_MOST)
        return false;
    *out++ = '[';
    for (int i = 0; i < COLOUR_COUNT * POCKET_TYPES; i++)
        for (int n = variant->pocket[i / POCKET_TYPES][i % POCKET_TYPES]; n > 0; n--)
            *out++ = "PNBRQpnbrq"[i];
    memcpy(out, "]", 2);
    return true;
}

/* The fields behind the board, but for checks given. */
typedef struct {
    char rights[5], square[3];
} Fields;

static Fields fields_of(const PackedPosition *packed)
{
    Fields fields = { "-", "-" };
    unsigned castling = packed->flags >> PACKED_CASTLING_SHIFT;
    int count = 0;
    for (int right = 0; right < 4; right++) {
        if (castling >> right & 1)
            fields.rights[count++] = "KQkq"[right];
    }
    if (packed->en_passant < SQUARE_NONE) {
        fields.square[0] = (char)('a' + packed->en_passant % 8);
        fields.square[1] = (char)('1' + packed->en_passant / 8);
    }
    return fields;
}

static bool read_start(Position *pos, const PackedPosition *packed, Error *err)
{
    PackedPosition start = *packed;
    Ruleset ruleset = packed->pieces[0];
    if (ruleset <= RULES_STANDARD || ruleset >= RULESET_COUNT) {
        error_set(err, ERR_INVALID, "packed position: no men, and rules %u", ruleset);
        return false;
    }
    start = packed_start_of(ruleset);
    if (memcmp(start.pieces, packed->pieces, sizeof start.pieces) == 0 &&
        packed->en_passant == SQUARE_NONE && packed->flags >> PACKED_CASTLING_SHIFT == 0)
        return fen_read_as(pos, ruleset, variant_rules_table[ruleset].start_fen, FEN_STRICT, NULL,
                           err);
    error_set(err, ERR_INVALID, "packed position: no men, and not a variant's start");
    return false;
}

/* The rules of what is legal stand in fen.c once; so the record passes through its text. */
static bool read_by_fen(Position *pos, const PackedPosition *packed, const PackedVariant *variant,
                        Error *err)
{
    char board[BOARD_SIZE], pocket[POCKET_SIZE] = "", checks[12] = "", fen[256];
    int men = bitboard_count(packed->occupied);
    Ruleset ruleset = variant ? variant->ruleset : RULES_STANDARD;
    if (men > (variant ? PACKED_VARIANT_MEN_MAX : PACKED_MEN_MAX) ||
        packed->en_passant > SQUARE_NONE || !board_write(packed, variant, board)) {
        error_set(err, ERR_INVALID, "packed position: no board (%d men, en-passant square %d)", men,
                  packed->en_passant);
        return false;
    }
    if (variant_rules_table[ruleset].drops_captures && !pocket_write(variant, pocket)) {
        error_set(err, ERR_INVALID, "packed position: more than %d men in hand", POCKET_MOST);
        return false;
    }
    if (variant_rules_table[ruleset].counts_checks)
        (void)!snprintf(checks, sizeof checks, " +%u+%u", variant->checks_given[WHITE],
                        variant->checks_given[BLACK]);
    const Fields fields = fields_of(packed);
    int len = snprintf(fen, sizeof fen, "%s%s %c %s %s %d %d%s", board, pocket,
                       packed->flags & PACKED_BLACK_TO_MOVE ? 'b' : 'w', fields.rights,
                       fields.square, packed->halfmove_clock, packed->ply / 2 + 1, checks);
    assert(len > 0 && len < (int)sizeof fen);
    (void)len;
    return fen_read_as(pos, ruleset, fen, FEN_STRICT, NULL, err);
}

bool packed_position_read(Position *pos, const PackedPosition *packed, Error *err)
{
    return packed->occupied ? read_by_fen(pos, packed, NULL, err) : read_start(pos, packed, err);
}

/* What the rules have no use for must be empty, so that a position has one record. */
static bool variant_check(const PackedVariant *variant, Error *err)
{
    static const PackedVariant empty;
    bool ok =
        variant->ruleset > RULES_STANDARD && variant->ruleset < RULESET_COUNT && variant->zero == 0;
    if (ok && !variant_rules_table[variant->ruleset].drops_captures)
        ok = variant->promoted == 0 &&
             memcmp(variant->pocket, empty.pocket, sizeof empty.pocket) == 0;
    if (ok && !variant_rules_table[variant->ruleset].counts_checks)
        ok = variant->checks_given[WHITE] == 0 && variant->checks_given[BLACK] == 0;
    if (!ok)
        error_set(err, ERR_INVALID, "packed position: no variant's");
    return ok;
}

bool packed_variant_read(Position *pos, const PackedPosition *packed, const PackedVariant *variant,
                         Error *err)
{
    return variant_check(variant, err) && read_by_fen(pos, packed, variant, err);
}
