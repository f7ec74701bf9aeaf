/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The server's list of open challenges. */
#include "bot/lichess/challenge_list.h"

#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static ChallengeList list;
    if (!challenge_list_parse(&list, (const char *)data, size, NULL))
        return 0;
    for (int i = 0; i < list.count; i++)
        if (!game_id_is_valid(text_of(list.ids[i])) || !challenge_list_has(&list, list.ids[i]))
            abort();
    return 0;
}
