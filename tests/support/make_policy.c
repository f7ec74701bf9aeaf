/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes a small policy network of random weights. Usage: make_policy FILE */
#include "tests/support/policy_maker.h"
#include "tests/support/unit.h"

#include <stdio.h>

int main(int argc, char **argv)
{
    if (argc != 2)
        return 64;
    PolicyFile file = policy_file_make(&(PolicyShape){ .filters = 8, .blocks = 1, .seed = 7 });
    FILE *out = fopen(argv[1], "wb");
    bool ok = out && fwrite(file.bytes, 1, file.size, out) == file.size;
    policy_file_release(&file);
    return out && fclose(out) == 0 && ok ? 0 : 1;
}
