/* SPDX-License-Identifier: GPL-3.0-or-later */
/* alert_limit.h - how often one kind of alert is sent: the first at once, then one message a period
 * at most, which says how many alerts it stands for. Pure. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

typedef struct {
    bool was_sent;
    int64_t sent_ms; /* the latest message */
    int held;        /* alerts since then */
} AlertLimit;        /* at first: all zero */

/* An alert comes up at `now_ms`. True: send it, for *count alerts. False: it is held back. */
bool alert_limit_take(AlertLimit *limit, int64_t now_ms, int64_t period_ms, int *count);

/* When what is held back is to be sent; INT64_MAX: nothing is. */
int64_t alert_limit_due_ms(const AlertLimit *limit, int64_t period_ms);

/* It is sent now. Returns how many alerts that message stands for. */
int alert_limit_flush(AlertLimit *limit, int64_t now_ms);
