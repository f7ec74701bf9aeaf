/* SPDX-License-Identifier: GPL-3.0-or-later */
/* people_line.h - a game between people, as a line of text has it (human_games.h). Pure. */
#pragma once
#include "engine/base/error.h"
#include "engine/base/text.h"
#include "engine/core/piece.h"

typedef struct {
    int ratings[COLOUR_COUNT];
    Text moves; /* in UCI, a part of the line; not looked at yet */
} PeopleGame;

/* An Error says what the line lacks. */
bool people_line_read(PeopleGame *out, Text line, Error *err) MUST_CHECK;

/* A rating alone. */
bool people_rating_read(int *out, Text text, Error *err) MUST_CHECK;
