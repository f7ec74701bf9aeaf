/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check_notify.h - can an operator be told? For `castled check`. */
#pragma once
#include "bot/cli/check.h"

typedef enum { NOTIFY_LOOK, NOTIFY_TRY } NotifyCheck;

/* A line for each way of [notify], none where there is none. NOTIFY_LOOK: is the program there?
 * NOTIFY_TRY: sends an alert that says it is a trial, and waits for what becomes of it. True if all
 * is well. */
bool check_notify(FILE *out, const Config *config, const char *config_file, NotifyCheck how);
