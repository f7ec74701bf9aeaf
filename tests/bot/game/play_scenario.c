/* SPDX-License-Identifier: GPL-3.0-or-later */
/* play_scenario FILE…: plays scenarios, and says of each where it went wrong. */
#include "tests/support/scenario.h"

#include <stdio.h>

static bool play(const char *path)
{
    Scenario scenario;
    Error err = { 0 };
    bool ok = scenario_read(&scenario, path, &err) && scenario_play(&scenario, &err);
    scenario_release(&scenario);
    if (!ok)
        fprintf(stderr, "%s\n", err.text);
    return ok;
}

int main(int argc, char **argv)
{
    int failed = argc < 2;
    if (argc < 2)
        fprintf(stderr, "usage: play_scenario FILE…\n");
    for (int i = 1; i < argc; i++)
        failed += !play(argv[i]);
    return failed > 0;
}
