/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/perft_suite.h"

#include "engine/core/fen.h"
#include "engine/core/perft.h"
#include "tests/support/unit.h"

#include <inttypes.h>

static void must_be_valid(const Position *pos)
{
    Error err = { 0 };
    if (!position_validate(pos, &err)) {
        char fen[FEN_SIZE];
        fen_write(pos, fen);
        fail_msg("%s: %s", fen, err.text);
    }
}

static uint64_t careful_perft(Position *pos, int depth)
{
    must_be_valid(pos);
    if (depth == 0)
        return 1;
    MoveList list;
    movegen_legal(pos, &list);
    uint64_t leaves = 0;
    for (int i = 0; i < list.count; i++) {
        Undo undo;
        position_make(pos, list.moves[i], &undo);
        leaves += careful_perft(pos, depth - 1);
        position_unmake(pos, list.moves[i], &undo);
        must_be_valid(pos);
    }
    return leaves;
}

static void run_line(const char *path, Ruleset ruleset, char *line, uint64_t most_leaves,
                     PerftCare care)
{
    char *counts = strchr(line, ';');
    assert_non_null(counts);
    *counts++ = '\0';
    Position pos, before;
    Error err = { 0 };
    if (!fen_read_as(&pos, ruleset, line, FEN_STRICT, NULL, &err))
        fail_msg("%s: %s: %s", path, line, err.text);
    before = pos;
    int depth;
    uint64_t leaves;
    while (counts && sscanf(counts, "D%d %" SCNu64, &depth, &leaves) == 2) {
        if (leaves <= most_leaves) {
            uint64_t found =
                care == PERFT_CAREFUL ? careful_perft(&pos, depth) : perft(&pos, depth);
            if (found != leaves)
                fail_msg("%s: %s: depth %d: %" PRIu64 " leaves, not %" PRIu64, path, line, depth,
                         found, leaves);
            assert_memory_equal(&pos, &before, sizeof pos);
        }
        counts = strchr(counts, ';');
        if (counts)
            counts++;
    }
}

int perft_suite_run(const char *path, Ruleset ruleset, uint64_t most_leaves, PerftCare care)
{
    FILE *file = fopen(path, "r");
    if (!file)
        return -1;
    char line[512];
    int lines = 0;
    while (fgets(line, sizeof line, file)) {
        run_line(path, ruleset, line, most_leaves, care);
        lines++;
    }
    fclose(file);
    return lines;
}
