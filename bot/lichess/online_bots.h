/* SPDX-License-Identifier: GPL-3.0-or-later */
/* online_bots.h - the bots that are online, and who of them is free: answers about users as plain
 * values. Read tolerantly, like event.h: entries without a usable id are left out. */
#pragma once
#include "bot/lichess/event.h"
#include "engine/base/error.h"

#include <stdint.h>

enum {
    ONLINE_BOTS_MAX = 512,
    ONLINE_BOT_BIO_SIZE = 401,                          /* as long as Lichess lets one be */
    ONLINE_BOTS_BODY_MAX = ONLINE_BOTS_MAX * (8 << 10), /* some 2 KiB each are usual */
};

typedef struct {
    char id[USER_ID_SIZE];
    int by_speed[SPEED_COUNT];     /* ratings in standard chess; 0: unknown */
    int by_variant[VARIANT_COUNT]; /* of the other variants */
    char bio[ONLINE_BOT_BIO_SIZE]; /* cut where it is longer */
    bool is_out;                   /* closed, marked, or one of us blocks the other */
} OnlineBot;

typedef struct {
    OnlineBot *list;
    size_t count;
} OnlineBots;

/* GET /api/bot/online: a user a line; lines that can't be read are skipped. A few hundred take
 * longer than the loop may wait, so they are read a few at a time. */
typedef struct {
    OnlineBots people; /* so far; the caller's, who releases it at any time */
    const char *body;
    size_t len, at;
} OnlineBotsReading;

/* One user's: GET /api/account. False and an Error when it is no user. */
bool online_bot_parse(OnlineBot *out, const char *body, size_t len, Error *err) MUST_CHECK;

/* `body` is lent until all is read. False without memory. */
bool online_bots_begin(OnlineBotsReading *out, const char *body, size_t len, Error *err) MUST_CHECK;

/* Reads `lines` lines. True if there may be more. */
bool online_bots_read_on(OnlineBotsReading *reading, int lines);

void online_bots_release(OnlineBots *people);

/* GET /api/users/status: of the ids asked about, the first in their order that is online and does
 * not play; -1: none. False and an Error when the body can't be read. */
bool online_bots_first_free(const char *body, size_t len, const char (*ids)[USER_ID_SIZE],
                            int count, int *first, Error *err) MUST_CHECK;

/* The same answer: is this user online? False and an Error when the body can't be read, or says
 * nothing about the user. */
bool user_is_online(const char *body, size_t len, const char *user_id, bool *out,
                    Error *err) MUST_CHECK;

/* The rating that counts in a game; 0: unknown. */
int online_bot_rating(const OnlineBot *person, Variant variant, Speed speed);

/* Lichess's class of a clock: by base + 40 increments. */
Speed speed_of_clock(int64_t base_s, int64_t increment_s);
