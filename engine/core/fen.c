/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/core/fen.h"

#include "engine/base/number.h"
#include "engine/core/attacks.h"
#include "engine/core/fen_counts.h"
#include "engine/core/variant_rules.h"

#include <stdio.h>
#include <string.h>

enum { MAX_COUNTER = 9999, CASTLING_ALL = 15 };

/* In the order in which they stand in a FEN; both counters may be missing. */
enum { BOARD, SIDE, CASTLING, EN_PASSANT, HALFMOVE_CLOCK, FULLMOVE_NUMBER, FIELD_COUNT };

typedef struct {
    const char *text;
    size_t len;
} Field;

/* A reading in progress. */
typedef struct {
    Position *pos;
    const VariantRules *rules;
    FenMode mode;
    int dropped; /* claims of the text that the board contradicts; FEN_LENIENT only */
    Error *err;
} Reader;

static const char *const colour_names[COLOUR_COUNT] = { "white", "black" };

/* A claim that does not hold: in strict mode an error (with the formatted text), else dropped. Ends
 * the reading when it returns false. */
#define CONTRADICTED(reader, ...)                                                                  \
    ((reader)->mode == FEN_LENIENT ? ((reader)->dropped++, true)                                   \
                                   : (error_set((reader)->err, ERR_INVALID, __VA_ARGS__), false))

/* Bytes of foreign text as they may stand in a message. */
static char printable(char c)
{
    return (char)(c >= ' ' && c < 127 ? c : '?');
}

static int split(const char *text, Field fields[FIELD_COUNT + 2])
{
    int count = 0;
    while (count <= FIELD_COUNT + 1) {
        text += strspn(text, " \t\r\n");
        if (!*text)
            break;
        size_t len = strcspn(text, " \t\r\n");
        fields[count++] = (Field){ text, len };
        text += len;
    }
    return count;
}

static Piece piece_of_letter(char letter)
{
    for (Piece piece = 0; piece < PIECE_SLOTS; piece++) {
        if (letter != '.' && piece_letter(piece) == letter)
            return piece;
    }
    return PIECE_NONE;
}

/* A mark means nothing on pawns and kings. */
static bool read_promoted_mark(Reader *r, Square square)
{
    PieceType type = piece_type(r->pos->board[square]);
    if (type == PAWN || type == KING)
        return CONTRADICTED(r, "FEN board: a pawn or king is marked as promoted");
    r->pos->variant.promoted |= square_bit(square);
    return true;
}

static bool read_rank(Reader *r, int rank, const char *text, size_t len)
{
    int file = 0;
    bool after_digit = false;
    for (size_t i = 0; i < len; i++) {
        char c = text[i];
        bool is_digit = c >= '1' && c <= '8';
        Piece piece = piece_of_letter(c);
        if (!is_digit && piece == PIECE_NONE) {
            error_set(r->err, ERR_INVALID, "FEN board: rank %d: '%c' is no piece", rank + 1,
                      printable(c));
            return false;
        }
        if (is_digit && after_digit && r->mode == FEN_STRICT) {
            error_set(r->err, ERR_INVALID, "FEN board: rank %d: two numbers in a row", rank + 1);
            return false;
        }
        after_digit = is_digit;
        int width = is_digit ? c - '0' : 1;
        if (file + width > 8) {
            error_set(r->err, ERR_INVALID, "FEN board: rank %d has more than 8 squares", rank + 1);
            return false;
        }
        if (!is_digit)
            r->pos->board[square_make(file, rank)] = piece;
        file += width;
        bool is_marked = r->rules->drops_captures && !is_digit && i + 1 < len && text[i + 1] == '~';
        if (is_marked && !read_promoted_mark(r, square_make(file - 1, rank)))
            return false;
        i += is_marked;
    }
    if (file < 8)
        error_set(r->err, ERR_INVALID, "FEN board: rank %d has %d squares, not 8", rank + 1, file);
    return file == 8;
}

/* Takes the pocket off the end of the board's field: what stands in brackets, or behind the eighth
 * slash. Other rules have none, and the board's reader complains about it. */
