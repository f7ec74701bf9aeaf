/* SPDX-License-Identifier: GPL-3.0-or-later */
/* notify.h - reports our state to the service manager: datagrams to the socket that it names. The
 * protocol is a few lines that systemd promises to keep. One sendto() does not justify libsystemd
 * and what it loads. Nothing here waits: a manager that does not read misses a message.
 * After: sd_notify(3), "Notes" and "Description"; sd_watchdog_enabled(3). */
#pragma once
#include "engine/base/error.h"

#include <stdint.h>
#include <sys/un.h>

typedef struct {
    int fd; /* -1: no manager */
    struct sockaddr_un address;
    unsigned address_len;
    int64_t watchdog_ms; /* interval of signs of life; 0: none */
} Notify;

/* As $NOTIFY_SOCKET, $WATCHDOG_USEC and $WATCHDOG_PID say, which then leave the environment: they
 * are not for programs that we start. Unset, or no such address: no manager. */
void notify_init(Notify *notify);
void notify_release(Notify *notify);

static inline bool notify_is_wanted(const Notify *notify)
{
    return notify->fd >= 0;
}

/* Sends one message, "KEY=VALUE" lines. False when it was not taken: the manager's queue is full,
 * or there is no manager. */
bool notify_send(const Notify *notify, const char *format, ...) PRINTF_LIKE(2, 3);
