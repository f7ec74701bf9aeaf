/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/ops/control.h"

#include "bot/ops/ancestry.h"
#include "bot/ops/json_put.h"
#include "bot/ops/printable.h"
#include "bot/ops/timer.h"

#include <assert.h>
#include <errno.h>
#include <json-c/json.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

enum { PAUSE_MS = 1000 };

/* One client, from its connection until the loop has closed its handles. */
struct ControlCall {
    Control *control; /* NULL: it is gone */
    ControlCall *next;
    uv_pipe_t pipe;
    uv_timer_t timer;
    uv_write_t write;
    int handles; /* not closed yet */
    bool is_closing;
    bool is_asked; /* the handler has it, and will answer */
    char line[CONTROL_LINE_MAX];
    size_t len;
    char *answer;
};

struct Control {
    int fd;         /* it listens */
    uv_poll_t poll; /* on it */
    Log *log;
    ControlHandler *handler;
    void *user;
    ControlCall *calls; /* that are not freed yet */
    int count;          /* of them, those that are connected */
    char *path;
    uv_timer_t timer; /* ends a pause */
    bool is_paused;   /* the last client could not be let in */
    int handles;      /* not closed yet: `poll` and `timer` */
};

static void forget(ControlCall *call)
{
    Control *control = call->control;
    if (!control)
        return;
    for (ControlCall **at = &control->calls; *at; at = &(*at)->next) {
        if (*at == call) {
            *at = call->next;
            break;
        }
    }
}

static void free_if_done(ControlCall *call)
{
    if (call->handles > 0 || call->is_asked)
        return;
    forget(call);
    free(call->answer);
    free(call);
}

static void control_on_handle_closed(uv_handle_t *handle)
{
    ControlCall *call = handle->data;
    call->handles--;
    free_if_done(call);
}

static void hang_up(ControlCall *call)
{
    if (call->is_closing)
        return;
    call->is_closing = true;
    if (call->control)
        call->control->count--;
    uv_close((uv_handle_t *)&call->pipe, control_on_handle_closed);
    uv_close((uv_handle_t *)&call->timer, control_on_handle_closed);
}

static void control_on_late(uv_timer_t *timer)
{
    hang_up(timer->data);
}

static void control_on_written(uv_write_t *write, int status)
{
    (void)status;
    hang_up(write->data);
}

void control_answer(ControlCall *call, const char *json)
{
    call->is_asked = false;
    if (call->is_closing) {
        free_if_done(call);
        return;
    }
    size_t len = json ? strlen(json) : 0;
    call->answer = json ? malloc(len + 2) : NULL;
    if (!call->answer) {
        hang_up(call);
        return;
    }
    memcpy(call->answer, json, len);
    memcpy(call->answer + len, "\n", 2);
    uv_buf_t bytes = uv_buf_init(call->answer, (unsigned)(len + 1));
    call->write.data = call;
    uv_timer_start(&call->timer, control_on_late, CONTROL_ASK_MS, 0);
    if (uv_write(&call->write, (uv_stream_t *)&call->pipe, &bytes, 1, control_on_written) != 0)
        hang_up(call);
}

void control_refuse(ControlCall *call, const char *text)
{
    struct json_object *object = json_object_new_object();
    json_put_text(object, "error", text);
    control_answer(call, json_object_to_json_string_ext(object, JSON_C_TO_STRING_PLAIN));
    json_object_put(object);
}

static void take_line(ControlCall *call, size_t len)
{
    Control *control = call->control;
    Text words = text_trimmed((Text){ call->line, len }, " \r");
    const char *why = words.len == 0 ? "an empty request" : NULL;
    for (Text rest = words; rest.len > 0;)
        if (printable_next(&rest).is_escaped)
            why = "a request that is not printable text";
    if (len == sizeof call->line)
        why = "a request that is too long";
    uv_read_stop((uv_stream_t *)&call->pipe);
    uv_timer_start(&call->timer, control_on_late, CONTROL_ANSWER_MS, 0);
    call->is_asked = true;
    if (why)
        control_refuse(call, why);
    else
        control->handler(control->user, call, words);
}

static void control_on_room(uv_handle_t *handle, size_t wanted, uv_buf_t *out)
{
    ControlCall *call = handle->data;
    (void)wanted;
    *out = uv_buf_init(call->line + call->len, (unsigned)(sizeof call->line - call->len));
}

static void control_on_bytes(uv_stream_t *stream, ssize_t count, const uv_buf_t *bytes)
{
    ControlCall *call = stream->data;
    (void)bytes;
    if (count < 0) {
        hang_up(call);
        return;
    }
    call->len += (size_t)count;
    const char *end = memchr(call->line, '\n', call->len);
    if (end)
        take_line(call, (size_t)(end - call->line));
    else if (call->len == sizeof call->line)
        take_line(call, call->len);
}

