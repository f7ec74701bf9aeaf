/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/tablebase/registry.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum {
    ENTRIES_MAX = 4096, /* more than there are materials of up to 7 men */
    SUFFIX_LENGTH = 5,
};

static const char *const suffixes[] = { [TABLE_WDL] = ".rtbw", [TABLE_DTZ] = ".rtbz" };

/* The material and kind that a file name tells, or false for other files. */
static bool parse_name(const char *name, MaterialKey *key, TableKind *kind)
{
    size_t len = strlen(name);
    if (len <= SUFFIX_LENGTH)
        return false;
    const char *suffix = name + len - SUFFIX_LENGTH;
    if (strcmp(suffix, suffixes[TABLE_WDL]) == 0)
        *kind = TABLE_WDL;
    else if (strcmp(suffix, suffixes[TABLE_DTZ]) == 0)
        *kind = TABLE_DTZ;
    else
        return false;
    return material_parse(key, name, len - SUFFIX_LENGTH);
}

static char *join_path(const char *directory, const char *name)
{
    size_t directory_len = strlen(directory);
    size_t name_size = strlen(name) + 1;
    char *path = malloc(directory_len + 1 + name_size);
    if (path) {
        memcpy(path, directory, directory_len);
        path[directory_len] = '/';
        memcpy(path + directory_len + 1, name, name_size);
    }
    return path;
}

/* The entry for a material, new if need be; NULL without memory. Only while opening. */
static RegistryEntry *entry_for(Registry *r, MaterialKey key)
{
    for (size_t i = 0; i < r->count; i++)
        if (r->entries[i].key == key)
            return &r->entries[i];
    if (r->count == r->capacity) {
        size_t capacity = r->capacity ? 2 * r->capacity : 64;
        RegistryEntry *grown =
            capacity <= ENTRIES_MAX ? realloc(r->entries, capacity * sizeof *grown) : NULL;
        if (!grown)
            return NULL;
        r->entries = grown;
        r->capacity = capacity;
    }
    RegistryEntry *entry = &r->entries[r->count++];
    memset(entry, 0, sizeof *entry);
    entry->key = key;
    return entry;
}

/* Notes one directory entry, if it is a table. */
static bool add_file(Registry *r, const char *directory, const char *name)
{
    MaterialKey key;
    TableKind kind;
    struct stat st;
    if (!parse_name(name, &key, &kind))
        return true;
    char *path = join_path(directory, name);
    RegistryEntry *entry = path ? entry_for(r, key) : NULL;
    if (!entry) {
        free(path);
        return false;
    }
    if (stat(path, &st) != 0 || !S_ISREG(st.st_mode) || !table_size_fits((uint64_t)st.st_size)) {
        if (r->misfit)
            free(path);
        else
            r->misfit = path;
        return true;
    }
    if (entry->files[kind].path) {
        free(path);
        return true;
    }
    entry->files[kind].path = path;
    r->files[kind]++;
    if (kind == TABLE_WDL && material_men(key) > r->max_men)
        r->max_men = material_men(key);
    return true;
}

static bool add_directory(Registry *r, const char *directory, Error *err)
{
    DIR *dir = opendir(directory);
    if (!dir) {
        error_set(err, ERR_IO, "%s: cannot be read: %s", directory, strerror(errno));
        return false;
    }
    bool ok = true;
    for (struct dirent *found; ok && (found = readdir(dir));)
        ok = add_file(r, directory, found->d_name);
    closedir(dir);
    if (!ok)
        error_set(err, ERR_MEMORY, "%s: no memory for its tables", directory);
    return ok;
}

static bool add_directories(Registry *r, const char *directories, Error *err)
{
    bool ok = true;
    while (ok) {
        size_t len = strcspn(directories, ":");
        if (len > 0) {
            char *directory = strndup(directories, len);
            if (!directory)
                error_set(err, ERR_MEMORY, "no memory for a path");
            ok = directory && add_directory(r, directory, err);
            free(directory);
        }
        if (directories[len] == '\0')
            break;
        directories += len + 1;
    }
    return ok;
}

static size_t slot_of(const Registry *r, MaterialKey key)
{
    return (size_t)(key * 0x9e3779b97f4a7c15ULL >> (64 - r->slot_bits));
}

