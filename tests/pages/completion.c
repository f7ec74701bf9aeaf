/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/pages/completion.h"

#include "bot/cli/commands.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { HELP_SHOWN = 80, VALUES_SIZE = 300 };

typedef bool PutOption(Buf *out, const CliCommand *command, const Option *option);

static bool each_option(Buf *out, const CliCommand *command, PutOption *put)
{
    bool ok = true;
    for (int i = 0; i < OPTION_GROUPS_MAX && command->options[i]; i++)
        for (const Option *row = command->options[i]; row->name && ok; row++)
            ok = put(out, command, row);
    return ok;
}

/* Of the row, or of the next one that has some. */
static const char *help_of(const Option *option)
{
    while (!option->help)
        option++;
    return option->help;
}

static const char *value_of(const Option *option)
{
    return option_has_dashes(option) ? option->value : option->name;
}

static bool is_file(const Option *option)
{
    const char *value = value_of(option);
    return value && strcmp(value, "FILE") == 0;
}

static void join(char out[VALUES_SIZE], const char *const *words, int count, uint32_t without)
{
    size_t used = 0;
    out[0] = '\0';
    for (int i = 0; i < count; i++)
        if (words[i] && !(without >> i & 1)) {
            int len = snprintf(out + used, VALUES_SIZE - used, "%s%s", used ? " " : "", words[i]);
            used += len > 0 ? (size_t)len : 0;
        }
}

/* What may stand there, blanks between; "" where only the reader knows. */
static void values_of(const Option *option, char out[VALUES_SIZE])
{
    out[0] = '\0';
    if (option->words)
        join(out, option->words->words, option->words->count, option->words->without);
    else if (islower((unsigned char)option->name[0]))
        join(out, &option->name, 1, 0);
}

static bool takes_files(const CliCommand *command)
{
    for (int i = 0; i < OPTION_GROUPS_MAX && command->options[i]; i++)
        for (const Option *row = command->options[i]; row->name; row++)
            if (!option_has_dashes(row) && is_file(row))
                return true;
    return false;
}

/* The first clause of a help, without what the shells' quotes and separators would trip over. */
static bool put_help(Buf *out, const char *help)
{
    static const char *const ends[] = { ";", ". ", ": " };
    size_t len = strlen(help);
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        const char *end = strstr(help, ends[i]);
        if (end && (size_t)(end - help) < len)
            len = (size_t)(end - help);
    }
    bool is_cut = len > HELP_SHOWN;
    if (is_cut)
        for (len = HELP_SHOWN; help[len] != ' ';)
            len--;
    bool ok = true;
    for (size_t i = 0; i < len && ok; i++)
        ok = help[i] == '\''              ? buf_put_text(out, "’")
             : strchr("[]", help[i])      ? true
             : strchr(":\"\\`$", help[i]) ? buf_put_char(out, ' ')
                                          : buf_put_char(out, help[i]);
    return ok && (!is_cut || buf_put_text(out, "…"));
}

static bool put_head(Buf *out, const char *first)
{
    return buf_printf(out,
                      "%s# Completion of castled's commands, written from bot/cli by "
                      "tests/pages.\n",
                      first);
}

/* ---- bash ---- */

static bool put_bash_value(Buf *out, const CliCommand *command, const Option *option)
{
    char values[VALUES_SIZE];
    if (!option_has_dashes(option) || option_value_count(option) == 0)
        return true;
    values_of(option, values);
    bool ok = buf_printf(out, "    %s:%s) ", command->name, option->name);
    if (is_file(option))
        return ok && buf_put_text(out, "_castled_files; return ;;\n");
    return ok && buf_printf(out, "words=\"%s\" ;;\n", values);
}

static bool put_bash_word(Buf *out, const CliCommand *command, const Option *option)
{
    char values[VALUES_SIZE];
    (void)command;
    if (option_has_dashes(option))
        return buf_printf(out, " %s", option->name);
    values_of(option, values);
    return values[0] == '\0' || buf_printf(out, " %s", values);
}

