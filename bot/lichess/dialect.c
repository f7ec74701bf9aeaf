/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/lichess/dialect.h"

#include "bot/lichess/online_bots.h"
#include "bot/model/ids.h"
#include "bot/model/words.h"
#include "bot/ops/json_put.h"
#include "bot/ops/jsonread.h"
#include "engine/base/alloc.h"
#include "engine/base/minmax.h"

#include <stdlib.h>
#include <string.h>

typedef struct json_object Json;

enum { GAMES_KNOWN = 128, WORD_SIZE = 64, LONGEST_S = 1000000 };

/* What a game's own stream will not say. */
typedef struct {
    char id[GAME_ID_SIZE];
    char opponent[WORD_SIZE];
    bool is_960, has_time, is_correspondence;
    int64_t base_s, increment_s, days, rating;
    Json *state; /* the latest; NULL: none */
} Known;

/* The oldest game gives its place to a new one. */
struct Dialect {
    Known known[GAMES_KNOWN];
    int next;
};

const char *dialect_header(ServerKind server)
{
    return server == SERVER_PYCHESS
               ? "X-PyChess-Bot-Capabilities: {\"version\":1,\"variants\":[\"chess\",\"chess960\","
                 "\"crazyhouse\",\"atomic\",\"antichess\",\"kingofthehill\",\"3check\","
                 "\"racingkings\",\"horde\"]}"
               : NULL;
}

bool dialect_has_lists(ServerKind server)
{
    return server == SERVER_LICHESS;
}

bool dialect_new(Dialect **out, ServerKind server, Error *err)
{
    *out = server == SERVER_PYCHESS ? alloc_zeroed(sizeof **out, "", err) : NULL;
    return *out || server != SERVER_PYCHESS;
}

void dialect_free(Dialect *dialect)
{
    if (!dialect)
        return;
    for (int i = 0; i < GAMES_KNOWN; i++)
        json_object_put(dialect->known[i].state);
    free(dialect);
}

static Known *find_known(Dialect *dialect, Text id)
{
    for (int i = 0; i < GAMES_KNOWN; i++)
        if (id.len > 0 && text_is(id, dialect->known[i].id))
            return &dialect->known[i];
    return NULL;
}

/* NULL for what is no game's id. */
static Known *remember(Dialect *dialect, Text id)
{
    Known *game = find_known(dialect, id);
    if (game || !game_id_is_valid(id))
        return game;
    game = &dialect->known[dialect->next];
    dialect->next = (dialect->next + 1) % GAMES_KNOWN;
    json_object_put(game->state);
    *game = (Known){ 0 };
    text_copy(game->id, sizeof game->id, id);
    return game;
}

static bool scale_to_ms(Json *in, const char *key)
{
    int64_t seconds = jsonread_int(in, key, 0, LONGEST_S * INT64_C(10000), -1);
    return seconds < 0 || json_put_number(in, key, seconds * 1000);
}

static bool put_id(Json *player, const char *name_key)
{
    char id[WORD_SIZE];
    if (jsonread_text(player, "id").len > 0 ||
        !text_copy(id, sizeof id, jsonread_text(player, name_key)))
        return true;
    user_id_from_name(id);
    return id[0] == '\0' || json_put_text(player, "id", id);
}

/* `name`: PyChess's. Other shuffled variants are none that we know. */
static bool put_variant(Json *in, Text name, bool is_960)
{
    static const char *const keys[][2] = { { "chess", "standard" },
                                           { "3check", "threeCheck" },
                                           { "kingofthehill", "kingOfTheHill" },
                                           { "racingkings", "racingKings" } };
    char key[WORD_SIZE];
    if (!text_copy(key, sizeof key, name))
        return true;
    const char *word = key;
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (strcmp(key, keys[i][0]) == 0)
            word = keys[i][1];
    if (is_960)
        word = strcmp(word, "standard") == 0 ? "chess960" : "shuffled";
    Json *variant = json_object_new_object();
    return json_put_text(variant, "key", word) && json_put_value(in, "variant", variant);
}

static bool translate_challenge(Dialect *dialect, Json *challenge)
{
    Json *time = jsonread_object(challenge, "timeControl");
    Json *challenger = jsonread_object(challenge, "challenger");
    Known *game = remember(dialect, jsonread_text(challenge, "id"));
    if (!game)
        return true;
    game->is_960 = jsonread_bool(challenge, "chess960", false);
    game->has_time = time != NULL;
    game->is_correspondence = text_is(jsonread_text(time, "type"), "correspondence");
    game->base_s = jsonread_int(time, "limit", 0, LONGEST_S, 0);
    game->increment_s = jsonread_int(time, "increment", 0, LONGEST_S, 0);
    game->days = jsonread_int(time, "daysPerTurn", 0, 1000, 0);
    game->rating = jsonread_int(challenger, "rating", 0, 9999, 0);
    text_copy(game->opponent, sizeof game->opponent, jsonread_text(challenger, "name"));
    return put_id(challenger, "name") &&
           put_variant(challenge, jsonread_word(challenge, "variant", "key"), game->is_960);
}

