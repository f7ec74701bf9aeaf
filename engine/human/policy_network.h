/* SPDX-License-Identifier: GPL-3.0-or-later */
/* policy_network.h - how likely each move is to be a person's, by a network such as Maia's or by
 * castled's own (small_policy.h).
 *
 * A network is read-only once it is loaded: any number of threads share one, as long as its owner
 * keeps it. Floating point: results differ between processors by rounding.
 * After: McIlroy-Young, Sen, Kleinberg, Anderson, "Aligning Superhuman AI with Human Behavior",
 * 2020; the residual networks of github.com/LeelaChessZero/lc0. */
#pragma once
#include "engine/core/movegen.h"
#include "engine/human/human_view.h"

#include <stddef.h>

typedef struct PolicyNetwork PolicyNetwork;

typedef struct {
    int filters, blocks;      /* of our own kind its hidden units, and 0 */
    bool takes_rating;        /* one network for all ratings, as ours is */
    uint32_t training_steps;  /* 0: not said */
    float accuracy;           /* per cent of moves that are people's, as its makers found; 0 */
    const char *instructions; /* that it computes with, for people: "AVX2" */
} PolicyInfo;

/* In place of a path, castled's own network, which lies in the program. */
#define POLICY_BUILT_IN "built-in"

/* Does this name a file: neither nothing nor castled's own network? */
bool policy_is_file(const char *path);

/* Reads a file's bytes, which are not needed any more after; policy_load() names the path in the
 * Error. The caller frees. */
bool policy_read(PolicyNetwork **out, const uint8_t *bytes, size_t size, Error *err) MUST_CHECK;
bool policy_load(PolicyNetwork **out, const char *path, Error *err) MUST_CHECK;
void policy_free(PolicyNetwork *network);

PolicyInfo policy_info(const PolicyNetwork *network);

/* Its layers, lent; NULL of a network of our own kind. */
const struct PolicyWeights *policy_weights(const PolicyNetwork *network);

/* Room for one evaluation at a time. The caller frees. */
typedef struct PolicyRoom PolicyRoom;
bool policy_room_new(PolicyRoom **out, const PolicyNetwork *network, Error *err) MUST_CHECK;
void policy_room_free(PolicyRoom *room);

/* What a person of the network's rating makes of a position. */
typedef struct {
    float probability[MAX_MOVES]; /* of each of the moves that were asked about; sum 1 */
    float win, draw, loss;        /* chances of the mover in a game between such people; all 0 of a
                                     network of our own kind, which does not tell */
} PolicyVerdict;

/* `pos` is the newest position of `history`, `moves` are its legal moves; `elo` is the mover's
 * rating, for a network that takes one; 0: not known. Allocates nothing. */
void policy_evaluate(const PolicyNetwork *network, PolicyRoom *room, const HumanHistory *history,
                     const Position *pos, const MoveList *moves, int elo, PolicyVerdict *verdict);

/* What people think of a move that was chosen with a network's help. */
typedef struct {
    float probability;           /* that one plays it; 0: no network was asked, and all is 0 */
    float entropy;               /* of the probabilities of all moves, in nats */
    float likeliest_probability; /* of the move that most people play, */
    Move likeliest;              /* … and that one */
    Move searched;               /* the move that the search alone would play; MOVE_NONE: none */
} HumanOpinion;

/* `chosen` is an index of `moves`; `searched` is left to the caller. Pure. */
HumanOpinion policy_opinion(const PolicyVerdict *verdict, const MoveList *moves, int chosen);

/* Computes with the n-th kind of instructions from now on (convolution_nth()); false: there is
 * none. For tests and measurements. */
bool policy_force(PolicyNetwork *network, int n);
