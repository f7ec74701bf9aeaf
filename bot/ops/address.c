/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/ops/address.h"

#include "engine/base/number.h"

#include <arpa/inet.h>
#include <string.h>

enum { HOST_SIZE = 64 };

/* Splits "HOST:PORT", "[HOST]:PORT" or "PORT"; false where it is none of them. */
static bool split(const char *text, char host[HOST_SIZE], const char **port)
{
    const char *colon = strrchr(text, ':');
    const char *begin = text, *end = colon;
    *port = colon ? colon + 1 : text;
    if (!colon) {
        memcpy(host, "127.0.0.1", sizeof "127.0.0.1");
        return true;
    }
    if (*begin == '[') {
        begin++;
        end--;
        if (*end != ']')
            return false;
    } else if (memchr(text, ':', (size_t)(colon - text))) {
        return false;
    }
    size_t len = (size_t)(end - begin);
    if (end <= begin || len >= HOST_SIZE)
        return false;
    memcpy(host, begin, len);
    host[len] = '\0';
    return true;
}

bool address_parse(Address *out, const char *text, Error *err)
{
    Address address;
    char host[HOST_SIZE];
    const char *port_text;
    int64_t port;
    memset(&address, 0, sizeof address);
    if (!split(text, host, &port_text) || port_text[strspn(port_text, "0123456789")] != '\0') {
        error_set(err, ERR_INVALID, "neither off, nor PORT, nor IP:PORT, nor [IP]:PORT");
        return false;
    }
    if (!number_parse(port_text, strlen(port_text), 1, 65535, &port, NULL)) {
        error_set(err, ERR_INVALID, "its port is not within 1..65535");
        return false;
    }
    if (inet_pton(AF_INET, host, &address.ip4.sin_addr) == 1) {
        address.ip4.sin_family = AF_INET;
        address.ip4.sin_port = htons((uint16_t)port);
        address.is_loopback = ntohl(address.ip4.sin_addr.s_addr) >> 24 == IN_LOOPBACKNET;
    } else if (inet_pton(AF_INET6, host, &address.ip6.sin6_addr) == 1) {
        address.ip6.sin6_family = AF_INET6;
        address.ip6.sin6_port = htons((uint16_t)port);
        address.is_loopback = IN6_IS_ADDR_LOOPBACK(&address.ip6.sin6_addr);
    } else {
        error_set(err, ERR_INVALID, "\"%s\" is no IP address", host);
        return false;
    }
    *out = address;
    return true;
}