static Speed speed_of_game(const Known *game)
{
    return game->is_correspondence ? SPEED_CORRESPONDENCE
                                   : speed_of_clock(game->base_s, game->increment_s);
}

static bool translate_start(Dialect *dialect, Json *info)
{
    Known *game = remember(dialect, jsonread_text(info, "id"));
    if (!game)
        return true;
    game->is_960 = game->is_960 || text_is(jsonread_text(info, "chess960"), "True");
    bool ok = !game->has_time || json_put_text(info, "speed", speed_name(speed_of_game(game)));
    if (game->opponent[0] == '\0')
        return ok;
    Json *opponent = json_object_new_object();
    if (json_put_text(opponent, "username", game->opponent) && put_id(opponent, "username") &&
        json_put_number(opponent, "rating", game->rating))
        return json_put_value(info, "opponent", opponent) && ok;
    json_object_put(opponent);
    return false;
}

static bool translate_state(Known *game, Json *state)
{
    bool ok = scale_to_ms(state, "winc") && scale_to_ms(state, "binc");
    json_object_put(game->state);
    game->state = json_object_get(state);
    return ok;
}

/* Of a game that we know nothing of, what its clocks show is taken for their beginning. */
static void learn_time(Known *game, const Json *state)
{
    int64_t most = (int64_t)LONGEST_S * 1000;
    game->has_time = true;
    game->base_s = int64_max(jsonread_int(state, "wtime", 0, most, 0),
                             jsonread_int(state, "btime", 0, most, 0)) /
                   1000;
    game->increment_s = jsonread_int(state, "winc", 0, most, 0) / 1000;
}

static bool put_time(const Known *game, Json *full)
{
    if (!json_put_text(full, "speed", speed_name(speed_of_game(game))))
        return false;
    if (game->is_correspondence)
        return json_put_number(full, "daysPerTurn", game->days);
    Json *clock = json_object_new_object();
    if (json_put_number(clock, "initial", game->base_s * 1000) &&
        json_put_number(clock, "increment", game->increment_s * 1000))
        return json_put_value(full, "clock", clock);
    json_object_put(clock);
    return false;
}

static bool translate_full(Dialect *dialect, Json *full)
{
    Known *game = remember(dialect, jsonread_text(full, "id"));
    Json *state = jsonread_object(full, "state");
    Text fen = jsonread_text(full, "initialFen");
    if (!game || !state)
        return true;
    bool ok = translate_state(game, state) && put_id(jsonread_object(full, "white"), "name") &&
              put_id(jsonread_object(full, "black"), "name") &&
              put_variant(full, jsonread_word(full, "variant", "name"), game->is_960) &&
              scale_to_ms(full, "createdAt");
    if (text_is(fen, "None")) /* of a game that a restart of the server brought back */
        ok = ok && json_put_text(full, "initialFen", "startpos");
    if (!game->has_time)
        learn_time(game, state);
    return ok && put_time(game, full);
}

/* The end tells neither how nor who won: the board may. The clocks have run on since the latest
 * state. */
static bool translate_end(Dialect *dialect, Json *event)
{
    Known *game = find_known(dialect, jsonread_text(jsonread_object(event, "game"), "id"));
    if (!game || !game->state)
        return true;
    bool ok = true;
    struct json_object_iterator at = json_object_iter_begin(game->state);
    struct json_object_iterator end = json_object_iter_end(game->state);
    for (; ok && !json_object_iter_equal(&at, &end); json_object_iter_next(&at)) {
        const char *name = json_object_iter_peek_name(&at);
        if (strcmp(name, "wtime") != 0 && strcmp(name, "btime") != 0)
            ok = json_put_value(event, name, json_object_get(json_object_iter_peek_value(&at)));
    }
    return ok && json_put_text(event, "type", "gameState") &&
           json_put_text(event, "status", "unknownFinish");
}

DialectLine dialect_translate(Dialect *dialect, const char *game_id, Json *line)
{
    Text type = jsonread_text(line, "type");
    Known *game = find_known(dialect, text_of(game_id));
    bool ok = true;
    if (text_is(type, "ping"))
        return DIALECT_KEEPALIVE;
    if (text_is(type, "challenge"))
        ok = translate_challenge(dialect, jsonread_object(line, "challenge"));
    else if (text_is(type, "gameStart"))
        ok = translate_start(dialect, jsonread_object(line, "game"));
    else if (text_is(type, "gameFull"))
        ok = translate_full(dialect, line);
    else if (text_is(type, "gameState") && game)
        ok = translate_state(game, line);
    else if (text_is(type, "gameEnd"))
        ok = translate_end(dialect, line);
    return ok ? DIALECT_EVENT : DIALECT_NO_MEMORY;
}
