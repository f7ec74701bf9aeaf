/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/source/transcript_writer.h"
#include "engine/base/clock.h"
#include "tests/support/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utime.h>

enum { LINES = 20000, COST_MAX_US = 20 };

/* A folder of its own, and a game in it. */
typedef struct {
    uv_loop_t loop;
    char folder[64], head[200], tail[220], old[240];
    TranscriptWriter *writer;
} Room;

static void name_paths(Room *room)
{
    assert_true(
        transcript_path(room->head, sizeof room->head, room->folder, "Qw8rTy2u", "my engine"));
    assert_in_range(snprintf(room->tail, sizeof room->tail, "%s.tail", room->head), 1, 219);
    assert_in_range(snprintf(room->old, sizeof room->old, "%s.old", room->tail), 1, 239);
}

static void open_writer(Room *room)
{
    const TranscriptGame game = { .folder = room->folder,
                                  .game = "Qw8rTy2u",
                                  .engine = "my engine",
                                  .variant = "standard",
                                  .days = 30 };
    assert_true(transcript_writer_new(&room->writer, &room->loop, &game, NULL));
}

static void set_up(Room *room)
{
    *room = (Room){ .folder = "/tmp/castled-transcript-XXXXXX" };
    assert_non_null(mkdtemp(room->folder));
    assert_int_equal(uv_loop_init(&room->loop), 0);
    name_paths(room);
    open_writer(room);
}

static void close_writer(Room *room)
{
    transcript_writer_close(room->writer);
    assert_int_equal(uv_run(&room->loop, UV_RUN_DEFAULT), 0);
}

static void tear_down(Room *room)
{
    unlink(room->head);
    unlink(room->tail);
    unlink(room->old);
    assert_int_equal(rmdir(room->folder), 0);
    assert_int_equal(uv_loop_close(&room->loop), 0);
}

/* To be freed. */
static char *read_file(const char *path)
{
    Buf text;
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    buf_init(&text, 2 * TRANSCRIPT_BYTES_MAX);
    assert_true(buf_read(&text, file, NULL));
    fclose(file);
    char *taken = buf_take(&text);
    assert_non_null(taken);
    return taken;
}

static size_t size_of(const char *path)
{
    struct stat facts;
    return stat(path, &facts) == 0 ? (size_t)facts.st_size : 0;
}

TEST(a_conversation_is_kept_for_its_owner_only)
{
    Room room;
    struct stat facts;
    set_up(&room);
    transcript_writer_put(room.writer, TRANSCRIPT_TOLD, text_of("position startpos\nisready\n"));
    transcript_writer_put(room.writer, TRANSCRIPT_HEARD, text_of("readyok"));
    close_writer(&room);
    char *text = read_file(room.head);
    assert_non_null(strstr(text, "# game Qw8rTy2u\n"));
    assert_non_null(strstr(text, "# engine my engine\n"));
    assert_non_null(strstr(text, " > position startpos\n"));
    assert_non_null(strstr(text, " > isready\n"));
    assert_non_null(strstr(text, " < readyok\n"));
    free(text);
    assert_int_equal(stat(room.head, &facts), 0);
    assert_int_equal(facts.st_mode & 0777, 0600);
    tear_down(&room);
}

TEST(a_restart_appends)
{
    Room room;
    set_up(&room);
    transcript_writer_put(room.writer, TRANSCRIPT_TOLD, text_of("first"));
    close_writer(&room);
    open_writer(&room);
    transcript_writer_put(room.writer, TRANSCRIPT_TOLD, text_of("second"));
    close_writer(&room);
    char *text = read_file(room.head);
    assert_non_null(strstr(strstr(text, "> first"), "> second"));
    free(text);
    tear_down(&room);
}

TEST(head_and_tail_of_too_much_are_kept)
{
    Room room;
    char line[200];
    set_up(&room);
    for (int i = 0; i < LINES; i++) {
        int len = snprintf(line, sizeof line, "position number %d %0100d", i, 0);
        transcript_writer_put(room.writer, TRANSCRIPT_TOLD, (Text){ line, (size_t)len });
        if (i % 1500 == 0) /* as time passes */
            for (int64_t end = clock_now_ms() + 230; clock_now_ms() < end; usleep(1000))
                uv_run(&room.loop, UV_RUN_NOWAIT);
    }
    close_writer(&room);
    assert_in_range(size_of(room.head), TRANSCRIPT_HEAD_MAX / 2, TRANSCRIPT_HEAD_MAX);
    assert_in_range(size_of(room.tail), 1, TRANSCRIPT_TAIL_MAX);
    assert_in_range(size_of(room.old), 1, TRANSCRIPT_TAIL_MAX);
    char *head = read_file(room.head), *tail = read_file(room.tail);
    assert_non_null(strstr(head, "number 0 "));
    assert_non_null(strstr(tail, "number 19999 "));
    free(head);
    free(tail);
    tear_down(&room);
}

