/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A request on the control socket: words of printable ASCII, in order, or a refusal. */
#include "bot/ops/control_request.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool ok)
{
    if (!ok)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    ControlRequest request;
    Error err = { 0 };
    bool ok = control_request_parse(&request, (const char *)data, size, &err);
    must(ok == (err.code == ERR_NONE));
    if (!ok)
        return 0;
    must(request.count >= 1 && request.count <= CONTROL_WORDS_MAX);
    for (int i = 0; i < request.count; i++) {
        const char *word = request.words[i];
        must(word[0] != '\0' && (i == 0 || word > request.words[i - 1]));
        for (; *word; word++)
            must(*word > ' ' && *word <= '~');
    }
    return 0;
}
