/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sources.h - where this daemon's moves come from: the chain of sources that the configuration asks
 * for, the most trusted first, our own engine last. Config and log are lent and outlive it. */
#pragma once
#include "bot/config/config.h"
#include "bot/ops/log.h"
#include "bot/source/source.h"

#include <uv.h>

/* `log` is lent until the source has closed. */
bool sources_new(Source **out, uv_loop_t *loop, const Config *config, Log *log,
                 Error *err) MUST_CHECK;
