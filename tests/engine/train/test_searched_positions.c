/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/train/searched_positions.h"

#include "engine/core/fen.h"
#include "tests/support/unit.h"

#define SHARP "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"

static int keys_of(SearchedPositions *searched, const char *fen, uint64_t keys[BESIDE_MAX])
{
    static Position found[BESIDE_MAX];
    Position pos;
    assert_true(fen_read(&pos, fen, FEN_STRICT, NULL, NULL));
    int count = searched_positions(searched, &pos, BESIDE_MAX, found);
    for (int i = 0; i < count; i++) {
        PackedPosition packed = packed_position_of(&found[i]);
        assert_true(packed_position_read(&pos, &packed, NULL));
        assert_false(position_in_check(&found[i]));
        keys[i] = found[i].key;
    }
    return count;
}

static SearchedPositions *searched_new(void)
{
    SearchedPositions *searched;
    Error err = { 0 };
    if (!searched_positions_new(&searched, &err))
        fail_msg("%s", err.text);
    return searched;
}

TEST(a_search_meets_many_positions)
{
    SearchedPositions *searched = searched_new();
    uint64_t keys[BESIDE_MAX];
    int others = 0;
    assert_int_equal(keys_of(searched, SHARP, keys), BESIDE_MAX);
    for (int i = 1; i < BESIDE_MAX; i++)
        others += keys[i] != keys[i - 1];
    assert_in_range(others, BESIDE_MAX * 3 / 4, BESIDE_MAX);
    searched_positions_free(searched);
}

TEST(each_game_is_searched_from_new)
{
    SearchedPositions *searched = searched_new(), *other = searched_new();
    uint64_t first[BESIDE_MAX], again[BESIDE_MAX];
    keys_of(searched, SHARP, first);
    keys_of(other, FEN_START, again); /* which leaves its traces */
    searched_positions_begin(other);
    keys_of(other, SHARP, again);
    assert_memory_equal(again, first, sizeof first);
    searched_positions_free(other);
    searched_positions_free(searched);
}

TEST(a_search_that_is_over_at_once_meets_few)
{
    SearchedPositions *searched = searched_new();
    uint64_t keys[BESIDE_MAX];
    /* Stalemate: there is nothing to search. */
    assert_int_equal(keys_of(searched, "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", keys), 0);
    searched_positions_free(searched);
    searched_positions_free(NULL);
}
