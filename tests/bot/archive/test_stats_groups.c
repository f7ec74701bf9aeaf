/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/archive/stats_groups.h"
#include "tests/support/unit.h"

TEST(a_group_is_named_by_its_latest_game)
{
    StatsGroups groups = { 0 };
    stats_groups_at(&groups, "alba", "Alba", 5)->won++;
    stats_groups_at(&groups, "alba", "ALBA", 7)->won++;
    stats_groups_at(&groups, "alba", "alba", 6)->lost++;
    stats_groups_at(&groups, "berta", "Berta", 1)->drawn++;
    stats_groups_sort(&groups, STATS_MOST_GAMES_FIRST);
    assert_int_equal(groups.count, 2);
    assert_string_equal(groups.list[0].name, "ALBA");
    assert_int_equal(stats_group_games(&groups.list[0]), 3);
    assert_string_equal(groups.list[1].name, "Berta");
    stats_groups_release(&groups);
}

TEST(many_groups_are_kept_apart)
{
    enum { GROUPS = 5000, TIMES = 3 };
    StatsGroups groups = { 0 };
    for (int i = 0; i < GROUPS * TIMES; i++) {
        char key[16];
        assert_true(snprintf(key, sizeof key, "%06d", i % GROUPS) > 0);
        stats_groups_at(&groups, key, key, i)->won++;
    }
    stats_groups_sort(&groups, STATS_MOST_GAMES_FIRST);
    assert_int_equal(groups.count, GROUPS);
    for (size_t i = 0; i < groups.count; i++) {
        assert_int_equal(strtol(groups.list[i].name, NULL, 10), i);
        assert_int_equal(groups.list[i].won, TIMES);
    }
    stats_groups_release(&groups);
}

TEST(dates_come_latest_first)
{
    StatsGroups groups = { 0 };
    stats_groups_sort(&groups, STATS_LAST_NAME_FIRST);
    stats_groups_at(&groups, "2026-09 bot", "2026-09 bot", 1)->won = 9;
    stats_groups_at(&groups, "2026-11 bot", "2026-11 bot", 3)->won = 1;
    stats_groups_at(&groups, "2026-10 bot", "2026-10 bot", 2)->won = 5;
    stats_groups_sort(&groups, STATS_LAST_NAME_FIRST);
    assert_string_equal(groups.list[0].name, "2026-11 bot");
    assert_string_equal(groups.list[2].name, "2026-09 bot");
    stats_groups_release(&groups);
}
