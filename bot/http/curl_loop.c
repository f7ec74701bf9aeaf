/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/http/curl_loop.h"

#include "bot/ops/timer.h"
#include "engine/base/check.h"

#include <stdlib.h>

struct CurlLoop {
    uv_loop_t *loop;
    CURLM *multi;
    uv_timer_t timer;    /* when libcurl is to be called later, */
    uv_idle_t soon;      /* and when at once: in the loop's next turn */
    size_t open_handles; /* of libuv: these two and the sockets */
    bool is_closing;
    void (*on_action)(void *user);
    void *action_user;
    void (*on_closed)(void *user);
    void *closed_user;
};

/* One for each socket that libcurl watches. */
typedef struct {
    uv_poll_t poll;
    CurlLoop *curl;
    curl_socket_t fd;
    int events; /* of libuv, as libcurl asked; 0: closing */
} Socket;

static void act(CurlLoop *curl, curl_socket_t fd, int flags)
{
    int running;
    curl_multi_socket_action(curl->multi, fd, flags, &running);
}

static void tell_owner(CurlLoop *curl)
{
    if (!curl->is_closing)
        curl->on_action(curl->action_user);
}

static void curl_loop_on_handle_closed(CurlLoop *curl)
{
    CHECK(curl->open_handles > 0);
    if (--curl->open_handles > 0)
        return;
    void (*on_closed)(void *) = curl->on_closed;
    void *user = curl->closed_user;
    free(curl);
    on_closed(user);
}

static void curl_loop_on_own_handle_closed(uv_handle_t *handle)
{
    curl_loop_on_handle_closed(handle->data);
}

static void curl_loop_on_socket_closed(uv_handle_t *handle)
{
    Socket *socket = handle->data;
    CurlLoop *curl = socket->curl;
    free(socket);
    curl_loop_on_handle_closed(curl);
}

static void curl_loop_on_socket_event(uv_poll_t *handle, int status, int events)
{
    Socket *socket = handle->data; /* freed by its close callback at the earliest */
    int flags = (events & UV_READABLE ? CURL_CSELECT_IN : 0) |
                (events & UV_WRITABLE ? CURL_CSELECT_OUT : 0);
    /* On an error let libcurl read and write, and find the error. With CURL_CSELECT_ERR it would
     * give up a request that it could repeat on another connection. */
    if (status < 0)
        flags = CURL_CSELECT_IN | CURL_CSELECT_OUT;
    act(socket->curl, socket->fd, flags);
    /* libuv stopped the poll on an error; when libcurl goes on with the socket, so do we. */
    if (status < 0 && socket->events)
        uv_poll_start(&socket->poll, socket->events, curl_loop_on_socket_event);
    tell_owner(socket->curl);
}

static Socket *socket_new(CurlLoop *curl, curl_socket_t fd)
{
    Socket *socket = calloc(1, sizeof *socket);
    if (!socket)
        return NULL;
    if (uv_poll_init_socket(curl->loop, &socket->poll, fd) != 0) {
        free(socket);
        return NULL;
    }
    socket->poll.data = socket;
    socket->curl = curl;
    socket->fd = fd;
    curl->open_handles++;
    return socket;
}

static void socket_close(Socket *socket)
{
    socket->events = 0;
    uv_poll_stop(&socket->poll); /* at once: libcurl is about to close the descriptor */
    uv_close((uv_handle_t *)&socket->poll, curl_loop_on_socket_closed);
}

/* libcurl: watch this socket so, from now on. */
static int curl_loop_on_socket_wanted(CURL *easy, curl_socket_t fd, int what, void *user,
                                      void *of_socket)
{
    (void)easy;
    CurlLoop *curl = user;
    Socket *socket = of_socket;
    if (what == CURL_POLL_REMOVE) {
        if (socket) {
            curl_multi_assign(curl->multi, fd, NULL);
            socket_close(socket);
        }
        return 0;
    }
    if (!socket) {
        socket = socket_new(curl, fd);
        if (!socket)
            return -1;
        curl_multi_assign(curl->multi, fd, socket);
    }
    socket->events =
        (what != CURL_POLL_OUT ? UV_READABLE : 0) | (what != CURL_POLL_IN ? UV_WRITABLE : 0);
    return uv_poll_start(&socket->poll, socket->events, curl_loop_on_socket_event) == 0 ? 0 : -1;
}

