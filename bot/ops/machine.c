/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/ops/machine.h"

#include "engine/base/text_format.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

/* The first of them speaks for all. */
static bool read_model(char out[MACHINE_TEXT_SIZE])
{
    enum { LINES = 32 };
    static const char key[] = "model name";
    char line[256];
    bool found = false;
    FILE *file = fopen("/proc/cpuinfo", "re");
    if (!file)
        return false;
    for (int i = 0; i < LINES && !found && fgets(line, sizeof line, file); i++) {
        const char *value = strstr(line, ": ");
        if (strncmp(line, key, sizeof key - 1) != 0 || !value)
            continue;
        found = text_format_cut(out, MACHINE_TEXT_SIZE, "%.*s", (int)strcspn(value + 2, "\n"),
                                value + 2) > 0;
    }
    fclose(file);
    return found;
}

void machine_cpu(char out[MACHINE_TEXT_SIZE])
{
    struct utsname names;
    if (read_model(out))
        return;
    text_format_cut(out, MACHINE_TEXT_SIZE, "%s", uname(&names) == 0 ? names.machine : "?");
}

void machine_ram(char out[MACHINE_TEXT_SIZE])
{
    enum { MIB = 1 << 20, GIB_IN_MIB = 1024 };
    int64_t mib = (int64_t)sysconf(_SC_PHYS_PAGES) * sysconf(_SC_PAGESIZE) / MIB;
    bool is_large = mib >= GIB_IN_MIB;
    text_format(out, MACHINE_TEXT_SIZE, "%lld %s",
                (long long)(is_large ? (mib + GIB_IN_MIB / 2) / GIB_IN_MIB : mib),
                is_large ? "GiB" : "MiB");
}
