/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/source/uci_talk.h"

#include "bot/model/score_text.h"
#include "engine/base/number.h"
#include "engine/core/variant_rules.h"

#include <assert.h>
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <strings.h>

enum { CP_MAX = SCORE_TABLEBASE - MAX_PLY - 1 /* no evaluation looks like a mate */ };

const char *uci_variant_name(Variant variant)
{
    return variant_rules_table[variant_ruleset(variant)].uci_name;
}

/* The bits of all variants that this name stands for. */
static uint32_t variants_named(Text name)
{
    uint32_t set = 0;
    for (int i = VARIANT_UNKNOWN + 1; i < VARIANT_COUNT; i++) {
        if (text_is(name, uci_variant_name((Variant)i)))
            set |= 1U << i;
    }
    return set;
}

void uci_talk_init(UciTalk *talk)
{
    memset(talk, 0, sizeof *talk);
}

bool uci_talk_greet(UciTalk *talk, Buf *say)
{
    assert(talk->state == UCI_SILENT);
    talk->state = UCI_GREETING;
    return buf_put_text(say, "uci\n");
}

/* The engine's name, author and options. */

/* Up to the next of `keys`, or the end; blanks inside stay. */
static Text take_phrase(Text *rest, const char *const *keys)
{
    Text phrase = { NULL, 0 };
    for (;;) {
        Text before = *rest;
        Text word = uci_text_next(rest);
        bool is_key = word.len == 0;
        for (size_t i = 0; keys[i] && !is_key; i++)
            is_key = text_is(word, keys[i]);
        if (is_key) {
            *rest = before;
            return phrase;
        }
        if (!phrase.at)
            phrase.at = word.at;
        phrase.len = (size_t)(word.at + word.len - phrase.at);
    }
}

static bool is_printable(Text text)
{
    for (size_t i = 0; i < text.len; i++) {
        if (iscntrl((unsigned char)text.at[i]))
            return false;
    }
    return true;
}

static void hear_id(UciTalk *talk, Text rest)
{
    static const char *const none[] = { NULL };
    if (!text_is(uci_text_next(&rest), "name"))
        return;
    Text name = take_phrase(&rest, none);
    if (name.len > 0 && name.len < sizeof talk->name && is_printable(name))
        text_copy(talk->name, sizeof talk->name, name);
}

static UciOptionType option_type(Text word)
{
    return text_is(word, "check")  ? UCI_OPTION_CHECK
           : text_is(word, "spin") ? UCI_OPTION_SPIN
                                   : UCI_OPTION_OTHER;
}

static void hear_option(UciTalk *talk, Text rest)
{
    static const char *const keys[] = { "type", "default", "min", "max", "var", NULL };
    UciOption option = { .lo = INT64_MIN, .hi = INT64_MAX };
    if (talk->option_count == UCI_OPTIONS_MAX || !text_is(uci_text_next(&rest), "name"))
        return;
    Text name = take_phrase(&rest, keys);
    if (name.len == 0 || !is_printable(name) || !text_copy(option.name, sizeof option.name, name))
        return;
    bool is_variant = strcasecmp(option.name, "UCI_Variant") == 0;
    talk->has_variants = talk->has_variants || is_variant;
    while (rest.len > 0) {
        Text key = uci_text_next(&rest);
        Text value = take_phrase(&rest, keys);
        int64_t *bound = text_is(key, "min") ? &option.lo : text_is(key, "max") ? &option.hi : NULL;
        if (bound && !number_parse(value.at, value.len, INT64_MIN, INT64_MAX, bound, NULL))
            return;
        if (text_is(key, "type"))
            option.type = option_type(value);
        else if (text_is(key, "var") && is_variant)
            talk->variants |= variants_named(value);
    }
    talk->options[talk->option_count++] = option;
}

/* Its search information. */

static bool read_number(Text word, int64_t lo, int64_t hi, int64_t *out)
{
    return word.len > 0 && number_parse(word.at, word.len, lo, hi, out, NULL);
}

static void read_score(Text *rest, UciResult *news, bool *has_score)
{
    int64_t number;
    Text unit = uci_text_next(rest);
    Text value = uci_text_next(rest);
    if (!read_number(value, -1000000, 1000000, &number))
        return;
    if (text_is(unit, "cp"))
        news->score = (int)(number > CP_MAX ? CP_MAX : number < -CP_MAX ? -CP_MAX : number);
    else if (text_is(unit, "mate"))
        news->score = score_of_mate(number);
    else
        return;
    *has_score = true;
}

static void keep_move(char out[UCI_MOVE_SIZE], Text word)
{
    memset(out, 0, UCI_MOVE_SIZE);
    if (uci_text_is_move(word))
        memcpy(out, word.at, word.len);
}

