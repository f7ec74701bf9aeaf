/* SPDX-License-Identifier: GPL-3.0-or-later */
#define CONVOLUTION convolution_avx2
#define LANES 8
#define SQUARES 4
#define WINOGRAD winograd_avx2
#include "engine/human/convolution_simd.h"
#include "engine/human/winograd_simd.h"
