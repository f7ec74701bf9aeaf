/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/ops/log.h"

#include "engine/base/clock.h"
#include "engine/base/text_format.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* Writes the whole line if the reader has room for it now. A pipe that polls as writable takes
 * PIPE_BUF bytes, more than a line has, without blocking. */
static bool write_line(int fd, const char *line, size_t len)
{
    size_t done = 0;
    while (done < len) {
        struct pollfd room = { .fd = fd, .events = POLLOUT };
        if (poll(&room, 1, 0) <= 0 || room.revents != POLLOUT)
            return false;
        ssize_t n = write(fd, line + done, len - done);
        if (n < 0 && errno != EINTR)
            return false;
        done += n > 0 ? (size_t)n : 0;
    }
    return true;
}

static bool write_event(Log *log, const LogEvent *event)
{
    char entry[LOG_ENTRY_MAX];
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    size_t len = log_form_write(log->form, event, &now, entry);
    if (log->form != LOG_FORM_JOURNAL)
        return write_line(log->fd, entry, len);
    if (event->level == LEVEL_ERROR)
        log->last_error_len = log_form_write(LOG_FORM_PRIORITY, event, &now, log->last_error);
    return sendto(log->fd, entry, len, MSG_DONTWAIT | MSG_NOSIGNAL,
                  (const struct sockaddr *)&log->journal, sizeof log->journal) == (ssize_t)len;
}

static void write_or_drop(Log *log, const LogEvent *event)
{
    if (log->dropped > 0) {
        const LogEvent told = { LEVEL_WARNING, "log", "dropped", FIELDS(F("lines", log->dropped)) };
        if (write_event(log, &told))
            log->dropped = 0;
    }
    if (!write_event(log, event))
        log->dropped++;
}

/* A new second: logs how many events the last one withheld. */
static void begin_second(Log *log, int64_t now_ms)
{
    log->second_at_ms = now_ms;
    for (int i = 0; i < LOG_EVENTS_WATCHED; i++) {
        LogRepeats told = log->repeats[i];
        log->repeats[i] = (LogRepeats){ 0 };
        if (told.withheld > 0)
            write_or_drop(log,
                          &(LogEvent){ LEVEL_WARNING, "log", "repeated",
                                       FIELDS(F("component", told.component),
                                              F("event", told.event), F("lines", told.withheld)) });
    }
}

/* Whether this event has had its lines of the current second. */
static bool is_withheld(Log *log, const LogEvent *event)
{
    int64_t now_ms = clock_now_ms();
    if (now_ms - log->second_at_ms >= 1000)
        begin_second(log, now_ms);
    int most = event->level <= LEVEL_WARNING ? LOG_WARNINGS_MAX : LOG_LINES_MAX;
    for (int i = 0; i < LOG_EVENTS_WATCHED; i++) {
        LogRepeats *repeats = &log->repeats[i];
        if (!repeats->event)
            *repeats = (LogRepeats){ .component = event->component, .event = event->event };
        else if (strcmp(repeats->event, event->event) != 0 ||
                 strcmp(repeats->component, event->component) != 0)
            continue;
        if (repeats->lines < most) {
            repeats->lines++;
            return false;
        }
        repeats->withheld++;
        return true;
    }
    return false; /* more different events than are watched: no flood of one */
}

static void log_write(Log *log, LogLevel level, const char *component, const char *event,
                      LogFields fields)
{
    const LogEvent whole = { level, component, event, fields };
    if (log && log->level >= level && !is_withheld(log, &whole))
        write_or_drop(log, &whole);
}

void log_init(Log *log, int fd, LogLevel level, LogForm form)
{
    *log = (Log){ .fd = fd, .level = level, .form = form, .stream = -1 };
}

/* Whether `fd` leads to the journal: the variable is inherited, so it counts only when it names
 * this very file. */
static bool is_journal(int fd)
{
    const char *stream = getenv("JOURNAL_STREAM");
    struct stat here;
    if (!stream || fstat(fd, &here) != 0)
        return false;
    char ours[64];
    text_format(ours, sizeof ours, "%ju:%ju", (uintmax_t)here.st_dev, (uintmax_t)here.st_ino);
    return strcmp(ours, stream) == 0;
}

static bool reach_journal(Log *log, const char *path, Error *err)
{
    struct sockaddr_un *address = &log->journal;
    size_t len = strlen(path);
    if (len >= sizeof address->sun_path) {
        error_set(err, ERR_RANGE, "%s: too long for a socket's name", path);
        return false;
    }
    *address = (struct sockaddr_un){ .sun_family = AF_UNIX };
    memcpy(address->sun_path, path, len + 1);
    int fd = access(path, W_OK) == 0 ? socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0) : -1;
    if (fd < 0) {
        error_set(err, ERR_IO, "%s: %s", path, strerror(errno));
        return false;
    }
    log->fd = fd;
    log->form = LOG_FORM_JOURNAL;
    return true;
}

bool log_open(Log *log, int fd, LogLevel level, LogFormat format, const char *journal, Error *err)
{
    bool is_there = is_journal(fd);
    log_init(log, fd, level, is_there ? LOG_FORM_PRIORITY : LOG_FORM_TIME);
    log->stream = is_there ? fd : -1;
    switch (format) {
    case LOG_AUTO:
        if (is_there)
            (void)reach_journal(log, journal, NULL);
        return true;
    case LOG_TEXT:
        return true;
    case LOG_JSON:
        log->form = LOG_FORM_JSON;
        return true;
    case LOG_JOURNAL:
        return reach_journal(log, journal, err);
    case LOG_FORMAT_COUNT:
        break;
    }
    return true;
}

void log_last_words(Log *log)
{
    if (log->form == LOG_FORM_JOURNAL && log->stream >= 0 && log->last_error_len > 0)
        (void)write_line(log->stream, log->last_error, log->last_error_len);
}

void log_close(Log *log)
{
    if (log->form == LOG_FORM_JOURNAL)
        close(log->fd);
}

void log_error(Log *log, const char *component, const char *event, LogFields fields)
{
    log_write(log, LEVEL_ERROR, component, event, fields);
}

void log_warning(Log *log, const char *component, const char *event, LogFields fields)
{
    log_write(log, LEVEL_WARNING, component, event, fields);
}

void log_info(Log *log, const char *component, const char *event, LogFields fields)
{
    log_write(log, LEVEL_INFO, component, event, fields);
}

void log_debug(Log *log, const char *component, const char *event, LogFields fields)
{
    log_write(log, LEVEL_DEBUG, component, event, fields);
}
