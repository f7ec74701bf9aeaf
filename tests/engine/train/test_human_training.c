/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/human/policy_network.h"
#include "engine/human/softmax.h"
#include "engine/train/human_model.h"
#include "tests/support/chess.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* People answer in Italian games, and hardly look at their rating. */
static const char games_text[] =
    "1200\t1300\t600+0\t1-0\te2e4 e7e5 g1f3 b8c6 f1c4 f8c5 e1g1 g8f6 d2d3 e8g8\n"
    "1500\t1600\t600+0\t1-0\te2e4 e7e5 g1f3 b8c6 f1c4 f8c5 c2c3 g8f6 d2d3 d7d6\n"
    "1900\t1900\t600+0\t0-1\td2d4 d7d5 c2c4 e7e6 b1c3 g8f6 c1g5 f8e7 e2e3 e8g8\t1 2 3\n";
/* Two opinions on the third move, none on the others. */
static const char label_text[] =
    "labels\te2e4\te7e5\tg1f3;1500 g1f3:0.75 f1c4:0.25;1900 g1f3:0.6\tb8c6\n";

static void read_text(HumanGames *games, const char *text, const char *why_not)
{
    char path[] = "/tmp/human_training.XXXXXX";
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, text, strlen(text)), strlen(text));
    close(fd);
    Error err = { 0 };
    bool ok = human_games_read(games, path, &err);
    unlink(path);
    if (why_not && (ok || !strstr(err.text, why_not)))
        fail_msg("expected \"%s\", got \"%s\"", why_not, err.text);
    if (!why_not && !ok)
        fail_msg("%s", err.text);
}

TEST(games_and_labels_become_positions)
{
    HumanGames games = { 0 };
    read_text(&games, games_text, NULL);
    assert_int_equal(games.sample_count, 30);
    assert_int_equal(games.samples[0].move_count, 20);
    read_text(&games, label_text, NULL);
    assert_int_equal(games.sample_count, 32);
    for (int k = 30; k < 32; k++) {
        const HumanSample *sample = &games.samples[k];
        float sum = 0, most = 0;
        for (int i = 0; i < sample->move_count; i++) {
            sum += games.targets[sample->first_target + (uint32_t)i];
            most = fmaxf(most, games.targets[sample->first_target + (uint32_t)i]);
        }
        assert_true(fabsf(sum - 1) < 1e-5F && most == (k == 30 ? 0.75F : 1));
        assert_int_equal(sample->first_move, games.samples[30].first_move);
    }
    human_games_release(&games);
}

