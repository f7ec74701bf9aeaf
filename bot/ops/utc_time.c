/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/ops/utc_time.h"

#include "engine/base/number.h"

#include <string.h>
#include <time.h>

enum { DAY_S = 24 * 3600, MINUTES_MOST = UTC_TIME_DAYS_MOST * 24 * 60 };

/* Fields of digits with what stands between them: "2026-11-22T18:00" and perhaps ":30", then "Z".
 */
static bool read_fields(const char *word, struct tm *out)
{
    static const struct {
        int digits, lo, hi;
        char before;
    } fields[] = { { 4, 1970, 9999, '\0' }, { 2, 1, 12, '-' }, { 2, 1, 31, '-' },
                   { 2, 0, 23, 'T' },       { 2, 0, 59, ':' }, { 2, 0, 59, ':' } };
    enum { FIELDS = sizeof fields / sizeof *fields };
    int values[FIELDS] = { 0 };
    for (int i = 0; i < FIELDS; i++) {
        int64_t value;
        if (i == FIELDS - 1 && strcmp(word, "Z") == 0)
            break; /* without seconds */
        if (fields[i].before && *word++ != fields[i].before)
            return false;
        if (strspn(word, "0123456789") != (size_t)fields[i].digits ||
            !number_parse(word, (size_t)fields[i].digits, fields[i].lo, fields[i].hi, &value, NULL))
            return false;
        values[i] = (int)value;
        word += fields[i].digits;
    }
    *out = (struct tm){ .tm_year = values[0] - 1900,
                        .tm_mon = values[1] - 1,
                        .tm_mday = values[2],
                        .tm_hour = values[3],
                        .tm_min = values[4],
                        .tm_sec = values[5] };
    return strcmp(word, "Z") == 0;
}

/* A day that the month lacks would be one of the next. */
static bool read_date(const char *word, int64_t *unix_s)
{
    struct tm wanted;
    if (!read_fields(word, &wanted))
        return false;
    struct tm given = wanted;
    *unix_s = (int64_t)timegm(&given);
    return given.tm_mday == wanted.tm_mday;
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
