/* SPDX-License-Identifier: GPL-3.0-or-later */
/* compare_text.h - castled stats --compare: two versions of external engines by their games. */
#pragma once
#include "bot/archive/store.h"

/* Prints a table against people and one against bots. `versions`: how the engines' identities
 * begin, or a part of them. False and an Error where the archive can't be read, or a game is of
 * both. */
bool compare_print(Store *store, const StoreFilter *filter, const char *const versions[2],
                   Error *err) MUST_CHECK;
