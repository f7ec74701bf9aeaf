/* SPDX-License-Identifier: GPL-3.0-or-later */
/* loss_chart.h - the losses of a training run as a picture (SVG 1.1): one curve while training, one
 * for validation, over the passes; the loss on a logarithmic scale. */
#pragma once
#include "engine/train/trainer.h"

#include <stdio.h>

/* Writes the picture of 1 or more passes. False when the file refuses. */
bool loss_chart_write(const TrainerPass *history, int count, const char *title, FILE *out);
