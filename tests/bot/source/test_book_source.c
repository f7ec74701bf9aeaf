/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/source/book_source.h"
#include "bot/config/config.h"
#include "tests/support/chess.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct {
    uint8_t bytes[64 * 16];
    size_t size;
} Shelf;

typedef struct {
    uv_loop_t loop;
    Source *source;
    SourceHandle *handle;
    Position position;
    BookStats book_stats;
    int answers;
    MoveChoice last;
    char folder[32];
    char files[256]; /* as [book] files has them */
} Room;

/* Entries come in the order of keys; one position a shelf is enough here. */
static void add(Shelf *shelf, const Position *pos, const char *uci, unsigned weight)
{
    uint8_t *at = shelf->bytes + shelf->size;
    Move move = move_of(pos, uci) & 0xfff;
    for (int i = 0; i < 8; i++)
        at[i] = (uint8_t)(pos->key >> (56 - 8 * i));
    at[8] = (uint8_t)(move >> 8);
    at[9] = (uint8_t)move;
    at[10] = (uint8_t)(weight >> 8);
    at[11] = (uint8_t)weight;
    shelf->size += 16;
}

static void on_move_found(void *user, const MoveChoice *choice)
{
    Room *room = user;
    room->answers++;
    room->last = *choice;
}

/* Writes a book into the room's folder; its path lies in `path`. */
static void put_book(const Room *room, const Shelf *shelf, const char *name, char path[64])
{
    (void)snprintf(path, 64, "%s/%s", room->folder, name);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(shelf->bytes, 1, shelf->size, file), shelf->size);
    assert_int_equal(fclose(file), 0);
}

/* The shelves' books, which the configuration names in their order. */
static void set_up(Room *room, const Shelf *shelves, size_t count)
{
    memset(room, 0, sizeof *room);
    (void)snprintf(room->folder, sizeof room->folder, "/tmp/test_book_source.XXXXXX");
    assert_non_null(mkdtemp(room->folder));
    for (size_t i = 0; i < count; i++) {
        char name[32], path[64];
        (void)snprintf(name, sizeof name, "%zu.bin", i);
        put_book(room, &shelves[i], name, path);
        (void)strcat(strcat(room->files, i > 0 ? ":" : ""), path);
    }
    char text[320];
    Config config;
    Buf problems;
    buf_init(&problems, CONFIG_PROBLEMS_MAX);
    int len = snprintf(text, sizeof text, "[book]\nfiles = %s\n", room->files);
    assert_true(config_parse(&config, "test", text, (size_t)len, &problems));
    buf_release(&problems);
    BookSourceOptions options = { .book_stats = &room->book_stats, .seed = 1 };
    assert_int_equal(uv_loop_init(&room->loop), 0);
    assert_true(books_new(&options.books, &room->loop, NULL, NULL));
    books_open(options.books, &config);
    config_release(&config);
    assert_true(book_source_new(&room->source, &room->loop, &options, NULL));
    room->handle = source_handle_new(room->source, on_move_found, room, NULL);
    assert_non_null(room->handle);
    room->position = position_of(FEN_START);
}

static void tear_down(Room *room)
{
    source_handle_free(room->handle);
    source_close(room->source, NULL, NULL);
    uv_run(&room->loop, UV_RUN_DEFAULT);
    assert_int_equal(uv_loop_close(&room->loop), 0);
    book_stats_release(&room->book_stats);
    char command[64];
    (void)snprintf(command, sizeof command, "rm -r %s", room->folder);
    assert_int_equal(system(command),
                     0); // NOLINT(cert-env33-c,bugprone-command-processor): its own folder
}

static Move ask(Room *room, const BookRequest *book)
{
    int before = room->answers;
    MoveRequest request = {
        .version = 7, .variant = VARIANT_STANDARD, .position = &room->position, .book = *book
    };
    if (!request.book.files)
        request.book.files = room->files;
    source_search(room->handle, &request);
    assert_int_equal(room->answers, before); /* never from inside a call */
    uv_run(&room->loop, UV_RUN_NOWAIT);
    assert_int_equal(room->answers, before + 1);
    assert_int_equal(room->last.version, 7);
    assert_int_equal(room->last.depth, 0);
    assert_int_equal(room->last.is_book, room->last.move != MOVE_NONE);
    if (room->last.is_book)
        assert_string_equal(room->last.source, "book");
    return room->last.move;
}

