/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/eval/variant_weights.h"

#include <stdint.h>

/* What the pieces' places are worth: from the hand-written evaluation that castled had for chess,
 * fitted to games. */
// clang-format off
const Weight variant_places[KING][8][4] = {
    [PAWN] = {
        { { 0, 0 }, { 0, 0 }, { 0, 0 }, { 0, 0 } },
        { { -10, 0 }, { 9, 6 }, { 3, 7 }, { -5, -1 } },
        { { -18, -2 }, { -7, 2 }, { -13, -2 }, { -22, -4 } },
        { { -5, 1 }, { -3, 7 }, { -7, -4 }, { -11, -9 } },
        { { 6, 12 }, { 12, 8 }, { -2, 2 }, { 10, -5 } },
        { { 2, 25 }, { 11, 25 }, { 14, 22 }, { 14, 15 } },
        { { -9, 7 }, { -2, 15 }, { 2, 16 }, { 5, 18 } },
        { { 0, 0 }, { 0, 0 }, { 0, 0 }, { 0, 0 } },
    },
    [KNIGHT] = {
        { { -27, -22 }, { -24, -15 }, { -18, -12 }, { -6, -6 } },
        { { -16, -12 }, { -7, -8 }, { -5, -7 }, { -6, -3 } },
        { { -10, -10 }, { -3, -5 }, { -1, -6 }, { 6, 5 } },
        { { 7, -1 }, { 11, 3 }, { 19, 5 }, { 13, 10 } },
        { { 3, 0 }, { 13, 5 }, { 12, 12 }, { 28, 11 } },
        { { -7, -6 }, { 6, 4 }, { 9, 10 }, { 19, 13 } },
        { { -15, -7 }, { -8, -1 }, { 5, 4 }, { 12, 13 } },
        { { -30, -25 }, { -16, -11 }, { -10, -4 }, { 0, 3 } },
    },
    [BISHOP] = {
        { { -10, -13 }, { 4, -3 }, { -12, -2 }, { -6, 1 } },
        { { -3, -4 }, { -8, -14 }, { 8, -2 }, { -6, 1 } },
        { { 2, 0 }, { 8, 0 }, { -9, -5 }, { 10, 7 } },
        { { 2, -6 }, { 2, 2 }, { 9, 8 }, { 15, 9 } },
        { { -6, -2 }, { 3, 9 }, { 10, 8 }, { 13, 9 } },
        { { 1, 2 }, { 6, 7 }, { 0, 4 }, { 11, 5 } },
        { { -4, 1 }, { -4, -1 }, { 4, 6 }, { 6, 8 } },
        { { -8, -9 }, { -5, 1 }, { -3, 1 }, { 0, 3 } },
    },
    [ROOK] = {
        { { -22, -13 }, { -12, -12 }, { -11, -12 }, { -8, -16 } },
        { { -15, -12 }, { -6, -11 }, { -4, -9 }, { -1, -11 } },
        { { -8, -6 }, { 1, -6 }, { -1, -2 }, { 1, -4 } },
        { { -5, 1 }, { 0, 3 }, { -1, 3 }, { 3, 3 } },
        { { 2, 8 }, { 7, 10 }, { 5, 12 }, { 13, 8 } },
        { { 1, 9 }, { 6, 10 }, { 7, 7 }, { 10, 7 } },
        { { -2, 5 }, { -4, 10 }, { 1, 6 }, { 3, 5 } },
        { { 0, 10 }, { 3, 11 }, { 2, 8 }, { 5, 7 } },
    },
    [QUEEN] = {
        { { -3, -12 }, { -6, -13 }, { -11, -10 }, { -8, -8 } },
        { { -4, -11 }, { -4, -10 }, { -1, -9 }, { -2, -1 } },
        { { 3, -3 }, { 0, 4 }, { 3, 3 }, { -1, 7 } },
        { { 4, 3 }, { 5, 8 }, { 2, 11 }, { -3, 12 } },
        { { 5, 1 }, { 2, 7 }, { 0, 6 }, { 0, 11 } },
        { { 4, -2 }, { 0, 0 }, { 0, 6 }, { 1, 7 } },
        { { -2, -6 }, { -3, -2 }, { 0, 0 }, { 1, 3 } },
        { { -4, -11 }, { -1, -5 }, { 0, -3 }, { -1, -1 } },
    },
};

