/* SPDX-License-Identifier: GPL-3.0-or-later */
/* scoresheet.h - the server's list of moves, followed move by move.
 *
 * Lichess sends the whole list with every state. Only new moves are matched against the legal ones
 * and made. A list that does not begin with the one before is a takeback (or a correction), and is
 * replayed from the initial position. Work grows with the new moves, not with the game. Pure;
 * owner's thread only.
 */
#pragma once
#include "engine/base/text.h"
#include "engine/core/position.h"
#include "engine/core/san.h"

enum {
    SCORESHEET_TEXT = 4096, /* some 800 plies; longer lists are replayed each time */
    SCORESHEET_TAIL = 2,
};

typedef struct {
    uint32_t ply; /* 1 for the game's first move */
    Move move;
    char san[SAN_SIZE];
} SheetMove;

/* Written by scoresheet.c alone. */
typedef struct {
    Position initial;
    Position position; /* after all moves */
    uint32_t ply;      /* their number */
    uint32_t version;  /* changes whenever the list does; 0 before the first one was read */
    SheetMove tail[SCORESHEET_TAIL]; /* what the last change appended, at most its last two */
    int tail_count;                  /* 0 after a replay */
    bool is_desynced;                /* the last list could not be followed */
    bool fits;
    size_t len; /* of `text`, when it fits */
    char text[SCORESHEET_TEXT];
} Scoresheet;

typedef enum {
    SHEET_SAME,     /* the list that we had */
    SHEET_GREW,     /* moves were appended */
    SHEET_REPLAYED, /* first list, takeback, correction */
    SHEET_DESYNCED, /* a move is not legal: position and list are those before it, by a new version
                      that no later list continues */
} SheetChange;

/* An empty sheet over `initial`, which is copied. */
void scoresheet_init(Scoresheet *sheet, const Position *initial);

/* Takes the list that a state brought: UCI moves, blank-separated. SHEET_STRAYED sets `err`, which
 * names the move and the position. */
SheetChange scoresheet_read(Scoresheet *sheet, Text moves, Error *err);
