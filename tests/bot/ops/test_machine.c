/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/ops/machine.h"
#include "tests/support/unit.h"

#include <unistd.h>

TEST(the_processor_has_a_name_of_one_line)
{
    char text[MACHINE_TEXT_SIZE];
    memset(text, '\n', sizeof text);
    machine_cpu(text);
    assert_in_range(strnlen(text, sizeof text), 1, sizeof text - 1);
    assert_null(strchr(text, '\n'));
}

TEST(memory_is_told_to_a_gibibyte)
{
    char text[MACHINE_TEXT_SIZE], *unit;
    machine_ram(text);
    long long told = strtoll(text, &unit, 10);
    if (strcmp(unit, " GiB") == 0)
        told *= 1024;
    else
        assert_string_equal(unit, " MiB");
    long long mib = (long long)sysconf(_SC_PHYS_PAGES) * sysconf(_SC_PAGESIZE) >> 20;
    assert_in_range(told - mib + 512, 0, 1024);
}
