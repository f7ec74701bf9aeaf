/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any text that goes into a support bundle: printable lines come out of it, and no secret. */
#include "bot/cli/redact.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static const char token[] = "lip_abcdefgh12345678", home[] = "/home/alba";

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool ok)
{
    if (!ok)
        abort();
}

static bool holds(const char *text, size_t len, const char *word)
{
    return memmem(text, len, word, strlen(word)) != NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const Secrets secrets = { .token = token, .home = home, .host = "ab" };
    char *written = NULL;
    size_t len = 0;
    FILE *out = open_memstream(&written, &len);
    if (!out)
        return 0;
    redact_text(out, &secrets, (Text){ (const char *)data, size });
    must(fclose(out) == 0);
    must(size == 0 || (len > 0 && written[len - 1] == '\n'));
    must(!holds(written, len, token) && !holds(written, len, home));
    for (size_t i = 0; i < len; i++)
        must(written[i] == '\n' || ((unsigned char)written[i] >= ' ' && written[i] != 0x7F));
    free(written);
    return 0;
}
