/* SPDX-License-Identifier: GPL-3.0-or-later */
/* team_arenas.h - reads the lists of the configured teams every ten minutes, one after the other,
 * and has arenas.h join what suits (policy/team_arena.h), the earliest first, as far as at_once
 * allows. A part of pairing.h. Pure. */
#pragma once
#include "bot/pairing/pairing_step.h"

void team_arenas_init(TeamArenas *teams);

/* Inputs. The account is known, or the configuration was read again: looks at once. After
 * arenas_follow(). */
void team_arenas_follow(PairStep *step);
void team_arenas_line(PairStep *step, uint32_t ticket, Text line);
void team_arenas_list_ended(PairStep *step, uint32_t ticket, const ApiAnswer *answer);
void team_arenas_time(PairStep *step);

int64_t team_arenas_next_at_ms(const TeamArenas *teams);
