/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/cli/blocking_api.h"

#include "engine/base/check.h"

#include <uv.h>

bool blocking_api_call(const Config *config, const char *token, ApiEndpoint endpoint,
                       ApiOnAnswer *on_answer, void *user, Error *err)
{
    const HttpOptions options = {
        .origin = config->account.url,
        .ca_file = config->account.ca_file,
        .token = token,
        .header = dialect_header(config->account.server),
    };
    uv_loop_t loop;
    Http *http = NULL;
    Api *api = NULL;
    int failure = uv_loop_init(&loop);
    if (failure) {
        error_set(err, ERR_MEMORY, "%s", uv_strerror(failure));
        return false;
    }
    bool ok = http_new(&http, &loop, &options, err) &&
              api_new(&api, http, config->account.url, err) &&
              api_speak(api, config->account.server, err) &&
              api_call(api, endpoint, NULL, on_answer, user, err);
    while (ok && http_active(http) > 0)
        uv_run(&loop, UV_RUN_ONCE);
    api_free(api);
    if (http)
        http_close(http, NULL, NULL);
    uv_run(&loop, UV_RUN_DEFAULT);
    CHECK(uv_loop_close(&loop) == 0);
    return ok;
}
