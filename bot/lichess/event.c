/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/lichess/event.h"

#include "bot/ops/jsonread.h"
#include "engine/base/minmax.h"

#include <ctype.h>
#include <stdlib.h>

typedef struct json_object Json;

enum { LONGEST_TIME_MS = 2000000000, RATING_MAX = 9999, DAYS_MAX = 1000 };

#define CREATED_MOST_MS ((int64_t)1 << 46) /* the year 4199 */

/* Estimates faster than this are ultraBullet, which no bot may play. */
enum { ULTRA_BULLET_BELOW_S = 30 };

static bool read_id(char out[GAME_ID_SIZE], Text id, Error *err)
{
    if (!game_id_is_valid(id)) {
        error_set(err, ERR_INVALID, id.len == 0 ? "no id" : "malformed id");
        return false;
    }
    return text_copy(out, GAME_ID_SIZE, id);
}

/* What is longer than anything of Lichess's is left out: half a name would be another one. */
static void take_names(Player *out, Text id, Text name, Text title)
{
    text_copy(out->id, sizeof out->id, id);
    text_copy(out->name, sizeof out->name, name);
    text_copy(out->title, sizeof out->title, title);
}

/* Of challenges and of gameFull's white and black. */
static Player read_user(const Json *json)
{
    Player user = {
        .rating = (int)jsonread_int(json, "rating", 0, RATING_MAX, 0),
        .provisional = jsonread_bool(json, "provisional", false),
        .ai_level = (int)jsonread_int(json, "aiLevel", 0, 100, 0),
    };
    take_names(&user, jsonread_text(json, "id"), jsonread_text(json, "name"),
               jsonread_text(json, "title"));
    return user;
}

/* Of gameStart, gameFinish, nowPlaying: the title stands in front of the name. */
static Player read_opponent(const Json *json)
{
    Text name = jsonread_text(json, "username"), title = { 0 };
    Player user = {
        .rating = (int)jsonread_int(json, "rating", 0, RATING_MAX, 0),
        .ai_level = (int)jsonread_int(json, "ai", 0, 100, 0),
    };
    if (user.ai_level == 0 && name.len > 0 && memchr(name.at, ' ', name.len))
        title = text_next_word(&name, " ");
    take_names(&user, jsonread_text(json, "id"), text_trimmed(name, " "), title);
    return user;
}

static bool read_game_info(GameInfo *out, const Json *json, Error *err)
{
    *out = (GameInfo){ 0 };
    Text id = jsonread_text(json, "gameId");
    if (!read_id(out->id, id.len > 0 ? id : jsonread_text(json, "id"), err))
        return false;
    out->our_colour = colour_of(jsonread_text(json, "color"));
    out->variant_text = jsonread_word(json, "variant", "key");
    out->variant = variant_of(out->variant_text);
    out->speed = speed_of(jsonread_text(json, "speed"));
    out->status_text = jsonread_word(json, "status", "name");
    out->status = out->status_text.len > 0 ? status_of(out->status_text) : STATUS_STARTED;
    out->winner = colour_of(jsonread_text(json, "winner"));
    out->rated = jsonread_bool(json, "rated", false);
    out->is_our_turn = jsonread_bool(json, "isMyTurn", false);
    out->has_moved = jsonread_bool(json, "hasMoved", false);
    out->opponent = read_opponent(jsonread_object(json, "opponent"));
    out->source = jsonread_text(json, "source");
    out->fen = jsonread_text(json, "fen");
    out->tournament_id = jsonread_text(json, "tournamentId");
    out->seconds_left = jsonread_int(json, "secondsLeft", 0, LONGEST_TIME_MS, -1);
    out->playable = jsonread_bool(jsonread_object(json, "compat"), "bot", true);
    return true;
}

static TimeControl read_time_control(const Json *json)
{
    Text type = jsonread_text(json, "type");
    if (text_is(type, "clock"))
        return (TimeControl){
            .kind = TIME_CLOCK,
            .base_s = jsonread_int(json, "limit", 0, LONGEST_TIME_MS, 0),
            .increment_s = jsonread_int(json, "increment", 0, LONGEST_TIME_MS, 0),
        };
    if (text_is(type, "correspondence"))
        return (TimeControl){ .kind = TIME_CORRESPONDENCE,
                              .days = (int)jsonread_int(json, "daysPerTurn", 0, DAYS_MAX, 0) };
    return (TimeControl){ .kind = text_is(type, "unlimited") ? TIME_UNLIMITED : TIME_UNKNOWN };
}

