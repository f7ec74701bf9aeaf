/* SPDX-License-Identifier: GPL-3.0-or-later */
/* store_place.h - a folder of its own for each test of an archive's database. */
#pragma once
#include "bot/archive/store.h"

typedef struct {
    char folder[64], path[128]; /* the database goes into `folder`/state, which is not there yet */
} Place;

/* For cmocka: *state is a Place between them. What the second finds of a database, it removes. */
int make_place(void **state);
int remove_place(void **state);

/* The caller closes it; fails the test where it cannot be opened. */
Store *open_place(const Place *place, StoreMode mode);
