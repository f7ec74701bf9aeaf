/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/source/past_positions.h"
#include "tests/support/chess.h"

/* The same from single moves; `count` of them. */
static HumanHistory history_of(const char *fen, const char *const moves[], int count, Position *pos)
{
    HumanHistory history;
    *pos = position_of(fen);
    human_history_init(&history, pos, human_en_passant_of(fen));
    for (int i = 0; i < count; i++) {
        Undo undo;
        position_make(pos, move_of(pos, moves[i]), &undo);
        human_history_push(&history, pos);
    }
    return history;
}

TEST(the_moves_give_the_latest_positions)
{
    static const char *const moves[] = { "e2e4", "e7e5", "g1f3", "b8c6", "f1c4",
                                         "g8f6", "e1h1", "f6g8", "f1e1", "g8f6" };
    Position pos;
    HumanHistory read, expected = history_of(FEN_START, moves, 10, &pos);
    /* The server writes castling in either notation. */
    const char *const lists[] = { "e2e4 e7e5 g1f3 b8c6 f1c4 g8f6 e1g1 f6g8 f1e1 g8f6",
                                  "e2e4 e7e5 g1f3 b8c6 f1c4 g8f6 e1h1 f6g8 f1e1 g8f6" };
    for (int i = 0; i < 2; i++) {
        past_positions_read(&read, &(MoveRequest){ .variant = VARIANT_STANDARD,
                                                   .position = &pos,
                                                   .moves = text_of(lists[i]) });
        assert_int_equal(read.count, HUMAN_POSITIONS);
        assert_memory_equal(&read, &expected, sizeof read);
    }
}

TEST(a_game_from_elsewhere_begins_there)
{
    static const char fen[] = "rnbqkbnr/ppp1pppp/8/8/3pP3/5N2/PPPP1PPP/RNBQKB1R b KQkq e3 0 3";
    static const char *const moves[] = { "d4e3" };
    Position pos;
    HumanHistory read, expected = history_of(fen, moves, 1, &pos);
    past_positions_read(&read, &(MoveRequest){ .variant = VARIANT_FROM_POSITION,
                                               .position = &pos,
                                               .fen = fen,
                                               .moves = text_of("d4e3") });
    assert_true(read.begins_before);
    assert_memory_equal(&read, &expected, sizeof read);
}

TEST(moves_that_lead_elsewhere_are_no_past)
{
    static const char *const lists[] = { "e2e4", "e2e5", "e2e4 e7e5 g1f3", "" };
    static const char fen[] = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2";
    Position pos;
    HumanHistory read, expected = history_of(fen, NULL, 0, &pos);
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        past_positions_read(&read, &(MoveRequest){ .variant = VARIANT_STANDARD,
                                                   .position = &pos,
                                                   .moves = text_of(lists[i]) });
        assert_memory_equal(&read, &expected, sizeof read);
    }
}
