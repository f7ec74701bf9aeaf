/* SPDX-License-Identifier: GPL-3.0-or-later */
/* recipe.h - what a network is made from: the first part of its manifest, whose hash the network
 * carries. */
#pragma once
#include "engine/train/trainer.h"

#include <stdio.h>

enum { RECIPE_NOTES_MAX = 64 };

typedef struct {
    TrainerSettings settings; /* what it begins with is not looked at */
    const char *from;         /* the file of the network that training begins with, or NULL */
    const char *begin;        /* the same of parameters */
    struct {
        const char *text; /* or the path of a file of lines */
        bool is_file;
    } notes[RECIPE_NOTES_MAX];
    int note_count;
    const char *const *records; /* paths */
    int record_count;
} Recipe;

/* Every file is named with its SHA-256. False when one cannot be read, or one of notes is no text;
 * part of it may be written then. */
bool recipe_write(FILE *out, const Recipe *recipe, const Dataset *data, Error *err) MUST_CHECK;
