/* SPDX-License-Identifier: GPL-3.0-or-later */
/* analysis.h - judges the moves of a finished game by what its positions are worth: winning
 * chances, accuracy, turning points, and what a loss came from. The evaluations come from outside,
 * from a search after the game or from the game's own searches.
 *
 * Formulas, constants and thresholds are Lichess's: lichess.org/page/accuracy; scalachess,
 * eval.scala (WinPercent); lila, modules/analyse/src/main/AccuracyPercent.scala and
 * modules/tree/src/main/Advice.scala. Scores are those of engine/search/score.h. Pure. */
#pragma once
#include "bot/model/record.h"
#include "engine/core/san.h"
#include "engine/search/engine.h"

/* What a position is worth. */
typedef struct {
    int score;                /* for White; SCORE_NONE: not known; SCORE_MATE: Black is mated */
    int depth;                /* plies */
    char best[UCI_MOVE_SIZE]; /* the best move; "": not known */
} PositionEval;

/* How likely White is to win, -1..1. Mates count as 10 pawns. */
double winning_chances(int score);

/* The same in percent, 0..100, with all beyond 10 pawns as 10: what accuracy is made of. */
double win_percent(int score);

/* Of a move that took the mover's percentage from `before` to `after`: 0..100. */
double move_accuracy(double before, double after);

/* Of a whole game, by colour. `evals`: those after each of `count` moves; unknown ones are taken
 * for the one before. False where a side has not moved. */
bool game_accuracy(const PositionEval *evals, size_t count, Colour first,
                   double out[COLOUR_COUNT]) MUST_CHECK;

typedef enum {
    JUDGEMENT_FINE,
    JUDGEMENT_INACCURACY,
    JUDGEMENT_MISTAKE,
    JUDGEMENT_BLUNDER,
    JUDGEMENT_COUNT
} Judgement;

/* "inaccuracy"; "" for a fine move */
const char *judgement_name(Judgement judgement);
/* "?!", "?", "??", "" */
const char *judgement_mark(Judgement judgement);

/* Of a move; the scores before and after it are the mover's. */
Judgement judge_move(int before, int after);

typedef enum { CAUSE_CHESS, CAUSE_CLOCK, CAUSE_BOOK, CAUSE_FAULT, CAUSE_COUNT } LossCause;

/* "chess", "clock", "book", "fault" */
const char *loss_cause_name(LossCause cause);

/* Why a bad move was played, as far as the record tells:
 *   book   ours was not searched for: a book or a web service gave it;
 *   fault  more of our clock went to the line than to the search, two seconds at least; or nothing
 * is known of how ours was found, though it is of others (castled was started again, say); clock
 * less than a tenth of the mover's clock was left; chess  none of these. */
LossCause loss_cause(const GameRecord *record, size_t index);

/* A move that changed who stands better. */
typedef struct {
    size_t index; /* of the move */
    Colour mover;
    Judgement judgement;
    LossCause cause;
    int before, after; /* for White */
    double lost;       /* winning chances, in percent of the mover's */
} MoveLoss;

/* Percent below which a loss is judged and counted, but not listed: a mate that was let in where
 * all was lost. */
enum { LOST_SHOWN = 1 };

/* The judged moves in the order of the game, `most` of them at most: those that lost most. `evals`:
 * record->count + 1 of them, the first that of the initial position. A move that was the best one
 * is not judged, nor one between unknown evaluations. `of`: whose moves; COLOUR_NONE: both sides'.
 * Returns how many. */
size_t find_losses(const GameRecord *record, const PositionEval *evals, Colour of, MoveLoss *out,
                   size_t most);

/* What the game was lost by, if it was lost: the clock when we overstepped it, a fault when we left
 * it, else the cause of the move that lost us most (chess where none is judged). False where it was
 * not lost by us. */
bool game_loss_cause(const GameRecord *record, const PositionEval *evals,
                     LossCause *out) MUST_CHECK;

/* Our own evaluations while the game ran, as the record has them, over `count + 1` positions; all
 * others are unknown. */
void evals_of_record(const GameRecord *record, PositionEval *out);

enum { MOVE_TITLE_SIZE = SAN_SIZE + 16 };

/* The names of a game's move and of the best one in its place: "23... Qxd5" and "Nf3" ("": not
 * known). False, and UCI instead of SAN, where our rules don't reach that move. */
bool move_titles_write(const GameRecord *record, size_t index, const char *best,
                       char title[MOVE_TITLE_SIZE], char best_title[SAN_SIZE]);
