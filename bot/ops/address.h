/* SPDX-License-Identifier: GPL-3.0-or-later */
/* address.h - where to listen: "8080" (on 127.0.0.1), "127.0.0.1:8080", "[::1]:8080", any IP
 * address of this machine, no names. Pure. */
#pragma once
#include "engine/base/error.h"

#include <netinet/in.h>

typedef struct {
    union {
        struct sockaddr any;
        struct sockaddr_in ip4;
        struct sockaddr_in6 ip6;
    };
    bool is_loopback; /* only this machine can ask */
} Address;

bool address_parse(Address *out, const char *text, Error *err) MUST_CHECK;