/* Up to the first word that is no move. */
static void keep_line(UciResult *news, Text words)
{
    keep_move(news->move, uci_text_next(&words));
    news->pv_length = 0;
    while (news->pv_length < UCI_PV_MAX) {
        keep_move(news->pv[news->pv_length], uci_text_next(&words));
        if (news->pv[news->pv_length][0] == '\0')
            break;
        news->pv_length++;
    }
    if (news->pv_length > 0)
        memcpy(news->reply, news->pv[0], sizeof news->reply);
    else
        memset(news->reply, 0, sizeof news->reply);
}

/* Only the best line counts, and only whole reports: "currmove" lines have a depth as well. */
static void hear_info(UciTalk *talk, Text rest)
{
    UciResult news = talk->result;
    bool has_score = false;
    int64_t number, line = 1;
    while (rest.len > 0) {
        Text key = uci_text_next(&rest);
        if (text_is(key, "string"))
            return;
        if (text_is(key, "score")) {
            read_score(&rest, &news, &has_score);
        } else if (text_is(key, "pv")) {
            keep_line(&news, rest);
            break;
        } else if (text_is(key, "depth") || text_is(key, "nodes") || text_is(key, "time") ||
                   text_is(key, "multipv")) {
            if (!read_number(uci_text_next(&rest), 0, INT64_MAX, &number))
                continue;
            switch (key.at[0]) {
            case 'd':
                news.depth = (int)(number < MAX_PLY ? number : MAX_PLY);
                break;
            case 'n':
                news.nodes = (uint64_t)number;
                break;
            case 't':
                news.time_ms = number;
                break;
            case 'm':
                line = number;
                break;
            }
        }
    }
    if (has_score && line == 1)
        talk->result = news;
}

/* The reply that goes with the move: its ponder move, else the line's, if the line begins with the
 * move. */
static void take_best(UciTalk *talk, Text rest)
{
    UciResult *result = &talk->result;
    char guess[UCI_MOVE_SIZE], move[UCI_MOVE_SIZE];
    memcpy(guess, result->reply, sizeof guess);
    keep_move(move, uci_text_next(&rest));
    bool is_line = strcmp(move, result->move) == 0;
    result->pv_length = is_line ? result->pv_length : 0;
    memset(result->reply, 0, sizeof result->reply);
    memcpy(result->move, move, sizeof move);
    if (text_is(uci_text_next(&rest), "ponder"))
        keep_move(result->reply, uci_text_next(&rest));
    else if (is_line)
        memcpy(result->reply, guess, sizeof guess);
}

/* The states. */

static bool begin(UciTalk *talk, Buf *say)
{
    talk->has_search = false;
    talk->is_guess_done = false;
    talk->searches++;
    talk->result = (UciResult){ .depth = 0 };
    talk->state = talk->is_guess ? UCI_PONDERING : UCI_SEARCHING;
    return buf_printf(say, "go%s%s\n%s", talk->is_guess ? " ponder" : "", talk->go,
                      talk->is_stopped ? "stop\n" : "");
}

static bool hear_readyok(UciTalk *talk, UciInput *input, Buf *say)
{
    if (talk->readyoks_owed == 0)
        return true;
    talk->readyoks_owed--;
    if (talk->state == UCI_SEARCHING || talk->state == UCI_PONDERING)
        talk->answers_amid_search = true;
    if (talk->state != UCI_PREPARING || talk->readyoks_owed > 0)
        return true;
    if (talk->has_search)
        return begin(talk, say);
    talk->state = UCI_IDLE;
    *input = UCI_INPUT_READY;
    return true;
}

static void hear_best(UciTalk *talk, Text rest, UciInput *input)
{
    switch (talk->state) {
    case UCI_SILENT:
    case UCI_GREETING:
    case UCI_IDLE:
    case UCI_PREPARING:
        break; /* late, or nonsense */
    case UCI_SEARCHING:
        take_best(talk, rest);
        talk->state = UCI_IDLE;
        *input = UCI_INPUT_RESULT;
        break;
    case UCI_PONDERING:
        take_best(talk, rest);
        talk->is_guess_done = true;
        break;
    case UCI_DISCARDING:
        talk->state = UCI_IDLE;
        *input = UCI_INPUT_READY;
        break;
    }
}

bool uci_talk_read(UciTalk *talk, Text line, UciInput *input, Buf *say)
{
    *input = UCI_INPUT_NOTHING;
    Text rest = line;
    Text word = uci_text_next(&rest);
    if (talk->state == UCI_GREETING) {
        if (text_is(word, "id"))
            hear_id(talk, rest);
        else if (text_is(word, "option"))
            hear_option(talk, rest);
        else if (text_is(word, "uciok")) {
            talk->state = UCI_IDLE;
            *input = UCI_INPUT_UCIOK;
        }
        return true;
    }
    if (text_is(word, "readyok"))
        return hear_readyok(talk, input, say);
    if (text_is(word, "bestmove"))
        hear_best(talk, rest, input);
    else if (text_is(word, "info") && !talk->is_guess_done &&
             (talk->state == UCI_SEARCHING || talk->state == UCI_PONDERING))
        hear_info(talk, rest);
    return true;
}

