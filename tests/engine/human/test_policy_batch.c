/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/human/policy_batch.h"
#include "tests/support/chess.h"
#include "tests/support/policy_maker.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Positions of one game, which castles, takes and promotes. */
typedef struct {
    Position pos[POLICY_BATCH_MAX];
    HumanHistory histories[POLICY_BATCH_MAX];
    MoveList moves[POLICY_BATCH_MAX];
    float probability[POLICY_BATCH_MAX][MAX_MOVES];
    PolicyQuery queries[POLICY_BATCH_MAX];
} Queries;

static void make_queries(Queries *q)
{
    static const char *const game[POLICY_BATCH_MAX - 1] = {
        "e2e4",  "d7d5", "e4d5", "c7c6", "d5c6", "g8f6", "c6b7", "c8d7",
        "b7a8q", "e7e5", "g1f3", "f8d6", "f1e2", "e8g8", "e1g1",
    };
    Position pos = position_in(FEN_START, FEN_STRICT);
    HumanHistory history;
    human_history_init(&history, &pos, SQUARE_NONE);
    for (int i = 0; i < POLICY_BATCH_MAX; i++) {
        Undo undo;
        q->pos[i] = pos;
        q->histories[i] = history;
        movegen_legal(&pos, &q->moves[i]);
        q->queries[i] =
            (PolicyQuery){ &q->histories[i], &q->pos[i], &q->moves[i], q->probability[i] };
        if (i == POLICY_BATCH_MAX - 1)
            break;
        position_make(&pos, move_of(&pos, game[i]), &undo);
        human_history_push(&history, &pos);
    }
}

/* The largest difference between a batch's answers and those to each position alone. */
static double worst_of(PolicyBatch *batch, const PolicyNetwork *network, PolicyRoom *room,
                       Queries *q, int first, int count)
{
    double worst = 0;
    policy_batch_evaluate(batch, q->queries + first, count);
    for (int i = first; i < first + count; i++) {
        PolicyVerdict verdict;
        policy_evaluate(network, room, &q->histories[i], &q->pos[i], &q->moves[i], 0, &verdict);
        for (int m = 0; m < q->moves[i].count; m++)
            worst = fmax(worst, (double)fabsf(verdict.probability[m] - q->probability[i][m]));
    }
    return worst;
}

TEST(a_batch_is_answered_as_each_position_alone)
{
    static const PolicyShape shapes[] = {
        { .filters = 64, .blocks = 2, .seed = 3 },
        { .filters = 40, .blocks = 3, .seed = 5 }, /* whose channels are rounded up */
        { .filters = 128, .blocks = 1, .seed = 7 },
    };
    static Queries q;
    make_queries(&q);
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
        PolicyFile file = policy_file_make(&shapes[s]);
        PolicyNetwork *network;
        PolicyRoom *room;
        PolicyBatch *batch;
        assert_true(policy_read(&network, file.bytes, file.size, NULL));
        assert_true(policy_room_new(&room, network, NULL));
        assert_true(policy_batch_new(&batch, network, NULL));
        int sets = 0;
        for (; policy_batch_force(batch, sets); sets++) {
            static const int parts[][2] = { { 0, 16 }, { 3, 1 }, { 0, 2 }, { 5, 3 }, { 1, 15 } };
            for (size_t p = 0; p < sizeof parts / sizeof *parts; p++) {
                double worst = worst_of(batch, network, room, &q, parts[p][0], parts[p][1]);
                if (!(worst < 1e-4))
                    fail_msg("set %d, %d from %d: %g", sets, parts[p][1], parts[p][0], worst);
            }
        }
        assert_true(sets > 0);
        policy_batch_free(batch);
        policy_room_free(room);
        policy_free(network);
        policy_file_release(&file);
    }
}

TEST(maia_networks_answer_alike)
{
    static Queries q;
    PolicyNetwork *network;
    PolicyRoom *room;
    PolicyBatch *batch;
    FILE *file = fopen(SUITES_DIR "/maia/maia-1900.pb.gz", "r");
    if (!file)
        skip();
    (void)fclose(file);
    make_queries(&q);
    assert_true(policy_load(&network, SUITES_DIR "/maia/maia-1900.pb.gz", NULL));
    assert_true(policy_room_new(&room, network, NULL));
    assert_true(policy_batch_new(&batch, network, NULL));
    double worst = worst_of(batch, network, room, &q, 0, POLICY_BATCH_MAX);
    print_message("probabilities within %.6f\n", worst);
    assert_true(worst < 1e-4);
    policy_batch_free(batch);
    policy_room_free(room);
    policy_free(network);
}

TEST(a_network_of_our_own_kind_is_refused)
{
    PolicyNetwork *network;
    PolicyBatch *batch;
    Error err = { 0 };
    assert_true(policy_load(&network, POLICY_BUILT_IN, NULL));
    assert_false(policy_batch_new(&batch, network, &err));
    assert_non_null(strstr(err.text, "one position at a time"));
    policy_free(network);
}
