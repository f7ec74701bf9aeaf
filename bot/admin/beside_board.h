/* SPDX-License-Identifier: GPL-3.0-or-later */
/* beside_board.h - what a side has besides its men on the board: in crazyhouse those in hand, in
 * three-check the checks that it has given. Pure. */
#pragma once
#include "engine/base/buf.h"
#include "engine/base/text.h"
#include "engine/core/piece.h"

/* Appends it as text, "♛♟♟" or "+1", nothing where there is none. `fen`: as fen.h writes it. False
 * when `out` is full. */
bool beside_board_write(Buf *out, Text fen, Colour side) MUST_CHECK;
