/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/account/rematches.h"
#include "tests/archive_table.h"
#include "tests/unit.h"

static Challenge offer(const char *id, const char *rematch_of)
{
    Challenge challenge = { .rematch_of = text_of(rematch_of) };
    memcpy(challenge.id, id, strlen(id) + 1);
    return challenge;
}

static void rematches_of_rematches_add_up(void **state)
{
    Archive *archive = ((Table *)*state)->archive;
    Challenge first = offer("second00", "first000"), second = offer("third000", "second00");
    Challenge third = offer("fourth00", "third000");
    assert_int_equal(rematches_before(archive, &first), 0);
    rematches_note(archive, &first);
    rematches_note(archive, &first); /* offered once more */
    assert_int_equal(rematches_before(archive, &second), 1);
    rematches_note(archive, &second);
    assert_int_equal(rematches_before(archive, &third), 2);
    assert_true(rematches_has(archive, "third000"));
    assert_false(rematches_has(archive, "first000"));
}

static void other_challenges_are_no_rematches(void **state)
{
    Archive *archive = ((Table *)*state)->archive;
    Challenge challenge = offer("other000", ""), strange = offer("other001", "../x");
    rematches_note(archive, &challenge);
    assert_false(rematches_has(archive, "other000"));
    assert_int_equal(rematches_before(archive, &challenge), 0);
    assert_int_equal(rematches_before(archive, &strange), 0);
    assert_false(rematches_has(archive, ""));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(rematches_of_rematches_add_up, set_table, clear_table),
        cmocka_unit_test_setup_teardown(other_challenges_are_no_rematches, set_table, clear_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
