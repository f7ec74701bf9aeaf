/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/tablebase/encoding.h"

#include <string.h>

enum {
    /* Leading groups of three: pairs and triples by how many stand on the long diagonal. */
    BELOW_TRIANGLE = 6,
    BELOW_DIAGONAL = 28,
    DIAGONAL_HALF = 4, /* a1-d4 */
    THREE_SIZE = 31332,
    KINGS_SIZE = 462,
    PAWN_SQUARES = 48,
    SQUARES_BELOW_PAWNS = 8,
    SLOTS = 8, /* squares are turned all at once, in use or not: one 64-bit word */
};

/* > 0 above the diagonal a1-h8, < 0 below it. */
static int above_diagonal(Square square)
{
    return square_rank(square) - square_file(square);
}

static Square mirror_file(Square square)
{
    return square ^ 7;
}

static Square mirror_diagonal(Square square)
{
    return square_make(square_rank(square), square_file(square));
}

static void choose_init(EncodingLookup *t)
{
    for (int n = 0; n < SQUARE_COUNT; n++) {
        t->choose[0][n] = 1;
        for (int k = 1; k <= ENCODING_PAWNS_MAX; k++)
            t->choose[k][n] = n == 0 ? 0 : t->choose[k - 1][n - 1] + t->choose[k][n - 1];
    }
}

static void triangles_init(EncodingLookup *t)
{
    uint8_t below = 0;
    uint8_t triangle = 0;
    for (Square s = 0; s < SQUARE_COUNT; s++) {
        if (above_diagonal(s) < 0)
            t->below[s] = below++;
        if (above_diagonal(s) < 0 && square_file(s) < ENCODING_FILES)
            t->triangle[s] = triangle++;
    }
    for (int i = 0; i < DIAGONAL_HALF; i++)
        t->triangle[square_make(i, i)] = triangle++;
}

static bool squares_touch(Square a, Square b)
{
    int files = square_file(a) - square_file(b);
    int ranks = square_rank(a) - square_rank(b);
    return files * files <= 1 && ranks * ranks <= 1;
}

/* Pairs of kings, the first in the triangle; when it stands on the diagonal, the second is not
 * above. Pairs with both on the diagonal come last. */
static void kings_init(EncodingLookup *t)
{
    uint16_t next = 0;
    for (int both_on_diagonal = 0; both_on_diagonal <= 1; both_on_diagonal++) {
        for (int first = 0; first < BELOW_TRIANGLE + DIAGONAL_HALF; first++) {
            Square a = 0;
            while (square_file(a) >= ENCODING_FILES || above_diagonal(a) > 0 ||
                   t->triangle[a] != first)
                a++;
            for (Square b = 0; b < SQUARE_COUNT; b++) {
                bool on_diagonal = above_diagonal(a) == 0 && above_diagonal(b) == 0;
                if (squares_touch(a, b) || on_diagonal != both_on_diagonal ||
                    (above_diagonal(a) == 0 && above_diagonal(b) > 0))
                    continue;
                t->kings[first][b] = next++;
            }
        }
    }
    assert(next == KINGS_SIZE);
}

/* No other leading pawn stands nearer the edge than the leader, or on its file or the mirrored one
 * on a lower rank: pawn_rank is the number of squares left for them. */
static void pawns_init(EncodingLookup *t)
{
    for (int file = 0; file < ENCODING_FILES; file++)
        for (int rank = RANK_2; rank <= RANK_7; rank++) {
            int left = PAWN_SQUARES - 1 - 12 * file - 2 * (rank - RANK_2);
            t->pawn_rank[square_make(file, rank)] = (uint8_t)left;
            t->pawn_rank[mirror_file(square_make(file, rank))] = (uint8_t)(left - 1);
        }
    for (int pawns = 1; pawns <= ENCODING_PAWNS_MAX; pawns++)
        for (int file = 0; file < ENCODING_FILES; file++) {
            uint32_t index = 0;
            for (int rank = RANK_2; rank <= RANK_7; rank++) {
                Square leader = square_make(file, rank);
                t->lead_pawns[pawns][leader] = index;
                index += t->choose[pawns - 1][t->pawn_rank[leader]];
            }
            t->lead_pawns_size[pawns][file] = index;
        }
}

