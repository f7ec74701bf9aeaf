/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/pages/completion.h"

#include "bot/archive/stats.h"
#include "bot/cli/commands.h"
#include "bot/config/schema.h"
#include "bot/ops/log_level.h"
#include "engine/base/text.h"

#include <ctype.h>
#include <stdio.h>

enum { HELP_SHOWN = 80, VALUES_SIZE = 300 };

/* One thing that may stand behind a command: "--record FILE", "rated", "LEVEL". */
typedef struct {
    Text option;      /* "--record"; empty: it is no option */
    Text word;        /* its value, "FILE", or the word itself; empty: no value */
    const char *help; /* lent by the table */
} Argument;

typedef bool PutArgument(Buf *out, const Command *command, const Argument *argument);

/* "--humans, --bots" are two arguments, "USER CLOCK" as well; "--again [USER]" is one. */
static bool next_argument(Text *rest, Argument *out)
{
    Text word = text_next_word(rest, " ,");
    *out = (Argument){ .help = out->help };
    if (word.len == 0)
        return false;
    if (!text_starts_with(word, "--")) {
        out->word = word;
        return true;
    }
    out->option = word;
    bool has_value = rest->len > 1 && rest->at[0] == ' ';
    if (has_value)
        out->word = text_next_word(rest, " ,");
    return true;
}

static bool each_argument(Buf *out, const Command *command, PutArgument *put)
{
    bool ok = true;
    for (int i = 0; i < COMMAND_WORD_GROUPS_MAX && command->words[i]; i++)
        for (const CommandWord *row = command->words[i]; row->word && ok; row++) {
            Argument argument = { .help = row->help };
            for (Text rest = text_of(row->word); ok && next_argument(&rest, &argument);)
                ok = put(out, command, &argument);
        }
    return ok;
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

static void join_tables(char out[VALUES_SIZE])
{
    const char *names[STATS_BY_COUNT];
    for (int by = 0; by < STATS_BY_COUNT; by++)
        names[by] = stats_by_name((StatsBy)by);
    join(out, names, STATS_BY_COUNT, 0);
}

/* What may stand for a word of the table, blanks between; "" where only its reader knows. */
static void values_of(Text word, char out[VALUES_SIZE])
{
    out[0] = '\0';
    if (text_is(word, "LEVEL"))
        join(out, log_level_names, LEVEL_COUNT, 0);
    else if (text_is(word, "SPEED"))
        join(out, schema_speed_words.words, schema_speed_words.count, schema_speed_words.without);
    else if (text_is(word, "VARIANT"))
        join(out, schema_variant_words.words, schema_variant_words.count,
             schema_variant_words.without);
    else if (text_is(word, "TABLE"))
        join_tables(out);
    else if (text_is(word, "FORMAT"))
        join(out, (const char *const[]){ "table", "csv", "json" }, 3, 0);
    else if (text_is(word, "GAME"))
        join(out, (const char *const[]){ "latest" }, 1, 0);
    else if (word.len > 0 && islower((unsigned char)word.at[0]))
        (void)text_copy(out, VALUES_SIZE, word);
}

/* "join ID …" and "leave ID" begin with words of their own. */
static void verbs_of(const Command *command, char out[VALUES_SIZE])
{
    size_t used = 0;
    out[0] = '\0';
    for (int i = 0; i < COMMAND_FORMS_MAX && command->forms[i]; i++) {
        int len = (int)strspn(command->forms[i], "abcdefghijklmnopqrstuvwxyz");
        if (len > 0)
            used += (size_t)snprintf(out + used, VALUES_SIZE - used, "%s%.*s", used ? " " : "", len,
                                     command->forms[i]);
    }
}

static bool takes_files(const Command *command)
{
    for (int i = 0; i < COMMAND_WORD_GROUPS_MAX && command->words[i]; i++)
        for (const CommandWord *row = command->words[i]; row->word; row++)
            if (strcmp(row->word, "FILE") == 0)
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
                      "%s# Completion of castled's commands, written from bot/cli/commands.c by "
                      "tests/pages.\n",
                      first);
}

/* ---- bash ---- */

static bool put_bash_value(Buf *out, const Command *command, const Argument *argument)
{
    char values[VALUES_SIZE];
    if (argument->option.len == 0 || argument->word.len == 0 || argument->word.at[0] == '[')
        return true;
    values_of(argument->word, values);
    bool ok = buf_printf(out, "    %s:%.*s) ", command->name, TEXT_ARGS(argument->option));
    if (text_is(argument->word, "FILE"))
        return ok && buf_put_text(out, "_castled_files; return ;;\n");
    return ok && buf_printf(out, "words=\"%s\" ;;\n", values);
}

static bool put_bash_word(Buf *out, const Command *command, const Argument *argument)
{
    char values[VALUES_SIZE];
    (void)command;
    if (argument->option.len > 0)
        return buf_printf(out, " %.*s", TEXT_ARGS(argument->option));
    values_of(argument->word, values);
    return values[0] == '\0' || buf_printf(out, " %s", values);
}

static bool put_bash_command(Buf *out, const Command *command)
{
    char verbs[VALUES_SIZE];
    verbs_of(command, verbs);
    bool ok = each_argument(out, command, put_bash_value) &&
              buf_printf(out, "    %s:*) words=\"--help%s%s", command->name, verbs[0] ? " " : "",
                         verbs) &&
              each_argument(out, command, put_bash_word) && buf_put_char(out, '"');
    if (ok && takes_files(command))
        ok = buf_put_text(out, "; [[ $cur == -* ]] || { _castled_files; return; }");
    return ok && buf_put_text(out, " ;;\n");
}

