/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The server's list of open challenges. */
#include "bot/lichess/challenge_list.h"

#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void on_challenge(void *user, const Event *event)
{
    if (!challenge_list_has(user, event->challenge.id))
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static ChallengeList list;
    if (!challenge_list_parse(&list, (const char *)data, size, NULL))
        return 0;
    for (int i = 0; i < list.count; i++)
        if (!game_id_is_valid(text_of(list.ids[i])) || !challenge_list_has(&list, list.ids[i]))
            abort();
    if (!challenge_list_each((const char *)data, size, on_challenge, &list))
        abort();
    return 0;
}