void encoding_lookup_init(EncodingLookup *tables)
{
    memset(tables, 0, sizeof *tables);
    choose_init(tables);
    triangles_init(tables);
    kings_init(tables);
    pawns_init(tables);
}

Colour encoding_lead_colour(MaterialKey key)
{
    int white = material_count(key, WHITE, PAWN);
    int black = material_count(key, BLACK, PAWN);
    return white > 0 && (black == 0 || white <= black) ? WHITE : BLACK;
}

/* Are these the material's pieces, equal ones side by side? */
static bool pieces_match(MaterialKey key, const Piece *pieces, int piece_count)
{
    MaterialKey seen = 0;
    bool kings[COLOUR_COUNT] = { false, false };
    for (int i = 0; i < piece_count; i++) {
        Colour colour = piece_colour(pieces[i]);
        PieceType type = piece_type(pieces[i]);
        if (type > KING)
            return false;
        if (i > 0 && pieces[i] == pieces[i - 1] && type != KING) {
            seen += (MaterialKey)1 << material_shift(colour, type);
            continue;
        }
        if (type == KING ? kings[colour] : material_count(seen, colour, type) > 0)
            return false;
        if (type == KING)
            kings[colour] = true;
        else
            seen += (MaterialKey)1 << material_shift(colour, type);
    }
    return seen == key && kings[WHITE] && kings[BLACK];
}

static bool kind_occurs_once(MaterialKey key, Piece piece)
{
    return piece_type(piece) == KING ||
           material_count(key, piece_colour(piece), piece_type(piece)) == 1;
}

static EncodingLead lead_of(MaterialKey key)
{
    int once = 2; /* the kings */
    for (Colour colour = WHITE; colour <= BLACK; colour++) {
        if (material_count(key, colour, PAWN) > 0)
            return LEAD_PAWNS;
        for (PieceType type = KNIGHT; type < KING; type++)
            once += material_count(key, colour, type) == 1;
    }
    return once > 2 ? LEAD_THREE : LEAD_KINGS;
}

/* Does the list begin as its leading group must? */
static bool lead_fits(const Encoding *e, MaterialKey key)
{
    switch (e->lead) {
    case LEAD_PAWNS:
        return e->pieces[0] == piece_make(encoding_lead_colour(key), PAWN) &&
               (!e->second_is_pawns ||
                piece_type(e->pieces[material_count(key, encoding_lead_colour(key), PAWN)]) ==
                    PAWN);
    case LEAD_THREE:
        return kind_occurs_once(key, e->pieces[0]) && kind_occurs_once(key, e->pieces[1]) &&
               kind_occurs_once(key, e->pieces[2]);
    case LEAD_KINGS:
        return piece_type(e->pieces[0]) == KING && piece_type(e->pieces[1]) == KING;
    }
    return false;
}

static void groups_init(Encoding *e)
{
    int lead_size = e->lead == LEAD_PAWNS ? 1 : e->lead == LEAD_THREE ? 3 : 2;
    e->groups = 1;
    e->group_size[0] = 1;
    for (int i = 1; i < e->piece_count; i++) {
        if (i < lead_size || e->pieces[i] == e->pieces[i - 1])
            e->group_size[e->groups - 1]++;
        else
            e->group_size[e->groups++] = 1;
    }
}

static uint64_t lead_size(const Encoding *e, const EncodingLookup *t, int file)
{
    switch (e->lead) {
    case LEAD_PAWNS:
        return t->lead_pawns_size[e->group_size[0]][file];
    case LEAD_THREE:
        return THREE_SIZE;
    case LEAD_KINGS:
        return KINGS_SIZE;
    }
    return 0;
}

/* Gives each group its place value. `order` says which digit the leading group is, `pawn_order`
 * which one the other pawns are; the further groups fill the other places in turn. */