static Field cut_pocket(const Reader *r, Field *board)
{
    const char *text = board->text, *end = text + board->len, *start = NULL;
    int slashes = 0;
    for (const char *c = text; c < end && !start; c++) {
        slashes += *c == '/';
        if (*c == '[' || slashes == 8)
            start = c;
    }
    if (!r->rules->drops_captures || !start)
        return (Field){ text, 0 };
    board->len = (size_t)(start - text);
    bool in_brackets = *start == '[' && end[-1] == ']';
    start += in_brackets || *start == '/';
    return (Field){ start, (size_t)(end - start) - in_brackets };
}

static bool read_pocket(Reader *r, Field pocket)
{
    int men = 0;
    for (Square s = 0; s < SQUARE_COUNT; s++)
        men += r->pos->board[s] != PIECE_NONE;
    if (men + (int)pocket.len > POCKET_MOST) {
        error_set(r->err, ERR_INVALID, "FEN pocket: more than %d men with those on the board",
                  POCKET_MOST);
        return false;
    }
    for (size_t i = 0; i < pocket.len; i++) {
        Piece piece = piece_of_letter(pocket.text[i]);
        if (piece == PIECE_NONE || piece_type(piece) >= POCKET_TYPES) {
            error_set(r->err, ERR_INVALID, "FEN pocket: '%c' is no man that can be dropped",
                      printable(pocket.text[i]));
            return false;
        }
        r->pos->variant.pocket[piece_colour(piece)][piece_type(piece)]++;
    }
    return true;
}

static bool read_ranks(Reader *r, Field field)
{
    memset(r->pos->board, PIECE_NONE, sizeof r->pos->board);
    const char *text = field.text, *end = field.text + field.len;
    for (int rank = 7; rank >= 0; rank--) {
        const char *slash = memchr(text, '/', (size_t)(end - text));
        if (!slash != (rank == 0)) {
            error_set(r->err, ERR_INVALID, "FEN board: %s than 8 ranks", slash ? "more" : "fewer");
            return false;
        }
        size_t len = (size_t)((slash ? slash : end) - text);
        if (!read_rank(r, rank, text, len))
            return false;
        text += len + (slash != NULL);
    }
    return true;
}

static bool read_side(Reader *r, Field field)
{
    if (field.len != 1 || (field.text[0] != 'w' && field.text[0] != 'b')) {
        error_set(r->err, ERR_INVALID, "FEN side to move: neither w nor b");
        return false;
    }
    r->pos->side_to_move = field.text[0] == 'w' ? WHITE : BLACK;
    return true;
}

static bool check_kings(Reader *r)
{
    Position other = *r->pos; /* as if the other side were to move */
    Colour us = r->pos->side_to_move, them = us ^ 1;
    other.side_to_move = them;
    position_derive(&other);
    bool is_exploded = r->rules->captures_explode && !r->pos->pieces[us][KING];
    bool kings_touch = !r->rules->captures_explode && r->rules->is_royal[us] &&
                       r->rules->is_royal[them] &&
                       attacks_king(position_king(r->pos, us)) & r->pos->pieces[them][KING];
    if ((other.checkers && !is_exploded) || kings_touch) {
        error_set(r->err, ERR_INVALID, "FEN side to move: %s, but the %s king is in check",
                  colour_names[us], colour_names[them]);
        return false;
    }
    int checkers = bitboard_count(r->pos->checkers);
    if (r->mode == FEN_STRICT && checkers > 2 && !r->rules->captures_explode) {
        error_set(r->err, ERR_INVALID, "FEN board: %d pieces give check at once", checkers);
        return false;
    }
    if (r->mode == FEN_STRICT && checkers > 0 && r->rules->forbids_check) {
        error_set(r->err, ERR_INVALID, "FEN board: %s is in check, which these rules forbid",
                  colour_names[us]);
        return false;
    }
    return true;
}

/* The squares from one to the other, both included; they share a rank. */
static Bitboard path(Square a, Square b)
{
    return attacks_between(a, b) | square_bit(a) | square_bit(b);
}

