/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/lichess/client.h"

#include "bot/ops/url.h"
#include "engine/base/buf.h"
#include "engine/base/check.h"

#include <ctype.h>
#include <stdio.h>

enum {
    PLAYING_MOST = 50, /* what Lichess gives at most */
    ONLINE_MOST = 250, /* of some 2 KiB each: less than HTTP_BODY_MAX */
    CHAT_BODY_MAX = 1000,
    JOIN_BODY_MAX = 500,
    CHALLENGE_BODY_MAX = 1000,
    CHALLENGE_SILENCE_MS = 60000, /* Lichess sends an empty line every 50 s at most */
};

/* Puts "/api/…{id}…" together; false and an Error when the id may not stand in a URL. */
static bool put_path(char path[CALL_PATH_SIZE], const char *before, const char *id,
                     const char *after, Error *err)
{
    if (!game_id_is_valid(text_of(id))) {
        error_set(err, ERR_INVALID, "not a game's or challenge's id");
        return false;
    }
    int n = snprintf(path, CALL_PATH_SIZE, "%s%s%s", before, id, after);
    CHECK(n > 0 && n < CALL_PATH_SIZE);
    return n > 0 && n < CALL_PATH_SIZE;
}

/* A POST without a body about one game or challenge. */
static ApiCall *command(Api *api, ApiFamily family, PaceRank rank, const char *before,
                        const char *id, const char *after, ApiOnAnswer *on_answer, void *user,
                        Error *err)
{
    char path[CALL_PATH_SIZE];
    if (!put_path(path, before, id, after, err))
        return NULL;
    const CallSpec spec = { .method = HTTP_POST, .family = family, .rank = rank, .path = path };
    return call_make(api, &spec, on_answer, user, err);
}

ApiCall *api_stream_events(Api *api, const ApiStreamCallbacks *callbacks, Error *err)
{
    const CallSpec spec = { .method = HTTP_GET,
                            .family = FAMILY_EVENT_STREAM,
                            .rank = PACE_STREAM,
                            .path = "/api/stream/event" };
    return call_stream(api, &spec, callbacks, err);
}

ApiCall *api_stream_game(Api *api, const char *game_id, const ApiStreamCallbacks *callbacks,
                         Error *err)
{
    char path[CALL_PATH_SIZE];
    if (!put_path(path, "/api/bot/game/stream/", game_id, "", err))
        return NULL;
    const CallSpec spec = {
        .method = HTTP_GET, .family = FAMILY_GAME_STREAM, .rank = PACE_STREAM, .path = path
    };
    return call_stream(api, &spec, callbacks, err);
}

static ApiCall *get(Api *api, const char *path, ApiOnAnswer *on_answer, void *user, Error *err)
{
    const CallSpec spec = {
        .method = HTTP_GET,
        .family = FAMILY_REST,
        .rank = PACE_REST,
        .path = path,
    };
    return call_make(api, &spec, on_answer, user, err);
}

/* Without it there is no event stream, and no running game is resumed: what stopped lists and chat
 * must not stop it. */
ApiCall *api_account(Api *api, ApiOnAnswer *on_answer, void *user, Error *err)
{
    const CallSpec spec = {
        .method = HTTP_GET,
        .family = FAMILY_EVENT_STREAM,
        .rank = PACE_CLAIM,
        .path = "/api/account",
    };
    return call_make(api, &spec, on_answer, user, err);
}

ApiCall *api_token_test(Api *api, ApiOnAnswer *on_answer, void *user, Error *err)
{
    const CallSpec spec = {
        .method = HTTP_POST,
        .family = FAMILY_REST,
        .rank = PACE_REST,
        .path = "/api/token/test",
        .is_token_body = true,
    };
    return call_make(api, &spec, on_answer, user, err);
}

