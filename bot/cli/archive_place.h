/* SPDX-License-Identifier: GPL-3.0-or-later */
/* archive_place.h - which file a command reads as the archive. The daemon's state directory comes
 * from its unit's environment, which the operator's shell does not have. */
#pragma once
#include "bot/archive/store.h"
#include "bot/config/config.h"

#include <limits.h>

#define ARCHIVE_SERVICE_FOLDER "/var/lib/castled" /* StateDirectory= of castled.service */

typedef enum {
    ARCHIVE_OF_NOBODY,  /* the configuration turns it off; there is no path */
    ARCHIVE_OF_CONFIG,  /* the configuration names the whole path */
    ARCHIVE_OF_DAEMON,  /* the running daemon names it */
    ARCHIVE_OF_USER,    /* in our own state directory (state_dir.h) */
    ARCHIVE_OF_SERVICE, /* in the state directory of the service */
    ARCHIVE_OF_SERVER,  /* on the server that the configuration names, by its address */
} ArchiveOwner;

typedef enum {
    ARCHIVE_ABSENT,
    ARCHIVE_PRESENT,   /* opening it shows the rest */
    ARCHIVE_FORBIDDEN, /* present, or in a folder that is, but not for us to read */
} ArchiveAccess;

typedef struct {
    ArchiveOwner owner;
    ArchiveAccess access;
    bool is_ours;        /* a daemon that we start from here would write it */
    char path[PATH_MAX]; /* absolute, or the address */
} ArchivePlace;

/* Asks the running daemon of this configuration (waits at most 2 s) and chooses. False and an Error
 * where archive_place_choose() fails. */
bool archive_place_find(ArchivePlace *out, const Config *config, Error *err) MUST_CHECK;

/* Chooses the first that there is of: (1) an absolute path in the configuration; (2) the running
 * daemon's file of that name; (3) the user's file, if it exists; (4) the service's, if it exists or
 * its folder is closed to us; (5) the user's, although it does not exist. `name`: [archive] file.
 * `daemon_file`: the daemon's answer; NULL: none. `service_folder`: ARCHIVE_SERVICE_FOLDER, but in
 * tests. False and an Error where there is no state directory, or a path is too long. */
bool archive_place_choose(ArchivePlace *out, const char *name, const char *daemon_file,
                          const char *service_folder, Error *err) MUST_CHECK;

/* Opens it; one that is not there, or of an older schema, is left to the daemon. The Error says
 * what to do where it is absent or forbidden. Not for ARCHIVE_OF_NOBODY. */
bool archive_place_open(const ArchivePlace *place, StoreMode mode, Store **out,
                        Error *err) MUST_CHECK;

/* Closes it, for who goes on with other things: while it is open, root acts as the owner of its
 * folder (owner_rights.h). NULL is fine. */
void archive_place_leave(Store *store);
