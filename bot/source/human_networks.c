/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/source/human_networks.h"

#include "engine/base/alloc.h"
#include "engine/base/clock.h"
#include "engine/human/policy_folder.h"

#include <stdlib.h>
#include <string.h>

enum { RETRY_MS = 60000 };

typedef struct Entry {
    struct Entry *next;
    char path[POLICY_PATH_SIZE];
    PolicyNetwork *network; /* NULL: it could not be read, or is a folder */
    PolicyFolder *folder;   /* the networks have entries of their own */
    int64_t tried_ms;
} Entry;

struct HumanNetworks {
    Entry *entries;
    Log *log;
};

bool human_networks_new(HumanNetworks **out, Log *log, Error *err)
{
    HumanNetworks *networks = alloc_zeroed(sizeof *networks, "the networks", err);
    if (!networks)
        return false;
    networks->log = log;
    *out = networks;
    return true;
}

void human_networks_free(HumanNetworks *networks)
{
    if (!networks)
        return;
    while (networks->entries) {
        Entry *entry = networks->entries;
        networks->entries = entry->next;
        policy_free(entry->network);
        free(entry->folder);
        free(entry);
    }
    free(networks);
}

static bool load_folder(Entry *entry, Error *err)
{
    entry->folder = alloc_zeroed(sizeof *entry->folder, "a folder of networks", err);
    if (entry->folder && policy_folder_read(entry->folder, entry->path, err))
        return true;
    free(entry->folder);
    entry->folder = NULL;
    return false;
}

static void load(Entry *entry, Log *log, bool is_first)
{
    Error err = { 0 };
    entry->tried_ms = clock_now_ms();
    if (policy_folder_is(entry->path) ? load_folder(entry, &err)
                                      : policy_load(&entry->network, entry->path, &err)) {
        if (entry->folder)
            return; /* its networks are told of */
        PolicyInfo info = policy_info(entry->network);
        log_info(
            log, "engine", "human",
            FIELDS(F("file", entry->path), F("blocks", info.blocks), F("filters", info.filters)));
    } else if (is_first) {
        log_warning(log, "engine", "no-human",
                    FIELDS(F("why", err.text),
                           F("advice", "castled plays at engine.elo without it; castled human "
                                       "--check FILE tries it again")));
    }
}

static Entry *find_network(const HumanNetworks *networks, const char *path)
{
    Entry *entry = networks->entries;
    while (entry && strcmp(entry->path, path) != 0)
        entry = entry->next;
    return entry;
}

/* NULL: there is no memory for it. */
static Entry *entry_of(HumanNetworks *networks, const char *path)
{
    Entry *entry = find_network(networks, path);
    if (!entry) {
        entry = alloc_zeroed(sizeof *entry, "a network", NULL);
        if (!entry)
            return NULL;
        (void)text_copy(entry->path, sizeof entry->path, text_of(path));
        entry->next = networks->entries;
        networks->entries = entry;
        load(entry, networks->log, true);
        for (int i = 0; entry->folder && i < entry->folder->count; i++)
            (void)entry_of(networks, entry->folder->files[i].path);
    } else if (!entry->network && !entry->folder && clock_now_ms() - entry->tried_ms >= RETRY_MS) {
        load(entry, networks->log, false);
    }
    return entry;
}

const PolicyNetwork *human_networks_get(HumanNetworks *networks, const char *path, int elo)
{
    Entry *entry = entry_of(networks, path);
    if (entry && entry->folder) {
        int nearest = policy_folder_nearest(entry->folder, elo);
        entry = entry_of(networks, entry->folder->files[nearest].path);
    }
    return entry ? entry->network : NULL;
}
