/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/admin/control_place.h"
#include "bot/cli/archive_place.h"
#include "bot/cli/instance.h"
#include "tests/support/unit.h"

/* What the unit gives it; tests/checks/unit.py holds the unit to the same names. */
TEST(an_instance_has_places_of_its_own)
{
    Config config = { 0 };
    CommandOptions options = { 0 };
    ArchivePlace place;
    Error err = { 0 };
    ServiceUnit unit;
    char socket[CONTROL_PLACE_SIZE];
    memcpy(config.archive.file, "games.sqlite", 13);
    assert_true(instance_choose(&options, "alba", &unit, NULL));
    assert_string_equal(options.config_file, "/etc/castled/alba.conf");
    assert_true(control_place_try(&config, 0, socket));
    assert_string_equal(socket, "/run/castled-alba/castled.sock");
    assert_true(archive_place_find(&place, &config, &err));
    assert_string_equal(place.path, "/var/lib/castled-alba/games.sqlite");
    assert_int_equal(place.owner, ARCHIVE_OF_SERVICE);
}

TEST(what_no_unit_can_be_called_is_refused)
{
    static const char *const names[] = { "",     ".",   "..", ".a",  "a/b",
                                         "../a", "a b", "-a", "a@b", "castled" };
    CommandOptions options = { 0 };
    ServiceUnit unit;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        assert_false(instance_choose(&options, names[i], &unit, NULL));
    assert_null(options.config_file);
}

TEST(a_configuration_belongs_to_the_unit_of_its_name)
{
    static const struct {
        const char *config_file, *unit, *token_file; /* unit NULL: none */
    } rows[] = {
        { "/etc/castled/castled.conf", "castled", "/etc/castled/token" },
        { "/etc/castled/alba.conf", "castled@alba", "/etc/castled/alba.token" },
        { "/etc/castled/a-b.c_1.conf", "castled@a-b.c_1", "/etc/castled/a-b.c_1.token" },
        { "/etc/castled/.conf", NULL, NULL },
        { "/etc/castled/-a.conf", NULL, NULL },
        { "/etc/castled/castled.conf.example", NULL, NULL },
        { "/etc/castled/more/alba.conf", NULL, NULL },
        { "/home/me/castled.conf", NULL, NULL },
        { "castled.conf", NULL, NULL },
    };
    ServiceUnit unit, other;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        bool is_found = service_unit_of_config(&unit, rows[i].config_file);
        assert_int_equal(is_found, rows[i].unit != NULL);
        if (!is_found)
            continue;
        assert_string_equal(unit.name, rows[i].unit);
        assert_string_equal(unit.config_file, rows[i].config_file);
        assert_string_equal(unit.token_file, rows[i].token_file);
        assert_true(service_unit_of_token(&other, unit.token_file));
        assert_string_equal(other.name, unit.name);
    }
    assert_false(service_unit_of_token(&other, "/etc/castled/secret"));
    assert_false(service_unit_of_token(&other, "/etc/castled/.token"));
    assert_false(service_unit_of_token(&other, "/home/me/token"));
}
