/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/lichess/token_life.h"

#include "bot/ops/jsonread.h"
#include "engine/base/duration.h"
#include "engine/base/text_format.h"

#include <inttypes.h>
#include <time.h>

#define LATEST_MS ((int64_t)253402300799000) /* the end of the year 9999 */

bool token_life_parse(TokenLife *out, Text body, Error *err)
{
    struct json_object *answer = jsonread_parse(body.at, body.len, err);
    if (!answer)
        return false;
    struct json_object_iterator at = json_object_iter_begin(answer);
    struct json_object_iterator end = json_object_iter_end(answer);
    bool ok = !json_object_iter_equal(&at, &end);
    if (ok) {
        const struct json_object *token = json_object_iter_peek_value(&at);
        *out = (TokenLife){
            .is_good = json_object_is_type(token, json_type_object),
            .expires_unix_ms = jsonread_int(token, "expires", 0, LATEST_MS, INT64_MAX),
        };
    } else {
        error_set(err, ERR_INVALID, "the answer has no token");
    }
    json_object_put(answer);
    return ok;
}

bool token_life_is_known(const TokenLife *life, int64_t now_unix_ms)
{
    return life->is_good && life->expires_unix_ms != INT64_MAX &&
           life->expires_unix_ms > now_unix_ms;
}

int64_t token_life_days(const TokenLife *life, int64_t now_unix_ms)
{
    if (!life->is_good)
        return 0;
    return token_life_is_known(life, now_unix_ms)
               ? (life->expires_unix_ms - now_unix_ms) / DURATION_DAY_MS
               : INT64_MAX;
}

bool token_life_is_urgent(const TokenLife *life, int64_t now_unix_ms)
{
    return life->is_good && token_life_days(life, now_unix_ms) < TOKEN_LIFE_URGENT_DAYS;
}

void token_life_write(char out[TOKEN_LIFE_WORDS_SIZE], const TokenLife *life, int64_t now_unix_ms)
{
    int64_t days = token_life_days(life, now_unix_ms);
    time_t expires = (time_t)(life->expires_unix_ms / 1000);
    struct tm utc;
    char date[32] = "";
    if (life->expires_unix_ms != INT64_MAX && gmtime_r(&expires, &utc))
        (void)!strftime(date, sizeof date, "%Y-%m-%d", &utc);
    if (!life->is_good)
        text_format(out, TOKEN_LIFE_WORDS_SIZE, "the server has no such token");
    else if (life->expires_unix_ms == INT64_MAX)
        text_format(out, TOKEN_LIFE_WORDS_SIZE, "it does not expire by itself");
    else if (days == INT64_MAX)
        text_format(out, TOKEN_LIFE_WORDS_SIZE,
                    "not known: it is taken, though by our clock it expired on %s", date);
    else
        text_format(out, TOKEN_LIFE_WORDS_SIZE, "good for %" PRId64 " day%s, until %s%s", days,
                    days == 1 ? "" : "s", date,
                    days < TOKEN_LIFE_SHORT_DAYS ? "; castled login gets a new one" : "");
}
