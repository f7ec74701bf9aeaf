/* SPDX-License-Identifier: GPL-3.0-or-later */
/* variant_start.h - where a game of a variant begins, by the rules that it is played by. Pure. */
#pragma once
#include "bot/model/words.h"
#include "engine/core/fen.h"

/* Where games of the variant usually begin, as fen.h writes it; not of VARIANT_UNKNOWN. */
const char *variant_start_fen(Variant variant);

/* Reads `fen`, NULL or "" for that place; false and an Error for what is no such position, and for
 * VARIANT_UNKNOWN. `dropped` as fen_read() has it. */
bool variant_start_read(Position *out, Variant variant, const char *fen, FenMode mode, int *dropped,
                        Error *err) MUST_CHECK;
