/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/lichess/client.h"

#include "bot/lichess/online_bots.h"
#include "bot/ops/url.h"
#include "engine/base/buf.h"
#include "engine/base/check.h"
#include "engine/base/text_format.h"

#include <ctype.h>

enum {
    FORM_MAX = 1500,              /* holds the longest line of chat, escaped */
    CHALLENGE_SILENCE_MS = 60000, /* Lichess sends an empty line every 50 s at most */
};

/* In a path "*" stands for the id of a game, a challenge or a tournament, "@" for a user's name,
 * "+" for a team's id. */
static const struct {
    HttpMethod method;
    ApiFamily family;
    RequestRank rank;
    const char *path;
} endpoints[] = {
    /* Without it there is no event stream, and no running game is resumed: what stopped lists and
     * chat must not stop it. */
    [ENDPOINT_ACCOUNT] = { HTTP_GET, FAMILY_ACCOUNT, REQUEST_CLAIM, "/api/account" },
    [ENDPOINT_TOKEN_TEST] = { HTTP_POST, FAMILY_OTHER, REQUEST_OTHER, "/api/token/test" },
    [ENDPOINT_UPGRADE] = { HTTP_POST, FAMILY_OTHER, REQUEST_OTHER, "/api/bot/account/upgrade" },
    /* 50 is what Lichess gives at most. */
    [ENDPOINT_PLAYING] = { HTTP_GET, FAMILY_OTHER, REQUEST_OTHER, "/api/account/playing?nb=50" },
    [ENDPOINT_EVENTS] = { HTTP_GET, FAMILY_EVENT_STREAM, REQUEST_STREAM, "/api/stream/event" },
    [ENDPOINT_GAME] = { HTTP_GET, FAMILY_GAME_STREAM, REQUEST_STREAM, "/api/bot/game/stream/*" },
    [ENDPOINT_MOVE] = { HTTP_POST, FAMILY_MOVE, REQUEST_MOVE, "/api/bot/game/*/move/" },
    [ENDPOINT_ABORT] = { HTTP_POST, FAMILY_MOVE, REQUEST_RESIGN, "/api/bot/game/*/abort" },
    [ENDPOINT_RESIGN] = { HTTP_POST, FAMILY_MOVE, REQUEST_RESIGN, "/api/bot/game/*/resign" },
    [ENDPOINT_DRAW_NO] = { HTTP_POST, FAMILY_OTHER, REQUEST_CLAIM, "/api/bot/game/*/draw/no" },
    [ENDPOINT_DRAW_YES] = { HTTP_POST, FAMILY_OTHER, REQUEST_CLAIM, "/api/bot/game/*/draw/yes" },
    [ENDPOINT_TAKEBACK_NO] = { HTTP_POST, FAMILY_OTHER, REQUEST_CLAIM,
                               "/api/bot/game/*/takeback/no" },
    [ENDPOINT_TAKEBACK_YES] = { HTTP_POST, FAMILY_OTHER, REQUEST_CLAIM,
                                "/api/bot/game/*/takeback/yes" },
    [ENDPOINT_CLAIM_VICTORY] = { HTTP_POST, FAMILY_MOVE, REQUEST_CLAIM,
                                 "/api/bot/game/*/claim-victory" },
    [ENDPOINT_CLAIM_DRAW] = { HTTP_POST, FAMILY_MOVE, REQUEST_CLAIM, "/api/bot/game/*/claim-draw" },
    [ENDPOINT_CHAT] = { HTTP_POST, FAMILY_CHAT, REQUEST_CHAT, "/api/bot/game/*/chat" },
    [ENDPOINT_CHAT_SO_FAR] = { HTTP_GET, FAMILY_CHAT, REQUEST_CHAT, "/api/bot/game/*/chat" },
    [ENDPOINT_CHALLENGES] = { HTTP_GET, FAMILY_CHALLENGE, REQUEST_ACCEPT, "/api/challenge" },
    [ENDPOINT_ACCEPT] = { HTTP_POST, FAMILY_CHALLENGE, REQUEST_ACCEPT, "/api/challenge/*/accept" },
    [ENDPOINT_DECLINE] = { HTTP_POST, FAMILY_CHALLENGE, REQUEST_DECLINE,
                           "/api/challenge/*/decline" },
    [ENDPOINT_CANCEL] = { HTTP_POST, FAMILY_CHALLENGE, REQUEST_ACCEPT, "/api/challenge/*/cancel" },
    [ENDPOINT_CHALLENGE] = { HTTP_POST, FAMILY_CREATE, REQUEST_OTHER, "/api/challenge/@" },
    [ENDPOINT_ARENA] = { HTTP_GET, FAMILY_OTHER, REQUEST_OTHER, "/api/tournament/*" },
    [ENDPOINT_JOIN] = { HTTP_POST, FAMILY_OTHER, REQUEST_ACCEPT, "/api/tournament/*/join" },
    /* Those that begin last come first. */
    [ENDPOINT_TEAM_ARENAS] = { HTTP_GET, FAMILY_OTHER, REQUEST_OTHER, "/api/team/+/arena?max=100" },
    [ENDPOINT_WITHDRAW] = { HTTP_POST, FAMILY_OTHER, REQUEST_ACCEPT, "/api/tournament/*/withdraw" },
    [ENDPOINT_USER] = { HTTP_GET, FAMILY_OTHER, REQUEST_ACCEPT, "/api/user/@" },
    [ENDPOINT_USERS_STATUS] = { HTTP_GET, FAMILY_OTHER, REQUEST_OTHER, "/api/users/status?ids=" },
    /* 512 is what Lichess gives at most. */
    [ENDPOINT_ONLINE_BOTS] = { HTTP_GET, FAMILY_OTHER, REQUEST_OTHER, "/api/bot/online?nb=512" },
};

