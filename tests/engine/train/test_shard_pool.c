/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/train/shard_pool.h"

#include "tests/support/unit.h"

#define HASH "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
#define OTHER "fedcba9876543210fedcba9876543210fedcba9876543210fedcba9876543210"

TEST(the_last_line_about_a_shard_has_its_hash)
{
    static const struct {
        const char *name, *manifest, *hash;
    } rows[] = {
        { "empty", "", "" },
        { "its line", "a.games games=1 sha256=" HASH "\n", HASH },
        { "no newline at the end", "a.games games=1 sha256=" HASH, HASH },
        { "nothing but the hash", "a.games sha256=" HASH "\n", HASH },
        { "two lines", "a.games sha256=" OTHER "\na.games sha256=" HASH "\n", HASH },
        { "a longer name", "a.games2 sha256=" HASH "\n", "" },
        { "another name", "b.games sha256=" HASH "\n", "" },
        { "a shorter hash", "a.games sha256=0123\n", "" },
        { "a longer hash", "a.games sha256=" HASH "0\n", "" },
        { "no digits", "a.games sha256=x" HASH "\n", "" },
        { "something behind the hash", "a.games sha256=" HASH " \n", "" },
        { "another word", "a.games sha512=" HASH "\n", "" },
        { "a damaged line behind a good one", "a.games sha256=" HASH "\na.games sha2", HASH },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Text hash = shard_manifest_hash(rows[i].manifest, "a.games");
        if (!text_is(hash, rows[i].hash))
            fail_msg("%s: '%.*s'", rows[i].name, TEXT_ARGS(hash));
    }
}
