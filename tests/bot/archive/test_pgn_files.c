/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/archive/pgn_files.h"
#include "tests/support/unit.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct {
    uv_loop_t loop;
    PgnFiles *files;
    char folder[32], directory[64];
} Room;

static void set_up(Room *room)
{
    memset(room, 0, sizeof *room);
    (void)snprintf(room->folder, sizeof room->folder, "/tmp/test_pgn_files.XXXXXX");
    assert_non_null(mkdtemp(room->folder));
    (void)snprintf(room->directory, sizeof room->directory, "%s/a/pgn", room->folder);
    assert_int_equal(uv_loop_init(&room->loop), 0);
    assert_true(pgn_files_new(&room->files, &room->loop, room->directory, "https://lichess.org",
                              NULL, NULL));
}

static void close_files(Room *room)
{
    pgn_files_close(room->files);
    uv_run(&room->loop, UV_RUN_DEFAULT);
    assert_int_equal(uv_loop_close(&room->loop), 0);
}

static void remove_folder(const Room *room)
{
    char command[64];
    (void)snprintf(command, sizeof command, "rm -r %s", room->folder);
    assert_int_equal(system(command), 0); // NOLINT(cert-env33-c): its own folder
}

static void add(Room *room, const char *id)
{
    GameRecord record;
    record_init(&record);
    (void)snprintf(record.id, sizeof record.id, "%s", id);
    record.variant = VARIANT_STANDARD;
    record.us = WHITE;
    record.created_at_ms = 1763913600000; /* 2025-11-23 16:00 UTC */
    (void)snprintf(record.players[WHITE].name, sizeof record.players[WHITE].name, "Alba");
    record_end(&record, STATUS_RESIGN, WHITE, 1763913660000);
    pgn_files_add(room->files, &record);
    record_release(&record);
}

/* The text of a game's file; "" where there is none. */
static const char *text_of_file(const Room *room, const char *name, char text[4096])
{
    char path[128];
    (void)snprintf(path, sizeof path, "%s/%s", room->directory, name);
    FILE *file = fopen(path, "r");
    size_t len = file ? fread(text, 1, 4095, file) : 0;
    text[len] = '\0';
    if (file)
        assert_int_equal(fclose(file), 0);
    return text;
}

static int count_files(const Room *room)
{
    int count = 0;
    DIR *directory = opendir(room->directory);
    for (struct dirent *entry; directory && (entry = readdir(directory));)
        count += entry->d_name[0] != '.';
    if (directory)
        assert_int_equal(closedir(directory), 0);
    return count;
}

TEST(each_game_becomes_a_file_of_its_own)
{
    Room room;
    char text[4096];
    set_up(&room);
    add(&room, "abcd1234");
    add(&room, "efgh5678");
    add(&room, ""); /* nothing was read of it */
    close_files(&room);
    assert_int_equal(count_files(&room), 2);
    assert_non_null(
        strstr(text_of_file(&room, "2025-11-23-abcd1234.pgn", text), "[White \"Alba\"]"));
    assert_non_null(strstr(text, "abcd1234"));
    assert_non_null(strstr(text_of_file(&room, "2025-11-23-efgh5678.pgn", text), "1-0"));
    remove_folder(&room);
}

TEST(a_folder_that_comes_late_gets_all_games)
{
    Room room;
    char blocked[64];
    set_up(&room);
    (void)snprintf(blocked, sizeof blocked, "%s/a", room.folder);
    FILE *file = fopen(blocked, "w"); /* where the folder is to be */
    assert_non_null(file);
    assert_int_equal(fclose(file), 0);
    add(&room, "abcd1234");
    for (int i = 0; i < 1000 && uv_loop_alive(&room.loop); i++) {
        uv_run(&room.loop, UV_RUN_NOWAIT);
        (void)usleep(1000);
    }
    assert_int_equal(count_files(&room), 0);
    add(&room, "efgh5678");
    assert_int_equal(unlink(blocked), 0);
    close_files(&room);
    assert_int_equal(count_files(&room), 2);
    remove_folder(&room);
}

TEST(an_end_without_a_disk_leaves_nothing_behind)
{
    Room room;
    char blocked[64];
    set_up(&room);
    (void)snprintf(blocked, sizeof blocked, "%s/a", room.folder);
    FILE *file = fopen(blocked, "w");
    assert_non_null(file);
    assert_int_equal(fclose(file), 0);
    for (int i = 0; i < PGN_FILES_WAITING + 10; i++)
        add(&room, "abcd1234"); /* the oldest give way */
    close_files(&room);
    assert_int_equal(count_files(&room), 0);
    remove_folder(&room);
}

TEST(without_a_folder_nothing_is_kept)
{
    GameRecord record;
    record_init(&record);
    pgn_files_add(NULL, &record);
    pgn_files_close(NULL);
    record_release(&record);
}
