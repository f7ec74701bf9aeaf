/* SPDX-License-Identifier: GPL-3.0-or-later */
/* datagen_options.h - the command line of castled-datagen. */
#pragma once
#include "engine/base/error.h"
#include "engine/core/ruleset.h"

#include <stdint.h>

enum { DATAGEN_JOBS_MAX = 256, DATAGEN_NODES_MAX = 1000000 };

typedef enum {
    DATAGEN_OWN,   /* castled's games against itself, with scores (archive.h) */
    DATAGEN_HUMAN, /* games with what people play in each position (human_labels.h) */
} DatagenKind;

typedef struct {
    DatagenKind kind;
    const char *teachers; /* of DATAGEN_HUMAN: a folder of networks of people's moves, */
    const char *people;   /* … and a file of people's games; NULL: the teachers play */
    const char *network;  /* that castled plays with; NULL: what is built in */
    Ruleset ruleset;
    const char *out;
    int64_t nodes;
    int64_t jobs;
    int64_t seed;
    int64_t games;       /* of each seed; 0: without end */
    int64_t minutes;     /* 0: until told to stop */
    int64_t opening_max; /* centipawns, see GameRules */
    int64_t won_score;
    bool asks_for_help; /* then nothing else is set */
} DatagenOptions;

extern const char datagen_usage[];

bool datagen_options_read(DatagenOptions *options, int argc, char **argv, Error *err) MUST_CHECK;
