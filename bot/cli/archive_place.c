/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/cli/archive_place.h"

#include "bot/archive/state_dir.h"
#include "bot/admin/control_place.h"
#include "bot/cli/ask_daemon.h"
#include "bot/cli/owner_rights.h"
#include "bot/ops/jsonread.h"
#include "engine/base/text_format.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { STATUS_TIMEOUT_MS = 2000 };

static ArchiveAccess look_at(const char *path)
{
    if (faccessat(AT_FDCWD, path, R_OK, AT_EACCESS) == 0)
        return ARCHIVE_PRESENT;
    switch (errno) {
    case ENOENT:
    case ENOTDIR:
        return ARCHIVE_ABSENT;
    case EACCES:
        return ARCHIVE_FORBIDDEN;
    default:
        return ARCHIVE_PRESENT;
    }
}

static bool put_path(ArchivePlace *out, ArchiveOwner owner, const char *path, Error *err)
{
    size_t len = strlen(path);
    if (len >= sizeof out->path) {
        error_set(err, ERR_RANGE, "the archive's path is too long");
        return false;
    }
    memcpy(out->path, path, len + 1);
    out->owner = owner;
    out->access = look_at(path);
    out->is_ours = owner == ARCHIVE_OF_CONFIG || owner == ARCHIVE_OF_USER;
    return true;
}

/* A daemon may run by another configuration than the command's: its archive has another name. */
static bool has_name(const char *path, const char *name)
{
    size_t len = strlen(path), name_len = strlen(name);
    return path[0] == '/' && len > name_len && path[len - name_len - 1] == '/' &&
           strcmp(path + len - name_len, name) == 0;
}

/* Our own, unless the service has one and we have none. */
static bool choose_folder(ArchivePlace *out, const char *name, const char *service_folder,
                          Error *err)
{
    char own[PATH_MAX], service[PATH_MAX];
    bool has_service = text_format_fits(service, sizeof service, "%s/%s", service_folder, name);
    if (!state_dir_path(own, sizeof own, name, err))
        return false;
    if (has_service && strcmp(own, service) == 0) { /* by $STATE_DIRECTORY: we are the service */
        bool ok = put_path(out, ARCHIVE_OF_SERVICE, own, err);
        out->is_ours = true;
        return ok;
    }
    if (has_service && look_at(own) == ARCHIVE_ABSENT && look_at(service) != ARCHIVE_ABSENT)
        return put_path(out, ARCHIVE_OF_SERVICE, service, err);
    return put_path(out, ARCHIVE_OF_USER, own, err);
}

bool archive_place_choose(ArchivePlace *out, const char *name, const char *daemon_file,
                          const char *service_folder, Error *err)
{
    if (strcmp(name, "off") == 0) {
        *out = (ArchivePlace){ .owner = ARCHIVE_OF_NOBODY, .access = ARCHIVE_ABSENT };
        return true;
    }
    if (name[0] == '/')
        return put_path(out, ARCHIVE_OF_CONFIG, name, err);
    if (daemon_file && has_name(daemon_file, name))
        return put_path(out, ARCHIVE_OF_DAEMON, daemon_file, err);
    return choose_folder(out, name, service_folder, err);
}

/* Root takes a path only from whom the folder belongs to: another could make it open any file. */
static bool is_of_who_answers(const Config *config, const char *path)
{
    char folder[PATH_MAX], socket[CONTROL_PLACE_SIZE];
    struct stat theirs, answers;
    const char *slash = strrchr(path, '/');
    if (!slash || !text_format_fits(folder, sizeof folder, "%.*s/", (int)(slash - path), path) ||
        stat(folder, &theirs) != 0)
        return false;
    for (int i = 0; i < CONTROL_PLACES; i++)
        if (control_place_try(config, i, socket) && stat(socket, &answers) == 0)
            return answers.st_uid == theirs.st_uid;
    return false;
}

/* Its archive's file, which the caller frees; NULL where none answers. */
static char *ask_daemons_file(const Config *config)
{
    char *answer, *file = NULL;
    if (!ask_daemon_quietly(config, "status", STATUS_TIMEOUT_MS, &answer, NULL))
        return NULL;
    struct json_object *status = jsonread_parse(answer, strlen(answer), NULL);
    Text text = jsonread_text(jsonread_object(status, "archive"), "file");
    if (text.len > 0)
        file = strndup(text.at, text.len);
    if (file && geteuid() == 0 && !is_of_who_answers(config, file)) {
        free(file);
        file = NULL;
    }
    json_object_put(status);
    free(answer);
    return file;
}

bool archive_place_find(ArchivePlace *out, const Config *config, Error *err)
{
    const char *name = config->archive.file;
    if (config->archive.database[0] != '\0') {
        *out = (ArchivePlace){ .owner = ARCHIVE_OF_SERVER, .access = ARCHIVE_PRESENT };
        static_assert(sizeof config->archive.database <= sizeof out->path, "it fits");
        memcpy(out->path, config->archive.database, sizeof config->archive.database);
        return true;
    }
    bool is_final = strcmp(name, "off") == 0 || name[0] == '/';
    char *file = is_final ? NULL : ask_daemons_file(config);
    const char *own = getenv("STATE_DIRECTORY"); /* of the unit, or by --instance */
    bool ok = archive_place_choose(out, name, file, own ? own : ARCHIVE_SERVICE_FOLDER, err);
    free(file);
    return ok;
}

/* SQLite would open a file that is not ours to write all the same, and fail later. */
static bool reopen_to_write(const ArchivePlace *place, Store **store, Error *err)
{
    store_free(*store);
    *store = NULL;
    if (place->owner != ARCHIVE_OF_SERVER &&
        faccessat(AT_FDCWD, place->path, W_OK, AT_EACCESS) != 0) {
        error_set(err, ERR_IO, "%s: you may not write it: run this command with sudo", place->path);
        return false;
    }
    return store_new(store, place->path, STORE_WRITE, err);
}

static bool open_store(const ArchivePlace *place, StoreMode mode, Store **out, Error *err)
{
    Store *store;
    if (!store_new(&store, place->path, STORE_READ, err) ||
        (mode == STORE_WRITE && !reopen_to_write(place, &store, err)))
        return false;
    *out = store;
    return true;
}

bool archive_place_open(const ArchivePlace *place, StoreMode mode, Store **out, Error *err)
{
    assert(place->owner != ARCHIVE_OF_NOBODY);
    if (place->access == ARCHIVE_FORBIDDEN) {
        error_set(err, ERR_IO, "%s: you may not read it: run this command with sudo", place->path);
        return false;
    }
    if (place->access == ARCHIVE_ABSENT && place->owner == ARCHIVE_OF_USER) {
        error_set(err, ERR_IO,
                  "%s: there is no archive yet, and none of the service in " ARCHIVE_SERVICE_FOLDER,
                  place->path);
        return false;
    }
    if (place->owner == ARCHIVE_OF_SERVER)
        return open_store(place, mode, out, err);
    if (!owner_rights_take(place->path, err))
        return false;
    if (open_store(place, mode, out, err))
        return true;
    owner_rights_drop();
    return false;
}

void archive_place_leave(Store *store)
{
    store_free(store);
    owner_rights_drop();
}
