/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/uci/command.h"

#include "engine/base/minmax.h"
#include "engine/base/number.h"
#include "engine/core/fen.h"
#include "engine/core/uci_move.h"
#include "engine/core/variant_rules.h"

#include <string.h>

/* All words of "go": a flag, or a number and its field. */
typedef enum { GO_FLAG, GO_INT, GO_INT64, GO_UINT64, GO_MOVES } GoKind;

typedef struct {
    const char *word;
    GoKind kind;
    size_t offset; /* in GoCommand */
    int64_t lo, hi;
    bool is_clock;
} GoKey;

#define AT(field) offsetof(GoCommand, limits) + offsetof(SearchLimits, field)
#define MS_MAX (INT64_C(1) << 40)

static const GoKey go_keys[] = {
    { "wtime", GO_INT64, AT(time_ms[WHITE]), -MS_MAX, MS_MAX, true },
    { "btime", GO_INT64, AT(time_ms[BLACK]), -MS_MAX, MS_MAX, true },
    { "winc", GO_INT64, AT(increment_ms[WHITE]), 0, MS_MAX, true },
    { "binc", GO_INT64, AT(increment_ms[BLACK]), 0, MS_MAX, true },
    { "movestogo", GO_INT, AT(moves_to_go), 0, 10000, false },
    { "movetime", GO_INT64, AT(movetime_ms), 1, MS_MAX, false },
    { "depth", GO_INT, AT(depth), 1, 100000, false },
    { "nodes", GO_UINT64, AT(nodes), 1, INT64_MAX, false },
    { "mate", GO_INT, AT(mate), 1, 1000, false },
    { "infinite", GO_FLAG, AT(infinite), 0, 0, false },
    { "ponder", GO_FLAG, AT(ponder), 0, 0, false },
    { "searchmoves", GO_MOVES, 0, 0, 0, false },
    { "perft", GO_INT, offsetof(GoCommand, perft_depth), 1, 100, false },
};

static const GoKey *go_key(Token word)
{
    for (size_t i = 0; i < sizeof go_keys / sizeof *go_keys; i++)
        if (token_is(word, go_keys[i].word))
            return &go_keys[i];
    return NULL;
}

/* The first fault is the one that the GUI gets. */
static void note_fault(Error *first, const Error *fault)
{
    if (!error_is_set(first))
        *first = *fault;
}

/* Moves that are not legal are left out. */
static void read_search_moves(Tokens *tokens, const Position *pos, SearchLimits *limits, Error *err)
{
    while (tokens_peek(tokens).len && !go_key(tokens_peek(tokens))) {
        Token word = tokens_next(tokens);
        Error fault = { 0 };
        Move m = MOVE_NONE;
        if (!uci_move_match(pos, word.text, word.len, &m, &fault))
            note_fault(err, &fault);
        else if (limits->search_move_count < MAX_MOVES)
            limits->search_moves[limits->search_move_count++] = m;
        else
            error_set(err, ERR_RANGE, "more than %d moves", MAX_MOVES);
    }
    if (limits->search_move_count == 0)
        error_set(err, ERR_INVALID, "no moves given");
}

/* What a number that is out of range, or is none, counts as: the nearest, or the lowest, so that
 * the move comes rather too early than never. */
static int64_t nearest(Token word, const GoKey *key)
{
    int64_t value;
    Error fault = { 0 };
    if (number_parse(word.text, word.len, INT64_MIN, INT64_MAX, &value, &fault))
        return int64_clamp(value, key->lo, key->hi);
    return fault.code == ERR_RANGE && word.text[0] != '-' ? key->hi : key->lo;
}

static void read_number(Tokens *tokens, const GoKey *key, GoCommand *go, Error *err)
{
    Token word = tokens_peek(tokens);
    if (go_key(word))
        word.len = 0; /* the number is missing */
    else
        tokens_next(tokens);
    int64_t value;
    if (!number_parse(word.text, word.len, key->lo, key->hi, &value, err))
        value = nearest(word, key);
    char *field = (char *)go + key->offset;
    if (key->kind == GO_INT)
        memcpy(field, &(int){ (int)value }, sizeof(int));
    else
        memcpy(field, &value, sizeof value);
    if (key->is_clock)
        go->limits.has_clock = true;
}

