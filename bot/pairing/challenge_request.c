/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/pairing/challenge_request.h"

#include "bot/config/match_values.h"
#include "bot/model/ids.h"
#include "engine/base/check.h"
#include "engine/core/movegen.h"

#include <string.h>

enum { CLOCK_SIZE = 32 };

static bool read_user(ChallengeRequest *out, Text word, Error *err)
{
    if (!user_name_is_valid(word) || !text_copy(out->opponent, sizeof out->opponent, word)) {
        error_set(err, ERR_INVALID, "%.*s: not a user's name", TEXT_ARGS(word));
        return false;
    }
    user_id_from_name(out->opponent);
    return true;
}

static bool read_clock(ChallengeRequest *out, Text text, Error *err)
{
    ClockList clocks = { 0 };
    char word[CLOCK_SIZE];
    if (!text_copy(word, sizeof word, text) || !value_list_read(&clocks_kind, &clocks, word, err)) {
        error_set(err, ERR_INVALID, "not a clock");
        error_prefix(err, "%.*s", TEXT_ARGS(text));
        return false;
    }
    out->base_s = clocks.at[0].base_lo_s;
    out->increment_s = clocks.at[0].increment_lo_s;
    out->days = clocks.at[0].days;
    bool is_range = clocks.count != 1 || clocks.at[0].base_hi_s != out->base_s ||
                    clocks.at[0].increment_hi_s != out->increment_s;
    if (is_range) {
        error_set(err, ERR_INVALID, "%s: one clock is needed, such as 3+2", word);
        return false;
    }
    if (!clocks_exist(&clocks, err)) {
        error_prefix(err, "%s", word);
        return false;
    }
    return true;
}

/* "fen=…". Strictly: the game is not there yet, and who asks can correct it. */
static bool read_position(ChallengeRequest *out, Text fen, Error *err)
{
    Position pos;
    MoveList moves;
    if (!text_copy(out->fen, sizeof out->fen, fen)) {
        error_set(err, ERR_INVALID, "a FEN that is too long");
        return false;
    }
    for (char *c = out->fen; *c; c++)
        *c = *c == '_' ? ' ' : *c;
    if (!fen_read(&pos, out->fen, FEN_STRICT, NULL, err)) {
        error_prefix(err, "%s", out->fen);
        return false;
    }
    movegen_legal(&pos, &moves);
    if (moves.count == 0) {
        error_set(err, ERR_INVALID, "%s: the game would be over", out->fen);
        return false;
    }
    return true;
}

/* What the words say must go together. */
static bool complete_position(ChallengeRequest *request, Error *err)
{
    bool is_fresh = request->fen[0] == '\0';
    if (is_fresh && request->variant == VARIANT_FROM_POSITION)
        error_set(err, ERR_INVALID, "fromPosition: needs a position: fen=FEN");
    else if (!is_fresh && !variant_is_chess(request->variant))
        error_set(err, ERR_INVALID, "%s: only standard chess and chess960 begin with a position",
                  variant_name(request->variant));
    else if (!is_fresh && request->rated)
        error_set(err, ERR_INVALID, "rated: a game from a position can only be casual");
    if (!is_fresh && request->variant == VARIANT_STANDARD)
        request->variant = VARIANT_FROM_POSITION;
    return !error_is_set(err);
}

bool challenge_request_read(ChallengeRequest *out, Text words, Error *err)
{
    static const char position[] = "fen=";
    ChallengeRequest request = { .variant = VARIANT_STANDARD, .colour = COLOUR_NONE };
    Error why = { 0 };
    Text user = text_next_word(&words, " "), clock = text_next_word(&words, " ");
    if (clock.len == 0) {
        error_set(err, ERR_INVALID, "a user and a clock are needed: USER 3+2");
        return false;
    }
    if (!read_user(&request, user, err) || !read_clock(&request, clock, err))
        return false;
    for (Text word; (word = text_next_word(&words, " ")).len > 0;) {
        Variant variant = variant_of(word);
        if (text_is(word, "rated") || text_is(word, "casual")) {
            request.rated = word.at[0] == 'r';
        } else if (text_is(word, "white") || text_is(word, "black")) {
            request.colour = word.at[0] == 'w' ? WHITE : BLACK;
        } else if (text_starts_with(word, position)) {
            const size_t len = sizeof position - 1;
            if (!read_position(&request, (Text){ word.at + len, word.len - len }, err))
                return false;
        } else if (variant != VARIANT_UNKNOWN) {
            request.variant = variant;
        } else {
            error_set(err, ERR_INVALID,
                      "%.*s: none of rated, casual, white, black, and no variant that one can "
                      "challenge to",
                      TEXT_ARGS(word));
            return false;
        }
    }
    if (!complete_position(&request, &why)) {
        error_set(err, why.code, "%s", why.text);
        return false;
    }
    *out = request;
    return true;
}

bool challenge_request_again(ChallengeRequest *out, const GameRecord *record, Error *err)
{
    const Player *them = record_opponent(record);
    int64_t base_s = record->time.base_s, increment_s = record->time.increment_s;
    ChallengeRequest request = {
        .rated = record->rated,
        .variant = record->variant,
        .colour = colour_other(record->us),
    };
    const ClockList clock = {
        .count = 1, .at = { { .base_lo_s = (int)base_s, .increment_lo_s = (int)increment_s } }
    };
    if (record->us == COLOUR_NONE || record->time.kind != TIME_CLOCK ||
        !clocks_exist(&clock, NULL) || record->variant == VARIANT_UNKNOWN ||
        record->tournament_id[0] != '\0') {
        error_set(err, ERR_INVALID, "%s cannot be repeated as a challenge", record->id);
        return false;
    }
    if (!read_user(&request, text_of(them->id), err) ||
        (request.variant == VARIANT_FROM_POSITION &&
         !read_position(&request, text_of(record->initial_fen), err)))
        return false;
    request.base_s = (int)base_s;
    request.increment_s = (int)increment_s;
    *out = request;
    return true;
}

bool challenge_request_wished(ChallengeRequest *out, const GameRecord *record, const Wish *wish,
                              Error *err)
{
    ChallengeRequest request;
    if (!challenge_request_again(&request, record, err))
        return false;
    if (wish->kind == WISH_ODDS) {
        request.rated = false;
        request.variant = VARIANT_FROM_POSITION;
        request.colour = odds_giver(wish->odds);
        CHECK(text_copy(request.fen, sizeof request.fen, text_of(odds_fen(wish->odds))));
    } else if (odds_given(text_of(record->initial_fen)).giver != COLOUR_NONE) {
        request.colour = record->us;
    }
    memcpy(request.rematch_of, record->id, sizeof request.rematch_of);
    *out = request;
    return true;
}

static bool write_position(const char *fen, Buf *out)
{
    bool ok = buf_put_text(out, " fen=");
    for (; *fen && ok; fen++)
        ok = buf_put_char(out, *fen == ' ' ? '_' : *fen);
    return ok;
}

bool challenge_request_write(const ChallengeRequest *request, Buf *out)
{
    const ClockList clock = { .count = 1,
                              .at = { { request->base_s, request->base_s, request->increment_s,
                                        request->increment_s, request->days } } };
    return buf_printf(out, "%s ", request->opponent) &&
           value_list_write(&clocks_kind, &clock, out) &&
           buf_printf(out, " %s %s", request->rated ? "rated" : "casual",
                      variant_name(request->variant)) &&
           (request->colour == COLOUR_NONE ||
            buf_put_text(out, request->colour == WHITE ? " white" : " black")) &&
           (request->fen[0] == '\0' || write_position(request->fen, out));
}
