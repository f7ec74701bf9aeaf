/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/human/policy_folder.h"

#include "engine/base/number.h"
#include "engine/base/text_format.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

bool policy_folder_is(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

static bool ends_with(const char *name, size_t len, const char *ending)
{
    return len >= strlen(ending) && strcmp(name + len - strlen(ending), ending) == 0;
}

/* 0: the name has none. */
static int rating_in(const char *name)
{
    enum { RATING_MAX = 9999 };
    size_t len = strlen(name), digits = 0;
    if (ends_with(name, len, ".gz"))
        len -= strlen(".gz");
    if (len < strlen(".pb") || strncmp(name + len - strlen(".pb"), ".pb", strlen(".pb")) != 0)
        return 0;
    len -= strlen(".pb");
    while (digits < len && isdigit((unsigned char)name[len - digits - 1]))
        digits++;
    int64_t rating = 0;
    bool has_rating = digits < len && name[len - digits - 1] == '-' &&
                      number_parse(name + len - digits, digits, 1, RATING_MAX, &rating, NULL);
    return has_rating ? (int)rating : 0;
}

static int by_rating(const void *a, const void *b)
{
    const int *first = a, *second = b; /* each file's first member */
    return (*first > *second) - (*first < *second);
}

static bool add(PolicyFolder *folder, const char *path, const char *name, Error *err)
{
    if (folder->count == POLICY_FOLDER_MAX) {
        error_set(err, ERR_INVALID, "%s: has more than %d networks", path, POLICY_FOLDER_MAX);
        return false;
    }
    char *out = folder->files[folder->count].path;
    if (!text_format_fits(out, POLICY_PATH_SIZE, "%s/%s", path, name)) {
        error_set(err, ERR_INVALID, "%s/%s: the path is too long", path, name);
        return false;
    }
    folder->files[folder->count++].rating = rating_in(name);
    return true;
}

bool policy_folder_read(PolicyFolder *out, const char *path, Error *err)
{
    DIR *list = opendir(path);
    if (!list) {
        error_set(err, ERR_IO, "%s: %s", path, strerror(errno));
        return false;
    }
    out->count = 0;
    bool ok = true;
    for (struct dirent *entry; ok && (entry = readdir(list));)
        if (rating_in(entry->d_name) > 0)
            ok = add(out, path, entry->d_name, err);
    closedir(list);
    if (ok && out->count == 0) {
        error_set(err, ERR_INVALID,
                  "%s: has no network whose name ends with a rating, as maia-1500.pb.gz", path);
        return false;
    }
    if (ok)
        qsort(out->files, (size_t)out->count, sizeof *out->files, by_rating);
    return ok;
}

int policy_folder_nearest(const PolicyFolder *folder, int elo)
{
    enum { NOT_KNOWN = 1500, MIDDLE = 50 };
    int best = 0, wanted = elo == 0 ? NOT_KNOWN : elo;
    for (int i = 1; i < folder->count; i++)
        if (abs(folder->files[i].rating + MIDDLE - wanted) <
            abs(folder->files[best].rating + MIDDLE - wanted))
            best = i;
    return best;
}
