/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/train/archive.h"

#include "tests/support/chess.h"

#include <sys/stat.h>
#include <unistd.h>

enum { PATH_SIZE = 512 };

static const ShardHeader header = {
    .seed = 4000,
    .number = 2,
    .nodes = 250,
    .kind = "teacher",
    .labeller = "Stockfish 15.1",
    .network = "nn-ad9b42354671.nnue",
    .generator = "castled test",
    .options = "hash=16",
    .bench = 858555,
};

typedef struct {
    char folder[64];
    char path[PATH_SIZE];
    char part[PATH_SIZE];
} Place;

static void place_init(Place *place)
{
    char name[ARCHIVE_NAME_SIZE];
    Error err = { 0 };
    snprintf(place->folder, sizeof place->folder, "/tmp/castled-archive-XXXXXX");
    assert_non_null(mkdtemp(place->folder));
    assert_true(shard_name(&header, name, &err));
    snprintf(place->path, PATH_SIZE, "%s/%s", place->folder, name);
    snprintf(place->part, PATH_SIZE, "%s/%s.part", place->folder, name);
}

static void place_release(const Place *place)
{
    unlink(place->path);
    unlink(place->part);
    assert_int_equal(rmdir(place->folder), 0);
}

/* A game of the given moves, scored 10, 20, 30, … */
static ArchivedGame game_of(const char *fen, const char *moves, uint8_t result)
{
    ArchivedGame game = { .ply_count = 0 };
    Position pos;
    Undo undo;
    pos = position_of(fen);
    game.start = packed_position_of(&pos);
    game.start.flags |= PACKED_FIRST_OF_GAME;
    game.start.result = result;
    for (const char *at = moves; *at;) {
        size_t len = strcspn(at, " ");
        ArchivedPly *ply = &game.plies[game.ply_count++];
        assert_true(uci_move_match(&pos, at, len, &ply->move, NULL));
        ply->score = (int16_t)(10 * game.ply_count);
        position_make(&pos, ply->move, &undo);
        at += len + (at[len] == ' ');
    }
    return game;
}

static void assert_same_game(const ArchivedGame *a, const ArchivedGame *b)
{
    assert_memory_equal(&a->start, &b->start, sizeof a->start);
    assert_int_equal(a->ply_count, b->ply_count);
    assert_memory_equal(a->plies, b->plies, (size_t)a->ply_count * sizeof *a->plies);
}

static ShardWriter *writer_of(const Place *place)
{
    ShardWriter *writer = NULL;
    Error err = { 0 };
    if (!shard_writer_new(&writer, place->folder, &header, &err))
        fail_msg("%s", err.text);
    return writer;
}

static void put(ShardWriter *writer, const ArchivedGame *game)
{
    Error err = { 0 };
    if (!shard_writer_put(writer, game, &err))
        fail_msg("%s", err.text);
}

static size_t file_read(const char *path, uint8_t *bytes, size_t size)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        fail_msg("%s is missing", path);
    size_t len = fread(bytes, 1, size, file);
    fclose(file);
    return len;
}

static void file_append(const char *path, const void *bytes, size_t size)
{
    FILE *file = fopen(path, "ab");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    fclose(file);
}

static void two_games(ArchivedGame *first, ArchivedGame *second)
{
    *first = game_of(FEN_START, "e2e4 e7e5 g1f3 b8c6 f1c4 g8f6 e1g1", PACKED_DRAWN);
    first->plies[0].score = ARCHIVE_RANDOM_MOVE;
    first->plies[6].score = ARCHIVE_NO_SCORE;
    /* Chess960: the king castles onto its rook's square. */
    *second = game_of("4k3/8/8/8/8/8/8/1R3KR1 w KQ - 0 1", "f1g1 e8e7", PACKED_WHITE_WON);
}

TEST(games_come_back_from_a_shard)
{
    Place place;
    ArchivedGame first, second, read;
    ShardReader reader;
    Error err = { 0 };
    place_init(&place);
    two_games(&first, &second);
    ShardWriter *writer = writer_of(&place);
    put(writer, &first);
    put(writer, &second);
    assert_int_equal(shard_writer_games(writer), 2);
    assert_true(shard_writer_finish(writer, &err));
    shard_writer_free(writer);

    assert_true(shard_reader_init(&reader, place.path, &err));
    assert_memory_equal(&reader.header, &header, sizeof header);
    assert_int_equal(shard_reader_next(&reader, &read, &err), ARCHIVE_GAME);
    assert_same_game(&read, &first);
    assert_int_equal(shard_reader_next(&reader, &read, &err), ARCHIVE_GAME);
    assert_same_game(&read, &second);
    assert_int_equal(shard_reader_next(&reader, &read, &err), ARCHIVE_END);
    shard_reader_release(&reader);
    place_release(&place);
}

