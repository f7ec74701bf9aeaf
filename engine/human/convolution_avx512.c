/* SPDX-License-Identifier: GPL-3.0-or-later */
#define CONVOLUTION convolution_avx512
#define LANES 16
#define SQUARES 8
#define WINOGRAD winograd_avx512
#include "engine/human/convolution_simd.h"
#include "engine/human/winograd_simd.h"
