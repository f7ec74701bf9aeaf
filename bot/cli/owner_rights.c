/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/cli/owner_rights.h"

#include "engine/base/text_format.h"

#include <errno.h>
#include <grp.h>
#include <limits.h>
#include <linux/capability.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Of what root may do, which euid has given up, only to read and to pass folders. A container that
 * lacks even this goes without. */
static void keep_reading(void)
{
    struct __user_cap_header_struct head = { .version = _LINUX_CAPABILITY_VERSION_3 };
    struct __user_cap_data_struct sets[_LINUX_CAPABILITY_U32S_3] = { 0 };
    if (syscall(SYS_capget, &head, sets) != 0)
        return;
    for (size_t i = 0; i < _LINUX_CAPABILITY_U32S_3; i++)
        sets[i].effective = 0;
    sets[0].effective = sets[0].permitted & (1U << CAP_DAC_READ_SEARCH);
    (void)!syscall(SYS_capset, &head, sets);
}

static bool look_at_folder(const char *path, struct stat *out)
{
    char folder[PATH_MAX];
    const char *slash = strrchr(path, '/');
    return slash && text_format_fits(folder, sizeof folder, "%.*s/", (int)(slash - path), path) &&
           stat(folder, out) == 0;
}

bool owner_rights_take(const char *path, Error *err)
{
    struct stat folder;
    if (geteuid() != 0 || !look_at_folder(path, &folder) || folder.st_uid == 0)
        return true; /* a folder that is not there has nothing in it */
    if (setgroups(1, &folder.st_gid) == 0 && setegid(folder.st_gid) == 0 &&
        seteuid(folder.st_uid) == 0) {
        keep_reading();
        return true;
    }
    error_set(err, ERR_IO, "%s: cannot act as its folder's owner: %s", path, strerror(errno));
    owner_rights_drop();
    return false;
}

void owner_rights_drop(void)
{
    if (getuid() != 0 || (geteuid() == 0 && getegid() == getgid()))
        return;
    (void)!seteuid(0);
    (void)!setegid(getgid());
}
