/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/ops/address.h"
#include "tests/support/unit.h"

#include <arpa/inet.h>

TEST(addresses_are_read_strictly)
{
    static const struct {
        const char *text, *host; /* NULL: refused */
        int port;
        bool is_loopback;
    } rows[] = {
        { "8080", "127.0.0.1", 8080, true },
        { "1", "127.0.0.1", 1, true },
        { "127.0.0.1:65535", "127.0.0.1", 65535, true },
        { "127.9.9.9:80", "127.9.9.9", 80, true },
        { "0.0.0.0:80", "0.0.0.0", 80, false },
        { "192.168.1.2:80", "192.168.1.2", 80, false },
        { "[::1]:80", "::1", 80, true },
        { "[::]:80", "::", 80, false },
        { "[fe80::1]:80", "fe80::1", 80, false },
        { "[::ffff:127.0.0.1]:80", "::ffff:127.0.0.1", 80, false }, /* rather too careful */
        { "", NULL, 0, false },
        { ":", NULL, 0, false },
        { ":80", NULL, 0, false },
        { "0", NULL, 0, false },
        { "65536", NULL, 0, false },
        { "80 ", NULL, 0, false },
        { "+80", NULL, 0, false },
        { "-80", NULL, 0, false },
        { "localhost:80", NULL, 0, false },
        { "1.2.3:80", NULL, 0, false },
        { "1.2.3.256:80", NULL, 0, false },
        { "1.2.3.4", NULL, 0, false },
        { "1.2.3.4:", NULL, 0, false },
        { "::1:80", NULL, 0, false },
        { "[::1", NULL, 0, false },
        { "[::1:80", NULL, 0, false },
        { "[]:80", NULL, 0, false },
        { "[127.0.0.1:80", NULL, 0, false },
        { "]:80", NULL, 0, false },
        { "[:80", NULL, 0, false },
        { "1111111111111111111111111111111111111111111111111111111111111111:80", NULL, 0, false },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Address address;
        Error err = { 0 };
        char host[64];
        bool ok = address_parse(&address, rows[i].text, &err);
        if (ok != (rows[i].host != NULL))
            fail_msg("\"%s\"", rows[i].text);
        assert_int_equal(ok, err.code == ERR_NONE);
        if (!ok)
            continue;
        bool is_ip6 = address.any.sa_family == AF_INET6;
        assert_non_null(
            inet_ntop(address.any.sa_family,
                      is_ip6 ? (void *)&address.ip6.sin6_addr : (void *)&address.ip4.sin_addr, host,
                      sizeof host));
        assert_string_equal(host, rows[i].host);
        assert_int_equal(ntohs(is_ip6 ? address.ip6.sin6_port : address.ip4.sin_port),
                         rows[i].port);
        assert_int_equal(address.is_loopback, rows[i].is_loopback);
    }
}
