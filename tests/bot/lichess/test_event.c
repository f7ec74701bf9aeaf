/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/lichess/event.h"
#include "engine/base/buf.h"
#include "tests/support/unit.h"

#include <json-c/json.h>

enum { LINES_MAX = 32 };

/* A file's lines, without their newlines. */
typedef struct {
    char *text;
    const char *lines[LINES_MAX];
    size_t count;
} Lines;

static char *read_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        return NULL;
    Buf text;
    char chunk[4096];
    size_t n;
    buf_init(&text, 1 << 22);
    while ((n = fread(chunk, 1, sizeof chunk, file)) > 0)
        assert_true(buf_put(&text, chunk, n));
    fclose(file);
    return buf_take(&text);
}

static Lines read_lines(const char *name)
{
    char path[1000];
    assert_true(snprintf(path, sizeof path, "%s/events/%s", TEST_DATA_DIR, name) > 0);
    Lines lines = { .text = read_file(path) };
    assert_non_null(lines.text);
    for (char *at = lines.text; *at;) {
        char *end = strchr(at, '\n');
        assert_non_null(end);
        assert_true(lines.count < LINES_MAX);
        *end = '\0';
        lines.lines[lines.count++] = at;
        at = end + 1;
    }
    return lines;
}

static Event parse(const char *line)
{
    Event event;
    Error err = { 0 };
    if (!event_parse(&event, line, strlen(line), &err))
        fail_msg("%s\n%s", err.text, line);
    return event;
}

#define assert_text(text, expected) assert_true(text_is(text, expected))

