/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which files a command means, told by changing them. */
#include "bot/source/external_file.h"
#include "tests/support/unit.h"

#include <stdlib.h>
#include <unistd.h>

enum { SCRIPT = 1, NETWORK = 3 }; /* words of the command */

typedef struct {
    char folder[64];
    ExternalConfig config;
} Room;

static void write_file(const Room *room, const char *name, const char *text)
{
    char path[128];
    assert_true(snprintf(path, sizeof path, "%s/%s", room->folder, name) > 0);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

/* An interpreter, with a script by its whole path and a network in the engine's own folder. */
static void enter(Room *room)
{
    *room = (Room){ .folder = "/tmp/castled-files-XXXXXX" };
    assert_non_null(mkdtemp(room->folder));
    external_config_init(&room->config, "fake", 1);
    write_file(room, "engine.py", "print()\n");
    write_file(room, "net", "weights");
    assert_true(snprintf(room->config.command, sizeof room->config.command,
                         "/bin/sh %s/engine.py -w net missing %s 1", room->folder,
                         room->folder) > 0);
    assert_true(
        snprintf(room->config.directory, sizeof room->config.directory, "%s", room->folder) > 0);
}

static void leave(const Room *room)
{
    char path[128];
    static const char *const names[] = { "engine.py", "net", "missing" };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        assert_true(snprintf(path, sizeof path, "%s/%s", room->folder, names[i]) > 0);
        unlink(path);
    }
    assert_int_equal(rmdir(room->folder), 0);
}

static void look(const Room *room, ExternalFile *out)
{
    external_file_look(out, &room->config, 0);
    int held = external_file_hold(out, &room->config);
    assert_true(held >= 0);
    close(held);
}

TEST(arguments_that_name_files_belong_to_a_version)
{
    static const struct {
        const char *name, *text;
        uint32_t differing;
    } rows[] = {
        { "engine.py", "print(1)\n", 1U << SCRIPT },
        { "net", "other weights", 1U << NETWORK },
        { "missing", "there now", 1U << (NETWORK + 1) },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Room room;
        ExternalFile before, same, after;
        enter(&room);
        look(&room, &before);
        look(&room, &same);
        assert_true(external_file_is_same(&before, &same));
        assert_string_equal(before.hash, same.hash);
        write_file(&room, rows[i].name, rows[i].text);
        look(&room, &after);
        if (external_file_differing(&before, &after) != rows[i].differing ||
            strcmp(before.hash, after.hash) == 0)
            fail_msg("%s: words %#x differ, hash %s was %s", rows[i].name,
                     external_file_differing(&before, &after), after.hash, before.hash);
        assert_false(external_file_is_same(&before, &after));
        assert_true(external_file_is_in_place(&before)); /* the program is */
        leave(&room);
    }
}

TEST(what_is_left_out_counts_for_nothing)
{
    Room room;
    ExternalFile before, without, after;
    enter(&room);
    look(&room, &before);
    external_file_look(&without, &room.config, 1U << SCRIPT);
    assert_true(external_file_is_same(&before, &without));
    write_file(&room, "engine.py", "print(1)\n");
    external_file_look(&after, &room.config, 1U << SCRIPT);
    assert_true(external_file_is_same(&without, &after));
    int held = external_file_hold(&after, &room.config);
    assert_true(held >= 0);
    close(held);
    assert_string_not_equal(after.hash, before.hash); /* the script is not in it */
    write_file(&room, "net", "other weights");
    external_file_look(&after, &room.config, 1U << SCRIPT);
    assert_int_equal(external_file_differing(&without, &after), 1U << NETWORK);
    leave(&room);
}

TEST(the_hash_of_a_program_alone_is_that_of_sha256sum)
{
    Room room;
    ExternalFile file;
    enter(&room);
    assert_true(
        snprintf(room.config.command, sizeof room.config.command, "%s/engine.py", room.folder) > 0);
    assert_int_equal(chmod(room.config.command, 0755), 0);
    look(&room, &file);
    assert_string_equal(file.hash, "d8594fa1268e");
    leave(&room);
}