/* What we say. */

const UciOption *uci_talk_option(const UciTalk *talk, const char *name)
{
    for (size_t i = 0; i < talk->option_count; i++) {
        if (strcasecmp(talk->options[i].name, name) == 0)
            return &talk->options[i];
    }
    return NULL;
}

bool uci_talk_set(const UciTalk *talk, const char *name, const char *value, Buf *say)
{
    assert(talk->state == UCI_IDLE || talk->state == UCI_PREPARING);
    (void)talk;
    return buf_printf(say, "setoption name %s value %s\n", name, value);
}

bool uci_talk_ping(UciTalk *talk, Buf *say)
{
    assert(talk->state != UCI_SILENT && talk->state != UCI_GREETING);
    if (talk->state == UCI_IDLE)
        talk->state = UCI_PREPARING;
    talk->readyoks_owed++;
    return buf_put_text(say, "isready\n");
}

static bool put_limit(Buf *out, const char *name, int64_t value)
{
    return value <= 0 || buf_printf(out, " %s %" PRId64, name, value);
}

/* The last of a "go": everything after it is read as a move. Castling alone is never searched. */
static bool put_search_moves(Buf *out, const SearchLimits *limits)
{
    char move[UCI_MOVE_SIZE];
    bool ok = limits->search_move_count == 0 || buf_put_text(out, " searchmoves");
    for (int i = 0; ok && i < limits->search_move_count; i++) {
        assert(!move_is_castling(limits->search_moves[i]));
        uci_move_write(NULL, limits->search_moves[i], CASTLING_KING_TO_TARGET, move);
        ok = buf_printf(out, " %s", move);
    }
    return ok;
}

static bool write_go(UciTalk *talk, const SearchLimits *limits)
{
    Buf out;
    buf_init(&out, sizeof talk->go - 1);
    bool ok = put_limit(&out, "movetime", limits->movetime_ms) &&
              put_limit(&out, "depth", limits->depth) &&
              put_limit(&out, "nodes", (int64_t)(limits->nodes & INT64_MAX));
    if (ok && limits->has_clock)
        ok = buf_printf(&out, " wtime %" PRId64 " btime %" PRId64 " winc %" PRId64 " binc %" PRId64,
                        limits->time_ms[WHITE], limits->time_ms[BLACK], limits->increment_ms[WHITE],
                        limits->increment_ms[BLACK]) &&
             put_limit(&out, "movestogo", limits->moves_to_go);
    ok = ok && put_search_moves(&out, limits);
    memcpy(talk->go, buf_view(&out), out.len + 1);
    buf_release(&out);
    return ok;
}

bool uci_talk_search(UciTalk *talk, const UciSearch *search, Buf *say)
{
    assert(talk->state == UCI_IDLE || talk->state == UCI_PREPARING);
    talk->state = UCI_PREPARING;
    talk->has_search = true;
    talk->is_guess = search->is_guess;
    talk->is_stopped = false;
    talk->readyoks_owed++;
    return write_go(talk, &search->limits) &&
           buf_printf(say, "%sposition %s\nisready\n", search->is_new_game ? "ucinewgame\n" : "",
                      search->position);
}

bool uci_talk_ponderhit(UciTalk *talk, bool *is_done, Buf *say)
{
    assert(talk->is_guess);
    *is_done = talk->state == UCI_PONDERING && talk->is_guess_done;
    talk->is_guess = false;
    if (talk->state != UCI_PONDERING)
        return true; /* it has not begun, and will be a search like any other */
    talk->state = *is_done ? UCI_IDLE : UCI_SEARCHING;
    return *is_done || buf_put_text(say, "ponderhit\n");
}

bool uci_talk_stop(UciTalk *talk, Buf *say)
{
    bool runs = talk->state == UCI_SEARCHING;
    bool waits = talk->state == UCI_PREPARING && talk->has_search && !talk->is_guess;
    if (talk->is_stopped || !(runs || waits))
        return true;
    talk->is_stopped = true;
    return waits || buf_put_text(say, "stop\n");
}

bool uci_talk_discard(UciTalk *talk, Buf *say)
{
    bool runs = talk->state == UCI_SEARCHING || talk->state == UCI_PONDERING;
    talk->has_search = false;
    if (!runs)
        return true;
    bool is_done = talk->state == UCI_PONDERING && talk->is_guess_done;
    bool must_say = !is_done && !talk->is_stopped;
    talk->state = is_done ? UCI_IDLE : UCI_DISCARDING;
    return !must_say || buf_put_text(say, "stop\n");
}
