/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/uci/options.h"

#include "engine/base/number.h"
#include "engine/core/variant_rules.h"

#include <string.h>

typedef enum { KIND_SPIN, KIND_CHECK, KIND_PATH, KIND_BUTTON, KIND_VARIANT, KIND_WORD } OptionKind;

typedef struct {
    const char *name;
    OptionKind kind;
    OptionEffect effect;
    size_t offset; /* in UciOptions: an int (spin), a bool (check), char[UCI_PATH_SIZE] (path) or a
                      Ruleset (variant); an int too (word) */
    int lo, hi;    /* of a spin; `lo` of a word: which of `words` */
    const char *help; /* sentences for castled-uci(1) */
} OptionRow;

enum { WORDS_STYLE, WORDS_CHOICE };
static const char *const words[][2] = {
    [WORDS_STYLE] = { "engine", "human" },
    [WORDS_CHOICE] = { "drawn", "likeliest" },
};

#define AT(field) offsetof(UciOptions, engine) + offsetof(EngineOptions, field)

static const OptionRow rows[] = {
    { "Hash", KIND_SPIN, OPTION_ENGINE, AT(hash_mib), 1, 1048576,
      "Size of the transposition table in MiB. A change empties it." },
    { "Clear Hash", KIND_BUTTON, OPTION_CLEAR, 0, 0, 0,
      "Empty the transposition table and the histories of move ordering." },
    { "Threads", KIND_SPIN, OPTION_ENGINE, AT(threads), 1, MAX_THREADS,
      "Search threads. They share the transposition table." },
    { "MultiPV", KIND_SPIN, OPTION_ENGINE, AT(multi_pv), 1, MAX_MULTI_PV,
      "How many lines to search and report, best first. More than one costs strength." },
    { "Move Overhead", KIND_SPIN, OPTION_ENGINE, AT(overhead_ms), 0, 60000,
      "Milliseconds to keep back from each move's time, for the way to and from the GUI." },
    { "Contempt", KIND_SPIN, OPTION_PROTOCOL, offsetof(UciOptions, contempt), -CONTEMPT_MAX,
      CONTEMPT_MAX,
      "Centipawns that a draw is worth less than 0 to the side that moves. More than 0 avoids "
      "draws "
      "with weaker opponents, less seeks them with stronger ones." },
    { "Variety", KIND_SPIN, OPTION_PROTOCOL, offsetof(UciOptions, variety), 0, 50,
      "Centipawns by which each of the first eight moves may be worse than the best, so that games "
      "differ." },
    { "SyzygyPath", KIND_PATH, OPTION_TABLEBASE, offsetof(UciOptions, syzygy_path), 0, 0,
      "Directories with Syzygy tablebases, separated by colons." },
    { "EvalFile", KIND_PATH, OPTION_NETWORK, offsetof(UciOptions, eval_file), 0, 0,
      "A network to evaluate with; one for each set of rules may be named after the other. Empty: "
      "those that are built in." },
    { "Ponder", KIND_CHECK, OPTION_PROTOCOL, offsetof(UciOptions, ponder), 0, 1,
      "Whether the GUI lets the engine ponder. Then it takes a quarter more time for a move, as "
      "some "
      "of its thinking will be in the opponent's time." },
    { "UCI_Chess960", KIND_CHECK, OPTION_PROTOCOL, offsetof(UciOptions, chess960), 0, 1,
      "Read and write castling as the king taking its own rook, as Chess960 needs it." },
    { "UCI_Variant", KIND_VARIANT, OPTION_VARIANT, offsetof(UciOptions, ruleset), 0, 0,
      "The rules that positions are played by: those of chess or of a variant, as Lichess has "
      "them." },
    { "UCI_LimitStrength", KIND_CHECK, OPTION_RATING, offsetof(UciOptions, limit_strength), 0, 1,
      "Play weaker on purpose, with the rating in UCI_Elo." },
    { "UCI_Elo", KIND_SPIN, OPTION_RATING, offsetof(UciOptions, elo), ELO_MIN, ELO_MAX,
      "The rating to play with when UCI_LimitStrength is set. Measured against Stockfish from 1350 "
      "to 2250; below and above only against itself." },
    { "HumanFile", KIND_PATH, OPTION_HUMAN, offsetof(UciOptions, human_file), 0, 0,
      "A policy network in the format of Lc0, as Maia's are: how likely each move is to be a "
      "person's; built-in: castled's own, for all ratings. Of a folder of networks "
      "(maia-1500.pb.gz) "
      "the one nearest to UCI_Elo. Empty: none." },
    { "Style", KIND_WORD, OPTION_PROTOCOL, offsetof(UciOptions, style), WORDS_STYLE, 0,
      "With human and a HumanFile, play as a person of the network's rating might, or with the one "
      "built in as one of UCI_Elo. "
      "UCI_LimitStrength and UCI_Elo then say how much a short search has a say: little at 1100 "
      "and below, all at 2800. The ratings that came of it so far are in engine/nets/README.md." },
    { "HumanChoice", KIND_WORD, OPTION_PROTOCOL, offsetof(UciOptions, human_choice), WORDS_CHOICE,
      0,
      "Of a person's moves, one drawn by how likely each is, or always the likeliest, which is "
      "stronger and makes the same games again." },
#ifdef CASTLED_TUNE
    #define PARAM_ROW(name, value, lo, hi)                                                         \
        { #name,                                                                                   \
          KIND_SPIN,                                                                               \
          OPTION_ENGINE,                                                                           \
          offsetof(UciOptions, params.name),                                                       \
          lo,                                                                                      \
          hi,                                                                                      \
          "A number of the search, see params.h." },
    PARAMS(PARAM_ROW)
#endif
};
enum { ROWS = sizeof rows / sizeof *rows };

