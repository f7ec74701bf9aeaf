/* SPDX-License-Identifier: GPL-3.0-or-later */
/* params.h - every number of the search that a match can tune, in one table. Other constants are
 * not for tuning: the width of an entry (HISTORY_MAX), the table of ratings in strength_limit.c
 * (fitted by scripts/rate), the shape of a formula.
 *
 * Each search has a pointer to its numbers. Normal builds fold the defaults into the code instead;
 * a build with -DCASTLED_TUNE=ON reads them, and offers them as UCI options of the same names, for
 * scripts/tune. Margins are centipawns, factors are per cent or 1/1024 as their comments say. */
#pragma once
#include <stdbool.h>
#include <stddef.h>

/* name, default, lowest, highest. A feature is off with its depth at the far end of the range, or
 * with its weight or switch at 0; scripts/ablate has the list. */
#define PARAMS(X)                                                                                  \
    /* aspiration windows */                                                                       \
    X(aspiration_depth, 5, 1, 128)                                                                 \
    X(aspiration_window, 13, 5, 50)                                                                \
    X(aspiration_growth, 53, 10, 200)     /* per cent */                                           \
    X(aspiration_limit, 4347, 500, 20000) /* a bound beyond opens the window */                    \
    X(aspiration_high_max, 5, 0, 6)       /* plies taken off after fails high */                   \
    /* whole-node pruning */                                                                       \
    X(razor_depth, 3, -1, 16)                                                                      \
    X(razor_margin, 302, 50, 600) /* a ply */                                                      \
    X(rfp_depth, 7, -1, 16)                                                                        \
    X(rfp_margin, 50, 30, 150) /* a ply */                                                         \
    X(rfp_improving, 28, 0, 150)                                                                   \
    X(rfp_worsening, 1, 0, 100) /* less, where the opponent's move lost by both evaluations */     \
    X(rfp_correction, 6, 0, 64) /* more, sixteenths of the correction of the evaluation */         \
    X(rfp_tt_pv, 37, 0, 400)    /* more, where the TT says that it was a PV node */                \
    X(null_depth, 5, 1, 128)                                                                       \
    X(null_static_margin, 17, 0, 60) /* a ply */                                                   \
    X(null_static_base, 53, 0, 300)                                                                \
    X(null_cut_child, 1, 0, 1) /* the child of an expected all node is an expected cut node */     \
    X(null_base, 5, 2, 6)                                                                          \
    X(null_divisor, 2, 2, 8) /* plies for one more of reduction */                                 \
    X(null_eval_divisor, 147, 60, 400)                                                             \
    X(null_eval_max, 2, 0, 6)                                                                      \
    X(null_verify_depth, 15, 1, 128)                                                               \
    X(null_verify_scale, 75, 25, 100) /* per cent of the depth without null moves */               \
    X(null_always, 0, 0, 1)           /* also where a variant's rules have none */                 \
    X(probcut_depth, 6, 1, 128)                                                                    \
    X(probcut_margin, 114, 80, 350)                                                                \
    X(probcut_reduction, 4, 2, 6)                                                                  \
    X(probcut_tt_margin, 163, 80, 3000) /* where the TT alone proves it */                         \
    X(iir_depth, 3, 1, 128)                                                                        \
    X(tt_cut_halfmoves, 88, 50, 100)   /* fifty-move counter from which the TT does not cut */     \
    X(tablebase_depth_bonus, 6, 0, 12) /* plies that a tablebase result counts for in the TT */    \
    /* move pruning */                                                                             \
    X(prune_depth_less, 2, 0, 4) /* plies off the depth that futility, history and SEE see */      \
    X(lmp_base, 8, 1, 16)                                                                          \
    X(lmp_depth, 18, -1, 32)                                                                       \
    X(futility_depth, 8, -1, 16)                                                                   \
    X(futility_base, 64, 0, 250)                                                                   \
    X(futility_history, 7, 0, 64)   /* of the margin, 1/1024 of the move's history */              \
    X(futility_margin, 71, 30, 200) /* a ply */                                                    \
    X(history_prune_depth, 3, -1, 16)                                                              \
    X(history_prune_margin, 5410, 500, 9000) /* a ply */                                           \
    X(see_quiet_margin, 31, 5, 100)          /* a square ply */                                    \
    X(noisy_futility_depth, 6, -1, 16)       /* reduced */                                         \
    X(noisy_futility_base, 119, 0, 600)                                                            \
    X(noisy_futility_margin, 136, 0, 400) /* a ply */                                              \
    X(noisy_history, 10, 0, 64)           /* of both margins, 1/1024 of the capture's history */   \
    X(see_noisy_margin, 88, 20, 250)      /* a ply */                                              \
    X(see_quiet_depth, 6, -1, 16)         /* reduced */                                            \
    X(see_noisy_depth, 5, -1, 16)                                                                  \
    /* extensions */                                                                               \
    X(singular_depth, 7, 1, 128)                                                                   \
    X(singular_tt_depth, 3, 0, 6) /* plies that the TT entry may be shallower */                   \
    X(singular_divisor, 3, 1, 4)  /* of the depth */                                               \
    X(singular_margin, 15, 4, 64) /* 1/16 centipawns a ply */                                      \
    X(double_margin, 12, 0, 60)                                                                    \
    X(double_max, 8, 0, 12) /* on the way to a node; 0: no double extensions */                    \
    X(multi_cut, 1, 0, 1)                                                                          \
    X(negative_extension, 1, 0, 1)                                                                 \
    X(check_extension_depth, 122, 0, 128)                                                          \
    /* reductions, in 1/1024 plies */                                                              \
    X(lmr_depth, 2, 1, 128)                                                                        \
    X(lmr_base, 754, 0, 2000)                                                                      \
    X(lmr_scale, 416, 0, 900)      /* times ln depth times ln moves */                             \
    X(lmr_noisy_scale, 72, 0, 100) /* per cent of the quiet moves' reduction */                    \
    X(lmr_pv, 1067, 0, 2048)       /* where the TT says that it was a PV node */                   \
    X(lmr_pv_node, 1235, 0, 2048)                                                                  \
    X(lmr_window, 815, 0, 2048) /* half of it, less as much as the root's window is open here */   \
    X(lmr_cut, 1625, 0, 3072)                                                                      \
    X(lmr_cut_no_move, 1553, 0, 2048)                                                              \
    X(lmr_correction, 16, 0, 100) /* a centipawn that the evaluation was corrected by */           \
    X(lmr_all, 245, 0, 1024)      /* all nodes: of the reduction, 1/1024 over the depth */         \
    X(lmr_not_improving, 1033, 0, 2048)                                                            \
    X(lmr_check, 715, 0, 2048)                                                                     \
    X(lmr_killer, 966, 0, 2048)                                                                    \
    X(lmr_tt_noisy, 759, 0, 2048)                                                                  \
    X(lmr_cutoffs, 758, 0, 2048)                                                                   \
    X(lmr_cutoff_count, 4, 0, 8) /* more cut-offs at the children reduce */                        \
    X(lmr_history, 80, 0, 300)   /* a unit */                                                      \
    X(lmr_deeper_margin, 41, 10, 200)                                                              \
    X(lmr_shallower_margin, 11, 0, 60)                                                             \
    X(lmr_adjust, 1, 0, 1) /* the second look's depth by what the first found */                   \
    /* quiescence */                                                                               \
    X(qs_futility, 292, 0, 400)                                                                    \
    X(qs_moves_max, 3, 1, 256) /* more are not tried, but for those that is_late() spares */       \
    X(qs_see_loss, 38, 0, 200) /* that a capture may have */                                       \
    X(qs_prune, 1, 0, 1)                                                                           \
    X(qs_forced_plies, 8, 1, 128) /* of captures that the rules force, which have no other end */  \
    /* what search_rules.h adds in variants */                                                     \
    X(rule_wins, 1, 0, 1)    /* a win by the variant's own rule is seen without a search */        \
    X(rule_threats, 1, 0, 1) /* and so is a threat of one */                                       \
    X(rule_checks, 1, 0, 1)  /* where a check is worth any piece, all are looked into deeper */    \
    /* histories */                                                                                \
    X(bonus_scale, 249, 20, 400)                                                                   \
    X(bonus_offset, 73, 0, 400)                                                                    \
    X(bonus_max, 1143, 500, 4000)                                                                  \
    X(malus_scale, 172, 20, 400)                                                                   \
    X(malus_max, 1127, 500, 4000)                                                                  \
    X(weight_butterfly, 7, 0, 24)     /* eighths */                                                \
    X(history_threats, 1, 0, 1)       /* separate butterfly entries for squares under attack */    \
    X(eval_history_scale, 30, 0, 100) /* for each centipawn that a move changed */                 \
    X(eval_history_max, 3663, 0, 8000)                                                             \
    X(weight_pawn, 6, 0, 24)                                                                       \
    X(weight_continuation_1, 8, 0, 24) /* plies */                                                 \
    X(weight_continuation_2, 6, 0, 24)                                                             \
    X(unrefuted_bonus, 45, 0, 256) /* 1/128 of the bonus, for the move that no answer refuted */   \
    X(refuted_malus, 119, 0, 256)  /* 1/128 of the malus, for an early move that was refuted */    \
    X(weight_capture, 9, 0, 24)                                                                    \
    X(killer_stage, 1, 0, 1)        /* killers before other quiet moves */                         \
    X(check_bonus, 10983, 0, 30000) /* of quiet checks */                                          \
    X(check_loss, 33, 0, 300)       /* centipawns that such a check may lose */                    \
    /* the evaluation */                                                                           \
    X(improving, 1, 0, 1)                                                                          \
    X(material_scale, 188, 0, 500) /* 1/1024 more with all pieces than with none */                \
    X(fifty_scale, 103, 0, 200)    /* per cent */                                                  \
    /* corrections of the evaluation, in centipawns for a full entry */                            \
    X(correction_pawn, 25, 0, 100)                                                                 \
    X(correction_minor, 22, 0, 100)                                                                \
    X(correction_major, 14, 0, 100)                                                                \
    X(correction_pieces, 42, 0, 100)                                                               \
    X(correction_divisor, 7, 1, 32)   /* of the evaluation's error times depth */                  \
    X(correction_step, 253, 32, 1024) /* the most that one search changes an entry by */           \
    /* move ordering, transposition table, threads */                                              \
    X(good_capture_scale, 13, 0, 64) /* 1/1024 of its score that a good capture may lose */        \
    X(escape_minor, 7049, 0, 40000)  /* for leaving a square that a lesser piece attacks */        \
    X(escape_rook, 6234, 0, 40000)                                                                 \
    X(escape_queen, 19170, 0, 40000)                                                               \
    X(victim_scale, 36, 0, 128)   /* of a capture's score, for each centipawn of the victim */     \
    X(tt_age_weight, 7, 0, 32)    /* plies of depth that an entry loses with each search */        \
    X(tt_keep_deeper, 3, 0, 16)   /* plies that keep an entry from a shallower bound, */           \
    X(tt_keep_deeper_pv, 0, 0, 8) /* and more of them for one of the principal variation */        \
    X(vote_base, 12, 0, 100)      /* centipawns of the vote of the thread with the worst score */  \
    /* time management, in per cent unless said otherwise */                                       \
    X(time_horizon, 22, 8, 60)           /* moves that a game is assumed to last from anywhere */  \
    X(time_moves_to_go_max, 50, 10, 100) /* a larger number counts as this */                      \
    X(time_share_max, 20, 5, 50)         /* of the clock, for one move of a whole game's clock */  \
    X(time_share_increment, 50, 0, 100) /* and of the increment: what is left over is a reserve */ \
    X(time_ponder, 25, 0, 100)          /* more for a move where we ponder */                      \
    X(time_hard_of_soft, 500, 100, 1000)                                                           \
    X(time_hard_of_clock, 55, 20, 95)                                                              \
    X(time_last_move, 90, 50, 98)   /* instead, for the last move of a time control */             \
    X(time_single_move, 10, 1, 100) /* of the soft limit, when only one move is legal */           \
    X(time_stability_base, 134, 50, 250)                                                           \
    X(time_stability_age, 70, 0, 200)    /* less for the share that the best move has lasted */    \
    X(time_stability_change, 16, 0, 200) /* more for each change of it */                          \
    X(time_drop, 10, 0, 100)             /* tenths for each centipawn below earlier iterations, */ \
    X(time_drop_last, 8, 0, 100)         /* and below our last move's score, */                    \
    X(time_drop_min, 75, 20, 100)        /* within these around 100 */                             \
    X(time_drop_max, 150, 100, 300)                                                                \
    X(time_nodes_base, 160, 100, 300) /* less the best move's permill of the nodes */              \
    X(time_nodes_divisor, 9, 4, 40)   /* divided by this */                                        \
    X(time_nodes_min, 50, 10, 100)                                                                 \
    X(score_average_weight, 2, 0, 9) /* of earlier iterations' scores, against 1 of the last */

typedef struct Params {
#define X(name, value, lo, hi) int name;
    PARAMS(X)
#undef X
} Params;

#define PARAMS_DEFAULT_ROW(name, value, lo, hi) .name = (value),
#define PARAMS_DEFAULT_VALUES                                                                      \
    {                                                                                              \
        PARAMS(PARAMS_DEFAULT_ROW)                                                                 \
    }

static const Params PARAMS_DEFAULT = PARAMS_DEFAULT_VALUES;

/* The numbers to use, where a search was given `own`. */
static inline const Params *params_in_use(const Params *own)
{
#ifdef CASTLED_TUNE
    return own;
#else
    (void)own;
    return &PARAMS_DEFAULT;
#endif
}
