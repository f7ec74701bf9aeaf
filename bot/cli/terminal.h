/* SPDX-License-Identifier: GPL-3.0-or-later */
/* terminal.h - the whole screen for a command, and keys as they are pressed. One at a time in a
 * process. Ctrl-C is a key here, and a signal that would end us waits until the terminal has been
 * given back as it was. */
#pragma once
#include "engine/base/error.h"

#include <signal.h>
#include <termios.h>

typedef struct {
    struct termios before;
    bool has_keys;     /* standard input is a terminal too */
    sigset_t unmasked; /* signals as they were */
    int ending_fd;     /* can be read when one that ends us waits; -1: they end us at once */
} Terminal;

typedef enum { KEY_NONE, KEY_QUIT, KEY_NEXT, KEY_PREVIOUS, KEY_FLIP } TerminalKey;

/* Is standard output a terminal that can place its cursor? */
bool terminal_is_there(void);

/* Takes the screen. */
void terminal_open(Terminal *terminal);

/* Gives it back; then a signal that waits (SIGTERM, SIGINT, SIGHUP) does its work. */
void terminal_close(Terminal *terminal);

/* Its size; 80 by 24 where it does not tell. */
void terminal_size(int *columns, int *rows);

/* The next key that means something, waiting at most `wait_ms` for one. KEY_QUIT for such a signal
 * too. */
TerminalKey terminal_key(const Terminal *terminal, int wait_ms);
