/* SPDX-License-Identifier: GPL-3.0-or-later */
/* teacher_network.h - the static evaluation of a teacher's own network, computed in this process:
 * labels without a search, so without its noise, and some hundred times cheaper than one.
 *
 * Reads the format of Stockfish 15.1, as its command `export_net` writes it: inputs by king square,
 * HalfKAv2 with mirrored kings, 22,528 to 1,024 for each side, pairs of units multiplied, eight
 * stacks of layers 1024-15-32-1 by the number of men, and for each input eight values that pass the
 * layers by. What the program does to the network's output is done here too, but for what depends
 * on its search: material matters more on a full board; the fifty-move counter counts nothing.
 * After: Stockfish 15.1, nnue/ and evaluate.cpp, as facts of its format; Y. Nasu, "Efficiently
 * updatable neural-network-based evaluation functions for computer shogi", 2018. */
#pragma once
#include "engine/core/position.h"

enum { TEACHER_HASH_SIZE = 32 };

/* A network, read-only once it is made; any number of threads and evaluators may share it. */
typedef struct TeacherNetwork TeacherNetwork;

/* Reads a file of unknown origin; the Error names it. The caller frees. */
bool teacher_network_new(TeacherNetwork **out, const char *path, Error *err) MUST_CHECK;
void teacher_network_free(TeacherNetwork *network);

/* Its name as its authors build it, "nn-HASH.nnue"; lives as long as the network. */
const char *teacher_network_name(const TeacherNetwork *network);

/* The SHA-256 of its file, TEACHER_HASH_SIZE bytes; lives as long as the network. */
const uint8_t *teacher_network_hash(const TeacherNetwork *network);

/* Evaluates positions one after the other, the faster the more they have in common with the one
 * before. One thread; the network is lent. The caller frees. */
typedef struct TeacherEvaluator TeacherEvaluator;
bool teacher_evaluator_new(TeacherEvaluator **out, const TeacherNetwork *network,
                           Error *err) MUST_CHECK;
void teacher_evaluator_free(TeacherEvaluator *evaluator);

/* Centipawns for the side to move as the teacher prints them: 100 is an even chance to win. Within
 * ±30,000. Nobody is in check; at most 32 men. */
int teacher_evaluate(TeacherEvaluator *evaluator, const Position *pos);
