/* SPDX-License-Identifier: GPL-3.0-or-later */
/* build_facts.h - what this castled was made of, for `castled --version` and `castled report`. */
#pragma once
#include <stdio.h>

/* Lines of a name and a value: how it was built, which of the processor's vectors its network uses
 * here, the libraries as they run, and what this build leaves out. */
void build_facts_print(FILE *out);
