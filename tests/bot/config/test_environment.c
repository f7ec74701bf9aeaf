/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/config/config.h"
#include "bot/config/environment.h"
#include "bot/config/schema.h"
#include "tests/support/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static Config config;
static Buf problems;
static int lines[CONFIG_KEYS_MAX];
static char path[] = "/tmp/castled-environment-XXXXXX";

static int make_file(void **state)
{
    (void)state;
    int fd = mkstemp(path);
    buf_init(&problems, CONFIG_PROBLEMS_MAX);
    return fd < 0 ? -1 : close(fd);
}

static int drop_file(void **state)
{
    (void)state;
    buf_release(&problems);
    return unlink(path);
}

/* Reads `file` (NULL: there is none) beside one variable. True: nothing was wrong. */
static bool load(const char *file, const char *variable, const char *value)
{
    if (file) {
        FILE *to = fopen(path, "wb");
        assert_non_null(to);
        assert_true(fputs(file, to) >= 0);
        assert_int_equal(fclose(to), 0);
    }
    buf_reset(&problems);
    assert_int_equal(setenv(variable, value, 1), 0);
    bool ok = config_load_lines(&config, file ? path : CONFIG_NO_FILE, lines, &problems);
    assert_int_equal(unsetenv(variable), 0);
    return ok;
}

static int line_of(const char *section, const char *name)
{
    size_t count;
    return lines[schema_find(section, name) - schema_keys(&count)];
}

TEST(each_key_has_a_variable_of_its_own)
{
    size_t count;
    const KeySpec *keys = schema_keys(&count);
    char name[ENVIRONMENT_NAME_SIZE], other[ENVIRONMENT_NAME_SIZE];
    for (size_t i = 0; i < count; i++) {
        environment_name(&keys[i], name);
        assert_string_not_equal(name, "CASTLED_TOKEN");
        for (size_t j = 0; j < i; j++) {
            environment_name(&keys[j], other);
            assert_string_not_equal(name, other);
        }
    }
    environment_name(schema_find("status", "http"), name);
    assert_string_equal(name, "CASTLED_STATUS_HTTP");
}

TEST(a_variable_alone_is_enough)
{
    assert_true(load(NULL, "CASTLED_GAMES_CONCURRENCY", "3"));
    assert_int_equal(config.games.concurrency, 3);
    assert_int_equal(line_of("games", "concurrency"), CONFIG_FROM_ENVIRONMENT);
    assert_int_equal(line_of("engine", "hash"), 0);
    assert_int_equal(config.engine.hash_mib, 256);
    config_release(&config);
}

TEST(the_environment_goes_before_the_file)
{
    assert_true(
        load("[games]\nconcurrency = 2\n[engine]\nhash = 8\n", "CASTLED_GAMES_CONCURRENCY", "3"));
    assert_int_equal(config.games.concurrency, 3);
    assert_int_equal(config.engine.hash_mib, 8);
    assert_int_equal(line_of("games", "concurrency"), CONFIG_FROM_ENVIRONMENT);
    assert_int_equal(line_of("engine", "hash"), 4);
    config_release(&config);
}

TEST(a_list_takes_the_place_of_the_files)
{
    assert_true(load("[challenge]\nallow = adam\nallow = bea\n", "CASTLED_CHALLENGE_ALLOW", "zoe"));
    assert_true(user_list_has(&config.game.challenge.allow, text_of("zoe")));
    assert_false(user_list_has(&config.game.challenge.allow, text_of("adam")));
    config_release(&config);
}

