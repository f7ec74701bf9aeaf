/* SPDX-License-Identifier: GPL-3.0-or-later */
/* unit.h - what every cmocka test needs before <cmocka.h>. */
#pragma once
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
