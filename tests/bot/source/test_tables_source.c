/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/source/tables_source.h"
#include "tests/support/chess.h"

#include <string.h>
#include <unistd.h>

#define SYZYGY_DIR SUITES_DIR "/syzygy"

typedef struct {
    uv_loop_t loop;
    Source *source;
    SourceHandle *handle;
    Position position;
    int answers;
    MoveChoice last;
    MoveList candidates;
} Room;

static void on_move_found(void *user, const MoveChoice *choice)
{
    Room *room = user;
    room->answers++;
    room->last = *choice;
    room->candidates = choice->candidates ? *choice->candidates : (MoveList){ .count = 0 };
}

/* False without tables on this machine. */
static bool set_up(Room *room)
{
    memset(room, 0, sizeof *room);
    Tablebase *tables;
    if (!tablebase_open(&tables, SYZYGY_DIR, NULL))
        return false;
    assert_int_equal(uv_loop_init(&room->loop), 0);
    assert_true(tables_source_new(&room->source, &room->loop, tables, NULL));
    room->handle = source_handle_new(room->source, on_move_found, room, NULL);
    assert_non_null(room->handle);
    return true;
}

static void tear_down(Room *room)
{
    source_handle_free(room->handle);
    source_close(room->source, NULL, NULL);
    uv_run(&room->loop, UV_RUN_DEFAULT);
    assert_int_equal(uv_loop_close(&room->loop), 0);
}

static void search(Room *room, const char *fen, LocalTables use)
{
    room->position = position_of(fen);
    MoveRequest request = {
        .version = 7, .position = &room->position, .engines = "all", .tables = use
    };
    source_search(room->handle, &request);
}

/* The move; MOVE_NONE too is an answer. */
static Move ask(Room *room, const char *fen, LocalTables use)
{
    int before = room->answers;
    search(room, fen, use);
    assert_int_equal(room->answers, before); /* never from inside a call */
    while (room->answers == before)
        uv_run(&room->loop, UV_RUN_ONCE);
    assert_int_equal(room->answers, before + 1);
    assert_int_equal(room->last.version, 7);
    return room->last.move;
}

TEST(the_moves_that_hold_the_result_are_given)
{
    Room room;
    if (!set_up(&room))
        skip();
    /* The pawn queens only with the king before it: any other move draws. */
    (void)ask(&room, "4k3/8/4K3/4P3/8/8/8/8 w - - 0 1", LOCAL_TABLES_SUGGEST);
    assert_int_equal(room.last.tablebase_verdict, TABLEBASE_VERDICT_WIN);
    assert_int_not_equal(room.last.move, MOVE_NONE);
    (void)ask(&room, "8/8/8/8/8/4k3/4p3/4K3 w - - 0 1", LOCAL_TABLES_SUGGEST);
    assert_int_equal(room.last.move, MOVE_NONE); /* stalemate */
    tear_down(&room);
}

TEST(the_best_move_comes_alone)
{
    Room room;
    if (!set_up(&room))
        skip();
    Move best = ask(&room, "7k/8/5KQ1/8/8/8/8/8 w - - 0 1", LOCAL_TABLES_BEST);
    assert_int_equal(best, move_of(&room.position, "g6g7")); /* mate */
    assert_int_equal(room.candidates.count, 0);
    assert_int_equal(ask(&room, "7k/8/5KQ1/8/8/8/8/8 w - - 0 1", LOCAL_TABLES_SUGGEST), best);
    assert_true(room.candidates.count > 1); /* other moves win as well */
    for (int i = 0; i < room.candidates.count; i++)
        assert_int_not_equal(room.candidates.moves[i], move_of(&room.position, "g6f7"));
    tear_down(&room);
}

TEST(positions_that_no_table_holds_are_left_to_the_engine)
{
    Room room;
    if (!set_up(&room))
        skip();
    assert_int_equal(ask(&room, FEN_START, LOCAL_TABLES_BEST), MOVE_NONE);
    assert_int_equal(ask(&room, "4k3/8/8/8/8/8/8/4K2R w K - 0 1", LOCAL_TABLES_BEST), MOVE_NONE);
    tear_down(&room);
}

TEST(a_later_request_and_an_end_leave_a_lookup_behind)
{
    Room room;
    if (!set_up(&room))
        skip();
    search(&room, "7k/8/5KQ1/8/8/8/8/8 w - - 0 1", LOCAL_TABLES_BEST);
    (void)ask(&room, FEN_START, LOCAL_TABLES_BEST);
    assert_int_equal(room.last.move, MOVE_NONE); /* the later one's */
    search(&room, "7k/8/5KQ1/8/8/8/8/8 w - - 0 1", LOCAL_TABLES_BEST);
    tear_down(&room); /* while it runs */
    assert_int_equal(room.answers, 1);
}

TEST(tables_are_for_external_engines)
{
    assert_true(tables_are_wanted(&(MoveRequest){ .engines = "all" }));
    assert_false(tables_are_wanted(&(MoveRequest){ .engines = "none" }));
    assert_false(
        tables_are_wanted(&(MoveRequest){ .engines = "all", .tables = LOCAL_TABLES_UNUSED }));
}
