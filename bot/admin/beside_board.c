/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/admin/beside_board.h"

#include "engine/core/ruleset.h"

#include <ctype.h>
#include <string.h>

static bool put_hand(Buf *out, Text pocket, Colour side)
{
    static const char letters[] = "qrbnp";
    static const char *const glyphs[] = { "♛", "♜", "♝", "♞", "♟" };
    bool ok = true;
    for (size_t i = 0; ok && i < pocket.len && pocket.at[i] != ']'; i++) {
        char c = pocket.at[i];
        const char *kind = strchr(letters, tolower((unsigned char)c));
        if (c != '\0' && kind && !isupper((unsigned char)c) == (side == BLACK))
            ok = buf_put_text(out, glyphs[kind - letters]);
    }
    return ok;
}

/* "3+2" counts the checks that are left to give. */
static bool put_checks(Buf *out, Text left, Colour side)
{
    char digit = left.at[side == WHITE ? 0 : 2];
    int given = CHECKS_TO_WIN - (digit - '0');
    return given < 1 || given > CHECKS_TO_WIN || buf_printf(out, "+%d", given);
}

bool beside_board_write(Buf *out, Text fen, Colour side)
{
    Text rest = fen, word = text_next_word(&rest, " ");
    const char *bracket = word.len > 0 ? memchr(word.at, '[', word.len) : NULL;
    if (bracket)
        return put_hand(out, (Text){ bracket + 1, (size_t)(word.at + word.len - bracket - 1) },
                        side);
    for (int field = 1; field < 5; field++)
        word = text_next_word(&rest, " ");
    return word.len != 3 || word.at[1] != '+' || put_checks(out, word, side);
}
