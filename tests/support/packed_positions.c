/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/packed_positions.h"

#include "engine/base/random.h"
#include "tests/support/games.h"
#include "tests/support/unit.h"

enum { KEEP_ONE_OF = 7, GAMES = 200 };

typedef struct {
    PackedPosition *records;
    int count, wanted, seen;
} Collection;

static void collect(Position *pos, void *user)
{
    Collection *c = user;
    if (c->count == c->wanted || c->seen++ % KEEP_ONE_OF)
        return;
    PackedPosition packed = packed_position_of(pos);
    uint64_t seed = pos->key;
    packed.score = (int16_t)((int)random_below(&seed, 2001) - 1000);
    packed.result = (uint8_t)random_below(&seed, 3);
    packed.flags |= c->count % PACKED_GAME_LENGTH ? 0 : PACKED_FIRST_OF_GAME;
    c->records[c->count++] = packed;
}

void packed_positions_fill(PackedPosition *records, int count, uint64_t seed)
{
    Collection c = { .records = records, .wanted = count };
    game_set_play(seed, GAMES, collect, &c);
    assert_int_equal(c.count, count);
}

void packed_positions_write(const char *path, const PackedPosition *records, int count)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(records, sizeof *records, (size_t)count, file), count);
    assert_int_equal(fclose(file), 0);
}