/* Challenges that are sent again when a stream opens come without the server's word on it. */
static bool is_playable(const TimeControl *time)
{
    return time_control_estimate_s(time) >= ULTRA_BULLET_BELOW_S;
}

static bool read_rule(const Json *json, const char *rule)
{
    const Json *rules = jsonread_array(json, "rules");
    for (size_t i = 0; rules && i < json_object_array_length(rules); i++) {
        Json *item = json_object_array_get_idx(rules, i);
        if (json_object_is_type(item, json_type_string) &&
            strcmp(json_object_get_string(item), rule) == 0)
            return true;
    }
    return false;
}

static bool read_challenge(Challenge *out, const Json *json, const Json *compat, Error *err)
{
    *out = (Challenge){ 0 };
    if (!read_id(out->id, jsonread_text(json, "id"), err))
        return false;
    const Json *challenger = jsonread_object(json, "challenger");
    const Json *dest_user = jsonread_object(json, "destUser");
    Text declined = jsonread_text(json, "declineReasonKey");
    out->status = jsonread_text(json, "status");
    out->has_challenger = challenger != NULL;
    out->challenger = read_user(challenger);
    out->has_dest_user = dest_user != NULL;
    out->dest_user = read_user(dest_user);
    out->variant_text = jsonread_word(json, "variant", "key");
    out->variant = variant_of(out->variant_text);
    out->speed_text = jsonread_text(json, "speed");
    out->speed = speed_of(out->speed_text);
    out->rated = jsonread_bool(json, "rated", false);
    out->time = read_time_control(jsonread_object(json, "timeControl"));
    out->challenger_colour = colour_of(jsonread_text(json, "color"));
    out->final_colour = colour_of(jsonread_text(json, "finalColor"));
    out->initial_fen = jsonread_text(json, "initialFen");
    out->rematch_of = jsonread_text(json, "rematchOf");
    out->rule_no_abort = read_rule(json, "noAbort");
    out->decline_reason = decline_reason_of(declined);
    out->playable = jsonread_bool(compat, "bot", is_playable(&out->time));
    return true;
}

static int count_words(Text text)
{
    int count = 0;
    for (size_t i = 0; i < text.len; i++)
        count += text.at[i] != ' ' && (i == 0 || text.at[i - 1] == ' ');
    return count;
}

static bool read_state(GameState *out, const Json *json, Error *err)
{
    *out = (GameState){ 0 };
    out->moves = jsonread_text(json, "moves");
    if (!out->moves.at) { /* an empty list would look like a takeback of everything */
        error_set(err, ERR_INVALID, "a game's state without moves");
        return false;
    }
    out->move_count = count_words(out->moves);
    out->time_ms[WHITE] = jsonread_int(json, "wtime", 0, INT64_MAX / 4, -1);
    out->time_ms[BLACK] = jsonread_int(json, "btime", 0, INT64_MAX / 4, -1);
    out->increment_ms[WHITE] = jsonread_int(json, "winc", 0, LONGEST_TIME_MS, -1);
    out->increment_ms[BLACK] = jsonread_int(json, "binc", 0, LONGEST_TIME_MS, -1);
    out->winner = colour_of(jsonread_text(json, "winner"));
    out->status_text = jsonread_word(json, "status", "name");
    bool is_silent = out->status_text.len == 0 && out->winner == COLOUR_NONE;
    out->status = is_silent ? STATUS_STARTED : status_of(out->status_text);
    out->offers_draw[WHITE] = jsonread_bool(json, "wdraw", false);
    out->offers_draw[BLACK] = jsonread_bool(json, "bdraw", false);
    out->proposes_takeback[WHITE] = jsonread_bool(json, "wtakeback", false);
    out->proposes_takeback[BLACK] = jsonread_bool(json, "btakeback", false);
    const Json *expiration = jsonread_object(json, "expiration");
    out->expires = expiration != NULL;
    out->expires_idle_ms = jsonread_int(expiration, "idleMillis", 0, LONGEST_TIME_MS, 0);
    out->expires_move_ms = jsonread_int(expiration, "millisToMove", 0, LONGEST_TIME_MS, 0);
    return true;
}

static bool parse_game(Event *out, const Json *json, Error *err)
{
    return read_game_info(&out->game, jsonread_object(json, "game"), err);
}

static bool parse_challenge(Event *out, const Json *json, Error *err)
{
    return read_challenge(&out->challenge, jsonread_object(json, "challenge"),
                          jsonread_object(json, "compat"), err);
}

