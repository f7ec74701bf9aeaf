/* SPDX-License-Identifier: GPL-3.0-or-later */
/* seek.h - whom to challenge, and to what, when we are idle. Types of games ([matchmaking.NAME],
 * each over [matchmaking]'s keys) are drawn by weight among those of this weekday. Then come a
 * clock, a mode and a variant. Opponents are bots online
 * whose rating suits the type and who have not declined such a game lately, in the order of
 * `prefer`. Pure: the time, the
 * seed and what is remembered come in. */
#pragma once
#include "bot/config/settings.h"
#include "bot/config/ini_reader.h"
#include "bot/lichess/event.h"
#include "bot/lichess/online_bots.h"

enum { SEEK_CANDIDATES_MAX = 20, SEEK_WHAT_SIZE = 96, SEEK_TYPE_SIZE = INI_SECTION_LONGEST + 1 };

typedef struct {
    char type[SEEK_TYPE_SIZE]; /* its name; "" for [matchmaking] itself */
    int base_s, increment_s;
    int days; /* a move, and no clock; 0: a clock */
    Variant variant;
    bool rated;
    bool in_pairs; /* another game follows with the colours changed over */
    char candidates[SEEK_CANDIDATES_MAX][USER_ID_SIZE]; /* to be tried in this order */
    int candidate_count;
} SeekPlan;

typedef struct {
    const Config *config;
    const char *our_id;
    const OnlineBot *us; /* NULL: our ratings are not known */
    const OnlineBots *people;
    int weekday;  /* 0: Monday */
    bool no_days; /* games by days a move are not to be chosen */
    /* Not to be asked now: blocked, played lately, or has played enough today. */
    bool (*is_excluded)(void *user, const char *id);
    bool (*has_declined)(void *user, const char *what); /* see seek_learn() */
    bool has_only_lists; /* besides [matchmaking] only, there are lists of whom to ask … */
    bool (*is_only)(void *user, const char *id);          /* … which one is on */
    int (*games_with)(void *user, const char *id);        /* of late */
    const char *(*engine_of)(void *user, const char *id); /* NULL: not known */
    void *user;
} SeekView;

/* False: no type or no opponent suits today. */
bool seek_choose(const SeekView *view, uint64_t *seed, SeekPlan *out);

/* Are bots that run this engine not asked for such a game? */
bool seek_avoids(const Config *config, const SeekPlan *plan, const char *engine);

/* What a refusal of such a game by `id` teaches: that they declined `what` ("alba",
 * "alba/clock/180+2"), to be remembered for `seconds`. */
void seek_learn(const SeekPlan *plan, const char *id, DeclineReason reason,
                char what[SEEK_WHAT_SIZE], int64_t *seconds);
