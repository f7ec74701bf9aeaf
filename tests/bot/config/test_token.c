/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/config/token.h"
#include "tests/support/unit.h"

#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/castled-token-XXXXXX";

static int make_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) && chdir(folder) == 0 ? 0 : -1;
}

static int drop_folder(void **state)
{
    (void)state;
    unlink("token");
    unlink("file");
    return chdir("/") == 0 ? rmdir(folder) : -1;
}

static int forget_environment(void **state)
{
    (void)state;
    unsetenv("CREDENTIALS_DIRECTORY");
    unsetenv("CASTLED_TOKEN");
    return 0;
}

static void put_file(const char *name, const char *text, mode_t mode)
{
    unlink(name);
    FILE *file = fopen(name, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, strlen(text), file), strlen(text));
    assert_int_equal(fclose(file), 0);
    assert_int_equal(chmod(name, mode), 0);
}

TEST_IN(the_token_comes_from_its_file, NULL, forget_environment)
{
    Token token;
    put_file("file", "  lip_abcDEF123\r\n\n", 0600);
    assert_true(token_load(&token, "file", NULL));
    assert_string_equal(token.text, "lip_abcDEF123");
    assert_string_equal(token.source, "file");
}

TEST_IN(a_saved_token_is_ours_alone_and_takes_the_old_ones_place, NULL, forget_environment)
{
    struct stat about;
    Token token;
    Error err = { 0 };
    put_file("file", "lip_old", 0644);
    put_file("file.new", "half a", 0644); /* of a save that was interrupted */
    mode_t mask = umask(0);
    assert_true(token_save("file", "lip_new", NULL));
    umask(mask);
    assert_int_equal(stat("file", &about), 0);
    assert_int_equal(about.st_mode & 0777, 0600);
    assert_true(token_load(&token, "file", NULL));
    assert_string_equal(token.text, "lip_new");
    assert_int_not_equal(access("file.new", F_OK), 0);
    assert_false(token_save("nowhere/file", "lip_new", &err));
    assert_non_null(strstr(err.text, "nowhere/file"));
    assert_null(strstr(err.text, "lip_new"));
    assert_int_equal(mkdir("folder", 0700), 0);
    assert_false(token_save("folder", "lip_new", NULL));
    assert_int_not_equal(access("folder.new", F_OK), 0);
    assert_int_equal(rmdir("folder"), 0);
}

TEST_IN(systemd_goes_before_the_variable_and_that_before_the_file, NULL, forget_environment)
{
    Token token;
    put_file("file", "from_file\n", 0600);
    put_file("token", "from_systemd\n", 0440); /* systemd's own mode */
    setenv("CASTLED_TOKEN", "from_variable", 1);
    assert_true(token_load(&token, "file", NULL));
    assert_string_equal(token.text, "from_variable");
    setenv("CASTLED_TOKEN", "from_variable", 1);
    setenv("CREDENTIALS_DIRECTORY", folder, 1);
    assert_true(token_load(&token, "file", NULL));
    assert_string_equal(token.text, "from_systemd");
    setenv("CASTLED_TOKEN", "from_variable", 1);
    unlink("token"); /* a unit with other credentials only */
    assert_true(token_load(&token, "file", NULL));
    assert_string_equal(token.text, "from_variable");
}

TEST_IN(a_blank_credential_is_none_and_the_advice_is_how_to_fill_it, NULL, forget_environment)
{
    Token token;
    Error err = { 0 };
    put_file("file", "from_file\n", 0600);
    put_file("token", " ", 0440);
    setenv("CREDENTIALS_DIRECTORY", folder, 1);
    assert_true(token_load(&token, "file", NULL));
    assert_string_equal(token.text, "from_file");
    unlink("file");
    assert_false(token_load(&token, "file", &err));
    assert_non_null(strstr(err.text, "/etc/castled/token"));
    assert_non_null(strstr(err.text, "castled login"));
    setenv("CASTLED_TOKEN", "no token", 1);
    err = (Error){ 0 };
    assert_false(token_load(&token, "file", &err));
    assert_non_null(strstr(err.text, "CASTLED_TOKEN"));
    assert_null(strstr(err.text, "systemd"));
}

TEST_IN(the_variable_leaves_no_trace, NULL, forget_environment)
{
    Token token;
    setenv("CASTLED_TOKEN", "lip_secret", 1);
    const char *memory = getenv("CASTLED_TOKEN");
    assert_true(token_load(&token, NULL, NULL));
    assert_null(getenv("CASTLED_TOKEN"));
    assert_int_equal(memory[0], '\0');
    assert_int_equal(memory[5], '\0');
    token_erase(&token);
    for (size_t i = 0; i < sizeof token.text; i++)
        assert_int_equal(token.text[i], 0);
}

