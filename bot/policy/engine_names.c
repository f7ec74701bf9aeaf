/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/policy/engine_names.h"

#include "engine/base/text_format.h"

#include <ctype.h>
#include <string.h>

/* For one pattern: whoever writes a biography is not to choose how long we look at it. */
enum { STEPS_MAX = 4000 };

typedef struct {
    int steps;
    const char *found; /* what '#' or '{}' stands for */
    size_t found_len;
} Matching;

/* In lower case, each run of blanks one; bytes that are no printable ASCII are blanks too. */
static void simplify(char *out, size_t size, Text text)
{
    size_t len = 0;
    for (size_t i = 0; i < text.len && len + 1 < size; i++) {
        unsigned char c = (unsigned char)text.at[i];
        bool is_printed = c > ' ' && c < 0x7f;
        if (is_printed)
            out[len++] = (char)tolower(c);
        else if (len == 0 || out[len - 1] != ' ')
            out[len++] = ' ';
    }
    out[len] = '\0';
}

static bool fits(Matching *matching, const char *pattern, const char *text);

static bool fits_text(Matching *matching, const char *pattern, const char *text)
{
    for (size_t len = 1; len <= strlen(text) && matching->steps > 0; len++) {
        if (fits(matching, pattern + 2, text + len)) {
            matching->found = text;
            matching->found_len = len;
            return true;
        }
    }
    return false;
}

/* As many digits and dots as there are, but for a dot at the end. */
static bool fits_version(Matching *matching, const char *pattern, const char *text)
{
    size_t len = strspn(text, "0123456789.");
    while (len > 0 && text[len - 1] == '.')
        len--;
    if (len == 0 || text[0] == '.' || !fits(matching, pattern + 1, text + len))
        return false;
    matching->found = text;
    matching->found_len = len;
    return true;
}

/* Each mark calls itself for the rest; there are few in a pattern, and the steps are counted. */
static bool fits(Matching *matching, const char *pattern, const char *text)
{
    for (; matching->steps-- > 0; pattern++, text++) {
        if (*pattern == '*') {
            for (; matching->steps > 0; text++) {
                if (fits(matching, pattern + 1, text))
                    return true;
                if (*text == '\0')
                    return false;
            }
            return false;
        }
        if (*pattern == '#')
            return fits_version(matching, pattern, text);
        if (pattern[0] == '{' && pattern[1] == '}')
            return fits_text(matching, pattern, text);
        if (*pattern != *text)
            return false;
        if (*pattern == '\0')
            return true;
    }
    return false;
}

/* The first one, and its length; NULL: there is none. */
static const char *mark_in(const char *text, size_t *len)
{
    const char *braces = strstr(text, "{}"), *number = strchr(text, '#');
    bool is_number = number && (!braces || number < braces);
    *len = is_number ? 1 : 2;
    return is_number ? number : braces;
}

static bool read_line(EngineNameLine *out, Text line, int number, Error *err)
{
    const char *equals = memchr(line.at, '=', line.len);
    char name[ENGINE_NAME_SIZE], pattern[ENGINE_PATTERN_SIZE];
    size_t mark_len;
    if (!equals) {
        error_set(err, ERR_INVALID, "line %d: not NAME = PATTERN", number);
        return false;
    }
    Text left = text_trimmed((Text){ line.at, (size_t)(equals - line.at) }, " \t\r");
    Text right =
        text_trimmed((Text){ equals + 1, (size_t)(line.at + line.len - equals) - 1 }, " \t\r");
    if (left.len == 0 || right.len == 0 || left.len >= sizeof name || right.len >= sizeof pattern) {
        error_set(err, ERR_RANGE, "line %d: a name has 1 to %zu bytes, a pattern 1 to %zu", number,
                  sizeof name - 1, sizeof pattern - 1);
        return false;
    }
    simplify(name, sizeof name, left);
    simplify(pattern, sizeof pattern, right);
    const char *mark = mark_in(pattern, &mark_len);
    size_t rest_len;
    if (mark && mark_in(mark + mark_len, &rest_len)) {
        error_set(err, ERR_INVALID, "line %d: more than one # or {} in the pattern", number);
        return false;
    }
    if (mark_in(name, &mark_len) && !mark) {
        error_set(err, ERR_INVALID,
                  "line %d: what the name's mark stands for is not in the pattern", number);
        return false;
    }
    memcpy(out->name, name, sizeof name);
    memcpy(out->pattern, pattern, sizeof pattern);
    return true;
}

bool engine_names_parse(EngineNames *out, Text text, Error *err)
{
    int number = 0;
    bool ok = true;
    out->count = 0;
    while (text.len > 0 && ok) {
        const char *end = memchr(text.at, '\n', text.len);
        Text line = { text.at, end ? (size_t)(end - text.at) : text.len };
        text.at += line.len + (end != NULL);
        text.len -= line.len + (end != NULL);
        line = text_trimmed(line, " \t\r");
        number++;
        if (line.len == 0 || line.at[0] == '#')
            continue;
        if (out->count == ENGINE_NAMES_MAX) {
            error_set(err, ERR_RANGE, "line %d: more than %d patterns", number, ENGINE_NAMES_MAX);
            ok = false;
        } else {
            ok = read_line(&out->lines[out->count], line, number, err);
            out->count += ok;
        }
    }
    if (!ok)
        out->count = 0;
    return ok;
}

/* The line's name with what its mark stands for; what does not fit is cut. */
static void write_name(char out[ENGINE_NAME_SIZE], const char *name, const Matching *matching)
{
    size_t mark_len;
    const char *mark = mark_in(name, &mark_len);
    if (!mark) {
        text_format_cut(out, ENGINE_NAME_SIZE, "%s", name);
        return;
    }
    Text found = text_trimmed((Text){ matching->found, matching->found_len }, " ");
    text_format_cut(out, ENGINE_NAME_SIZE, "%.*s%.*s%s", (int)(mark - name), name, TEXT_ARGS(found),
                    mark + mark_len);
}

bool engine_names_find(const EngineNames *names, Text said, char out[ENGINE_NAME_SIZE])
{
    char text[ENGINE_SAID_MAX + 3] = " ";
    Text looked_at = { said.at, said.len < ENGINE_SAID_MAX ? said.len : ENGINE_SAID_MAX };
    out[0] = '\0';
    looked_at = text_trimmed(looked_at, " \t\r\n");
    simplify(text + 1, sizeof text - 2, looked_at);
    size_t len = strlen(text);
    if (len == 1)
        return false;
    memcpy(text + len, " ", 2);
    for (int i = 0; i < names->count; i++) {
        Matching matching = { .steps = STEPS_MAX };
        if (!fits(&matching, names->lines[i].pattern, text))
            continue;
        if (strcmp(names->lines[i].name, "-") != 0)
            write_name(out, names->lines[i].name, &matching);
        return out[0] != '\0';
    }
    return false;
}

bool engine_name_is_among(const char *list, const char *name)
{
    char simple[ENGINE_NAME_SIZE], pattern[ENGINE_PATTERN_SIZE];
    Text rest = text_of(list);
    if (name[0] == '\0')
        return false;
    simplify(simple, sizeof simple, text_of(name));
    for (Text word; (word = text_next_word(&rest, ",")).len > 0;) {
        Matching matching = { .steps = STEPS_MAX };
        simplify(pattern, sizeof pattern, text_trimmed(word, " \t"));
        if (fits(&matching, pattern, simple))
            return true;
    }
    return false;
}