static const OptionRow *find_row(Token name)
{
    for (int i = 0; i < ROWS; i++)
        if (token_is_nocase(name, rows[i].name))
            return &rows[i];
    return NULL;
}

static bool announce_variants(Buf *out, const char *name, Ruleset value)
{
    bool ok = buf_printf(out, "option name %s type combo default %s", name,
                         variant_rules_table[value].uci_name);
    for (Ruleset r = RULES_STANDARD; r < RULESET_COUNT; r++)
        ok = ok && buf_printf(out, " var %s", variant_rules_table[r].uci_name);
    return ok && buf_put_char(out, '\n');
}

bool options_announce(Buf *out)
{
    const UciOptions defaults = UCI_OPTIONS_DEFAULT;
    for (int i = 0; i < ROWS; i++) {
        const OptionRow *row = &rows[i];
        const char *field = (const char *)&defaults + row->offset;
        bool ok = false;
        switch (row->kind) {
        case KIND_SPIN: {
            int value;
            memcpy(&value, field, sizeof value);
            ok = buf_printf(out, "option name %s type spin default %d min %d max %d\n", row->name,
                            value, row->lo, row->hi);
            break;
        }
        case KIND_CHECK:
            ok = buf_printf(out, "option name %s type check default %s\n", row->name,
                            *(const bool *)field ? "true" : "false");
            break;
        case KIND_PATH:
            ok = buf_printf(out, "option name %s type string default <empty>\n", row->name);
            break;
        case KIND_BUTTON:
            ok = buf_printf(out, "option name %s type button\n", row->name);
            break;
        case KIND_VARIANT:
            ok = announce_variants(out, row->name, *(const Ruleset *)field);
            break;
        case KIND_WORD:
            ok = buf_printf(out, "option name %s type combo default %s var %s var %s\n", row->name,
                            words[row->lo][0], words[row->lo][0], words[row->lo][1]);
            break;
        }
        if (!ok)
            return false;
    }
    return true;
}

/* Splits "name A B value C D": both parts may hold blanks. */
static bool split(Tokens tokens, Token *name, Token *value, Error *err)
{
    if (!token_is(tokens_next(&tokens), "name")) {
        error_set(err, ERR_INVALID, "\"name\" expected");
        return false;
    }
    *name = (Token){ .text = tokens_peek(&tokens).text };
    *value = (Token){ .text = "" };
    for (Token word; (word = tokens_next(&tokens)).len;) {
        if (token_is(word, "value")) {
            *value = tokens_rest(&tokens);
            break;
        }
        name->len = (size_t)(word.text + word.len - name->text);
    }
    if (name->len == 0)
        error_set(err, ERR_INVALID, "the option's name is missing");
    return name->len > 0;
}

/* "<empty>" is how UCI writes an empty string. */
static bool set_path(char *path, Token value, Error *err)
{
    if (value.len >= UCI_PATH_SIZE) {
        error_set(err, ERR_RANGE, "longer than %d bytes", UCI_PATH_SIZE - 1);
        return false;
    }
    size_t len = token_is(value, "<empty>") ? 0 : value.len;
    memcpy(path, value.text, len);
    path[len] = '\0';
    return true;
}

static bool set_variant(Ruleset *ruleset, Token value, Error *err)
{
    Ruleset named = ruleset_of_uci_name(value.text, value.len);
    if (named == RULESET_COUNT) {
        error_set(err, ERR_INVALID, "no variant \"%.*s\"", token_shown(value), value.text);
        return false;
    }
    *ruleset = named;
    return true;
}

static bool set_word(int *chosen, const OptionRow *row, Token value, Error *err)
{
    for (int i = 0; i < 2; i++)
        if (token_is_nocase(value, words[row->lo][i])) {
            *chosen = i;
            return true;
        }
    error_set(err, ERR_INVALID, "\"%.*s\" is neither %s nor %s", token_shown(value), value.text,
              words[row->lo][0], words[row->lo][1]);
    return false;
}

static bool set_value(UciOptions *options, const OptionRow *row, Token value, Error *err)
{
    char *field = (char *)options + row->offset;
    int64_t number;
    switch (row->kind) {
    case KIND_SPIN:
        if (!number_parse(value.text, value.len, row->lo, row->hi, &number, err))
            return false;
        memcpy(field, &(int){ (int)number }, sizeof(int));
        return true;
    case KIND_CHECK:
        if (!token_is_nocase(value, "true") && !token_is_nocase(value, "false")) {
            error_set(err, ERR_INVALID, "\"%.*s\" is neither true nor false", token_shown(value),
                      value.text);
            return false;
        }
        memcpy(field, &(bool){ token_is_nocase(value, "true") }, sizeof(bool));
        return true;
    case KIND_PATH:
        return set_path(field, value, err);
    case KIND_BUTTON:
        return true;
    case KIND_VARIANT:
        return set_variant((Ruleset *)field, value, err);
    case KIND_WORD:
        return set_word((int *)(void *)field, row, value, err);
    }
    return false;
}

bool options_set(UciOptions *options, Tokens tokens, OptionEffect *effect, Error *err)
{
    Token name;
    Token value;
    if (!split(tokens, &name, &value, err)) {
        error_prefix(err, "setoption");
        return false;
    }
    const OptionRow *row = find_row(name);
    if (!row) {
        error_set(err, ERR_INVALID, "setoption: no option \"%.*s\"", token_shown(name), name.text);
        return false;
    }
    if (!set_value(options, row, value, err)) {
        error_prefix(err, "setoption %s", row->name);
        return false;
    }
    *effect = row->effect;
    return true;
}

const char *options_help(Token name)
{
    const OptionRow *row = find_row(name);
    return row ? row->help : NULL;
}
