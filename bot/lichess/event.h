/* SPDX-License-Identifier: GPL-3.0-or-later */
/* event.h - Lichess's messages as typed values. One line of a stream (or one JSON body) becomes one
 * value. Every Text in it lies inside the parsed JSON that the value carries, valid UTF-8, and
 * lives until the matching *_release(). Read tolerantly: unknown types, words, fields and nulls are
 * no errors; a field that is absent, null or of the wrong type reads as empty, 0 or false. Errors
 * are only: no JSON object, invalid UTF-8, a missing or malformed id, and a game's state without
 * `moves`, which would look like a takeback of everything. On an error nothing needs release.
 * Numbers beyond a field's range are clamped. Clock values are milliseconds, but for challenges
 * (seconds), as on the wire. */
#pragma once
#include "bot/model/ids.h"
#include "bot/model/player.h"
#include "bot/model/time_control.h"
#include "bot/model/words.h"
#include "engine/base/error.h"
#include "engine/base/text.h"

#include <stdint.h>

struct json_object;

/* No clock: what correspondence-like games without a limit carry as time. */
#define CLOCK_UNLIMITED_MS ((int64_t)INT32_MAX)

typedef enum {
    EVENT_UNKNOWN, /* read `type_name`, log, skip */
    EVENT_GAME_START,
    EVENT_GAME_FINISH,
    EVENT_CHALLENGE,
    EVENT_CHALLENGE_CANCELED,
    EVENT_CHALLENGE_DECLINED,
    EVENT_GAME_FULL,
    EVENT_GAME_STATE,
    EVENT_CHAT_LINE,
    EVENT_OPPONENT_GONE,
    EVENT_TYPE_COUNT,
} EventType;

/* Of gameStart, gameFinish and the entries of account/playing. */
typedef struct {
    char id[GAME_ID_SIZE];
    Colour our_colour; /* COLOUR_NONE if missing */
    Variant variant;
    Text variant_text; /* as written, for the log */
    Speed speed;
    GameStatus status; /* STATUS_STARTED where a running game does not say */
    Text status_text;
    Colour winner; /* or COLOUR_NONE */
    bool rated;
    bool is_our_turn; /* a hint for the order of work only */
    bool has_moved;
    Player opponent; /* the name has its title taken off */
    Text source;     /* "friend", "ai", "arena", … */
    Text fen;
    Text tournament_id;   /* empty: none */
    int64_t seconds_left; /* ours; -1: missing */
    bool playable;        /* compat.bot; true where it is missing */
} GameInfo;

typedef struct {
    char id[GAME_ID_SIZE]; /* the game's id too, once accepted */
    Text status;
    bool has_challenger; /* false: anonymous */
    Player challenger;
    bool has_dest_user;
    Player dest_user;
    Variant variant;
    Text variant_text;
    Speed speed;
    Text speed_text;
    bool rated;
    TimeControl time;
    Colour challenger_colour; /* the one asked for; COLOUR_NONE: random */
    Colour final_colour;      /* the challenger's actual one; COLOUR_NONE: missing */
    Text initial_fen;         /* empty: none */
    Text rematch_of;          /* game id; empty: no rematch */
    bool rule_no_abort;
    DeclineReason decline_reason; /* of challengeDeclined */
    bool playable; /* compat.bot; where absent, derived: true unless faster than 30 s estimated */
} Challenge;

typedef struct {
    Text moves;     /* UCI, blank-separated, from the initial position; "" at the start */
    int move_count; /* words in `moves` */
    int64_t time_ms[COLOUR_COUNT];      /* -1: missing, the value before holds */
    int64_t increment_ms[COLOUR_COUNT]; /* -1: missing */
    GameStatus status;                  /* STATUS_STARTED where status and winner are missing */
    Text status_text;
    Colour winner; /* or COLOUR_NONE */
    bool offers_draw[COLOUR_COUNT];
    bool proposes_takeback[COLOUR_COUNT];
    bool expires; /* arena games before both first moves */
    int64_t expires_idle_ms, expires_move_ms;
} GameState;

typedef struct {
    char id[GAME_ID_SIZE];
    Variant variant;
    Text variant_text;
    Speed speed;
    bool rated;
    TimeControl time; /* by `speed` and the first state where no clock is sent */
    Player players[COLOUR_COUNT];
    Text initial_fen; /* empty for the start position ("startpos" on the wire) */
    Text tournament_id;
    int64_t created_at_ms; /* Unix */
    GameState state;
} GameFull;

/* The colour of the player with that id (lower case); COLOUR_NONE: neither. */
Colour gamefull_colour_of(const GameFull *full, const char *id);

typedef struct {
    bool is_player_room; /* else the spectators' */
    Text username;       /* "lichess" for notices of the server */
    Text text;           /* may be empty; from a stranger: escape before showing */
} ChatLine;

typedef struct {
    bool gone;
    int64_t claim_win_s; /* 0: now; -1: missing */
} OpponentGone;

typedef struct {
    EventType type;
    Text type_name; /* as written */
    union {
        GameInfo game;       /* GAME_START, GAME_FINISH */
        Challenge challenge; /* CHALLENGE, CHALLENGE_CANCELED, CHALLENGE_DECLINED */
        GameFull full;       /* GAME_FULL */
        GameState state;     /* GAME_STATE */
        ChatLine chat;       /* CHAT_LINE */
        OpponentGone gone;   /* OPPONENT_GONE */
    };
    struct json_object *json; /* owns every Text above */
} Event;

/* Reads one line (no newline needed). */
bool event_parse(Event *out, const char *line, size_t len, Error *err) MUST_CHECK;

/* The same of a line that was parsed before: takes `json`, also where it fails. */
bool event_read(Event *out, struct json_object *json, Error *err) MUST_CHECK;

/* Frees what event_parse() made. Once for each success. */
void event_release(Event *event);

/* The same value once more, to be released as well. */
Event event_share(const Event *event);

/* GET /api/account, and for any user: GET /api/user/{name}. */
typedef struct {
    Text id, name, title;
    bool is_bot;        /* title is BOT */
    bool is_closed;     /* disabled */
    bool is_marked;     /* for breaking the terms of service; it plays on */
    int games_played;   /* count.all */
    int64_t created_ms; /* Unix; 0: missing */
    bool has_bio;       /* a biography in the profile */
    struct json_object *json;
} Account;

bool account_parse(Account *out, const char *body, size_t len, Error *err) MUST_CHECK;
void account_release(Account *account);

/* GET /api/account/playing. Entries without a usable id are left out. */
typedef struct {
    GameInfo *games;
    size_t count;
    struct json_object *json;
} Playing;

bool playing_parse(Playing *out, const char *body, size_t len, Error *err) MUST_CHECK;
void playing_release(Playing *playing);

/* POST /api/challenge/{user}: the challenge itself, not wrapped. The Event is EVENT_CHALLENGE. */
bool challenge_parse(Event *out, const char *body, size_t len, Error *err) MUST_CHECK;

/* The answer to ENDPOINT_CHAT_SO_FAR: calls for each line, lent for the call, in order. False when
 * it could not be read. */
typedef void ChatOnLine(void *user, const ChatLine *said);
bool chat_read(Text body, ChatOnLine *on_line, void *user) MUST_CHECK;

/* The same answer: whether `id` (lower case) said anything. False when it could not be read. */
bool chat_has_line_by(Text body, const char *id, bool *out) MUST_CHECK;
