/* SPDX-License-Identifier: GPL-3.0-or-later */
/* RemoteLists of users from the server: ids that may stand in a URL, ratings within bounds. */
#include "bot/lichess/online_bots.h"

#include <ctype.h>
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
    static const char ids[2][USER_ID_SIZE] = { "alpha", "beta" };
    OnlineBotsReading reading;
    int first = -2;
    if (online_bots_begin(&reading, (const char *)data, size, NULL)) {
        while (online_bots_read_on(&reading, 2))
            ;
        must(reading.people.count <= ONLINE_BOTS_MAX && reading.at <= size);
        for (size_t i = 0; i < reading.people.count; i++) {
            const OnlineBot *person = &reading.people.list[i];
            must(memchr(person->id, '\0', sizeof person->id) != NULL && strlen(person->id) >= 2);
            for (const char *c = person->id; *c; c++)
                must(islower((unsigned char)*c) || isdigit((unsigned char)*c) || *c == '-' ||
                     *c == '_');
            for (int speed = 0; speed < SPEED_COUNT; speed++)
                must(person->by_speed[speed] >= 0 && person->by_speed[speed] <= 5000);
        }
        online_bots_release(&reading.people);
    }
    if (online_bots_first_free((const char *)data, size, ids, 2, &first, NULL))
        must(first >= -1 && first < 2);
    else
        must(first == -2);
    bool is_online;
    Error err = { 0 };
    must(user_is_online((const char *)data, size, ids[0], &is_online, &err) != error_is_set(&err));
    return 0;
}
