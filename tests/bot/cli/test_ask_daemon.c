/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/cli/ask_daemon.h"
#include "tests/support/unit.h"

#include <sys/stat.h>
#include <unistd.h>

/* Each test has a folder, and no daemon anywhere. */
typedef struct {
    char top[64], run[80], file[80];
} Room;

static int make_room(void **state)
{
    Room *room = calloc(1, sizeof *room);
    memcpy(room->top, "/tmp/castled-ask-XXXXXX", sizeof "/tmp/castled-ask-XXXXXX");
    if (!mkdtemp(room->top) || chmod(room->top, 0755) != 0 ||
        snprintf(room->run, sizeof room->run, "%s/run", room->top) < 0 ||
        snprintf(room->file, sizeof room->file, "%s/castled.conf", room->top) < 0 ||
        mkdir(room->run, 0700) != 0)
        return -1;
    *state = room;
    return setenv("STATE_DIRECTORY", room->top, 1) | setenv("RUNTIME_DIRECTORY", room->run, 1) |
           setenv("XDG_CONFIG_HOME", room->top, 1) | unsetenv("XDG_RUNTIME_DIR");
}

static int drop_room(void **state)
{
    Room *room = *state;
    (void)!remove(room->file);
    (void)!remove(room->run);
    (void)!remove(room->top);
    free(room);
    return 0;
}

static void write_file(const Room *room, const char *text)
{
    FILE *file = fopen(room->file, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

TEST_IN(a_socket_in_a_folder_that_is_closed_to_us_is_told_of, make_room, drop_room)
{
    const Room *room = *state;
    const Config config = { 0 };
    Error err = { 0 };
    char *answer, expected[160];
    bool is_root = geteuid() == 0;
    if (is_root)
        assert_int_equal(seteuid(65534), 0);
    else
        assert_int_equal(chmod(room->run, 0), 0);
    bool ok = ask_daemon_quietly(&config, "status", 1000, &answer, &err);
    if (is_root)
        assert_int_equal(seteuid(0), 0);
    assert_false(ok);
    assert_true(snprintf(expected, sizeof expected,
                         "%s/castled.sock: you may not ask it: run this command with sudo",
                         room->run) > 0);
    assert_string_equal(err.text, expected);
}

TEST_IN(the_first_place_is_named_where_none_is_there, make_room, drop_room)
{
    const Room *room = *state;
    const Config config = { 0 };
    Error err = { 0 };
    char *answer;
    assert_false(ask_daemon_quietly(&config, "status", 1000, &answer, &err));
    assert_memory_equal(err.text, room->run, strlen(room->run));
    assert_non_null(strstr(err.text, "No such file"));
}

TEST_IN(a_mistake_takes_only_its_own_key_from_a_command, make_room, drop_room)
{
    const Room *room = *state;
    const CommandOptions options = { .config_file = room->file };
    Config config;
    char path[CONFIG_PATH_SIZE];
    write_file(room, "[games]\nconcurency = 3\n[status]\nsocket = /run/here.sock\n"
                     "[archive]\nfile = /srv/games.sqlite\n[engine]\nhash = many\n");
    assert_true(command_read_places(&options, &config, path));
    assert_string_equal(path, room->file);
    assert_string_equal(config.status.socket, "/run/here.sock");
    assert_string_equal(config.archive.file, "/srv/games.sqlite");
    config_release(&config);
    assert_false(command_read_config(&options, &config, path));
}

TEST_IN(a_file_that_was_asked_for_must_be_there, make_room, drop_room)
{
    const Room *room = *state;
    const CommandOptions options = { .config_file = room->file };
    Config config;
    char path[CONFIG_PATH_SIZE];
    assert_false(command_read_places(&options, &config, path));
}

TEST_IN(without_a_file_the_places_are_the_usual_ones, make_room, drop_room)
{
    const CommandOptions options = { .config_file = NULL };
    Config config;
    char path[CONFIG_PATH_SIZE];
    if (access("/etc/castled/castled.conf", F_OK) == 0)
        skip();
    assert_true(command_read_places(&options, &config, path));
    assert_string_equal(config.status.socket, "");
    assert_string_equal(config.archive.file, "games.sqlite");
    config_release(&config);
}
