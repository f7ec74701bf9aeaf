/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The body of a refusal: always one printable line. */
#include "bot/lichess/api_error.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool ok)
{
    if (!ok)
        abort();
}

static void check_line(const char *line, size_t size)
{
    must(memchr(line, '\0', size) != NULL);
    for (const char *c = line; *c; c++)
        must((unsigned char)*c >= ' ' && *c != 0x7f);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    ApiError refusal;
    api_error_parse(&refusal, (Text){ (const char *)data, size });
    check_line(refusal.text, sizeof refusal.text);
    check_line(refusal.limit_key, sizeof refusal.limit_key);
    must(refusal.limit_seconds >= 0);
    return 0;
}