static bool factors_init(Encoding *e, const EncodingLookup *t, int order, int pawn_order, int file)
{
    int second = e->second_is_pawns ? e->group_size[1] : 0;
    if (order >= e->groups || order == pawn_order ||
        (e->second_is_pawns ? pawn_order >= e->groups : pawn_order != ENCODING_ORDER_NONE))
        return false;
    int next = e->second_is_pawns ? 2 : 1;
    int free_squares = SQUARE_COUNT - e->group_size[0] - second;
    uint64_t factor = 1;
    for (int place = 0; place < e->groups; place++) {
        if (place == order) {
            e->group_factor[0] = factor;
            factor *= lead_size(e, t, file);
        } else if (place == pawn_order) {
            e->group_factor[1] = factor;
            factor *= t->choose[second][PAWN_SQUARES - e->group_size[0]];
        } else {
            e->group_factor[next] = factor;
            factor *= t->choose[e->group_size[next]][free_squares];
            free_squares -= e->group_size[next++];
        }
    }
    e->size = factor;
    return true;
}

bool encoding_init(Encoding *encoding, const EncodingLookup *tables, MaterialKey key,
                   const Piece *pieces, int order, int pawn_order, int file)
{
    int piece_count = material_pieces(key);
    Encoding e = { .lead = lead_of(key), .piece_count = (uint8_t)piece_count };
    if (piece_count > SYZYGY_PIECES_MAX || !pieces_match(key, pieces, piece_count))
        return false;
    memcpy(e.pieces, pieces, (size_t)piece_count);
    e.second_is_pawns =
        material_count(key, WHITE, PAWN) > 0 && material_count(key, BLACK, PAWN) > 0;
    if (!lead_fits(&e, key))
        return false;
    groups_init(&e);
    if (!factors_init(&e, tables, order, pawn_order, file))
        return false;
    *encoding = e;
    return true;
}

static Square flip_if(Square square, bool swap)
{
    return swap ? square_flip(square) : square;
}

int encoding_file(const EncodingLookup *tables, MaterialKey key, const Position *pos, bool swap)
{
    Bitboard pawns = pos->pieces[encoding_lead_colour(key) ^ swap][PAWN];
    Square leader = 0;
    int highest = -1;
    while (pawns) {
        Square square = flip_if(bitboard_pop(&pawns), swap);
        if (tables->pawn_rank[square] > highest) {
            highest = tables->pawn_rank[square];
            leader = square;
        }
    }
    int file = square_file(leader);
    return file < ENCODING_FILES ? file : FILE_H - file;
}

/* Writes down the pieces's squares in the encoding's order. */
static void place(const Encoding *e, const Position *pos, bool swap, Square *at)
{
    for (int i = 0; i < e->piece_count;) {
        Colour colour = piece_colour(e->pieces[i]) ^ swap;
        Bitboard set = pos->pieces[colour][piece_type(e->pieces[i])];
        assert(set);
        while (set)
            at[i++] = flip_if(bitboard_pop(&set), swap);
    }
}

/* Those from `from` to `end` ascending by square. */
static void sort_squares(Square at[SLOTS], int from, int end)
{
    for (int i = from + 1; i < end && i < SLOTS; i++) {
        Square square = at[i];
        int j = i;
        for (; j > from && at[j - 1] > square; j--)
            at[j] = at[j - 1];
        at[j] = square;
    }
}

/* The leader to the front: the pawn of highest pawn_rank. */
static void lead_with_leader(const EncodingLookup *t, Square *at, int pawns)
{
    for (int i = 1; i < pawns; i++)
        if (t->pawn_rank[at[i]] > t->pawn_rank[at[0]]) {
            Square leader = at[i];
            at[i] = at[0];
            at[0] = leader;
        }
}

/* Ascending by pawn_rank. */
static void sort_pawns(const EncodingLookup *t, Square *at, int count)
{
    for (int i = 1; i < count; i++) {
        Square square = at[i];
        int j = i;
        for (; j > 0 && t->pawn_rank[at[j - 1]] > t->pawn_rank[square]; j--)
            at[j] = at[j - 1];
        at[j] = square;
    }
}

static uint64_t lead_pawns_index(const EncodingLookup *t, Square *at, int pawns)
{
    sort_pawns(t, at + 1, pawns - 1);
    uint64_t index = t->lead_pawns[pawns][at[0]];
    for (int i = 1; i < pawns; i++)
        index += t->choose[i][t->pawn_rank[at[i]]];
    return index;
}