static const BookRequest best = { .is_used = true, .rules = { .pick = BOOK_BEST } };

TEST(the_first_book_with_a_move_is_followed)
{
    Room room;
    Shelf shelves[3] = { 0 };
    Position start, other;
    start = position_of(FEN_START);
    other = start;
    play(&other, "a2a3");
    add(&shelves[0], &other, "e7e5", 9);
    add(&shelves[1], &start, "e2e4", 2);
    add(&shelves[1], &start, "d2d4", 5);
    add(&shelves[2], &start, "c2c4", 9);
    set_up(&room, shelves, 3);
    assert_int_equal(ask(&room, &best), move_of(&start, "d2d4"));
    play(&room.position, "h2h3");
    assert_int_equal(ask(&room, &best), MOVE_NONE); /* an answer as well */
    tear_down(&room);
}

TEST(a_request_says_whether_and_how)
{
    Room room;
    Shelf shelf = { 0 };
    Position start = position_of(FEN_START);
    add(&shelf, &start, "e2e4", 3);
    set_up(&room, &shelf, 1);
    BookRequest request = best;
    request.is_used = false;
    assert_int_equal(ask(&room, &request), MOVE_NONE);
    request = best;
    request.rules.min_weight = 4;
    assert_int_equal(ask(&room, &request), MOVE_NONE);
    request = best;
    request.rules.max_plies = 1;
    assert_int_equal(ask(&room, &request), move_of(&start, "e2e4"));
    static const char *const shuffle[] = { "g1f3", "g8f6", "f3g1", "f6g8" };
    for (int i = 0; i < 4; i++)
        play(&room.position, shuffle[i]);
    assert_int_equal(ask(&room, &request), MOVE_NONE); /* the fifth ply of this game */
    assert_int_equal(ask(&room, &best), move_of(&start, "e2e4"));
    tear_down(&room);
}

TEST(no_position_comes_back_unless_asked)
{
    Room room;
    Shelf shelf = { 0 };
    set_up(&room, &shelf, 0);
    tear_down(&room);
    Position position = position_of(FEN_START);
    static const char *const shuffle[] = { "g1f3", "g8f6", "f3g1" };
    for (int i = 0; i < 3; i++)
        play(&position, shuffle[i]);
    add(&shelf, &position, "f6g8", 9);
    add(&shelf, &position, "d7d5", 1);
    set_up(&room, &shelf, 1);
    room.position = position;
    assert_int_equal(ask(&room, &best), move_of(&position, "d7d5"));
    BookRequest request = best;
    request.may_repeat = true;
    assert_int_equal(ask(&room, &request), move_of(&position, "f6g8"));
    tear_down(&room);
}

TEST(a_new_request_replaces_the_old_one_and_a_freed_handle_is_silent)
{
    Room room;
    Shelf shelf = { 0 };
    Position start = position_of(FEN_START);
    add(&shelf, &start, "e2e4", 3);
    set_up(&room, &shelf, 1);
    MoveRequest request = {
        .version = 1, .variant = VARIANT_STANDARD, .position = &room.position, .book = best
    };
    request.book.files = room.files;
    source_search(room.handle, &request);
    request.version = 2;
    source_search(room.handle, &request);
    source_stop(room.handle);
    uv_run(&room.loop, UV_RUN_NOWAIT);
    assert_int_equal(room.answers, 1);
    assert_int_equal(room.last.version, 2);
    source_search(room.handle, &request);
    tear_down(&room); /* with the answer on its way */
    assert_int_equal(room.answers, 1);
}

