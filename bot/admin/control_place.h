/* SPDX-License-Identifier: GPL-3.0-or-later */
/* control_place.h - where the control socket is, for the daemon and for the commands. */
#pragma once
#include "bot/config/settings.h"

enum { CONTROL_PLACES = 4, CONTROL_PLACE_SIZE = 256 };

/* The daemon's: what [status] socket says, else castled.sock in $RUNTIME_DIRECTORY (systemd), else
 * in $XDG_RUNTIME_DIR/castled, else in the state directory; its folder is made. False with an
 * Error; err->code ERR_NONE: it is off. */
bool control_place(const Config *config, char *out, size_t size, Error *err) MUST_CHECK;

/* A command's: the places above in that order, then /run/castled, where systemd has it. `number`
 * counts 0 .. CONTROL_PLACES - 1; false: there is no such place here. */
bool control_place_try(const Config *config, int number, char out[CONTROL_PLACE_SIZE]) MUST_CHECK;