static void add_right(Position *pos, unsigned index, Square rook)
{
    CastlingRules *rules = &pos->rules;
    Colour c = index < 2 ? WHITE : BLACK;
    bool king_side = index % 2 == CASTLING_KING_SIDE;
    Square king = position_king(pos, c);
    Square king_to = square_make(king_side ? FILE_G : FILE_C, 7 * c);
    Square rook_to = square_make(king_side ? FILE_F : FILE_D, 7 * c);
    CastlingRights right = (CastlingRights)(1U << index);
    pos->castling |= right;
    rules->rook_from[index] = rook;
    rules->must_be_safe[index] = path(king, king_to);
    rules->must_be_empty[index] =
        (path(king, king_to) | path(rook, rook_to)) & ~square_bit(king) & ~square_bit(rook);
    rules->keep[king] &= (CastlingRights)~right;
    rules->keep[rook] &= (CastlingRights)~right;
    rules->chess960 |=
        square_file(king) != FILE_E || square_file(rook) != (king_side ? FILE_H : FILE_A);
}

/* The outermost rook on that wing of the king, SQUARE_NONE without one. */
static Square outermost_rook(const Position *pos, Colour c, bool king_side)
{
    Square king = position_king(pos, c);
    Square corner = square_make(king_side ? FILE_H : FILE_A, 7 * c);
    for (Square s = corner; s != king; s = king_side ? s - 1 : s + 1) {
        if (pos->board[s] == piece_make(c, ROOK))
            return s;
    }
    return SQUARE_NONE;
}

static bool read_right(Reader *r, char letter)
{
    Position *pos = r->pos;
    Colour c = letter >= 'a' ? BLACK : WHITE;
    char upper = (char)(letter & ~32);
    if (!r->rules->castles[c] || !pos->pieces[c][KING])
        return CONTRADICTED(r, "FEN castling: '%c': %s never castles here", letter,
                            colour_names[c]);
    Square king = position_king(pos, c), rook = SQUARE_NONE;
    bool king_side = upper == 'K';
    if (square_rank(king) != 7 * c)
        return CONTRADICTED(r, "FEN castling: '%c': the %s king is not on its first rank", letter,
                            colour_names[c]);
    if (upper == 'K' || upper == 'Q') {
        rook = outermost_rook(pos, c, king_side);
    } else {
        Square square = square_make(upper - 'A', 7 * c);
        king_side = square > king;
        rook = pos->board[square] == piece_make(c, ROOK) ? square : SQUARE_NONE;
    }
    if (rook == SQUARE_NONE)
        return CONTRADICTED(r, "FEN castling: '%c': %s has no rook there", letter, colour_names[c]);
    unsigned index = c * 2U + (king_side ? CASTLING_KING_SIDE : CASTLING_QUEEN_SIDE);
    if (pos->castling >> index & 1)
        return CONTRADICTED(r, "FEN castling: '%c': that wing's right is given twice", letter);
    add_right(pos, index, rook);
    return true;
}