ApiCall *api_playing(Api *api, ApiOnAnswer *on_answer, void *user, Error *err)
{
    char path[CALL_PATH_SIZE];
    int n = snprintf(path, sizeof path, "/api/account/playing?nb=%d", PLAYING_MOST);
    CHECK(n > 0 && n < CALL_PATH_SIZE);
    (void)n;
    return get(api, path, on_answer, user, err);
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
    char path[CALL_PATH_SIZE], after[40];
    if (!is_uci(move->uci)) {
        error_set(err, ERR_INVALID, "not a move in UCI");
        return NULL;
    }
    int n = snprintf(after, sizeof after, "/move/%s%s", move->uci,
                     move->offer == MOVE_OFFERING_DRAW ? "?offeringDraw=true" : "");
    CHECK(n > 0 && (size_t)n < sizeof after);
    (void)n;
    if (!put_path(path, "/api/bot/game/", game_id, after, err))
        return NULL;
    const CallSpec spec = { .method = HTTP_POST,
                            .family = FAMILY_MOVE,
                            .rank = PACE_MOVE,
                            .path = path,
                            .timeout_ms = move->timeout_ms,
                            .fresh_connection = move->fresh_connection };
    return call_make(api, &spec, on_answer, user, err);
}

ApiCall *api_abort(Api *api, const char *game_id, ApiOnAnswer *on_answer, void *user, Error *err)
{
    return command(api, FAMILY_MOVE, PACE_RESIGN, "/api/bot/game/", game_id, "/abort", on_answer,
                   user, err);
}

ApiCall *api_resign(Api *api, const char *game_id, ApiOnAnswer *on_answer, void *user, Error *err)
{
    return command(api, FAMILY_MOVE, PACE_RESIGN, "/api/bot/game/", game_id, "/resign", on_answer,
                   user, err);
}

ApiCall *api_draw(Api *api, const char *game_id, YesNo yes, ApiOnAnswer *on_answer, void *user,
                  Error *err)
{
    return command(api, FAMILY_REST, PACE_CLAIM, "/api/bot/game/", game_id,
                   yes == ANSWER_YES ? "/draw/yes" : "/draw/no", on_answer, user, err);
}

ApiCall *api_takeback(Api *api, const char *game_id, YesNo yes, ApiOnAnswer *on_answer, void *user,
                      Error *err)
{
    return command(api, FAMILY_REST, PACE_CLAIM, "/api/bot/game/", game_id,
                   yes == ANSWER_YES ? "/takeback/yes" : "/takeback/no", on_answer, user, err);
}

ApiCall *api_claim_victory(Api *api, const char *game_id, ApiOnAnswer *on_answer, void *user,
                           Error *err)
{
    return command(api, FAMILY_MOVE, PACE_CLAIM, "/api/bot/game/", game_id, "/claim-victory",
                   on_answer, user, err);
}

ApiCall *api_claim_draw(Api *api, const char *game_id, ApiOnAnswer *on_answer, void *user,
                        Error *err)
{
    return command(api, FAMILY_MOVE, PACE_CLAIM, "/api/bot/game/", game_id, "/claim-draw",
                   on_answer, user, err);
}

ApiCall *api_chat(Api *api, const char *game_id, const char *room, const char *text,
                  ApiOnAnswer *on_answer, void *user, Error *err)
{
    char path[CALL_PATH_SIZE];
    ApiCall *call = NULL;
    Buf body;
    if (!put_path(path, "/api/bot/game/", game_id, "/chat", err))
        return NULL;
    buf_init(&body, CHAT_BODY_MAX);
    if (buf_printf(&body, "room=%s&text=", room) && url_put_escaped(&body, text)) {
        const CallSpec spec = { .method = HTTP_POST,
                                .family = FAMILY_CHAT,
                                .rank = PACE_CHAT,
                                .path = path,
                                .body = { body.text, body.len } };
        call = call_make(api, &spec, on_answer, user, err);
    } else {
        error_set(err, ERR_RANGE, "a chat line of %zu bytes", strlen(text));
    }
    buf_release(&body);
    return call;
}

