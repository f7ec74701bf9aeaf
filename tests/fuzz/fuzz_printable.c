/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A stranger's name: what is shown of it shows as it is when it is shown again, whole or cut. */
#include "bot/ops/printable.h"

#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool ok)
{
    if (!ok)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char shown[600], again[sizeof shown];
    if (size < 1)
        return 0;
    size_t room = 1 + 2 * (size_t)data[0];
    printable_copy(shown, room, (Text){ (const char *)data + 1, size - 1 });
    size_t len = strlen(shown);
    must(len < room);
    for (size_t i = 0; i < len; i++)
        must((unsigned char)shown[i] >= ' ' && shown[i] != 0x7f);
    for (Text rest = { shown, len }; rest.len > 0;)
        must(!printable_next(&rest).is_escaped);
    printable_copy(again, sizeof again, (Text){ shown, len });
    must(strcmp(shown, again) == 0);
    return 0;
}
