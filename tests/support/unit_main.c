/* SPDX-License-Identifier: GPL-3.0-or-later */
/* unit_main.c - of each test program that has no main() of its own. */
#include "tests/support/unit.h"

int main(void)
{
    return run_all_tests();
}
