/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/cli/commands.h"

#include "bot/cli/instance.h"
#include "bot/config/did_you_mean.h"

#include <assert.h>
#include <ctype.h>
#include <string.h>

static bool take_instance(const Option *option, void *at, const char *value, Error *err)
{
    CastledWords *words = at;
    (void)option;
    return instance_choose(&words->options, value, &words->unit, err);
}

const Option castled_options[] = {
    { .name = "--config",
      .value = "FILE",
      .help = "read FILE instead of $XDG_CONFIG_HOME/castled/castled.conf or "
              "/etc/castled/castled.conf",
      .read = option_text,
      .at = offsetof(CastledWords, options.config_file) },
    { .name = "--instance",
      .value = "NAME",
      .help = "ask castled@NAME.service, one of several bots. Its configuration is "
              "/etc/castled/NAME.conf; its state and its socket are used, too",
      .read = take_instance },
    { .name = "--version", .read = option_flag, .at = offsetof(CastledWords, wants_version) },
    { .name = "-V",
      .help = "print version, build and libraries",
      .read = option_flag,
      .at = offsetof(CastledWords, wants_version) },
    { .name = "--help", .read = option_flag, .at = offsetof(CastledWords, wants_help) },
    { .name = "-h",
      .help = "list the commands; behind a command, describe that command, as castled help COMMAND "
              "does",
      .read = option_flag,
      .at = offsetof(CastledWords, wants_help) },
    { .name = NULL },
};

static const CliCommand *const commands[] = {
    &command_run,      &command_init,      &command_check,      &command_login,
    &command_upgrade,  &command_human,     &command_explain,    &command_status,
    &command_watch,    &command_drain,     &command_resume,     &command_reload,
    &command_abort,    &command_resign,    &command_draw,       &command_say,
    &command_engine,   &command_log_level, &command_challenge,  &command_tournament,
    &command_gauntlet, &command_games,     &command_pgn,        &command_stats,
    &command_why,      &command_analyse,   &command_engine_log, &command_replay,
    &command_report,
};

const CliCommand *const *commands_all(size_t *count)
{
    *count = sizeof commands / sizeof *commands;
    return commands;
}

const CliCommand *commands_find(const char *name)
{
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        if (strcmp(commands[i]->name, name) == 0)
            return commands[i];
    return NULL;
}

const char *commands_nearest(const char *name)
{
    const char *names[sizeof commands / sizeof *commands];
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        names[i] = commands[i]->name;
    return did_you_mean(name, names, sizeof commands / sizeof *commands);
}

enum { HELP_WIDTH = 79, WORD_COLUMN = 2, TEXT_COLUMN = 25 };

/* From column `at` on, with further lines indented to `indent`. */
static void print_wrapped(FILE *out, const char *text, int at, int indent)
{
    while (*text) {
        int len = (int)strcspn(text, " ");
        if (at > indent && at + 1 + len > HELP_WIDTH) {
            fprintf(out, "\n%*s", indent, "");
            at = indent;
        } else if (at > indent) {
            fputc(' ', out);
            at++;
        }
        fprintf(out, "%.*s", len, text);
        at += len;
        text += len + (text[len] == ' ');
    }
    fputc('\n', out);
}

void option_title(const Option **row, char out[OPTION_TITLE_SIZE])
{
    size_t used = 0;
    for (;; ++*row) {
        const char *value = (*row)->value;
        int len = snprintf(out + used, OPTION_TITLE_SIZE - used, "%s%s%s%s", used ? ", " : "",
                           (*row)->name, value ? " " : "", value ? value : "");
        assert(len > 0 && used + (size_t)len < OPTION_TITLE_SIZE);
        used += (size_t)len;
        if ((*row)->help)
            return;
    }
}

static void print_options(const Option *options, FILE *out)
{
    for (const Option *row = options; row->name; row++) {
        char title[OPTION_TITLE_SIZE];
        option_title(&row, title);
        int end = fprintf(out, "%*s%s", WORD_COLUMN, "", title);
        if (end + 1 < TEXT_COLUMN)
            fprintf(out, "%*s", TEXT_COLUMN - end, "");
        else
            fprintf(out, "\n%*s", TEXT_COLUMN, "");
        print_wrapped(out, row->help, TEXT_COLUMN, TEXT_COLUMN);
    }
}

void commands_print_help(FILE *out)
{
    fputs("usage: castled [--config FILE | --instance NAME] COMMAND\n\nCommands:\n", out);
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        fprintf(out, "  %-10s %s\n", commands[i]->name, commands[i]->help);
    fputs("\nOptions:\n", out);
    print_options(castled_options, out);
    fputs("\nExit status: 0 fine, 1 not done, 64 wrong usage, 69 server or daemon not reached\n"
          "(not for run), 77 token or account refused, 78 configuration wrong.\n",
          out);
}

void command_print_help(const CliCommand *command, FILE *out)
{
    for (int i = 0; i < COMMAND_FORMS_MAX && (i == 0 || command->forms[i]); i++) {
        int at = fprintf(out, "%s castled [--config FILE | --instance NAME] %s",
                         i == 0 ? "usage:" : "      ", command->name);
        print_wrapped(out, command->forms[i] ? command->forms[i] : "", at, 15);
    }
    fprintf(out, "\n%c%s.\n", toupper((unsigned char)command->help[0]), command->help + 1);
    if (command->text)
        print_wrapped(out, command->text, 0, 0);
    for (int i = 0; i < OPTION_GROUPS_MAX && command->options[i]; i++) {
        fputs(i == 0 ? "\n" : "", out);
        print_options(command->options[i], out);
    }
    fprintf(out, "\nExample: %s\n  %s\n", command->example, command->example_help);
}