TEST(a_shard_goes_on_after_a_kill_inside_a_game)
{
    static uint8_t whole[1000], resumed[1000];
    Place place;
    ArchivedGame first, second;
    place_init(&place);
    two_games(&first, &second);
    ShardWriter *writer = writer_of(&place);
    put(writer, &first);
    put(writer, &second);
    shard_writer_free(writer);
    size_t size = file_read(place.part, whole, sizeof whole);

    /* Any length that the kill may have left, the header's bytes included. */
    for (size_t left = 0; left <= size; left++) {
        assert_int_equal(truncate(place.part, (off_t)left), 0);
        writer = writer_of(&place);
        uint64_t games = shard_writer_games(writer);
        if (games < 1)
            put(writer, &first);
        if (games < 2)
            put(writer, &second);
        shard_writer_free(writer);
        assert_int_equal(file_read(place.part, resumed, sizeof resumed), size);
        assert_memory_equal(resumed, whole, size);
    }
    place_release(&place);
}

TEST(a_finished_shard_that_is_not_full_goes_on)
{
    Place place;
    ArchivedGame first, second;
    ShardReader reader;
    place_init(&place);
    two_games(&first, &second);
    ShardWriter *writer = writer_of(&place);
    put(writer, &first);
    assert_true(shard_writer_finish(writer, NULL));
    shard_writer_free(writer);
    writer = writer_of(&place);
    assert_int_equal(access(place.path, F_OK), 0);
    assert_int_equal(shard_writer_games(writer), 1);
    put(writer, &second);
    assert_int_not_equal(access(place.path, F_OK), 0);
    assert_true(shard_writer_finish(writer, NULL));
    shard_writer_free(writer);
    assert_true(shard_reader_init(&reader, place.path, NULL));
    for (int i = 0; i < 2; i++)
        assert_int_equal(shard_reader_next(&reader, &first, NULL), ARCHIVE_GAME);
    assert_int_equal(shard_reader_next(&reader, &first, NULL), ARCHIVE_END);
    shard_reader_release(&reader);
    place_release(&place);
}

TEST(a_shard_is_full_before_it_passes_its_size)
{
    Place place;
    struct stat status;
    place_init(&place);
    ArchivedGame longest = game_of(FEN_START, "g1f3 g8f6 f3g1 f6g8", PACKED_DRAWN);
    longest.ply_count = ARCHIVE_PLIES_MAX;
    for (int i = 4; i < ARCHIVE_PLIES_MAX; i++)
        longest.plies[i] = longest.plies[i % 4];
    ShardWriter *writer = writer_of(&place);
    while (!shard_writer_is_full(writer))
        put(writer, &longest);
    shard_writer_free(writer);
    assert_int_equal(stat(place.part, &status), 0);
    assert_in_range(status.st_size, ARCHIVE_SHARD_SIZE - 2 * 4 * ARCHIVE_PLIES_MAX,
                    ARCHIVE_SHARD_SIZE);
    place_release(&place);
}

TEST(two_writers_of_one_shard_are_refused)
{
    Place place;
    Error err = { 0 };
    place_init(&place);
    ShardWriter *writer = writer_of(&place), *second = NULL;
    assert_false(shard_writer_new(&second, place.folder, &header, &err));
    assert_non_null(strstr(err.text, "another process writes it"));
    assert_null(second);
    shard_writer_free(writer);
    place_release(&place);
}

TEST(a_file_with_another_header_is_refused)
{
    Place place;
    Error err = { 0 };
    uint8_t other[ARCHIVE_HEADER_SIZE] = { 0 };
    ShardWriter *writer = NULL;
    place_init(&place);
    file_append(place.part, other, sizeof other);
    assert_false(shard_writer_new(&writer, place.folder, &header, &err));
    assert_non_null(strstr(err.text, "another header"));
    place_release(&place);
}

TEST(names_tell_headers_apart)
{
    char name[ARCHIVE_NAME_SIZE], other[ARCHIVE_NAME_SIZE];
    ShardHeader changed = header;
    assert_true(shard_name(&header, name, NULL));
    assert_true(strncmp(name, "teacher-", 8) == 0);
    assert_non_null(strstr(name, "-4000-2.games"));
    changed.nodes = 500;
    assert_true(shard_name(&changed, other, NULL));
    assert_string_not_equal(name, other);
    changed = header;
    snprintf(changed.network, sizeof changed.network, "another");
    assert_true(shard_name(&changed, other, NULL));
    assert_string_not_equal(name, other);
    snprintf(changed.kind, sizeof changed.kind, "../x");
    assert_false(shard_name(&changed, other, NULL));
}

