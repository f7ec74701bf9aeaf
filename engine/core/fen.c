/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/core/fen.h"

#include "engine/base/number.h"
#include "engine/core/attacks.h"

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

static int split(const char *text, Field fields[FIELD_COUNT + 1])
{
    int count = 0;
    while (count <= FIELD_COUNT) {
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
    }
    if (file < 8)
        error_set(r->err, ERR_INVALID, "FEN board: rank %d has %d squares, not 8", rank + 1, file);
    return file == 8;
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

/* What no game's board can hold. Counts that only the course of a game forbids are checked in
 * strict mode alone, because the server accepts any position that people set up. */
static bool check_pieces(Reader *r)
{
    int counts[COLOUR_COUNT][PIECE_TYPE_COUNT] = { 0 };
    int totals[COLOUR_COUNT] = { 0 };
    for (Square s = 0; s < SQUARE_COUNT; s++) {
        Piece piece = r->pos->board[s];
        if (piece == PIECE_NONE)
            continue;
        counts[piece_colour(piece)][piece_type(piece)]++;
        totals[piece_colour(piece)]++;
        if (piece_type(piece) == PAWN && (square_rank(s) == RANK_1 || square_rank(s) == RANK_8)) {
            error_set(r->err, ERR_INVALID, "FEN board: a pawn stands on rank %d",
                      square_rank(s) + 1);
            return false;
        }
    }
    for (Colour c = WHITE; c < COLOUR_COUNT; c++) {
        const int *n = counts[c];
        const char *name = colour_names[c];
        if (n[KING] != 1) {
            error_set(r->err, ERR_INVALID, "FEN board: %s has %d kings, not 1", name, n[KING]);
            return false;
        }
        if (r->mode == FEN_LENIENT)
            continue;
        if (n[PAWN] > 8 || totals[c] > 16) {
            error_set(r->err, ERR_INVALID, "FEN board: %s has %d pawns and %d pieces in all", name,
                      n[PAWN], totals[c]);
            return false;
        }
        static const int at_first[PIECE_TYPE_COUNT] = { 8, 2, 2, 2, 1, 1 };
        int promoted = 0;
        for (PieceType t = KNIGHT; t <= QUEEN; t++)
            promoted += n[t] > at_first[t] ? n[t] - at_first[t] : 0;
        if (promoted > 8 - n[PAWN]) {
            error_set(r->err, ERR_INVALID, "FEN board: %s has more promoted pieces than pawns gone",
                      name);
            return false;
        }
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
    const Position *pos = r->pos;
    Colour them = pos->side_to_move ^ 1;
    Bitboard checkers = position_attackers(pos, position_king(pos, them), pos->occupied) &
                        pos->occupied_by[pos->side_to_move];
    if (checkers) {
        error_set(r->err, ERR_INVALID, "FEN side to move: %s, but the %s king is in check",
                  colour_names[pos->side_to_move], colour_names[them]);
        return false;
    }
    if (r->mode == FEN_STRICT && bitboard_count(pos->checkers) > 2) {
        error_set(r->err, ERR_INVALID, "FEN board: %d pieces give check at once",
                  bitboard_count(pos->checkers));
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

bool fen_read(Position *pos, const char *text, FenMode mode, int *dropped, Error *err)
{
    Field fields[FIELD_COUNT + 1];
    int count = split(text, fields);
    bool count_is_right =
        mode == FEN_STRICT ? count == 4 || count == 6 : count >= 4 && count <= FIELD_COUNT;
    if (!count_is_right) {
        error_set(err, ERR_INVALID, "FEN: %d fields%s, not 4 or 6", count < 7 ? count : 7,
                  count < 7 ? "" : " or more");
        return false;
    }
    Position read;
    memset(&read, 0, sizeof read);
    Reader r = { .pos = &read, .mode = mode, .err = err };
    if (!read_ranks(&r, fields[BOARD]) || !check_pieces(&r) || !read_side(&r, fields[SIDE]))
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
        }
        if (empty)
            *out++ = (char)('0' + empty);
        *out++ = rank > 0 ? '/' : ' ';
    }
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
    size_t room = FEN_SIZE - (size_t)(end - out);
    int wrote = snprintf(end, room, " %u %u", pos->halfmove_clock, pos->fullmove_number);
    assert(wrote > 0 && (size_t)wrote < room);
    (void)wrote;
}
