/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/archive/eco.h"

#include "bot/archive/eco_table.h"
#include "bot/archive/replay.h"

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

bool eco_of_game(Variant variant, const char *initial_fen, Text uci, EcoOpening *out)
{
    Position pos;
    bool is_found = false;
    if (variant != VARIANT_STANDARD || initial_fen[0] != '\0' ||
        !replay_begin(&pos, variant, initial_fen))
        return false;
    for (int ply = 0; ply < ECO_PLIES_MAX && uci.len > 0; ply++) {
        if (replay_move(&pos, text_next_word(&uci, " "), NULL) == MOVE_NONE)
            break;
        if (eco_find(pos.key, out))
            is_found = true;
    }
    return is_found;
}

size_t eco_family_length(const char *name)
{
    return strcspn(name, ":");
}
