/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/cli/build_facts.h"

#include "engine/search/engine.h"

#include <curl/curl.h>
#include <json-c/json_c_version.h>
#include <microhttpd.h>
#include <openssl/crypto.h>
#include <sqlite3.h>
#include <uv.h>
#ifndef CASTLED_WITHOUT_POSTGRES
    #include <libpq-fe.h>
#endif
#ifdef __GLIBC__
    #include <gnu/libc-version.h>
#endif

static void print_libc(FILE *out)
{
#ifdef __GLIBC__
    fprintf(out, "glibc    %s\n", gnu_get_libc_version());
#else
    fprintf(out, "libc     not glibc\n");
#endif
}

static void print_postgres(FILE *out)
{
#ifdef CASTLED_WITHOUT_POSTGRES
    fprintf(out, "without  PostgreSQL\n");
#else
    fprintf(out, "libpq    %d\n", PQlibVersion());
#endif
}

void build_facts_print(FILE *out)
{
    fprintf(out, "build    %s\nkernels  %s\n", CASTLED_BUILD, engine_kernels());
    fprintf(out, "libcurl  %s\nopenssl  %s\n", curl_version(), OpenSSL_version(OPENSSL_VERSION));
    fprintf(out, "libuv    %s\njson-c   %s\n", uv_version_string(), json_c_version());
    fprintf(out, "sqlite   %s\n", sqlite3_libversion());
    print_libc(out);
    fprintf(out, "libmicrohttpd %s\n", MHD_get_version());
    print_postgres(out);
}