/* Every way in which the bytes of a game can be wrong. */
TEST(bytes_that_are_no_game_are_refused)
{
    static const struct {
        const char *name;
        size_t at;
        uint8_t byte;
        ArchiveStep step;
    } rows[] = {
        { "as written", 27, 0xf2, ARCHIVE_GAME },
        { "occupancy", 0, 0, ARCHIVE_BAD },
        { "a piece", 8, 0xff, ARCHIVE_BAD },
        { "the start's score", 24, 1, ARCHIVE_BAD },
        { "result", 26, 3, ARCHIVE_BAD },
        { "not first of a game", 27, 0xf0, ARCHIVE_BAD },
        { "en passant", 28, 70, ARCHIVE_BAD },
        { "a move of no piece", 32, 0xff, ARCHIVE_BAD },
        { "a score beyond the limit", 35, 0x7e, ARCHIVE_BAD },
        { "a random move", 35, 0x00, ARCHIVE_GAME },
    };
    static uint8_t bytes[1000];
    Place place;
    ArchivedGame first, second, read;
    size_t used = 0;
    place_init(&place);
    two_games(&first, &second);
    first.plies[0].score = 5;
    ShardWriter *writer = writer_of(&place);
    put(writer, &first);
    shard_writer_free(writer);
    size_t size = file_read(place.part, bytes, sizeof bytes) - ARCHIVE_HEADER_SIZE;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint8_t changed[1000];
        Error err = { 0 };
        memcpy(changed, bytes + ARCHIVE_HEADER_SIZE, size);
        changed[rows[i].at] = rows[i].byte;
        ArchiveStep step = archive_game_read(&read, &used, changed, size, &err);
        if (step != rows[i].step)
            fail_msg("%s: step %d, not %d (%s)", rows[i].name, step, rows[i].step, err.text);
        assert_int_equal(error_is_set(&err), step == ARCHIVE_BAD);
    }
    for (size_t len = 1; len < size; len++)
        assert_int_equal(archive_game_read(&read, &used, bytes + ARCHIVE_HEADER_SIZE, len, NULL),
                         ARCHIVE_CUT);
    assert_int_equal(archive_game_read(&read, &used, bytes, 0, NULL), ARCHIVE_END);
    place_release(&place);
}

TEST(a_game_that_never_ends_is_refused)
{
    static uint8_t bytes[sizeof(PackedPosition) + 4 * (ARCHIVE_PLIES_MAX + 2)];
    ArchivedGame game = game_of(FEN_START, "g1f3 g8f6 f3g1 f6g8", PACKED_DRAWN), read;
    Error err = { 0 };
    size_t used;
    memcpy(bytes, &game.start, sizeof game.start);
    for (int i = 0; i < ARCHIVE_PLIES_MAX + 1; i++)
        memcpy(bytes + sizeof game.start + 4 * i, &game.plies[i % 4], 4);
    assert_int_equal(archive_game_read(&read, &used, bytes, sizeof bytes, &err), ARCHIVE_BAD);
}

TEST(headers_that_are_none_are_refused)
{
    static const struct {
        const char *name;
        size_t at;
        uint8_t byte;
    } rows[] = {
        { "magic", 0, 'C' },
        { "version", 8, 1 },
        { "size of the header", 13, 0 },
        { "kind with a slash", 33, '/' },
        { "an unprintable labeller", 49, 1 },
        { "a labeller that never ends", 95, 'x' },
        { "zeros that are none", 255, 1 },
    };
    uint8_t bytes[ARCHIVE_HEADER_SIZE];
    ShardHeader read;
    Place place;
    place_init(&place);
    shard_writer_free(writer_of(&place));
    assert_int_equal(file_read(place.part, bytes, sizeof bytes), sizeof bytes);
    assert_true(shard_header_read(&read, bytes, sizeof bytes, NULL));
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint8_t changed[ARCHIVE_HEADER_SIZE];
        Error err = { 0 };
        memcpy(changed, bytes, sizeof changed);
        changed[rows[i].at] = rows[i].byte;
        if (shard_header_read(&read, changed, sizeof changed, &err))
            fail_msg("%s was read", rows[i].name);
        assert_true(error_is_set(&err));
    }
    assert_false(shard_header_read(&read, bytes, sizeof bytes - 1, NULL));
    place_release(&place);
}