static bool put_bash_command(Buf *out, const CliCommand *command)
{
    bool ok = each_option(out, command, put_bash_value) &&
              buf_printf(out, "    %s:*) words=\"--help", command->name) &&
              each_option(out, command, put_bash_word) && buf_put_char(out, '"');
    if (ok && takes_files(command))
        ok = buf_put_text(out, "; [[ $cur == -* ]] || { _castled_files; return; }");
    return ok && buf_put_text(out, " ;;\n");
}

bool completion_bash(Buf *out)
{
    size_t count;
    const CliCommand *const *commands = commands_all(&count);
    bool ok = put_head(out, "") &&
              buf_put_text(out, "_castled_files() {\n"
                                "    compopt -o filenames 2>/dev/null\n"
                                "    mapfile -t COMPREPLY < <(compgen -f -- \"$cur\")\n"
                                "}\n\n"
                                "_castled() {\n"
                                "    local cur=${COMP_WORDS[COMP_CWORD]} "
                                "prev=${COMP_WORDS[COMP_CWORD-1]} command='' words='' i\n"
                                "    COMPREPLY=()\n"
                                "    for ((i = 1; i < COMP_CWORD; i++)); do\n"
                                "        case ${COMP_WORDS[i]} in\n"
                                "        --config | --instance) ((i++)) ;;\n"
                                "        -*) ;;\n"
                                "        *) command=${COMP_WORDS[i]}; break ;;\n"
                                "        esac\n"
                                "    done\n"
                                "    case $command:$prev in\n"
                                "    *:--config) _castled_files; return ;;\n"
                                "    *:--instance) return ;;\n"
                                "    :*) words=\"--config --instance --version --help");
    for (size_t i = 0; i < count && ok; i++)
        ok = buf_printf(out, " %s", commands[i]->name);
    ok = ok && buf_put_text(out, "\" ;;\n");
    for (size_t i = 0; i < count && ok; i++)
        ok = put_bash_command(out, commands[i]);
    return ok && buf_put_text(out, "    esac\n"
                                   "    mapfile -t COMPREPLY < <(compgen -W \"$words\" -- "
                                   "\"$cur\")\n"
                                   "}\n"
                                   "complete -F _castled castled\n");
}

/* ---- zsh ---- */

static bool put_zsh_option(Buf *out, const CliCommand *command, const Option *option)
{
    char values[VALUES_SIZE];
    (void)command;
    if (!option_has_dashes(option))
        return true;
    bool ok = buf_printf(out, " \\\n            '%s[", option->name) &&
              put_help(out, help_of(option)) && buf_put_char(out, ']');
    values_of(option, values);
    const char *action = is_file(option) ? "_files" : values[0] != '\0' ? values : " ";
    bool is_list = ok && !is_file(option) && values[0] != '\0';
    if (option->value && option->value[0] == '[')
        ok = ok && buf_put_text(out, "::value: ");
    for (int i = 0; i < option_value_count(option) && ok; i++)
        ok = buf_printf(out, is_list ? ":value:(%s)" : ":value:%s", action);
    return ok && buf_put_char(out, '\'');
}

static bool put_zsh_word(Buf *out, const CliCommand *command, const Option *option)
{
    char values[VALUES_SIZE];
    (void)command;
    if (option_has_dashes(option))
        return true;
    values_of(option, values);
    return values[0] == '\0' || buf_printf(out, " %s", values);
}

static bool put_zsh_command(Buf *out, const CliCommand *command)
{
    bool ok = buf_printf(out,
                         "        %s)\n            _arguments \\\n            '--help[describe "
                         "this command]'",
                         command->name) &&
              each_option(out, command, put_zsh_option) &&
              buf_put_text(out, " \\\n            '*:argument:");
    if (takes_files(command))
        return ok && buf_put_text(out, "_files' ;;\n");
    return ok && buf_put_char(out, '(') && each_option(out, command, put_zsh_word) &&
           buf_put_text(out, ")' ;;\n");
}

