/* SPDX-License-Identifier: GPL-3.0-or-later */
/* options.h - the UCI options as one table: announced, set, checked. */
#pragma once
#include "engine/base/buf.h"
#include "engine/search/engine.h"
#include "engine/search/params.h"
#include "engine/uci/tokens.h"

enum { UCI_PATH_SIZE = 1024 };

typedef struct {
    EngineOptions engine; /* its tablebase and network are the session's to open, by these paths */
    Params params;        /* for `engine`; only builds for tuning offer them */
    Ruleset ruleset;      /* of the positions that follow */
    bool chess960;
    int contempt; /* in centipawns */
    int variety;  /* likewise */
    bool limit_strength;
    int elo;                         /* counts when that is set */
    char syzygy_path[UCI_PATH_SIZE]; /* "DIR[:DIR…]", "" for none */
    char eval_file[UCI_PATH_SIZE];   /* a network; "": the one built in */
    char human_file[UCI_PATH_SIZE];  /* a policy network; "": none */
    int style;                       /* UciStyle */
    int human_choice;                /* UciHumanChoice */
    bool ponder; /* it takes more time for a move; `go ponder` is answered without it too */
} UciOptions;

#define UCI_OPTIONS_DEFAULT                                                                        \
    {                                                                                              \
        .engine = ENGINE_OPTIONS_DEFAULT, .params = PARAMS_DEFAULT_VALUES, .elo = ELO_MAX          \
    }

/* In the order of the options' words. */
typedef enum { STYLE_ENGINE, STYLE_HUMAN } UciStyle;
typedef enum { CHOICE_DRAWN, CHOICE_LIKELIEST } UciHumanChoice;

typedef enum {
    OPTION_ENGINE,    /* one of EngineOptions changed */
    OPTION_PROTOCOL,  /* used by the protocol alone */
    OPTION_TABLEBASE, /* syzygy_path changed */
    OPTION_NETWORK,   /* eval_file changed */
    OPTION_HUMAN,     /* human_file changed */
    OPTION_RATING,    /* limit_strength or elo changed */
    OPTION_VARIANT,   /* ruleset changed */
    OPTION_CLEAR,     /* the button "Clear Hash" */
} OptionEffect;

/* Appends one line for each option, as "uci" is answered. */
bool options_announce(Buf *out) MUST_CHECK;

/* Reads what follows "setoption": "name NAME [value VALUE]". On failure the Error names the option
 * and the range, and *options is untouched. */
bool options_set(UciOptions *options, Tokens tokens, OptionEffect *effect, Error *err) MUST_CHECK;

/* What the option does, for castled-uci(1); NULL where there is none of this name. */
const char *options_help(Token name);
