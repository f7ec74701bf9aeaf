/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/http/ca_file.h"
#include "tests/support/unit.h"

#include <stdbool.h>
#include <unistd.h>

TEST(the_variable_comes_first_whatever_it_names)
{
    setenv("SSL_CERT_FILE", "/nonesuch/ca.pem", 1);
    assert_string_equal(ca_file_find(), "/nonesuch/ca.pem");
}

TEST(an_empty_variable_names_nothing)
{
    setenv("SSL_CERT_FILE", "", 1);
    const char *of_empty = ca_file_find();
    unsetenv("SSL_CERT_FILE");
    assert_ptr_equal(ca_file_find(), of_empty);
}

TEST(the_first_place_that_can_be_read_is_taken)
{
    unsetenv("SSL_CERT_FILE");
    const char *found = ca_file_find();
    for (const char *const *place = ca_file_places(); *place; place++) {
        if (access(*place, R_OK) != 0)
            continue;
        assert_ptr_equal(found, *place);
        return;
    }
    assert_null(found);
}

TEST(the_places_of_the_known_systems_are_among_them)
{
    static const char *const expected[] = {
        "/etc/ssl/certs/ca-certificates.crt",               /* Debian, Arch, Alpine */
        "/etc/pki/tls/certs/ca-bundle.crt",                 /* Fedora */
        "/data/data/com.termux/files/usr/etc/tls/cert.pem", /* Termux */
    };
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        bool is_there = false;
        for (const char *const *place = ca_file_places(); *place; place++)
            is_there = is_there || strcmp(*place, expected[i]) == 0;
        if (!is_there)
            fail_msg("%s is not looked at", expected[i]);
    }
}
