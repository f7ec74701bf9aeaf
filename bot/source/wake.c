/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/source/wake.h"

#include <errno.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

static void wake_on_readable(uv_poll_t *poll, int status, int events)
{
    Wake *wake = poll->data;
    eventfd_t calls;
    (void)status;
    (void)events;
    (void)eventfd_read(wake->fd, &calls); /* nothing there: the call was handled already */
    wake->on_wake(wake->user);
}

bool wake_init(Wake *wake, uv_loop_t *loop, void (*on_wake)(void *user), void *user, Error *err)
{
    wake->on_wake = on_wake;
    wake->user = user;
    wake->poll.data = wake;
    wake->fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    if (wake->fd < 0) {
        error_set(err, ERR_IO, "event loop: eventfd: %s", strerror(errno));
        return false;
    }
    int failure = uv_poll_init(loop, &wake->poll, wake->fd);
    if (failure) {
        error_set(err, ERR_IO, "event loop: %s", uv_strerror(failure));
        close(wake->fd);
        return false;
    }
    uv_poll_start(&wake->poll, UV_READABLE, wake_on_readable);
    return true;
}

void wake_send(Wake *wake)
{
    (void)eventfd_write(wake->fd, 1); /* it fails only when 2^64 calls wait */
}

static void wake_on_poll_closed(uv_handle_t *handle)
{
    Wake *wake = handle->data;
    close(wake->fd);
    wake->on_closed(wake->user);
}

void wake_close(Wake *wake, void (*on_closed)(void *user))
{
    wake->on_closed = on_closed;
    uv_close((uv_handle_t *)&wake->poll, wake_on_poll_closed);
}
