/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/uci/options.h"
#include "engine/uci/subcommands.h"
#include "tests/pages/man.h"
#include "tests/pages/roff.h"

#include <string.h>

#define ARGUMENTS(...) ((const char *const[]){ __VA_ARGS__, NULL })

static bool put_subcommands(Buf *out)
{
    size_t count;
    const Subcommand *commands = subcommands_all(&count);
    bool ok = roff_line(out, ".Bl -tag -width Ds");
    for (size_t i = 0; i < count && ok; i++)
        ok = roff_macro(out, "It Cm", ARGUMENTS(commands[i].name, commands[i].words)) &&
             buf_printf(out, "Print %s.\n", commands[i].help);
    return ok && roff_line(out, ".El");
}

/* "option name Hash type spin default 16 min 1 max 1048576" */
static bool put_option(Buf *out, char *line)
{
    char *name = strstr(line, "name ") + strlen("name "), *type = strstr(name, " type ");
    *type = '\0';
    const char *help = options_help((Token){ name, strlen(name) });
    type += strlen(" type ");
    bool ok = help && roff_macro(out, "It Cm", ARGUMENTS(name)) && roff_text(out, help) &&
              buf_put_text(out, "Type: ");
    /* A line for each value of a long list: manuals keep their lines short. */
    for (char *value; ok && (value = strstr(type, " var ")); type = value + 1) {
        *value = '\0';
        ok = buf_printf(out, "%s\n", type);
    }
    return ok && buf_printf(out, "%s.\n", type);
}

static bool put_options(Buf *out)
{
    Buf lines;
    buf_init(&lines, 1 << 16);
    bool ok = roff_line(out, ".Bl -tag -width Ds") && options_announce(&lines);
    for (char *line = lines.text, *end; ok && (end = strchr(line, '\n')); line = end + 1) {
        *end = '\0';
        ok = put_option(out, line);
    }
    buf_release(&lines);
    return ok && roff_line(out, ".El");
}

bool man_castled_uci(Buf *out)
{
    return roff_line(out, MAN_DATE "\n.Dt CASTLED-UCI 1\n.Os\n.Sh NAME\n.Nm castled-uci\n"
                                   ".Nd a chess engine for any chess GUI, by the UCI protocol\n"
                                   ".Sh SYNOPSIS\n.Nm castled-uci\n.Op Ar COMMAND Op Ar WORD ...\n"
                                   ".Sh DESCRIPTION") &&
           roff_text(out, "castled-uci is the engine of castled(1) as a program of its own. "
                          "Without a command it speaks UCI on standard input and output. A "
                          "position may be any legal one of standard chess, of Chess960, or of "
                          "the variant that UCI_Variant names. Search threads share one hash.") &&
           roff_line(out, ".Sh COMMANDS") && put_subcommands(out) &&
           roff_line(out, ".Sh UCI OPTIONS") && put_options(out) &&
           roff_line(out, ".Sh EXIT STATUS") &&
           roff_text(out, "0 when all is well, 1 for a fault such as a damaged network, 64 for "
                          "wrong usage.") &&
           roff_line(out, ".Sh EXAMPLES\nThe leaves of the start position at depth 5:\n"
                          ".Dl castled\\-uci perft 5\n"
                          ".Sh SEE ALSO\ncastled(1)");
}
