/* SPDX-License-Identifier: GPL-3.0-or-later */
/* engine_share.h - which external engine plays a game, where several share the games by their
 * `share`. Drawn by a text, usually the game's id, so that the same game has the same engine after
 * a restart, and anyone can check the draw. Pure. */
#pragma once
#include "bot/config/settings.h"
#include "bot/model/words.h"

/* Which part of the draw, 0..99, falls to a text. */
int engine_share_lot(Text text);

/* The words of [engine] external for one game into `out`. Where engines among `words` that play
 * the variant have a share, one of them plays alone, or else those without one, where the file has
 * them; "none" leaves the game to castled's engine. Shares beyond 100 in sum are parts of their
 * sum. True: it was drawn; false: `out` is `words`. */
bool engine_share_draw(const Config *config, const char *words, Variant variant, Text text,
                       char out[CONFIG_TEXT_SIZE]);

/* Is the engine that the operator has chosen (castled engine use) to play this game? Yes where it
 * plays the variant, and the configuration has some external engine play it. */
bool engine_share_use(const Config *config, const char *words, Variant variant, const char *name);
