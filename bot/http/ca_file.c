/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/http/ca_file.h"

#include <stdlib.h>
#include <unistd.h>

static const char *const places[] = {
    "/etc/ssl/certs/ca-certificates.crt", /* Debian, Ubuntu, Arch, Alpine, NixOS */
    "/etc/pki/tls/certs/ca-bundle.crt",   /* Fedora, CentOS */
    "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem",
    "/etc/ssl/ca-bundle.pem", /* openSUSE */
    "/etc/ssl/cert.pem",      /* Alpine without ca-certificates */
    "/data/data/com.termux/files/usr/etc/tls/cert.pem",
    NULL,
};

const char *const *ca_file_places(void)
{
    return places;
}

const char *ca_file_find(void)
{
    const char *named = getenv("SSL_CERT_FILE");
    if (named && named[0] != '\0')
        return named;
    for (size_t i = 0; places[i]; i++)
        if (access(places[i], R_OK) == 0)
            return places[i];
    return NULL;
}
