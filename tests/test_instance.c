/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/admin/control_place.h"
#include "bot/cli/archive_place.h"
#include "bot/cli/instance.h"
#include "tests/unit.h"

/* What the unit gives it; tests/checks/unit.py holds the unit to the same names. */
static void an_instance_has_places_of_its_own(void **state)
{
    Config config = { 0 };
    CommandOptions options = { 0 };
    ArchivePlace place;
    Error err = { 0 };
    char path[CONFIG_PATH_SIZE], socket[CONTROL_PLACE_SIZE];
    (void)state;
    memcpy(config.archive.file, "games.sqlite", 13);
    assert_true(instance_choose(&options, "alba", path));
    assert_string_equal(options.config_file, "/etc/castled/alba.conf");
    assert_true(control_place_try(&config, 0, socket));
    assert_string_equal(socket, "/run/castled-alba/castled.sock");
    assert_true(archive_place_find(&place, &config, &err));
    assert_string_equal(place.path, "/var/lib/castled-alba/games.sqlite");
    assert_int_equal(place.owner, ARCHIVE_OF_SERVICE);
}

static void what_no_unit_can_be_called_is_refused(void **state)
{
    static const char *const names[] = { "", ".", "..", ".a", "a/b", "../a", "a b", "a-b", "a@b" };
    CommandOptions options = { 0 };
    char path[CONFIG_PATH_SIZE];
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        assert_false(instance_choose(&options, names[i], path));
    assert_null(options.config_file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_instance_has_places_of_its_own),
        cmocka_unit_test(what_no_unit_can_be_called_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
