/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of commands: what --help and castled(1) say is whole and can be read. */
#include "bot/cli/commands.h"
#include "engine/base/buf.h"
#include "tests/support/unit.h"

TEST(a_name_finds_its_command_and_no_other_does)
{
    size_t count;
    const CliCommand *const *commands = commands_all(&count);
    for (size_t i = 0; i < count; i++) {
        assert_ptr_equal(commands_find(commands[i]->name), commands[i]);
        assert_non_null(commands[i]->run);
    }
    assert_null(commands_find("dance"));
    assert_null(commands_find(""));
    assert_null(commands_find("sta"));
}

/* Options of castled itself stand before the command. */
static bool calls(const char *example, const char *name)
{
    char bare[50], of_instance[70];
    assert_true(snprintf(bare, sizeof bare, "castled %s", name) > 0);
    assert_true(snprintf(of_instance, sizeof of_instance, "castled --instance alba %s", name) > 0);
    return strstr(example, bare) || strstr(example, of_instance);
}

TEST(every_command_says_what_it_does_and_has_an_example_of_its_own)
{
    size_t count;
    const CliCommand *const *commands = commands_all(&count);
    for (size_t i = 0; i < count; i++) {
        const CliCommand *command = commands[i];
        if (!calls(command->example, command->name))
            fail_msg("%s: no example: %s", command->name, command->example);
        assert_non_null(command->example_help);
        assert_true(command->help[0] >= 'a' && command->help[0] <= 'z');
        if (command->help[strlen(command->help) - 1] == '.')
            fail_msg("%s: a full stop: %s", command->name, command->help);
    }
}

static bool is_described(const CliCommand *command, const char *word, size_t len)
{
    for (int i = 0; i < OPTION_GROUPS_MAX && command->options[i]; i++)
        for (const Option *row = command->options[i]; row->name; row++)
            if (strlen(row->name) == len && strncmp(row->name, word, len) == 0)
                return true;
    return false;
}

TEST(every_option_of_a_form_or_an_example_is_described)
{
    size_t count;
    const CliCommand *const *commands = commands_all(&count);
    for (size_t i = 0; i < count; i++) {
        const CliCommand *command = commands[i];
        const char *texts[COMMAND_FORMS_MAX + 1] = { strstr(command->example, command->name) };
        memcpy(texts + 1, command->forms, sizeof command->forms);
        for (int j = 0; j <= COMMAND_FORMS_MAX; j++)
            for (const char *at = texts[j]; at && (at = strstr(at, "--"));) {
                size_t len = strspn(at, "-abcdefghijklmnopqrstuvwxyz");
                if (strncmp(at, "--config", len) != 0 && !is_described(command, at, len))
                    fail_msg("%s: %.*s is not described", command->name, (int)len, at);
                at += len;
            }
    }
}

TEST(help_keeps_to_the_width_of_a_terminal)
{
    size_t count;
    const CliCommand *const *commands = commands_all(&count);
    for (size_t i = 0; i < count; i++) {
        char text[8192] = "";
        FILE *out = fmemopen(text, sizeof text, "w");
        assert_non_null(out);
        command_print_help(commands[i], out);
        assert_int_equal(fclose(out), 0);
        assert_non_null(strstr(text, commands[i]->example));
        for (const char *line = text; *line;) {
            size_t len = strcspn(line, "\n");
            if (len > 79 && !strstr(line, "Example"))
                fail_msg("%s: %zu columns: %.*s", commands[i]->name, len, (int)len, line);
            line += len + (line[len] == '\n');
        }
    }
}

TEST(the_readme_names_every_command)
{
    size_t count;
    const CliCommand *const *commands = commands_all(&count);
    Buf readme;
    FILE *file = fopen(README, "rb");
    assert_non_null(file);
    buf_init(&readme, 1 << 20);
    assert_true(buf_read(&readme, file, NULL));
    fclose(file);
    for (size_t i = 0; i < count; i++) {
        char call[50];
        assert_true(snprintf(call, sizeof call, "`castled %s", commands[i]->name) > 0);
        const char *at = strstr(buf_view(&readme), call);
        if (!at || !strchr("` ", at[strlen(call)]))
            fail_msg("README.md has no line for castled %s", commands[i]->name);
    }
    buf_release(&readme);
}
