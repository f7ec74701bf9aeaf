/* SPDX-License-Identifier: GPL-3.0-or-later */
/* eco_table.h - what gen_eco.c writes at build time for eco.c. */
#pragma once
#include <stddef.h>
#include <stdint.h>

typedef struct {
    uint64_t key;  /* the rows are in its order */
    uint32_t name; /* where it begins in eco_names */
    char code[4];
} EcoRow;

extern const EcoRow eco_rows[];
extern const size_t eco_count;
extern const unsigned char eco_names[]; /* one after the other, each with its NUL */
