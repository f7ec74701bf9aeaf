/* SPDX-License-Identifier: GPL-3.0-or-later */
/* uci_opponent.h - whom we play, as the UCI option UCI_Opponent wants it said. Pure.
 * After: Stefan Meyer-Kahlen, "Description of the universal chess interface". */
#pragma once
#include "bot/model/player.h"

enum { UCI_OPPONENT_SIZE = 64 };

/* "GM 2800 human Garry", "none none computer Maia1". A title or name with other bytes than visible
 * ASCII, or too long, is left out: a line to an engine is no place for them. */
void uci_opponent_write(const Player *opponent, char out[UCI_OPPONENT_SIZE]);
