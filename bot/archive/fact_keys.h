/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fact_keys.h - every kind of fact that outlives the process: its key, who keeps it, what its value
 * says, how long it lives. A key is a word alone, or a word, a slash and an id. Pure. */
#pragma once
#include "bot/archive/facts.h"

#include <string.h>

typedef enum {
    FACT_ARENA,        /* arena/ID: arenas; "ORIGIN [password=…] [team=…]" or "out"; its end */
    FACT_ASKED_ENGINE, /* asked/USER: chatter; "yes"; a year */
    FACT_BOT_GAMES,    /* day/bot-games: matchmaker; a DayCount; 26 h */
    FACT_CREDITS,      /* day/credits: matchmaker; a DayCount; 26 h */
    FACT_DECLINED,     /* declined/USER[/WHAT/WHICH]: matchmaker; "yes"; an hour to 30 days */
    FACT_DRAW,         /* draw/USER: session; the game by whose id the engine was drawn; 2 h */
    FACT_ENGINE,       /* engine: control_commands; the external engine to use; a year */
    FACT_EVAL_HISTORY, /* outlook/GAME: game_set; an EvalHistory; 15 days */
    FACT_GAMES_WITH,   /* games/USER: matchmaker; how many with this bot; 90 days */
    FACT_LAG,          /* lag: game_set; a LagMeter; 30 days */
    FACT_LEVEL,        /* level/USER: session; a LevelLearnt; a year */
    FACT_LIMIT,        /* limit/FAMILY: daemon; "blocked"; as the server said */
    FACT_OPENS,        /* opens/event-stream: event_stream; Unix times in ms; their window */
    FACT_LIST,         /* list/URL: remote_lists; its ETag, then its names, a line each; a year */
    FACT_PAIR,         /* pair: matchmaker; a ChallengeRequest, the second game's; 24 h */
    FACT_RUNS,         /* runs/USER: chatter, matchmaker; an engine's name; 30 days */
    FACT_SCHEDULED,    /* scheduled/NUMBER: schedule; a ScheduledMatch; 7 days beyond its time */
    FACT_PACE,         /* pace/USER: session; "fast"; a year */
    FACT_PLAYED,       /* met/USER: matchmaker; "yes"; matchmaking.rematch_cooldown */
    FACT_QUOTA,        /* spent/USER: bot_game_quota; "yes"; as the server said */
    FACT_REMATCH,      /* rematch/GAME: rematches; how many in a row; a day */
    FACT_VISIT,        /* visit/GAME: game_set; the opponent's id; a day */
    FACT_WISHED_LEVEL, /* wished/USER: session; as in bot/policy/wish.h; a day */
    FACT_KIND_COUNT,
} FactKind;

/* What the keys of a kind begin with, slash included. Those of a kind without ids are this. */
const char *fact_prefix(FactKind kind);

/* The kind that a key is of; FACT_KIND_COUNT: none that this version knows. */
FactKind fact_kind_of(const char *key);

/* How long a fact of the kind lives at most, from any moment on, as its own row above says. One
 * that has longer to live was written while the clock was wrong. FACT_KIND_COUNT: the longest. */
int64_t fact_life_most_ms(FactKind kind);

/* What follows the prefix in a key of the kind. */
static inline const char *fact_id(FactKind kind, const Fact *fact)
{
    return fact->key + strlen(fact_prefix(kind));
}

/* The key of `id` (empty: a kind without ids) into `out`. False, and an empty key, when that is no
 * key: too long, or an id where none belongs, or none where one does. */
bool fact_key_write(char out[FACT_KEY_SIZE], FactKind kind, Text id) MUST_CHECK;