TEST(lines_of_another_kind_are_refused)
{
    static const char *const rows[][2] = {
        { "1200\n", "1 columns" },
        { "1200\t1300\tx\tx\te2e5\n", "e2e5" },
        { "many\t1300\tx\tx\te2e4\n", ":1" },
        { "labels\te2e5\n", "e2e5" },
        { "labels\te2e4;many e2e4:0.5\n", "many" },
        { "labels\te2e4;1200\n", "without moves" },
        { "labels\te2e4;1200 e2e5:0.5\n", "e2e5" },
        { "labels\te2e4;1200 e2e4:2\n", "no probability" },
        { "labels\te2e4;1200 e2e4\n", "not MOVE:PROBABILITY" },
        { "labels\te2e4;1200 e2e4:0.50000000000000000\n", "not MOVE:PROBABILITY" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        HumanGames games = { 0 };
        read_text(&games, rows[i][0], rows[i][1]);
        human_games_release(&games);
    }
}

enum { WIDTH = 32 };

/* A network that has learnt the games by heart. */
static uint8_t *learn(double *first_loss, double *last_loss)
{
    HumanGames games = { 0 };
    HumanModel *model;
    assert_true(human_model_new(&model, WIDTH, 1, NULL));
    read_text(&games, games_text, NULL);
    *first_loss = *last_loss = 0;
    for (int pass = 0; pass < 100; pass++)
        for (size_t i = 0; i < games.sample_count; i++)
            human_model_learn(model, &games, &games.samples[i], 0.02F);
    HumanModel *fresh;
    assert_true(human_model_new(&fresh, WIDTH, 1, NULL));
    for (size_t i = 0; i < games.sample_count; i++) {
        *first_loss += human_model_judge(fresh, &games, &games.samples[i]).loss;
        *last_loss += human_model_judge(model, &games, &games.samples[i]).loss;
    }
    uint8_t hash[SMALL_POLICY_HASH_SIZE] = { 0 };
    uint8_t *bytes = human_model_export(model, hash);
    assert_non_null(bytes);
    human_model_free(model);
    human_model_free(fresh);
    human_games_release(&games);
    return bytes;
}

/* Three times as much without learning by rounded weights, and far more in a network that has
 * grown. */
TEST(rounding_costs_next_to_nothing)
{
    HumanGames games = { 0 };
    HumanModel *model;
    double before = 0, after = 0;
    assert_true(human_model_new(&model, WIDTH, 1, NULL));
    read_text(&games, games_text, NULL);
    for (int pass = 0; pass < 300; pass++)
        for (size_t i = 0; i < games.sample_count; i++)
            human_model_learn(model, &games, &games.samples[i], 0.02F);
    for (size_t i = 0; i < games.sample_count; i++)
        before += human_model_judge(model, &games, &games.samples[i]).loss;
    human_model_round(model);
    for (size_t i = 0; i < games.sample_count; i++)
        after += human_model_judge(model, &games, &games.samples[i]).loss;
    if (fabs(after - before) > 0.001)
        fail_msg("%f before, %f after", before, after);
    human_model_free(model);
    human_games_release(&games);
}

TEST(what_is_learnt_is_played_by_the_exported_network)
{
    double first, last;
    uint8_t *bytes = learn(&first, &last);
    assert_true(last < first / 2);
    PolicyNetwork *network;
    PolicyRoom *room;
    PolicyVerdict verdict;
    assert_true(policy_read(&network, bytes, small_policy_size(WIDTH), NULL));
    free(bytes);
    assert_true(policy_info(network).takes_rating);
    assert_true(policy_room_new(&room, network, NULL));
    static const char *const line[] = { "e2e4", "e7e5", "g1f3", "b8c6", "f1c4", "f8c5" };
    Position pos = position_in(FEN_START, FEN_STRICT);
    HumanHistory history;
    human_history_init(&history, &pos, SQUARE_NONE);
    for (size_t ply = 0; ply < sizeof line / sizeof *line; ply++) {
        MoveList moves;
        Undo undo;
        float sum = 0;
        int likeliest = 0;
        movegen_legal(&pos, &moves);
        policy_evaluate(network, room, &history, &pos, &moves, 1300, &verdict);
        for (int i = 0; i < moves.count; i++) {
            sum += verdict.probability[i];
            likeliest = verdict.probability[i] > verdict.probability[likeliest] ? i : likeliest;
        }
        assert_true(fabsf(sum - 1) < 1e-4F);
        if (ply > 0) /* the first move was played twice by one way and once by another */
            assert_int_equal(moves.moves[likeliest], move_of(&pos, line[ply]));
        position_make(&pos, move_of(&pos, line[ply]), &undo);
        human_history_push(&history, &pos);
    }
    policy_room_free(room);
    policy_free(network);
}

TEST(a_file_cut_short_or_of_another_width_is_refused)
{
    double first, last;
    uint8_t *bytes = learn(&first, &last);
    SmallPolicy policy;
    size_t size = small_policy_size(WIDTH);
    assert_true(small_policy_view(&policy, bytes, size, NULL));
    static const size_t cuts[] = { 0, 10, 24, 63, 64, 5000 };
    for (size_t i = 0; i < sizeof cuts / sizeof *cuts; i++)
        assert_false(small_policy_view(&policy, bytes, cuts[i], NULL));
    assert_false(small_policy_view(&policy, bytes, size - 1, NULL));
    bytes[24] = 31;
    assert_false(small_policy_view(&policy, bytes, size, NULL));
    bytes[27] = 0x80;
    assert_false(small_policy_view(&policy, bytes, size, NULL));
    free(bytes);
}

TEST(both_colours_are_seen_alike)
{
    PolicyNetwork *network;
    PolicyRoom *room;
    Error err = { 0 };
    if (!policy_load(&network, POLICY_BUILT_IN, &err) || !policy_room_new(&room, network, &err))
        fail_msg("%s", err.text);
    static const char *const fens[][2] = {
        /* castling; promotion and passed pawns; en passant; a mate; a check */
        { "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
          "r3k2r/pppbbppp/2n2q1P/1P2p3/3pn3/BN2PNP1/P1PPQPB1/R3K2R b KQkq - 0 1" },
        { "8/P2k1p2/4p1p1/3pP2p/2pP3P/2P1KPP1/8/8 w - - 0 40",
          "8/8/2p1kpp1/2Pp3p/3Pp2P/4P1P1/p2K1P2/8 b - - 0 40" },
        { "rnbqkbnr/ppp2ppp/8/3Pp3/8/8/PPP1PPPP/RNBQKBNR w KQkq e6 0 3",
          "rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPP2PPP/RNBQKBNR b KQkq e3 0 3" },
        { "6k1/5ppp/8/8/8/8/r4PPP/1R4K1 w - - 0 30", "1r4k1/R4ppp/8/8/8/8/5PPP/6K1 b - - 0 30" },
        { "4r1k1/5ppp/8/8/8/4b3/3q1PPP/4R1K1 w - - 0 30",
          "4r1k1/3Q1ppp/4B3/8/8/8/5PPP/4R1K1 b - - 0 30" },
    };
    for (size_t i = 0; i < sizeof fens / sizeof *fens; i++) {
        float most[2] = { 0 };
        for (int side = 0; side < 2; side++) {
            Position pos = position_in(fens[i][side], FEN_STRICT);
            HumanHistory history;
            PolicyVerdict verdict;
            MoveList moves;
            human_history_init(&history, &pos, SQUARE_NONE);
            movegen_legal(&pos, &moves);
            policy_evaluate(network, room, &history, &pos, &moves, 1500, &verdict);
            for (int k = 0; k < moves.count; k++)
                most[side] = fmaxf(most[side], verdict.probability[k]);
        }
        assert_true(fabsf(most[0] - most[1]) < 1e-6F);
    }
    policy_room_free(room);
    policy_free(network);
}

/* What the traits of a legal move have in common with those of another position's. */
static int shared_traits(const char *fen, const char *uci, const char *other_fen)
{
    uint16_t traits[2][TRAITS_OF_A_MOVE];
    const char *const fens[2] = { fen, other_fen };
    int shared = 0;
    for (int i = 0; i < 2; i++) {
        Position pos = position_in(fens[i], FEN_STRICT);
        HumanHistory history;
        human_history_init(&history, &pos, SQUARE_NONE);
        TraitsView view = traits_view(&history, &pos);
        traits_of_move(traits[i], &view, move_of(&pos, uci));
    }
    for (int i = 0; i < TRAITS_OF_A_MOVE; i++)
        shared += traits[0][i] == traits[1][i];
    return shared;
}

TEST(a_move_is_seen_with_what_it_threatens_and_risks)
{
    static const char mate[] = "6k1/5ppp/8/8/8/8/5PPP/1R4K1 w - - 0 1";
    static const char check[] = "6k1/5pp1/7p/8/8/8/5PPP/1R4K1 w - - 0 1";
    static const char guarded[] = "1n4k1/5ppp/8/8/8/8/5PPP/1R4K1 w - - 0 1";
    assert_int_equal(shared_traits(mate, "b1b8", mate), TRAITS_OF_A_MOVE);
    assert_int_equal(shared_traits(mate, "b1b8", check), TRAITS_OF_A_MOVE - 1); /* mate alone */
    assert_in_range(shared_traits(mate, "b1b8", guarded), 8, TRAITS_OF_A_MOVE - 4);
    /* A pawn that goes on is passed in one position and opposed in the other. */
    assert_in_range(shared_traits("4k3/8/8/3P4/8/8/8/4K3 w - - 0 1", "d5d6",
                                  "4k3/3p4/8/3P4/8/8/8/4K3 w - - 0 1"),
                    TRAITS_OF_A_MOVE - 8, TRAITS_OF_A_MOVE - 1);
}
