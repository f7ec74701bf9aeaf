/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/review/analysis.h"

#include "bot/review/time_use.h"
#include "bot/model/score_text.h"
#include "tests/support/records.h"
#include "tests/support/unit.h"

#include <math.h>

enum { LONG_GAME = 90 };

/* The figures below come from a Python program written from Lichess's published formulas, not from
 * this code; the first three games are those of lila's AccuracyPercentTest, whose expectations (100
 * for fine moves, 10 ± 5 for a first move that loses a piece and a rook) they meet. */

static void near(double got, double expected)
{
    if (!(fabs(got - expected) < 1e-6))
        fail_msg("%.9f instead of %.9f", got, expected);
}

TEST(winning_chances_are_lichess_s)
{
    near(win_percent(0), 50);
    near(win_percent(15), 51.380429102931544);
    near(win_percent(100), 59.10258971916128);
    near(win_percent(-250), 28.485195256375974);
    near(win_percent(1000), 97.54474363414323);
    near(win_percent(5000), win_percent(1000));
    near(win_percent(SCORE_MATE - 3), win_percent(1000));
    near(win_percent(-SCORE_TABLEBASE + 9), win_percent(-1000));
    near(winning_chances(-SCORE_MATE), 2 * win_percent(-1000) / 100 - 1);
    assert_true(winning_chances(5000) > winning_chances(1000));
}

TEST(accuracy_of_a_move_is_lichess_s)
{
    near(move_accuracy(60, 50), 64.57982845372067);
    near(move_accuracy(75, 40), 20.30578804513674);
    near(move_accuracy(97, 3), 0);
    near(move_accuracy(50, 50), 100);
    near(move_accuracy(30, 80), 100);
}

TEST(accuracy_of_a_game_is_lichess_s)
{
    static const struct {
        const char *name;
        Colour first;
        size_t count;
        int scores[24];
        double white, black;
    } games[] = {
        { "fine", WHITE, 2, { 15, 15 }, 100, 100 },
        { "White's first", WHITE, 2, { -900, -900 }, 10.664056896199494, 100 },
        { "Black's first", WHITE, 2, { 15, 900 }, 100, 12.303138647232768 },
        { "a swinging game",
          WHITE,
          24,
          { 20,  25,  18,  30, -40, -35,  -90,  10,   5,    60,   55,   300,
            280, 310, -20, 0,  35,  -150, -145, -400, -390, -380, -700, -650 },
          66.38280957411854,
          81.1364645532161 },
        { "that Black began",
          BLACK,
          24,
          { 20,  25,  18,  30, -40, -35,  -90,  10,   5,    60,   55,   300,
            280, 310, -20, 0,  35,  -150, -145, -400, -390, -380, -700, -650 },
          79.7668694547489,
          98.89930611843641 },
    };
    for (size_t i = 0; i < sizeof games / sizeof *games; i++) {
        PositionEval evals[24];
        double accuracy[COLOUR_COUNT];
        print_message("%s\n", games[i].name);
        for (size_t ply = 0; ply < games[i].count; ply++)
            evals[ply] = (PositionEval){ .score = games[i].scores[ply] };
        assert_true(game_accuracy(evals, games[i].count, games[i].first, accuracy));
        near(accuracy[WHITE], games[i].white);
        near(accuracy[BLACK], games[i].black);
    }
}

TEST(a_long_game_has_the_widest_window)
{
    PositionEval evals[LONG_GAME];
    double accuracy[COLOUR_COUNT];
    for (int i = 0; i < LONG_GAME; i++)
        evals[i] = (PositionEval){ .score = (int)(200 * sin(i / 3.0) + i * 3) };
    assert_true(game_accuracy(evals, LONG_GAME, WHITE, accuracy));
    near(accuracy[WHITE], 93.50295125536044);
    near(accuracy[BLACK], 92.75979242792675);
}

TEST(one_move_makes_no_accuracy_and_unknown_ones_change_none)
{
    PositionEval evals[] = { { .score = 15 }, { .score = SCORE_NONE }, { .score = SCORE_NONE } };
    double accuracy[COLOUR_COUNT];
    assert_false(game_accuracy(evals, 0, WHITE, accuracy));
    assert_false(game_accuracy(evals, 1, WHITE, accuracy));
    assert_true(game_accuracy(evals, 3, WHITE, accuracy));
    near(accuracy[WHITE], 100);
    near(accuracy[BLACK], 100);
}

