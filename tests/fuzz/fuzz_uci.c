/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lines of a UCI session. All are parsed; those that cost neither memory nor time without bound are
 * obeyed too, by one session that lives as long as the fuzzer. Searches start for few inputs only,
 * or they would take all the time; which ones depends on an input's bytes alone, so that whatever
 * is found is found again. */
#include "engine/core/fen.h"
#include "engine/uci/command.h"
#include "engine/uci/options.h"
#include "engine/uci/protocol.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool ok)
{
    if (!ok)
        abort();
}

static void ignore(void *user, const char *text)
{
    (void)user;
    must(text[0] != '\0' && text[strlen(text) - 1] == '\n');
}

static void parse(const char *line, size_t len)
{
    Tokens tokens = tokens_of(line, len);
    Token word = tokens_next(&tokens);
    Position pos;
    HumanHistory history;
    GoCommand go;
    UciOptions options = UCI_OPTIONS_DEFAULT;
    OptionEffect effect;
    const Ruleset ruleset = (Ruleset)(len / 2 % RULESET_COUNT);
    Error err = { 0 };
    must(fen_read(&pos, FEN_START, FEN_STRICT, NULL, NULL));
    if (token_is(word, "position"))
        must(command_read_position(tokens, ruleset, len & 1, &pos, &history, &err)
                 ? position_validate(&pos, NULL)
                 : error_is_set(&err));
    else if (token_is(word, "go"))
        must(command_read_go(tokens, &pos, &go, &err) || error_is_set(&err));
    else if (token_is(word, "setoption"))
        must(options_set(&options, tokens, &effect, &err) || error_is_set(&err));
}

/* FNV-1a. */
static bool may_search(const uint8_t *data, size_t size)
{
    enum { ONE_IN = 1024 };
    uint32_t hash = 2166136261U;
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ data[i]) * 16777619U;
    return hash % ONE_IN == 0;
}

static bool is_cheap(const char *line, size_t len, bool search)
{
    static const char variant[] = "setoption name UCI_Variant value ";
    Tokens tokens = tokens_of(line, len);
    Token word = tokens_peek(&tokens);
    if (token_is(word, "setoption")) /* a table of a terabyte is no bug */
        return len > sizeof variant && memcmp(line, variant, sizeof variant - 1) == 0;
    if (!search && (token_is(word, "go") || token_is(word, "ucinewgame")))
        return false;
    while (tokens_peek(&tokens).len)
        if (token_is(tokens_next(&tokens), "perft"))
            return false;
    return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static Uci *uci;
    if (!uci)
        must(uci_new(&uci, ignore, NULL, NULL));
    const char *at = (const char *)data;
    const char *end = at + size;
    bool search = may_search(data, size);
    while (at < end) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        size_t len = newline ? (size_t)(newline - at) : (size_t)(end - at);
        parse(at, len);
        if (is_cheap(at, len, search)) {
            (void)!uci_handle(uci, at, len);
            must(uci_handle(uci, "stop", 4));
        }
        at += len + (newline != NULL);
    }
    return 0;
}
