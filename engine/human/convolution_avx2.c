/* SPDX-License-Identifier: GPL-3.0-or-later */
#define CONVOLUTION convolution_avx2
#define LANES 8
#define SQUARES 4
#include "engine/human/convolution_simd.h"
