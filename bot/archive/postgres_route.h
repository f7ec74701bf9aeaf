/* SPDX-License-Identifier: GPL-3.0-or-later */
/* postgres_route.h - how the server of an address is reached: its names looked up, so that libpq
 * waits for no name service, and whether what is sent there must be kept from others. */
#pragma once
#include "engine/base/buf.h"

#include <stdatomic.h>
#include <stdint.h>

typedef struct {
    /* Lists as libpq takes them in place of the address's own: a host for each IP address that it
     * has. All are empty where there is nothing to look up. */
    Buf hosts, host_addresses, ports;
} PostgresRoute;

/* Looks the names up by `until_ms` (clock_now_ms()), on a thread that is left alone then, or once
 * `stop` (NULL: never) is true. False and an Error of ERR_IO, or without memory; released by the
 * caller in any case. */
bool postgres_route_find(PostgresRoute *out, const char *address, const atomic_bool *stop,
                         int64_t until_ms, Error *err) MUST_CHECK;
void postgres_route_release(PostgresRoute *route);

typedef struct {
    const char *ssl_mode; /* libpq's sslmode= where the address has none; "": libpq's own default */
    bool may_be_bare;     /* what is sent, passwords too, may go without TLS to another machine */
} PostgresSafety;

/* Off this machine TLS is wanted, and a server that proves its name, unless the address or
 * $PGSSLMODE says otherwise, or the service= that it names. An address that libpq does not
 * understand: its own defaults. */
PostgresSafety postgres_safety(const char *address);
