/* SPDX-License-Identifier: GPL-3.0-or-later */
/* api.h - Lichess's API for bots, one function a call.
 *
 * A call returns a handle or NULL with an Error (malformed id, no memory: nothing was sent). Its
 * on_answer comes exactly once from the loop, never from inside the call; after it, or after
 * api_cancel(), the handle is gone. Callbacks may call anything here. Loop thread only.
 *
 * A 200 means "received", not "done": the game stream is the only truth. Nothing here waits,
 * retries: see backoff.h. Once api_queue() was called, each request waits for its turn
 * (request_queue.h), and what an answer says of limits is noted. */
#pragma once
#include "bot/lichess/api_answer.h"
#include "bot/lichess/dialect.h"
#include "bot/lichess/event.h"
#include "bot/http/http.h"
#include "bot/lichess/request_queue.h"
#include "bot/lichess/online_bots.h"
#include "bot/lichess/ratelimit.h"
#include "bot/lichess/recording.h"
#include "bot/lichess/api_error.h"

typedef struct Api Api;
typedef struct ApiCall ApiCall;

typedef void ApiOnAnswer(void *user, const ApiAnswer *answer);

/* What a stream calls. An event is lent for the call. */
typedef struct {
    void (*on_sent)(void *user); /* of a GET: it goes out (HttpCallbacks); may be NULL */
    void (*on_open)(void *user); /* 200: may be NULL */
    void (*on_event)(void *user, const Event *event);
    void (*on_line)(void *user, Text line); /* lines that are no events, instead of on_event */
    void (*on_keepalive)(void *user);       /* may be NULL */
    /* A line that was no event (why: `err`), or too long; `start` is its beginning. May be NULL. */
    void (*on_skipped)(void *user, Text start, size_t line_len, const Error *err);
    ApiOnAnswer *on_end; /* like on_answer; API_OK is the clean end of the body */
    void *user;
} ApiStreamCallbacks;

/* The Http stays the caller's and must outlive the Api's calls. `base_url` is copied. */
bool api_new(Api **out, Http *http, const char *base_url, Error *err) MUST_CHECK;

/* From now on the server is taken to speak so: before the first call. False without memory. */
bool api_speak(Api *api, ServerKind server, Error *err) MUST_CHECK;

/* From now on all requests go through one queue. The server's limits go into `limit` (lent,
 * outlives the Api). on_limited is called each time that a family is blocked. */
typedef struct {
    uv_loop_t *loop;
    Ratelimit *limit;
    void (*on_limited)(void *user, ApiFamily family, int64_t until_ms); /* may be NULL */
    void *user;
} ApiQueue;
bool api_queue(Api *api, const ApiQueue *queue, Error *err) MUST_CHECK;

/* From now on the event stream and games' streams are kept in it; lent, outlives the calls. */
void api_record(Api *api, Recording *recording);

/* The request queue, for status and metrics. Lent. */
const RequestQueue *api_requests(const Api *api);

/* Cancels all calls. Not from inside a stream's callback. NULL is fine. */
void api_free(Api *api);

void api_cancel(ApiCall *call);

/* Requests that take nothing, or the id of a game, a challenge, a tournament or a team, or a user's
 * name. The functions below make the others. */
typedef enum {
    ENDPOINT_ACCOUNT,    /* account.h */
    ENDPOINT_TOKEN_TEST, /* is our token good, and until when? token_life.h */
    ENDPOINT_UPGRADE, /* makes the account a BOT: for ever, and only one that has played no game */
    ENDPOINT_PLAYING,
    ENDPOINT_EVENTS, /* a stream */
    ENDPOINT_GAME,   /* a stream of that game */
    ENDPOINT_MOVE,
    ENDPOINT_ABORT,
    ENDPOINT_RESIGN,
    ENDPOINT_DRAW_NO,
    ENDPOINT_DRAW_YES,
    ENDPOINT_TAKEBACK_NO,
    ENDPOINT_TAKEBACK_YES,
    /* After the server said that the opponent is gone for long enough, and on their turn only. */
    ENDPOINT_CLAIM_VICTORY,
    ENDPOINT_CLAIM_DRAW,
    ENDPOINT_CHAT,
    ENDPOINT_CHAT_SO_FAR, /* in the players' room; see chat_has_line_by() */
    ENDPOINT_CHALLENGES,  /* those that are open: challenge_list.h; needs challenge:read */
    ENDPOINT_ACCEPT,
    ENDPOINT_DECLINE,
    ENDPOINT_CANCEL,
    ENDPOINT_CHALLENGE,
    ENDPOINT_ARENA,       /* arena_info.h */
    ENDPOINT_TEAM_ARENAS, /* a stream, with an arena of the team on each line; ends with the list */
    ENDPOINT_JOIN,
    ENDPOINT_WITHDRAW,
    ENDPOINT_USER, /* account_parse(); a challenger waits for the answer */
    ENDPOINT_USERS_STATUS,
    ENDPOINT_ONLINE_BOTS, /* online_bots.h */
} ApiEndpoint;

/* `id` may be NULL where the endpoint has none. */
ApiCall *api_call(Api *api, ApiEndpoint endpoint, const char *id, ApiOnAnswer *on_answer,
                  void *user, Error *err) MUST_CHECK;

/* No bytes for 2 keep-alive periods (15 s) ends it as API_SILENT. */
ApiCall *api_stream(Api *api, ApiEndpoint endpoint, const char *id,
                    const ApiStreamCallbacks *callbacks, Error *err) MUST_CHECK;

typedef enum { MOVE_PLAIN, MOVE_OFFERING_DRAW } MoveOffer;

typedef struct {
    const char *uci;
    MoveOffer offer;
    int64_t timeout_ms;    /* 0: the usual 10 s; shorter when the clock is */
    bool fresh_connection; /* a retry: the connection used before may be dead */
} ApiMove;

ApiCall *api_move(Api *api, const char *game_id, const ApiMove *move, ApiOnAnswer *on_answer,
                  void *user, Error *err) MUST_CHECK;

/* `room`: "player" or "spectator". */
ApiCall *api_chat(Api *api, const char *game_id, const char *room, const char *text,
                  ApiOnAnswer *on_answer, void *user, Error *err) MUST_CHECK;
ApiCall *api_decline(Api *api, const char *challenge_id, DeclineReason reason,
                     ApiOnAnswer *on_answer, void *user, Error *err) MUST_CHECK;

/* A stream: its first line is the challenge (challenge_parse()). While it is open the server keeps
 * the challenge alive; it ends with it. */
typedef struct {
    const char *opponent; /* user name */
    int base_s, increment_s;
    int days; /* a move, and no clock; 0: a clock */
    bool rated;
    Variant variant;
    Colour colour;   /* ours; COLOUR_NONE: any */
    const char *fen; /* "": the usual position */
} ApiChallenge;
ApiCall *api_challenge(Api *api, const ApiChallenge *challenge, const ApiStreamCallbacks *callbacks,
                       Error *err) MUST_CHECK;

/* To join is to be paired soon as well; "": no password, no team. */
ApiCall *api_join_arena(Api *api, const char *id, const char *password, const char *team,
                        ApiOnAnswer *on_answer, void *user, Error *err) MUST_CHECK;

/* For online_bots.h. `ids`: at most 100. */
ApiCall *api_users_status(Api *api, const char (*ids)[USER_ID_SIZE], int count,
                          ApiOnAnswer *on_answer, void *user, Error *err) MUST_CHECK;
