/* SPDX-License-Identifier: GPL-3.0-or-later */
/* archive_table.h - a loop and an archive without a file, for tests of what keeps facts there. */
#pragma once
#include "bot/archive/archive.h"

#include <uv.h>

typedef struct {
    uv_loop_t loop;
    Log log;
    Archive *archive;
} Table;

/* For cmocka: *state is a Table between them. */
int set_table(void **state);
int clear_table(void **state);