bool completion_zsh(Buf *out)
{
    size_t count;
    const CliCommand *const *commands = commands_all(&count);
    bool ok = put_head(out, "#compdef castled\n") &&
              buf_put_text(out, "_castled() {\n"
                                "    local curcontext=$curcontext state line\n"
                                "    _arguments -C \\\n"
                                "        '--config[read this file]:file:_files' \\\n"
                                "        '--instance[ask this one of several bots]:name: ' \\\n"
                                "        '--version[print the version]' \\\n"
                                "        '--help[list the commands]' \\\n"
                                "        '1:command:->command' \\\n"
                                "        '*::argument:->argument'\n"
                                "    case $state in\n"
                                "    command)\n"
                                "        local -a commands=(");
    for (size_t i = 0; i < count && ok; i++)
        ok = buf_printf(out, "\n            '%s:", commands[i]->name) &&
             put_help(out, commands[i]->help) && buf_put_char(out, '\'');
    ok = ok && buf_put_text(out, "\n        )\n"
                                 "        _describe command commands ;;\n"
                                 "    argument)\n"
                                 "        case $words[1] in\n");
    for (size_t i = 0; i < count && ok; i++)
        ok = put_zsh_command(out, commands[i]);
    return ok && buf_put_text(out, "        esac ;;\n    esac\n}\n\n_castled \"$@\"\n");
}

/* ---- fish ---- */

static bool put_fish_start(Buf *out, const char *command)
{
    return buf_printf(out, "complete -c castled -n 'contains -- (__castled_command) %s'", command);
}

static bool put_fish_option(Buf *out, const CliCommand *command, const Option *option)
{
    char values[VALUES_SIZE];
    values_of(option, values);
    bool has_dashes = option_has_dashes(option);
    if (!has_dashes && values[0] == '\0' && !is_file(option))
        return true;
    bool ok = put_fish_start(out, command->name) &&
              (!has_dashes || buf_printf(out, " -l %s", option->name + 2));
    if (is_file(option))
        ok = ok && buf_put_text(out, has_dashes ? " -r -F" : " -F");
    else if (has_dashes && option_value_count(option) > 0)
        ok = ok && buf_put_text(out, " -x");
    if (values[0] != '\0')
        ok = ok && buf_printf(out, " -a '%s'", values);
    return ok && buf_put_text(out, " -d '") && put_help(out, help_of(option)) &&
           buf_put_text(out, "'\n");
}

static bool put_fish_command(Buf *out, const CliCommand *command)
{
    return buf_printf(out, "complete -c castled -n 'not __castled_command >/dev/null' -a %s -d '",
                      command->name) &&
           put_help(out, command->help) && buf_put_text(out, "'\n") &&
           each_option(out, command, put_fish_option);
}

bool completion_fish(Buf *out)
{
    size_t count;
    const CliCommand *const *commands = commands_all(&count);
    bool ok = put_head(out, "") &&
              buf_put_text(out, "function __castled_command\n"
                                "    set -l words (commandline -opc)\n"
                                "    set -e words[1]\n"
                                "    while set -q words[1]\n"
                                "        switch $words[1]\n"
                                "            case --config --instance\n"
                                "                set -e words[1..2]\n"
                                "            case '-*'\n"
                                "                set -e words[1]\n"
                                "            case '*'\n"
                                "                echo $words[1]\n"
                                "                return 0\n"
                                "        end\n"
                                "    end\n"
                                "    return 1\n"
                                "end\n\n"
                                "complete -c castled -f\n"
                                "complete -c castled -l config -r -F -d 'read this file'\n"
                                "complete -c castled -l instance -x -d 'ask this one of several "
                                "bots'\n"
                                "complete -c castled -l help -d 'describe castled, or the "
                                "command'\n"
                                "complete -c castled -n 'not __castled_command >/dev/null' -l "
                                "version -d 'print the version'\n");
    for (size_t i = 0; i < count && ok; i++)
        ok = put_fish_command(out, commands[i]);
    return ok;
}
