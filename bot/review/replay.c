/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/review/replay.h"

#include "bot/model/variant_start.h"
#include "engine/base/text_format.h"

#include <assert.h>
#include <string.h>

bool replay_begin(Position *out, Variant variant, const char *initial_fen)
{
    return variant_start_read(out, variant, initial_fen, FEN_LENIENT, NULL, NULL);
}

Move replay_move(Position *pos, Text uci, char san[SAN_SIZE])
{
    Move move;
    Undo undo;
    if (!uci_move_match(pos, uci.at, uci.len, &move, NULL))
        return MOVE_NONE;
    if (san)
        san_write(pos, move, san);
    position_make(pos, move, &undo);
    return move;
}

bool replay_to(Position *out, const GameRecord *record, size_t index)
{
    bool ok = index <= record->count && replay_begin(out, record->variant, record->initial_fen);
    for (size_t i = 0; i < index && ok; i++)
        ok = replay_move(out, text_of(record->moves[i].uci), NULL) != MOVE_NONE;
    return ok;
}

/* "12.exd8=Q# " is the longest but for numbers that no opening reaches. */
static_assert(OPENING_PLIES_MAX * (SAN_SIZE + 5) < OPENING_SIZE, "an opening's moves fit");

void opening_write(Variant variant, const char *initial_fen, Text uci, int plies,
                   char out[OPENING_SIZE])
{
    Position pos;
    size_t len = 0;
    out[0] = '\0';
    if (variant != VARIANT_STANDARD || initial_fen[0] != '\0' ||
        !replay_begin(&pos, variant, initial_fen)) {
        text_format(out, OPENING_SIZE, "%s", variant_name(variant));
        return;
    }
    for (int ply = 0; ply < plies && ply < OPENING_PLIES_MAX && uci.len > 0; ply++) {
        char san[SAN_SIZE], number[16] = "";
        if (replay_move(&pos, text_next_word(&uci, " "), san) == MOVE_NONE)
            return;
        if (ply % 2 == 0)
            text_format(number, sizeof number, "%d.", ply / 2 + 1);
        len +=
            text_format(out + len, OPENING_SIZE - len, "%s%s%s", ply > 0 ? " " : "", number, san);
    }
}

size_t replay_book_steps(const GameRecord *record, BookStep out[BOOK_STEPS_MAX])
{
    Position pos;
    size_t count = 0, last = 0;
    for (size_t i = 0; i < record->count; i++)
        if (record->moves[i].is_book)
            last = i + 1;
    if (last == 0 || !replay_begin(&pos, record->variant, record->initial_fen))
        return 0;
    for (size_t i = 0; i < last && count < BOOK_STEPS_MAX; i++) {
        uint64_t key = pos.key;
        Move move = replay_move(&pos, text_of(record->moves[i].uci), NULL);
        if (move == MOVE_NONE)
            break;
        if (record->moves[i].is_book)
            out[count++] = (BookStep){ .ply = (int)i + 1, .key = key, .move = move };
    }
    return count;
}
