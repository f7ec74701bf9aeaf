/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/game/scoresheet.h"

#include "bot/source/uci_text.h"

#include <assert.h>

void scoresheet_init(Scoresheet *sheet, const Position *initial)
{
    memset(sheet, 0, sizeof *sheet);
    sheet->initial = *initial;
    sheet->position = *initial;
}

/* Whether `moves` is the list that we hold, and perhaps more. */
static bool continues(const Scoresheet *sheet, Text moves)
{
    if (!sheet->fits || sheet->version == 0 || moves.len < sheet->len)
        return false;
    if (sheet->len == 0 || moves.len == sheet->len)
        return sheet->len == 0 || memcmp(moves.at, sheet->text, sheet->len) == 0;
    return moves.at[sheet->len] == ' ' && memcmp(moves.at, sheet->text, sheet->len) == 0;
}

static SheetMove *add_to_tail(Scoresheet *sheet, Move move)
{
    if (sheet->tail_count == SCORESHEET_TAIL) {
        memmove(&sheet->tail[0], &sheet->tail[1], (SCORESHEET_TAIL - 1) * sizeof sheet->tail[0]);
        sheet->tail_count--;
    }
    SheetMove *last = &sheet->tail[sheet->tail_count++];
    memset(last, 0, sizeof *last);
    last->ply = sheet->ply + 1;
    last->move = move;
    return last;
}

static bool play_move(Scoresheet *sheet, Text word, bool is_replay, Error *err)
{
    Move move;
    Undo undo;
    if (!uci_move_match(&sheet->position, word.at, word.len, &move, err))
        return false;
    if (!is_replay)
        san_write(&sheet->position, move, add_to_tail(sheet, move)->san);
    position_make(&sheet->position, move, &undo);
    sheet->ply++;
    return true;
}

static bool play(Scoresheet *sheet, Text rest, bool is_replay, Error *err)
{
    for (Text word = uci_text_next(&rest); word.len > 0; word = uci_text_next(&rest)) {
        if (!play_move(sheet, word, is_replay, err)) {
            error_prefix(err, "ply %u", (unsigned)sheet->ply + 1);
            return false;
        }
    }
    return true;
}

static void keep_text(Scoresheet *sheet, Text moves)
{
    sheet->fits = moves.len <= sizeof sheet->text;
    sheet->len = sheet->fits ? moves.len : 0;
    if (sheet->len > 0)
        memcpy(sheet->text, moves.at, sheet->len);
}

SheetChange scoresheet_read(Scoresheet *sheet, Text moves, Error *err)
{
    bool is_first = sheet->version == 0;
    bool is_replay = !continues(sheet, moves);
    if (!is_replay && moves.len == sheet->len)
        return SHEET_SAME;

    uint32_t ply_before = sheet->ply;
    uint64_t key_before = sheet->position.key;
    Text rest = moves;
    sheet->tail_count = 0;
    if (is_replay) {
        sheet->position = sheet->initial;
        sheet->ply = 0;
    } else {
        rest.at += sheet->len;
        rest.len -= sheet->len;
    }
    if (!play(sheet, rest, is_replay, err)) {
        sheet->version++;
        sheet->fits = false;
        sheet->is_desynced = true;
        return SHEET_DESYNCED;
    }
    /* A list too long to keep is the same one if it leads to the same place. */
    bool is_same = !is_first && !sheet->fits && !sheet->is_desynced && sheet->ply == ply_before &&
                   sheet->position.key == key_before;
    keep_text(sheet, moves);
    sheet->is_desynced = false;
    if (is_same)
        return SHEET_SAME;
    sheet->version++;
    return is_replay ? SHEET_REPLAYED : SHEET_GREW;
}
