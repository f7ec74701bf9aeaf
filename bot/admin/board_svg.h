/* SPDX-License-Identifier: GPL-3.0-or-later */
/* board_svg.h - a position as an SVG board of eight by eight units, for browsers. The pieces are
 * the symbols of web/pieces.svg, which stand once in each page; web/page.js draws the same board
 * when the position changes. Pure. */
#pragma once
#include "engine/base/buf.h"
#include "engine/base/text.h"
#include "engine/core/piece.h"

/* `fen`: its first field counts, up to what is no such field. `last`: the last move in UCI, whose
 * squares are marked. `below`: whose side is at the bottom. Any text may come. False when `out` is
 * full. */
bool board_svg_write(Buf *out, Text fen, Text last, Colour below) MUST_CHECK;
