/* SPDX-License-Identifier: GPL-3.0-or-later */
#define CONVOLUTION convolution_baseline
#define LANES 4
#define SQUARES 4
#define WINOGRAD winograd_baseline
#include "engine/human/convolution_simd.h"
#include "engine/human/winograd_simd.h"
