/* SPDX-License-Identifier: GPL-3.0-or-later */
/* FEN, strictly and leniently, by the rules of chess and of each variant: what is accepted is a
 * valid position with a FEN that reads back. */
#include "engine/core/fen.h"
#include "engine/core/movegen.h"
#include "engine/core/outcome.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool ok)
{
    if (!ok)
        abort();
}

static void try_mode(Ruleset ruleset, const char *text, FenMode mode)
{
    Position pos, again;
    Error err = { 0 };
    if (!fen_read_as(&pos, ruleset, text, mode, NULL, &err)) {
        must(error_is_set(&err));
        return;
    }
    must(position_validate(&pos, NULL));
    Outcome outcome = position_outcome(&pos);
    MoveList list;
    movegen_legal(&pos, &list);
    must(list.count == movegen_count(&pos));
    for (int i = 0; i < list.count; i++) {
        Undo undo;
        position_make(&pos, list.moves[i], &undo);
        must(position_validate(&pos, NULL));
        position_unmake(&pos, list.moves[i], &undo);
    }
    must(position_outcome(&pos) == outcome);
    char fen[FEN_SIZE], fen_again[FEN_SIZE];
    int dropped = -1;
    fen_write(&pos, fen);
    must(fen_read_as(&again, ruleset, fen, mode, &dropped, NULL) && dropped == 0);
    fen_write(&again, fen_again);
    must(strcmp(fen, fen_again) == 0 && pos.key == again.key);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);
    if (!text)
        return 0;
    if (size)
        memcpy(text, data, size);
    text[size] = '\0';
    for (Ruleset r = RULES_STANDARD; r < RULESET_COUNT; r++) {
        try_mode(r, text, FEN_STRICT);
        try_mode(r, text, FEN_LENIENT);
    }
    free(text);
    return 0;
}
