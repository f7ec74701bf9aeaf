/* SPDX-License-Identifier: GPL-3.0-or-later */
/* team_arenas.h - fetches the lists of the configured teams every ten minutes, and has arenas.h
 * join what suits (team_arena.h), the earliest first, as far as at_once allows. Loop thread only.
 */
#pragma once
#include "bot/pairing/arenas.h"

typedef struct TeamArenas TeamArenas;

/* `context` and `arenas` are lent and outlive it. */
bool team_arenas_new(TeamArenas **out, const BotContext *context, Arenas *arenas,
                     Error *err) MUST_CHECK;

/* No further requests. The memory goes in close callbacks (I8). NULL is fine. */
void team_arenas_close(TeamArenas *teams);

/* The account is known, or the configuration was read again: looks at once. After
 * arenas_follow(). */
void team_arenas_follow(TeamArenas *teams);
