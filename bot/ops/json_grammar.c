/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/ops/json_grammar.h"

#include <string.h>

typedef struct {
    const char *at, *end;
    int depth, containers;
    const char *why; /* what is wrong at `at`, where that is more than a wrong character */
} Reader;

static bool is_next(const Reader *r, const char *any_of)
{
    return r->at < r->end && *r->at != '\0' && strchr(any_of, *r->at);
}

static bool take(Reader *r, const char *any_of)
{
    if (!is_next(r, any_of))
        return false;
    r->at++;
    return true;
}

static void skip_blanks(Reader *r)
{
    while (take(r, " \t\r\n"))
        continue;
}

static bool take_digits(Reader *r)
{
    const char *digits = "0123456789";
    if (!take(r, digits))
        return false;
    while (take(r, digits))
        continue;
    return true;
}

static bool take_number(Reader *r)
{
    (void)take(r, "-");
    if (!take(r, "0") && !take_digits(r))
        return false;
    if (take(r, ".") && !take_digits(r))
        return false;
    if (!take(r, "eE"))
        return true;
    (void)take(r, "+-");
    return take_digits(r);
}

static bool take_word(Reader *r, const char *word)
{
    for (; *word != '\0'; word++)
        if (r->at == r->end || *r->at++ != *word)
            return false;
    return true;
}

static bool take_escape(Reader *r)
{
    if (!take(r, "u"))
        return take(r, "\"\\/bfnrt");
    for (int i = 0; i < 4; i++)
        if (!take(r, "0123456789abcdefABCDEF"))
            return false;
    return true;
}

static bool take_string(Reader *r)
{
    if (!take(r, "\""))
        return false;
    while (r->at < r->end && *r->at != '\0') {
        if (take(r, "\""))
            return true;
        if (*r->at++ == '\\' && !take_escape(r))
            return false;
    }
    return false;
}

static bool take_value(Reader *r);

static bool take_member(Reader *r)
{
    if (!take_string(r))
        return false;
    skip_blanks(r);
    return take(r, ":") && take_value(r);
}

/* What stands between the brackets, and the closing one. */
static bool take_list(Reader *r, bool (*take_item)(Reader *), const char *close)
{
    skip_blanks(r);
    if (take(r, close))
        return true;
    do {
        skip_blanks(r);
        if (!take_item(r))
            return false;
        skip_blanks(r);
    } while (take(r, ","));
    return take(r, close);
}

static bool take_container(Reader *r)
{
    if (r->depth == JSON_DEPTH_MAX) {
        r->why = "nesting too deep";
        return false;
    }
    if (++r->containers > JSON_CONTAINERS_MAX) {
        r->why = "too many objects and arrays";
        return false;
    }
    r->depth++;
    bool ok = take(r, "{") ? take_list(r, take_member, "}")
                           : take(r, "[") && take_list(r, take_value, "]");
    r->depth--;
    return ok;
}

static bool take_value(Reader *r)
{
    skip_blanks(r);
    if (is_next(r, "{["))
        return take_container(r);
    if (is_next(r, "\""))
        return take_string(r);
    if (is_next(r, "t"))
        return take_word(r, "true");
    if (is_next(r, "f"))
        return take_word(r, "false");
    if (is_next(r, "n"))
        return take_word(r, "null");
    return take_number(r);
}

bool json_grammar_check(const char *text, size_t len, Error *err)
{
    Reader r = { .at = text, .end = text + len };
    if (take_value(&r)) {
        skip_blanks(&r);
        if (r.at == r.end)
            return true;
        r.why = "text follows the value";
    }
    size_t byte = (size_t)(r.at - text);
    if (r.why)
        error_set(err, ERR_INVALID, "no JSON: %s at byte %zu", r.why, byte);
    else if (r.at == r.end)
        error_set(err, ERR_INVALID, "no JSON: it ends too early");
    else
        error_set(err, ERR_INVALID, "no JSON: wrong character at byte %zu", byte);
    return false;
}
