/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/core/fen_counts.h"

#include "engine/core/variant_rules.h"

static const char *const colour_names[COLOUR_COUNT] = { "white", "black" };

enum { HORDE_MEN = 36 };

typedef struct {
    int of[COLOUR_COUNT][PIECE_TYPE_COUNT], men[COLOUR_COUNT];
} Counts;

static bool pawn_may_stand(const VariantRules *rules, Colour colour, int rank)
{
    if (rank == RANK_1)
        return colour == WHITE && rules->steps_two_from_first;
    return rank != RANK_8;
}

static bool count_pieces(const Position *pos, Counts *counts, Error *err)
{
    *counts = (Counts){ 0 };
    for (Square s = 0; s < SQUARE_COUNT; s++) {
        Piece piece = pos->board[s];
        if (piece == PIECE_NONE)
            continue;
        Colour c = piece_colour(piece);
        counts->of[c][piece_type(piece)]++;
        counts->men[c]++;
        if (piece_type(piece) == PAWN && !pawn_may_stand(variant_rules(pos), c, square_rank(s))) {
            error_set(err, ERR_INVALID, "FEN board: a pawn stands on rank %d", square_rank(s) + 1);
            return false;
        }
    }
    return true;
}

/* An explosion leaves one side without a king. */
static bool check_kings(const VariantRules *rules, const Counts *counts, Colour c, Error *err)
{
    int kings = counts->of[c][KING];
    bool is_exploded = rules->captures_explode && kings == 0 && counts->of[c ^ 1][KING] == 1;
    bool ok =
        rules->is_royal[c] ? kings == 1 || is_exploded : kings == 0 || rules->promotes_to_king;
    if (!ok)
        error_set(err, ERR_INVALID, "FEN board: %s has %d kings, not %d", colour_names[c], kings,
                  rules->is_royal[c]);
    return ok;
}

static bool check_horde(const Counts *counts, Colour c, Error *err)
{
    if (counts->men[c] > HORDE_MEN)
        error_set(err, ERR_INVALID, "FEN board: the horde has %d men, not at most %d",
                  counts->men[c], HORDE_MEN);
    return counts->men[c] <= HORDE_MEN;
}

static bool check_side(const Counts *counts, Colour c, Error *err)
{
    static const int at_first[PIECE_TYPE_COUNT] = { 8, 2, 2, 2, 1, 1 };
    const int *n = counts->of[c];
    if (n[PAWN] > 8 || counts->men[c] > 16) {
        error_set(err, ERR_INVALID, "FEN board: %s has %d pawns and %d pieces in all",
                  colour_names[c], n[PAWN], counts->men[c]);
        return false;
    }
    int promoted = 0;
    for (PieceType t = KNIGHT; t <= KING; t++)
        promoted += n[t] > at_first[t] ? n[t] - at_first[t] : 0;
    if (promoted > 8 - n[PAWN]) {
        error_set(err, ERR_INVALID, "FEN board: %s has more promoted pieces than pawns gone",
                  colour_names[c]);
        return false;
    }
    return true;
}

bool fen_check_pieces(const Position *pos, FenMode mode, Error *err)
{
    const VariantRules *rules = variant_rules(pos);
    Counts counts;
    if (!count_pieces(pos, &counts, err))
        return false;
    for (Colour c = WHITE; c < COLOUR_COUNT; c++) {
        if (!check_kings(rules, &counts, c, err))
            return false;
        if (mode == FEN_LENIENT || rules->drops_captures)
            continue;
        bool is_horde = !rules->is_royal[c] && !rules->promotes_to_king;
        if (is_horde ? !check_horde(&counts, c, err) : !check_side(&counts, c, err))
            return false;
    }
    return true;
}
