/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/config/match_values.h"

#include "bot/model/time_control.h"
#include "engine/base/number.h"

#include <string.h>

/* "3", "0.5" minutes in seconds, up to the '+'; -1: neither. */
static int read_minutes(const char *text, size_t len)
{
    int64_t whole, hundredths = 0;
    const char *dot = memchr(text, '.', len);
    size_t whole_len = dot ? (size_t)(dot - text) : len;
    if (dot && (len - whole_len > 3 ||
                !number_parse(dot + 1, len - whole_len - 1, 0, 99, &hundredths, NULL)))
        return -1;
    if (dot && len - whole_len == 2)
        hundredths *= 10;
    if (!number_parse(text, whole_len, 0, 10000, &whole, NULL) || hundredths * 60 % 100 != 0)
        return -1;
    return (int)(whole * 60 + hundredths * 60 / 100);
}

/* "3+2": minutes and seconds. */
static bool read_clock(const char *text, size_t len, int *base_s, int *increment_s)
{
    int64_t increment;
    const char *plus = memchr(text, '+', len);
    if (!plus)
        return false;
    size_t base_len = (size_t)(plus - text);
    *base_s = read_minutes(text, base_len);
    if (*base_s < 0 || !number_parse(plus + 1, len - base_len - 1, 0, 10000, &increment, NULL))
        return false;
    *increment_s = (int)increment;
    return true;
}

static bool read_clock_range(const char *word, size_t len, ClockRange *out)
{
    size_t first = 0;
    while (first + 1 < len && (word[first] != '.' || word[first + 1] != '.'))
        first++;
    const char *dots = first + 1 < len ? word + first : NULL;
    first = dots ? first : len;
    if (!read_clock(word, first, &out->base_lo_s, &out->increment_lo_s))
        return false;
    out->base_hi_s = out->base_lo_s;
    out->increment_hi_s = out->increment_lo_s;
    return !dots ||
           (read_clock(dots + 2, len - first - 2, &out->base_hi_s, &out->increment_hi_s) &&
            out->base_lo_s <= out->base_hi_s && out->increment_lo_s <= out->increment_hi_s);
}

/* "2 days", "1 day", "2d"; returns its length. 0: it is no such thing. */
static size_t read_days(const char *text, int *out)
{
    static const char *const units[] = { "days", "day", "d" };
    const size_t digits = strspn(text, "0123456789");
    const size_t at = digits + strspn(text + digits, " \t");
    int64_t days;
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        const size_t len = strlen(units[i]);
        if (strncmp(text + at, units[i], len) != 0 || !strchr(", \t", text[at + len]) ||
            !number_parse(text, digits, 1, 100, &days, NULL))
            continue;
        *out = (int)days;
        return at + len;
    }
    return 0;
}

static size_t parse_clock(void *item, const char *text, Error *err)
{
    ClockRange *range = item;
    const size_t days_len = read_days(text, &range->days), len = strcspn(text, LIST_BLANKS);
    if (days_len > 0)
        return days_len;
    if (read_clock_range(text, len, range))
        return len;
    error_set(err, ERR_INVALID,
              "\"%.*s\" is no clock: minutes+seconds, or from..to, like 3+2 or 0.5+0..2+1, or days "
              "a move, like 2 days",
              (int)len, text);
    return 0;
}

static bool write_clock(int base_s, int increment_s, Buf *out)
{
    int hundredths = base_s % 60 * 100 / 60;
    return buf_printf(out, "%d", base_s / 60) &&
           (hundredths == 0 || buf_printf(out, ".%02d", hundredths)) &&
           buf_printf(out, "+%d", increment_s);
}

static bool write_clock_range(const void *item, Buf *out)
{
    const ClockRange *range = item;
    bool is_one =
        range->base_lo_s == range->base_hi_s && range->increment_lo_s == range->increment_hi_s;
    if (range->days > 0)
        return buf_printf(out, "%dd", range->days);
    return write_clock(range->base_lo_s, range->increment_lo_s, out) &&
           (is_one ||
            (buf_put_text(out, "..") && write_clock(range->base_hi_s, range->increment_hi_s, out)));
}

const ListKind clocks_kind = { LIST_OF(ClockList), "clocks",          ", ", LIST_NEEDS_ONE,
                               parse_clock,        write_clock_range, NULL };

/* After: lichess.org, the initial times of a challenge. */
static const int short_bases_s[] = { 0, 15, 30, 45, 60, 90 };
enum { BASE_MINUTE_S = 120, BASE_MOST_S = 10800, INCREMENT_MOST_S = 60, ESTIMATE_LEAST_S = 30 };

