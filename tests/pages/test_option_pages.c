/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parser, --help, castled(1) and the shells' completion know the same options. */
#include "bot/cli/commands.h"
#include "tests/pages/completion.h"
#include "tests/pages/man.h"
#include "tests/support/unit.h"

enum { PAGE_MAX = 1 << 20 };

/* From `begin` up to `end`. */
static Text part_of(const Buf *page, const char *begin, const char *end)
{
    const char *at = strstr(buf_view(page), begin);
    if (!at)
        fail_msg("no such line: %s", begin);
    const char *stop = strstr(at + 1, end);
    return (Text){ at, stop ? (size_t)(stop - at) : strlen(at) };
}

static bool has_word(Text text, const char *word)
{
    size_t len = strlen(word);
    for (size_t i = 0; i + len < text.len; i++)
        if (memcmp(text.at + i, word, len) == 0 && strchr(" ,[\"\n\\)", text.at[i + len]))
            return true;
    return false;
}

typedef struct {
    Buf help, man, bash, zsh, fish;
} Pages;

static void write_pages(Pages *pages)
{
    Buf *all[] = { &pages->help, &pages->man, &pages->bash, &pages->zsh, &pages->fish };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        buf_init(all[i], PAGE_MAX);
    assert_true(man_castled(&pages->man) && completion_bash(&pages->bash) &&
                completion_zsh(&pages->zsh) && completion_fish(&pages->fish));
}

static void release_pages(Pages *pages)
{
    buf_release(&pages->help);
    buf_release(&pages->man);
    buf_release(&pages->bash);
    buf_release(&pages->zsh);
    buf_release(&pages->fish);
}

static void write_help(Buf *out, const CliCommand *command)
{
    char text[16384] = "";
    FILE *file = fmemopen(text, sizeof text, "w");
    assert_non_null(file);
    command_print_help(command, file);
    assert_int_equal(fclose(file), 0);
    buf_reset(out);
    assert_true(buf_put_text(out, text));
}

static bool take_nothing(const Option *option, void *at, const char *value, Error *err)
{
    (void)option;
    (void)at;
    (void)value;
    (void)err;
    return true;
}

/* By the command's table, but for the readers. */
static bool is_parsed(const CliCommand *command, const Option *option)
{
    Option copies[OPTION_GROUPS_MAX][32];
    const Option *groups[OPTION_GROUPS_MAX] = { NULL };
    void *const targets[OPTION_GROUPS_MAX] = { copies, copies, copies };
    const char *words[] = { option->name, "1", "1" };
    for (int i = 0; i < OPTION_GROUPS_MAX && command->options[i]; i++) {
        int row = 0;
        for (; command->options[i][row].name; row++) {
            copies[i][row] = command->options[i][row];
            copies[i][row].read = take_nothing;
            copies[i][row].at = 0;
            copies[i][row].count = OPTION_MAY;
        }
        copies[i][row].name = NULL;
        groups[i] = copies[i];
    }
    return options_read(groups, targets, words, 1 + option_value_count(option), NULL);
}

/* As roff writes it: each hyphen with a backslash. */
static void write_roff(char *out, const char *word)
{
    for (; *word; word++) {
        if (*word == '-')
            *out++ = '\\';
        *out++ = *word;
    }
    *out = '\0';
}

static void check_option(Pages *pages, const CliCommand *command, const Option *option)
{
    char line[100], roff[100];
    write_roff(roff, option->name);
    if (!has_word(part_of(&pages->help, "usage:", "\n\nExample"), option->name))
        fail_msg("castled %s --help has no %s", command->name, option->name);
    assert_true(snprintf(line, sizeof line, ".Ss \"\\&%s\\&\"\n", command->name) > 0);
    if (!strstr(buf_view(&pages->man), line))
        write_roff(line, command->name);
    if (!has_word(part_of(&pages->man, line, "\n.Ss "), roff))
        fail_msg("castled(1), %s: no %s", command->name, roff);
    if (!option_has_dashes(option))
        return;
    assert_true(snprintf(line, sizeof line, "    %s:*) words", command->name) > 0);
    if (!has_word(part_of(&pages->bash, line, "\n"), option->name))
        fail_msg("bash, %s: no %s", command->name, option->name);
    assert_true(snprintf(line, sizeof line, "        %s)\n", command->name) > 0);
    if (!has_word(part_of(&pages->zsh, line, ";;"), option->name))
        fail_msg("zsh, %s: no %s", command->name, option->name);
    assert_true(snprintf(line, sizeof line, "(__castled_command) %s' -l %s ", command->name,
                         option->name + 2) > 0);
    part_of(&pages->fish, line, "\n");
    if (!is_parsed(command, option))
        fail_msg("castled %s does not take %s", command->name, option->name);
}

TEST(every_option_stands_in_help_manual_and_completion_and_is_parsed)
{
    Pages pages;
    size_t count, options = 0;
    const CliCommand *const *commands = commands_all(&count);
    write_pages(&pages);
    for (size_t i = 0; i < count; i++) {
        write_help(&pages.help, commands[i]);
        for (int group = 0; group < OPTION_GROUPS_MAX && commands[i]->options[group]; group++)
            for (const Option *row = commands[i]->options[group]; row->name; row++, options++)
                check_option(&pages, commands[i], row);
    }
    assert_true(options > 60);
    release_pages(&pages);
}
