/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/train/game_positions.h"

#include "engine/core/fen.h"
#include "tests/support/training_games.h"
#include "tests/support/unit.h"

#include <math.h>

/* Ten plies that lead nowhere, so that what follows is not early. */
#define WAITING "g1f3:0 g8f6:0 f3g1:0 f6g8:0 g1f3:0 g8f6:0 f3g1:0 f6g8:0 b1c3:0 b8c6:0 "

enum { SIDELINES = 4 };

static GamePosition positions[ARCHIVE_PLIES_MAX * (1 + SIDELINES)];

static void label(const ArchivedGame *game, LabelForm form)
{
    memset(positions, 0xff, sizeof positions);
    game_positions(positions, game, form);
}

TEST(what_no_static_evaluation_can_learn_is_left_out)
{
    static const struct {
        const char *name, *fen, *moves;
        PositionFate fate; /* of the last position */
    } rows[] = {
        { "quiet", FEN_START, WAITING "e2e4:20", POSITION_KEPT },
        { "a random move", FEN_START, WAITING "e2e4", POSITION_UNSCORED },
        { "a mate", FEN_START, WAITING "e2e4:?", POSITION_UNSCORED },
        { "early", FEN_START, "e2e4:20 e7e5:20", POSITION_EARLY },
        { "in check", FEN_START, WAITING "e2e4:0 e7e5:0 d1h5:0 g8f6:0 h5e5:0 f8e7:0",
          POSITION_IN_CHECK },
        { "a capture", FEN_START, WAITING "e2e4:0 d7d5:0 e4d5:0", POSITION_TACTICAL },
        { "a promotion", "4k3/P4ppp/8/8/8/8/5PPP/4K3 w - - 0 30", "e1e2:0 e8e7:0 a7a8q:900",
          POSITION_TACTICAL },
        { "decided", FEN_START, WAITING "e2e4:3000", POSITION_DECIDED },
        { "decided for Black", FEN_START, WAITING "e2e4:-3000", POSITION_DECIDED },
        { "not yet decided", FEN_START, WAITING "e2e4:2999", POSITION_KEPT },
        { "an endgame's third ply", "4k3/pppp4/8/8/8/8/4PPPP/4K3 w - - 0 30",
          "e1d1:0 e8e7:0 d1c1:0", POSITION_KEPT },
        { "an endgame's second ply", "4k3/pppp4/8/8/8/8/4PPPP/4K3 w - - 0 30", "e1d1:0 e8e7:0",
          POSITION_EARLY },
        { "counter at 40", "4k3/pppp4/8/8/8/8/4PPPP/4K3 w - - 38 30", "e1d1:0 e8e7:0 d1c1:0",
          POSITION_KEPT },
        { "counter at 41", "4k3/pppp4/8/8/8/8/4PPPP/4K3 w - - 39 30", "e1d1:0 e8e7:0 d1c1:0",
          POSITION_STALE },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        ArchivedGame game = training_game_of(rows[i].fen, rows[i].moves, PACKED_DRAWN);
        label(&game, LABEL_RAW);
        PositionFate fate = positions[game.ply_count - 1].fate;
        if (fate != rows[i].fate)
            fail_msg("%s: %s", rows[i].name, position_fate_text(fate));
    }
}

TEST(a_raw_label_is_the_score_within_its_cap)
{
    ArchivedGame game = training_game_of(FEN_START, WAITING "e2e4:20 e7e5:-2500", PACKED_DRAWN);
    label(&game, LABEL_RAW);
    assert_int_equal(positions[10].score, 20);
    assert_int_equal(positions[11].score, -2000);
}

TEST(a_smooth_label_weighs_the_next_five_plies)
{
    static const double scores[] = { 100, -40, 60, 0, 50, 10, 9999 };
    ArchivedGame game = training_game_of(
        FEN_START, WAITING "e2e4:100 e7e5:-40 g1f3:60 g8f6:0 f1c4:50 f8c5:10 d2d3:9999",
        PACKED_DRAWN);
    double sum = 0, weights = 0;
    for (int i = 0; i < 6; i++) {
        sum += pow(0.7, i) * scores[i];
        weights += pow(0.7, i);
    }
    label(&game, LABEL_SMOOTH);
    assert_int_equal(positions[10].score, lrint(sum / weights));
}

/* The labeller sees the side to move 50 better than it is. */
TEST(smoothing_takes_the_optimism_of_the_mover_away)
{
    ArchivedGame game = training_game_of(
        FEN_START, WAITING "e2e4:50 e7e5:-50 g1f3:50 g8f6:-50 f1c4:50 f8c5:-50", PACKED_DRAWN);
    label(&game, LABEL_SMOOTH);
    assert_in_range(positions[10].score, 0, 15);
}

TEST(smoothing_ends_before_a_random_move_and_a_mate)
{
    static const char *const ends[] = { "g1f3", "g1f3:?" };
    for (size_t i = 0; i < 2; i++) {
        char moves[256];
        snprintf(moves, sizeof moves, WAITING "e2e4:100 e7e5:100 %s g8f6:-900", ends[i]);
        ArchivedGame game = training_game_of(FEN_START, moves, PACKED_DRAWN);
        label(&game, LABEL_SMOOTH);
        assert_int_equal(positions[10].score, 100);
    }
}