/* The nearest initial time that exists, at or below `base_s`, and the next one above. */
static void nearest_bases(int base_s, int *below_s, int *above_s)
{
    const int count = sizeof short_bases_s / sizeof *short_bases_s;
    int i = 0;
    while (i + 1 < count && short_bases_s[i + 1] <= base_s)
        i++;
    bool is_short = base_s < BASE_MINUTE_S;
    *below_s = is_short ? short_bases_s[i] : base_s / 60 * 60;
    *above_s = !is_short ? *below_s + 60 : i + 1 < count ? short_bases_s[i + 1] : BASE_MINUTE_S;
    if (*below_s >= BASE_MOST_S)
        *below_s = *above_s = BASE_MOST_S;
}

static bool clock_exists(int base_s, int increment_s, Error *err)
{
    int below_s, above_s;
    nearest_bases(base_s, &below_s, &above_s);
    if (base_s != below_s) {
        error_set(err, ERR_RANGE, "Lichess has no clock %g+%d: the nearest are %g+%d and %g+%d",
                  base_s / 60.0, increment_s, below_s / 60.0, increment_s, above_s / 60.0,
                  increment_s);
        return false;
    }
    if (increment_s > INCREMENT_MOST_S) {
        error_set(err, ERR_RANGE, "Lichess has no increment of %d s: at most %d", increment_s,
                  INCREMENT_MOST_S);
        return false;
    }
    if (base_s + ESTIMATED_MOVES * increment_s < ESTIMATE_LEAST_S) {
        error_set(err, ERR_RANGE,
                  "%g+%d is too fast for bots: the nearest are 0.5+0, 0.25+1 and 0+1",
                  base_s / 60.0, increment_s);
        return false;
    }
    return true;
}

static bool days_exist(int days, Error *err)
{
    static const int known[] = { 1, 2, 3, 5, 7, 10, 14 };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (known[i] == days)
            return true;
    error_set(err, ERR_RANGE, "Lichess has no %d days a move: 1, 2, 3, 5, 7, 10 or 14", days);
    return false;
}

bool clocks_exist(const ClockList *list, Error *err)
{
    for (int i = 0; i < list->count; i++) {
        const ClockRange *range = &list->at[i];
        if (range->days > 0 ? !days_exist(range->days, err)
                            : !clock_exists(range->base_lo_s, range->increment_lo_s, err))
            return false;
    }
    return true;
}

bool range_read(IntRange *out, const char *value, int least, int most, Error *err)
{
    const char *dots = strstr(value, "..");
    size_t len = strlen(value), first = dots ? (size_t)(dots - value) : len;
    int64_t lo = least, hi = most;
    bool ok = (dots && first == 0) || number_parse(value, first, least, most, &lo, NULL);
    if (!dots)
        hi = lo;
    else if (len - first > 2)
        ok = ok && number_parse(dots + 2, len - first - 2, least, most, &hi, NULL);
    else
        ok = ok && first > 0; /* ".." alone says nothing */
    if (!ok || lo > hi) {
        error_set(err, ERR_INVALID, "no range from..to within %d..%d", least, most);
        return false;
    }
    *out = (IntRange){ (int)lo, (int)hi };
    return true;
}

/* Whether `fen` is a position when the fields that it lacks are the usual ones. */
static bool is_start_of_fen(const char *fen)
{
    static const char *const usual[] = { "", " w", " -", " -", " 0", " 1" };
    enum { FIELDS = sizeof usual / sizeof *usual };
    char whole[FEN_SIZE];
    Position pos;
    size_t fields = 1, len = strlen(fen);
    for (const char *c = fen; *c; c++)
        fields += *c == ' ';
    if (len + 16 > sizeof whole || fields > FIELDS)
        return false;
    memcpy(whole, fen, len + 1);
    for (; fields < FIELDS; fields++) {
        size_t more = strlen(usual[fields]);
        memcpy(whole + len, usual[fields], more + 1);
        len += more;
    }
    return fen_read(&pos, whole, FEN_LENIENT, NULL, NULL);
}

static size_t parse_position(void *item, const char *text, Error *err)
{
    size_t len = strcspn(text, ","), kept = len;
    char *fen = item;
    while (kept > 0 && (text[kept - 1] == ' ' || text[kept - 1] == '\t'))
        kept--;
    if (kept < FEN_SIZE)
        memcpy(fen, text, kept);
    if (fen[0] != '\0' && is_start_of_fen(fen))
        return len;
    error_set(err, ERR_INVALID, "\"%.*s\" is no FEN, nor the beginning of one", (int)kept, text);
    return 0;
}

const ListKind positions_kind = {
    LIST_OF(PositionList), "positions",           ", ", LIST_NEEDS_ONE,
    parse_position,        value_list_write_text, NULL
};
