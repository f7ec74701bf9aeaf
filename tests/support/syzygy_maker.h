/* SPDX-License-Identifier: GPL-3.0-or-later */
/* syzygy_maker.h - small Syzygy tables for tests, of a king and one piece against a king, written
 * from the format's description, not by our reader. */
#pragma once
#include <stddef.h>
#include <stdint.h>

enum { MAKER_CONSTANT_SIZE = 80, MAKER_BITS_SIZE = 9744 };
enum { MAKER_KNIGHT = 2, MAKER_BISHOP, MAKER_ROOK, MAKER_QUEEN };

/* WDL tables that hold one value (0 loss to 4 win) for each side to move. */
void maker_constant_wdl(uint8_t out[MAKER_CONSTANT_SIZE], int piece, int white, int black);

/* DTZ tables that hold one number; `flags` as the format has them (1: Black to move). */
void maker_constant_dtz(uint8_t out[MAKER_CONSTANT_SIZE], int piece, int flags, int value);

/* The same with the four lists (wins, losses, cursed wins, blessed losses) that flag 2 announces,
 * of 16 bits with flag 16: list n holds 10 * n + 300 (narrow: 10 * n + 30) and one more. */
void maker_mapped_dtz(uint8_t out[MAKER_CONSTANT_SIZE], int piece, int flags, int value);

/* A WDL table with data: what maker_bit() says for each of the 31332 indices, as 4 or 2 for White
 * to move and as 2 or 0 for Black. Men are listed as king, piece, other king. */
void maker_bits_wdl(uint8_t out[MAKER_BITS_SIZE], int piece);
int maker_bit(size_t index, int side);
