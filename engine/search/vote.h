/* SPDX-License-Identifier: GPL-3.0-or-later */
/* vote.h - whose result counts when several threads searched: best-thread voting. Internal to
 * engine/search; after the search, or for the caller's own worker. */
#pragma once
#include "engine/search/worker.h"

/* The worker whose best move is played. Threads vote for their best moves, weighted by depth and
 * score; among those of the winning move the heaviest vote leads, a line with a reply first. A
 * decided win needs no vote: the shortest leads. Where the leader is lost, the longest defence
 * does. With several lines it is the main thread. */
Worker *vote_best_thread(const Search *search);
