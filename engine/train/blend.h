/* SPDX-License-Identifier: GPL-3.0-or-later */
/* blend.h - scores of training records, blended with the hand-written evaluation: it knows less
 * than a teacher, but its values have no noise. That helps where positions are few. Pure. */
#pragma once
#include "engine/train/packed_position.h"

/* The hand-written evaluation's centipawns of one logit, as fitted to games of strong engines. */
enum { BLEND_LOGIT = 210 };

/* Gives the hand-written evaluation this share, 0..100 per cent, of each record's score. Records
 * that are no legal position stay as they are. */
void blend_scores(PackedPosition *records, uint32_t count, int percent);
