/* SPDX-License-Identifier: GPL-3.0-or-later */
/* game_html.h - one game for a browser, as it stands: players, clocks, board, evaluation,
 * variation. web/page.js finds the parts by their class and keeps them up to date. Pure. */
#pragma once
#include "engine/base/buf.h"
#include "engine/base/text.h"

#include <json-c/json.h>

typedef enum {
    GAME_HTML_CARD,  /* with links to the game's own page and to the server */
    GAME_HTML_WHOLE, /* with its moves too, */
    GAME_HTML_BARE,  /* without any words: board, players, clocks */
} GameHtmlDetail;

/* `game`: of game_json.h; `url`: the server's. False when `out` is full. */
bool game_html_write(Buf *out, const struct json_object *game, Text url,
                     GameHtmlDetail detail) MUST_CHECK;

/* Chances to win that an evaluation gives White, 0..1. After: Lichess, "Lichess Accuracy metric",
 * lichess.org/page/accuracy. */
double game_html_chances(const struct json_object *eval);
