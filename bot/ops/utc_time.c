/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/ops/utc_time.h"

#include "engine/base/number.h"

#include <string.h>
#include <time.h>

enum { DAY_S = 24 * 3600, MINUTES_MOST = UTC_TIME_DAYS_MOST * 24 * 60 };

/* What strptime() reads more loosely than it is written is no date: a day that the month lacks, a
 * digit too few. */
static bool read_date(const char *word, int64_t *unix_s)
{
    struct tm when = { .tm_mday = 1 };
    char again[UTC_TIME_SIZE] = "";
    bool has_seconds = strlen(word) > strlen("2026-11-22T18:00Z");
    const char *end = has_seconds ? strptime(word, "%Y-%m-%dT%H:%M:%SZ", &when)
                                  : strptime(word, "%Y-%m-%dT%H:%MZ", &when);
    if (!end || *end != '\0')
        return false;
    *unix_s = (int64_t)timegm(&when);
    size_t len = has_seconds ? strftime(again, sizeof again, "%Y-%m-%dT%H:%M:%SZ", &when)
                             : strftime(again, sizeof again, "%Y-%m-%dT%H:%MZ", &when);
    return len > 0 && strcmp(again, word) == 0;
}

bool utc_time_read(int64_t *unix_s, const char *word, int64_t now_unix_s, Error *err)
{
    int64_t moment, minutes;
    if (word[0] == '+') {
        if (!number_parse(word + 1, strlen(word + 1), 1, MINUTES_MOST, &minutes, err)) {
            error_prefix(err, "%s", word);
            return false;
        }
        moment = now_unix_s + minutes * 60;
    } else if (!read_date(word, &moment)) {
        error_set(err, ERR_INVALID, "%s: neither like 2026-11-22T18:00Z (UTC) nor +MINUTES", word);
        return false;
    }
    if (moment <= now_unix_s || moment - now_unix_s > (int64_t)UTC_TIME_DAYS_MOST * DAY_S) {
        error_set(err, ERR_INVALID, "%s: %s", word,
                  moment <= now_unix_s ? "is past" : "is more than a year away");
        return false;
    }
    *unix_s = moment;
    return true;
}

void utc_time_write(int64_t unix_s, char out[UTC_TIME_SIZE])
{
    time_t seconds = (time_t)unix_s;
    struct tm utc;
    out[0] = '\0';
    if (!gmtime_r(&seconds, &utc))
        return;
    size_t len = utc.tm_sec == 0 ? strftime(out, UTC_TIME_SIZE, "%Y-%m-%dT%H:%MZ", &utc)
                                 : strftime(out, UTC_TIME_SIZE, "%Y-%m-%dT%H:%M:%SZ", &utc);
    out[len] = '\0';
}
