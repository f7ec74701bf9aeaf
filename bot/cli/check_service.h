/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check_service.h - what the systemd unit will meet that plays by a configuration: it runs as a
 * user without rights, takes the token as a credential, sees no home folders, has a /tmp of its own
 * and writes into its own folders only. The command that looks is often root's, and meets none of
 * that. For `castled check`. */
#pragma once
#include "bot/cli/check.h"

/* A line for each thing that would not work, or one that all would; nothing where systemd does not
 * run, or no unit reads `config_file`. False if there was a fault. Where the operator has changed
 * the unit, which may have mended it, all are warnings. */
bool check_service(FILE *out, const Config *config, const char *config_file);
