/* SPDX-License-Identifier: GPL-3.0-or-later */
/* uci_text.h - moves as UCI text without rules, on their way from a foreign engine. Pure. */
#pragma once
#include "engine/base/text.h"
#include "engine/core/uci_move.h"

/* "e2e4", "e7e8q" (k too: antichess), "P@e4": the form alone. */
bool uci_text_is_move(Text word);

/* Cuts the next word off a list that blanks separate; the empty text at its end. */
Text uci_text_next(Text *rest);
