/* SPDX-License-Identifier: GPL-3.0-or-later */
/* uci_position.h - what a request is about, as a UCI engine reads it. Pure. */
#pragma once
#include "bot/source/source.h"
#include "engine/base/buf.h"

/* True if the engine needs UCI_Chess960, and so writes castling as king takes rook. */
bool uci_position_is_960(const MoveRequest *request);

/* Writes "startpos moves e2e4" or "fen … moves …" with castling as the engine expects it. False
 * when `out` is full, or the moves are none that this game can have. */
bool uci_position_write(const MoveRequest *request, Buf *out) MUST_CHECK;
