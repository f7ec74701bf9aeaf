/* SPDX-License-Identifier: GPL-3.0-or-later */
/* After: scalachess, Horde.hasInsufficientMaterial and its like; the reasons there are positions in
 * which the side in question mates after all. */
#include "engine/core/variant_material.h"

#include "engine/core/attacks.h"
#include "engine/core/movegen.h"
#include "engine/core/movegen_variant.h"

#define LIGHT_SQUARES 0x55aa55aa55aa55aaULL

bool has_bare_king(const Position *pos, Colour side)
{
    return pos->occupied_by[side] == pos->pieces[side][KING];
}

bool bare_kings_only(const Position *pos)
{
    return has_bare_king(pos, WHITE) && has_bare_king(pos, BLACK);
}

static Bitboard of_type(const Position *pos, PieceType type)
{
    return pos->pieces[WHITE][type] | pos->pieces[BLACK][type];
}

static bool on_both_colours(Bitboard set)
{
    return set & LIGHT_SQUARES && set & ~LIGHT_SQUARES;
}

/* Pawns with a pawn in front of them and nothing to take. */
static Bitboard blocked_pawns(const Position *pos)
{
    Bitboard pawns = of_type(pos, PAWN), blocked = 0;
    for (Bitboard set = pawns; set;) {
        Square s = bitboard_pop(&set);
        Colour c = piece_colour(pos->board[s]);
        Bitboard ahead = c == WHITE ? square_bit(s) << 8 : square_bit(s) >> 8;
        if (ahead & pawns && !(attacks_pawn(c, s) & pos->occupied_by[c ^ 1]))
            blocked |= square_bit(s);
    }
    return pos->en_passant == SQUARE_NONE ? blocked : 0;
}

/* One knight each, and no other men. Who flags while they stand on one colour could not have won
 * against him that is to move; see variants' rules on time. */
bool antichess_cannot_win(const Position *pos, Colour side)
{
    Bitboard white = pos->pieces[WHITE][KNIGHT], black = pos->pieces[BLACK][KNIGHT];
    if (pos->occupied != (white | black) || bitboard_count(white) != 1 ||
        bitboard_count(black) != 1)
        return false;
    bool same_colour = !on_both_colours(white | black);
    return same_colour == (side != pos->side_to_move);
}

/* Bishops that never meet, and pawns that neither move nor are in reach of the enemy's. */
bool antichess_is_dead(const Position *pos)
{
    Bitboard bishops = of_type(pos, BISHOP), pawns = of_type(pos, PAWN);
    Bitboard white = pos->pieces[WHITE][BISHOP], black = pos->pieces[BLACK][BISHOP];
    if (pos->occupied != (bishops | pawns) || !white || !black || on_both_colours(white) ||
        on_both_colours(black) || !(white & LIGHT_SQUARES) == !(black & LIGHT_SQUARES))
        return false;
    Bitboard of_white = white & LIGHT_SQUARES ? LIGHT_SQUARES : ~LIGHT_SQUARES;
    return !(pos->pieces[WHITE][PAWN] & ~of_white) && !(pos->pieces[BLACK][PAWN] & of_white) &&
           blocked_pawns(pos) == pawns;
}

/* Kings do not capture, so they do not hem each other in. */
static bool atomic_material_is_dead(const Position *pos)
{
    Bitboard kings = of_type(pos, KING), bishops = of_type(pos, BISHOP);
    Bitboard knights = of_type(pos, KNIGHT), rooks = of_type(pos, ROOK);
    int men = bitboard_count(pos->occupied);
    if (bitboard_many(pos->occupied_by[WHITE]) && bitboard_many(pos->occupied_by[BLACK]))
        return pos->occupied == (kings | bishops) && men <= 4 && on_both_colours(bishops);
    if (pos->occupied == (kings | knights))
        return men <= 4;
    return pos->occupied == (kings | rooks | bishops | knights) && men <= 3 &&
           !on_both_colours(bishops);
}

/* Nothing but kings, blocked pawns and the bishops of one side on one colour, with the enemy's
 * pawns on the other. */
static bool atomic_is_closed(const Position *pos)
{
    Bitboard bishops = of_type(pos, BISHOP), pawns = of_type(pos, PAWN);
    if (pos->occupied != (of_type(pos, KING) | bishops | pawns) || blocked_pawns(pos) != pawns)
        return false;
    if (!bishops)
        return true;
    Colour side = pos->pieces[WHITE][BISHOP] ? WHITE : BLACK;
    Bitboard colour = bishops & LIGHT_SQUARES ? LIGHT_SQUARES : ~LIGHT_SQUARES;
    return !pos->pieces[side ^ 1][BISHOP] && !(bishops & ~colour) &&
           !(pos->pieces[side ^ 1][PAWN] & colour);
}

bool atomic_is_dead(const Position *pos)
{
    return atomic_material_is_dead(pos) || atomic_is_closed(pos);
}

/* With `side` to move: no one will ever have a move but Black's king, and then White is stalemated
 * whatever it does. A last man that is attacked would still be captured. */
