/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Games of people and labelled ones: whatever the text says, what is taken in lies within the
 * arrays and the network's inputs, and the targets of each position sum up to 1. */
#include "engine/train/human_games.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(const HumanGames *games, const HumanSample *sample)
{
    if (sample->first_input + sample->input_count > games->input_count ||
        sample->first_move + sample->move_count > games->move_count ||
        sample->first_target + sample->move_count > games->target_count)
        abort();
    for (int i = 0; i < sample->input_count; i++)
        if (games->inputs[sample->first_input + (uint32_t)i] >= TRAITS_INPUTS)
            abort();
    float sum = 0;
    for (int i = 0; i < sample->move_count; i++) {
        sum += games->targets[sample->first_target + (uint32_t)i];
        for (int k = 0; k < TRAITS_OF_A_MOVE; k++)
            if (games->traits[sample->first_move + (uint32_t)i][k] >= TRAITS_COUNT)
                abort();
    }
    if (!(fabsf(sum - 1) < 1e-3F))
        abort();
}

/* The file's content, for every run. */
static void put(int file, const uint8_t *data, size_t size)
{
    if (ftruncate(file, 0) != 0 || pwrite(file, data, size, 0) != (ssize_t)size)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static int file = -1;
    if (file < 0)
        file = memfd_create("games", MFD_CLOEXEC);
    put(file, data, size);
    char path[32];
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    HumanGames games = { 0 };
    Error err = { 0 };
    bool ok = human_games_read(&games, path, &err);
    if (!ok && !*err.text)
        abort();
    for (size_t i = 0; ok && i < games.sample_count; i++)
        check(&games, &games.samples[i]);
    human_games_release(&games);
    return 0;
}