/* Only who could read our memory anyway. */
static bool is_known(const ControlCall *call, struct ucred *peer)
{
    socklen_t size = sizeof *peer;
    uv_os_fd_t fd;
    return uv_fileno((const uv_handle_t *)&call->pipe, &fd) == 0 &&
           getsockopt(fd, SOL_SOCKET, SO_PEERCRED, peer, &size) == 0 &&
           (peer->uid == geteuid() || peer->uid == 0);
}

/* False: not by us. What we start is our user's too, and has no say: an engine could resign. */
static bool may_ask(ControlCall *call)
{
    struct ucred peer;
    if (!is_known(call, &peer))
        return false;
    pid_t child = peer.uid == geteuid() ? ancestry_child_above(peer.pid) : 0;
    bool is_unknown = child == ANCESTRY_UNKNOWN;
    if (child > 0 || is_unknown) {
        log_warning(call->control->log, "control", "refused",
                    FIELDS(F("pid", (int)(is_unknown ? peer.pid : child))));
        control_refuse(call, is_unknown
                                 ? "/proc hides whether castled has started you itself: ask as root"
                                 : "castled takes no orders from what it has started itself");
    }
    return child == 0;
}

/* The listener. It is libuv's in all but accept(): where there is no descriptor for who waits,
 * libuv from 1.46 on says so to nobody, and tries again without end. */

static void control_on_connection(uv_poll_t *poll, int status, int events);

static void end_pause(uv_timer_t *timer)
{
    Control *control = timer->data;
    uv_poll_start(&control->poll, UV_READABLE, control_on_connection);
}

/* Those who wait go on doing so. */
static void pause_listening(Control *control, int failure)
{
    uv_poll_stop(&control->poll);
    timer_set(&control->timer, end_pause, timer_after(PAUSE_MS));
    if (!control->is_paused)
        log_warning(control->log, "control", "paused",
                    FIELDS(F("why", uv_strerror(uv_translate_sys_error(failure)))));
    control->is_paused = true;
}

static ControlCall *new_call(Control *control, int fd)
{
    ControlCall *call = calloc(1, sizeof *call);
    if (!call) {
        close(fd);
        return NULL;
    }
    call->control = control;
    call->next = control->calls;
    control->calls = call;
    control->count++;
    call->handles = 2;
    uv_pipe_init(control->poll.loop, &call->pipe, 0);
    timer_init(control->poll.loop, &call->timer, call);
    call->pipe.data = call;
    if (uv_pipe_open(&call->pipe, fd) != 0) {
        close(fd);
        hang_up(call);
        return NULL;
    }
    return call;
}

static void let_in(Control *control, int fd)
{
    ControlCall *call = new_call(control, fd);
    if (!call)
        return;
    if (control->count > CONTROL_CLIENTS_MAX) {
        hang_up(call);
        return;
    }
    if (!may_ask(call)) {
        if (!call->answer) /* else its end follows */
            hang_up(call);
        return;
    }
    if (uv_read_start((uv_stream_t *)&call->pipe, control_on_room, control_on_bytes) != 0) {
        hang_up(call);
        return;
    }
    uv_timer_start(&call->timer, control_on_late, CONTROL_ASK_MS, 0);
}

/* One at a time: the poll calls again while others wait. */
static void control_on_connection(uv_poll_t *poll, int status, int events)
{
    Control *control = poll->data;
    (void)status;
    (void)events;
    int fd = accept4(control->fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (fd < 0) {
        bool is_gone = errno == EAGAIN || errno == EINTR || errno == ECONNABORTED;
        if (!is_gone)
            pause_listening(control, errno);
        return;
    }
    if (control->is_paused)
        log_info(control->log, "control", "listens-again", NO_FIELDS);
    control->is_paused = false;
    let_in(control, fd);
}

/* The server. */

static bool fill_address(struct sockaddr_un *out, const char *path, Error *err)
{
    size_t len = strlen(path);
    memset(out, 0, sizeof *out);
    out->sun_family = AF_UNIX;
    if (len >= sizeof out->sun_path) {
        error_set(err, ERR_RANGE, "%s: longer than a socket's path may be (%zu bytes)", path,
                  sizeof out->sun_path - 1);
        return false;
    }
    memcpy(out->sun_path, path, len + 1);
    return true;
}

/* A socket of a daemon that died is in the way; nothing else is touched. */
static bool clear_way(const char *path, Error *err)
{
    struct sockaddr_un address;
    struct stat facts;
    if (!fill_address(&address, path, err))
        return false;
    if (lstat(path, &facts) != 0)
        return true;
    if (!S_ISSOCK(facts.st_mode)) {
        error_set(err, ERR_IO, "%s: exists and is not a socket", path);
        return false;
    }
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    bool is_alive = fd >= 0 && (connect(fd, (struct sockaddr *)&address, sizeof address) == 0 ||
                                errno == EAGAIN);
    if (fd >= 0)
        close(fd);
    if (is_alive) {
        error_set(err, ERR_IO, "%s: another castled listens there", path);
        return false;
    }
    return unlink(path) == 0 || errno == ENOENT;
}

/* Not by umask(), which other threads would share. Clients that connect before the mode is set are
 * checked like all others. The listening socket; -1: errno says why there is none. */
static int listen_at(const struct sockaddr_un *address)
{
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0)
        return -1;
    bool is_bound = bind(fd, (const struct sockaddr *)address, sizeof *address) == 0;
    if (is_bound && chmod(address->sun_path, 0600) == 0 && listen(fd, CONTROL_CLIENTS_MAX) == 0)
        return fd;
    int failure = errno;
    if (is_bound)
        unlink(address->sun_path);
    close(fd);
    errno = failure;
    return -1;
}

