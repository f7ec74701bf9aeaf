/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/cli/why_text.h"

#include "bot/review/eco.h"
#include "bot/review/time_use.h"
#include "bot/cli/shown.h"
#include "bot/model/score_text.h"
#include "bot/ops/printable.h"
#include "engine/base/buf.h"
#include "engine/base/text_format.h"

#include <time.h>

enum {
    CURVE_ROWS = 5,
    CURVE_COLUMNS = 64,
    EIGHTHS = 8,
    NAME_SHOWN = 24,
};

static const char *player_name(const Player *player, char out[NAME_SHOWN + 1])
{
    char name[PLAYER_TEXT_SIZE];
    player_name_text(player, name);
    printable_copy(out, NAME_SHOWN + 1, text_of(name));
    return out;
}

static bool put_player(Buf *out, const Player *player)
{
    char name[NAME_SHOWN + 1];
    return buf_put_text(out, player_name(player, name)) &&
           (player->rating == 0 || buf_printf(out, " (%d)", player->rating));
}

static bool put_clock(Buf *out, const GameRecord *record)
{
    char text[TIME_CONTROL_TEXT_SIZE];
    time_control_text(&record->time, text);
    return buf_printf(out, " %s", text);
}

static bool put_day(Buf *out, int64_t unix_ms)
{
    struct tm utc;
    time_t seconds = (time_t)(unix_ms / 1000);
    return unix_ms <= 0 || !gmtime_r(&seconds, &utc) ||
           buf_printf(out, ", %04d-%02d-%02d", utc.tm_year + 1900, utc.tm_mon + 1, utc.tm_mday);
}

static bool put_opening(Buf *out, const GameRecord *record)
{
    EcoOpening opening;
    return !eco_of_record(record, &opening) ||
           buf_printf(out, "%s %s\n", opening.code, opening.name);
}

/* "played by far: Stockfish 15.1 (3f2a91bc0d12) Hash=16, 2 strikes" */
static bool put_engine(Buf *out, const GameRecord *record)
{
    return record->engine[0] == '\0' ||
           (buf_printf(out, "played by %s", shown(text_of(record->engine)).text) &&
            (record->strikes == 0 ||
             buf_printf(out, ", %d strike%s", record->strikes, record->strikes == 1 ? "" : "s")) &&
            buf_put_char(out, '\n'));
}

static bool put_head(Buf *out, const GameRecord *record)
{
    return buf_printf(out, "%s  ", shown(text_of(record->id)).text) &&
           put_player(out, &record->players[WHITE]) && buf_put_text(out, " - ") &&
           put_player(out, &record->players[BLACK]) &&
           buf_printf(out, "  %s %s\n%s %s", record_result(record->status, record->winner),
                      status_name(record->status), record->rated ? "rated" : "casual",
                      speed_name(record->speed)) &&
           put_clock(out, record) && put_day(out, record->ended_at_ms) &&
           buf_printf(out, ", %zu moves\n", (record->count + 1) / 2) && put_opening(out, record) &&
           put_engine(out, record);
}

/* The last position that a column of the curve stands for. */
static size_t position_of(size_t column, size_t columns, size_t positions)
{
    return (column + 1) * positions / columns - 1;
}

/* How high White stands, in eighths of a row; a position that is not known is as the one before. */
static int height_at(const PositionEval *evals, size_t at)
{
    while (at > 0 && evals[at].score == SCORE_NONE)
        at--;
    double percent = evals[at].score == SCORE_NONE ? 50 : win_percent(evals[at].score);
    return (int)(percent * CURVE_ROWS * EIGHTHS / 100 + 0.5);
}

static bool put_curve_row(Buf *out, const PositionEval *evals, size_t positions, int row)
{
    static const char *const blocks[EIGHTHS + 1] = { " ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█" };
    static const char *const labels[CURVE_ROWS] = { "Black", "", " even", "", "White" };
    size_t columns = positions < CURVE_COLUMNS ? positions : CURVE_COLUMNS;
    bool ok = buf_printf(out, "%5s |", labels[row]);
    for (size_t column = 0; column < columns && ok; column++) {
        int part = height_at(evals, position_of(column, columns, positions)) - row * EIGHTHS;
        ok = buf_put_text(out, blocks[part < 0 ? 0 : part > EIGHTHS ? EIGHTHS : part]);
    }
    return ok && buf_put_text(out, "|\n");
}