/* Three pieces of different kinds, the first in the triangle; the first that leaves the diagonal
 * stands below it. Squares taken by earlier pieces are not counted for later ones. */
static uint64_t lead_three_index(const EncodingLookup *t, const Square *at)
{
    enum {
        ON_1 = BELOW_TRIANGLE * 63 * 62,                   /* the first on the diagonal */
        ON_2 = ON_1 + DIAGONAL_HALF * BELOW_DIAGONAL * 62, /* the first two */
        ON_3 = ON_2 + DIAGONAL_HALF * 7 * BELOW_DIAGONAL,  /* all three */
    };
    int skip_1 = at[1] > at[0];
    int skip_2 = (at[2] > at[0]) + (at[2] > at[1]);
    int rank_0 = square_rank(at[0]);
    int rank_1 = square_rank(at[1]) - skip_1;
    int third = at[2] - skip_2;
    int index = 0;
    if (above_diagonal(at[0]) != 0)
        index = (t->triangle[at[0]] * 63 + at[1] - skip_1) * 62 + third;
    else if (above_diagonal(at[1]) != 0)
        index = ON_1 + (rank_0 * BELOW_DIAGONAL + t->below[at[1]]) * 62 + third;
    else if (above_diagonal(at[2]) != 0)
        index = ON_2 + (rank_0 * 7 + rank_1) * BELOW_DIAGONAL + t->below[at[2]];
    else
        index = ON_3 + (rank_0 * 7 + rank_1) * 6 + square_rank(at[2]) - skip_2;
    return (uint64_t)index;
}

/* Turns the board so that the leading piece stands in the triangle a1-d1-d4 (with pawns: on the
 * left half), and the first of the leading group off the diagonal below it. */
static void normalise(const Encoding *e, Square at[SLOTS])
{
    if (square_file(at[0]) >= ENCODING_FILES)
        for (int i = 0; i < SLOTS; i++)
            at[i] = mirror_file(at[i]);
    if (e->lead == LEAD_PAWNS)
        return;
    if (square_rank(at[0]) > RANK_4)
        for (int i = 0; i < SLOTS; i++)
            at[i] = square_flip(at[i]);
    int first_off = 0;
    while (first_off < e->group_size[0] && above_diagonal(at[first_off]) == 0)
        first_off++;
    if (first_off < e->group_size[0] && above_diagonal(at[first_off]) > 0)
        for (int i = 0; i < SLOTS; i++)
            at[i] = mirror_diagonal(at[i]);
}

static uint64_t lead_index(const Encoding *e, const EncodingLookup *t, Square *at)
{
    switch (e->lead) {
    case LEAD_PAWNS:
        return lead_pawns_index(t, at, e->group_size[0]);
    case LEAD_THREE:
        return lead_three_index(t, at);
    case LEAD_KINGS:
        return t->kings[t->triangle[at[0]]][at[1]];
    }
    return 0;
}

/* A group of equal pieces as a combination of the squares that the groups before it left free. */
static uint64_t group_index(const EncodingLookup *t, Square at[SLOTS], int from, int size, int base)
{
    uint64_t index = 0;
    sort_squares(at, from, from + size);
    for (int i = 0; i < size; i++) {
        int square = at[from + i] - base;
        for (int j = 0; j < from; j++)
            square -= at[j] < at[from + i];
        index += t->choose[i + 1][square];
    }
    return index;
}

uint64_t encoding_index(const Encoding *encoding, const EncodingLookup *tables, const Position *pos,
                        bool swap)
{
    const Encoding *e = encoding;
    Square at[SLOTS] = { 0 };
    place(e, pos, swap, at);
    if (e->lead == LEAD_PAWNS)
        lead_with_leader(tables, at, e->group_size[0]);
    normalise(e, at);
    uint64_t index = lead_index(e, tables, at) * e->group_factor[0];
    int from = e->group_size[0];
    for (int group = 1; group < e->groups; group++) {
        int base = group == 1 && e->second_is_pawns ? SQUARES_BELOW_PAWNS : 0;
        index += group_index(tables, at, from, e->group_size[group], base) * e->group_factor[group];
        from += e->group_size[group];
    }
    assert(index < e->size);
    return index;
}
