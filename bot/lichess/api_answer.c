/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/lichess/api_answer.h"

ApiWord api_answer_word(const ApiAnswer *answer)
{
    switch (answer->outcome) {
    case API_OK:
        return API_DONE;
    case API_REFUSED:
    case API_FORBIDDEN:
        return API_NO;
    case API_UNAUTHORIZED:
    case API_LIMITED:
    case API_SERVER_ERROR:
    case API_UNREACHABLE:
    case API_LOST:
    case API_SILENT:
        return API_NOT_NOW;
    }
    return API_NOT_NOW;
}

const char *api_outcome_name(ApiOutcome outcome)
{
    static const char *const names[] = {
        [API_OK] = "ok",
        [API_REFUSED] = "refused",
        [API_UNAUTHORIZED] = "unauthorized",
        [API_FORBIDDEN] = "forbidden",
        [API_LIMITED] = "limited",
        [API_SERVER_ERROR] = "server-error",
        [API_UNREACHABLE] = "unreachable",
        [API_LOST] = "lost",
        [API_SILENT] = "silent",
    };
    return names[outcome];
}
