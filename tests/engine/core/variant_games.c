/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Random games of a variant, for scripts/referee-variants: prints the first position's FEN, and
 * then for each position a line of the moves that led to it, its FEN, its end and its legal moves,
 * with bars between. The end is "-" while there is one, else that of the side to move: lost, won or
 * drawn. Moves are in UCI, castling as the king's two squares. */
#include "engine/base/number.h"
#include "engine/base/random.h"
#include "engine/core/fen.h"
#include "engine/core/outcome.h"
#include "engine/core/uci_move.h"
#include "engine/core/variant_rules.h"

#include <stdio.h>
#include <string.h>

enum { MOST_PLIES = 200, MOST_POSITIONS = 100000000 };

static const char *end_of(Outcome outcome)
{
    switch (outcome) {
    case OUTCOME_CHECKMATE:
    case OUTCOME_VARIANT_LOSS:
        return "lost";
    case OUTCOME_VARIANT_WIN:
        return "won";
    case OUTCOME_STALEMATE:
    case OUTCOME_VARIANT_DRAW:
        return "drawn";
    case OUTCOME_NONE:
    case OUTCOME_INSUFFICIENT_MATERIAL:
    case OUTCOME_FIVEFOLD:
    case OUTCOME_SEVENTY_FIVE_MOVES:
    case OUTCOME_THREEFOLD:
    case OUTCOME_FIFTY_MOVES:
        break;
    }
    return "-";
}

/* Draws that leave legal moves behind, which a referee does not tell. */
static bool is_played_out(Outcome outcome)
{
    return outcome != OUTCOME_NONE && outcome != OUTCOME_THREEFOLD &&
           outcome != OUTCOME_FIFTY_MOVES;
}

static void print_position(const Position *pos, const char *played, Outcome outcome)
{
    char fen[FEN_SIZE], uci[UCI_MOVE_SIZE];
    MoveList list;
    fen_write(pos, fen);
    printf("%s|%s|%s|", played, fen, end_of(outcome));
    movegen_legal(pos, &list);
    for (int i = 0; i < list.count; i++) {
        uci_move_write(pos, list.moves[i], CASTLING_KING_TO_TARGET, uci);
        printf("%s%s", i ? " " : "", uci);
    }
    putchar('\n');
}

/* Any legal move; captures and promotions are preferred, so that boards open up. */
static Move choose(const Position *pos, uint64_t *seed)
{
    MoveList list;
    movegen_noisy(pos, &list);
    if (list.count == 0 || random_below(seed, 4) != 0)
        movegen_legal(pos, &list);
    return list.moves[random_below(seed, (uint64_t)list.count)];
}

/* Returns how many positions were printed, `most` at most. */
static int64_t play_game(const VariantRules *rules, Ruleset ruleset, uint64_t *seed, int64_t most)
{
    Position pos;
    if (!fen_read_as(&pos, ruleset, rules->start_fen, FEN_STRICT, NULL, NULL))
        return 0;
    char played[MOST_PLIES * UCI_MOVE_SIZE + 1] = "";
    size_t len = 0;
    int ply = 0;
    while (ply < MOST_PLIES && ply < most) {
        Outcome outcome = position_outcome(&pos);
        print_position(&pos, played, outcome);
        ply++;
        if (is_played_out(outcome))
            break;
        Undo undo;
        Move m = choose(&pos, seed);
        if (len > 0)
            played[len++] = ' ';
        uci_move_write(&pos, m, CASTLING_KING_TO_TARGET, played + len);
        len += strlen(played + len);
        position_make(&pos, m, &undo);
    }
    return ply;
}

int main(int argc, char **argv)
{
    int64_t positions, seed;
    Ruleset ruleset = argc == 4 ? ruleset_of_uci_name(argv[1], strlen(argv[1])) : RULESET_COUNT;
    if (ruleset == RULESET_COUNT ||
        !number_parse(argv[2], strlen(argv[2]), 1, MOST_POSITIONS, &positions, NULL) ||
        !number_parse(argv[3], strlen(argv[3]), 0, INT32_MAX, &seed, NULL)) {
        fputs("usage: variant_games UCI_VARIANT POSITIONS SEED\n", stderr);
        return 64;
    }
    const VariantRules *rules = &variant_rules_table[ruleset];
    uint64_t state = (uint64_t)seed;
    puts(rules->start_fen);
    while (positions > 0)
        positions -= play_game(rules, ruleset, &state, positions);
    return 0;
}
