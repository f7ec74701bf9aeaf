/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lowered.h - engines whose search threads run at a lower priority than the thread that asks. */
#pragma once
#include "engine/search/engine.h"

/* Makes *engine where it is NULL, else gives it these options, as engine_new() and
 * engine_set_options() do. Waits for the new threads to be there, not for anything else. */
bool lowered_engine(Engine **engine, const EngineOptions *options, Error *err) MUST_CHECK;