static void read_key(Tokens *tokens, const GoKey *key, const Position *pos, GoCommand *go,
                     Error *err)
{
    switch (key->kind) {
    case GO_FLAG:
        memcpy((char *)go + key->offset, &(bool){ true }, sizeof(bool));
        break;
    case GO_INT:
    case GO_INT64:
    case GO_UINT64:
        read_number(tokens, key, go, err);
        break;
    case GO_MOVES:
        read_search_moves(tokens, pos, &go->limits, err);
        break;
    }
}

bool command_read_go(Tokens tokens, const Position *pos, GoCommand *out, Error *err)
{
    Error first = { 0 };
    *out = (GoCommand){ 0 };
    for (Token word; (word = tokens_next(&tokens)).len;) {
        Error fault = { 0 };
        const GoKey *key = go_key(word);
        if (key)
            read_key(&tokens, key, pos, out, &fault);
        else
            error_set(&fault, ERR_INVALID, "unknown word \"%.*s\"", token_shown(word), word.text);
        if (error_is_set(&fault))
            error_prefix(&fault, key ? "go %s" : "go", key ? key->word : "");
        note_fault(&first, &fault);
    }
    if (err)
        *err = first;
    return !error_is_set(&first);
}

/* The words up to "moves", or to the end, as one string. */
static bool take_fen(Tokens *tokens, char *out, size_t size, Error *err)
{
    size_t len = 0;
    while (tokens_peek(tokens).len && !token_is(tokens_peek(tokens), "moves")) {
        Token word = tokens_next(tokens);
        if (len + word.len + 2 > size) {
            error_set(err, ERR_INVALID, "FEN: longer than %zu characters", size - 2);
            return false;
        }
        if (len)
            out[len++] = ' ';
        memcpy(out + len, word.text, word.len);
        len += word.len;
    }
    out[len] = '\0';
    return true;
}

static bool make_moves(Tokens *tokens, Position *pos, HumanHistory *history, Error *err)
{
    int number = 0;
    for (Token word; (word = tokens_next(tokens)).len;) {
        Move m;
        Undo undo;
        number++;
        if (!uci_move_match(pos, word.text, word.len, &m, err)) {
            error_prefix(err, "move %d", number);
            return false;
        }
        position_make(pos, m, &undo);
        human_history_push(history, pos);
    }
    return true;
}

bool command_read_position(Tokens tokens, Ruleset ruleset, bool chess960, Position *out,
                           HumanHistory *history, Error *err)
{
    enum { FEN_TEXT_SIZE = 2 * FEN_SIZE };
    char given[FEN_TEXT_SIZE];
    const char *fen = variant_rules_table[ruleset].start_fen;
    Token kind = tokens_next(&tokens);
    if (token_is(kind, "fen")) {
        if (!take_fen(&tokens, given, sizeof given, err))
            goto failed;
        fen = given;
    } else if (!token_is(kind, "startpos")) {
        error_set(err, ERR_INVALID, "\"%.*s\": startpos or fen expected", token_shown(kind),
                  kind.text);
        goto failed;
    }
    Position pos;
    if (!fen_read_as(&pos, ruleset, fen, FEN_STRICT, NULL, err))
        goto failed;
    if (chess960)
        pos.rules.chess960 = true;
    Token next = tokens_next(&tokens);
    if (next.len && !token_is(next, "moves")) {
        error_set(err, ERR_INVALID, "\"%.*s\": moves expected", token_shown(next), next.text);
        goto failed;
    }
    HumanHistory passed;
    human_history_init(&passed, &pos, human_en_passant_of(fen));
    if (!make_moves(&tokens, &pos, &passed, err))
        goto failed;
    *out = pos;
    *history = passed;
    return true;
failed:
    error_prefix(err, "position");
    return false;
}
