/* SPDX-License-Identifier: GPL-3.0-or-later */
/* record.h - what is worth keeping of a game: who, what, every move with the clock after it, and
 * our evaluation after ours. Collected line by line while the game runs, so that takebacks leave no
 * trace. Moves are not checked, so variants without rules of ours are kept as well. Pure; time
 * comes in. */
#pragma once
#include "bot/model/ids.h"
#include "bot/model/move_choice.h"
#include "bot/model/player.h"
#include "bot/model/time_control.h"
#include "bot/model/words.h"
#include "engine/core/san.h"
#include "engine/core/uci_move.h"

enum {
    RECORD_NAME_SIZE = 64,
    RECORD_FEN_SIZE = 192,
    RECORD_ENGINE_SIZE = 256,
    RECORD_THEIR_ENGINE_SIZE = 48,
    RECORD_MOVES_MAX = 4096, /* Lichess ends games at 600 plies */
    RECORD_PV_SIZE = (MOVE_CHOICE_PV - 1) * UCI_MOVE_SIZE,
};

/* What people of the level that we play at think of our move, in percent, by a network of their
 * moves. */
typedef struct {
    int percent, first_percent; /* they play it; they play the move that most of them do, */
    char first[SAN_SIZE];       /* … which is this; "": no network was asked, and all is 0 */
    char searched[SAN_SIZE];    /* what the search alone would have played; "": not known */
} RecordPeople;

typedef struct {
    char uci[UCI_MOVE_SIZE];
    int64_t clock_ms; /* the mover's after the move; -1: not known */
    bool is_book;     /* ours, out of an opening book */
    bool has_choice;  /* ours, as it was found here; so all of this: */
    int score;        /* for the mover, as in engine/search/engine.h */
    int depth;        /* plies; 0: the score means nothing */
    uint64_t nodes;
    int64_t time_ms;
    char pv[RECORD_PV_SIZE]; /* what was expected after it: "e7e5,g1f3"; "": not known */
    RecordPeople people;     /* not in the archive */
} RecordMove;

typedef struct {
    char id[GAME_ID_SIZE]; /* "": nothing was read yet */
    Variant variant;
    Speed speed;
    bool rated;
    TimeControl time;
    Player players[COLOUR_COUNT];
    Colour us;                          /* COLOUR_NONE: unknown */
    char initial_fen[RECORD_FEN_SIZE];  /* "": the start position */
    char tournament_id[GAME_ID_SIZE];   /* "": none */
    int64_t created_at_ms, ended_at_ms; /* Unix; 0: not known */
    char engine[RECORD_ENGINE_SIZE]; /* that found our latest moves (external_version.h); "": ours,
                                        or not known */
    char their_engine[RECORD_THEIR_ENGINE_SIZE]; /* by what they say; "": not known */
    int strikes; /* faults of external engines here: crashes, hangs, illegal moves */
    GameStatus status;
    Colour winner; /* or COLOUR_NONE */
    RecordMove *moves;
    size_t count, capacity;
    RecordMove next;   /* found, not on the list yet, */
    size_t next_index; /* which it will be at; SIZE_MAX: none */
    bool has_gaps;     /* there was no memory for a move, or too many came */
} GameRecord;

void record_init(GameRecord *record);
void record_release(GameRecord *record);

/* A deep copy; false without memory, *out then empty. */
bool record_copy(GameRecord *out, const GameRecord *record) MUST_CHECK;

/* The game's whole list of moves (UCI, blank-separated) as a line of its stream shows it, with the
 * clocks at that time; -1: not known. Takebacks leave no trace. */
void record_take_moves(GameRecord *record, Text moves, const int64_t time_ms[COLOUR_COUNT]);

/* Stores search data for our move at `ply` (1: the game's first) once the server's list confirms
 * it, compared by origin square, since castling has two notations. `from`: the position that was
 * searched; NULL: not known, and neither variation nor people's opinion is kept. */
void record_take_choice(GameRecord *record, int ply, const char *uci, const MoveChoice *choice,
                        const Position *from);

/* More faults of `engine`, which the game is said to be of if no engine has found a move. NULL: not
 * known. */
void record_take_strikes(GameRecord *record, int strikes, const char *engine);

void record_end(GameRecord *record, GameStatus status, Colour winner, int64_t unix_ms);

/* Whom we played; White where our colour is unknown. Lent by the record. */
const Player *record_opponent(const GameRecord *record);

/* Who moves first: as the initial FEN says. */
Colour record_first_mover(const GameRecord *record);

/* Who makes the move at this index. */
Colour record_mover(const GameRecord *record, size_t index);

/* "1-0", "0-1", "1/2-1/2", "*" (unfinished). */
const char *record_result(GameStatus status, Colour winner);
