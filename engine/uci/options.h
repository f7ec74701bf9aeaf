/* SPDX-License-Identifier: GPL-3.0-or-later */
/* options.h - the UCI options as one table: announced, set, checked. */
#pragma once
#include "engine/base/buf.h"
#include "engine/search/engine.h"
#include "engine/uci/tokens.h"

typedef struct {
    EngineOptions engine;
    bool chess960;
    bool ponder; /* GUIs that ponder ask for this option; we are always ready to */
} UciOptions;

#define UCI_OPTIONS_DEFAULT                                                                        \
    {                                                                                              \
        .engine = ENGINE_OPTIONS_DEFAULT                                                           \
    }

typedef enum {
    OPTION_ENGINE,   /* one of EngineOptions changed: tell the engine */
    OPTION_PROTOCOL, /* one that only the protocol knows */
    OPTION_CLEAR,    /* the button "Clear Hash" */
} OptionEffect;

/* Appends one line for each option, as "uci" is answered. */
bool options_announce(Buf *out) MUST_CHECK;

/* Reads what follows "setoption": "name NAME [value VALUE]". On failure the Error names the option
 * and the range, and *options is untouched. */
bool options_set(UciOptions *options, Tokens tokens, OptionEffect *effect, Error *err) MUST_CHECK;