ApiCall *api_chat_so_far(Api *api, const char *game_id, ApiOnAnswer *on_answer, void *user,
                         Error *err)
{
    char path[CALL_PATH_SIZE];
    if (!put_path(path, "/api/bot/game/", game_id, "/chat", err))
        return NULL;
    const CallSpec spec = {
        .method = HTTP_GET, .family = FAMILY_CHAT, .rank = PACE_CHAT, .path = path
    };
    return call_make(api, &spec, on_answer, user, err);
}

ApiCall *api_accept(Api *api, const char *challenge_id, ApiOnAnswer *on_answer, void *user,
                    Error *err)
{
    return command(api, FAMILY_CHALLENGE, PACE_ACCEPT, "/api/challenge/", challenge_id, "/accept",
                   on_answer, user, err);
}

ApiCall *api_decline(Api *api, const char *challenge_id, DeclineReason reason,
                     ApiOnAnswer *on_answer, void *user, Error *err)
{
    char path[CALL_PATH_SIZE], body[40];
    int n = snprintf(body, sizeof body, "reason=%s", decline_reason_name(reason));
    CHECK(n > 0 && (size_t)n < sizeof body && reason != DECLINE_UNKNOWN);
    if (!put_path(path, "/api/challenge/", challenge_id, "/decline", err))
        return NULL;
    const CallSpec spec = { .method = HTTP_POST,
                            .family = FAMILY_CHALLENGE,
                            .rank = PACE_DECLINE,
                            .path = path,
                            .body = { body, (size_t)n } };
    return call_make(api, &spec, on_answer, user, err);
}

ApiCall *api_challenges(Api *api, ApiOnAnswer *on_answer, void *user, Error *err)
{
    const CallSpec spec = { .method = HTTP_GET,
                            .family = FAMILY_CHALLENGE,
                            .rank = PACE_ACCEPT,
                            .path = "/api/challenge" };
    return call_make(api, &spec, on_answer, user, err);
}

ApiCall *api_challenge(Api *api, const ApiChallenge *challenge, const ApiStreamCallbacks *callbacks,
                       Error *err)
{
    char path[CALL_PATH_SIZE];
    ApiCall *call = NULL;
    Buf body;
    if (!user_name_is_valid(text_of(challenge->opponent))) {
        error_set(err, ERR_INVALID, "not a user's name");
        return NULL;
    }
    int n = snprintf(path, sizeof path, "/api/challenge/%s", challenge->opponent);
    CHECK(n > 0 && n < CALL_PATH_SIZE);
    (void)n;
    buf_init(&body, CHALLENGE_BODY_MAX);
    bool ok = buf_printf(
        &body,
        "keepAliveStream=true&rated=%s&clock.limit=%d&clock.increment=%d&color=%s&variant=%s",
        challenge->rated ? "true" : "false", challenge->base_s, challenge->increment_s,
        challenge->colour == COLOUR_NONE ? "random" : colour_name(challenge->colour),
        variant_name(challenge->variant));
    if (challenge->fen[0] != '\0')
        ok = ok && buf_put_text(&body, "&fen=") && url_put_escaped(&body, challenge->fen);
    const CallSpec spec = { .method = HTTP_POST,
                            .family = FAMILY_CREATE,
                            .rank = PACE_REST,
                            .path = path,
                            .body = { body.text, body.len },
                            .silence_ms = CHALLENGE_SILENCE_MS };
    if (ok)
        call = call_stream(api, &spec, callbacks, err);
    else
        error_set(err, ERR_RANGE, "a position that is too long");
    buf_release(&body);
    return call;
}

ApiCall *api_cancel_challenge(Api *api, const char *challenge_id, ApiOnAnswer *on_answer,
                              void *user, Error *err)
{
    return command(api, FAMILY_CHALLENGE, PACE_ACCEPT, "/api/challenge/", challenge_id, "/cancel",
                   on_answer, user, err);
}

