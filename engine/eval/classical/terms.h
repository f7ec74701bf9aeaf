/* SPDX-License-Identifier: GPL-3.0-or-later */
/* terms.h - the one list of the evaluation's terms. Each row is a name, how many weights it has and
 * how they enter the sum; the weights themselves stand in weights.inc in this order, where
 * tune-eval writes them. Ranks, files and distances count from the side's own point of view; "edge"
 * is the distance of a file to the nearer edge, 0..3.
 *
 * LINEAR weights are added as often as the feature is there. DANGER weights add up to the danger
 * that a king is in, which then counts by its square. COMPLEXITY weights add up to how much there
 * is left to play for, which moves the endgame's value towards or away from a draw. */
#pragma once

typedef enum { TERM_LINEAR, TERM_DANGER, TERM_COMPLEXITY } TermKind;

// clang-format off
#define EVAL_TERMS(X)                                                                              \
    /* What a piece is worth, and where: [enemy king on the other wing][rank][edge]. */            \
    X(MATERIAL, 5, TERM_LINEAR)             /* pawn to queen */                                    \
    X(PAWN_PLACE, 64, TERM_LINEAR)                                                                 \
    X(KNIGHT_PLACE, 64, TERM_LINEAR)                                                               \
    X(BISHOP_PLACE, 64, TERM_LINEAR)                                                               \
    X(ROOK_PLACE, 64, TERM_LINEAR)                                                                 \
    X(QUEEN_PLACE, 64, TERM_LINEAR)                                                                \
    X(KING_PLACE, 64, TERM_LINEAR)          /* [rank][file] */                                     \
    X(BISHOP_PAIR, 1, TERM_LINEAR)                                                                 \
    X(KNIGHT_PER_PAWN, 1, TERM_LINEAR)      /* knights x (own pawns - 5) */                        \
    X(ROOK_PER_PAWN, 1, TERM_LINEAR)                                                               \
    X(TEMPO, 1, TERM_LINEAR)                                                                       \
    /* Pawns. */                                                                                   \
    X(PAWN_ISOLATED, 8, TERM_LINEAR)        /* [opposed][edge] */                                  \
    X(PAWN_DOUBLED, 2, TERM_LINEAR)         /* [has neighbours] */                                 \
    X(PAWN_BACKWARD, 2, TERM_LINEAR)        /* [opposed] */                                        \
    X(PAWN_SUPPORTED, 16, TERM_LINEAR)      /* [opposed][rank] */                                  \
    X(PAWN_PHALANX, 16, TERM_LINEAR)        /* [opposed][rank] */                                  \
    X(PAWN_CANDIDATE, 8, TERM_LINEAR)       /* [rank] */                                           \
    X(PASSED_RANK, 8, TERM_LINEAR)                                                                 \
    X(PASSED_OWN_KING, 8, TERM_LINEAR)      /* [rank], times distance to the square ahead */       \
    X(PASSED_ENEMY_KING, 8, TERM_LINEAR)                                                           \
    X(PASSED_STOP_SQUARE, 32, TERM_LINEAR)  /* [enemy | own piece | attacked | safe][rank] */      \
    X(PASSED_FREE_PATH, 8, TERM_LINEAR)     /* nothing stands on or attacks the rest of its way */ \
    X(PASSED_ROOK_BEHIND, 2, TERM_LINEAR)   /* [own | enemy] */                                    \
    X(PASSED_UNSTOPPABLE, 1, TERM_LINEAR)                                                          \
    /* The king's pawns: its own file or a neighbour's, and how far ahead the first one stands. */ \
    X(SHELTER, 64, TERM_LINEAR)             /* [king's file][edge][distance, 7: none] */           \
    X(STORM, 64, TERM_LINEAR)               /* [blocked][edge][distance, 7: none] */               \
    X(KING_PAWN_FILES, 8, TERM_LINEAR)      /* [files to the nearest pawn] */                      \
    /* Pieces. */                                                                                  \
    X(KNIGHT_MOBILITY, 9, TERM_LINEAR)                                                             \
    X(BISHOP_MOBILITY, 14, TERM_LINEAR)                                                            \
    X(ROOK_MOBILITY, 15, TERM_LINEAR)                                                              \
    X(QUEEN_MOBILITY, 28, TERM_LINEAR)                                                             \
    X(KNIGHT_OUTPOST, 4, TERM_LINEAR)       /* [central][supported by a pawn] */                   \
    X(BISHOP_OUTPOST, 4, TERM_LINEAR)                                                              \
    X(OUTPOST_IN_REACH, 1, TERM_LINEAR)                                                            \
    X(MINOR_BEHIND_PAWN, 2, TERM_LINEAR)    /* [knight | bishop] */                                \
    X(MINOR_FAR_FROM_KING, 16, TERM_LINEAR) /* [knight | bishop][distance to own king] */          \
    X(BISHOP_OWN_PAWNS, 2, TERM_LINEAR)     /* pawns on its colour [free | rammed] */              \
    X(BISHOP_LONG_DIAGONAL, 1, TERM_LINEAR)                                                        \
    X(BISHOP_XRAY_PAWNS, 1, TERM_LINEAR)    /* enemy pawns on its diagonals */                     \
    X(ROOK_FILE, 3, TERM_LINEAR)            /* [own pawn, blocked | half open | open] */           \
    X(ROOK_ON_SEVENTH, 1, TERM_LINEAR)                                                             \
    X(QUEEN_EXPOSED, 1, TERM_LINEAR)        /* one piece away from a slider's attack */            \
    X(QUEEN_INFILTRATED, 1, TERM_LINEAR)                                                           \
    X(KING_DEFENDERS, 8, TERM_LINEAR)       /* own minors and pawns around the king */             \
    /* Threats, by what is threatened: pawn, knight, bishop, rook, queen. */                       \
    X(THREAT_BY_PAWN, 5, TERM_LINEAR)                                                              \
    X(THREAT_BY_MINOR, 5, TERM_LINEAR)                                                             \
    X(THREAT_BY_ROOK, 5, TERM_LINEAR)                                                              \
    X(THREAT_BY_KING, 1, TERM_LINEAR)                                                              \
    X(HANGING, 1, TERM_LINEAR)                                                                     \
    X(RESTRICTED, 1, TERM_LINEAR)                                                                  \
    X(THREAT_BY_PUSH, 1, TERM_LINEAR)                                                              \
    X(WEAKLY_DEFENDED_BY_QUEEN, 1, TERM_LINEAR)                                                    \
    X(KNIGHT_ON_QUEEN, 1, TERM_LINEAR)                                                             \
    X(SLIDER_ON_QUEEN, 1, TERM_LINEAR)                                                             \
    X(SPACE, 1, TERM_LINEAR)                                                                       \
    /* What endangers a king. */                                                                   \
    X(DANGER_BASE, 1, TERM_DANGER)                                                                 \
    X(DANGER_ATTACKER, 4, TERM_DANGER)      /* [knight … queen] */                                 \
    X(DANGER_RING_ATTACK, 1, TERM_DANGER)                                                          \
    X(DANGER_WEAK_SQUARE, 1, TERM_DANGER)                                                          \
    X(DANGER_SAFE_CHECK, 8, TERM_DANGER)    /* [knight … queen][one | more] */                     \
    X(DANGER_UNSAFE_CHECK, 1, TERM_DANGER)                                                         \
    X(DANGER_NO_QUEEN, 1, TERM_DANGER)                                                             \
    X(DANGER_PINNED, 1, TERM_DANGER)                                                               \
    X(DANGER_KNIGHT_DEFENDS, 1, TERM_DANGER)                                                       \
    X(DANGER_FLANK_ATTACK, 1, TERM_DANGER)                                                         \
    X(DANGER_FLANK_DEFENCE, 1, TERM_DANGER)                                                        \
    X(DANGER_SHELTER, 8, TERM_DANGER)       /* [distance, 7: none] */                              \
    X(DANGER_STORM, 16, TERM_DANGER)        /* [blocked][distance, 7: none] */                     \
    /* What is left to play for. */                                                                \
    X(COMPLEXITY_BASE, 1, TERM_COMPLEXITY)                                                         \
    X(COMPLEXITY_PAWNS, 1, TERM_COMPLEXITY)                                                        \
    X(COMPLEXITY_BOTH_WINGS, 1, TERM_COMPLEXITY)                                                   \
    X(COMPLEXITY_PAWN_ENDING, 1, TERM_COMPLEXITY)                                                  \
    X(COMPLEXITY_OUTFLANKING, 1, TERM_COMPLEXITY)
// clang-format on

/* TERM_name is the index of the first weight of that row. */
enum {
#define X(name, count, kind) TERM_##name, TERM_LAST_##name = TERM_##name + (count)-1,
    EVAL_TERMS(X)
#undef X
        TERM_COUNT
};
