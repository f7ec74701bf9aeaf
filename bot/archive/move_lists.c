/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/archive/move_lists.h"

#include "bot/model/score_text.h"
#include "engine/base/number.h"
#include "engine/base/text_format.h"
#include "engine/search/engine.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>

const char *move_list_column(MoveListKind kind)
{
    static const char *const names[MOVE_LIST_COUNT] = {
        "uci", "clocks_ms", "scores", "depths", "nodes", "times_ms", "pvs",
    };
    return names[kind];
}

void score_word_write(int score, char out[SCORE_WORD_SIZE])
{
    if (score_is_mate(score))
        text_format(out, SCORE_WORD_SIZE, "#%s%d", score < 0 ? "-" : "",
                    abs(score_mate_moves(score))); /* "#-0" is mate on the board */
    else
        text_format(out, SCORE_WORD_SIZE, "%d", score);
}

static bool put_word(const RecordMove *move, MoveListKind kind, Buf *out)
{
    char score[SCORE_WORD_SIZE];
    bool has_score = move->has_choice && move->depth > 0;
    switch (kind) {
    case MOVE_LIST_UCI:
        return buf_put_text(out, move->uci);
    case MOVE_LIST_CLOCKS:
        return move->clock_ms < 0 ? buf_put_char(out, '-')
                                  : buf_printf(out, "%" PRId64, move->clock_ms);
    case MOVE_LIST_SCORES:
        score_word_write(move->score, score);
        return buf_put_text(out, has_score ? score : "-");
    case MOVE_LIST_DEPTHS:
        return move->has_choice ? buf_printf(out, "%d", move->depth) : buf_put_char(out, '-');
    case MOVE_LIST_NODES:
        return move->has_choice ? buf_printf(out, "%" PRIu64, move->nodes) : buf_put_char(out, '-');
    case MOVE_LIST_TIMES:
        return move->has_choice ? buf_printf(out, "%" PRId64, move->time_ms)
                                : buf_put_char(out, '-');
    case MOVE_LIST_PVS:
        return buf_put_text(out, move->pv[0] != '\0' ? move->pv : "-");
    case MOVE_LIST_COUNT:
        break;
    }
    return false;
}

bool move_list_write(const GameRecord *record, MoveListKind kind, Buf *out)
{
    bool ok = true;
    for (size_t i = 0; i < record->count && ok; i++)
        ok = (i == 0 || buf_put_char(out, ' ')) && put_word(&record->moves[i], kind, out);
    return ok;
}

static bool read_number(Text word, int64_t most, int64_t *out)
{
    return number_parse(word.at, word.len, 0, most, out, NULL);
}

/* A mate's distance is kept in moves: the winner's last ply is odd, the loser's even. */
bool score_word_read(Text word, int *out)
{
    bool is_mate = word.len > 0 && word.at[0] == '#';
    int64_t number;
    if (!number_parse(word.at + is_mate, word.len - is_mate, is_mate ? -MAX_PLY / 2 : -SCORE_MATE,
                      is_mate ? MAX_PLY / 2 : SCORE_MATE, &number, NULL))
        return false;
    if (!is_mate)
        *out = (int)number;
    else if (number == 0)
        *out = word.at[1] == '-' ? -SCORE_MATE : SCORE_MATE;
    else
        *out = score_of_mate(number);
    return true;
}

/* Moves are not validated here; replay does that. */
static bool read_pv(RecordMove *move, Text word)
{
    for (size_t i = 0; i < word.len; i++)
        if (!isalnum((unsigned char)word.at[i]) && word.at[i] != '@' && word.at[i] != ',')
            return false;
    return text_copy(move->pv, sizeof move->pv, word);
}

static bool read_word(RecordMove *move, MoveListKind kind, Text word)
{
    int64_t number = 0;
    if (text_is(word, "-"))
        return true;
    if (kind == MOVE_LIST_PVS)
        return read_pv(move, word);
    bool ok = kind == MOVE_LIST_SCORES ? score_word_read(word, &move->score)
                                       : read_number(word, INT64_MAX, &number);
    if (!ok)
        return false;
    switch (kind) {
    case MOVE_LIST_CLOCKS:
        move->clock_ms = number;
        break;
    case MOVE_LIST_DEPTHS:
        move->has_choice = true;
        move->depth = number <= MAX_PLY ? (int)number : MAX_PLY;
        break;
    case MOVE_LIST_NODES:
        move->nodes = (uint64_t)number;
        break;
    case MOVE_LIST_TIMES:
        move->time_ms = number;
        break;
    case MOVE_LIST_SCORES:
    case MOVE_LIST_UCI:
    case MOVE_LIST_PVS:
    case MOVE_LIST_COUNT:
        break;
    }
    return true;
}

bool move_list_read(GameRecord *record, MoveListKind kind, Text list)
{
    if (kind == MOVE_LIST_UCI) {
        record_take_moves(record, list, (const int64_t[COLOUR_COUNT]){ -1, -1 });
        return !record->has_gaps;
    }
    if (kind == MOVE_LIST_PVS && list.len == 0)
        return true;
    size_t index = 0;
    for (size_t at = 0; at < list.len; index++) {
        const char *blank = memchr(list.at + at, ' ', list.len - at);
        Text word = { list.at + at, blank ? (size_t)(blank - list.at) - at : list.len - at };
        if (index >= record->count || !read_word(&record->moves[index], kind, word))
            return false;
        at += word.len + 1;
    }
    return index == record->count;
}
