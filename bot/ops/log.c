/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/ops/log.h"

#include "bot/ops/printable.h"

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static const struct {
    const char *name;
    int priority; /* syslog's */
} levels[LEVEL_COUNT] = {
    [LEVEL_ERROR] = { "error", 3 },
    [LEVEL_WARNING] = { "warning", 4 },
    [LEVEL_INFO] = { "info", 6 },
    [LEVEL_DEBUG] = { "debug", 7 },
};

static const char cut_mark[] = "\xe2\x80\xa6"; /* … */

typedef struct {
    char text[LOG_LINE_MAX + sizeof cut_mark + 1];
    size_t len;
    bool is_cut;
} Line;

/* All of text[0..len) or nothing, so that no character is torn. */
static void line_put(Line *line, const char *text, size_t len)
{
    if (line->is_cut || len > LOG_LINE_MAX - line->len) {
        line->is_cut = true;
        return;
    }
    memcpy(line->text + line->len, text, len);
    line->len += len;
}

static void line_put_char(Line *line, char c)
{
    line_put(line, &c, 1);
}

static void line_put_string(Line *line, const char *text)
{
    line_put(line, text, strlen(text));
}

static bool needs_quotes(Text text)
{
    if (text.len == 0)
        return true;
    while (text.len > 0) {
        char first = *text.at;
        if (printable_take(&text).is_escaped || strchr(" \"=\\", first))
            return true;
    }
    return false;
}

/* A value from anywhere: as it is, or quoted and escaped. */
static void line_put_value(Line *line, const char *value, size_t len)
{
    Text text = { value, len };
    bool quoted = needs_quotes(text);
    if (quoted)
        line_put_char(line, '"');
    while (text.len > 0) {
        char first = *text.at;
        PrintableChar c = printable_take(&text);
        if (first == '"' || first == '\\')
            line_put(line, (char[]){ '\\', first }, 2);
        else
            line_put(line, c.text, c.len);
    }
    if (quoted)
        line_put_char(line, '"');
}

/* What stands between '%' and the conversion's letter. */
typedef struct {
    bool plus;
    int precision; /* -1: none */
    enum { LENGTH_INT, LENGTH_LONG, LENGTH_LONG_LONG, LENGTH_SIZE } length;
} Conversion;

typedef struct {
    va_list list;
} Arguments;

static intmax_t next_signed(Arguments *args, const Conversion *how)
{
    switch (how->length) {
    case LENGTH_INT:
        return va_arg(args->list, int);
    case LENGTH_LONG:
        return va_arg(args->list, long);
    case LENGTH_LONG_LONG:
        return va_arg(args->list, long long);
    case LENGTH_SIZE:
        return va_arg(args->list, ptrdiff_t);
    }
    return 0;
}

static uintmax_t next_unsigned(Arguments *args, const Conversion *how)
{
    switch (how->length) {
    case LENGTH_INT:
        return va_arg(args->list, unsigned);
    case LENGTH_LONG:
        return va_arg(args->list, unsigned long);
    case LENGTH_LONG_LONG:
        return va_arg(args->list, unsigned long long);
    case LENGTH_SIZE:
        return va_arg(args->list, size_t);
    }
    return 0;
}

/* Reads a conversion from the character after '%' up to its letter, which it returns a pointer to.
 */
static const char *conversion_read(const char *at, Conversion *how, Arguments *args)
{
    *how = (Conversion){ .precision = -1 };
    for (; *at == '+'; at++)
        how->plus = true;
    if (*at == '.') {
        how->precision = 0;
        if (*++at == '*') {
            how->precision = va_arg(args->list, int);
            at++;
        }
        for (; *at >= '0' && *at <= '9'; at++)
            how->precision = how->precision * 10 + (*at - '0');
    }
    if (*at == 'z') {
        how->length = LENGTH_SIZE;
        at++;
    } else if (*at == 'l') {
        how->length = at[1] == 'l' ? LENGTH_LONG_LONG : LENGTH_LONG;
        at += how->length == LENGTH_LONG_LONG ? 2 : 1;
    }
    return at;
}

/* Writes one argument. False for a letter that this log does not know. */
static bool line_put_argument(Line *line, char letter, const Conversion *how, Arguments *args)
{
    char number[400]; /* %f of the largest double has 309 digits before its point */
    int n = 0;
    switch (letter) {
    case 's': {
        const char *value = va_arg(args->list, const char *);
        if (!value)
            value = "(null)";
        size_t len = how->precision < 0 ? strlen(value) : strnlen(value, (size_t)how->precision);
        line_put_value(line, value, len);
        return true;
    }
    case 'c': {
        char value = (char)va_arg(args->list, int);
        line_put_value(line, &value, 1);
        return true;
    }
    case 'd':
        n = snprintf(number, sizeof number, how->plus ? "%+jd" : "%jd", next_signed(args, how));
        break;
    case 'u':
        n = snprintf(number, sizeof number, "%ju", next_unsigned(args, how));
        break;
    case 'x':
        n = snprintf(number, sizeof number, "%jx", next_unsigned(args, how));
        break;
    case 'f':
        n = snprintf(number, sizeof number, "%.*f", how->precision < 0 ? 6 : how->precision,
                     va_arg(args->list, double));
        break;
    default:
        return false;
    }
    if (n > 0)
        line_put(line, number, (size_t)n < sizeof number ? (size_t)n : sizeof number - 1);
    return true;
}