/* White's chances over the game, and below it where our mistakes are. */
static bool put_curve(Buf *out, const GameRecord *record, const PositionEval *evals,
                      const MoveLoss *losses, size_t count)
{
    char marks[CURVE_COLUMNS + 1] = "";
    size_t positions = record->count + 1, end = 0;
    size_t columns = positions < CURVE_COLUMNS ? positions : CURVE_COLUMNS;
    bool ok = buf_put_char(out, '\n');
    for (int row = CURVE_ROWS - 1; row >= 0 && ok; row--)
        ok = put_curve_row(out, evals, positions, row);
    for (size_t column = 0; column < columns; column++) {
        size_t last = position_of(column, columns, positions);
        size_t first = column > 0 ? position_of(column - 1, columns, positions) + 1 : 0;
        marks[column] = ' ';
        for (size_t i = 0; i < count; i++)
            if (losses[i].mover == record->us && losses[i].index + 1 >= first &&
                losses[i].index + 1 <= last)
                marks[column] = '^';
        if (marks[column] == '^')
            end = column + 1;
    }
    marks[end] = '\0';
    return ok && (end == 0 || buf_printf(out, "       %s\n", marks));
}

static bool put_chess(Buf *out, const RecordMove *move, const MoveLoss *loss)
{
    char word[SCORE_TEXT_SIZE];
    if (!move->has_choice || move->depth == 0)
        return true;
    score_text(loss->mover == WHITE ? move->score : -move->score, word);
    return buf_printf(out, "; our search saw %s at depth %d", word, move->depth);
}

static bool put_fault(Buf *out, const GameRecord *record, const MoveLoss *loss)
{
    int64_t lag = move_time_of(record, loss->index).lag_ms;
    if (lag < 0)
        return buf_put_text(out, "; nothing is known of its search: was castled started again?");
    return buf_printf(out, "; %.1f s went to the line, %.1f s to the search", (double)lag / 1000,
                      (double)record->moves[loss->index].time_ms / 1000);
}

static bool put_reason(Buf *out, const GameRecord *record, const MoveLoss *loss)
{
    int64_t left = move_clock_before_ms(record, loss->index);
    switch (loss->cause) {
    case CAUSE_CHESS:
        return put_chess(out, &record->moves[loss->index], loss);
    case CAUSE_CLOCK:
        return buf_printf(out, "; %.1f s were left", (double)left / 1000);
    case CAUSE_BOOK:
        return buf_put_text(out, "; it came from a book or a web service");
    case CAUSE_FAULT:
        return put_fault(out, record, loss);
    case CAUSE_COUNT:
        break;
    }
    return true;
}

/* "; 31 % of 1500s play it, 44 % Nf3" */
static bool put_people(Buf *out, const GameRecord *record, const MoveLoss *loss)
{
    PeopleMove people;
    int rating = record_opponent(record)->rating;
    if (people_moves_read(record, loss->index, loss->index, rating, &people) == 0)
        return true;
    return buf_printf(out, "; %.0f %% of %ds play it", (double)people.share * 100,
                      people_rating(rating)) &&
           (people.is_first ||
            buf_printf(out, ", %.0f %% %s", (double)people.first_share * 100, people.first));
}