/* Where the clock itself is missing the speed tells whether there is one, and the first state about
 * what it began with. */
static TimeControl read_time(const GameFull *full, const Json *clock, int days)
{
    const int64_t *left = full->state.time_ms;
    bool is_timed = full->speed != SPEED_UNKNOWN && full->speed != SPEED_CORRESPONDENCE;
    if (clock)
        return (TimeControl){ .kind = TIME_CLOCK,
                              .base_s =
                                  jsonread_int(clock, "initial", 0, LONGEST_TIME_MS, 0) / 1000,
                              .increment_s =
                                  jsonread_int(clock, "increment", 0, LONGEST_TIME_MS, 0) / 1000 };
    if (is_timed)
        return (TimeControl){ .kind = TIME_CLOCK,
                              .base_s = int64_max(int64_max(left[WHITE], left[BLACK]), 0) / 1000 };
    return time_control_of_days(days);
}

static bool parse_full(Event *out, const Json *json, Error *err)
{
    GameFull *full = &out->full;
    *full = (GameFull){ 0 };
    if (!read_id(full->id, jsonread_text(json, "id"), err) ||
        !read_state(&full->state, jsonread_object(json, "state"), err))
        return false;
    full->variant_text = jsonread_word(json, "variant", "key");
    full->variant = variant_of(full->variant_text);
    full->speed = speed_of(jsonread_text(json, "speed"));
    full->rated = jsonread_bool(json, "rated", false);
    full->time = read_time(full, jsonread_object(json, "clock"),
                           (int)jsonread_int(json, "daysPerTurn", 0, DAYS_MAX, 0));
    full->players[WHITE] = read_user(jsonread_object(json, "white"));
    full->players[BLACK] = read_user(jsonread_object(json, "black"));
    full->initial_fen = jsonread_text(json, "initialFen");
    if (text_is(full->initial_fen, "startpos"))
        full->initial_fen = (Text){ 0 };
    full->tournament_id = jsonread_text(json, "tournamentId");
    full->created_at_ms = jsonread_int(json, "createdAt", 0, INT64_MAX / 4, 0);
    return true;
}

static bool parse_state(Event *out, const Json *json, Error *err)
{
    return read_state(&out->state, json, err);
}

static bool parse_chat(Event *out, const Json *json, Error *err)
{
    (void)err;
    out->chat = (ChatLine){
        .is_player_room = text_is(jsonread_text(json, "room"), "player"),
        .username = jsonread_text(json, "username"),
        .text = jsonread_text(json, "text"),
    };
    return true;
}

static bool parse_gone(Event *out, const Json *json, Error *err)
{
    (void)err;
    out->gone = (OpponentGone){
        .gone = jsonread_bool(json, "gone", false),
        .claim_win_s = jsonread_int(json, "claimWinInSeconds", 0, LONGEST_TIME_MS, -1),
    };
    return true;
}

static const struct {
    const char *name;
    bool (*parse)(Event *out, const Json *json, Error *err);
} types[EVENT_TYPE_COUNT] = {
    [EVENT_UNKNOWN] = { "unknown", NULL },
    [EVENT_GAME_START] = { "gameStart", parse_game },
    [EVENT_GAME_FINISH] = { "gameFinish", parse_game },
    [EVENT_CHALLENGE] = { "challenge", parse_challenge },
    [EVENT_CHALLENGE_CANCELED] = { "challengeCanceled", parse_challenge },
    [EVENT_CHALLENGE_DECLINED] = { "challengeDeclined", parse_challenge },
    [EVENT_GAME_FULL] = { "gameFull", parse_full },
    [EVENT_GAME_STATE] = { "gameState", parse_state },
    [EVENT_CHAT_LINE] = { "chatLine", parse_chat },
    [EVENT_OPPONENT_GONE] = { "opponentGone", parse_gone },
};

bool event_parse(Event *out, const char *line, size_t len, Error *err)
{
    Json *json = jsonread_parse(line, len, err);
    return json && event_read(out, json, err);
}

bool event_read(Event *out, Json *json, Error *err)
{
    Event event = { .type = EVENT_UNKNOWN, .json = json };
    event.type_name = jsonread_text(event.json, "type");
    for (int type = EVENT_UNKNOWN + 1; type < EVENT_TYPE_COUNT; type++)
        if (text_is(event.type_name, types[type].name))
            event.type = (EventType)type;
    if (event.type != EVENT_UNKNOWN && !types[event.type].parse(&event, event.json, err)) {
        error_prefix(err, "%s", types[event.type].name);
        json_object_put(event.json);
        return false;
    }
    *out = event;
    return true;
}

