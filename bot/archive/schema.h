/* SPDX-License-Identifier: GPL-3.0-or-later */
/* schema.h - which tables an archive has, and how one is opened: what a Store and the programs that
 * run databases agree on. */
#pragma once
#include <stdint.h>

enum {
    STORE_SCHEMA = 11, /* the one that this program writes */
};

typedef enum {
    STORE_READ,  /* what others write; nothing is made, nothing is changed */
    STORE_WRITE, /* made with its folders if it is not there, and brought up to date */
} StoreMode;

/* Called before each step that brings an older file up to date, from `schema` to the next one: in a
 * large archive it may take a while. */
typedef struct {
    void (*on_step)(void *user, int schema, int64_t games);
    void *user;
} StoreUpgrade;
