/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/daemon/engine_names_file.h"
#include "tests/support/unit.h"

#include <stdio.h>
#include <unistd.h>

static EngineNames names;

TEST(a_file_takes_the_place_of_the_list_that_castled_comes_with)
{
    char path[] = "/tmp/castled-engines-XXXXXX", name[ENGINE_NAME_SIZE];
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    assert_int_equal(dprintf(fd, "gull # = *gull #*\n"), 18);
    close(fd);
    assert_true(engine_names_load(&names, path, NULL));
    assert_true(engine_names_find(&names, text_of("I run Gull 3"), name));
    assert_string_equal(name, "gull 3");
    assert_false(engine_names_find(&names, text_of("Stockfish 17"), name));
    unlink(path);
    assert_true(engine_names_load(&names, "", NULL));
    assert_true(engine_names_find(&names, text_of("Stockfish 17"), name));
}

TEST(what_is_wrong_with_a_file_is_said)
{
    Error err = { 0 };
    assert_false(engine_names_load(&names, "/nowhere/engines.txt", &err));
    assert_string_equal(err.text, "/nowhere/engines.txt: No such file or directory");
    assert_int_equal(names.count, 0);
}