static bool horde_is_closed(const Position *pos, Colour side)
{
    Bitboard horde = pos->occupied_by[WHITE];
    if (horde && !bitboard_many(horde) &&
        position_attackers(pos, bitboard_first(horde), pos->occupied) & pos->occupied_by[BLACK])
        return false;
    Position turned = *pos;
    if (turned.side_to_move != side) {
        turned.side_to_move = side;
        turned.en_passant = SQUARE_NONE;
        position_derive(&turned);
    }
    if (side == WHITE)
        return movegen_variant_count(&turned) == 0;
    MoveList list;
    movegen_legal(&turned, &list);
    for (int i = 0; i < list.count; i++) {
        if (piece_type(turned.board[move_from(list.moves[i])]) != KING)
            return false;
    }
    for (int i = 0; i < list.count; i++) {
        Undo undo;
        position_make(&turned, list.moves[i], &undo);
        int answers = movegen_variant_count(&turned);
        position_unmake(&turned, list.moves[i], &undo);
        if (answers > 0)
            return false;
    }
    return true;
}

bool horde_is_dead(const Position *pos)
{
    /* The usual case at once: a pawn of the horde that can step. */
    if (pos->pieces[WHITE][PAWN] << 8 & ~pos->occupied)
        return false;
    return horde_is_closed(pos, WHITE) && horde_is_closed(pos, BLACK);
}

/* What decides whether the horde can mate; bishops beyond two of one colour add nothing. */
typedef struct {
    int pawns, knights, rooks, queens, light, dark; /* bishops by colour of their square */
} Men;

static Men men_of(const Position *pos, Colour side)
{
    const Bitboard *p = pos->pieces[side];
    return (Men){ bitboard_count(p[PAWN]),
                  bitboard_count(p[KNIGHT]),
                  bitboard_count(p[ROOK]),
                  bitboard_count(p[QUEEN]),
                  bitboard_count(p[BISHOP] & LIGHT_SQUARES),
                  bitboard_count(p[BISHOP] & ~LIGHT_SQUARES) };
}

static int at_most_two(int count)
{
    return count < 2 ? count : 2;
}

/* Black's men beside the king, by what they can block around him; `other` and `same` are his
 * bishops by the colour of the horde's. */
typedef struct {
    Men men;
    int count; /* with the king */
    int bishops, same, other;
} Blockers;

static bool lone_knight_mates(const Blockers *b)
{
    const Men *m = &b->men;
    bool pair = m->light && m->dark;
    bool can_smother =
        m->knights >= 2 || m->pawns >= 2 || (m->rooks && (m->knights || b->bishops || m->pawns)) ||
        (m->knights && (b->bishops || m->pawns)) || (m->pawns && (b->bishops || pair));
    return b->count >= 4 && can_smother && (m->dark < 2 || b->count - m->dark >= 3) &&
           (m->light < 2 || b->count - m->light >= 3);
}

static bool lone_queen_mates(const Blockers *b)
{
    const Men *m = &b->men;
    return m->pawns || m->rooks || m->light >= 2 || m->dark >= 2;
}

static bool lone_man_mates(const Men *horde, const Blockers *b)
{
    const Men *m = &b->men;
    if (b->count == 1)
        return false;
    if (horde->queens)
        return lone_queen_mates(b);
    if (horde->pawns)
        return lone_queen_mates(b) || lone_knight_mates(b);
    if (horde->rooks)
        return m->pawns >= 2 || (m->rooks && (m->pawns || m->knights)) || (m->pawns && m->knights);
    if (horde->knights)
        return lone_knight_mates(b);
    return b->other >= 2 || (b->other && m->pawns) || m->pawns >= 2;
}

static bool two_minors_mate(const Men *horde, const Blockers *b)
{
    const Men *m = &b->men;
    if (b->count == 1)
        return false;
    if (horde->knights == 2)
        return m->pawns || b->bishops || m->knights;
    if (horde->light && horde->dark)
        return m->pawns || b->bishops || (m->knights && (m->rooks || m->queens));
    if (horde->knights)
        return m->pawns || b->other || b->count - b->same >= 3;
    return (m->pawns && (b->other || m->knights)) || (b->other && m->knights) || b->other >= 2 ||
           m->knights >= 2 || m->pawns >= 2;
}

static bool horde_mates(const Men *horde, const Blockers *b)
{
    int men = horde->pawns + horde->knights + horde->rooks + horde->queens +
              at_most_two(horde->light) + at_most_two(horde->dark);
    if (men == 0)
        return false;
    if (men >= 4 || ((horde->pawns || horde->queens) && men >= 2))
        return true;
    if (horde->rooks && men >= 2) {
        bool with_bishop = men == 2 && horde->rooks == 1 && horde->light + horde->dark == 1;
        return !with_bishop || b->count - b->same != 1;
    }
    if (men == 1)
        return lone_man_mates(horde, b);
    if (men == 2)
        return two_minors_mate(horde, b);
    bool two_of_one_colour = horde->knights == 1 && !(horde->light && horde->dark);
    return !two_of_one_colour || b->count > 1;
}

/* Black always can, by capturing the horde. */
static bool can_win_horde(const Position *pos, Colour side)
{
    if (side == BLACK)
        return true;
    Men horde = men_of(pos, WHITE), men = men_of(pos, BLACK);
    Blockers b = { .men = men,
                   .count = bitboard_count(pos->occupied_by[BLACK]),
                   .bishops = men.light + men.dark,
                   .same = horde.light ? men.light : men.dark,
                   .other = horde.light ? men.dark : men.light };
    return horde_mates(&horde, &b);
}

bool horde_cannot_win(const Position *pos, Colour side)
{
    return !can_win_horde(pos, side) || horde_is_closed(pos, pos->side_to_move);
}
