/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/train/expand.h"

#include "engine/core/fen.h"
#include "tests/support/training_games.h"
#include "tests/support/unit.h"

#include <unistd.h>

enum { PATH_SIZE = 256, RECORDS_MAX = 10000, SHARDS_MAX = 2 };

#define OPENING "g1f3:0 g8f6:0 f3g1:0 f6g8:0 g1f3:0 g8f6:0 f3g1:0 f6g8:0 b1c3:0 b8c6:0 "

typedef struct {
    char folder[64], out[PATH_SIZE], part[PATH_SIZE];
    char shards[SHARDS_MAX][PATH_SIZE];
    const char *paths[SHARDS_MAX];
    int shard_count;
    PackedPosition records[RECORDS_MAX];
    size_t record_count;
    char report[8192];
} Place;

static Place place;

static void place_reset(void)
{
    memset(&place, 0, sizeof place);
    snprintf(place.folder, sizeof place.folder, "/tmp/castled-expand-XXXXXX");
    assert_non_null(mkdtemp(place.folder));
    snprintf(place.out, PATH_SIZE, "%s/records", place.folder);
    snprintf(place.part, PATH_SIZE, "%s/records.part", place.folder);
}

static void place_release(void)
{
    for (int i = 0; i < place.shard_count; i++)
        unlink(place.shards[i]);
    unlink(place.out);
    assert_int_not_equal(access(place.part, F_OK), 0);
    assert_int_equal(rmdir(place.folder), 0);
}

/* A shard of `count` copies of the games given. */
static void add_shard(const char *labeller, const ArchivedGame *games, int count)
{
    ShardHeader header = { .nodes = 200, .kind = "teacher" };
    ShardWriter *writer;
    char name[ARCHIVE_NAME_SIZE], path[PATH_SIZE];
    Error err = { 0 };
    int index = place.shard_count++;
    memcpy(header.labeller, labeller, strlen(labeller));
    if (!shard_writer_new(&writer, place.folder, &header, &err))
        fail_msg("%s", err.text);
    for (int i = 0; i < count; i++)
        assert_true(shard_writer_put(writer, &games[i], &err));
    assert_true(shard_writer_finish(writer, &err));
    assert_true(shard_name(&header, name, &err));
    snprintf(path, sizeof path, "%s/%s", place.folder, name);
    memcpy(place.shards[index], path, sizeof path);
    place.paths[index] = place.shards[index];
    shard_writer_free(writer);
}

static ExpandOptions options_of(double k)
{
    return (ExpandOptions){ .paths = place.paths,
                            .path_count = place.shard_count,
                            .out = place.out,
                            .form = LABEL_RAW,
                            .k = k,
                            .score_max = POSITION_SCORE_CAP,
                            .few_men_percent = 100 };
}

static void expand_all(const ExpandOptions *options)
{
    Error err = { 0 };
    FILE *report = fmemopen(place.report, sizeof place.report - 1, "w");
    assert_non_null(report);
    if (!expand(options, report, &err))
        fail_msg("%s", err.text);
    fclose(report);
    FILE *out = fopen(place.out, "rb");
    assert_non_null(out);
    place.record_count = fread(place.records, sizeof *place.records, RECORDS_MAX, out);
    fclose(out);
}

TEST(scores_are_divided_by_k)
{
    place_reset();
    ArchivedGame game =
        training_game_of(FEN_START, OPENING "e2e4:100 e7e5:-50 d2d4:0", PACKED_WHITE_WON);
    add_shard("A", &game, 1);
    ExpandOptions options = options_of(250);
    expand_all(&options);
    assert_int_equal(place.record_count, 3);
    assert_int_equal(place.records[0].score, 80);
    assert_int_equal(place.records[1].score, -40);
    assert_int_equal(place.records[2].score, 0);
    assert_int_equal(place.records[0].flags & PACKED_FIRST_OF_GAME, PACKED_FIRST_OF_GAME);
    assert_int_equal(place.records[1].flags & PACKED_FIRST_OF_GAME, 0);
    assert_int_equal(place.records[1].result, PACKED_WHITE_WON);
    assert_int_equal(place.records[1].ply, 11);
    place_release();
}

TEST(no_position_comes_twice)
{
    place_reset();
    ArchivedGame games[2] = {
        training_game_of(FEN_START, OPENING "e2e4:100 e7e5:-50 d2d4:0", PACKED_WHITE_WON),
        training_game_of(FEN_START, OPENING "e2e4:70 d7d5:-50", PACKED_DRAWN),
    };
    add_shard("A", games, 2);
    add_shard("B", games, 2);
    ExpandOptions options = options_of(200);
    expand_all(&options);
    /* Both games share two positions; those of the second shard are all known. */
    assert_int_equal(place.record_count, 3);
    assert_int_equal(place.records[0].score, 100);
    assert_non_null(strstr(place.report, "records 3, 0 of them for validation; unique 30.0 %"));
    place_release();
}

TEST(each_source_gets_the_k_that_fits_it)
{
    place_reset();
    enum { GAMES = 40 };
    static ArchivedGame games[GAMES];
    /* Of scores of 100 three quarters are won: sigmoid(100 / K) is 0.75 at K = 91. */
    for (int i = 0; i < GAMES; i++)
        games[i] = training_game_of(FEN_START, OPENING "e2e4:100",
                                    i % 4 ? PACKED_WHITE_WON : PACKED_WHITE_LOST);
    add_shard("A", games, GAMES);
    for (int i = 0; i < GAMES; i++)
        games[i] = training_game_of(FEN_START, OPENING "d2d4:200 d7d5:200",
                                    i % 4 ? PACKED_WHITE_WON : PACKED_WHITE_LOST);
    add_shard("B", games, GAMES);
    ExpandOptions options = options_of(0);
    expand_all(&options);
    assert_int_equal(place.record_count, 2);
    /* ln 3 logits for both, 200 to the logit. */
    assert_in_range(place.records[0].score, 219, 221);
    assert_in_range(place.records[1].score, 219, 221);
    place_release();
}