TEST(the_event_stream_is_read)
{
    Lines lines = read_lines("event-stream.ndjson");
    assert_int_equal(lines.count, 9);

    Event event = parse(lines.lines[0]);
    assert_int_equal(event.type, EVENT_GAME_START);
    const GameInfo *game = &event.game;
    assert_string_equal(game->id, "k7Pq2ZxL");
    assert_int_equal(game->our_colour, BLACK);
    assert_int_equal(game->variant, VARIANT_STANDARD);
    assert_int_equal(game->speed, SPEED_BLITZ);
    assert_int_equal(game->status, STATUS_STARTED);
    assert_int_equal(game->winner, COLOUR_NONE);
    assert_true(game->rated);
    assert_false(game->has_moved || game->is_our_turn);
    assert_string_equal(game->opponent.id, "greta");
    assert_string_equal(game->opponent.name, "Greta");
    assert_string_equal(game->opponent.title, "IM");
    assert_int_equal(game->opponent.rating, 2387);
    assert_text(game->source, "friend");
    assert_int_equal(game->tournament_id.len, 0);
    assert_int_equal(game->seconds_left, 180);
    assert_true(game->playable);
    event_release(&event);

    event = parse(lines.lines[1]);
    assert_int_equal(event.game.variant, VARIANT_CHESS960);
    assert_int_equal(event.game.status, STATUS_STARTED);
    assert_string_equal(event.game.opponent.id, "");
    assert_string_equal(event.game.opponent.name, "Stockfish level 3");
    assert_int_equal(event.game.opponent.ai_level, 3);
    assert_int_equal(event.game.seconds_left, -1);
    assert_true(event.game.is_our_turn && event.game.has_moved);
    assert_false(event.game.playable);
    event_release(&event);

    event = parse(lines.lines[2]);
    assert_int_equal(event.type, EVENT_GAME_FINISH);
    assert_int_equal(event.game.status, STATUS_MATE);
    assert_int_equal(event.game.winner, BLACK);
    assert_text(event.game.tournament_id, "Tn3Kp9aZ");
    event_release(&event);

    event = parse(lines.lines[3]);
    assert_int_equal(event.type, EVENT_CHALLENGE);
    const Challenge *challenge = &event.challenge;
    assert_string_equal(challenge->id, "Zb5YtR1e");
    assert_true(challenge->has_challenger && challenge->has_dest_user);
    assert_string_equal(challenge->challenger.id, "otto");
    assert_string_equal(challenge->challenger.title, "BOT");
    assert_int_equal(challenge->challenger.rating, 2604);
    assert_true(challenge->challenger.provisional);
    assert_string_equal(challenge->dest_user.id, "castled-bot");
    assert_int_equal(challenge->variant, VARIANT_FROM_POSITION);
    assert_int_equal(challenge->speed, SPEED_RAPID);
    assert_false(challenge->rated);
    assert_int_equal(challenge->time.kind, TIME_CLOCK);
    assert_int_equal(challenge->time.base_s, 600);
    assert_int_equal(challenge->time.increment_s, 5);
    assert_int_equal(challenge->challenger_colour, COLOUR_NONE);
    assert_int_equal(challenge->final_colour, WHITE);
    assert_text(challenge->initial_fen, "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1");
    assert_true(challenge->rule_no_abort);
    assert_true(challenge->playable);
    event_release(&event);

    event = parse(lines.lines[4]);
    assert_false(event.challenge.has_challenger || event.challenge.has_dest_user);
    assert_string_equal(event.challenge.challenger.id, "");
    assert_int_equal(event.challenge.challenger_colour, BLACK);
    assert_false(event.challenge.playable); /* derived: 15 s is ultraBullet */
    assert_false(event.challenge.rule_no_abort);
    event_release(&event);

    event = parse(lines.lines[5]);
    assert_int_equal(event.challenge.variant, VARIANT_UNKNOWN);
    assert_text(event.challenge.variant_text, "duck");
    assert_int_equal(event.challenge.time.kind, TIME_CORRESPONDENCE);
    assert_int_equal(event.challenge.time.days, 3);
    assert_text(event.challenge.rematch_of, "k7Pq2ZxL");
    assert_true(event.challenge.playable);
    event_release(&event);

    event = parse(lines.lines[6]);
    assert_int_equal(event.type, EVENT_CHALLENGE_CANCELED);
    assert_int_equal(event.challenge.time.kind, TIME_UNLIMITED);
    event_release(&event);

    event = parse(lines.lines[7]);
    assert_int_equal(event.type, EVENT_CHALLENGE_DECLINED);
    assert_int_equal(event.challenge.decline_reason, DECLINE_TOO_FAST);
    event_release(&event);

    event = parse(lines.lines[8]);
    assert_int_equal(event.type, EVENT_UNKNOWN);
    assert_text(event.type_name, "teamInvitation");
    event_release(&event);
    free(lines.text);
}

