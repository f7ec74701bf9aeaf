/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/search/picker.h"
#include "engine/search/see.h"
#include "tests/support/chess.h"

static const char *const fens[] = {
    FEN_START,
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
    "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1",
    "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
};
enum { FENS = sizeof fens / sizeof *fens };

static HistoryView view_of(History *history, const Position *pos)
{
    ContinuationHistory *nothing = &history->continuation[CONTINUATION_NONE];
    ContinuationHistory *other = history_continuation_after(history, piece_make(WHITE, PAWN), 0);
    return (HistoryView){
        .history = history,
        .params = &PARAMS_DEFAULT,
        .has_threats = true,
        .threats = movegen_threats(pos),
        .continuation = { nothing, other, other },
    };
}

static History *empty_history(void)
{
    History *history = malloc(sizeof *history);
    assert_non_null(history);
    history_clear(history);
    return history;
}

/* Histories of noise, so that the order is no accident. */
static History *noisy_history(void)
{
    History *history = malloc(sizeof *history);
    assert_non_null(history);
    int16_t *entries = (int16_t *)history;
    unsigned seed = 1;
    for (size_t i = 0; i < sizeof *history / sizeof *entries; i++) {
        seed = seed * 1103515245u + 12345u;
        entries[i] = (int16_t)((int)(seed >> 16) % HISTORY_MAX - HISTORY_MAX / 2);
    }
    return history;
}

static int count_of(const MoveList *list, Move m)
{
    int count = 0;
    for (int i = 0; i < list->count; i++)
        count += list->moves[i] == m;
    return count;
}

TEST(hands_out_each_legal_move_once)
{
    History *history = noisy_history();
    for (int f = 0; f < FENS; f++) {
        Position pos = position_of(fens[f]);
        HistoryView view = view_of(history, &pos);
        MoveList legal;
        movegen_legal(&pos, &legal);
        /* Any 16 bits may come out of the table. */
        for (unsigned tt = 0; tt < 0x10000; tt += f == 0 ? 1 : 37) {
            Move killers[2] = { legal.count ? legal.moves[tt % (unsigned)legal.count] : MOVE_NONE,
                                (Move)(tt * 7) };
            MoveList seen = { 0 };
            Picker picker;
            picker_init(&picker, &pos, &view, (Move)tt, killers);
            for (Move m; (m = picker_next(&picker)) != MOVE_NONE;)
                seen.moves[seen.count++] = m;
            if (seen.count != legal.count)
                fail_msg("%s, table move %04x: %d moves of %d", fens[f], tt, seen.count,
                         legal.count);
            for (int i = 0; i < legal.count; i++)
                assert_int_equal(count_of(&seen, legal.moves[i]), 1);
            if (count_of(&legal, (Move)tt))
                assert_int_equal(seen.moves[0], tt);
        }
    }
    free(history);
}

TEST(noisy_picker_keeps_to_its_threshold)
{
    static const int thresholds[] = { -20000, -100, 0, 1, 300, 20000 };
    History *history = noisy_history();
    for (int f = 0; f < FENS; f++) {
        Position pos = position_of(fens[f]);
        HistoryView view = view_of(history, &pos);
        MoveList noisy;
        movegen_noisy(&pos, &noisy);
        for (size_t t = 0; t < sizeof thresholds / sizeof *thresholds; t++) {
            int wanted = 0;
            for (int i = 0; i < noisy.count; i++)
                wanted += see_at_least(&pos, noisy.moves[i], thresholds[t]);
            Picker picker;
            picker_init_noisy(&picker, &pos, &view, MOVE_NONE, thresholds[t]);
            int got = 0;
            for (Move m; (m = picker_next(&picker)) != MOVE_NONE; got++)
                assert_true(count_of(&noisy, m) && see_at_least(&pos, m, thresholds[t]));
            assert_int_equal(got, wanted);
        }
    }
    free(history);
}

/* A capture may lose some of its victim's value, here less than half, and still be a good one. */
static bool is_good(const Position *pos, Move m)
{
    PieceType victim = move_is_en_passant(m) ? PAWN : piece_type(pos->board[move_to(m)]);
    return see_at_least(pos, m, move_is_capture(m) ? -see_value[victim] / 2 : 0);
}

TEST(good_captures_come_first_and_losing_ones_last)
{
    History *history = empty_history();
    for (int f = 0; f < FENS; f++) {
        Position pos = position_of(fens[f]);
        HistoryView view = view_of(history, &pos);
        const Move killers[2] = { MOVE_NONE, MOVE_NONE };
        bool quiets_begun = false;
        Picker picker;
        picker_init(&picker, &pos, &view, MOVE_NONE, killers);
        for (Move m; (m = picker_next(&picker)) != MOVE_NONE;) {
            if (move_is_quiet(m))
                quiets_begun = true;
            else if (quiets_begun)
                assert_false(see_at_least(&pos, m, 0) && !move_is_promotion(m));
            else
                assert_true(is_good(&pos, m));
        }
    }
    free(history);
}

/* With empty histories a piece that a lesser one attacks moves away first, but not to where it is
 * attacked again. */
