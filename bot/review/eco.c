/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/review/eco.h"

#include "bot/review/eco_table.h"
#include "bot/review/replay.h"
#include "engine/base/text_format.h"

#include <string.h>

bool eco_find(uint64_t key, EcoOpening *out)
{
    size_t from = 0, to = eco_count;
    while (from < to) {
        size_t middle = from + (to - from) / 2;
        const EcoRow *row = &eco_rows[middle];
        if (row->key == key) {
            memcpy(out->code, row->code, sizeof out->code);
            out->name = (const char *)&eco_names[row->name];
            return true;
        }
        if (row->key < key)
            from = middle + 1;
        else
            to = middle;
    }
    return false;
}

/* The move of such a word where it is a plain one; MOVE_NONE: see replay_move(). Over a hundred
 * thousand games, writing out each legal move to compare it would cost most of the time. */
static Move plain_move(const Position *pos, Text uci)
{
    MoveList moves;
    if (uci.len != 4)
        return MOVE_NONE;
    for (size_t i = 0; i < 4; i += 2)
        if (uci.at[i] < 'a' || uci.at[i] > 'h' || uci.at[i + 1] < '1' || uci.at[i + 1] > '8')
            return MOVE_NONE;
    Square from = square_make(uci.at[0] - 'a', uci.at[1] - '1');
    Square to = square_make(uci.at[2] - 'a', uci.at[3] - '1');
    movegen_legal(pos, &moves);
    for (int i = 0; i < moves.count; i++)
        if (move_from(moves.moves[i]) == from && move_to(moves.moves[i]) == to &&
            !move_is_promotion(moves.moves[i]) && !move_is_castling(moves.moves[i]))
            return moves.moves[i];
    return MOVE_NONE;
}

static bool make_move(Position *pos, Text uci)
{
    Undo undo;
    Move move = plain_move(pos, uci);
    if (move == MOVE_NONE)
        return replay_move(pos, uci, NULL) != MOVE_NONE;
    position_make(pos, move, &undo);
    return true;
}

static bool begins_as_usual(Position *pos, Variant variant, const char *initial_fen)
{
    return variant == VARIANT_STANDARD && initial_fen[0] == '\0' &&
           replay_begin(pos, variant, initial_fen);
}

bool eco_of_game(Variant variant, const char *initial_fen, Text uci, EcoOpening *out)
{
    Position pos;
    bool is_found = false;
    if (!begins_as_usual(&pos, variant, initial_fen))
        return false;
    for (int ply = 0; ply < ECO_PLIES_MAX && uci.len > 0; ply++) {
        if (!make_move(&pos, text_next_word(&uci, " ")))
            break;
        is_found = eco_find(pos.key, out) || is_found;
    }
    return is_found;
}

bool eco_of_record(const GameRecord *record, EcoOpening *out)
{
    Position pos;
    bool is_found = false;
    if (!begins_as_usual(&pos, record->variant, record->initial_fen))
        return false;
    for (size_t ply = 0; ply < ECO_PLIES_MAX && ply < record->count; ply++) {
        if (!make_move(&pos, text_of(record->moves[ply].uci)))
            break;
        is_found = eco_find(pos.key, out) || is_found;
    }
    return is_found;
}

void eco_title_write(const EcoOpening *opening, char out[ECO_TITLE_SIZE])
{
    text_format(out, ECO_TITLE_SIZE, "%s %s", opening->code, opening->name);
}

Text eco_title_family(const char *title)
{
    Text family = text_of(title);
    (void)text_next_word(&family, " "); /* the code */
    family = text_trimmed(family, " ");
    const char *colon = memchr(family.at, ':', family.len);
    return colon ? (Text){ family.at, (size_t)(colon - family.at) } : family;
}
