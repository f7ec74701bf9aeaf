/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/review/analysis.h"

#include "bot/review/replay.h"
#include "bot/review/time_use.h"
#include "engine/base/text_format.h"

#include <math.h>
#include <stdlib.h>

enum {
    CEILING_CP = 1000,
    INITIAL_CP = 15, /* what Lichess takes the position before the first move for */
    WINDOW_MIN = 2,
    WINDOW_MAX = 8,
    LAG_FAULT_MS = 2000,
    CLOCK_SHORT_PART = 10, /* of the initial clock */
};

/* Winning chances. */

static double chances_of_cp(double cp)
{
    return 2 / (1 + exp(-0.00368208 * cp)) - 1;
}

static int cp_within_ceiling(int score)
{
    return score > CEILING_CP ? CEILING_CP : score < -CEILING_CP ? -CEILING_CP : score;
}

double winning_chances(int score)
{
    return chances_of_cp(score_is_mate(score) ? cp_within_ceiling(score) : score);
}

double win_percent(int score)
{
    return 50 + 50 * chances_of_cp(cp_within_ceiling(score));
}

/* Accuracy. */

static double within(double value, double least, double most)
{
    return value < least ? least : value > most ? most : value;
}

double move_accuracy(double before, double after)
{
    if (after >= before)
        return 100;
    double raw =
        103.1668100711649 * exp(-0.04354415386753951 * (before - after)) - 3.166924740191411;
    return within(raw + 1, 0, 100); /* one more, as no analysis is certain */
}

/* White's percentage before move number `at` (0: the first). */
static double percent_at(const PositionEval *evals, size_t at)
{
    while (at > 0 && evals[at - 1].score == SCORE_NONE)
        at--;
    return win_percent(at == 0 ? INITIAL_CP : evals[at - 1].score);
}

/* How much the game swings around a move: the standard deviation over the window that ends with it,
 * and at the beginning over the first one. */
static double volatility(const PositionEval *evals, size_t count, size_t move)
{
    size_t size = count / 10;
    size = size < WINDOW_MIN ? WINDOW_MIN : size > WINDOW_MAX ? WINDOW_MAX : size;
    size_t from = move + 2 > size ? move + 2 - size : 0;
    double sum = 0, squares = 0;
    for (size_t i = from; i < from + size; i++)
        sum += percent_at(evals, i);
    for (size_t i = from; i < from + size; i++) {
        double off = percent_at(evals, i) - sum / (double)size;
        squares += off * off;
    }
    return within(sqrt(squares / (double)size), 0.5, 12);
}

bool game_accuracy(const PositionEval *evals, size_t count, Colour first, double out[COLOUR_COUNT])
{
    double weighted[COLOUR_COUNT] = { 0 }, weights[COLOUR_COUNT] = { 0 };
    double reciprocals[COLOUR_COUNT] = { 0 }, moves[COLOUR_COUNT] = { 0 };
    for (size_t i = 0; i < count; i++) {
        Colour mover = i % 2 == 0 ? first : colour_other(first);
        double before = percent_at(evals, i), after = percent_at(evals, i + 1);
        double accuracy = mover == WHITE ? move_accuracy(before, after)
                                         : move_accuracy(100 - before, 100 - after);
        double weight = volatility(evals, count, i);
        weighted[mover] += accuracy * weight;
        weights[mover] += weight;
        reciprocals[mover] += 1 / (accuracy < 1 ? 1 : accuracy);
        moves[mover]++;
    }
    if (!(moves[WHITE] > 0 && moves[BLACK] > 0))
        return false;
    for (int side = WHITE; side <= BLACK; side++)
        out[side] = (weighted[side] / weights[side] + moves[side] / reciprocals[side]) / 2;
    return true;
}

/* Judgements. */

const char *judgement_name(Judgement judgement)
{
    static const char *const names[JUDGEMENT_COUNT] = { "", "inaccuracy", "mistake", "blunder" };
    return names[judgement];
}

const char *judgement_mark(Judgement judgement)
{
    static const char *const marks[JUDGEMENT_COUNT] = { "", "?!", "?", "??" };
    return marks[judgement];
}

/* A mate that was let in or let go weighs less in a game that is decided without it. `other`: the
 * score that is no mate, for the side that has the mate. */
static Judgement judge_mate(int other)
{
    return other > 999 ? JUDGEMENT_INACCURACY : other > 700 ? JUDGEMENT_MISTAKE : JUDGEMENT_BLUNDER;
}

Judgement judge_move(int before, int after)
{
    bool was_mate = score_is_mate(before), is_mate = score_is_mate(after);
    if (was_mate && is_mate)
        return before > 0 && after < 0 ? JUDGEMENT_BLUNDER : JUDGEMENT_FINE;
    if (is_mate)
        return after < 0 ? judge_mate(-before) : JUDGEMENT_FINE;
    if (was_mate)
        return before > 0 ? judge_mate(after) : JUDGEMENT_FINE;
    double lost = winning_chances(before) - winning_chances(after);
    return lost >= 0.3   ? JUDGEMENT_BLUNDER
           : lost >= 0.2 ? JUDGEMENT_MISTAKE
           : lost >= 0.1 ? JUDGEMENT_INACCURACY
                         : JUDGEMENT_FINE;
}