static bool read_castling(Reader *r, Field field)
{
    memset(r->pos->rules.keep, CASTLING_ALL, sizeof r->pos->rules.keep);
    if (field.len == 1 && field.text[0] == '-')
        return true;
    for (size_t i = 0; i < field.len; i++) {
        char c = field.text[i], upper = (char)(c & ~32);
        bool is_letter = (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
        bool is_right = is_letter && (upper <= 'H' || upper == 'K' || upper == 'Q');
        bool ok = is_right ? read_right(r, c)
                           : CONTRADICTED(r, "FEN castling: '%c' is no right", printable(c));
        if (!ok)
            return false;
    }
    return true;
}

/* Could the last move have been the double push that `square` stands for? A piece that gives check
 * now must not have done so before it, when it was the enemy's turn. A check that the push would
 * have blocked is as impossible, but stands in well-known test positions. */
static bool double_push_was_possible(const Position *pos, Square square)
{
    Colour us = pos->side_to_move, them = us ^ 1;
    Square pawn = us == WHITE ? square - 8 : square + 8;
    Square origin = us == WHITE ? square + 8 : square - 8;
    if (square_rank(square) != (us == WHITE ? RANK_6 : RANK_3) ||
        pos->board[square] != PIECE_NONE || pos->board[origin] != PIECE_NONE ||
        pos->board[pawn] != piece_make(them, PAWN))
        return false;
    if (!pos->checkers)
        return true;
    Bitboard before = pos->occupied ^ square_bit(pawn) ^ square_bit(origin);
    Bitboard attackers = position_attackers(pos, position_king(pos, us), before);
    return !(attackers & pos->checkers & ~square_bit(pawn));
}

static bool read_en_passant(Reader *r, Field field)
{
    const char *text = field.text;
    r->pos->en_passant = SQUARE_NONE;
    if (field.len == 1 && text[0] == '-')
        return true;
    bool is_square =
        field.len == 2 && text[0] >= 'a' && text[0] <= 'h' && text[1] >= '1' && text[1] <= '8';
    if (!is_square)
        return CONTRADICTED(r, "FEN en passant: neither a square nor -");
    Square square = square_make(text[0] - 'a', text[1] - '1');
    if (!double_push_was_possible(r->pos, square))
        return CONTRADICTED(r, "FEN en passant: no pawn can just have passed %.2s", text);
    Colour us = r->pos->side_to_move;
    if (attacks_pawn(us ^ 1, square) & r->pos->pieces[us][PAWN])
        r->pos->en_passant = square;
    return true;
}

static bool read_counter(Reader *r, Field field, const char *name, int least, uint16_t *out)
{
    int64_t value;
    Error why = { 0 };
    *out = (uint16_t)least;
    if (!number_parse(field.text, field.len, least, MAX_COUNTER, &value, &why))
        return CONTRADICTED(r, "FEN %s: not a number from %d to %d", name, least, MAX_COUNTER);
    *out = (uint16_t)value;
    return true;
}

static bool read_counters(Reader *r, const Field *fields, int count)
{
    r->pos->halfmove_clock = 0;
    r->pos->fullmove_number = 1;
    if (count > HALFMOVE_CLOCK &&
        !read_counter(r, fields[HALFMOVE_CLOCK], "halfmove clock", 0, &r->pos->halfmove_clock))
        return false;
    return count <= FULLMOVE_NUMBER ||
           read_counter(r, fields[FULLMOVE_NUMBER], "fullmove number", 1, &r->pos->fullmove_number);
}

/* One digit from 0 to CHECKS_TO_WIN. */
static bool is_check_count(char c)
{
    return c >= '0' && c <= '0' + CHECKS_TO_WIN;
}

/* "+1+0" counts checks given by White and by Black, "2+3" those that they still have to give. */
static bool read_checks(Reader *r, Field field)
{
    uint8_t *given = r->pos->variant.checks_given;
    const char *t = field.text;
    if (field.len == 4 && t[0] == '+' && is_check_count(t[1]) && t[2] == '+' &&
        is_check_count(t[3])) {
        given[WHITE] = (uint8_t)(t[1] - '0');
        given[BLACK] = (uint8_t)(t[3] - '0');
        return true;
    }
    if (field.len == 3 && is_check_count(t[0]) && t[1] == '+' && is_check_count(t[2])) {
        given[WHITE] = (uint8_t)(CHECKS_TO_WIN - (t[0] - '0'));
        given[BLACK] = (uint8_t)(CHECKS_TO_WIN - (t[2] - '0'));
        return true;
    }
    return CONTRADICTED(r, "FEN checks: neither like 3+3 (left) nor like +0+0 (given)");
}

/* Takes the field of checks out of the others: it is the fifth or the last of seven. */
static bool cut_checks(Reader *r, Field *fields, int *count)
{
    if (!r->rules->counts_checks)
        return true;
    int at = *count > HALFMOVE_CLOCK &&
                     memchr(fields[HALFMOVE_CLOCK].text, '+', fields[HALFMOVE_CLOCK].len)
                 ? HALFMOVE_CLOCK
                 : FIELD_COUNT;
    if (*count <= at)
        return true;
    Field checks = fields[at];
    --*count;
    memmove(&fields[at], &fields[at + 1], sizeof(Field) * (size_t)(*count - at));
    return read_checks(r, checks);
}

bool fen_read(Position *pos, const char *text, FenMode mode, int *dropped, Error *err)
{
    return fen_read_as(pos, RULES_STANDARD, text, mode, dropped, err);
}

bool fen_read_as(Position *pos, Ruleset ruleset, const char *text, FenMode mode, int *dropped,
                 Error *err)
{
    Field fields[FIELD_COUNT + 2];
    int count = split(text, fields);
    Position read;
    memset(&read, 0, sizeof read);
    read.ruleset = ruleset;
    Reader r = { .pos = &read, .rules = variant_rules(&read), .mode = mode, .err = err };
    if (!cut_checks(&r, fields, &count))
        return false;
    bool count_is_right =
        mode == FEN_STRICT ? count == 4 || count == 6 : count >= 4 && count <= FIELD_COUNT;
    if (!count_is_right) {
        error_set(err, ERR_INVALID, "FEN: %d fields%s, not 4 or 6", count < 7 ? count : 7,
                  count < 7 ? "" : " or more");
        return false;
    }
    Field pocket = cut_pocket(&r, &fields[BOARD]);
    if (!read_ranks(&r, fields[BOARD]) || !read_pocket(&r, pocket) ||
        !fen_check_pieces(&read, mode, err) || !read_side(&r, fields[SIDE]))
        return false;
    read.en_passant = SQUARE_NONE;
    position_derive(&read);
    if (!check_kings(&r) || !read_castling(&r, fields[CASTLING]) ||
        !read_en_passant(&r, fields[EN_PASSANT]) || !read_counters(&r, fields, count))
        return false;
    position_derive(&read);
    assert(position_validate(&read, NULL));
    *pos = read;
    if (dropped)
        *dropped = r.dropped;
    return true;
}

static char *put_board(char *out, const Position *pos)
{
    for (int rank = 7; rank >= 0; rank--) {
        int empty = 0;
        for (int file = 0; file < 8; file++) {
            Piece piece = pos->board[square_make(file, rank)];
            if (piece == PIECE_NONE) {
                empty++;
                continue;
            }
            if (empty)
                *out++ = (char)('0' + empty);
            empty = 0;
            *out++ = piece_letter(piece);
            if (bitboard_has(pos->variant.promoted, square_make(file, rank)))
                *out++ = '~';
        }
        if (empty)
            *out++ = (char)('0' + empty);
        if (rank > 0)
            *out++ = '/';
    }
    return out;
}

static char *put_pocket(char *out, const Position *pos)
{
    *out++ = '[';
    for (Colour c = WHITE; c < COLOUR_COUNT; c++) {
        for (PieceType t = POCKET_TYPES; t-- > PAWN;) {
            for (int i = 0; i < pos->variant.pocket[c][t]; i++)
                *out++ = piece_letter(piece_make(c, t));
        }
    }
    *out++ = ']';
    return out;
}

static char *put_castling(char *out, const Position *pos)
{
    for (unsigned i = 0; i < 4; i++) {
        if (!(pos->castling >> i & 1))
            continue;
        Colour c = i < 2 ? WHITE : BLACK;
        bool king_side = i % 2 == CASTLING_KING_SIDE;
        Square rook = pos->rules.rook_from[i];
        char letter = king_side ? 'K' : 'Q';
        if (outermost_rook(pos, c, king_side) != rook)
            letter = (char)('A' + square_file(rook));
        *out++ = c == WHITE ? letter : (char)(letter | 32);
    }
    if (!pos->castling)
        *out++ = '-';
    return out;
}

void fen_write(const Position *pos, char out[FEN_SIZE])
{
    char *end = put_board(out, pos);
    if (variant_rules(pos)->drops_captures)
        end = put_pocket(end, pos);
    *end++ = ' ';
    *end++ = pos->side_to_move == WHITE ? 'w' : 'b';
    *end++ = ' ';
    end = put_castling(end, pos);
    *end++ = ' ';
    if (pos->en_passant == SQUARE_NONE) {
        *end++ = '-';
    } else {
        *end++ = (char)('a' + square_file(pos->en_passant));
        *end++ = (char)('1' + square_rank(pos->en_passant));
    }
    if (variant_rules(pos)->counts_checks) {
        *end++ = ' ';
        *end++ = (char)('0' + CHECKS_TO_WIN - pos->variant.checks_given[WHITE]);
        *end++ = '+';
        *end++ = (char)('0' + CHECKS_TO_WIN - pos->variant.checks_given[BLACK]);
    }
    size_t room = FEN_SIZE - (size_t)(end - out);
    int wrote = snprintf(end, room, " %u %u", pos->halfmove_clock, pos->fullmove_number);
    assert(wrote > 0 && (size_t)wrote < room);
    (void)wrote;
}
