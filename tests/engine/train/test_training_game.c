/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/train/training_game.h"

#include "engine/base/random.h"
#include "engine/core/movegen.h"
#include "tests/support/unit.h"

/* A player whose scores are written down and whose moves are drawn. */
typedef struct {
    int (*score)(int asked); /* for White, by the number of the question in this game */
    int mate_at;             /* the question at which White sees a mate; -1: never */
    int begun, asked;
    uint64_t random;
} Puppet;

static void begin(void *user)
{
    Puppet *puppet = user;
    puppet->begun++;
    puppet->asked = 0;
}

static void choose(void *user, const Position *pos, ArchivedPly *ply, int *mate)
{
    Puppet *puppet = user;
    MoveList moves;
    movegen_legal(pos, &moves);
    ply->move = moves.moves[random_below(&puppet->random, (uint64_t)moves.count)];
    ply->score = (int16_t)puppet->score(puppet->asked);
    *mate = puppet->asked == puppet->mate_at;
    puppet->asked++;
}

static int level(int asked)
{
    (void)asked;
    return 0;
}

static int level_then_won(int asked)
{
    return asked < 2 ? 20 : 1200;
}

static int level_then_lost(int asked)
{
    return asked < 2 ? 20 : -1200;
}

static const GameRules usual = { .shares = { { [START_USUAL] = 100 } },
                                 .opening_max = 600,
                                 .won_score = 1000 };

static void run(ArchivedGame *game, Puppet *puppet, const GameRules *rules, uint64_t seed)
{
    GamePlayer player = { .begin = begin, .choose = choose, .user = puppet };
    training_game_play(game, &player, rules, &seed);
}

static Puppet puppet_of(int (*score)(int))
{
    return (Puppet){ .score = score, .mate_at = -1, .random = 3 };
}

static int random_moves(const ArchivedGame *game)
{
    int count = 0;
    for (int i = 0; i < game->ply_count; i++)
        count += game->plies[i].score == ARCHIVE_RANDOM_MOVE;
    return count;
}

TEST(scores_beyond_the_limit_for_four_plies_end_a_game)
{
    static const struct {
        int (*score)(int);
        uint8_t result;
    } rows[] = { { level_then_won, PACKED_WHITE_WON }, { level_then_lost, PACKED_WHITE_LOST } };
    for (size_t i = 0; i < 2; i++) {
        ArchivedGame game;
        Puppet puppet = puppet_of(rows[i].score);
        run(&game, &puppet, &usual, 1);
        assert_int_equal(game.start.result, rows[i].result);
        assert_true(puppet.asked >= 6 && puppet.asked <= 10);
        assert_int_equal(game.ply_count - random_moves(&game), puppet.asked);
    }
}

TEST(a_mate_ends_a_game)
{
    ArchivedGame game;
    Puppet puppet = puppet_of(level);
    puppet.mate_at = 1;
    run(&game, &puppet, &usual, 1);
    assert_int_equal(game.start.result, PACKED_WHITE_WON);
    assert_int_equal(puppet.asked, 2);
}

TEST(level_scores_end_a_game_late)
{
    int drawn = 0;
    for (uint64_t seed = 0; seed < 20; seed++) {
        ArchivedGame game;
        Puppet puppet = puppet_of(level);
        run(&game, &puppet, &usual, seed);
        if (game.start.result != PACKED_DRAWN)
            continue; /* moves at random ran into a mate */
        drawn++;
        assert_true(game.ply_count <= 80);
    }
    assert_true(drawn > 10);
}

/* The first three starts are beyond the limit, one of them by a mate. */
static void choose_after_three(void *user, const Position *pos, ArchivedPly *ply, int *mate)
{
    static const int scores[] = { 601, -601, ARCHIVE_NO_SCORE };
    const Puppet *puppet = user;
    choose(user, pos, ply, mate);
    if (puppet->asked == 1 && puppet->begun <= 3) {
        ply->score = (int16_t)scores[puppet->begun - 1];
        *mate = puppet->begun == 3;
    }
}

TEST(one_sided_starts_are_thrown_away)
{
    ArchivedGame game;
    Puppet puppet = puppet_of(level_then_won);
    GamePlayer player = { .begin = begin, .choose = choose_after_three, .user = &puppet };
    uint64_t random = 1;
    training_game_play(&game, &player, &usual, &random);
    assert_int_equal(puppet.begun, 4);
    assert_int_equal(game.ply_count - random_moves(&game), puppet.asked);
}

TEST(games_begin_at_random_and_some_have_a_late_random_move)
{
    int late = 0, games = 400;
    for (int seed = 0; seed < games; seed++) {
        ArchivedGame game;
        Puppet puppet = puppet_of(level);
        run(&game, &puppet, &usual, (uint64_t)seed);
        int opening = 0;
        while (game.plies[opening].score == ARCHIVE_RANDOM_MOVE)
            opening++;
        int more = random_moves(&game) - opening;
        assert_in_range(opening, 8, 10); /* 10: the late move follows at once */
        assert_in_range(more, 0, 1);
        late += more;
    }
    /* A quarter; games that end earlier take some away. */
    assert_in_range(late, games / 8, games * 3 / 8);
}

TEST(the_same_seed_gives_the_same_game)
{
    GameRules rules = { .shares = START_SHARES, .opening_max = 600, .won_score = 1000 };
    for (uint64_t seed = 0; seed < 50; seed++) {
        ArchivedGame first, second;
        Puppet a = puppet_of(level), b = puppet_of(level);
        run(&first, &a, &rules, seed);
        run(&second, &b, &rules, seed);
        assert_memory_equal(&first.start, &second.start, sizeof first.start);
        assert_int_equal(first.ply_count, second.ply_count);
        assert_memory_equal(first.plies, second.plies,
                            (size_t)first.ply_count * sizeof *first.plies);
    }
}

TEST(seeds_shards_and_numbers_give_different_games)
{
    uint64_t first = training_game_seed(1, 0, 0);
    assert_true(first != training_game_seed(2, 0, 0));
    assert_true(first != training_game_seed(1, 1, 0));
    assert_true(first != training_game_seed(1, 0, 1));
}
