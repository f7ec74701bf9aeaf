/* SPDX-License-Identifier: GPL-3.0-or-later */
/* arena_facts.h - what outlives the process of an arena: that we are in it, with what a request to
 * be paired must repeat, or that we are out of it and do not return. A part of pairing.h. Pure. */
#pragma once
#include "bot/pairing/pairing_step.h"

/* We are in. */
void arena_facts_joined(PairStep *step, const ArenaEntry *entry);

/* The arena is done with: out of it, over, or never joined. */
void arena_facts_done(PairStep *step, const ArenaEntry *entry);

bool arena_facts_are_out(const PairStep *step, Text id);

/* One that we were in. False: the fact tells of none. */
bool arena_facts_read(const Fact *fact, ArenaSpec *spec, ArenaFrom *from) MUST_CHECK;
