/* SPDX-License-Identifier: GPL-3.0-or-later */
/* external.h - a UCI engine that is not ours as a source of moves.
 *
 * One process is started at once and kept warm. A game gets a process of its own with its first
 * request and keeps it, together with the engine's hash and pondering. Each fault (crash, hang, an
 * illegal move, no move) is a strike. The request is answered without a move, so that the next
 * source gets it, and the process is replaced. After three strikes in a game the engine is not
 * asked in it any more. In a variant beyond our rules there is no other source: there the new
 * process is given the same order. */
#pragma once
#include "bot/source/external_worker.h"
#include "bot/source/source.h"

enum { EXTERNAL_STRIKES_MAX = 3 };

/* `engine` is copied, and its configuration and secrets with it; its log is lent until the source
 * has closed.
 */
bool external_source_new(Source **out, uv_loop_t *loop, const ExternalEngine *engine,
                         Error *err) MUST_CHECK;

/* Has a process come up that no game has taken yet? */
bool external_source_is_warm(const Source *source);