const Weight variant_horde_places[8][4] = {
    { { 0, 0 }, { 0, 0 }, { 0, 0 }, { 0, 0 } },
    { { -37, -64 }, { -29, -109 }, { -28, -130 }, { -6, -64 } },
    { { -26, -57 }, { -30, -87 }, { -22, -80 }, { -7, -46 } },
    { { -30, -60 }, { -8, -17 }, { -11, -7 }, { 1, 3 } },
    { { -28, -21 }, { 1, 19 }, { -11, 29 }, { -11, 29 } },
    { { -42, 41 }, { -24, 106 }, { -14, 93 }, { -17, 39 } },
    { { -88, 80 }, { 41, 67 }, { -2, 123 }, { 35, 73 } },
    { { 0, 0 }, { 0, 0 }, { 0, 0 }, { 0, 0 } },
};

const Weight variant_king_places[8][8] = {
    { { 0, -30 }, { 14, -23 }, { 11, -14 }, { -38, -7 }, { -5, -14 }, { -28, -18 }, { -3, -29 }, { 2, -44 } },
    { { -1, -9 }, { -14, -11 }, { -21, -9 }, { -39, 4 }, { -40, 2 }, { -36, -7 }, { -12, -17 }, { -4, -21 } },
    { { -27, -7 }, { -24, -3 }, { -33, 3 }, { -52, 12 }, { -50, 13 }, { -41, 1 }, { -29, -4 }, { -29, -13 } },
    { { -36, 7 }, { -35, 9 }, { -44, 14 }, { -61, 19 }, { -62, 20 }, { -52, 14 }, { -35, 4 }, { -38, 1 } },
    { { -48, 7 }, { -46, 15 }, { -54, 25 }, { -73, 31 }, { -73, 31 }, { -64, 24 }, { -44, 20 }, { -48, 6 } },
    { { -47, -1 }, { -45, 9 }, { -53, 21 }, { -71, 26 }, { -71, 26 }, { -62, 21 }, { -45, 11 }, { -46, 6 } },
    { { -47, -13 }, { -45, -3 }, { -53, 8 }, { -70, 14 }, { -71, 12 }, { -62, 9 }, { -45, -2 }, { -47, -14 } },
    { { -49, -33 }, { -44, -16 }, { -53, -11 }, { -71, -4 }, { -71, -2 }, { -64, -13 }, { -45, -18 }, { -48, -34 } },
};

const Weight variant_passed[8] = { { 0, 0 }, { 0, 6 }, { 0, 12 }, { 5, 25 }, { 20, 50 }, { 45, 90 }, { 85, 150 }, { 0, 0 } };
// clang-format on

#define MOBILITY_OF_CHESS                                                                          \
    {                                                                                              \
        [KNIGHT] = { 6, 6 }, [BISHOP] = { 5, 5 }, [ROOK] = { 3, 5 }, [QUEEN] = { 2, 3 }            \
    }

/* Antichess, racing kings and three-check: fitted to the results of several hundred games against
 * itself at 400 nodes a move, position by position (Texel's method); that was worth 300 Elo and
 * more each. The same fit for crazyhouse and horde lost matches, as tactics decide such short
 * searches. Horde's was fitted to 70,000 positions of 2,500 games at 4,000 nodes, half to the
 * results and half to what Fairy-Stockfish 11.1 finds them worth at 2,000 nodes. Crazyhouse's and
 * the others' are values of Multi-Variant Stockfish's pieces, brought to centipawns, and terms
 * chosen by hand, judged by matches alone. */