static void curl_loop_on_timer(uv_timer_t *timer)
{
    CurlLoop *curl = timer->data;
    act(curl, CURL_SOCKET_TIMEOUT, 0);
    tell_owner(curl);
}

static void curl_loop_on_soon(uv_idle_t *idle)
{
    CurlLoop *curl = idle->data;
    uv_idle_stop(idle);
    act(curl, CURL_SOCKET_TIMEOUT, 0);
    tell_owner(curl);
}

/* libcurl: call me in this many milliseconds; -1: not at all. It may not be called from here, so 0
 * goes through the loop as well. Not by a timer: one of 0 ms, set again from its own callback, runs
 * before libuv looks at any socket. A peer that always has bytes for us would keep the loop there.
 */
static int curl_loop_on_timer_wanted(CURLM *multi, long timeout_ms, void *user)
{
    (void)multi;
    CurlLoop *curl = user;
    if (timeout_ms == 0) {
        uv_timer_stop(&curl->timer);
        return uv_idle_start(&curl->soon, curl_loop_on_soon);
    }
    /* `soon` stays: the owner may have asked for it, and a call too many does no harm. */
    if (timeout_ms < 0)
        return uv_timer_stop(&curl->timer);
    uv_update_time(
        curl->loop); /* the loop's idea of now may be old, and the timer would be early */
    return uv_timer_start(&curl->timer, curl_loop_on_timer, (uint64_t)timeout_ms, 0);
}

bool curl_loop_new(CurlLoop **out, uv_loop_t *loop, void (*on_action)(void *user), void *user,
                   Error *err)
{
    if (curl_global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK) {
        error_set(err, ERR_MEMORY, "libcurl does not start");
        return false;
    }
    CurlLoop *curl = calloc(1, sizeof *curl);
    CURLM *multi = curl_multi_init();
    if (!curl || !multi) {
        error_set(err, ERR_MEMORY, "no memory");
        curl_multi_cleanup(multi);
        free(curl);
        curl_global_cleanup();
        return false;
    }
    curl->loop = loop;
    curl->multi = multi;
    curl->on_action = on_action;
    curl->action_user = user;
    curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, curl_loop_on_socket_wanted);
    curl_multi_setopt(multi, CURLMOPT_SOCKETDATA, curl);
    curl_multi_setopt(multi, CURLMOPT_TIMERFUNCTION, curl_loop_on_timer_wanted);
    curl_multi_setopt(multi, CURLMOPT_TIMERDATA, curl);
    timer_init(loop, &curl->timer, curl);
    uv_idle_init(loop, &curl->soon);
    curl->soon.data = curl;
    curl->open_handles = 2;
    *out = curl;
    return true;
}

void curl_loop_act_soon(CurlLoop *curl)
{
    if (!curl->is_closing)
        uv_idle_start(&curl->soon, curl_loop_on_soon);
}

CURLM *curl_loop_multi(const CurlLoop *curl)
{
    return curl->multi;
}

void curl_loop_close(CurlLoop *curl, void (*on_closed)(void *user), void *user)
{
    CHECK(!curl->is_closing);
    curl->is_closing = true;
    curl->on_closed = on_closed;
    curl->closed_user = user;
    curl_multi_cleanup(curl->multi); /* on_socket_wanted() closes the sockets' handles */
    curl_global_cleanup();
    uv_close((uv_handle_t *)&curl->timer, curl_loop_on_own_handle_closed);
    uv_close((uv_handle_t *)&curl->soon, curl_loop_on_own_handle_closed);
}
