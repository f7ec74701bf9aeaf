/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/train/relabel_games.h"

#include "engine/core/fen.h"
#include "tests/training_games.h"
#include "tests/unit.h"

#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATH_SIZE = 256, GAMES = 3 };

/* Its n-th answer of a life is the n-th of these; ucinewgame begins anew. */
static const char script[] = "#!/bin/sh\n"
                             "while read -r line; do case $line in\n"
                             "uci) echo uciok;;\n"
                             "isready) n=0; echo readyok;;\n"
                             "go*) n=$((n + 1)); case $n in\n"
                             "  1) echo info score cp 10; echo bestmove e7e5;;\n"
                             "  2) echo info score cp 20; echo bestmove g1f3;;\n"
                             "  3) echo info score cp 30 lowerbound; echo bestmove g8f6;;\n"
                             "  4) echo info score cp 900; echo bestmove h5f7;;\n"
                             "  esac;;\n"
                             "esac; done\n";

typedef struct {
    char folder[64], engine[PATH_SIZE], manifest[PATH_SIZE], shard[PATH_SIZE];
    const char *path;
} Place;

static Place place;

static int place_init(void **state)
{
    (void)state;
    snprintf(place.folder, sizeof place.folder, "/tmp/castled-relabel-XXXXXX");
    assert_non_null(mkdtemp(place.folder));
    snprintf(place.engine, PATH_SIZE, "%s/engine", place.folder);
    snprintf(place.manifest, PATH_SIZE, "%s/manifest.txt", place.folder);
    FILE *file = fopen(place.engine, "w");
    assert_non_null(file);
    assert_true(fputs(script, file) >= 0);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(chmod(place.engine, 0700), 0);

    /* Random, quiet, quiet, quiet, a capture with check, an answer to check. */
    ArchivedGame game = training_game_of(FEN_START, "e2e4 e7e5:5 d1h5:5 b8c6:5 h5f7:5 e8f7:5", 0);
    ShardHeader header = { .kind = "teacher", .seed = 77, .number = 3, .nodes = 200 };
    ShardWriter *writer;
    Error err = { 0 };
    assert_true(shard_writer_new(&writer, place.folder, &header, &err));
    for (int i = 0; i < GAMES; i++)
        assert_true(shard_writer_put(writer, &game, &err));
    assert_true(shard_writer_finish(writer, "", &err));
    snprintf(place.shard, PATH_SIZE, "%s", shard_writer_path(writer));
    place.path = place.shard;
    shard_writer_free(writer);
    return 0;
}

static int place_release(void **state)
{
    (void)state;
    unlink(place.engine);
    unlink(place.manifest);
    unlink(place.shard);
    return rmdir(place.folder);
}

static GameMaker maker_of(int job, int jobs, atomic_ullong *restarts)
{
    RelabelOptions options = {
        .paths = &place.path,
        .path_count = 1,
        .job = job,
        .jobs = jobs,
        .teacher = { .path = place.engine, .nodes = 200, .hash_mib = 4, .silence_s = 5 },
        .header = { .kind = ARCHIVE_RELABELLED, .nodes = 200, .labeller = "T" },
    };
    GameMaker maker;
    Error err = { 0 };
    assert_true(relabel_games_new(&maker, &options, restarts, &err));
    return maker;
}

static void positions_get_the_teachers_scores(void **state)
{
    (void)state;
    static const int scores[] = { ARCHIVE_RANDOM_MOVE, -10, 20, -30, ARCHIVE_NO_SCORE,
                                  ARCHIVE_NO_SCORE };
    atomic_ullong restarts = 0;
    GameMaker maker = maker_of(0, 1, &restarts);
    ShardHeader header;
    ArchivedGame game;
    Error err = { 0 };
    assert_int_equal(maker.next_shard(maker.user, 0, &header, &err), MAKER_MADE);
    /* A run that goes on begins with a later game. */
    for (uint64_t number = 1; number < GAMES; number++) {
        GameIndex index = { .number = number };
        if (maker.make(maker.user, index, &game, &err) != MAKER_MADE)
            fail_msg("%s", err.text);
        assert_int_equal(game.ply_count, 6);
        for (int i = 0; i < game.ply_count; i++)
            assert_int_equal(game.plies[i].score, scores[i]);
    }
    assert_int_equal(maker.make(maker.user, (GameIndex){ .number = GAMES }, &game, &err),
                     MAKER_ENDED);
    assert_int_equal(maker.next_shard(maker.user, 1, &header, &err), MAKER_ENDED);
    maker.free(maker.user);
}

static void games_are_counted_beforehand(void **state)
{
    (void)state;
    const char *const paths[] = { place.path, place.path }, *const wrong[] = { place.engine };
    uint64_t games = 1;
    Error err = { 0 };
    assert_true(relabel_games_count(&games, paths, 2, &err));
    assert_int_equal(games, 2 * GAMES);
    assert_false(relabel_games_count(&games, wrong, 1, &err));
    assert_int_equal(games, 2 * GAMES);
}

static void the_header_names_whose_games_they_are(void **state)
{
    (void)state;
    atomic_ullong restarts = 0;
    GameMaker maker = maker_of(0, 1, &restarts);
    ShardHeader header;
    Error err = { 0 };
    assert_int_equal(maker.next_shard(maker.user, 0, &header, &err), MAKER_MADE);
    assert_true(shard_is_relabelled(&header));
    assert_int_equal(header.seed, 77);
    assert_int_equal(header.number, 3);
    assert_string_equal(header.labeller, "T");
    assert_memory_equal(header.options, "of teacher-", 11);
    maker.free(maker.user);
}

static void each_job_has_shards_of_its_own(void **state)
{
    (void)state;
    atomic_ullong restarts = 0;
    GameMaker maker = maker_of(1, 2, &restarts);
    ShardHeader header;
    Error err = { 0 };
    assert_int_equal(maker.next_shard(maker.user, 0, &header, &err), MAKER_ENDED);
    maker.free(maker.user);
}

int main(void)
{
    signal(SIGPIPE, SIG_IGN);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(positions_get_the_teachers_scores, place_init,
                                        place_release),
        cmocka_unit_test_setup_teardown(games_are_counted_beforehand, place_init, place_release),
        cmocka_unit_test_setup_teardown(the_header_names_whose_games_they_are, place_init,
                                        place_release),
        cmocka_unit_test_setup_teardown(each_job_has_shards_of_its_own, place_init, place_release),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
