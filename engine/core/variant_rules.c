/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/core/variant_rules.h"

#include "engine/core/attacks.h"
#include "engine/core/fen.h"
#include "engine/core/variant_legality.h"
#include "engine/core/variant_material.h"

#include <string.h>
#include <strings.h>

/* The end of the side to move when that of the other is given. */
static VariantEnd lost_if(bool lost)
{
    return lost ? VARIANT_LOST : VARIANT_GOES_ON;
}

static VariantEnd antichess_end(const Position *pos)
{
    return pos->occupied_by[pos->side_to_move] ? VARIANT_GOES_ON : VARIANT_WON;
}

static VariantEnd atomic_end(const Position *pos)
{
    if (!pos->pieces[pos->side_to_move ^ 1][KING])
        return VARIANT_WON; /* no move leads here, but a FEN may */
    return lost_if(!pos->pieces[pos->side_to_move][KING]);
}

static VariantEnd horde_end(const Position *pos)
{
    if (pos->occupied_by[WHITE])
        return VARIANT_GOES_ON;
    return pos->side_to_move == WHITE ? VARIANT_LOST : VARIANT_WON;
}

static VariantEnd king_of_the_hill_end(const Position *pos)
{
    return lost_if((pos->pieces[pos->side_to_move ^ 1][KING] & VARIANT_HILL) != 0);
}

/* Can the king of the side to move step onto the last rank? */
static bool can_arrive(const Position *pos)
{
    Square king = position_king(pos, pos->side_to_move);
    Bitboard targets = attacks_king(king) & BITBOARD_RANK_8 & ~pos->occupied_by[pos->side_to_move];
    while (targets) {
        Square to = bitboard_pop(&targets);
        bool captures = pos->board[to] != PIECE_NONE;
        if (variant_is_legal(pos, move_make(king, to, captures ? MOVE_CAPTURE : MOVE_QUIET)))
            return true;
    }
    return false;
}

/* White, who moves first, arrives first; Black may then draw by arriving with his next move. */
static VariantEnd racing_kings_end(const Position *pos)
{
    bool white_is_there = (pos->pieces[WHITE][KING] & BITBOARD_RANK_8) != 0;
    bool black_is_there = (pos->pieces[BLACK][KING] & BITBOARD_RANK_8) != 0;
    if (pos->side_to_move == BLACK)
        return lost_if(white_is_there && !can_arrive(pos));
    if (white_is_there)
        return black_is_there ? VARIANT_DRAWN : VARIANT_WON;
    return lost_if(black_is_there);
}

static VariantEnd three_check_end(const Position *pos)
{
    bool given = pos->variant.checks_given[pos->side_to_move ^ 1] >= CHECKS_TO_WIN;
    return lost_if(given && pos->checkers);
}

#define BOTH                                                                                       \
    {                                                                                              \
        true, true                                                                                 \
    }

const VariantRules variant_rules_table[RULESET_COUNT] = {
    [RULES_STANDARD] = { .uci_name = "chess",
                         .start_fen = FEN_START,
                         .is_royal = BOTH,
                         .castles = BOTH,
                         .draws_by_clock = true },
    [RULES_CRAZYHOUSE] = { .uci_name = "crazyhouse",
                           .start_fen =
                               "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[] w KQkq - 0 1",
                           .is_royal = BOTH,
                           .castles = BOTH,
                           .drops_captures = true },
    [RULES_ANTICHESS] = { .uci_name = "antichess",
                          .start_fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1",
                          .must_capture = true,
                          .promotes_to_king = true,
                          .wins_without_move = true,
                          .draws_by_clock = true,
                          .end = antichess_end,
                          .is_dead = antichess_is_dead,
                          .cannot_win = antichess_cannot_win },
    [RULES_ATOMIC] = { .uci_name = "atomic",
                       .start_fen = FEN_START,
                       .is_royal = BOTH,
                       .castles = BOTH,
                       .captures_explode = true,
                       .draws_by_clock = true,
                       .end = atomic_end,
                       .is_dead = atomic_is_dead,
                       .cannot_win = has_bare_king },
    [RULES_HORDE] = { .uci_name = "horde",
                      .start_fen = "rnbqkbnr/pppppppp/8/1PP2PP1/PPPPPPPP/PPPPPPPP/PPPPPPPP/PPPPPPPP"
                                   " w kq - 0 1",
                      .is_royal = { false, true },
                      .castles = { false, true },
                      .steps_two_from_first = true,
                      .draws_by_clock = true,
                      .end = horde_end,
                      .is_dead = horde_is_dead,
                      .cannot_win = horde_cannot_win },
    [RULES_KING_OF_THE_HILL] = { .uci_name = "kingofthehill",
                                 .start_fen = FEN_START,
                                 .is_royal = BOTH,
                                 .castles = BOTH,
                                 .draws_by_clock = true,
                                 .end = king_of_the_hill_end },
    [RULES_RACING_KINGS] = { .uci_name = "racingkings",
                             .start_fen = "8/8/8/8/8/8/krbnNBRK/qrbnNBRQ w - - 0 1",
                             .is_royal = BOTH,
                             .forbids_check = true,
                             .draws_by_clock = true,
                             .end = racing_kings_end },
    [RULES_THREE_CHECK] = { .uci_name = "3check",
                            .start_fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - "
                                         "3+3 0 1",
                            .is_royal = BOTH,
                            .castles = BOTH,
                            .counts_checks = true,
                            .draws_by_clock = true,
                            .end = three_check_end,
                            .is_dead = bare_kings_only,
                            .cannot_win = has_bare_king },
};

bool variant_forces_capture(const Position *pos)
{
    return variant_rules(pos)->must_capture && variant_can_capture(pos);
}

Ruleset ruleset_of_uci_name(const char *text, size_t len)
{
    for (Ruleset r = RULES_STANDARD; r < RULESET_COUNT; r++) {
        const char *name = variant_rules_table[r].uci_name;
        if (strlen(name) == len && strncasecmp(name, text, len) == 0)
            return r;
    }
    return RULESET_COUNT;
}