TEST(moves_are_judged_as_by_lichess)
{
    static const struct {
        const char *name;
        int before, after;
        Judgement judgement;
    } moves[] = {
        { "nothing", 20, 10, JUDGEMENT_FINE },
        { "half a pawn", 0, -50, JUDGEMENT_FINE },
        { "a little more", 0, -56, JUDGEMENT_INACCURACY },
        { "more than a pawn", 0, -112, JUDGEMENT_MISTAKE },
        { "a pawn and a half", 0, -170, JUDGEMENT_BLUNDER },
        { "two pawns of ten", 1200, 1000, JUDGEMENT_FINE },
        { "a gain", -300, 200, JUDGEMENT_FINE },
        { "mate let in", 0, -SCORE_MATE + 4, JUDGEMENT_BLUNDER },
        { "in a bad game", -701, -SCORE_MATE + 4, JUDGEMENT_MISTAKE },
        { "in a lost one", -1000, -SCORE_MATE + 4, JUDGEMENT_INACCURACY },
        { "mate let go", SCORE_MATE - 5, 700, JUDGEMENT_BLUNDER },
        { "in a good game", SCORE_MATE - 5, 701, JUDGEMENT_MISTAKE },
        { "in a won one", SCORE_MATE - 5, 1000, JUDGEMENT_INACCURACY },
        { "mate for mate", SCORE_MATE - 5, -SCORE_MATE + 6, JUDGEMENT_BLUNDER },
        { "mate later", SCORE_MATE - 5, SCORE_MATE - 11, JUDGEMENT_FINE },
        { "mate found", 300, SCORE_MATE - 2, JUDGEMENT_FINE },
        { "mate escaped", -SCORE_MATE + 2, -900, JUDGEMENT_FINE },
    };
    for (size_t i = 0; i < sizeof moves / sizeof *moves; i++)
        if (judge_move(moves[i].before, moves[i].after) != moves[i].judgement)
            fail_msg("%s: %s", moves[i].name,
                     judgement_name(judge_move(moves[i].before, moves[i].after)));
}

static void make_game(GameRecord *out)
{
    record_make(out, "abcdefgh", "alba", "e2e4 e7e5 g1f3 b8c6 f1c4 g8f6 d2d3 f8c5");
    out->time.increment_s = 0;
}

TEST(a_loss_has_a_cause)
{
    GameRecord game;
    make_game(&game);
    assert_int_equal(loss_cause(&game, 4), CAUSE_CHESS);
    assert_int_equal(loss_cause(&game, 5), CAUSE_CHESS);

    game.moves[2].depth = 0;
    game.moves[2].nodes = 0;
    assert_int_equal(loss_cause(&game, 2), CAUSE_BOOK);
    game.moves[2].nodes = 500; /* a search that finished nothing */
    assert_int_equal(loss_cause(&game, 2), CAUSE_CHESS);

    game.moves[4].clock_ms = 18000;
    game.moves[5].clock_ms = 17999;
    game.moves[7].clock_ms = 10000;
    game.moves[6].clock_ms = 19000;
    assert_int_equal(loss_cause(&game, 6), CAUSE_CHESS);
    assert_int_equal(loss_cause(&game, 7), CAUSE_CLOCK);

    /* 30.6 s went, 0.6 s of them were searched. */
    game.moves[2].clock_ms = 100000;
    game.moves[4].clock_ms = 100000 - 30600;
    assert_int_equal(move_time_of(&game, 4).spent_ms, 30600);
    assert_int_equal(move_time_of(&game, 4).lag_ms, 30000);
    assert_int_equal(loss_cause(&game, 4), CAUSE_FAULT);
    game.moves[4].time_ms = 29000;
    assert_int_equal(move_time_of(&game, 4).lag_ms, 1600);
    assert_int_equal(loss_cause(&game, 4), CAUSE_CHESS);

    game.moves[4].has_choice = false;
    assert_int_equal(loss_cause(&game, 4), CAUSE_FAULT);
    assert_int_equal(move_time_of(&game, 4).lag_ms, -1);
    game.time = time_control_of_days(0);
    assert_int_equal(move_time_of(&game, 4).spent_ms, -1);
    assert_int_equal(loss_cause(&game, 7), CAUSE_CHESS);
    record_release(&game);
}

TEST(a_game_that_others_kept_has_no_faults)
{
    GameRecord game;
    make_game(&game);
    for (size_t i = 0; i < game.count; i++)
        game.moves[i].has_choice = false;
    assert_int_equal(loss_cause(&game, 4), CAUSE_CHESS);
    record_release(&game);
}

/* Before each move and after the last: White errs at 2 and 6, Black at 3. */
static const int scores[] = { 15, 20, 25, -100, 150, 140, 130, -400, -390 };

static void make_evals(PositionEval out[9])
{
    for (size_t i = 0; i < 9; i++)
        out[i] = (PositionEval){ .score = scores[i] };
}

