/* SPDX-License-Identifier: GPL-3.0-or-later */
/* external_check.h - is an external engine fit to play as it is configured? For `castled check`. */
#pragma once
#include "bot/config/external_config.h"
#include "bot/child/child_secrets.h"

/* Starts the engine once, as it is started to play but never as root (nobody has to do), waits some
 * seconds at most, ends it, and says what it has found: each fault, or that all is well (`is_fault`
 * false, once). Blocks. True if there was no fault. */
bool external_check(const ExternalConfig *config, const ChildSecrets *secrets,
                    void (*say)(void *user, bool is_fault, const char *words), void *user);
