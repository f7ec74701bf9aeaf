/* SPDX-License-Identifier: GPL-3.0-or-later */
/* wake.h - how a thread of another priority calls the loop's.
 *
 * uv_async_t would do, but for one thing: libuv's loop spins until the thread that woke it has left
 * uv_async_send(). It wakes in the middle of that. Where all cores are taken, the other thread
 * waits for its next turn on one, and the loop with it. Here neither waits. Linux's eventfd. */
#pragma once
#include "engine/base/error.h"

#include <uv.h>

/* Must stay where it is until it is closed. */
typedef struct {
    uv_poll_t poll;
    int fd;
    void (*on_wake)(void *user); /* in the loop; many calls may be one */
    void (*on_closed)(void *user);
    void *user;
} Wake;

bool wake_init(Wake *wake, uv_loop_t *loop, void (*on_wake)(void *user), void *user,
               Error *err) MUST_CHECK;

/* From any thread, until wake_close(). */
void wake_send(Wake *wake);

/* Nothing comes any more; `on_closed`, with the same user, when the memory may go. */
void wake_close(Wake *wake, void (*on_closed)(void *user));
