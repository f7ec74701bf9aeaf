/* SPDX-License-Identifier: GPL-3.0-or-later */
/* policy_folder.h - a folder of networks of people's moves, each named by the rating of its people:
 * maia-1500.pb.gz and so on. Its functions wait for the disk where nothing else is said. */
#pragma once
#include "engine/base/error.h"

enum { POLICY_FOLDER_MAX = 40, POLICY_PATH_SIZE = 1024 };

typedef struct {
    int count;
    struct {
        int rating;
        char path[POLICY_PATH_SIZE];
    } files[POLICY_FOLDER_MAX];
} PolicyFolder;

bool policy_folder_is(const char *path);

/* The networks in it, lowest rating first: files that end in -RATING.pb.gz or -RATING.pb. Fails
 * when it cannot be read, or has none or too many of them. */
bool policy_folder_read(PolicyFolder *out, const char *path, Error *err) MUST_CHECK;

/* Of a folder with a file: the index of that whose people are nearest to `elo` (0: not known, which
 * counts as 1500). A network knows people from its rating to 100 above, as Maia's do. Pure. */
int policy_folder_nearest(const PolicyFolder *folder, int elo);
