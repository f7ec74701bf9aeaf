/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/cli/game_transcript.h"

#include "bot/archive/state_dir.h"
#include "bot/cli/archive_place.h"
#include "bot/cli/owner_rights.h"
#include "engine/base/alloc.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Beside the file that the archive has, or would have. */
static bool find_folder(const Config *config, char out[PATH_MAX], Error *err)
{
    ArchivePlace place;
    Config *files = alloc_zeroed(sizeof *files, "settings", err);
    if (!files)
        return false;
    *files = *config; /* for the places alone: it owns nothing */
    files->archive.database[0] = '\0';
    if (strcmp(files->archive.file, "off") == 0)
        memcpy(files->archive.file, TRANSCRIPT_FOLDER, sizeof TRANSCRIPT_FOLDER);
    bool ok = archive_place_find(&place, files, err);
    free(files);
    if (ok && !state_dir_beside(out, PATH_MAX, place.path, TRANSCRIPT_FOLDER)) {
        error_set(err, ERR_RANGE, "the folder of transcripts has too long a path");
        return false;
    }
    return ok;
}

static bool is_of_game(const char *name, const char *game)
{
    size_t len = strlen(game), name_len = strlen(name);
    return name_len > len + strlen(TRANSCRIPT_SUFFIX) && strncmp(name, game, len) == 0 &&
           name[len] == '.' &&
           strcmp(name + name_len - strlen(TRANSCRIPT_SUFFIX), TRANSCRIPT_SUFFIX) == 0;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(a, b);
}

bool game_transcripts_find(GameTranscripts *out, const Config *config, const char *game, Error *err)
{
    char folder[PATH_MAX], inside[PATH_MAX + 2];
    Error why = { 0 };
    out->count = 0;
    if (!find_folder(config, folder, err))
        return false;
    int len = snprintf(inside, sizeof inside, "%s/x", folder);
    DIR *list = len > 0 && owner_rights_take(inside, &why) ? opendir(folder) : NULL;
    if (!list && error_is_set(&why))
        error_set(err, why.code, "%s", why.text);
    else if (!list)
        error_set(err, ERR_IO, "%s: %s", folder,
                  errno == EACCES ? "you may not read it: run this command with sudo"
                                  : strerror(errno));
    if (!list)
        return false;
    for (struct dirent *entry = readdir(list); entry; entry = readdir(list)) {
        if (out->count == GAME_TRANSCRIPTS_MAX || !is_of_game(entry->d_name, game))
            continue;
        len = snprintf(out->heads[out->count], PATH_MAX, "%s/%s", folder, entry->d_name);
        out->count += len > 0 && len < PATH_MAX;
    }
    closedir(list);
    qsort(out->heads, out->count, sizeof *out->heads, by_name);
    if (out->count == 0)
        error_set(err, ERR_IO,
                  "%s: nothing of game %s: no external engine was asked in it, or it is too old",
                  folder, game);
    return out->count > 0;
}

static bool read_part(const char *path, bool must_be, Buf *out, Error *err)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    FILE *file = fd < 0 ? NULL : fdopen(fd, "r");
    if (!file) {
        if (fd >= 0)
            close(fd);
        if (!must_be && errno == ENOENT)
            return true;
        error_set(err, ERR_IO, "%s: %s", path, strerror(errno));
        return false;
    }
    bool ok = buf_read(out, file, err);
    fclose(file);
    return ok;
}

bool game_transcript_read(const char *head, Buf *out, Error *err)
{
    char tail[PATH_MAX + 16], old[PATH_MAX + 32];
    int n = snprintf(tail, sizeof tail, "%s" TRANSCRIPT_TAIL, head);
    int m = snprintf(old, sizeof old, "%s" TRANSCRIPT_OLD, tail);
    return n > 0 && m > 0 && read_part(head, true, out, err) && read_part(old, false, out, err) &&
           read_part(tail, false, out, err);
}
