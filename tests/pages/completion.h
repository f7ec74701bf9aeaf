/* SPDX-License-Identifier: GPL-3.0-or-later */
/* completion.h - what shells complete of castled's command line, written from the table of commands
 * (cli/commands.h). Each appends a whole script; false when `out` is full. */
#pragma once
#include "engine/base/buf.h"

bool completion_bash(Buf *out) MUST_CHECK;
bool completion_zsh(Buf *out) MUST_CHECK;
bool completion_fish(Buf *out) MUST_CHECK;
