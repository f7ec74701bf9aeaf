/* SPDX-License-Identifier: GPL-3.0-or-later */
/* assemble.h - where this daemon's moves come from: the chain of sources that the configuration
 * asks for, the most trusted first, our own engine last. */
#pragma once
#include "bot/config/settings.h"
#include "bot/lichess/ratelimit.h"
#include "bot/ops/log.h"
#include "bot/source/source.h"
#include "engine/book/book_stats.h"

#include <uv.h>

/* Lent until the source has closed, but for the token, which is copied for the opening explorer
 * where that is the account's own. */
typedef struct {
    const Config *config;
    const char *config_file; /* which engines may not read */
    const char *token;
    const Ratelimit *limit;      /* the account's */
    const BookStats *book_stats; /* of our games, for the books */
    const char *transcripts;     /* the folder of external engines' traffic; "": none */
    Log *log;
    /* An external engine has crashed or hung; may be NULL. */
    void (*on_engine_failed)(void *user, const char *engine, const char *why);
    void *user;
} SourceAssembly;

bool source_assemble(Source **out, uv_loop_t *loop, const SourceAssembly *options,
                     Error *err) MUST_CHECK;