TEST(the_game_stream_is_read)
{
    Lines lines = read_lines("game-stream.ndjson");
    assert_int_equal(lines.count, 10);

    Event event = parse(lines.lines[0]);
    assert_int_equal(event.type, EVENT_GAME_FULL);
    const GameFull *full = &event.full;
    assert_string_equal(full->id, "k7Pq2ZxL");
    assert_true(full->rated && full->time.kind == TIME_CLOCK);
    assert_int_equal(full->time.base_s, 180);
    assert_int_equal(full->time.increment_s, 2);
    assert_string_equal(full->players[WHITE].id, "greta");
    assert_string_equal(full->players[WHITE].title, "");
    assert_string_equal(full->players[BLACK].title, "BOT");
    assert_true(full->players[BLACK].provisional);
    assert_int_equal(full->initial_fen.len, 0);
    assert_int_equal(full->created_at_ms, 1790000000000);
    assert_text(full->state.moves, "e2e4 c7c5 g1f3");
    assert_int_equal(full->state.move_count, 3);
    assert_int_equal(full->state.time_ms[WHITE], 179000);
    assert_int_equal(full->state.time_ms[BLACK], 178500);
    assert_int_equal(full->state.increment_ms[BLACK], 2000);
    assert_int_equal(full->state.status, STATUS_STARTED);
    assert_int_equal(full->state.winner, COLOUR_NONE);
    event_release(&event);

    event = parse(lines.lines[1]);
    full = &event.full;
    assert_int_equal(full->variant, VARIANT_FROM_POSITION);
    assert_int_equal(full->time.kind, TIME_CORRESPONDENCE);
    assert_int_equal(full->time.days, 2);
    assert_int_equal(full->players[WHITE].ai_level, 3);
    assert_string_equal(full->players[WHITE].id, "");
    assert_string_equal(full->players[BLACK].name, "");
    assert_text(full->initial_fen, "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1");
    assert_text(full->tournament_id, "Tn3Kp9aZ");
    assert_int_equal(full->state.move_count, 0);
    assert_int_equal(full->state.time_ms[BLACK], CLOCK_UNLIMITED_MS);
    assert_int_equal(full->state.status, STATUS_CREATED);
    assert_true(full->state.expires);
    assert_int_equal(full->state.expires_move_ms, 20000);
    event_release(&event);

    event = parse(lines.lines[2]);
    assert_int_equal(event.type, EVENT_GAME_STATE);
    assert_int_equal(event.state.move_count, 4);
    assert_true(event.state.offers_draw[WHITE]);
    assert_false(event.state.offers_draw[BLACK] || event.state.proposes_takeback[WHITE]);
    assert_true(event.state.proposes_takeback[BLACK]);
    event_release(&event);

    event = parse(lines.lines[3]);
    assert_int_equal(event.state.move_count, 0);
    assert_int_equal(event.state.time_ms[WHITE], -1);
    assert_int_equal(event.state.time_ms[BLACK], -1);
    assert_int_equal(event.state.increment_ms[WHITE], -1);
    assert_int_equal(event.state.status, STATUS_RESIGN);
    assert_int_equal(event.state.winner, BLACK);
    event_release(&event);

    event = parse(lines.lines[4]);
    assert_int_equal(event.state.status, STATUS_UNKNOWN);
    assert_text(event.state.status_text, "meteorite");
    event_release(&event);

    event = parse(lines.lines[5]);
    assert_int_equal(event.state.status, STATUS_STARTED);
    event_release(&event);

    event = parse(lines.lines[6]);
    assert_int_equal(event.type, EVENT_CHAT_LINE);
    assert_true(event.chat.is_player_room);
    assert_text(event.chat.username, "greta");
    assert_text(event.chat.text, "hi \xe2\x99\x9e");
    event_release(&event);

    event = parse(lines.lines[7]);
    assert_false(event.chat.is_player_room);
    assert_int_equal(event.chat.text.len, 0);
    event_release(&event);

    event = parse(lines.lines[8]);
    assert_int_equal(event.type, EVENT_OPPONENT_GONE);
    assert_true(event.gone.gone);
    assert_int_equal(event.gone.claim_win_s, 8);
    event_release(&event);

    event = parse(lines.lines[9]);
    assert_false(event.gone.gone);
    assert_int_equal(event.gone.claim_win_s, -1);
    event_release(&event);
    free(lines.text);
}

