/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/cli/commands.h"
#include "bot/ops/exit_status.h"
#include "tests/pages/man.h"
#include "tests/pages/roff.h"

#include <ctype.h>

#define ARGUMENTS(...) ((const char *const[]){ __VA_ARGS__, NULL })

typedef struct {
    const char *name, *text;
} Term;

static const Term environment[] = {
    { "CASTLED_TOKEN", "The API token, where systemd brings none. Erased as soon as it was read." },
    { "CASTLED_SECTION_KEY",
      "Any key of castled.conf, as in CASTLED_GAMES_CONCURRENCY for concurrency in [games]. Goes "
      "before the file, which may then be missing. Sections that have a name of their own stand in "
      "the file only." },
    { "CREDENTIALS_DIRECTORY", "Where systemd puts the credential token. Asked first." },
    { "XDG_CONFIG_HOME", "Where castled/castled.conf is looked for. Default: ~/.config." },
    { "RUNTIME_DIRECTORY, XDG_RUNTIME_DIR",
      "Where the socket is: the first as it is, or castled/ below the second. Without both it is "
      "with the archive. Commands look there, too, and then in /run/castled." },
    { "STATE_DIRECTORY, XDG_STATE_HOME",
      "Where archive and lists are kept: the first as it is, or castled/ below the second. "
      "Default: ~/.local/state/castled." },
    { "NO_COLOR", "If it is set and not empty, castled watch draws without colours." },
    { "PGPASSFILE", "Where the password of [archive] database is. Default: ~/.pgpass." },
};

static const Term files[] = {
    { "/etc/castled/castled.conf", "The configuration of the service." },
    { "/etc/castled/token", "The token of the service, readable by root only." },
    { "/var/lib/castled/games.sqlite",
      "The archive of the service. Commands that read the archive ask the running daemon for its "
      "file. Without a daemon they take the user's own, or else this one." },
    { "/run/castled/castled.sock", "The socket on which commands reach the service." },
};

static const struct {
    ExitStatus status;
    const char *text;
} exits[] = {
    { EXIT_FINE, "Done, or stopped as asked." },
    { EXIT_FAULT,
      "Not done: no such game, too late, the other side or the operator said no, or a fault "
      "of this machine, such as no memory. The message says which." },
    { EXIT_USAGE, "Wrong usage." },
    { EXIT_UNREACHABLE, "No server, no running daemon, or no archive. castled run keeps trying "
                        "instead." },
    { EXIT_REFUSED, "The server refuses the token or the account." },
    { EXIT_CONFIG, "The configuration is wrong." },
    { EXIT_UNTESTED, "castled replay had nothing to try: git bisect run skips such a commit." },
};

static bool put_terms(Buf *out, const char *macro, const Term *terms, size_t count)
{
    bool ok = roff_line(out, ".Bl -tag -width Ds");
    for (size_t i = 0; i < count && ok; i++)
        ok = roff_macro(out, macro, ARGUMENTS(terms[i].name)) && roff_text(out, terms[i].text);
    return ok && roff_line(out, ".El");
}

static bool put_sentence(Buf *out, const char *text)
{
    Buf sentence;
    buf_init(&sentence, 1000);
    bool ok = buf_printf(&sentence, "%c%s.", toupper((unsigned char)text[0]), text + 1) &&
              roff_text(out, buf_view(&sentence));
    buf_release(&sentence);
    return ok;
}

static bool put_options(Buf *out, const Option *options)
{
    bool ok = true;
    for (const Option *row = options; row->name && ok; row++) {
        char title[OPTION_TITLE_SIZE];
        option_title(&row, title);
        ok = roff_macro(out, "It Li", ARGUMENTS(title)) && put_sentence(out, row->help);
    }
    return ok;
}

static bool put_words(Buf *out, const CliCommand *command)
{
    bool ok = roff_line(out, ".Bl -tag -width Ds -compact");
    for (int i = 0; i < OPTION_GROUPS_MAX && command->options[i] && ok; i++)
        ok = put_options(out, command->options[i]);
    return ok && roff_line(out, ".El");
}

static bool put_command(Buf *out, const CliCommand *command)
{
    bool ok = roff_macro(out, "Ss", ARGUMENTS(command->name));
    for (int i = 0; i < COMMAND_FORMS_MAX && (i == 0 || command->forms[i]) && ok; i++)
        ok = roff_macro(
            out, "D1",
            ARGUMENTS("castled", command->name, command->forms[i] ? command->forms[i] : ""));
    ok = ok && roff_line(out, ".Pp") && put_sentence(out, command->help) &&
         (!command->text || roff_text(out, command->text));
    if (command->options[0])
        ok = ok && roff_line(out, ".Pp") && put_words(out, command);
    return ok && roff_line(out, ".Pp\nExample:") &&
           roff_macro(out, "Dl", ARGUMENTS(command->example)) &&
           put_sentence(out, command->example_help);
}

static bool put_exits(Buf *out)
{
    bool ok = roff_line(out, ".Bl -tag -width Ds");
    for (size_t i = 0; i < sizeof exits / sizeof *exits && ok; i++)
        ok = buf_printf(out, ".It %d\n", (int)exits[i].status) && roff_text(out, exits[i].text);
    return ok && roff_line(out, ".El");
}

bool man_castled(Buf *out)
{
    size_t count;
    const CliCommand *const *commands = commands_all(&count);
    bool ok =
        roff_line(out, MAN_DATE
                  "\n.Dt CASTLED 1\n.Os\n.Sh NAME\n.Nm castled\n"
                  ".Nd play chess on lichess.org as a BOT account\n"
                  ".Sh SYNOPSIS\n.Nm castled\n.Op Fl \\-config Ar FILE | Fl \\-instance Ar NAME\n"
                  ".Ar COMMAND\n.Op Ar WORD ...\n"
                  ".Nm castled\n.Ar COMMAND\n.Fl \\-help\n"
                  ".Nm castled\n.Cm help\n.Op Ar COMMAND\n"
                  ".Nm castled\n.Fl \\-help | \\-version\n"
                  ".Sh DESCRIPTION") &&
        roff_text(out, "castled is a daemon that plays chess on lichess.org with an engine "
                       "of its own. One process plays for one account. The commands below "
                       "start it, ask the running one, or read its archive.") &&
        roff_line(out, ".Bl -tag -width Ds") && put_options(out, castled_options) &&
        roff_line(out, ".El\n.Sh COMMANDS");
    for (size_t i = 0; i < count && ok; i++)
        ok = put_command(out, commands[i]);
    return ok && roff_line(out, ".Sh ENVIRONMENT") &&
           put_terms(out, "It Ev", environment, sizeof environment / sizeof *environment) &&
           roff_line(out, ".Sh FILES") &&
           put_terms(out, "It Pa", files, sizeof files / sizeof *files) &&
           roff_line(out, ".Sh EXIT STATUS") && put_exits(out) &&
           roff_line(out, "systemd does not restart the service after 64, 77 and 78.\n"
                          ".Sh SEE ALSO\ncastled\\-uci(1), castled.conf(5), journalctl(1)") &&
           roff_line(out, ".Pp") &&
           roff_text(out, "share/doc/castled beside bin has config/README.md (rules by example, "
                          "statistics), config/LOG.md (each line of the log), systemd/README.md "
                          "(the service, several bots, security), examples, and what Prometheus "
                          "and Grafana read.");
}
