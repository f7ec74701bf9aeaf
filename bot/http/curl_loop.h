/* SPDX-License-Identifier: GPL-3.0-or-later */
/* curl_loop.h - libcurl's multi interface on a libuv loop: watches the sockets and keeps the timer
 * that libcurl asks for, and calls libcurl on events. It has no idea of requests. Loop thread only.
 * After: the contracts of CURLMOPT_SOCKETFUNCTION, CURLMOPT_TIMERFUNCTION and uv_poll. */
#pragma once
#include "engine/base/error.h"

#include <curl/curl.h>
#include <uv.h>

typedef struct CurlLoop CurlLoop;

/* on_action is called after each action of libcurl's, outside of all its callbacks: the time to
 * drain what is finished. It may close the CurlLoop. The caller ends it with curl_loop_close(). */
bool curl_loop_new(CurlLoop **out, uv_loop_t *loop, void (*on_action)(void *user), void *user,
                   Error *err) MUST_CHECK;

/* The multi handle, lent until curl_loop_close(). */
CURLM *curl_loop_multi(const CurlLoop *curl);

/* Calls libcurl, and on_action, in the loop's next turn: for an owner that has more to do. */
void curl_loop_act_soon(CurlLoop *curl);

/* Cleans the multi handle up, which closes its connections; all easy handles must be out of it.
 * on_action is not called any more; on_closed comes from the loop when the memory has gone. */
void curl_loop_close(CurlLoop *curl, void (*on_closed)(void *user), void *user);