static void add_slot(Registry *r, MaterialKey key, size_t entry, bool swap)
{
    size_t mask = ((size_t)1 << r->slot_bits) - 1;
    size_t i = slot_of(r, key);
    while (r->slots[i].key)
        i = (i + 1) & mask;
    r->slots[i] = (RegistrySlot){ .key = key, .entry = (uint32_t)entry, .swap = swap };
}

static bool slots_init(Registry *r, Error *err)
{
    r->slot_bits = 3;
    while ((size_t)1 << r->slot_bits < 4 * r->count)
        r->slot_bits++;
    r->slots = calloc((size_t)1 << r->slot_bits, sizeof *r->slots);
    if (!r->slots) {
        error_set(err, ERR_MEMORY, "no memory for the list of tables");
        return false;
    }
    for (size_t i = 0; i < r->count; i++) {
        MaterialKey key = r->entries[i].key;
        add_slot(r, key, i, false);
        if (material_swap(key) != key)
            add_slot(r, material_swap(key), i, true);
    }
    return true;
}

bool registry_init(Registry *registry, const char *directories, Error *err)
{
    memset(registry, 0, sizeof *registry);
    if (pthread_mutex_init(&registry->lock, NULL) != 0) {
        error_set(err, ERR_MEMORY, "no memory for a lock");
        return false;
    }
    encoding_tables_init(&registry->encodings);
    bool ok = add_directories(registry, directories, err) && slots_init(registry, err);
    if (ok && registry->files[TABLE_WDL] == 0) {
        error_set(err, ERR_INVALID, "%s: no Syzygy tables (.rtbw) there", directories);
        ok = false;
    }
    if (!ok)
        registry_release(registry);
    return ok;
}

void registry_release(Registry *registry)
{
    for (size_t i = 0; i < registry->count; i++)
        for (TableKind kind = TABLE_WDL; kind <= TABLE_DTZ; kind++) {
            table_free(registry->entries[i].files[kind].table);
            free(registry->entries[i].files[kind].path);
        }
    free(registry->entries);
    free(registry->slots);
    free(registry->misfit);
    pthread_mutex_destroy(&registry->lock);
    memset(registry, 0, sizeof *registry);
}

/* Maps a file unless that was tried before; another thread may be at the same. */
static FileState file_load(Registry *r, RegistryEntry *entry, TableKind kind, Error *err)
{
    RegistryFile *file = &entry->files[kind];
    pthread_mutex_lock(&r->lock);
    FileState state = atomic_load_explicit(&file->state, memory_order_relaxed);
    if (state == FILE_UNTRIED) {
        bool ok = table_open(&file->table, file->path, entry->key, kind, &r->encodings, err);
        state = ok ? FILE_READY : FILE_REFUSED;
        atomic_store_explicit(&file->state, state, memory_order_release);
    }
    pthread_mutex_unlock(&r->lock);
    return state;
}

const Table *registry_find(Registry *registry, MaterialKey key, TableKind kind, bool *swap)
{
    size_t mask = ((size_t)1 << registry->slot_bits) - 1;
    size_t i = slot_of(registry, key);
    while (registry->slots[i].key != key) {
        if (!registry->slots[i].key)
            return NULL;
        i = (i + 1) & mask;
    }
    RegistryEntry *entry = &registry->entries[registry->slots[i].entry];
    RegistryFile *file = &entry->files[kind];
    if (!file->path)
        return NULL;
    FileState state = atomic_load_explicit(&file->state, memory_order_acquire);
    if (state == FILE_UNTRIED)
        state = file_load(registry, entry, kind, NULL);
    *swap = registry->slots[i].swap;
    return state == FILE_READY ? file->table : NULL;
}

bool registry_verify(Registry *registry, Error *err)
{
    if (registry->misfit) {
        error_set(err, ERR_INVALID, "%s: no table has its size: cut short?", registry->misfit);
        return false;
    }
    for (size_t i = 0; i < registry->count; i++)
        for (TableKind kind = TABLE_WDL; kind <= TABLE_DTZ; kind++) {
            RegistryEntry *entry = &registry->entries[i];
            if (!entry->files[kind].path)
                continue;
            if (file_load(registry, entry, kind, err) != FILE_READY) {
                error_set(err, ERR_INVALID, "%s: damaged", entry->files[kind].path);
                return false;
            }
        }
    return true;
}