const VariantWeights variant_weights[RULESET_COUNT] = {
    [RULES_CRAZYHOUSE] = { .material = { [PAWN] = { 80, 90 },
                                         [KNIGHT] = { 240, 260 },
                                         [BISHOP] = { 240, 260 },
                                         [ROOK] = { 320, 340 },
                                         [QUEEN] = { 480, 500 } },
                           .hand = { [PAWN] = { 90, 90 },
                                     [KNIGHT] = { 270, 270 },
                                     [BISHOP] = { 260, 260 },
                                     [ROOK] = { 340, 340 },
                                     [QUEEN] = { 540, 540 } },
                           .mobility = MOBILITY_OF_CHESS,
                           .hanging = { 25, 25 },
                           .by_pawn = { 40, 40 },
                           .supported = { 1, 1 },
                           .passed = 60,
                           .places = 100,
                           .king_place = 100,
                           .danger = 130,
                           .tempo = { 35, 35 } },
    [RULES_ANTICHESS] = { .material = { [PAWN] = { -47, -48 },
                                        [KNIGHT] = { -164, -44 },
                                        [BISHOP] = { -125, -37 },
                                        [ROOK] = { -273, -24 },
                                        [QUEEN] = { -157, -185 },
                                        [KING] = { -45, 48 } },
                          .mobility = { [KNIGHT] = { 2, 2 },
                                        [BISHOP] = { 5, -5 },
                                        [ROOK] = { 18, -11 },
                                        [QUEEN] = { 4, 2 },
                                        [KING] = { 15, 6 } },
                          .tempo = { 73, 20 } },
    [RULES_ATOMIC] = { .material = { [PAWN] = { 115, 165 },
                                     [KNIGHT] = { 210, 320 },
                                     [BISHOP] = { 270, 350 },
                                     [ROOK] = { 380, 510 },
                                     [QUEEN] = { 700, 930 } },
                       .mobility = MOBILITY_OF_CHESS,
                       .passed = 150,
                       .places = 70,
                       .king_place = 100,
                       .danger = 100,
                       .tempo = { 40, 30 } },
    [RULES_HORDE] = { .material = { [PAWN] = { 148, 149 },
                                    [KNIGHT] = { 393, 350 },
                                    [BISHOP] = { 359, 489 },
                                    [ROOK] = { 473, 574 },
                                    [QUEEN] = { 1333, 1228 },
                                    [KING] = { 49, 38 } },
                      .mobility = { [KNIGHT] = { 1, 11 },
                                    [BISHOP] = { 7, -12 },
                                    [ROOK] = { 15, -3 },
                                    [QUEEN] = { 12, -1 },
                                    [KING] = { 20, -6 } },
                      .hanging = { 5, -66 },
                      .hanging_pawn = { 88, 22 },
                      .by_pawn = { 41, 99 },
                      .supported = { 4, 4 },
                      .blocked = { -17, -26 },
                      .passed = 95,
                      .places = 58,
                      .king_place = -40,
                      .danger = 380,
                      .tempo = { 25, 41 } },
    [RULES_KING_OF_THE_HILL] = { .network = 100,
                                 .goal = { 800, 180, 75, 30, 10 },
                                 .approach = { 10, 25 },
                                 .tempo = { 10, 10 } },
    [RULES_RACING_KINGS] = { .material = { [KNIGHT] = { 150, 246 },
                                           [BISHOP] = { 91, 292 },
                                           [ROOK] = { 128, 703 },
                                           [QUEEN] = { 452, 545 } },
                             .mobility = { [KNIGHT] = { -5, -8 },
                                           [BISHOP] = { 7, -5 },
                                           [ROOK] = { 0, -2 },
                                           [QUEEN] = { 2, 4 } },
                             .hanging = { 16, -2 },
                             .goal = { 300, 280, 260, 114, 73, 40, 30, 20, 10 },
                             .approach = { 165, 157 },
                             .tempo = { 3, 26 } },
    [RULES_THREE_CHECK] = { .network = 100,
                            .goal = { 0, 257, 478, 1000 },
                            .check = { 27, 27 },
                            .safe_check = { 46, 46 },
                            .tempo = { -4, -36 } },
};