TEST(a_speed_tells_of_a_clock_that_is_missing)
{
    static const struct {
        const char *speed;
        bool has_clock;
        int64_t initial_ms;
    } rows[] = {
        { "blitz", true, 178500 },
        { "classical", true, 178500 },
        { "correspondence", false, 0 },
        { "", false, 0 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char line[300];
        int len = snprintf(line, sizeof line,
                           "{\"type\":\"gameFull\",\"id\":\"k7Pq2ZxL\",\"speed\":\"%s\",\"state\":{"
                           "\"moves\":\"e2e4\",\"wtime\":178500,\"btime\":90000}}",
                           rows[i].speed);
        assert_in_range(len, 1, sizeof line - 1);
        Event event = parse(line);
        assert_int_equal(event.full.time.kind == TIME_CLOCK, rows[i].has_clock);
        assert_int_equal(event.full.time.base_s, rows[i].initial_ms / 1000);
        event_release(&event);
    }
}

TEST(what_is_no_event_says_why)
{
    static const struct {
        const char *line, *why;
    } rows[] = {
        { "", "no JSON: it ends too early" },
        { "{", "no JSON: it ends too early" },
        { "[]", "no JSON object" },
        { "12", "no JSON object" },
        { "null ", "no JSON object" },
        { "{} {}", "no JSON" },
        { "{}x", "no JSON" },
        { "<html>", "no JSON" },
        { "{\"type\":\"gameStart\"}", "gameStart: no id" },
        { "{\"type\":\"gameStart\",\"game\":[]}", "gameStart: no id" },
        { "{\"type\":\"gameStart\",\"game\":{\"gameId\":7}}", "gameStart: no id" },
        { "{\"type\":\"gameStart\",\"game\":{\"gameId\":\"../../x\"}}", "gameStart: malformed id" },
        { "{\"type\":\"gameStart\",\"game\":{\"gameId\":\"abc def\"}}", "gameStart: malformed id" },
        { "{\"type\":\"gameStart\",\"game\":{\"gameId\":\"0123456789abcdef\"}}",
          "gameStart: malformed id" },
        { "{\"type\":\"challenge\",\"challenge\":{\"id\":\"a\\u0000b\"}}",
          "challenge: malformed id" },
        { "{\"type\":\"gameFull\",\"id\":\"abcdefgh\"}", "gameFull: a game's state without moves" },
        { "{\"type\":\"gameState\",\"status\":\"started\"}",
          "gameState: a game's state without moves" },
        { "{\"type\":\"gameState\",\"moves\":null}", "gameState: a game's state without moves" },
        { "{\"type\":\"chatLine\",\"text\":\"\xff\"}", "no JSON: invalid utf-8 string" },
        { "{\"type\":\"chatLine\",\"text\":\"\xc3\"}", "no JSON" },
        { "{'type':'chatLine'}", "no JSON" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Event event = { .type = EVENT_CHAT_LINE };
        Error err = { 0 };
        if (event_parse(&event, rows[i].line, strlen(rows[i].line), &err))
            fail_msg("row %zu was read: %s", i, rows[i].line);
        if (strncmp(err.text, rows[i].why, strlen(rows[i].why)) != 0)
            fail_msg("row %zu: \"%s\"", i, err.text);
        assert_int_equal(event.type, EVENT_CHAT_LINE);
    }
}

TEST(numbers_are_clamped_and_never_overflow)
{
    Event event = parse("{\"type\":\"gameState\",\"moves\":\"\",\"wtime\":1e400,\"btime\":-5,"
                        "\"winc\":99999999999999999999999,\"binc\":2.9}");
    assert_true(event.state.time_ms[WHITE] > 0);
    assert_int_equal(event.state.time_ms[BLACK], 0);
    assert_int_equal(event.state.increment_ms[WHITE], 2000000000);
    assert_int_equal(event.state.increment_ms[BLACK], 2);
    /* The search may add an increment for each of 600 plies. */
    assert_true(event.state.time_ms[WHITE] + 600 * event.state.increment_ms[WHITE] > 0);
    event_release(&event);
}

TEST(deep_nesting_is_refused)
{
    static char line[200000];
    memset(line, '[', sizeof line);
    memcpy(line, "{\"type\":", 8);
    Event event;
    Error err = { 0 };
    assert_false(event_parse(&event, line, sizeof line, &err));
    assert_non_null(strstr(err.text, "nesting"));
}

TEST(a_game_of_600_plies_is_one_view)
{
    Buf line;
    buf_init(&line, 1 << 16);
    assert_true(buf_put_text(&line, "{\"type\":\"gameState\",\"moves\":\"e2e4"));
    for (int ply = 1; ply < 600; ply++)
        assert_true(buf_put_text(&line, " a7a8q"));
    assert_true(buf_put_text(&line, "\",\"status\":\"started\"}"));
    Event event = parse(buf_view(&line));
    assert_int_equal(event.state.move_count, 600);
    assert_int_equal(event.state.moves.len, 4 + 599 * 6);
    event_release(&event);
    buf_release(&line);
}

/* Both files' lines. */
static const char *const fixtures[] = { "event-stream.ndjson", "game-stream.ndjson" };

TEST(a_line_cut_anywhere_is_an_error)
{
    for (size_t f = 0; f < 2; f++) {
        Lines lines = read_lines(fixtures[f]);
        for (size_t i = 0; i < lines.count; i++) {
            size_t len = strlen(lines.lines[i]);
            for (size_t cut = 0; cut < len; cut++) {
                Event event;
                char *part = malloc(cut + 1); /* so that a sanitizer sees reads past the cut */
                memcpy(part, lines.lines[i], cut);
                char *exact = realloc(part, cut ? cut : 1);
                assert_false(event_parse(&event, exact, cut, NULL));
                free(exact);
            }
        }
        free(lines.text);
    }
}

TEST(a_changed_byte_does_no_harm)
{
    for (size_t f = 0; f < 2; f++) {
        Lines lines = read_lines(fixtures[f]);
        for (size_t i = 0; i < lines.count; i++) {
            char *line = strdup(lines.lines[i]);
            size_t len = strlen(line);
            for (size_t at = 0; at < len; at++) {
                static const char bytes[] = { '\0', '"', '{', ']', '\\', '\xff', '9', ' ' };
                char old = line[at];
                for (size_t b = 0; b < sizeof bytes; b++) {
                    Event event;
                    line[at] = bytes[b];
                    if (event_parse(&event, line, len, NULL))
                        event_release(&event);
                }
                line[at] = old;
            }
            free(line);
        }
        free(lines.text);
    }
}

/* Parses `root` with each member below `object` replaced by values of every other kind. */
static size_t replace_members(struct json_object *root, struct json_object *object)
{
    static const char *const values[] = { "null",
                                          "true",
                                          "-7",
                                          "99999999999999999999",
                                          "1e308",
                                          "\"\"",
                                          "\"x\"",
                                          "[]",
                                          "[[null]]",
                                          "{}",
                                          "{\"id\":1,\"name\":null,\"key\":[]}" };
    size_t count = 0;
    struct json_object_iterator it = json_object_iter_begin(object);
    struct json_object_iterator end = json_object_iter_end(object);
    for (; !json_object_iter_equal(&it, &end); json_object_iter_next(&it)) {
        const char *key = json_object_iter_peek_name(&it);
        struct json_object *member = json_object_iter_peek_value(&it);
        if (json_object_is_type(member, json_type_object))
            count += replace_members(root, member);
        json_object_get(member);
        for (size_t v = 0; v < sizeof values / sizeof *values; v++) {
            Event event;
            json_object_object_add(object, key, json_tokener_parse(values[v]));
            const char *text = json_object_to_json_string(root);
            if (event_parse(&event, text, strlen(text), NULL))
                event_release(&event);
            count++;
        }
        json_object_object_add(object, key, member);
    }
    return count;
}

TEST(a_member_of_the_wrong_kind_does_no_harm)
{
    size_t count = 0;
    for (size_t f = 0; f < 2; f++) {
        Lines lines = read_lines(fixtures[f]);
        for (size_t i = 0; i < lines.count; i++) {
            struct json_object *root = json_tokener_parse(lines.lines[i]);
            assert_non_null(root);
            count += replace_members(root, root);
            json_object_put(root);
        }
        free(lines.text);
    }
    assert_true(count > 1000);
}

TEST(our_account_is_read)
{
    static const struct {
        const char *body;
        bool ok, is_bot, is_closed;
        int games;
        int64_t created_ms;
    } rows[] = {
        { "{\"id\":\"castled-bot\",\"username\":\"Castled-Bot\",\"title\":\"BOT\","
          "\"createdAt\":1600000000123,\"count\":{\"all\":12}}",
          true, true, false, 12, 1600000000123 },
        { "{\"id\":\"anna\",\"createdAt\":-1}", true, false, false, 0, 0 },
        { "{\"id\":\"anna\",\"createdAt\":9223372036854775807}", true, false, false, 0,
          (int64_t)1 << 46 },
        { "{\"id\":\"anna\",\"username\":\"Anna\",\"title\":null}", true, false, false, 0, 0 },
        { "{\"id\":\"anna\",\"username\":\"Anna\",\"title\":\"GM\",\"disabled\":true}", true, false,
          true, 0, 0 },
        { "{\"id\":\"anna\",\"tosViolation\":true}", true, false, false, 0, 0 }, /* plays on */
        { "{\"id\":null}", false, false, false, 0, 0 },
        { "{\"error\":\"No such token\"}", false, false, false, 0, 0 },
        { "<html>", false, false, false, 0, 0 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Account account;
        assert_int_equal(account_parse(&account, rows[i].body, strlen(rows[i].body), NULL),
                         rows[i].ok);
        if (!rows[i].ok)
            continue;
        assert_int_equal(account.is_bot, rows[i].is_bot);
        assert_int_equal(account.is_closed, rows[i].is_closed);
        assert_int_equal(account.is_marked, strstr(rows[i].body, "tosViolation") != NULL);
        assert_int_equal(account.games_played, rows[i].games);
        assert_int_equal(account.created_ms, rows[i].created_ms);
        account_release(&account);
    }
}

TEST(the_list_of_running_games_is_read)
{
    static const char body[] =
        "{\"nowPlaying\":[{\"gameId\":\"aaaaaaaa\",\"color\":\"white\",\"status\":\"started\","
        "\"isMyTurn\":true,\"opponent\":{\"id\":\"x\",\"username\":\"X\"}},"
        "{\"gameId\":\"/bad/\"},null,7,{\"gameId\":\"bbbbbbbb\",\"status\":{\"id\":20,\"name\":"
        "\"started\"}}],\"nbMyTurn\":1}";
    Playing playing;
    assert_true(playing_parse(&playing, body, sizeof body - 1, NULL));
    assert_int_equal(playing.count, 2);
    assert_string_equal(playing.games[0].id, "aaaaaaaa");
    assert_int_equal(playing.games[0].status, STATUS_STARTED);
    assert_string_equal(playing.games[1].id, "bbbbbbbb");
    playing_release(&playing);
    assert_true(playing_parse(&playing, "{\"nowPlaying\":[]}", 17, NULL));
    assert_int_equal(playing.count, 0);
    playing_release(&playing);
    assert_false(playing_parse(&playing, "{}", 2, NULL));
    assert_false(playing_parse(&playing, "{\"nowPlaying\":{}}", 17, NULL));
}

/* The official examples, where they are. */
TEST(every_published_example_is_the_event_that_it_is)
{
    static const struct {
        const char *name;
        EventType type;
    } rows[] = {
        { "stream-gameStart", EVENT_GAME_START },
        { "stream-gameStart-ai", EVENT_GAME_START },
        { "stream-gameFinish", EVENT_GAME_FINISH },
        { "stream-gameFinish-ai", EVENT_GAME_FINISH },
        { "stream-challenge", EVENT_CHALLENGE },
        { "stream-challengeCanceled", EVENT_CHALLENGE_CANCELED },
        { "stream-challengeDeclined", EVENT_CHALLENGE_DECLINED },
    };
    char path[1000];
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_true(snprintf(path, sizeof path, "%s/lichess-examples/%s.json", SUITES_DIR,
                             rows[i].name) > 0);
        char *text = read_file(path);
        if (!text)
            skip();
        Event event = parse(text);
        assert_int_equal(event.type, rows[i].type);
        bool is_game = rows[i].type == EVENT_GAME_START || rows[i].type == EVENT_GAME_FINISH;
        assert_int_equal(strlen(is_game ? event.game.id : event.challenge.id), 8);
        assert_int_not_equal(is_game ? event.game.variant : event.challenge.variant,
                             VARIANT_UNKNOWN);
        assert_int_not_equal(is_game ? event.game.speed : event.challenge.speed, SPEED_UNKNOWN);
        if (is_game) {
            assert_int_not_equal(event.game.status, STATUS_UNKNOWN);
            assert_int_not_equal(event.game.our_colour, COLOUR_NONE);
            assert_int_not_equal(event.game.opponent.name[0], '\0');
            assert_false(event.game.playable); /* the examples are a human's games */
        } else {
            assert_true(event.challenge.has_challenger);
            assert_int_equal(event.challenge.time.kind, TIME_UNLIMITED);
            assert_int_equal(event.challenge.final_colour, BLACK);
        }
        if (rows[i].type == EVENT_CHALLENGE_DECLINED)
            assert_int_equal(event.challenge.decline_reason, DECLINE_GENERIC);
        event_release(&event);
        free(text);
    }
    assert_true(snprintf(path, sizeof path, "%s/lichess-examples/account-getMyProfile.json",
                         SUITES_DIR) > 0);
    char *text = read_file(path);
    assert_non_null(text);
    Account account;
    assert_true(account_parse(&account, text, strlen(text), NULL));
    assert_text(account.id, "bobby");
    assert_false(account.is_bot);
    assert_int_equal(account.games_played, 4841);
    account_release(&account);
    free(text);
    static const char *const challenges[] = { "challenges-createChallenge",
                                              "challenges-showOneChallenge" };
    for (size_t i = 0; i < 2; i++) {
        assert_true(snprintf(path, sizeof path, "%s/lichess-examples/%s.json", SUITES_DIR,
                             challenges[i]) > 0);
        text = read_file(path);
        assert_non_null(text);
        Event event;
        assert_true(challenge_parse(&event, text, strlen(text), NULL));
        assert_true(event.challenge.has_challenger);
        event_release(&event);
        free(text);
    }
}

TEST(who_has_spoken_in_a_chat_is_found)
{
    static const struct {
        const char *body;
        bool is_read, has_spoken;
    } rows[] = {
        { "[]", true, false },
        { "[{\"text\":\"hi\",\"user\":\"Alba\"}]", true, false },
        { "[{\"text\":\"hi\",\"user\":\"alba\"},{\"text\":\"ho\",\"user\":\"Castled-Bot\"}]", true,
          true },
        { "[null,3,{\"user\":null},{\"user\":\"castled-bo\"}]", true, false },
        { "{}", false, false },
        { "", false, false },
        { "[", false, false },
        { "<html>", false, false },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        bool has_spoken = false;
        bool is_read = chat_has_line_by(text_of(rows[i].body), "castled-bot", &has_spoken);
        if (is_read != rows[i].is_read || has_spoken != rows[i].has_spoken)
            fail_msg("%s", rows[i].body);
    }
}

static void on_chat_line(void *user, const ChatLine *said)
{
    Buf *all = user;
    assert_true(said->is_player_room);
    assert_true(buf_printf(all, "%.*s: %.*s|", TEXT_ARGS(said->username), TEXT_ARGS(said->text)));
}

TEST(a_chat_is_read_line_by_line)
{
    static const char body[] =
        "[{\"text\":\"hi\",\"user\":\"Alba\"},null,7,{\"text\":[],\"user\":\"x\"},"
        "{\"text\":\"!analysis\",\"user\":\"alba\"}]";
    Buf all;
    buf_init(&all, 1000);
    assert_true(chat_read(text_of(body), on_chat_line, &all));
    assert_string_equal(buf_view(&all), "Alba: hi|: |: |x: |alba: !analysis|");
    assert_false(chat_read(text_of("{}"), on_chat_line, &all));
    assert_false(chat_read((Text){ 0 }, on_chat_line, &all));
    buf_release(&all);
}

TEST(names_of_users_are_told_from_other_text)
{
    const char *const names[] = { "ab", "Alba-3_x", "abcdefghijklmnopqrstuvwxyz0123" };
    const char *const others[] = { "", "a", "abcdefghijklmnopqrstuvwxyz01234", "al/ba", "al ba" };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        assert_true(user_name_is_valid(text_of(names[i])));
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        assert_false(user_name_is_valid(text_of(others[i])));
}
