/* SPDX-License-Identifier: GPL-3.0-or-later */
/* scenario.h - what a server sends in one game and what castled has to ask of it, from a file:
 * tests/data/scenarios/README.md has the format. */
#pragma once
#include "bot/config/settings.h"
#include "bot/lichess/event.h"

enum { SCENARIO_RECORDS_MAX = 100 };

typedef enum {
    SCENARIO_LINE,   /* the server sends `line` at `t_ms` */
    SCENARIO_END,    /* it ends the game's stream then */
    SCENARIO_EXPECT, /* castled has asked `request` by then */
    SCENARIO_QUIET,  /* and nothing until then */
} ScenarioKind;

typedef struct {
    ScenarioKind kind;
    int number; /* of its line in the file */
    int64_t t_ms;
    bool is_of_game;          /* on the game's stream; else on the event stream */
    struct json_object *line; /* lent by the scenario */
    Text request;             /* "open", "move/e2e4", "draw/yes" */
    int answer;               /* the status of its answer; 0: the connection breaks */
    int score_cp;             /* what the search thinks of the move that is asked for */
} ScenarioRecord;

typedef struct {
    const char *path; /* lent */
    char our_id[USER_ID_SIZE];
    char game_id[GAME_ID_SIZE];
    Config config;
    ScenarioRecord records[SCENARIO_RECORDS_MAX];
    int count;
    struct json_object *lines; /* what the records' texts lie in */
} Scenario;

/* `path` is lent. False and "path:line: why"; to be released all the same. */
bool scenario_read(Scenario *out, const char *path, Error *err) MUST_CHECK;
void scenario_release(Scenario *scenario);

/* Plays it against game.h's state machine, in no time. False and "path:line: why" where castled
 * asks something else, or at another time. */
bool scenario_play(const Scenario *scenario, Error *err) MUST_CHECK;