TEST(mistakes_name_their_variable)
{
    static const struct {
        const char *file, *variable, *value, *said;
    } rows[] = {
        { NULL, "CASTLED_GAMES_CONCURRENCY", "99",
          "CASTLED_GAMES_CONCURRENCY: concurrency = 99: not within 1..64\n" },
        { "", "CASTLED_GAMES_CONCURENCY", "2",
          "CASTLED_GAMES_CONCURENCY: no such setting; did you mean CASTLED_GAMES_CONCURRENCY?\n" },
        { "", "CASTLED_TOKN", "x", "CASTLED_TOKN: no such setting; did you mean CASTLED_TOKEN?\n" },
        { "", "CASTLED_XXXXXXXXXXXXXXXX", "2", "CASTLED_XXXXXXXXXXXXXXXX: no such setting\n" },
        { "", "CASTLED_STATUS_PORT", "8080", "CASTLED_STATUS_PORT: no such setting" },
        { "", "CASTLED_ENGINE_EXTERNAL_COMMAND", "stockfish",
          "CASTLED_ENGINE_EXTERNAL_COMMAND: sections that have a name of their own stand in the "
          "file only\n" },
        { "", "CASTLED_RULE_BOTS", "x",
          "CASTLED_RULE_BOTS: sections that have a name of their own" },
        { "", "CASTLED_CHAT_HELLO", "a\x1b[31m",
          "CASTLED_CHAT_HELLO: a control character in the value\n" },
        { "", "CASTLED_G\x1b", "2",
          "CASTLED_…: a variable with other characters than A-Z, 0-9, _\n" },
        { "[challenge]\n\nmax_base = 60\n", "CASTLED_CHALLENGE_MIN_BASE", "70",
          "CASTLED_CHALLENGE_MIN_BASE: min_base = 70 is more than max_base = 60\n" },
        { "", "CASTLED_ENGINE_EXTERNAL", "fish",
          "CASTLED_ENGINE_EXTERNAL: there is no [engine.external fish]" },
        { "[archive]\nfile = off\n", "CASTLED_ARCHIVE_DATABASE", "postgresql://h/d",
          "CASTLED_ARCHIVE_DATABASE: database needs the file, which is off\n" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_false(load(rows[i].file, rows[i].variable, rows[i].value));
        if (strncmp(buf_view(&problems), rows[i].said, strlen(rows[i].said)) != 0)
            fail_msg("%s: %s", rows[i].variable, buf_view(&problems));
    }
}

TEST(no_secret_is_told)
{
    assert_false(load(NULL, "CASTLED_CHAT_HELLO", "lip_abcdefghijklmnopqrst"));
    assert_null(strstr(buf_view(&problems), "abcdefgh"));
    assert_non_null(strstr(buf_view(&problems), "CASTLED_TOKEN"));
    assert_false(load(NULL, "CASTLED_ARCHIVE_DATABASE", "postgresql://me:hush@h/d"));
    assert_null(strstr(buf_view(&problems), "hush"));
}

TEST(what_others_set_is_left_alone)
{
    static const char *const rows[][2] = {
        { "CASTLED_TOKEN", "lip_abcdefghijklmnopqrst" },
        { "CASTLED_SERVICE_HOST", "10.0.0.1" },
        { "CASTLED_SERVICE_PORT_HTTP", "8080" },
        { "CASTLED_PORT", "tcp://10.0.0.1:8080" },
        { "CASTLED_WEB_PORT_8080_TCP_ADDR", "10.0.0.1" },
        { "CASTLED", "/usr/bin/castled" },
        { "CASTLEDX_GAMES", "2" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (!load("", rows[i][0], rows[i][1]))
            fail_msg("%s", buf_view(&problems));
        config_release(&config);
    }
}

TEST(a_token_or_a_setting_is_enough_to_play)
{
    char *const none[] = { "PATH=/bin", "CASTLED_PORT=tcp://10.0.0.1:80", NULL };
    char *const token[] = { "PATH=/bin", "CASTLED_TOKEN=x", NULL };
    char *const setting[] = { "CASTLED_ENGINE_HASH=8", NULL };
    assert_false(environment_suffices(none));
    assert_true(environment_suffices(token));
    assert_true(environment_suffices(setting));
}

TESTS_IN(make_file, drop_file)