static bool fits(char gap, Text id)
{
    return gap == '*'   ? game_id_is_valid(id)
           : gap == '@' ? user_name_is_valid(id)
                        : team_id_is_valid(id);
}

/* The request, without a body. False and an Error when the id may not stand in a URL. */
static bool make_spec(CallSpec *out, char path[CALL_PATH_SIZE], ApiEndpoint endpoint,
                      const char *id, Error *err)
{
    const char *pattern = endpoints[endpoint].path, *gap = strpbrk(pattern, "*@+");
    if (gap && !fits(*gap, text_of(id))) {
        error_set(err, ERR_INVALID, "neither an id nor a user's name");
        return false;
    }
    int len = gap ? (int)(gap - pattern) : CALL_PATH_SIZE;
    CHECK(text_format_fits(path, CALL_PATH_SIZE, "%.*s%s%s", len, pattern, gap ? id : "",
                           gap ? gap + 1 : ""));
    *out = (CallSpec){ .method = endpoints[endpoint].method,
                       .family = endpoints[endpoint].family,
                       .rank = endpoints[endpoint].rank,
                       .path = path,
                       .body_max = endpoint == ENDPOINT_ONLINE_BOTS ? ONLINE_BOTS_BODY_MAX : 0,
                       .is_token_body = endpoint == ENDPOINT_TOKEN_TEST };
    return true;
}

ApiCall *api_call(Api *api, ApiEndpoint endpoint, const char *id, ApiOnAnswer *on_answer,
                  void *user, Error *err)
{
    char path[CALL_PATH_SIZE];
    CallSpec spec;
    return make_spec(&spec, path, endpoint, id, err) ? call_make(api, &spec, on_answer, user, err)
                                                     : NULL;
}

ApiCall *api_stream(Api *api, ApiEndpoint endpoint, const char *id,
                    const ApiStreamCallbacks *callbacks, Error *err)
{
    char path[CALL_PATH_SIZE];
    CallSpec spec;
    return make_spec(&spec, path, endpoint, id, err) ? call_stream(api, &spec, callbacks, err)
                                                     : NULL;
}

static bool is_uci(const char *uci)
{
    size_t len = strlen(uci);
    if (len < 4 || len > 5)
        return false;
    for (; *uci; uci++)
        if (!isalnum((unsigned char)*uci) && *uci != '@')
            return false;
    return true;
}

ApiCall *api_move(Api *api, const char *game_id, const ApiMove *move, ApiOnAnswer *on_answer,
                  void *user, Error *err)
{
    char path[CALL_PATH_SIZE];
    CallSpec spec;
    if (!is_uci(move->uci)) {
        error_set(err, ERR_INVALID, "not a move in UCI");
        return NULL;
    }
    if (!make_spec(&spec, path, ENDPOINT_MOVE, game_id, err))
        return NULL;
    size_t len = strlen(path);
    CHECK(text_format_fits(path + len, sizeof path - len, "%s%s", move->uci,
                           move->offer == MOVE_OFFERING_DRAW ? "?offeringDraw=true" : ""));
    spec.timeout_ms = move->timeout_ms;
    spec.fresh_connection = move->fresh_connection;
    /* A move that was made is refused the second time. A drop may fit once more, after a capture by
     * an opponent who had chosen it beforehand. */
    spec.is_repeatable = !strchr(move->uci, '@');
    return call_make(api, &spec, on_answer, user, err);
}

