/* SPDX-License-Identifier: GPL-3.0-or-later */
/* online_bots.h - the bots that are online, and who of them is free: answers about users as plain
 * values. Read tolerantly, like event.h: entries without a usable id are left out. */
#pragma once
#include "bot/lichess/enums.h"
#include "engine/base/error.h"

#include <stdint.h>

enum { PERSON_ID_SIZE = 32, PEOPLE_MAX = 512 };

typedef struct {
    char id[PERSON_ID_SIZE];
    int by_speed[SPEED_COUNT];     /* ratings in standard chess; 0: not told; so the next */
    int by_variant[VARIANT_COUNT]; /* of the other variants */
    bool is_out;                   /* closed, marked, or one of us blocks the other */
} Person;

typedef struct {
    Person *list;
    size_t count;
} People;

/* GET /api/bot/online: a user a line; lines that can't be read are skipped. A few hundred take
 * longer than the loop may wait, so they are read a few at a time. */
typedef struct {
    People people; /* so far; the caller's, who releases it at any time */
    const char *body;
    size_t len, at;
} PeopleReading;

/* `body` is lent until all is read. False without memory. */
bool people_begin(PeopleReading *out, const char *body, size_t len, Error *err) MUST_CHECK;

/* Reads so many lines. True if there may be more. */
bool people_read_on(PeopleReading *reading, int lines);

void people_release(People *people);

/* GET /api/users/status: of the ids asked about, the first in their order that is online and does
 * not play; -1: none. False and an Error when the body can't be read. */
bool people_first_free(const char *body, size_t len, const char (*ids)[PERSON_ID_SIZE], int count,
                       int *first, Error *err) MUST_CHECK;

/* The rating that counts in a game; 0: not told. */
int person_rating(const Person *person, Variant variant, Speed speed);

/* Lichess's class of a clock: by base + 40 increments. */
Speed speed_of_clock(int64_t base_s, int64_t increment_s);