TEST(a_game_takes_as_many_book_moves_as_it_may)
{
    Room room;
    Shelf shelf = { 0 };
    Position start = position_of(FEN_START);
    BookRequest request = best;
    request.max_moves = 2;
    add(&shelf, &start, "g1f3", 3);
    set_up(&room, &shelf, 1);
    for (int i = 0; i < 3; i++) /* asked again for the same ply it is one move */
        assert_int_equal(ask(&room, &request), move_of(&start, "g1f3"));
    static const char *const shuffle[] = { "g1f3", "g8f6", "f3g1", "f6g8" };
    for (int i = 0; i < 4; i++)
        play(&room.position, shuffle[i]);
    request.may_repeat = true;
    assert_int_equal(ask(&room, &request), move_of(&start, "g1f3"));
    for (int i = 0; i < 4; i++)
        play(&room.position, shuffle[i]);
    assert_int_equal(ask(&room, &request), MOVE_NONE);
    tear_down(&room);
}

TEST(a_request_names_its_books_and_their_variants)
{
    Room room;
    Shelf shelf = { 0 };
    char path[64], files[300];
    Position start = position_of(FEN_START);
    BookRequest request = best;
    add(&shelf, &start, "e2e4", 3);
    set_up(&room, &shelf, 1);
    put_book(&room, &shelf, "later.bin", path);
    request.files = "";
    assert_int_equal(ask(&room, &request), MOVE_NONE);
    (void)snprintf(files, sizeof files, "atomic=%s", room.files);
    request.files = files;
    assert_int_equal(ask(&room, &request), MOVE_NONE); /* it is not atomic that is played */
    (void)snprintf(files, sizeof files, "standard=%s", room.files);
    assert_int_equal(ask(&room, &request), move_of(&start, "e2e4"));
    request.files = path; /* which nobody named before: opened beside the game */
    assert_int_equal(ask(&room, &request), MOVE_NONE);
    for (int i = 0; i < 1000 && ask(&room, &request) == MOVE_NONE; i++)
        (void)usleep(10000);
    assert_int_equal(ask(&room, &request), move_of(&start, "e2e4"));
    request.files = "/nonexistent/a.bin";
    assert_int_equal(ask(&room, &request), MOVE_NONE);
    tear_down(&room); /* while it is tried */
}

static void teach(Room *room, const char *uci, Results results)
{
    assert_true(book_stats_add(&room->book_stats, room->position.key, move_of(&room->position, uci),
                               &results));
}

static int times_played(Room *room, const BookRequest *book, const char *uci, int times)
{
    int played = 0;
    for (int i = 0; i < times; i++)
        played += ask(room, book) == move_of(&room->position, uci);
    return played;
}

TEST(a_move_that_lost_its_games_is_played_less)
{
    enum { TIMES = 1000 };
    Room room;
    Shelf shelf = { 0 };
    Position start;
    BookRequest weighted = { .is_used = true, .learns = true, .rules = { .pick = BOOK_WEIGHTED } };
    start = position_of(FEN_START);
    add(&shelf, &start, "e2e4", 6);
    add(&shelf, &start, "d2d4", 5);
    set_up(&room, &shelf, 1);
    int before = times_played(&room, &weighted, "e2e4", TIMES);
    assert_in_range(before, 500, 590); /* 6 of 11 */
    BookRequest learned_best = best;
    learned_best.learns = true;
    assert_int_equal(ask(&room, &learned_best), move_of(&start, "e2e4"));
    teach(&room, "e2e4", (Results){ .lost = 20 });
    teach(&room, "d2d4", (Results){ .won = 5, .drawn = 10, .lost = 5 });
    int after = times_played(&room, &weighted, "e2e4", TIMES);
    assert_in_range(after, 100, 300); /* it still has its chance */
    assert_int_equal(ask(&room, &learned_best), move_of(&start, "d2d4"));
    weighted.learns = false; /* a request without learning changes nothing */
    assert_in_range(times_played(&room, &weighted, "e2e4", TIMES), 500, 590);
    assert_int_equal(ask(&room, &best), move_of(&start, "e2e4"));
    tear_down(&room);
}
