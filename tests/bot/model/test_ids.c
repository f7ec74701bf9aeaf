/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/model/ids.h"
#include "tests/support/unit.h"

TEST(an_id_is_the_name_in_small_letters)
{
    char name[] = "Alba-3_X";
    user_id_from_name(name);
    assert_string_equal(name, "alba-3_x");
}
