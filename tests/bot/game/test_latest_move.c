/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/game/latest_move.h"
#include "tests/support/chess.h"

TEST(a_move_is_kept_with_its_position_and_the_reply_if_both_are_known)
{
    static const struct {
        const char *name, *move, *reply; /* NULL: none */
        int ply;                         /* of the move; the position awaits the game's first */
        const char *reply_san;
        bool has_from;
    } rows[] = {
        { .name = "with a reply",
          .move = "g1f3",
          .reply = "g8f6",
          .ply = 1,
          .reply_san = "Nf6",
          .has_from = true },
        { .name = "without one", .move = "g1f3", .ply = 1, .reply_san = "", .has_from = true },
        { .name = "of a position that we do not have",
          .move = "g1f3",
          .reply = "g8f6",
          .ply = 7,
          .reply_san = "" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Position initial = position_of(FEN_START), after;
        Scoresheet sheet;
        Undo undo;
        LatestMove latest = { .reply_san = "old" };
        Note note = { .kind = NOTE_MOVE, .ply = rows[i].ply, .san = "Nf3" };
        scoresheet_init(&sheet, &initial);
        note.choice.move = move_of(&initial, rows[i].move);
        after = initial;
        position_make(&after, note.choice.move, &undo);
        if (rows[i].reply)
            note.choice.reply = move_of(&after, rows[i].reply);
        latest_move_take(&latest, &sheet, &note);
        const Position *from = latest_move_from(&latest);
        if (strcmp(latest.san, "Nf3") != 0 || strcmp(latest.reply_san, rows[i].reply_san) != 0 ||
            (from != NULL) != rows[i].has_from || (from && from->key != initial.key))
            fail_msg("%s: %s %s", rows[i].name, latest.san, latest.reply_san);
    }
}
