/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/model/record.h"

#include "engine/base/text_format.h"
#include "engine/core/position.h"

#include <stdlib.h>
#include <string.h>

void record_init(GameRecord *record)
{
    *record = (GameRecord){ .time = { .kind = TIME_UNKNOWN },
                            .us = COLOUR_NONE,
                            .winner = COLOUR_NONE,
                            .status = STATUS_CREATED,
                            .next_index = SIZE_MAX };
}

void record_release(GameRecord *record)
{
    free(record->moves);
    record_init(record);
}

bool record_copy(GameRecord *out, const GameRecord *record)
{
    RecordMove *moves = NULL;
    if (record->count > 0) {
        moves = malloc(record->count * sizeof *moves);
        if (!moves) {
            record_init(out);
            return false;
        }
        memcpy(moves, record->moves, record->count * sizeof *moves);
    }
    *out = *record;
    out->moves = moves;
    out->capacity = record->count;
    return true;
}

const Player *record_opponent(const GameRecord *record)
{
    return &record->players[colour_other(record->us)];
}

Colour record_first_mover(const GameRecord *record)
{
    const char *blank = strchr(record->initial_fen, ' ');
    return blank && blank[1] == 'b' ? BLACK : WHITE;
}

Colour record_mover(const GameRecord *record, size_t index)
{
    Colour first = record_first_mover(record);
    return index % 2 == 0 ? first : colour_other(first);
}

/* The move at `index`, in a list that may have to grow by it. NULL where that fails. */
static RecordMove *move_at(GameRecord *record, size_t index)
{
    if (index > record->count || index >= RECORD_MOVES_MAX)
        return NULL;
    if (index == record->capacity) {
        size_t capacity = record->capacity > 0 ? record->capacity * 2 : 64;
        RecordMove *moves = realloc(record->moves, capacity * sizeof *moves);
        if (!moves)
            return NULL;
        record->moves = moves;
        record->capacity = capacity;
    }
    if (index == record->count) {
        record->moves[index] = (RecordMove){ .clock_ms = -1 };
        record->count++;
    }
    return &record->moves[index];
}

/* Puts a move on the list; one that is not the one before is another game from there on. */
static bool put_move(GameRecord *record, size_t index, Text uci)
{
    if (index < record->count && text_is(uci, record->moves[index].uci))
        return true;
    if (index < record->count)
        record->count = index;
    RecordMove *move = uci.len < UCI_MOVE_SIZE ? move_at(record, index) : NULL;
    if (!move) {
        record->has_gaps = true;
        return false;
    }
    if (record->next_index == index && uci.len >= 2 && memcmp(record->next.uci, uci.at, 2) == 0)
        *move = record->next;
    text_copy(move->uci, sizeof move->uci, uci);
    return true;
}

void record_take_moves(GameRecord *record, Text moves, const int64_t time_ms[COLOUR_COUNT])
{
    Text rest = moves;
    size_t count = 0;
    for (Text word; (word = text_next_word(&rest, " ")).len > 0; count++)
        if (!put_move(record, count, word))
            break;
    record->count = count;
    /* The clocks are those after each side's latest move. Only the first line with a move has its
     * clock: later lines for the same list may have been made at any time. */
    for (size_t back = 0; back < 2 && back < count; back++) {
        size_t index = count - 1 - back;
        Colour mover = record_mover(record, index);
        if (record->moves[index].clock_ms < 0 && time_ms[mover] >= 0 &&
            record->time.kind == TIME_CLOCK)
            record->moves[index].clock_ms = time_ms[mover];
    }
}

/* The principal variation behind the move; nothing where another move was played than it begins
 * with. */
static void write_pv(const MoveChoice *choice, const Position *from, char out[RECORD_PV_SIZE])
{
    Position pos = *from;
    size_t len = 0;
    for (int i = 0; i < choice->pv_length; i++) {
        const Move move = choice->pv[i];
        Undo undo;
        char uci[UCI_MOVE_SIZE];
        if ((i == 0 && move != choice->move) || !position_allows(&pos, move))
            return;
        uci_move_write(&pos, move, CASTLING_KING_TAKES_ROOK, uci);
        if (i > 0)
            len += text_format(out + len, RECORD_PV_SIZE - len, "%s%s", i > 1 ? "," : "", uci);
        position_make(&pos, move, &undo);
    }
}

static int percent(float share)
{
    return (int)(share * 100 + 0.5F);
}

static RecordPeople people_of(const HumanOpinion *human, const Position *from)
{
    RecordPeople people = { 0 };
    if (!(human->probability > 0) || !position_allows(from, human->likeliest))
        return people;
    people.percent = percent(human->probability);
    people.first_percent = percent(human->likeliest_probability);
    san_write(from, human->likeliest, people.first);
    if (position_allows(from, human->searched))
        san_write(from, human->searched, people.searched);
    return people;
}

void record_take_choice(GameRecord *record, int ply, const char *uci, const MoveChoice *choice,
                        const Position *from)
{
    record->next = (RecordMove){ .clock_ms = -1,
                                 .is_book = choice->is_book,
                                 .has_choice = true,
                                 .score = choice->score,
                                 .depth = choice->depth,
                                 .nodes = choice->nodes,
                                 .time_ms = choice->time_ms };
    if (from) {
        write_pv(choice, from, record->next.pv);
        record->next.people = people_of(&choice->human, from);
    }
    if (choice->engine)
        text_copy(record->engine, sizeof record->engine, text_of(choice->engine));
    text_copy(record->next.uci, sizeof record->next.uci, text_of(uci));
    record->next_index = ply > 0 ? (size_t)ply - 1 : SIZE_MAX;
}

void record_take_strikes(GameRecord *record, int strikes, const char *engine)
{
    record->strikes += strikes;
    if (record->engine[0] == '\0' && engine)
        text_copy(record->engine, sizeof record->engine, text_of(engine));
}

void record_end(GameRecord *record, GameStatus status, Colour winner, int64_t unix_ms)
{
    record->status = status;
    record->winner = winner;
    record->ended_at_ms = unix_ms;
}

const char *record_result(GameStatus status, Colour winner)
{
    if (winner == WHITE)
        return "1-0";
    if (winner == BLACK)
        return "0-1";
    switch (status) {
    case STATUS_UNKNOWN:
    case STATUS_CREATED:
    case STATUS_STARTED:
    case STATUS_ABORTED:
    case STATUS_UNKNOWN_FINISH:
        return "*";
    case STATUS_MATE:
    case STATUS_RESIGN:
    case STATUS_STALEMATE:
    case STATUS_TIMEOUT:
    case STATUS_DRAW:
    case STATUS_OUTOFTIME:
    case STATUS_CHEAT:
    case STATUS_NO_START:
    case STATUS_INSUFFICIENT_MATERIAL_CLAIM:
    case STATUS_VARIANT_END:
    case STATUS_COUNT:
        break;
    }
    return "1/2-1/2";
}
