/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A FEN, a line break, moves in UCI separated by blanks, by the rules of chess and of each variant:
 * what matches is played, and every pair of the text's bytes is tested as a move. */
#include "engine/core/fen.h"
#include "engine/core/outcome.h"
#include "engine/core/san.h"
#include "engine/core/uci_move.h"
#include "engine/core/variant_rules.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool ok)
{
    if (!ok)
        abort();
}

static bool is_listed(const Position *pos, Move m)
{
    MoveList list;
    movegen_legal(pos, &list);
    for (int i = 0; i < list.count; i++) {
        if (list.moves[i] == m)
            return true;
    }
    return false;
}

static void try_moves(Position *pos, const char *text, size_t len)
{
    for (size_t i = 0; i < len;) {
        const char *blank = memchr(text + i, ' ', len - i);
        size_t word = blank ? (size_t)(blank - (text + i)) : len - i;
        Move m;
        Error err = { 0 };
        Undo undo;
        if (word >= 2) {
            Move any = (Move)((unsigned char)text[i] << 8 | (unsigned char)text[i + 1]);
            bool is_legal = variant_end(pos) == VARIANT_GOES_ON && position_allows(pos, any);
            must(is_legal == is_listed(pos, any));
        }
        if (uci_move_match(pos, text + i, word, &m, &err)) {
            char san[SAN_SIZE];
            san_write(pos, m, san);
            position_make(pos, m, &undo);
            must(position_validate(pos, NULL));
            position_outcome(pos);
        } else {
            must(error_is_set(&err));
        }
        i += word + 1;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const uint8_t *end = size ? memchr(data, '\n', size) : NULL;
    size_t fen_len = end ? (size_t)(end - data) : 0;
    char *fen = malloc(fen_len + 1);
    if (!fen)
        return 0;
    if (fen_len)
        memcpy(fen, data, fen_len);
    fen[fen_len] = '\0';
    for (Ruleset r = RULES_STANDARD; end && r < RULESET_COUNT; r++) {
        Position pos;
        if (fen_read_as(&pos, r, fen, FEN_LENIENT, NULL, NULL))
            try_moves(&pos, (const char *)end + 1, size - fen_len - 1);
    }
    free(fen);
    return 0;
}
