/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/perft_suite.h"

#include "engine/core/fen.h"
#include "engine/core/perft.h"
#include "tests/unit.h"

#include <inttypes.h>

static void run_line(const char *path, char *line, uint64_t most_leaves)
{
    char *counts = strchr(line, ';');
    assert_non_null(counts);
    *counts++ = '\0';
    Position pos, before;
    Error err = { 0 };
    if (!fen_read(&pos, line, FEN_STRICT, NULL, &err))
        fail_msg("%s: %s: %s", path, line, err.text);
    before = pos;
    int depth;
    uint64_t leaves;
    while (counts && sscanf(counts, "D%d %" SCNu64, &depth, &leaves) == 2) {
        if (leaves <= most_leaves) {
            uint64_t found = perft(&pos, depth);
            if (found != leaves)
                fail_msg("%s: %s: depth %d: %" PRIu64 " leaves, not %" PRIu64, path, line, depth,
                         found, leaves);
            assert_memory_equal(&pos, &before, sizeof pos);
        }
        counts = strchr(counts, ';');
        counts += counts != NULL;
    }
}

int perft_suite_run(const char *path, uint64_t most_leaves)
{
    FILE *file = fopen(path, "r");
    if (!file)
        return -1;
    char line[512];
    int lines = 0;
    while (fgets(line, sizeof line, file)) {
        run_line(path, line, most_leaves);
        lines++;
    }
    fclose(file);
    return lines;
}