static void free_control(Control *control)
{
    free(control->path);
    free(control);
}

static void control_on_listener_closed(uv_handle_t *handle)
{
    Control *control = handle->data;
    if (--control->handles == 0)
        free_control(control);
}

static bool start(Control *control, uv_loop_t *loop, Error *err)
{
    struct sockaddr_un address;
    if (!fill_address(&address, control->path, err))
        return false;
    control->fd = listen_at(&address);
    int failure = control->fd < 0 ? uv_translate_sys_error(errno)
                                  : uv_poll_init(loop, &control->poll, control->fd);
    if (failure) {
        error_set(err, ERR_IO, "%s: %s", control->path, uv_strerror(failure));
        if (control->fd >= 0) {
            unlink(control->path);
            close(control->fd);
        }
        return false;
    }
    control->poll.data = control;
    timer_init(loop, &control->timer, control);
    control->handles = 2;
    uv_poll_start(&control->poll, UV_READABLE, control_on_connection);
    return true;
}

bool control_new(Control **out, uv_loop_t *loop, const char *path, Log *log,
                 ControlHandler *handler, void *user, Error *err)
{
    if (!clear_way(path, err))
        return false;
    Control *control = calloc(1, sizeof *control);
    if (!control || !(control->path = strdup(path))) {
        error_set(err, ERR_MEMORY, "no memory");
        free(control);
        return false;
    }
    control->log = log;
    control->handler = handler;
    control->user = user;
    if (!start(control, loop, err)) {
        free_control(control);
        return false;
    }
    *out = control;
    return true;
}

void control_close(Control *control)
{
    if (!control)
        return;
    while (control->calls) {
        ControlCall *call = control->calls;
        control->calls = call->next;
        call->control = NULL;
        call->is_asked = false;
        hang_up(call);
        free_if_done(call);
    }
    unlink(control->path);
    uv_poll_stop(&control->poll); /* before what it polls is closed */
    close(control->fd);
    uv_close((uv_handle_t *)&control->poll, control_on_listener_closed);
    uv_close((uv_handle_t *)&control->timer, control_on_listener_closed);
}

/* The client. */

static bool send_line(int fd, const char *line)
{
    size_t len = strlen(line), sent = 0;
    while (sent < len) {
        ssize_t n = send(fd, line + sent, len - sent, MSG_NOSIGNAL);
        if (n <= 0)
            return false;
        sent += (size_t)n;
    }
    return send(fd, "\n", 1, MSG_NOSIGNAL) == 1;
}

static char *read_line(int fd)
{
    char *line = malloc(CONTROL_ANSWER_MAX);
    size_t len = 0;
    while (line && len < CONTROL_ANSWER_MAX) {
        ssize_t n = recv(fd, line + len, CONTROL_ANSWER_MAX - len, 0);
        if (n <= 0)
            break;
        char *end = memchr(line + len, '\n', (size_t)n);
        len += (size_t)n;
        if (end) {
            *end = '\0';
            return line;
        }
    }
    free(line);
    return NULL;
}

bool control_ask(const char *path, const char *line, int timeout_ms, char **answer, Error *err)
{
    struct sockaddr_un address;
    if (!fill_address(&address, path, err))
        return false;
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const struct timeval timeout = { .tv_sec = timeout_ms / 1000,
                                     .tv_usec = timeout_ms % 1000 * 1000 };
    if (fd < 0 || setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &timeout, sizeof timeout) != 0 ||
        setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &timeout, sizeof timeout) != 0 ||
        connect(fd, (struct sockaddr *)&address, sizeof address) != 0) {
        error_set(err, ERR_IO, "%s: %s", path, strerror(errno));
        if (fd >= 0)
            close(fd);
        return false;
    }
    /* Who is refused has its answer, and is hung up on, before it has said anything. */
    char *got = send_line(fd, line) || errno == EPIPE ? read_line(fd) : NULL;
    close(fd);
    if (!got) {
        error_set(err, ERR_REFUSED, "%s: the daemon does not answer", path);
        return false;
    }
    *answer = got;
    return true;
}
