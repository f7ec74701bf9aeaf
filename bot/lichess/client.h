/* SPDX-License-Identifier: GPL-3.0-or-later */
/* client.h - what the calls of api.h are made of: a request that takes its turn in the queue, its
 * answer judged, a stream's bytes cut into events. For api.c alone. */
#pragma once
#include "bot/lichess/api.h"

enum { CALL_PATH_SIZE = 2600 /* a question about 100 users */ };

typedef struct {
    HttpMethod method;
    ApiFamily family;
    RequestRank rank;
    const char *path;                     /* begins with a slash; copied */
    Text body;                            /* form-encoded; copied */
    int64_t timeout_ms;                   /* from when it is sent; 0: the usual 10 s */
    bool is_repeatable, fresh_connection; /* see HttpSpec */
    size_t body_max;                      /* see HttpSpec, too */
    bool is_token_body;
    int64_t silence_ms; /* of streams, see HttpSpec; 0: that of Lichess's keep-alives */
} CallSpec;

ApiCall *call_make(Api *api, const CallSpec *spec, ApiOnAnswer *on_answer, void *user,
                   Error *err) MUST_CHECK;
ApiCall *call_stream(Api *api, const CallSpec *spec, const ApiStreamCallbacks *callbacks,
                     Error *err) MUST_CHECK;