/* A rank with nothing but the piece. */
static void rank_write(char out[4], char piece, int file)
{
    if (file > 0)
        *out++ = (char)('0' + file);
    *out++ = piece;
    if (file < 7)
        *out++ = (char)('7' - file);
    *out = 0;
}

/* One of 64 games that differ by where the kings stand. */
static ArchivedGame kings_at(int number)
{
    char fen[FEN_SIZE], black[4], white[4];
    rank_write(black, 'k', number / 8);
    rank_write(white, 'K', number % 8);
    snprintf(fen, sizeof fen, "%s/pppp4/8/8/8/8/PPPP4/%s w - - 0 1", black, white);
    return training_game_of(fen, "a2a3:0 a7a6:0 b2b3:0 b7b6:0", PACKED_DRAWN);
}

TEST(one_game_in_so_many_stands_whole_at_the_end)
{
    place_reset();
    enum { GAMES = EXPAND_VALIDATION_ONE_IN + 2 };
    static ArchivedGame games[GAMES];
    for (int i = 0; i < GAMES; i++)
        games[i] = kings_at(i);
    add_shard("A", games, GAMES);
    ExpandOptions options = options_of(200);
    expand_all(&options);
    assert_int_equal(place.record_count, 2 * GAMES);
    assert_non_null(strstr(place.report, "2 of them for validation"));
    /* The last game is number 33 of the shard. */
    GamePosition positions[4];
    game_positions(positions, &games[EXPAND_VALIDATION_ONE_IN - 1], LABEL_RAW);
    assert_int_equal(place.records[2 * GAMES - 2].occupied, positions[2].packed.occupied);
    assert_int_equal(place.records[2 * GAMES - 1].occupied, positions[3].packed.occupied);
    assert_true(place.records[2 * GAMES - 2].flags & PACKED_FIRST_OF_GAME);
    place_release();
}

TEST(few_men_take_no_more_than_their_share)
{
    place_reset();
    ArchivedGame games[3] = {
        training_game_of(FEN_START, OPENING "e2e4:0 e7e5:0 d2d4:0 d7d6:0 g1f3:0 g8f6:0", 1),
        training_game_of("4k3/8/8/8/8/8/PP6/4K3 w - - 0 1",
                         "e1d1:0 e8d8:0 d1c1:0 d8c8:0 c1b1:0 c8b8:0 b1a1:0 b8a8:0 a2a3:0", 1),
        training_game_of(FEN_START, OPENING "d2d4:0 d7d5:0 e2e3:0 e7e6:0", 1),
    };
    add_shard("A", games, 3);
    ExpandOptions options = options_of(200);
    options.few_men_percent = 20;
    expand_all(&options);
    int few = 0;
    for (size_t i = 0; i < place.record_count; i++)
        few += bitboard_count(place.records[i].occupied) <= EXPAND_FEW_MEN;
    assert_in_range(few, 1, 2);
    /* Nine others: the third game begins like the first. */
    assert_int_equal(place.record_count, 9 + (size_t)few);
    place_release();
}

TEST(one_sided_positions_are_left_out)
{
    place_reset();
    ArchivedGame game =
        training_game_of(FEN_START, OPENING "e2e4:500 e7e5:-501 d2d4:-500", PACKED_WHITE_WON);
    add_shard("A", &game, 1);
    ExpandOptions options = options_of(200);
    options.score_max = 500;
    expand_all(&options);
    assert_int_equal(place.record_count, 2);
    assert_int_equal(place.records[0].score, 500);
    assert_int_equal(place.records[1].score, -500);
    place_release();
}

TEST(cut_shards_are_errors_unless_they_still_grow)
{
    place_reset();
    ArchivedGame games[2] = {
        training_game_of(FEN_START, OPENING "e2e4:100", PACKED_WHITE_WON),
        training_game_of(FEN_START, OPENING "d2d4:100", PACKED_WHITE_WON),
    };
    char growing[PATH_SIZE + 8];
    Error err = { 0 };
    add_shard("A", games, 2);
    assert_int_equal(truncate(place.shards[0], ARCHIVE_HEADER_SIZE + 32 + 4 * 12 + 20), 0);
    ExpandOptions options = options_of(200);
    assert_false(expand(&options, stderr, &err));
    assert_non_null(strstr(err.text, "cut off"));
    assert_int_not_equal(access(place.out, F_OK), 0);
    snprintf(growing, sizeof growing, "%s.part", place.shards[0]);
    assert_int_equal(rename(place.shards[0], growing), 0);
    snprintf(place.shards[0], PATH_SIZE, "%.250s", growing);
    expand_all(&options);
    assert_int_equal(place.record_count, 1);
    place_release();
}

TEST(a_set_without_results_needs_a_k)
{
    place_reset();
    Error err = { 0 };
    ArchivedGame game = training_game_of(FEN_START, OPENING "e2e4:100 e7e5", PACKED_WHITE_WON);
    add_shard("A", &game, 1);
    ExpandOptions options = options_of(0);
    assert_false(expand(&options, stderr, &err));
    assert_non_null(strstr(err.text, "--k"));
    place_release();
}