TEST(escapes_lead_the_quiet_moves)
{
    History *history = empty_history();
    static const struct {
        const char *fen;
        Square from;
        Bitboard unsafe;
    } cases[] = {
        { "4k3/6p1/8/3p4/4N3/8/1P3PP1/4K3 w - - 0 1", 28, 1ull << 45 }, /* from a pawn */
        { "4k3/8/2n5/8/3R4/8/1P3PP1/4K3 w - - 0 1", 27, 1ull << 25 },   /* from a knight */
        { "2r1k3/8/8/8/2Q5/8/1P3PP1/1N2K3 w - - 0 1", 26, 1ull << 34 }, /* from a rook */
    };
    const Move none[2] = { MOVE_NONE, MOVE_NONE };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Position pos = position_of(cases[i].fen);
        HistoryView view = view_of(history, &pos);
        Picker picker;
        picker_init(&picker, &pos, &view, MOVE_NONE, none);
        Move m = picker_next(&picker);
        while (!move_is_quiet(m))
            m = picker_next(&picker);
        if (move_from(m) != cases[i].from || bitboard_has(cases[i].unsafe, move_to(m)))
            fail_msg("%s: another move leads", cases[i].fen);
    }
    free(history);
}

TEST(killers_lead_the_quiet_moves)
{
    History *history = empty_history();
    Position pos = position_of(FEN_START);
    HistoryView view = view_of(history, &pos);
    MoveList legal;
    movegen_legal(&pos, &legal);
    for (int i = 1; i < legal.count; i++) {
        const Move killers[2] = { legal.moves[i], legal.moves[i - 1] };
        Picker picker;
        picker_init(&picker, &pos, &view, MOVE_NONE, killers);
        assert_int_equal(picker_next(&picker), killers[0]);
        assert_int_equal(picker_next(&picker), killers[1]);
    }
    free(history);
}

/* With empty histories a quiet check leads, unless it loses more than check_loss. */
TEST(sound_checks_lead_the_quiet_moves)
{
    History *history = empty_history();
    static const struct {
        const char *fen;
        Square from, to;
        bool leads;
    } cases[] = {
        { "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1", 0, 56, true },     /* Ra8+ */
        { "1q4k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1", 0, 56, false },  /* the queen takes it */
        { "6k1/5ppp/8/8/3N4/8/5PPP/6K1 w - - 0 1", 27, 44, false },  /* Ne6 checks nobody */
        { "6k1/5p1p/8/8/4N3/8/5PPP/6K1 w - - 0 1", 28, 45, true },   /* Nf6+ */
        { "8/5ppp/8/4k3/8/4P3/3P1PPP/6K1 w - - 0 1", 11, 27, true }, /* d4+ */
    };
    const Move none[2] = { MOVE_NONE, MOVE_NONE };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Position pos = position_of(cases[i].fen);
        HistoryView view = view_of(history, &pos);
        Picker picker;
        picker_init(&picker, &pos, &view, MOVE_NONE, none);
        Move first = picker_next(&picker);
        assert_true(move_is_quiet(first));
        bool is_first = move_from(first) == cases[i].from && move_to(first) == cases[i].to;
        if (is_first != cases[i].leads)
            fail_msg("%s: another move leads, or the wrong one", cases[i].fen);
    }
    free(history);
}

TEST(quiet_moves_can_be_skipped_midway)
{
    History *history = empty_history();
    const Move killers[2] = { MOVE_NONE, MOVE_NONE };
    Position pos = position_of(fens[1]);
    HistoryView view = view_of(history, &pos);
    MoveList noisy;
    movegen_noisy(&pos, &noisy);
    Picker picker;
    picker_init(&picker, &pos, &view, MOVE_NONE, killers);
    int count_noisy = 0;
    int count_quiet = 0;
    for (Move m; (m = picker_next(&picker)) != MOVE_NONE;) {
        if (move_is_quiet(m)) {
            count_quiet++;
            picker_skip_quiets(&picker);
        } else {
            count_noisy++;
        }
    }
    assert_int_equal(count_quiet, 1);
    assert_int_equal(count_noisy, noisy.count);
    free(history);
}

TEST(history_stays_within_its_bounds)
{
    History *history = empty_history();
    Position pos = position_of(FEN_START);
    HistoryView view = view_of(history, &pos);
    Move m = move_make(12, 28, MOVE_DOUBLE_PUSH);
    for (int i = 0; i < 1000; i++)
        history_update_quiet(&view, &pos, m, HISTORY_MAX);
    assert_int_equal(history->butterfly[WHITE][0][0][12][28], HISTORY_MAX);
    for (int i = 0; i < 1000; i++)
        history_update_quiet(&view, &pos, m, -HISTORY_MAX / 2);
    assert_in_range(-history->butterfly[WHITE][0][0][12][28], HISTORY_MAX - 3, HISTORY_MAX);
    history_clear(history);
    assert_int_equal(history_quiet(&view, &pos, m), 0);
    free(history);
}

TEST(moves_under_attack_have_a_history_of_their_own)
{
    History *history = empty_history();
    Position pos = position_of("4k3/8/8/3r4/8/8/3N4/4K3 w - - 0 1");
    HistoryView view = view_of(history, &pos);
    Move m = move_make(11, 28, MOVE_QUIET);
    assert_int_equal(view.threats >> 11 & 1, 1);
    assert_int_equal(view.threats >> 28 & 1, 0);
    history_update_quiet(&view, &pos, m, 1000);
    assert_int_equal(history->butterfly[WHITE][1][0][11][28], 1000);
    assert_int_equal(history->butterfly[WHITE][0][0][11][28], 0);
    free(history);
}
