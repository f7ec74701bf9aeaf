/* SPDX-License-Identifier: GPL-3.0-or-later */
/* environment.h - settings in variables, for hosts where a file is in the way: each key of the
 * schema may stand in CASTLED_SECTION_KEY, as in CASTLED_GAMES_CONCURRENCY. */
#pragma once
#include "bot/config/key.h"

enum { ENVIRONMENT_NAME_SIZE = 64 };

/* The key's variable. */
void environment_name(const KeySpec *key, char out[ENVIRONMENT_NAME_SIZE]);

/* Texts are lent for the call. */
typedef struct {
    void (*on_key)(void *user, const char *variable, const KeySpec *key, const char *value);
    /* No setting, though it begins like one: `why` has the nearest name. */
    void (*on_problem)(void *user, const char *variable, const char *why);
    void *user;
} EnvironmentCallbacks;

/* Reads all NAME=VALUE of the list, which ends with NULL. Left alone are CASTLED_TOKEN (token.h)
 * and what Kubernetes tells each pod about services whose names begin with castled. */
void environment_read(char *const *variables, const EnvironmentCallbacks *to);

/* True if they hold a setting or the token: enough to play without a file. */
bool environment_suffices(char *const *variables);