/* Causes. */

const char *loss_cause_name(LossCause cause)
{
    static const char *const names[CAUSE_COUNT] = { "chess", "clock", "book", "fault" };
    return names[cause];
}

static bool knows_our_choices(const GameRecord *record)
{
    for (size_t i = 0; i < record->count; i++)
        if (record->moves[i].has_choice)
            return true;
    return false;
}

LossCause loss_cause(const GameRecord *record, size_t index)
{
    const RecordMove *move = &record->moves[index];
    int64_t before = move_clock_before_ms(record, index), lag = move_time_of(record, index).lag_ms;
    if (move->has_choice && (move->is_book || (move->depth == 0 && move->nodes == 0)))
        return CAUSE_BOOK;
    if (lag >= LAG_FAULT_MS && lag > move->time_ms)
        return CAUSE_FAULT;
    if (record_mover(record, index) == record->us && !move->has_choice && knows_our_choices(record))
        return CAUSE_FAULT;
    if (before >= 0 && before < record->time.base_s * 1000 / CLOCK_SHORT_PART)
        return CAUSE_CLOCK;
    return CAUSE_CHESS;
}

/* Losses. */

static bool find_loss(const GameRecord *record, const PositionEval *evals, size_t index,
                      MoveLoss *out)
{
    const PositionEval *before = &evals[index], *after = &evals[index + 1];
    if (before->score == SCORE_NONE || after->score == SCORE_NONE ||
        strcmp(before->best, record->moves[index].uci) == 0)
        return false;
    Colour mover = record_mover(record, index);
    int sign = mover == WHITE ? 1 : -1;
    *out = (MoveLoss){
        .index = index,
        .mover = mover,
        .judgement = judge_move(sign * before->score, sign * after->score),
        .cause = loss_cause(record, index),
        .before = before->score,
        .after = after->score,
        .lost = sign * (win_percent(before->score) - win_percent(after->score)),
    };
    return out->judgement != JUDGEMENT_FINE;
}

/* The least of the losses kept; among equals the last. */
static size_t least_of(const MoveLoss *losses, size_t count)
{
    size_t least = 0;
    for (size_t i = 1; i < count; i++)
        if (losses[i].lost <= losses[least].lost)
            least = i;
    return least;
}

size_t find_losses(const GameRecord *record, const PositionEval *evals, Colour of, MoveLoss *out,
                   size_t most)
{
    size_t count = 0;
    for (size_t i = 0; i < record->count && most > 0; i++) {
        MoveLoss loss;
        if (!find_loss(record, evals, i, &loss) || (of != COLOUR_NONE && loss.mover != of))
            continue;
        if (count == most) {
            size_t least = least_of(out, count);
            if (loss.lost <= out[least].lost)
                continue;
            memmove(out + least, out + least + 1, (count - least - 1) * sizeof *out);
            count--;
        }
        out[count++] = loss;
    }
    return count;
}

bool game_loss_cause(const GameRecord *record, const PositionEval *evals, LossCause *out)
{
    MoveLoss worst;
    if (record->us == COLOUR_NONE || record->winner == COLOUR_NONE || record->winner == record->us)
        return false;
    if (record->status == STATUS_OUTOFTIME)
        *out = CAUSE_CLOCK;
    else if (record->status == STATUS_TIMEOUT || record->status == STATUS_NO_START)
        *out = CAUSE_FAULT;
    else if (find_losses(record, evals, record->us, &worst, 1) == 1)
        *out = worst.cause;
    else
        *out = CAUSE_CHESS;
    return true;
}

void evals_of_record(const GameRecord *record, PositionEval *out)
{
    for (size_t i = 0; i <= record->count; i++) {
        out[i] = (PositionEval){ .score = SCORE_NONE };
        if (i == record->count)
            break;
        const RecordMove *move = &record->moves[i];
        if (move->has_choice && move->depth > 0) {
            out[i].score = record_mover(record, i) == WHITE ? move->score : -move->score;
            out[i].depth = move->depth;
        }
    }
}

bool move_titles_write(const GameRecord *record, size_t index, const char *best,
                       char title[MOVE_TITLE_SIZE], char best_title[SAN_SIZE])
{
    Position pos, other;
    char san[SAN_SIZE];
    bool ok = replay_to(&pos, record, index);
    other = pos;
    unsigned number = ok ? pos.fullmove_number : (unsigned)index / 2 + 1;
    if (!ok || replay_move(&other, text_of(best), best_title) == MOVE_NONE)
        best_title[0] = '\0';
    ok = ok && replay_move(&pos, text_of(record->moves[index].uci), san) != MOVE_NONE;
    text_format(title, MOVE_TITLE_SIZE, "%u%s %s", number,
                record_mover(record, index) == WHITE ? "." : "...",
                ok ? san : record->moves[index].uci);
    return ok;
}
