/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/tablebase/syzygy_files.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum {
    ENTRIES_MAX = 4096, /* more than there are materials of up to 7 pieces */
    SUFFIX_LENGTH = 5,
};

static const char *const suffixes[] = { [SYZYGY_WDL] = ".rtbw", [SYZYGY_DTZ] = ".rtbz" };

/* The material and kind in a file name, or false for other files. */
static bool parse_name(const char *name, MaterialKey *key, SyzygyKind *kind)
{
    size_t len = strlen(name);
    if (len <= SUFFIX_LENGTH)
        return false;
    const char *suffix = name + len - SUFFIX_LENGTH;
    if (strcmp(suffix, suffixes[SYZYGY_WDL]) == 0)
        *kind = SYZYGY_WDL;
    else if (strcmp(suffix, suffixes[SYZYGY_DTZ]) == 0)
        *kind = SYZYGY_DTZ;
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
static SyzygyEntry *entry_for(SyzygyFiles *files, MaterialKey key)
{
    for (size_t i = 0; i < files->count; i++)
        if (files->entries[i].key == key)
            return &files->entries[i];
    if (files->count == files->capacity) {
        size_t capacity = files->capacity ? 2 * files->capacity : 64;
        SyzygyEntry *grown =
            capacity <= ENTRIES_MAX ? realloc(files->entries, capacity * sizeof *grown) : NULL;
        if (!grown)
            return NULL;
        files->entries = grown;
        files->capacity = capacity;
    }
    SyzygyEntry *entry = &files->entries[files->count++];
    memset(entry, 0, sizeof *entry);
    entry->key = key;
    return entry;
}

/* Notes one directory entry, if it is a table. */
static bool add_file(SyzygyFiles *files, const char *directory, const char *name)
{
    MaterialKey key;
    SyzygyKind kind;
    struct stat st;
    if (!parse_name(name, &key, &kind))
        return true;
    char *path = join_path(directory, name);
    SyzygyEntry *entry = path ? entry_for(files, key) : NULL;
    if (!entry) {
        free(path);
        return false;
    }
    if (stat(path, &st) != 0 || !S_ISREG(st.st_mode) ||
        !syzygy_table_size_fits((uint64_t)st.st_size)) {
        if (files->misfit)
            free(path);
        else
            files->misfit = path;
        return true;
    }
    if (entry->files[kind].path) {
        free(path);
        return true;
    }
    entry->files[kind].path = path;
    files->counts[kind]++;
    if (kind == SYZYGY_WDL && material_pieces(key) > files->max_pieces)
        files->max_pieces = material_pieces(key);
    return true;
}

static bool add_directory(SyzygyFiles *files, const char *directory, Error *err)
{
    DIR *dir = opendir(directory);
    if (!dir) {
        error_set(err, ERR_IO, "%s: cannot be read: %s", directory, strerror(errno));
        return false;
    }
    bool ok = true;
    for (struct dirent *found; ok && (found = readdir(dir));)
        ok = add_file(files, directory, found->d_name);
    closedir(dir);
    if (!ok)
        error_set(err, ERR_MEMORY, "%s: no memory for its tables", directory);
    return ok;
}

static bool add_directories(SyzygyFiles *files, const char *directories, Error *err)
{
    bool ok = true;
    while (ok) {
        size_t len = strcspn(directories, ":");
        if (len > 0) {
            char *directory = strndup(directories, len);
            if (!directory)
                error_set(err, ERR_MEMORY, "no memory for a path");
            ok = directory && add_directory(files, directory, err);
            free(directory);
        }
        if (directories[len] == '\0')
            break;
        directories += len + 1;
    }
    return ok;
}

static size_t slot_of(const SyzygyFiles *files, MaterialKey key)
{
    return (size_t)(key * 0x9e3779b97f4a7c15ULL >> (64 - files->slot_bits));
}

static void add_slot(SyzygyFiles *files, MaterialKey key, size_t entry, bool swap)
{
    size_t mask = ((size_t)1 << files->slot_bits) - 1;
    size_t i = slot_of(files, key);
    while (files->slots[i].key)
        i = (i + 1) & mask;
    files->slots[i] = (SyzygySlot){ .key = key, .entry = (uint32_t)entry, .swap = swap };
}

static bool slots_init(SyzygyFiles *files, Error *err)
{
    files->slot_bits = 3;
    while ((size_t)1 << files->slot_bits < 4 * files->count)
        files->slot_bits++;
    files->slots = calloc((size_t)1 << files->slot_bits, sizeof *files->slots);
    if (!files->slots) {
        error_set(err, ERR_MEMORY, "no memory for the list of tables");
        return false;
    }
    for (size_t i = 0; i < files->count; i++) {
        MaterialKey key = files->entries[i].key;
        add_slot(files, key, i, false);
        if (material_swap(key) != key)
            add_slot(files, material_swap(key), i, true);
    }
    return true;
}

bool syzygy_files_init(SyzygyFiles *files, const char *directories, Error *err)
{
    memset(files, 0, sizeof *files);
    if (pthread_mutex_init(&files->lock, NULL) != 0) {
        error_set(err, ERR_MEMORY, "no memory for a lock");
        return false;
    }
    encoding_lookup_init(&files->encodings);
    bool ok = add_directories(files, directories, err) && slots_init(files, err);
    if (ok && files->counts[SYZYGY_WDL] == 0) {
        error_set(err, ERR_INVALID, "%s: no Syzygy tables (.rtbw) there", directories);
        ok = false;
    }
    if (!ok)
        syzygy_files_release(files);
    return ok;
}

void syzygy_files_release(SyzygyFiles *files)
{
    for (size_t i = 0; i < files->count; i++)
        for (SyzygyKind kind = SYZYGY_WDL; kind <= SYZYGY_DTZ; kind++) {
            syzygy_table_free(files->entries[i].files[kind].table);
            free(files->entries[i].files[kind].path);
        }
    free(files->entries);
    free(files->slots);
    free(files->misfit);
    pthread_mutex_destroy(&files->lock);
    memset(files, 0, sizeof *files);
}

/* Maps a file unless that was tried before; other threads may do so at once. */
static FileState file_load(SyzygyFiles *files, SyzygyEntry *entry, SyzygyKind kind, Error *err)
{
    SyzygyFile *file = &entry->files[kind];
    pthread_mutex_lock(&files->lock);
    FileState state = atomic_load_explicit(&file->state, memory_order_relaxed);
    if (state == FILE_UNTRIED) {
        bool ok =
            syzygy_table_open(&file->table, file->path, entry->key, kind, &files->encodings, err);
        state = ok ? FILE_READY : FILE_REFUSED;
        atomic_store_explicit(&file->state, state, memory_order_release);
    }
    pthread_mutex_unlock(&files->lock);
    return state;
}

const SyzygyTable *syzygy_files_find(SyzygyFiles *files, MaterialKey key, SyzygyKind kind,
                                     bool *swap)
{
    size_t mask = ((size_t)1 << files->slot_bits) - 1;
    size_t i = slot_of(files, key);
    while (files->slots[i].key != key) {
        if (!files->slots[i].key)
            return NULL;
        i = (i + 1) & mask;
    }
    SyzygyEntry *entry = &files->entries[files->slots[i].entry];
    SyzygyFile *file = &entry->files[kind];
    if (!file->path)
        return NULL;
    FileState state = atomic_load_explicit(&file->state, memory_order_acquire);
    if (state == FILE_UNTRIED)
        state = file_load(files, entry, kind, NULL);
    *swap = files->slots[i].swap;
    return state == FILE_READY ? file->table : NULL;
}

bool syzygy_files_verify(SyzygyFiles *files, Error *err)
{
    if (files->misfit) {
        error_set(err, ERR_INVALID, "%s: no table has its size: cut short?", files->misfit);
        return false;
    }
    for (size_t i = 0; i < files->count; i++)
        for (SyzygyKind kind = SYZYGY_WDL; kind <= SYZYGY_DTZ; kind++) {
            SyzygyEntry *entry = &files->entries[i];
            if (!entry->files[kind].path)
                continue;
            if (file_load(files, entry, kind, err) != FILE_READY) {
                error_set(err, ERR_INVALID, "%s: damaged", entry->files[kind].path);
                return false;
            }
        }
    return true;
}
