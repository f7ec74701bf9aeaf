/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/account/bot_game_quota.h"
#include "tests/archive_table.h"
#include "tests/unit.h"

static void the_status_says_whose_day_is_over(void **state)
{
    Archive *archive = ((Table *)*state)->archive;
    static const struct {
        int status;
        const char *key, *theirs;
        bool is_learnt, ours, spent;
    } rows[] = {
        { 400, "", "alba", false, false, false }, /* refused for another reason */
        { 429, "", "alba", false, false, false }, /* asked too often */
        { 400, "challenge.create.user", "alba", false, false, false },
        { 500, "bot.vsBot.day", "alba", false, false, false },
        { 400, "bot.vsBot.day", "", true, false, false }, /* an unknown player */
        { 400, "bot.vsBot.day", "alba", true, false, true },
        { 429, "bot.vsBot.day", "berta", true, true, false },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const ApiAnswer answer = { .status = rows[i].status,
                                   .limit_key = text_of(rows[i].key),
                                   .wait_s = 100 };
        assert_int_equal(bot_game_quota_learn(archive, &answer, "us", rows[i].theirs),
                         rows[i].is_learnt);
        assert_int_equal(bot_game_quota_is_spent(archive, text_of("us")), rows[i].ours);
        assert_int_equal(bot_game_quota_is_spent(archive, text_of(rows[i].theirs)), rows[i].spent);
    }
}

static void nobody_has_never_played_enough(void **state)
{
    Archive *archive = ((Table *)*state)->archive;
    char longest[2 * FACT_KEY_SIZE];
    memset(longest, 'a', sizeof longest);
    assert_false(bot_game_quota_is_spent(archive, (Text){ 0 }));
    assert_false(bot_game_quota_is_spent(archive, (Text){ longest, sizeof longest }));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(the_status_says_whose_day_is_over, set_table, clear_table),
        cmocka_unit_test_setup_teardown(nobody_has_never_played_enough, set_table, clear_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
