/* SPDX-License-Identifier: GPL-3.0-or-later */
/* terminal.h - the whole screen for a command, and keys as they are pressed. One at a time in a
 * process. Ctrl-C is a key here, so that the terminal is always given back as it was. */
#pragma once
#include "engine/base/error.h"

#include <termios.h>

typedef struct {
    struct termios before;
    bool has_keys; /* standard input is a terminal too */
} Terminal;

typedef enum { KEY_NONE, KEY_QUIT, KEY_NEXT, KEY_PREVIOUS, KEY_FLIP } TerminalKey;

/* Is standard output a terminal that can place its cursor? */
bool terminal_is_there(void);

/* Takes the screen, and gives it back. */
void terminal_open(Terminal *terminal);
void terminal_close(Terminal *terminal);

/* Its size; 80 by 24 where it does not tell. */
void terminal_size(int *columns, int *rows);

/* The next key that means something, waiting at most `wait_ms` for one. */
TerminalKey terminal_key(const Terminal *terminal, int wait_ms);
