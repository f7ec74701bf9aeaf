/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/example.h"
#include "bot/config/schema.h"
#include "tests/pages/man.h"
#include "tests/pages/roff.h"

#include <string.h>

#define ARGUMENTS(...) ((const char *const[]){ __VA_ARGS__, NULL })

/* Between lines of the example. */
typedef struct {
    Buf *out;
    Buf text; /* comment lines that belong to what comes next */
    char section[100];
    bool is_listing;
} Reader;

static bool end_list(Reader *reader)
{
    bool ok = !reader->is_listing || roff_line(reader->out, ".El");
    reader->is_listing = false;
    return ok;
}

static bool put_text(Reader *reader)
{
    bool ok = roff_text(reader->out, buf_view(&reader->text));
    buf_reset(&reader->text);
    return ok;
}

/* For which games a value holds, and from when on. */
static bool put_scope(Reader *reader, const char *name)
{
    static const char *const words[] = {
        [SCOPE_START] = "Read at the start only.",
        [SCOPE_LIVE] = "",
        [SCOPE_GAME] = "A rule may set it.",
        [SCOPE_SEEK] = "A type of matchmaking may set it.",
    };
    const KeySpec *key = schema_find(reader->section, name);
    return !key || roff_text(reader->out, words[key->scope]);
}

/* "[NAME]" */
static bool put_section(Reader *reader, const char *line)
{
    int len = snprintf(reader->section, sizeof reader->section, "%.*s", (int)strcspn(line + 1, "]"),
                       line + 1);
    return len > 0 && (size_t)len < sizeof reader->section && end_list(reader) &&
           roff_macro(reader->out, "Ss", ARGUMENTS(line)) && put_text(reader);
}

/* "key = value", or "key = value ; help" where `text` has none. */
static bool put_key(Reader *reader, char *line)
{
    bool ok = reader->is_listing || roff_line(reader->out, ".Bl -tag -width Ds");
    char *help = strstr(line, " ; "), *value = strstr(line, " =");
    if (help)
        *help = '\0';
    if (value)
        *value = '\0';
    reader->is_listing = true;
    value = value && value[2] ? value + strlen(" = ") : "";
    ok = ok && (*value && strcmp(value, "…") != 0
                    ? roff_macro(reader->out, "It Ic", ARGUMENTS(line, "=", value))
                    : roff_macro(reader->out, "It Ic", ARGUMENTS(line)));
    return ok && (!help || roff_text(reader->out, help + strlen(" ; "))) && put_text(reader) &&
           put_scope(reader, line);
}

static bool put_line(Reader *reader, char *line)
{
    if (line[0] == '[')
        return put_section(reader, line);
    if (line[0] == '#' && line[1] != ' ' && line[1] != '\0')
        return put_key(reader, line + 1);
    if (strncmp(line, "# [", 3) == 0)
        return put_section(reader, line + 2);
    if (strncmp(line, "# ", 2) == 0 && strstr(line, " ; "))
        return put_key(reader, line + 2);
    return strncmp(line, "# ", 2) != 0 ||
           (buf_put_text(&reader->text, line + 2) && buf_put_char(&reader->text, ' '));
}

bool man_castled_conf(Buf *out)
{
    Buf example;
    Reader reader = { .out = out };
    buf_init(&example, 1 << 20);
    buf_init(&reader.text, 1 << 12);
    bool ok =
        roff_line(out, MAN_DATE "\n.Dt CASTLED.CONF 5\n.Os\n.Sh NAME\n.Nm castled.conf\n"
                                ".Nd configuration of castled(1)\n.Sh DESCRIPTION") &&
        roff_text(out, "castled reads one INI file: the one of --config, else "
                       "$XDG_CONFIG_HOME/castled/castled.conf, else "
                       "/etc/castled/castled.conf. Every key has a default, shown behind its "
                       "name; an empty file and a token are a working bot. A text behind \" ;\" "
                       "is a comment. castled check reports all mistakes at once. SIGHUP reads "
                       "the file again while games go on; it changes all keys but those that "
                       "are read at the start only.") &&
        roff_line(out, ".Sh SECTIONS AND KEYS") && example_write(&example);
    for (char *line = ok ? strstr(example.text, "\n\n") : NULL, *next; line && ok; line = next) {
        next = strchr(line, '\n');
        if (next)
            *next++ = '\0';
        ok = put_line(&reader, line);
    }
    ok = ok && end_list(&reader) &&
         roff_line(out, ".Sh EXAMPLES\nBots get casual games only:\n.Bd -literal -offset indent\n"
                        "[rule bots]\nwhen.kind = bot\nchallenge.modes = casual\n.Ed\n"
                        ".Sh SEE ALSO\ncastled(1)");
    buf_release(&reader.text);
    buf_release(&example);
    return ok;
}