/* Sends the form if it is `whole`, and releases it. */
static ApiCall *post_form(Api *api, ApiEndpoint endpoint, const char *id, bool whole, Buf *form,
                          ApiOnAnswer *on_answer, void *user, Error *err)
{
    char path[CALL_PATH_SIZE];
    CallSpec spec;
    ApiCall *call = NULL;
    if (!whole) {
        error_set(err, ERR_RANGE, "more than %d bytes", FORM_MAX);
    } else if (make_spec(&spec, path, endpoint, id, err)) {
        spec.body = (Text){ form->text, form->len };
        call = call_make(api, &spec, on_answer, user, err);
    }
    buf_release(form);
    return call;
}

ApiCall *api_chat(Api *api, const char *game_id, const char *room, const char *text,
                  ApiOnAnswer *on_answer, void *user, Error *err)
{
    Buf form;
    buf_init(&form, FORM_MAX);
    bool ok = buf_printf(&form, "room=%s&text=", room) && url_put_escaped(&form, text);
    return post_form(api, ENDPOINT_CHAT, game_id, ok, &form, on_answer, user, err);
}

ApiCall *api_decline(Api *api, const char *challenge_id, DeclineReason reason,
                     ApiOnAnswer *on_answer, void *user, Error *err)
{
    Buf form;
    buf_init(&form, FORM_MAX);
    bool ok = buf_printf(&form, "reason=%s", decline_reason_name(reason));
    return post_form(api, ENDPOINT_DECLINE, challenge_id, ok, &form, on_answer, user, err);
}

ApiCall *api_challenge(Api *api, const ApiChallenge *challenge, const ApiStreamCallbacks *callbacks,
                       Error *err)
{
    char path[CALL_PATH_SIZE];
    CallSpec spec;
    ApiCall *call = NULL;
    Buf form;
    if (!make_spec(&spec, path, ENDPOINT_CHALLENGE, challenge->opponent, err))
        return NULL;
    buf_init(&form, FORM_MAX);
    bool ok = challenge->days > 0 ? buf_printf(&form, "days=%d", challenge->days)
                                  : buf_printf(&form, "clock.limit=%d&clock.increment=%d",
                                               challenge->base_s, challenge->increment_s);
    ok = ok &&
         buf_printf(&form, "&keepAliveStream=true&rated=%s&color=%s&variant=%s",
                    challenge->rated ? "true" : "false",
                    challenge->colour == COLOUR_NONE ? "random" : colour_name(challenge->colour),
                    variant_name(challenge->variant));
    if (challenge->fen[0] != '\0')
        ok = ok && buf_put_text(&form, "&fen=") && url_put_escaped(&form, challenge->fen);
    spec.body = (Text){ form.text, form.len };
    spec.silence_ms = CHALLENGE_SILENCE_MS;
    if (ok)
        call = call_stream(api, &spec, callbacks, err);
    else
        error_set(err, ERR_RANGE, "a position that is too long");
    buf_release(&form);
    return call;
}

ApiCall *api_join_arena(Api *api, const char *id, const char *password, const char *team,
                        ApiOnAnswer *on_answer, void *user, Error *err)
{
    Buf form;
    buf_init(&form, FORM_MAX);
    bool ok = buf_put_text(&form, "pairMeAsap=true");
    if (password[0] != '\0')
        ok = ok && buf_put_text(&form, "&password=") && url_put_escaped(&form, password);
    if (team[0] != '\0')
        ok = ok && buf_put_text(&form, "&team=") && url_put_escaped(&form, team);
    return post_form(api, ENDPOINT_JOIN, id, ok, &form, on_answer, user, err);
}

ApiCall *api_users_status(Api *api, const char (*ids)[USER_ID_SIZE], int count,
                          ApiOnAnswer *on_answer, void *user, Error *err)
{
    char path[CALL_PATH_SIZE];
    CallSpec spec;
    if (!make_spec(&spec, path, ENDPOINT_USERS_STATUS, NULL, err))
        return NULL;
    size_t len = strlen(path);
    for (int i = 0; i < count; i++) {
        if (!user_name_is_valid(text_of(ids[i])) || len + USER_ID_SIZE + 1 >= sizeof path) {
            error_set(err, ERR_INVALID, "not users' names, or too many");
            return NULL;
        }
        len += text_format(path + len, sizeof path - len, "%s%s", i > 0 ? "," : "", ids[i]);
    }
    return call_make(api, &spec, on_answer, user, err);
}
