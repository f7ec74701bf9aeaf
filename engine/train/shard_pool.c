/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/train/shard_pool.h"

#include "engine/base/buf.h"
#include "engine/train/expand.h"
#include "engine/train/output.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>

enum { PATH_SIZE = 4096, MANIFEST_MAX = 64 << 20 };

typedef struct {
    const char **paths;
    int count;
} PathList;

static bool ends_with(const char *text, const char *end)
{
    size_t len = strlen(text), end_len = strlen(end);
    return len >= end_len && strcmp(text + len - end_len, end) == 0;
}

static int is_shard(const struct dirent *entry)
{
    return ends_with(entry->d_name, ".games") || ends_with(entry->d_name, ".games.part");
}

static void path_list_release(PathList *list)
{
    for (int i = 0; i < list->count; i++)
        free((void *)(uintptr_t)list->paths[i]);
    free(list->paths);
}

static bool path_list_add(PathList *list, const char *folder, const char *name, Error *err)
{
    char path[PATH_SIZE];
    int len = snprintf(path, sizeof path, "%s/%s", folder, name);
    if (len < 0 || len >= PATH_SIZE) {
        error_set(err, ERR_RANGE, "%s: longer than %d bytes", folder, PATH_SIZE);
        return false;
    }
    list->paths[list->count] = strdup(path);
    if (!list->paths[list->count]) {
        error_set(err, ERR_MEMORY, "no memory for paths");
        return false;
    }
    list->count++;
    return true;
}

/* The folder's shards by name: the same order on every machine. */
static bool path_list_init(PathList *list, const char *folder, Error *err)
{
    struct dirent **entries;
    int count = scandir(folder, &entries, is_shard, alphasort);
    if (count < 0) {
        error_set(err, ERR_IO, "%s: %s", folder, strerror(errno));
        return false;
    }
    *list = (PathList){ .paths = calloc((size_t)count + 1, sizeof *list->paths) };
    bool ok = list->paths != NULL && count > 0;
    if (!ok)
        error_set(err, ERR_INVALID, "%s: no shards", folder);
    for (int i = 0; i < count; i++) {
        ok = ok && path_list_add(list, folder, entries[i]->d_name, err);
        free(entries[i]);
    }
    free(entries);
    if (!ok)
        path_list_release(list);
    return ok;
}

static bool manifest_read(Buf *manifest, const char *folder, Error *err)
{
    char path[PATH_SIZE];
    int len = snprintf(path, sizeof path, "%s/manifest.txt", folder);
    FILE *file = len > 0 && len < PATH_SIZE ? fopen(path, "rb") : NULL;
    if (!file)
        return true; /* then every finished shard lacks its line */
    bool ok = buf_read(manifest, file, err);
    if (!ok)
        error_prefix(err, "%s", path);
    fclose(file);
    return ok;
}

/* The hash that ends a line about the shard; empty if the line is about another or has none. */
static Text line_hash(Text line, const char *name)
{
    static const char key[] = " sha256=";
    size_t name_len = strlen(name), key_len = sizeof key - 1,
           hex_len = (size_t)2 * OUTPUT_HASH_SIZE;
    if (line.len < name_len + key_len + hex_len || !text_starts_with(line, name) ||
        line.at[name_len] != ' ')
        return (Text){ 0 };
    Text hash = { line.at + line.len - hex_len, hex_len };
    bool is_hash = memcmp(hash.at - key_len, key, key_len) == 0 &&
                   strspn(hash.at, "0123456789abcdef") == hex_len;
    return is_hash ? hash : (Text){ 0 };
}

Text shard_manifest_hash(const char *manifest, const char *name)
{
    Text found = { 0 };
    for (const char *line = manifest; *line;) {
        size_t len = strcspn(line, "\n");
        Text hash = line_hash((Text){ line, len }, name);
        if (hash.len)
            found = hash;
        line += len + (line[len] == '\n');
    }
    return found;
}

static bool file_hash(char hex[2 * OUTPUT_HASH_SIZE + 1], const char *path, Error *err)
{
    MappedFile file;
    uint8_t hash[OUTPUT_HASH_SIZE];
    if (!mapped_file_init(&file, path, err))
        return false;
    bool ok = output_hash(hash, file.bytes, file.size, err);
    mapped_file_release(&file);
    for (int i = 0; ok && i < 2 * OUTPUT_HASH_SIZE; i++)
        hex[i] = "0123456789abcdef"[hash[i / 2] >> (i % 2 ? 0 : 4) & 15];
    hex[2 * OUTPUT_HASH_SIZE] = 0;
    return ok;
}

static bool shards_compare(const PathList *list, const char *manifest, Error *err)
{
    for (int i = 0; i < list->count; i++) {
        char hex[2 * OUTPUT_HASH_SIZE + 1];
        const char *path = list->paths[i], *name = strrchr(path, '/') + 1;
        if (ends_with(path, ".part"))
            continue;
        Text expected = shard_manifest_hash(manifest, name);
        if (expected.len == 0) {
            error_set(err, ERR_INVALID, "%s: not in the manifest", path);
            return false;
        }
        if (!file_hash(hex, path, err))
            return false;
        if (!text_is(expected, hex)) {
            error_set(err, ERR_INVALID, "%s: its SHA-256 is %s, the manifest has %.*s", path, hex,
                      TEXT_ARGS(expected));
            return false;
        }
    }
    return true;
}

bool shard_pool_check(const char *folder, FILE *report, Error *err)
{
    PathList list;
    Buf manifest;
    if (!path_list_init(&list, folder, err))
        return false;
    buf_init(&manifest, MANIFEST_MAX);
    ExpandOptions options = { .paths = list.paths,
                              .path_count = list.count,
                              .form = LABEL_SMOOTH,
                              .score_max = POSITION_VARIANT_SCORE_CAP,
                              .few_men_percent = 100 };
    bool ok = manifest_read(&manifest, folder, err) &&
              shards_compare(&list, buf_view(&manifest), err) && expand(&options, report, err);
    buf_release(&manifest);
    path_list_release(&list);
    return ok;
}
