/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/cli/blocking_api.h"

#include <assert.h>
#include <stdlib.h>
#include <uv.h>

struct BlockingApi {
    uv_loop_t loop;
    Http *http;
    Api *api;
    ApiOnAnswer *on_answer; /* of the call under way */
    void *user;
    bool is_answered;
};

static void on_inquiry_answer(void *user, const ApiAnswer *answer)
{
    BlockingApi *inquiry = user;
    inquiry->is_answered = true;
    inquiry->on_answer(inquiry->user, answer);
}

bool blocking_api_new(BlockingApi **out, const Config *config, const char *token, Error *err)
{
    BlockingApi *inquiry = calloc(1, sizeof *inquiry);
    int failure = inquiry ? uv_loop_init(&inquiry->loop) : UV_ENOMEM;
    if (failure) {
        error_set(err, ERR_MEMORY, "%s", uv_strerror(failure));
        free(inquiry);
        return false;
    }
    const HttpOptions http = {
        .origin = config->account.url,
        .ca_file = config->account.ca_file,
        .token = token,
    };
    if (!http_new(&inquiry->http, &inquiry->loop, &http, err) ||
        !api_new(&inquiry->api, inquiry->http, config->account.url, err)) {
        blocking_api_free(inquiry);
        return false;
    }
    *out = inquiry;
    return true;
}

void blocking_api_free(BlockingApi *inquiry)
{
    if (!inquiry)
        return;
    api_free(inquiry->api);
    if (inquiry->http)
        http_close(inquiry->http, NULL, NULL);
    uv_run(&inquiry->loop, UV_RUN_DEFAULT);
    int failure = uv_loop_close(&inquiry->loop);
    assert(failure == 0);
    (void)failure;
    free(inquiry);
}

bool blocking_api_call(BlockingApi *inquiry, BlockingCall *call, ApiOnAnswer *on_answer, void *user,
                       Error *err)
{
    inquiry->on_answer = on_answer;
    inquiry->user = user;
    inquiry->is_answered = false;
    if (!call(inquiry->api, on_inquiry_answer, inquiry, err))
        return false;
    while (!inquiry->is_answered)
        uv_run(&inquiry->loop, UV_RUN_ONCE);
    return true;
}