TEST(losses_are_found_in_the_order_of_the_game)
{
    GameRecord game;
    PositionEval evals[9];
    MoveLoss losses[8];
    make_game(&game);
    make_evals(evals);
    assert_int_equal(find_losses(&game, evals, COLOUR_NONE, losses, 8), 3);
    assert_int_equal(losses[0].index, 2);
    assert_int_equal(losses[0].judgement, JUDGEMENT_MISTAKE);
    assert_int_equal(losses[1].index, 3);
    assert_int_equal(losses[1].mover, BLACK);
    assert_int_equal(losses[1].judgement, JUDGEMENT_BLUNDER);
    near(losses[1].lost, win_percent(150) - win_percent(-100));
    assert_int_equal(losses[2].index, 6);
    assert_int_equal(losses[2].before, 130);
    assert_int_equal(losses[2].after, -400);

    assert_int_equal(find_losses(&game, evals, BLACK, losses, 8), 1);
    assert_int_equal(losses[0].index, 3);
    assert_int_equal(find_losses(&game, evals, COLOUR_NONE, losses, 2), 2);
    assert_int_equal(losses[0].index, 3);
    assert_int_equal(losses[1].index, 6);
    assert_int_equal(find_losses(&game, evals, COLOUR_NONE, losses, 0), 0);
    record_release(&game);
}

TEST(the_best_move_and_the_unknown_are_not_judged)
{
    GameRecord game;
    PositionEval evals[9];
    MoveLoss losses[8];
    make_game(&game);
    make_evals(evals);
    memcpy(evals[2].best, "g1f3", 5);
    memcpy(evals[3].best, "d7d6", 5);
    evals[7].score = SCORE_NONE;
    assert_int_equal(find_losses(&game, evals, COLOUR_NONE, losses, 8), 1);
    assert_int_equal(losses[0].index, 3);
    record_release(&game);
}

TEST(a_lost_game_has_one_cause)
{
    static const struct {
        GameStatus status;
        Colour winner;
        bool is_lost;
        LossCause cause;
    } rows[] = {
        { STATUS_RESIGN, WHITE, false, CAUSE_CHESS },
        { STATUS_DRAW, COLOUR_NONE, false, CAUSE_CHESS },
        { STATUS_OUTOFTIME, BLACK, true, CAUSE_CLOCK },
        { STATUS_TIMEOUT, BLACK, true, CAUSE_FAULT },
        { STATUS_MATE, BLACK, true, CAUSE_BOOK }, /* by its worst move */
    };
    GameRecord game;
    PositionEval evals[9];
    make_game(&game);
    make_evals(evals);
    game.moves[6].depth = 0;
    game.moves[6].nodes = 0;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        LossCause cause = CAUSE_CHESS;
        game.status = rows[i].status;
        game.winner = rows[i].winner;
        assert_int_equal(game_loss_cause(&game, evals, &cause), rows[i].is_lost);
        assert_int_equal(cause, rows[i].cause);
    }
    record_release(&game);
}

TEST(our_own_searches_judge_as_far_as_they_go)
{
    GameRecord game;
    PositionEval evals[9];
    make_game(&game);
    game.moves[2].depth = 0;
    evals_of_record(&game, evals);
    assert_int_equal(evals[0].score, 31);
    assert_int_equal(evals[1].score, SCORE_NONE);
    assert_int_equal(evals[2].score, SCORE_NONE);
    assert_int_equal(evals[4].score, -49);
    assert_int_equal(evals[4].depth, 16);
    assert_int_equal(evals[8].score, SCORE_NONE);
    record_release(&game);
}

TEST(moves_and_evaluations_have_names)
{
    static const struct {
        int score;
        const char *word;
    } words[] = { { 31, "+0.31" },          { -1250, "-12.50" },        { 0, "+0.00" },
                  { SCORE_MATE - 9, "#5" }, { -SCORE_MATE + 6, "#-3" }, { -5, "-0.05" },
                  { SCORE_MATE, "mate" },   { -SCORE_MATE, "mate" } };
    char word[SCORE_TEXT_SIZE], title[MOVE_TITLE_SIZE], best[SAN_SIZE];
    GameRecord game;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        score_text(words[i].score, word);
        assert_string_equal(word, words[i].word);
    }
    make_game(&game);
    assert_true(move_titles_write(&game, 5, "f8c5", title, best));
    assert_string_equal(title, "3... Nf6");
    assert_string_equal(best, "Bc5");
    assert_true(move_titles_write(&game, 4, "", title, best));
    assert_string_equal(title, "3. Bc4");
    assert_string_equal(best, "");
    assert_true(move_titles_write(&game, 4, "a1a8", title, best));
    assert_string_equal(best, "");
    memcpy(game.moves[1].uci, "e7e1", 5);
    assert_false(move_titles_write(&game, 4, "f1b5", title, best));
    assert_string_equal(title, "3. f1c4");
    assert_string_equal(best, "");
    record_release(&game);
}
