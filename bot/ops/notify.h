/* SPDX-License-Identifier: GPL-3.0-or-later */
/* notify.h - tells the service manager how we are: datagrams to the socket that it names.
 * The protocol is a few lines that systemd promises to keep, so we speak it ourselves rather than
 * load libsystemd, and what else that loads, for one sendto(). Nothing here waits: a manager that
 * does not read misses a message.
 * After: sd_notify(3), "Notes" and "Description"; sd_watchdog_enabled(3). */
#pragma once
#include "engine/base/error.h"

#include <stdint.h>
#include <sys/un.h>

typedef struct {
    int fd; /* -1: nobody wants to know */
    struct sockaddr_un address;
    unsigned address_len;
    int64_t watchdog_ms; /* a sign of life is due within so much; 0: none is wanted */
} Notify;

/* As $NOTIFY_SOCKET, $WATCHDOG_USEC and $WATCHDOG_PID say, which then leave the environment: they
 * are not for programs that we start. Unset, or no such address: nobody wants to know. */
void notify_init(Notify *notify);
void notify_release(Notify *notify);

static inline bool notify_is_wanted(const Notify *notify)
{
    return notify->fd >= 0;
}

/* Sends one message, "KEY=VALUE" lines. False when it was not taken, as the manager's queue is full
 * or nobody wants to know. */
bool notify_send(const Notify *notify, const char *format, ...) PRINTF_LIKE(2, 3);