static bool put_move(Buf *out, const GameRecord *record, const PositionEval *evals,
                     const MoveLoss *loss)
{
    char title[MOVE_TITLE_SIZE], best[SAN_SIZE], marked[MOVE_TITLE_SIZE + 6 * UCI_MOVE_SIZE];
    char before[SCORE_TEXT_SIZE], after[SCORE_TEXT_SIZE];
    (void)move_titles_write(record, loss->index, evals[loss->index].best, title, best);
    score_text(loss->before, before);
    score_text(loss->after, after);
    text_format(marked, sizeof marked, "%.40s%s", shown(text_of(title)).text,
                judgement_mark(loss->judgement));
    return buf_printf(out, "%-16s %7s  %7s  %3.0f %%  %-5s  %s", marked, before, after,
                      loss->lost > 0 ? loss->lost : 0.0, loss_cause_name(loss->cause),
                      loss->mover == record->us ? "we: " : "they: ") &&
           buf_printf(out, "%s%s", best[0] ? best : "another move", " was best") &&
           put_reason(out, record, loss) && put_people(out, record, loss) &&
           buf_put_char(out, '\n');
}

static bool put_moves(Buf *out, const GameRecord *record, const PositionEval *evals,
                      const MoveLoss *losses, size_t count)
{
    bool ok = true, has_head = false;
    for (size_t i = 0; i < count && ok; i++) {
        if (!has_head)
            ok = buf_printf(out, "\n%-16s %7s  %7s  %5s  %s\n", "move", "before", "after", "lost",
                            "by");
        has_head = true;
        ok = ok && put_move(out, record, evals, &losses[i]);
    }
    return ok && (has_head || buf_put_text(out, "\nNo move lost points.\n"));
}

/* One side's accuracy, its judged moves, and what its losses sum up to. */
static bool put_side(Buf *out, const GameRecord *record, Colour side, const double *accuracy,
                     const MoveLoss *losses, size_t count)
{
    char name[NAME_SHOWN + 1];
    int judged[JUDGEMENT_COUNT] = { 0 };
    double lost[CAUSE_COUNT] = { 0 };
    for (size_t i = 0; i < count; i++) {
        if (losses[i].mover != side)
            continue;
        judged[losses[i].judgement]++;
        lost[losses[i].cause] += losses[i].lost;
    }
    bool ok =
        buf_printf(out, "%-24s ", player_name(&record->players[side], name)) &&
        (accuracy ? buf_printf(out, "%6.1f %%", accuracy[side]) : buf_printf(out, "%8s", "-"));
    ok = ok && buf_printf(out, "  %12d  %8d  %8d ", judged[JUDGEMENT_INACCURACY],
                          judged[JUDGEMENT_MISTAKE], judged[JUDGEMENT_BLUNDER]);
    for (int cause = 0; cause < CAUSE_COUNT && ok; cause++)
        if (lost[cause] > 0)
            ok = buf_printf(out, " %s %.2f", loss_cause_name((LossCause)cause), lost[cause] / 100);
    return ok && buf_put_char(out, '\n');
}

static bool put_sides(Buf *out, const GameRecord *record, const PositionEval *evals)
{
    double accuracy[COLOUR_COUNT];
    MoveLoss losses[RECORD_MOVES_MAX];
    LossCause cause;
    size_t count = find_losses(record, evals, COLOUR_NONE, losses, RECORD_MOVES_MAX);
    bool has_accuracy =
        game_accuracy(evals + 1, record->count, record_first_mover(record), accuracy);
    bool ok = buf_printf(out, "\n%-24s %8s  %12s  %8s  %8s  %s\n", "", "accuracy", "inaccuracies",
                         "mistakes", "blunders", "points lost by") &&
              put_side(out, record, WHITE, has_accuracy ? accuracy : NULL, losses, count) &&
              put_side(out, record, BLACK, has_accuracy ? accuracy : NULL, losses, count);
    if (ok && game_loss_cause(record, evals, &cause))
        ok = buf_printf(out, "\nWe lost by: %s\n", loss_cause_name(cause));
    return ok;
}

bool why_text_write(Buf *out, const GameRecord *record, const PositionEval *evals)
{
    MoveLoss losses[WHY_MOVES_MAX];
    size_t count = find_losses(record, evals, COLOUR_NONE, losses, WHY_MOVES_MAX);
    return put_head(out, record) && put_curve(out, record, evals, losses, count) &&
           put_moves(out, record, evals, losses, count) && put_sides(out, record, evals);
}