ApiCall *api_upgrade(Api *api, ApiOnAnswer *on_answer, void *user, Error *err)
{
    const CallSpec spec = {
        .method = HTTP_POST,
        .family = FAMILY_REST,
        .rank = PACE_REST,
        .path = "/api/bot/account/upgrade",
    };
    return call_make(api, &spec, on_answer, user, err);
}

ApiCall *api_tournament(Api *api, const char *id, ApiOnAnswer *on_answer, void *user, Error *err)
{
    char path[CALL_PATH_SIZE];
    return put_path(path, "/api/tournament/", id, "", err) ? get(api, path, on_answer, user, err)
                                                           : NULL;
}

ApiCall *api_join_tournament(Api *api, const char *id, const char *password, const char *team,
                             ApiOnAnswer *on_answer, void *user, Error *err)
{
    char path[CALL_PATH_SIZE];
    ApiCall *call = NULL;
    Buf body;
    if (!put_path(path, "/api/tournament/", id, "/join", err))
        return NULL;
    buf_init(&body, JOIN_BODY_MAX);
    bool ok = buf_put_text(&body, "pairMeAsap=true");
    if (password[0] != '\0')
        ok = ok && buf_put_text(&body, "&password=") && url_put_escaped(&body, password);
    if (team[0] != '\0')
        ok = ok && buf_put_text(&body, "&team=") && url_put_escaped(&body, team);
    const CallSpec spec = { .method = HTTP_POST,
                            .family = FAMILY_REST,
                            .rank = PACE_ACCEPT,
                            .path = path,
                            .body = { body.text, body.len } };
    if (ok)
        call = call_make(api, &spec, on_answer, user, err);
    else
        error_set(err, ERR_RANGE, "a password or team that is too long");
    buf_release(&body);
    return call;
}

ApiCall *api_withdraw(Api *api, const char *id, ApiOnAnswer *on_answer, void *user, Error *err)
{
    return command(api, FAMILY_REST, PACE_ACCEPT, "/api/tournament/", id, "/withdraw", on_answer,
                   user, err);
}

ApiCall *api_online_bots(Api *api, ApiOnAnswer *on_answer, void *user, Error *err)
{
    char path[CALL_PATH_SIZE];
    int n = snprintf(path, sizeof path, "/api/bot/online?nb=%d", ONLINE_MOST);
    CHECK(n > 0 && n < CALL_PATH_SIZE);
    (void)n;
    return get(api, path, on_answer, user, err);
}

ApiCall *api_users_status(Api *api, const char (*ids)[USER_ID_SIZE], int count,
                          ApiOnAnswer *on_answer, void *user, Error *err)
{
    char path[CALL_PATH_SIZE];
    size_t len = (size_t)snprintf(path, sizeof path, "/api/users/status?ids=");
    for (int i = 0; i < count; i++) {
        if (!user_name_is_valid(text_of(ids[i])) || len + USER_ID_SIZE + 1 >= sizeof path) {
            error_set(err, ERR_INVALID, "not users' names, or too many");
            return NULL;
        }
        len += (size_t)snprintf(path + len, sizeof path - len, "%s%s", i > 0 ? "," : "", ids[i]);
    }
    return get(api, path, on_answer, user, err);
}

ApiCall *api_user(Api *api, const char *name, ApiOnAnswer *on_answer, void *user, Error *err)
{
    char path[CALL_PATH_SIZE];
    if (!user_name_is_valid(text_of(name))) {
        error_set(err, ERR_INVALID, "not a user's name");
        return NULL;
    }
    int n = snprintf(path, sizeof path, "/api/user/%s", name);
    CHECK(n > 0 && n < CALL_PATH_SIZE);
    (void)n;
    const CallSpec spec = {
        .method = HTTP_GET, .family = FAMILY_REST, .rank = PACE_ACCEPT, .path = path
    };
    return call_make(api, &spec, on_answer, user, err);
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