void event_release(Event *event)
{
    json_object_put(event->json);
    event->json = NULL;
}

Event event_share(const Event *event)
{
    Event share = *event;
    json_object_get(share.json);
    return share;
}

Colour gamefull_colour_of(const GameFull *full, const char *id)
{
    for (int colour = WHITE; colour <= BLACK; colour++) {
        if (strcmp(full->players[colour].id, id) == 0)
            return (Colour)colour;
    }
    return COLOUR_NONE;
}

bool challenge_parse(Event *out, const char *body, size_t len, Error *err)
{
    Event event = { .type = EVENT_CHALLENGE, .json = jsonread_parse(body, len, err) };
    if (!event.json)
        return false;
    event.type_name = text_of(types[EVENT_CHALLENGE].name);
    if (!read_challenge(&event.challenge, event.json, NULL, err)) {
        error_prefix(err, "challenge");
        json_object_put(event.json);
        return false;
    }
    *out = event;
    return true;
}

bool chat_read(Text body, ChatOnLine *on_line, void *user)
{
    Json *list = body.at ? jsonread_parse_list(body.at, body.len, NULL) : NULL;
    if (!list)
        return false;
    for (size_t i = 0; i < json_object_array_length(list); i++) {
        const Json *line = json_object_array_get_idx(list, i);
        const ChatLine said = { .is_player_room = true,
                                .username = jsonread_text(line, "user"),
                                .text = jsonread_text(line, "text") };
        on_line(user, &said);
    }
    json_object_put(list);
    return true;
}

typedef struct {
    const char *id;
    bool found;
} Speaker;

static void look_for_speaker(void *user, const ChatLine *said)
{
    Speaker *speaker = user;
    size_t len = said->username.len;
    bool is_same = len == strlen(speaker->id);
    for (size_t i = 0; i < len && is_same; i++)
        is_same = tolower((unsigned char)said->username.at[i]) == speaker->id[i];
    speaker->found = speaker->found || is_same;
}

bool chat_has_line_by(Text body, const char *id, bool *out)
{
    Speaker speaker = { .id = id };
    if (!chat_read(body, look_for_speaker, &speaker))
        return false;
    *out = speaker.found;
    return true;
}

bool account_parse(Account *out, const char *body, size_t len, Error *err)
{
    Json *json = jsonread_parse(body, len, err);
    if (!json)
        return false;
    Text id = jsonread_text(json, "id");
    if (id.len == 0) {
        error_set(err, ERR_INVALID, "an account without id");
        json_object_put(json);
        return false;
    }
    Text title = jsonread_text(json, "title");
    *out = (Account){
        .id = id,
        .name = jsonread_text(json, "username"),
        .title = title,
        .is_bot = text_is(title, "BOT"),
        .is_closed = jsonread_bool(json, "disabled", false),
        .is_marked = jsonread_bool(json, "tosViolation", false),
        .games_played = (int)jsonread_int(jsonread_object(json, "count"), "all", 0, INT32_MAX, 0),
        .created_ms = jsonread_int(json, "createdAt", 0, CREATED_MOST_MS, 0),
        .has_bio = jsonread_text(jsonread_object(json, "profile"), "bio").len > 0,
        .json = json,
    };
    return true;
}

void account_release(Account *account)
{
    json_object_put(account->json);
    account->json = NULL;
}

bool playing_parse(Playing *out, const char *body, size_t len, Error *err)
{
    Json *json = jsonread_parse(body, len, err);
    if (!json)
        return false;
    const Json *list = jsonread_array(json, "nowPlaying");
    size_t length = list ? json_object_array_length(list) : 0, count = 0;
    GameInfo *games = calloc(length + 1, sizeof *games);
    if (!list || !games) {
        error_set(err, list ? ERR_MEMORY : ERR_INVALID, list ? "no memory" : "no list nowPlaying");
        free(games);
        json_object_put(json);
        return false;
    }
    for (size_t i = 0; i < length; i++)
        if (read_game_info(&games[count], json_object_array_get_idx(list, i), NULL))
            count++;
    *out = (Playing){ .games = games, .count = count, .json = json };
    return true;
}

void playing_release(Playing *playing)
{
    free(playing->games);
    json_object_put(playing->json);
    *playing = (Playing){ 0 };
}
