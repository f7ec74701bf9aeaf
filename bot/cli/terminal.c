/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/cli/terminal.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/signalfd.h>
#include <unistd.h>

/* The other screen without a cursor, and back. After: xterm, "Control Sequences". */
static const char take[] = "\x1b[?1049h\x1b[?25l\x1b[2J";
static const char give[] = "\x1b[?25h\x1b[?1049l";

bool terminal_is_there(void)
{
    const char *kind = getenv("TERM");
    return isatty(STDOUT_FILENO) && kind && strcmp(kind, "dumb") != 0;
}

/* They are seen, not taken: once let through they end us as they would have. */
static void hold_signals(Terminal *terminal)
{
    sigset_t ending;
    sigemptyset(&ending);
    sigaddset(&ending, SIGTERM);
    sigaddset(&ending, SIGINT);
    sigaddset(&ending, SIGHUP);
    sigprocmask(SIG_SETMASK, NULL, &terminal->unmasked);
    terminal->ending_fd = signalfd(-1, &ending, SFD_CLOEXEC);
    if (terminal->ending_fd >= 0)
        sigprocmask(SIG_BLOCK, &ending, NULL);
}

static void let_signals_through(Terminal *terminal)
{
    if (terminal->ending_fd >= 0)
        close(terminal->ending_fd);
    sigprocmask(SIG_SETMASK, &terminal->unmasked, NULL);
}

void terminal_open(Terminal *terminal)
{
    hold_signals(terminal);
    terminal->has_keys = tcgetattr(STDIN_FILENO, &terminal->before) == 0;
    if (terminal->has_keys) {
        struct termios raw = terminal->before;
        raw.c_lflag &= (tcflag_t) ~(ICANON | ECHO | ISIG);
        raw.c_cc[VMIN] = 0;
        raw.c_cc[VTIME] = 0;
        tcsetattr(STDIN_FILENO, TCSANOW, &raw);
    }
    fputs(take, stdout);
    fflush(stdout);
}

void terminal_close(Terminal *terminal)
{
    if (terminal->has_keys)
        tcsetattr(STDIN_FILENO, TCSANOW, &terminal->before);
    fputs(give, stdout);
    fflush(stdout);
    let_signals_through(terminal);
}

void terminal_size(int *columns, int *rows)
{
    struct winsize size;
    bool is_known = ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
    *columns = is_known ? size.ws_col : 80;
    *rows = is_known ? size.ws_row : 24;
}

TerminalKey terminal_key(const Terminal *terminal, int wait_ms)
{
    static const struct {
        const char *bytes;
        TerminalKey key;
    } keys[] = {
        { "q", KEY_QUIT },      { "\x03", KEY_QUIT },  { "n", KEY_NEXT },
        { "\x1b[C", KEY_NEXT }, { "p", KEY_PREVIOUS }, { "\x1b[D", KEY_PREVIOUS },
        { "f", KEY_FLIP },
    };
    struct pollfd inputs[] = {
        { .fd = terminal->has_keys ? STDIN_FILENO : -1, .events = POLLIN },
        { .fd = terminal->ending_fd, .events = POLLIN },
    };
    char typed[4] = "";
    if (poll(inputs, 2, wait_ms) <= 0)
        return KEY_NONE;
    if (inputs[1].revents)
        return KEY_QUIT;
    if (read(STDIN_FILENO, typed, 1) == 0)
        return KEY_QUIT; /* nobody types any more */
    if (typed[0] == '\x1b' && read(STDIN_FILENO, typed + 1, 2) <= 0)
        return KEY_NONE; /* Escape alone */
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (strcmp(typed, keys[i].bytes) == 0)
            return keys[i].key;
    return KEY_NONE;
}