TEST_IN(the_variable_is_erased_even_if_another_source_goes_before, NULL, forget_environment)
{
    Token token;
    put_file("token", "from_systemd\n", 0440);
    setenv("CREDENTIALS_DIRECTORY", folder, 1);
    setenv("CASTLED_TOKEN", "lip_secret", 1);
    const char *memory = getenv("CASTLED_TOKEN");
    assert_true(token_load(&token, NULL, NULL));
    assert_string_equal(token.text, "from_systemd");
    assert_null(getenv("CASTLED_TOKEN"));
    assert_int_equal(memory[0], '\0');
}

TEST_IN(who_loads_a_token_leaves_no_core_dump, NULL, forget_environment)
{
    Token token;
    assert_int_equal(prctl(PR_SET_DUMPABLE, 1, 0, 0, 0), 0);
    assert_false(token_load(&token, NULL, NULL));
    assert_int_equal(prctl(PR_GET_DUMPABLE, 0, 0, 0, 0), 0);
    assert_int_equal(prctl(PR_SET_DUMPABLE, 1, 0, 0, 0), 0); /* for the sanitizers */
}

TEST(what_looks_like_a_token_is_masked)
{
    static const struct {
        const char *text, *masked; /* NULL: holds none */
    } rows[] = {
        { "", NULL },
        { "lip_", NULL },
        { "lip_short", NULL },
        { "tulip_gardening", NULL }, /* part of a longer word */
        { "lip_abcdEFGH12", "**************" },
        { "lio_abcdEFGH12", "**************" },
        { "a=lip_abcdEFGH12, b=lip_12345678;", "a=**************, b=************;" },
        { "lip_abcd lip_abcd1234", "lip_abcd ************" },
        { "url = https://lip_abcdefgh.example", "url = https://************.example" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[100];
        size_t len = strlen(rows[i].text);
        memcpy(text, rows[i].text, len + 1);
        assert_int_equal(token_is_in(text), rows[i].masked != NULL);
        token_mask(text);
        assert_string_equal(text, rows[i].masked ? rows[i].masked : rows[i].text);
        assert_false(token_is_in(text));
    }
}

TEST_IN(a_file_that_others_can_read_is_refused, NULL, forget_environment)
{
    static const mode_t modes[] = { 0640, 0604, 0644, 0610, 0666, 0620 };
    Token token;
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
        Error err = { 0 };
        put_file("file", "lip_secret", modes[i]);
        assert_false(token_load(&token, "file", &err));
        assert_non_null(strstr(err.text, "chmod 600 file"));
        assert_null(strstr(err.text, "lip_secret"));
    }
}

TEST_IN(what_is_no_token_is_refused_without_showing_it, NULL, forget_environment)
{
    static const char *const texts[] = { "",        " \n",      "two tokens",   "lip_abc\nlip_def",
                                         "lip-abc", "lip_\x01", "lip_\xc3\xa4", "\"lip_abc\"" };
    Token token;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        Error err = { 0 };
        put_file("file", texts[i], 0600);
        assert_false(token_load(&token, "file", &err));
        assert_null(strstr(err.text, "lip"));
        err = (Error){ 0 };
        setenv("CASTLED_TOKEN", texts[i], 1);
        assert_false(token_load(&token, NULL, &err));
        assert_null(strstr(err.text, "lip"));
    }
}

TEST_IN(the_longest_token_fits_and_a_longer_one_is_refused, NULL, forget_environment)
{
    Token token;
    char text[TOKEN_SIZE + 2];
    memset(text, 'a', sizeof text);
    text[TOKEN_SIZE - 1] = '\0';
    put_file("file", text, 0600);
    assert_true(token_load(&token, "file", NULL));
    assert_string_equal(token.text, text);
    memset(text, 'a', sizeof text);
    text[TOKEN_SIZE] = '\0';
    put_file("file", text, 0600);
    assert_false(token_load(&token, "file", NULL));
}

TEST_IN(without_a_token_the_operator_is_told_where_to_put_it, NULL, forget_environment)
{
    Token token;
    Error err = { 0 };
    assert_false(token_load(&token, "", &err));
    assert_non_null(strstr(err.text, "token_file"));
    assert_non_null(strstr(err.text, "CASTLED_TOKEN"));
    err = (Error){ 0 };
    assert_false(token_load(&token, "nowhere", &err));
    assert_string_equal(err.text, "nowhere: cannot open: No such file or directory");
    err = (Error){ 0 };
    assert_false(token_load(&token, "/tmp", &err));
    assert_string_equal(err.text, "/tmp: not a file");
}

TESTS_IN(make_folder, drop_folder)
