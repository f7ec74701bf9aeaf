/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/config/ini_reader.h"

#include <assert.h>
#include <ctype.h>
#include <stdbool.h>
#include <string.h>

static_assert(INI_SECTION_LONGEST == 100 && INI_LINE_LONGEST == 4000, "the messages below say so");

typedef struct {
    const char *text;
    size_t len;
    size_t at;  /* the next line begins here */
    int number; /* of the line handed out last, from 1 */
    char section[INI_SECTION_LONGEST + 1];
    const IniCallbacks *to;
} Reader;

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
        return "section name longer than 100 bytes";
    const char *rest = line + 1 + len + 1;
    rest += strspn(rest, " \t");
    if (*rest && *rest != ';' && *rest != '#')
        return "nothing may follow a section's ]";
    memcpy(section, line + 1, len);
    section[len] = '\0';
    return NULL;
}

static bool has_control(const char *line, size_t len)
{
    for (size_t i = 0; i < len; i++)
        if (iscntrl((unsigned char)line[i]) && line[i] != '\t')
            return true;
    return false;
}

/* The next line without the blanks around it and without its end. */
static const char *take_line(Reader *reader, size_t *len)
{
    const char *line = reader->text + reader->at;
    const char *end = memchr(line, '\n', reader->len - reader->at);
    *len = end ? (size_t)(end - line) : reader->len - reader->at;
    reader->at += *len + (end ? 1 : 0);
    reader->number++;
    if (reader->number == 1 && *len >= 3 && memcmp(line, "\xef\xbb\xbf", 3) == 0) {
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

/* Takes the blanks off the end of text[0..len). */
static size_t without_blanks(const char *text, size_t len)
{
    while (len > 0 && is_blank(text[len - 1]))
        len--;
    return len;
}

static void read_section(Reader *reader, const char *line)
{
    char section[INI_SECTION_LONGEST + 1] = { 0 };
    const char *problem = section_problem(line, section);
    memcpy(reader->section, problem ? INI_SECTION_BROKEN : section,
           problem ? sizeof INI_SECTION_BROKEN : sizeof section);
    if (problem)
        reader->to->on_problem(reader->to->user, reader->number, problem);
    else
        reader->to->on_section(reader->to->user, reader->number, reader->section);
}

/* Cuts `line` into key and value. */
static void read_pair(Reader *reader, char *line)
{
    const IniCallbacks *to = reader->to;
    size_t key_len = strcspn(line, "=:;");
    const char *problem = key_len == 0           ? "no key before the ="
                          : line[key_len] == ':' ? "write key = value, with ="
                          : line[key_len] == '=' ? NULL
                                                 : "neither [section] nor key = value";
    if (problem) {
        to->on_problem(to->user, reader->number, problem);
        return;
    }
    char *value = line + key_len + 1;
    size_t value_len = 0;
    while (value[value_len] != '\0' &&
           !(value[value_len] == ';' && value_len > 0 && is_blank(value[value_len - 1])))
        value_len++;
    value[without_blanks(value, value_len)] = '\0';
    value += strspn(value, " \t");
    line[without_blanks(line, key_len)] = '\0';
    to->on_key(to->user, reader->number, reader->section, line, value);
}

static void read_line(Reader *reader, const char *line, size_t len)
{
    const IniCallbacks *to = reader->to;
    char copy[INI_LINE_LONGEST + 1] = { 0 };
    if (len == 0 || *line == ';' || *line == '#')
        return;
    if (len > INI_LINE_LONGEST) {
        to->on_problem(to->user, reader->number,
                       "longer than 4000 bytes (a list of users may be given in several lines)");
        return;
    }
    memcpy(copy, line, len);
    if (has_control(copy, len))
        to->on_problem(to->user, reader->number, "holds a control character");
    else if (copy[0] == '[')
        read_section(reader, copy);
    else
        read_pair(reader, copy);
}

void ini_read(const char *text, size_t len, const IniCallbacks *callbacks)
{
    Reader reader = { .text = text, .len = len, .to = callbacks };
    while (reader.at < reader.len) {
        size_t line_len;
        const char *line = take_line(&reader, &line_len);
        read_line(&reader, line, line_len);
    }
}
