/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/store_place.h"

#include "tests/support/unit.h"

int make_place(void **state)
{
    Place *place = calloc(1, sizeof *place);
    memcpy(place->folder, "/tmp/castled-store-XXXXXX", 26);
    if (!mkdtemp(place->folder))
        return -1;
    int n = snprintf(place->path, sizeof place->path, "%s/state/games.sqlite", place->folder);
    *state = place;
    return n > 0 ? 0 : -1;
}

int remove_place(void **state)
{
    static const char *const names[] = { "/state/games.sqlite", "/state/games.sqlite-wal",
                                         "/state/games.sqlite-shm", "/state", "" };
    Place *place = *state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char path[160];
        if (snprintf(path, sizeof path, "%s%s", place->folder, names[i]) > 0)
            (void)!remove(path);
    }
    free(place);
    return 0;
}

Store *open_place(const Place *place, StoreMode mode)
{
    Error err = { 0 };
    Store *store;
    if (!store_new(&store, place->path, mode, &err))
        fail_msg("%s", err.text);
    return store;
}
