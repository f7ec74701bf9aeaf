/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/game/untold_end.h"
#include "tests/support/chess.h"

/* We have White, the game has 40 plies. */
TEST(who_has_won_is_found_out_where_it_can_be)
{
    static const struct {
        const char *name, *fen;
        Ruleset ruleset;
        bool tells_the_rest;
        uint32_t ply; /* 0: 40 */
        bool our_time, their_time;
        GameStatus status;
        Colour winner;
    } rows[] = {
        { .name = "we have mated",
          .fen = "R6k/8/7K/8/8/8/8/8 b - - 0 40",
          .status = STATUS_MATE,
          .winner = WHITE },
        { .name = "they have, and it was shown",
          .fen = "8/8/8/8/8/6k1/8/r6K w - - 0 40",
          .status = STATUS_MATE,
          .winner = BLACK },
        { .name = "stalemate",
          .fen = "7k/5Q2/6K1/8/8/8/8/8 b - - 0 40",
          .status = STATUS_STALEMATE,
          .winner = COLOUR_NONE },
        { .name = "fifty moves",
          .fen = "7k/8/4K3/8/8/8/8/Q7 b - - 100 90",
          .status = STATUS_DRAW,
          .winner = COLOUR_NONE },
        { .name = "antichess: who has no move has won",
          .fen = "8/8/8/8/p7/P7/8/8 w - - 0 40",
          .ruleset = RULES_ANTICHESS,
          .status = STATUS_VARIANT_END,
          .winner = WHITE },
        { .name = "our move: they have resigned",
          .fen = "7k/8/4K3/8/8/8/8/1Q6 w - - 0 40",
          .status = STATUS_UNKNOWN_FINISH,
          .winner = WHITE },
        { .name = "our move, and no time for it",
          .fen = "7k/8/4K3/8/8/8/8/1Q6 w - - 0 40",
          .our_time = true,
          .status = STATUS_UNKNOWN_FINISH,
          .winner = COLOUR_NONE },
        { .name = "their move, none of which ends it",
          .fen = "7k/8/4K3/8/8/8/8/Q7 b - - 0 40",
          .status = STATUS_UNKNOWN_FINISH,
          .winner = WHITE },
        { .name = "their move, and their time may have run out",
          .fen = "7k/p7/4K3/8/8/8/8/QR6 b - - 0 40",
          .their_time = true,
          .status = STATUS_UNKNOWN_FINISH,
          .winner = WHITE },
        { .name = "the same, when a bare king has nothing to win with",
          .fen = "7k/p7/4K3/8/8/8/8/8 b - - 0 40",
          .their_time = true,
          .status = STATUS_UNKNOWN_FINISH,
          .winner = COLOUR_NONE },
        { .name = "their move could have mated",
          .fen = "7k/8/8/8/8/r7/1r6/7K b - - 0 40",
          .status = STATUS_UNKNOWN_FINISH,
          .winner = COLOUR_NONE },
        { .name = "their move could have been the hundredth without progress",
          .fen = "7k/8/4K3/8/8/8/8/Q7 b - - 99 90",
          .status = STATUS_UNKNOWN_FINISH,
          .winner = COLOUR_NONE },
        { .name = "antichess: their only move takes our last man",
          .fen = "8/8/8/8/1p6/P7/8/8 b - - 0 40",
          .ruleset = RULES_ANTICHESS,
          .status = STATUS_UNKNOWN_FINISH,
          .winner = WHITE },
        { .name = "so early it may be aborted",
          .fen = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2",
          .ply = 2,
          .status = STATUS_UNKNOWN_FINISH,
          .winner = COLOUR_NONE },
        { .name = "a server that tells the rest has told none",
          .fen = "7k/8/4K3/8/8/8/8/1Q6 w - - 0 40",
          .tells_the_rest = true,
          .status = STATUS_UNKNOWN_FINISH,
          .winner = COLOUR_NONE },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Position last = position_by(rows[i].ruleset, rows[i].fen);
        UntoldEnd end = { .last = &last,
                          .ply = rows[i].ply > 0 ? rows[i].ply : 40,
                          .us = WHITE,
                          .hides_all = !rows[i].tells_the_rest,
                          .may_be_out_of_time = {
                              [WHITE] = rows[i].our_time, [BLACK] = rows[i].their_time } };
        GameStatus status = STATUS_STARTED;
        Colour winner = BLACK;
        untold_end_judge(&end, &status, &winner);
        if (status != rows[i].status || winner != rows[i].winner)
            fail_msg("%s: status %d, winner %d", rows[i].name, (int)status, (int)winner);
    }
}