static void line_put_format(Line *line, const char *format, Arguments *args)
{
    for (const char *at = format; *at; at++) {
        if (*at != '%' || at[1] == '%') {
            line_put_char(line, *at);
            at += *at == '%';
            continue;
        }
        Conversion how;
        at = conversion_read(at + 1, &how, args);
        if (!line_put_argument(line, *at, &how, args)) {
            assert(false && "the log does not know this conversion");
            return;
        }
    }
}

static void line_put_prefix(Line *line, LogForm form, LogLevel level)
{
    switch (form) {
    case LOG_FORM_PLAIN:
        break;
    case LOG_FORM_JOURNAL:
        line_put_char(line, '<');
        line_put_char(line, (char)('0' + levels[level].priority));
        line_put_char(line, '>');
        break;
    case LOG_FORM_TIME: {
        struct timespec now;
        struct tm local;
        char stamp[64];
        clock_gettime(CLOCK_REALTIME, &now);
        if (!localtime_r(&now.tv_sec, &local))
            break;
        size_t n = strftime(stamp, sizeof stamp, "%Y-%m-%d %H:%M:%S", &local);
        int more = snprintf(stamp + n, sizeof stamp - n, ".%03ld ", now.tv_nsec / 1000000);
        if (n > 0 && more > 0)
            line_put_string(line, stamp);
        break;
    }
    }
    line_put_string(line, levels[level].name);
    line_put_char(line, ' ');
}

/* Writes the whole line if the reader has room for it now. A pipe that polls as writable takes
 * PIPE_BUF bytes, more than a line has, without blocking. */
static bool line_write(Line *line, int fd)
{
    if (line->is_cut) {
        memcpy(line->text + line->len, cut_mark, sizeof cut_mark - 1);
        line->len += sizeof cut_mark - 1;
    }
    line->text[line->len++] = '\n';
    size_t done = 0;
    while (done < line->len) {
        struct pollfd room = { .fd = fd, .events = POLLOUT };
        if (poll(&room, 1, 0) <= 0 || room.revents != POLLOUT)
            return false;
        ssize_t n = write(fd, line->text + done, line->len - done);
        if (n < 0 && errno != EINTR)
            return false;
        done += n > 0 ? (size_t)n : 0;
    }
    return true;
}

static bool report_dropped(Log *log)
{
    Line line = { .len = 0 };
    char count[80];
    line_put_prefix(&line, log->form, LEVEL_WARNING);
    int n = snprintf(count, sizeof count, "log dropped lines=%lu", log->dropped);
    if (n > 0)
        line_put(&line, count, (size_t)n);
    return line_write(&line, log->fd);
}

static void log_line(Log *log, LogLevel level, const char *component, const char *format,
                     Arguments *args)
{
    if (log->dropped > 0 && report_dropped(log))
        log->dropped = 0;
    Line line = { .len = 0 };
    line_put_prefix(&line, log->form, level);
    line_put_string(&line, component);
    line_put_char(&line, ' ');
    line_put_format(&line, format, args);
    if (!line_write(&line, log->fd))
        log->dropped++;
}

void log_init(Log *log, int fd, LogLevel level, LogForm form)
{
    *log = (Log){ .fd = fd, .level = level, .form = form };
}

LogForm log_form_for(int fd)
{
    const char *stream = getenv("JOURNAL_STREAM");
    struct stat here;
    if (!stream || fstat(fd, &here) != 0)
        return LOG_FORM_TIME;
    /* The variable is inherited: it counts only when it names this very file. */
    char ours[64];
    int n = snprintf(ours, sizeof ours, "%ju:%ju", (uintmax_t)here.st_dev, (uintmax_t)here.st_ino);
    return n > 0 && strcmp(ours, stream) == 0 ? LOG_FORM_JOURNAL : LOG_FORM_TIME;
}

const char *log_level_name(LogLevel level)
{
    return levels[level].name;
}

void log_error(Log *log, const char *component, const char *format, ...)
{
    if (!log || log->level < LEVEL_ERROR)
        return;
    Arguments args;
    va_start(args.list, format);
    log_line(log, LEVEL_ERROR, component, format, &args);
    va_end(args.list);
}

void log_warning(Log *log, const char *component, const char *format, ...)
{
    if (!log || log->level < LEVEL_WARNING)
        return;
    Arguments args;
    va_start(args.list, format);
    log_line(log, LEVEL_WARNING, component, format, &args);
    va_end(args.list);
}

void log_info(Log *log, const char *component, const char *format, ...)
{
    if (!log || log->level < LEVEL_INFO)
        return;
    Arguments args;
    va_start(args.list, format);
    log_line(log, LEVEL_INFO, component, format, &args);
    va_end(args.list);
}

void log_debug(Log *log, const char *component, const char *format, ...)
{
    if (!log || log->level < LEVEL_DEBUG)
        return;
    Arguments args;
    va_start(args.list, format);
    log_line(log, LEVEL_DEBUG, component, format, &args);
    va_end(args.list);
}
