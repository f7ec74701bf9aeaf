/* SPDX-License-Identifier: GPL-3.0-or-later */
/* uci_judge.h - a UCI engine that judges positions of finished games, one after the other, in place
 * of ours (position_search.h). Blocking; for commands. */
#pragma once
#include "bot/source/source.h"
#include "bot/source/uci_talk.h"

typedef struct UciJudge UciJudge;

/* Starts the program of a command line and waits until it is ready, UCI_JUDGE_WAIT_MS at most. It
 * runs with the caller's rights. False and an Error that names it. */
enum { UCI_JUDGE_WAIT_MS = 10000 };
bool uci_judge_new(UciJudge **out, const char *command, Error *err) MUST_CHECK;
void uci_judge_free(UciJudge *judge); /* NULL is fine */

/* Another game: the engine may forget what it knows. */
void uci_judge_begin(UciJudge *judge);

/* Searches a position of chess, Chess960 included, with so many nodes. Of the request only the
 * variant, the position and how it was reached count. False and an Error where the engine does not
 * play it, has ended, or is silent for a minute and as long as 1,000 nodes a second would take. */
bool uci_judge_go(UciJudge *judge, const MoveRequest *request, uint64_t nodes, UciResult *out,
                  Error *err) MUST_CHECK;
