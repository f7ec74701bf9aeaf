/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/ops/notify.h"

#include "engine/base/number.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { MESSAGE_MAX = 1000 };

/* A path, or a name in the abstract name space, which begins with '@'. */
static bool set_address(Notify *notify, const char *name)
{
    size_t len = strlen(name);
    struct sockaddr_un *address = &notify->address;
    if ((name[0] != '/' && name[0] != '@') || len < 2 || len >= sizeof address->sun_path)
        return false;
    address->sun_family = AF_UNIX;
    memcpy(address->sun_path, name, len + 1);
    notify->address_len = (unsigned)(offsetof(struct sockaddr_un, sun_path) + len);
    if (name[0] == '@')
        address->sun_path[0] = '\0'; /* such a name has no end but its length */
    else
        notify->address_len++;
    return true;
}

static bool read_number(const char *text, int64_t *out)
{
    return text && number_parse(text, strlen(text), 1, INT64_MAX, out, NULL);
}

/* $WATCHDOG_PID names the process to watch; unset: any. */
static int64_t watchdog_ms(void)
{
    const char *whose = getenv("WATCHDOG_PID");
    int64_t us, pid;
    if (whose && (!read_number(whose, &pid) || pid != getpid()))
        return 0;
    return read_number(getenv("WATCHDOG_USEC"), &us) ? us / 1000 : 0;
}

void notify_init(Notify *notify)
{
    const char *name = getenv("NOTIFY_SOCKET");
    *notify = (Notify){ .fd = -1 };
    if (name && set_address(notify, name))
        notify->fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (notify->fd >= 0)
        notify->watchdog_ms = watchdog_ms();
    unsetenv("NOTIFY_SOCKET");
    unsetenv("WATCHDOG_USEC");
    unsetenv("WATCHDOG_PID");
}

void notify_release(Notify *notify)
{
    if (notify->fd >= 0)
        close(notify->fd);
    notify->fd = -1;
}

bool notify_send(const Notify *notify, const char *format, ...)
{
    char text[MESSAGE_MAX];
    if (notify->fd < 0)
        return false;
    va_list arguments;
    va_start(arguments, format);
    int len = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (len <= 0 || (size_t)len >= sizeof text)
        return false;
    return sendto(notify->fd, text, (size_t)len, MSG_DONTWAIT | MSG_NOSIGNAL,
                  (const struct sockaddr *)&notify->address, notify->address_len) == len;
}
