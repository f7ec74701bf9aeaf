/* SPDX-License-Identifier: GPL-3.0-or-later */
/* waiting.h - challenges that wait for a slot. The server does not report when an owner leaves, so
 * its list of open challenges is looked at before one is accepted that is older than 20 s. Without
 * the scope for that, on a server without such a list, or when it cannot be read twice in a row,
 * such a one is accepted unseen. Until then whoever was just seen goes first. A part of pairing.h.
 * Pure. */
#pragma once
#include "bot/pairing/pairing_step.h"

void waiting_init(Incoming *incoming, const PairView *view);

/* Accepts those that wait, as far as there are slots. */
void waiting_serve(PairStep *step);

/* Declines those that wait for a game with a clock. */
void waiting_send_away(PairStep *step, const char *why);

/* Inputs. Now and then the list is looked at for what no event told, first soon after the event
 * stream has opened. */
void waiting_list_answered(PairStep *step, uint32_t ticket, const ApiAnswer *answer);
void waiting_stream_opened(PairStep *step);
void waiting_time(PairStep *step);

int64_t waiting_next_at_ms(const Pairing *pairing, const PairView *view, int64_t now_ms);
