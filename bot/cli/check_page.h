/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check_page.h - could a daemon serve its page where the configuration says? For `castled check`.
 */
#pragma once
#include "bot/cli/check.h"

/* One line, none where the page is off: without it castled plays on, so that is a warning. Takes
 * the port for a moment; where it is taken, asks whether by the running daemon. */
void check_page(FILE *out, const Config *config);