TEST(chatter_is_thinned_to_its_beginning_and_its_end)
{
    Room room;
    char line[60];
    int lines = 0;
    set_up(&room);
    transcript_writer_put(room.writer, TRANSCRIPT_TOLD, text_of("go depth 9"));
    for (int i = 1; i <= 1000; i++) {
        int len = snprintf(line, sizeof line, "info depth 9 nodes %d", i);
        transcript_writer_put(room.writer, TRANSCRIPT_HEARD, (Text){ line, (size_t)len });
    }
    transcript_writer_put(room.writer, TRANSCRIPT_HEARD, text_of("bestmove e2e4"));
    close_writer(&room);
    char *text = read_file(room.head);
    for (const char *at = text; (at = strstr(at, "< info")); at++)
        lines++;
    assert_in_range(lines, 17, 60); /* one more for each tenth of a second that this took */
    assert_non_null(strstr(text, "nodes 1\n"));
    assert_non_null(strstr(text, "nodes 1000\n"));
    assert_non_null(strstr(text, "# left out "));
    assert_non_null(strstr(text, "bestmove e2e4\n"));
    free(text);
    tear_down(&room);
}

TEST(the_latest_lines_are_at_hand)
{
    Room room;
    const char *lines[TRANSCRIPT_RECENT_LINES];
    char line[60];
    set_up(&room);
    assert_int_equal(transcript_writer_recent(room.writer, TRANSCRIPT_ERROR, lines), 0);
    for (int i = 1; i <= 95; i++) {
        int len = snprintf(line, sizeof line, "oh %d\x1b", i);
        transcript_writer_put(room.writer, TRANSCRIPT_ERROR, (Text){ line, (size_t)len });
    }
    assert_int_equal(transcript_writer_recent(room.writer, TRANSCRIPT_ERROR, lines), 20);
    assert_string_equal(lines[0], "oh 76\\u001b");
    assert_string_equal(lines[19], "oh 95\\u001b");
    assert_int_equal(transcript_writer_recent(room.writer, TRANSCRIPT_HEARD, lines), 0);
    close_writer(&room);
    tear_down(&room);
}

TEST(files_of_a_month_ago_are_removed)
{
    Room room;
    char other[120], kept[120];
    set_up(&room);
    assert_in_range(snprintf(other, sizeof other, "%s/Old12345.x.uci", room.folder), 1, 119);
    assert_in_range(snprintf(kept, sizeof kept, "%s/notes", room.folder), 1, 119);
    const struct utimbuf long_ago = { time(NULL) - 31 * 86400, time(NULL) - 31 * 86400 };
    for (int i = 0; i < 2; i++) {
        FILE *file = fopen(i == 0 ? other : kept, "w");
        assert_non_null(file);
        fclose(file);
        assert_int_equal(utime(i == 0 ? other : kept, &long_ago), 0);
    }
    close_writer(&room);
    assert_int_not_equal(access(other, F_OK), 0);
    assert_int_equal(access(kept, F_OK), 0); /* no transcript */
    unlink(kept);
    tear_down(&room);
}

/* The loop's own time: most of a line is a copy. */
TEST(a_line_costs_little)
{
    Room room;
    static const char line[] = "info depth 22 seldepth 31 multipv 1 score cp 27 nodes 1834234 nps "
                               "1200341 hashfull 320 tbhits 0 time 1528 pv e2e4 e7e5 g1f3 b8c6";
    set_up(&room);
    clock_t begun = clock();
    for (int i = 0; i < LINES; i++)
        transcript_writer_put(room.writer, i % 2 ? TRANSCRIPT_HEARD : TRANSCRIPT_TOLD,
                              text_of(line));
    double us = (double)(clock() - begun) * 1e6 / CLOCKS_PER_SEC / LINES;
    print_message("%.2f us a line\n", us);
    assert_true(us < COST_MAX_US);
    close_writer(&room);
    tear_down(&room);
}

TEST(without_a_folder_nothing_is_written)
{
    Room room = { .folder = "/tmp" };
    const TranscriptGame game = {
        .folder = "", .game = "Qw8rTy2u", .engine = "e", .variant = "standard", .days = 30
    };
    assert_int_equal(uv_loop_init(&room.loop), 0);
    assert_true(transcript_writer_new(&room.writer, &room.loop, &game, NULL));
    transcript_writer_put(room.writer, TRANSCRIPT_TOLD, text_of("uci"));
    close_writer(&room);
    assert_int_equal(uv_loop_close(&room.loop), 0);
}
