/* SPDX-License-Identifier: GPL-3.0-or-later */
/* team_arenas.h - looks every ten minutes at the lists of the teams that the configuration names,
 * and has arenas.h join what suits (team_arena.h), the earliest first, as far as at_once allows.
 * Loop thread only. */
#pragma once
#include "bot/pairing/arenas.h"

typedef struct TeamArenas TeamArenas;

/* `context` and `arenas` are lent and outlive it. */
bool team_arenas_new(TeamArenas **out, const BotContext *context, Arenas *arenas,
                     Error *err) MUST_CHECK;

/* Asks nothing more. The memory goes when the loop has let go of it. NULL is fine. */
void team_arenas_close(TeamArenas *teams);

/* The account is known, or the configuration was read again: looks at once. After
 * arenas_follow(). */
void team_arenas_follow(TeamArenas *teams);
