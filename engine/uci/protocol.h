/* SPDX-License-Identifier: GPL-3.0-or-later */
/* protocol.h - a UCI session: lines in, lines out, an engine behind.
 * What cannot be understood or done is answered by "info string error: …" and changes nothing; the
 * session lives on. "go" is always answered by a move: by "bestmove 0000" after a position that was
 * refused. A search runs beside the session: commands that would change what it works on
 * are refused until it has been stopped.
 * After: the UCI protocol's description by R. Huber and S. Meyer-Kahlen. */
#pragma once
#include "engine/base/error.h"

#include <stddef.h>

typedef struct Uci Uci;

/* Takes one line or several, each with its newline. Called from the session's and the engine's
 * threads, possibly at once. */
typedef void (*UciWrite)(void *user, const char *text);

enum { UCI_LINE_MAX = 256 * 1024 /* bytes of one command: a game of some 50,000 moves */ };

bool uci_new(Uci **out, UciWrite write, void *user, Error *err) MUST_CHECK;

/* Stops a running search, whose best move is still written. NULL is fine. */
void uci_free(Uci *uci);

/* Obeys one line, of at most UCI_LINE_MAX bytes, without its newline. False after "quit". */
bool uci_handle(Uci *uci, const char *line, size_t len) MUST_CHECK;

/* Writes an error line; control characters in the text are masked. */
void uci_complain(Uci *uci, const char *text);
