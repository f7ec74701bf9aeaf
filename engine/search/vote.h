/* SPDX-License-Identifier: GPL-3.0-or-later */
/* vote.h - whose result counts when several threads searched: best-thread voting. Internal to
 * engine/search; after the search, or for the caller's own worker. */
#pragma once
#include "engine/search/worker.h"

/* The worker whose best move is played. Threads vote for their best moves, weighted by depth and
 * score; a mate wins without a vote, the shortest first. With several lines it is the main thread.
 */
Worker *vote_best_thread(const Search *search);
