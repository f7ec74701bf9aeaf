/* SPDX-License-Identifier: GPL-3.0-or-later */
/* exit_status.h - how every command ends, after sysexits.h. systemd does not restart on EXIT_USAGE,
 * EXIT_REFUSED and EXIT_CONFIG: only a human can help there. */
#pragma once

typedef enum {
    EXIT_FINE = 0,
    EXIT_FAULT = 1, /* not done: ours (no memory, no threads), or what was asked cannot be */
    EXIT_USAGE = 64,
    EXIT_UNREACHABLE = 69, /* one-shot commands only: the daemon goes on trying */
    EXIT_REFUSED = 77,     /* token or account */
    EXIT_CONFIG = 78,
    EXIT_UNTESTED = 125, /* castled replay: neither good nor bad, as git bisect run has it */
} ExitStatus;
