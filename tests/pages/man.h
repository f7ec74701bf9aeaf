/* SPDX-License-Identifier: GPL-3.0-or-later */
/* man.h - the manual pages, written from the tables that the programs run by. Each appends a whole
 * page; false when `out` is full. */
#pragma once
#include "engine/base/buf.h"

#define MAN_DATE ".Dd November 22, 2026"

bool man_castled(Buf *out) MUST_CHECK;     /* castled(1): cli/commands.h */
bool man_castled_uci(Buf *out) MUST_CHECK; /* castled-uci(1): uci/subcommands.h, uci/options.h */

/* castled.conf(5), from the text of castled.conf.example: what is in one is in the other. */
bool man_castled_conf(Buf *out) MUST_CHECK;
