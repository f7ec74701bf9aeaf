/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/review/epd.h"

#include "bot/review/replay.h"
#include "engine/core/fen.h"

#include <string.h>

/* The first four fields of a FEN: EPD counts no moves. */
static Text fields_of_epd(const char fen[FEN_SIZE])
{
    size_t len = 0;
    for (int blanks = 0; fen[len] && (fen[len] != ' ' || ++blanks < 4);)
        len++;
    return (Text){ fen, len };
}

bool epd_write(const GameRecord *record, const PositionEval *evals, const MoveLoss *loss, Buf *out)
{
    char fen[FEN_SIZE], title[MOVE_TITLE_SIZE], best[SAN_SIZE];
    Position pos;
    if (!replay_to(&pos, record, loss->index) ||
        !move_titles_write(record, loss->index, evals[loss->index].best, title, best))
        return false;
    fen_write(&pos, fen);
    Text fields = fields_of_epd(fen);
    const char *played = strchr(title, ' ') + 1;
    return buf_put(out, fields.at, fields.len) &&
           (best[0] == '\0' || buf_printf(out, " bm %s;", best)) &&
           buf_printf(out, " am %s; id \"%s %s\"; c0 \"%s, cause: %s, lost %.0f %%\";\n", played,
                      record->id, title, judgement_name(loss->judgement),
                      loss_cause_name(loss->cause), loss->lost);
}
