/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/child/child_command.h"
#include "tests/support/unit.h"

#include <sys/stat.h>
#include <unistd.h>

TEST(words_are_parted_by_blanks_and_kept_by_quotes)
{
    static const struct {
        const char *command;
        const char *argv[4];
    } rows[] = {
        { "stockfish", { "stockfish" } },
        { "  stockfish\t-x  1 ", { "stockfish", "-x", "1" } },
        { "\"/opt/my engines/sf\" a\"b c\"d", { "/opt/my engines/sf", "ab cd" } },
        { "sf \"say \\\"hi\\\\\" \"\"", { "sf", "say \"hi\\", "" } },
        { "sf $HOME ~ * ; a|b 'c", { "sf", "$HOME", "~", "*" } },
        { "sf a\\b", { "sf", "a\\b" } },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        ChildCommand command;
        assert_true(child_command_parse(&command, rows[i].command, NULL));
        for (size_t j = 0; j < 4 && rows[i].argv[j]; j++)
            assert_string_equal(command.argv[j], rows[i].argv[j]);
    }
}

TEST(what_is_no_command_is_refused)
{
    static const struct {
        const char *command, *why;
    } rows[] = {
        { "", "names no program" },
        { "   ", "names no program" },
        { "\"\" x", "names no program" },
        { "sf \"a b", "a quote is not closed" },
        { "sf a\"\\\"", "a quote is not closed" },
        { "a b c d e f g h i j k l m n o p q r s t u v w x y z 1 2 3 4 5 6 7",
          "more than 32 words" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        ChildCommand command;
        Error err = { 0 };
        assert_false(child_command_parse(&command, rows[i].command, &err));
        assert_string_equal(err.text, rows[i].why);
    }
    char text[400];
    ChildCommand command;
    memset(text, 'a', sizeof text);
    text[sizeof text - 1] = '\0';
    assert_false(child_command_parse(&command, text, NULL));
}

static void find(const char *text, const char *expected_path, const char *expected_error)
{
    ChildCommand command;
    Error err = { 0 };
    assert_true(child_command_parse(&command, text, NULL));
    bool ok = child_command_find(&command, &err);
    if (ok != (expected_path != NULL))
        fail_msg("%s: %s", text, err.text);
    assert_string_equal(ok ? command.program : err.text, ok ? expected_path : expected_error);
}

TEST(programs_are_found_or_it_is_said_why_not)
{
    char folder[] = "/tmp/castled-command-XXXXXX", path[100], bad[100], text[200];
    assert_non_null(mkdtemp(folder));
    assert_true(snprintf(path, sizeof path, "%s/good-engine", folder) > 0);
    assert_true(snprintf(bad, sizeof bad, "%s/bad-engine", folder) > 0);
    fclose(fopen(path, "w"));
    fclose(fopen(bad, "w"));
    chmod(path, 0755);
    assert_true(snprintf(text, sizeof text, "/nonesuch::%s", folder) > 0);
    setenv("PATH", text, 1);
    find("good-engine -x", path, NULL);
    find(path, path, NULL);
    find("bad-engine", NULL, "bad-engine: not executable");
    find("no-engine", NULL, "no-engine: not found along PATH, nor in /usr/games:/usr/local/games");
    find("/nonesuch/sf", NULL, "/nonesuch/sf: not found");
    find(folder, path, NULL); /* the newest program in it */
    unlink(path);
    assert_true(snprintf(text, sizeof text, "%s: Is a directory", folder) > 0);
    find(folder, NULL, text);
    unlink(bad);
    rmdir(folder);
}
