/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A line of a stream, and the bodies of account, playing and challenge: whatever comes, the texts
 * of what was read lie inside its own memory and its numbers within their ranges. */
#include "bot/lichess/dialect.h"
#include "bot/lichess/event.h"
#include "bot/ops/jsonread.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool ok)
{
    if (!ok)
        abort();
}

/* Reads every byte, for the sanitizer to watch. */
static size_t touch(Text text)
{
    size_t sum = 0;
    for (size_t i = 0; i < text.len; i++)
        sum += (unsigned char)text.at[i];
    return sum;
}

static void check_user(const Player *user)
{
    touch(text_of(user->id));
    touch(text_of(user->name));
    touch(text_of(user->title));
    must(user->rating >= 0 && user->rating <= 9999 && user->ai_level >= 0);
}

static void check_game(const GameInfo *game)
{
    must(game_id_is_valid(text_of(game->id)));
    must(game->our_colour <= COLOUR_NONE && game->winner <= COLOUR_NONE);
    must(game->variant < VARIANT_COUNT && game->speed < SPEED_COUNT && game->status < STATUS_COUNT);
    must(game->seconds_left >= -1);
    check_user(&game->opponent);
    touch(game->fen);
    touch(game->source);
    touch(game->status_text);
}

static void check_challenge(const Challenge *challenge)
{
    must(game_id_is_valid(text_of(challenge->id)));
    must(challenge->time.base_s >= 0 && challenge->time.increment_s >= 0);
    must(challenge->has_challenger || challenge->challenger.id[0] == '\0');
    check_user(&challenge->challenger);
    check_user(&challenge->dest_user);
    touch(challenge->initial_fen);
}

static void check_state(const GameState *state)
{
    must(state->move_count >= 0 && (size_t)state->move_count <= state->moves.len);
    for (int colour = 0; colour < COLOUR_COUNT; colour++) {
        int64_t time_ms = state->time_ms[colour], increment_ms = state->increment_ms[colour];
        must(time_ms >= -1 && increment_ms >= -1); /* -1: missing */
        must(increment_ms < 0 || time_ms + 600 * increment_ms >= -1);
    }
    touch(state->moves);
    touch(state->status_text);
}

static void check_event(const Event *event)
{
    touch(event->type_name);
    switch (event->type) {
    case EVENT_GAME_START:
    case EVENT_GAME_FINISH:
        check_game(&event->game);
        break;
    case EVENT_CHALLENGE:
    case EVENT_CHALLENGE_CANCELED:
    case EVENT_CHALLENGE_DECLINED:
        check_challenge(&event->challenge);
        break;
    case EVENT_GAME_FULL:
        must(game_id_is_valid(text_of(event->full.id)));
        check_user(&event->full.players[WHITE]);
        check_user(&event->full.players[BLACK]);
        check_state(&event->full.state);
        touch(event->full.initial_fen);
        break;
    case EVENT_GAME_STATE:
        check_state(&event->state);
        break;
    case EVENT_CHAT_LINE:
        touch(event->chat.username);
        touch(event->chat.text);
        break;
    case EVENT_OPPONENT_GONE:
        must(event->gone.claim_win_s >= -1);
        break;
    case EVENT_UNKNOWN:
    case EVENT_TYPE_COUNT:
        break;
    }
}

/* As another server's line, after one of a game that is known by then. */
static void check_dialect(const char *text, size_t size)
{
    static const char first[] =
        "{\"type\":\"gameFull\",\"id\":\"abcd1234\",\"state\":{\"moves\":\"\"}}";
    struct json_object *known = jsonread_parse(first, sizeof first - 1, NULL);
    struct json_object *json = jsonread_parse(text, size, NULL);
    Dialect *dialect = NULL;
    Event event;
    must(known && dialect_new(&dialect, SERVER_PYCHESS, NULL));
    must(dialect_translate(dialect, "", known) == DIALECT_EVENT);
    if (json && dialect_translate(dialect, "abcd1234", json) == DIALECT_EVENT &&
        event_read(&event, json_object_get(json), NULL)) {
        check_event(&event);
        event_release(&event);
    }
    json_object_put(json);
    json_object_put(known);
    dialect_free(dialect);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *text = (const char *)data;
    Event event;
    Account account;
    Playing playing;
    Error err = { 0 };
    if (event_parse(&event, text, size, &err)) {
        check_event(&event);
        event_release(&event);
    } else {
        must(error_is_set(&err));
    }
    check_dialect(text, size);
    if (challenge_parse(&event, text, size, NULL)) {
        check_challenge(&event.challenge);
        event_release(&event);
    }
    if (account_parse(&account, text, size, NULL)) {
        must(touch(account.id) > 0 || account.id.len > 0);
        touch(account.name);
        account_release(&account);
    }
    if (playing_parse(&playing, text, size, NULL)) {
        for (size_t i = 0; i < playing.count; i++)
            check_game(&playing.games[i]);
        playing_release(&playing);
    }
    return 0;
}