TEST(results_count_after_the_last_random_move)
{
    ArchivedGame game =
        training_game_of(FEN_START, WAITING "e2e4:1 e7e5 g1f3:1 g8f6:1", PACKED_WHITE_WON);
    label(&game, LABEL_RAW);
    for (int i = 0; i < game.ply_count; i++) {
        bool counts = !(positions[i].packed.flags & PACKED_NO_RESULT);
        assert_int_equal(counts, i > 11);
        assert_int_equal(positions[i].packed.result, PACKED_WHITE_WON);
        assert_int_equal(positions[i].packed.ply, i);
    }
}

TEST(positions_are_those_before_each_move)
{
    static const char *const fens[] = {
        FEN_START,
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1",
        "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2",
    };
    ArchivedGame game = training_game_of(FEN_START, "e2e4:1 e7e5:1 g1f3:1", PACKED_DRAWN);
    label(&game, LABEL_RAW);
    for (int i = 0; i < 3; i++) {
        Position pos;
        char fen[FEN_SIZE];
        assert_true(packed_position_read(&pos, &positions[i].packed, NULL));
        fen_write(&pos, fen);
        assert_string_equal(fen, fens[i]);
        assert_int_equal(positions[i].key, pos.key);
        assert_int_equal(positions[i].men, 32);
    }
}

/* Somebody to whom the side to move always has so much more. */
enum { CONSTANT = 140 };

static int by_constant(void *user, const Position *pos)
{
    (void)user;
    (void)pos;
    return CONSTANT;
}

static int look_at_sidelines(void *user, const Position *pos, Position beside[BESIDE_MAX])
{
    (void)user;
    return sidelines_of(pos, SIDELINES, beside);
}

TEST(static_labels_are_whites_and_take_captures_too)
{
    const StaticJudge judge = { .evaluate = by_constant };
    static const struct {
        const char *moves;
        PositionFate fate;
        int score;
    } rows[] = {
        { WAITING "e2e4", POSITION_KEPT, CONSTANT },
        { WAITING "e2e4:900 e7e5", POSITION_KEPT, -CONSTANT },
        { WAITING "e2e4:0 d7d5:0 e4d5:?", POSITION_KEPT, CONSTANT },
        { WAITING "e2e4:0 e7e5:0 d1h5:0 g8f6:0 h5e5:0 f8e7:0", POSITION_IN_CHECK, 0 },
        { "e2e4:20 e7e5:20", POSITION_EARLY, -CONSTANT },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        ArchivedGame game = training_game_of(FEN_START, rows[i].moves, PACKED_DRAWN);
        assert_int_equal(game_positions_static(positions, &game, &judge), game.ply_count);
        const GamePosition *last = &positions[game.ply_count - 1];
        if (last->fate != rows[i].fate)
            fail_msg("%s: %s", rows[i].moves, position_fate_text(last->fate));
        assert_int_equal(last->score, rows[i].score);
    }
}

TEST(sidelines_leave_the_game_after_its_beginning_and_are_always_the_same)
{
    const StaticJudge judge = { by_constant, look_at_sidelines, POSITION_SCORE_CAP, NULL };
    static GamePosition again[ARCHIVE_PLIES_MAX * (1 + SIDELINES)];
    ArchivedGame game = training_game_of(FEN_START, WAITING "e2e4:0 e7e5:0", PACKED_DRAWN);
    const int early = game.ply_count - 2;
    int count = game_positions_static(positions, &game, &judge);
    assert_int_equal(count, early + 2 * (1 + SIDELINES));
    assert_int_equal(game_positions_static(again, &game, &judge), count);
    for (int i = 0; i < count; i++) {
        assert_memory_equal(&positions[i].packed, &again[i].packed, sizeof again[i].packed);
        Position pos;
        int ply = i < early ? i : early + (i - early) / (1 + SIDELINES);
        bool is_sideline = i >= early && (i - early) % (1 + SIDELINES) != 0;
        assert_true(packed_position_read(&pos, &positions[i].packed, NULL));
        assert_int_equal(positions[i].packed.ply, ply);
        assert_int_equal(positions[i].packed.flags & PACKED_NO_RESULT,
                         is_sideline ? PACKED_NO_RESULT : 0);
        if (is_sideline)
            assert_true(positions[i].key != positions[i - (i - early) % (1 + SIDELINES)].key);
    }
}

TEST(no_sidelines_leave_a_position_whose_label_is_beyond_the_limit)
{
    ArchivedGame game = training_game_of(FEN_START, WAITING "e2e4:0 e7e5:0", PACKED_DRAWN);
    StaticJudge judge = { by_constant, look_at_sidelines, CONSTANT, NULL };
    assert_int_equal(game_positions_static(positions, &game, &judge),
                     game.ply_count + 2 * SIDELINES);
    judge.beside_max = CONSTANT - 1;
    assert_int_equal(game_positions_static(positions, &game, &judge), game.ply_count);
}
