/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/config/ini_source.h"

#include <ctype.h>
#include <ini.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

typedef struct {
    const char *text;
    size_t len;
    size_t at;  /* the next line begins here */
    int number; /* of the line handed out last, from 1 */
    const IniCallbacks *callbacks;
} Source;

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

/* What is wrong with the line "[…", or NULL and its section's name. */
static const char *section_problem(const char *line, char section[INI_SECTION_LONGEST + 1])
{
    size_t len = strcspn(line + 1, "];");
    if (line[1 + len] != ']')
        return "a section needs a closing ]";
    if (len > INI_SECTION_LONGEST)
        return "section name longer than 49 bytes";
    const char *rest = line + 1 + len + 1;
    rest += strspn(rest, " \t");
    if (*rest && *rest != ';' && *rest != '#')
        return "nothing may follow a section's ]";
    memcpy(section, line + 1, len);
    section[len] = '\0';
    return NULL;
}

/* What is wrong with a line "key = value", or NULL. */
static const char *pair_problem(const char *line)
{
    size_t key_len = strcspn(line, "=:;");
    if (key_len == 0)
        return "no key before the =";
    switch (line[key_len]) {
    case '=':
        return NULL;
    case ':': /* inih would take it as '=' */
        return "write key = value, with =";
    default:
        return "neither [section] nor key = value";
    }
}

static bool has_control(const char *line, size_t len)
{
    for (size_t i = 0; i < len; i++)
        if (iscntrl((unsigned char)line[i]) && line[i] != '\t')
            return true;
    return false;
}

/* The next line without the blanks around it and without its end. */
static const char *take_line(Source *source, size_t *len)
{
    const char *line = source->text + source->at;
    const char *end = memchr(line, '\n', source->len - source->at);
    *len = end ? (size_t)(end - line) : source->len - source->at;
    source->at += *len + (end ? 1 : 0);
    source->number++;
    if (source->number == 1 && *len >= 3 && memcmp(line, "\xef\xbb\xbf", 3) == 0) {
        line += 3; /* a byte order mark */
        *len -= 3;
    }
    while (*len > 0 && (is_blank(line[*len - 1]) || line[*len - 1] == '\r'))
        --*len;
    while (*len > 0 && is_blank(*line)) {
        line++;
        --*len;
    }
    return line;
}

/* inih's line source: fgets() over the text, giving it only what it reads faithfully. */
static char *next_line(char *out, int size, void *stream)
{
    Source *source = stream;
    if (source->at >= source->len || size < INI_LINE_LONGEST + 2)
        return NULL;
    const IniCallbacks *to = source->callbacks;
    size_t len;
    const char *line = take_line(source, &len);
    char copy[INI_LINE_LONGEST + 1] = { 0 };
    const char *problem = NULL;
    if (len > INI_LINE_LONGEST) {
        copy[0] = line[0];
        if (copy[0] != ';' && copy[0] != '#')
            problem = "longer than 198 bytes (a list of users may be given in several lines)";
    } else {
        memcpy(copy, line, len);
        if (has_control(copy, len))
            problem = "holds a control character";
    }
    bool is_section = copy[0] == '[';
    bool is_comment = copy[0] == '\0' || copy[0] == ';' || copy[0] == '#';
    char section[INI_SECTION_LONGEST + 1] = INI_SECTION_BROKEN;
    if (!problem && is_section)
        problem = section_problem(copy, section);
    else if (!problem && !is_comment)
        problem = pair_problem(copy);
    if (problem)
        to->on_problem(to->user, source->number, problem);
    else if (is_section)
        to->on_section(to->user, source->number, section);
    int n = is_section              ? snprintf(out, (size_t)size, "[%s]\n", section)
            : problem || is_comment ? snprintf(out, (size_t)size, "\n")
                                    : snprintf(out, (size_t)size, "%s\n", copy);
    return n > 0 ? out : NULL;
}

static int on_key(void *user, const char *section, const char *name, const char *value)
{
    const Source *source = user;
    source->callbacks->on_key(source->callbacks->user, source->number, section, name, value);
    return 1;
}

void ini_read(const char *text, size_t len, const IniCallbacks *callbacks)
{
    Source source = { .text = text, .len = len, .callbacks = callbacks };
    int bad_line = ini_parse_stream(next_line, &source, on_key, &source);
    if (bad_line > 0)
        callbacks->on_problem(callbacks->user, bad_line, "neither [section] nor key = value");
    else if (bad_line < 0)
        callbacks->on_problem(callbacks->user, source.number + 1, "no memory");
}