bool completion_bash(Buf *out)
{
    size_t count;
    const Command *commands = commands_all(&count);
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
        ok = buf_printf(out, " %s", commands[i].name);
    ok = ok && buf_put_text(out, "\" ;;\n");
    for (size_t i = 0; i < count && ok; i++)
        ok = put_bash_command(out, &commands[i]);
    return ok && buf_put_text(out, "    esac\n"
                                   "    mapfile -t COMPREPLY < <(compgen -W \"$words\" -- "
                                   "\"$cur\")\n"
                                   "}\n"
                                   "complete -F _castled castled\n");
}

/* ---- zsh ---- */

static bool put_zsh_option(Buf *out, const Command *command, const Argument *argument)
{
    char values[VALUES_SIZE];
    (void)command;
    if (argument->option.len == 0)
        return true;
    bool ok = buf_printf(out, " \\\n            '%.*s[", TEXT_ARGS(argument->option)) &&
              put_help(out, argument->help) && buf_put_char(out, ']');
    if (ok && argument->word.len > 0) {
        bool is_optional = argument->word.at[0] == '[';
        values_of(argument->word, values);
        ok = buf_printf(out, "%s:value:", is_optional ? ":" : "") &&
             (text_is(argument->word, "FILE") ? buf_put_text(out, "_files")
              : values[0] != '\0'             ? buf_printf(out, "(%s)", values)
                                              : buf_put_text(out, " "));
    }
    return ok && buf_put_char(out, '\'');
}

static bool put_zsh_word(Buf *out, const Command *command, const Argument *argument)
{
    char values[VALUES_SIZE];
    (void)command;
    if (argument->option.len > 0)
        return true;
    values_of(argument->word, values);
    return values[0] == '\0' || buf_printf(out, " %s", values);
}

static bool put_zsh_command(Buf *out, const Command *command)
{
    char verbs[VALUES_SIZE];
    verbs_of(command, verbs);
    bool ok = buf_printf(out,
                         "        %s)\n            _arguments \\\n            '--help[describe "
                         "this command]'",
                         command->name) &&
              each_argument(out, command, put_zsh_option) &&
              buf_put_text(out, " \\\n            '*:argument:");
    if (takes_files(command))
        return ok && buf_put_text(out, "_files' ;;\n");
    return ok && buf_printf(out, "(%s", verbs) && each_argument(out, command, put_zsh_word) &&
           buf_put_text(out, ")' ;;\n");
}

bool completion_zsh(Buf *out)
{
    size_t count;
    const Command *commands = commands_all(&count);
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
        ok = buf_printf(out, "\n            '%s:", commands[i].name) &&
             put_help(out, commands[i].help) && buf_put_char(out, '\'');
    ok = ok && buf_put_text(out, "\n        )\n"
                                 "        _describe command commands ;;\n"
                                 "    argument)\n"
                                 "        case $words[1] in\n");
    for (size_t i = 0; i < count && ok; i++)
        ok = put_zsh_command(out, &commands[i]);
    return ok && buf_put_text(out, "        esac ;;\n    esac\n}\n\n_castled \"$@\"\n");
}

/* ---- fish ---- */

static bool put_fish_start(Buf *out, const char *command)
{
    return buf_printf(out, "complete -c castled -n 'contains -- (__castled_command) %s'", command);
}

static bool put_fish_argument(Buf *out, const Command *command, const Argument *argument)
{
    char values[VALUES_SIZE];
    values_of(argument->word, values);
    bool is_option = argument->option.len > 0;
    bool is_file = text_is(argument->word, "FILE");
    bool needs_value = is_option && argument->word.len > 0 && argument->word.at[0] != '[';
    if (!is_option && values[0] == '\0' && !is_file)
        return true;
    bool ok = put_fish_start(out, command->name);
    if (is_option)
        ok = ok &&
             buf_printf(out, " -l %.*s", (int)argument->option.len - 2, argument->option.at + 2);
    if (is_file)
        ok = ok && buf_put_text(out, is_option ? " -r -F" : " -F");
    else if (needs_value)
        ok = ok && buf_put_text(out, " -x");
    if (values[0] != '\0')
        ok = ok && buf_printf(out, " -a '%s'", values);
    return ok && buf_put_text(out, " -d '") && put_help(out, argument->help) &&
           buf_put_text(out, "'\n");
}

static bool put_fish_command(Buf *out, const Command *command)
{
    char verbs[VALUES_SIZE];
    verbs_of(command, verbs);
    bool ok =
        buf_printf(out, "complete -c castled -n 'not __castled_command >/dev/null' -a %s -d '",
                   command->name) &&
        put_help(out, command->help) && buf_put_text(out, "'\n");
    if (ok && verbs[0] != '\0')
        ok = put_fish_start(out, command->name) && buf_printf(out, " -a '%s'\n", verbs);
    return ok && each_argument(out, command, put_fish_argument);
}

bool completion_fish(Buf *out)
{
    size_t count;
    const Command *commands = commands_all(&count);
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
        ok = put_fish_command(out, &commands[i]);
    return ok;
}
