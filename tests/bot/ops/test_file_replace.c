/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/ops/file_replace.h"
#include "tests/support/unit.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/castled-file-XXXXXX", path[64], fresh[64];

static int make_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) && snprintf(path, sizeof path, "%s/list", folder) > 0 &&
                   snprintf(fresh, sizeof fresh, "%s/list.new", folder) > 0
               ? 0
               : -1;
}

static int remove_folder(void **state)
{
    (void)state;
    unlink(path);
    return rmdir(folder);
}

static void expect_content(const char *expected)
{
    char text[100] = "";
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    assert_string_equal(text, expected);
}

TEST(the_parts_take_the_place_of_the_old_file)
{
    struct stat status;
    const Text old = text_of("old and longer than what is new\n");
    const Text parts[] = { text_of("alba\n"), text_of(""), text_of("bert\n") };
    assert_true(file_replace(path, FILE_OF_OWNER, &old, 1, NULL));
    assert_true(file_replace(path, FILE_OF_OWNER, parts, 3, NULL));
    expect_content("alba\nbert\n");
    assert_int_equal(stat(path, &status), 0);
    assert_int_equal(status.st_mode & 0777, 0600);
    assert_int_not_equal(access(fresh, F_OK), 0);
}

TEST(a_write_that_was_interrupted_is_no_hindrance)
{
    FILE *file = fopen(fresh, "wb");
    const Text part = text_of("alba\n");
    assert_non_null(file);
    fclose(file);
    assert_true(file_replace(path, FILE_OF_OWNER, &part, 1, NULL));
    expect_content("alba\n");
}

/* A disk that fills in the middle: this process may not make files longer than four bytes. */
TEST(a_full_disk_is_said_and_the_old_file_stays)
{
    const Text old = text_of("old\n"), part = text_of("longer\n");
    struct rlimit limit;
    Error err = { 0 };
    assert_true(file_replace(path, FILE_OF_OWNER, &old, 1, NULL));
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
    rlim_t before = limit.rlim_cur;
    limit.rlim_cur = 4;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
    bool ok = file_replace(path, FILE_OF_OWNER, &part, 1, &err);
    limit.rlim_cur = before;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
    assert_false(ok);
    assert_non_null(strstr(err.text, "list: cannot write: File too large"));
    expect_content("old\n");
    assert_int_not_equal(access(fresh, F_OK), 0);
}

TEST(a_folder_that_is_not_there_is_said)
{
    const Text part = text_of("alba\n");
    Error err = { 0 };
    assert_false(file_replace("/nowhere/list", FILE_OF_OWNER, &part, 1, &err));
    assert_non_null(strstr(err.text, "/nowhere/list: cannot write: No such file"));
}

TESTS_IN(make_folder, remove_folder)
