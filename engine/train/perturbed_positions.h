/* SPDX-License-Identifier: GPL-3.0-or-later */
/* perturbed_positions.h - positions near one of a game or a search that no game need ever have: men
 * stand elsewhere, or are missing. They cost no game. What a network has seen of a game it knows by
 * heart after one pass; from these it learns what a man is worth on other squares too. Pure; any
 * thread. */
#pragma once
#include "engine/train/game_positions.h"

/* Makes `count` positions of `pos`, which is one of chess if `count` is not 0, by one to three
 * edits each, drawn at random by its key: a man goes to another square (a pawn or a king to one
 * nearby), or leaves the board together with one of its kind of the other side. The same side is to
 * move; no pawn has just moved two squares; castling is lost with king or rook. Those that are not
 * legal, are in check or came out as `pos` are left out. Returns how many are left, which are in
 * found[]. */
int perturbed_positions(const Position *pos, int count, Position found[]);
