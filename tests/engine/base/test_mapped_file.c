/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/base/mapped_file.h"

#include "tests/support/unit.h"

#include <sys/stat.h>
#include <unistd.h>

TEST(bytes_of_a_file_are_there_until_release)
{
    char path[] = "/tmp/castled-mapped-XXXXXX";
    MappedFile file = { 0 };
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, "castled", 7), 7);
    close(fd);
    bool ok = mapped_file_init(&file, path, NULL);
    unlink(path);
    assert_true(ok);
    mapped_file_expect_scattered(&file);
    assert_int_equal(file.size, 7);
    assert_memory_equal(file.bytes, "castled", 7);
    mapped_file_release(&file);
    assert_null(file.bytes);
    mapped_file_release(&file);
}

TEST(what_is_no_file_with_bytes_is_refused_by_name)
{
    char empty[] = "/tmp/castled-mapped-XXXXXX";
    char fifo[] = "/tmp/castled-mapped-XXXXXX";
    int fd = mkstemp(empty);
    assert_true(fd >= 0);
    close(fd);
    fd = mkstemp(fifo);
    assert_true(fd >= 0);
    close(fd);
    unlink(fifo);
    assert_int_equal(mkfifo(fifo, 0600), 0);

    const char *const paths[] = { empty, fifo, "/tmp", "/dev/null", "/nonexistent/file" };
    bool ok[5];
    Error errors[5] = { { 0 } };
    MappedFile file = { 0 };
    for (size_t i = 0; i < 5; i++)
        ok[i] = mapped_file_init(&file, paths[i], &errors[i]);
    unlink(empty);
    unlink(fifo);
    for (size_t i = 0; i < 5; i++) {
        assert_false(ok[i]);
        assert_non_null(strstr(errors[i].text, paths[i]));
    }
    assert_null(file.bytes);
}
