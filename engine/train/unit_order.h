/* SPDX-License-Identifier: GPL-3.0-or-later */
/* unit_order.h - puts the hidden units of products into another order, which changes nothing but
 * the time that the engine takes: units that are zero in the same positions stand together, so that
 * more of the blocks of four inputs that it skips where all are zero (kernels.h) are. */
#pragma once
#include "engine/train/dataset.h"

/* Reorders parameters of a shape with products, by what the units do in some positions of
 * the data. False without memory. */
bool unit_order(float *parameters, ModelShape shape, const Dataset *data, Error *err) MUST_CHECK;
