/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/core/zobrist.h"

#include "engine/core/fen.h"
#include "tests/support/unit.h"

#include <inttypes.h>

/* Lines of `FEN<tab>key in hexadecimal`; -1 without such a file. */
static int check_keys(const char *path)
{
    FILE *file = fopen(path, "r");
    if (!file)
        return -1;
    char line[256];
    int lines = 0;
    while (fgets(line, sizeof line, file)) {
        char *tab = strchr(line, '\t');
        if (line[0] == '#' || !tab)
            continue;
        *tab = '\0';
        Position pos;
        Error err = { 0 };
        uint64_t key = strtoull(tab + 1, NULL, 16);
        if (!fen_read(&pos, line, FEN_STRICT, NULL, &err))
            fail_msg("%s: %s", line, err.text);
        if (pos.key != key)
            fail_msg("%s: key %016" PRIx64 ", not %016" PRIx64, line, pos.key, key);
        lines++;
    }
    fclose(file);
    return lines;
}

TEST(positions_have_the_keys_of_another_program)
{
    assert_true(check_keys(TEST_DATA_DIR "/polyglot_keys.tsv") > 500);
}
