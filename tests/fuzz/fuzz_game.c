/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A game in the hands of a hostile server. Each line of the input is one thing that happens: a line
 * of the stream (it begins with '{'), time that passes ("t500"), the search's answer ("m3"), an
 * answer to the latest request ("r0".."r3"), the stream's end ("e0".."e4"), and the rest of the
 * inputs. Whatever comes: no effect out of order, no move posted that is illegal or out of turn. */
#include "bot/game/game.h"
#include "engine/core/movegen.h"
#include "engine/core/uci_move.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

typedef struct {
    Game game;
    Ratelimit limit;
    int64_t now;
    bool stream_is_open;
    uint32_t search, ticket;
} World;

static void must(bool ok)
{
    if (!ok)
        abort();
}

static void check_post(World *world, const Post *post)
{
    const Position *pos = &world->game.sheet.position;
    Move move;
    world->ticket = post->ticket;
    must(post->timeout_ms > 0 && post->tries > 0);
    if (post->command.kind != COMMAND_MOVE)
        return;
    must(pos->side_to_move == world->game.us);
    must(uci_move_match(pos, post->command.uci, strlen(post->command.uci), &move, NULL));
}

static void check_effect(World *world, const Effect *effect)
{
    switch (effect->kind) {
    case EFFECT_OPEN_STREAM:
        must(!world->stream_is_open);
        world->stream_is_open = true;
        break;
    case EFFECT_CLOSE_STREAM:
        must(world->stream_is_open);
        world->stream_is_open = false;
        break;
    case EFFECT_POST:
        check_post(world, &effect->post);
        break;
    case EFFECT_SEARCH:
        must(movegen_count(&world->game.sheet.position) > 0);
        world->search = effect->version;
        break;
    case EFFECT_ASK_LIST:
        break;
    case EFFECT_STOP_SEARCH:
        must(world->search != 0);
        break;
    case EFFECT_FINISH:
        must(world->game.phase == GAME_OVER);
        break;
    case EFFECT_NOTE:
        if (effect->note.text)
            must(strlen(effect->note.text) < sizeof(Error));
        break;
    }
}

static void step(World *world, const GameInput *input)
{
    Effects todo;
    todo.count = 0;
    game_step(&world->game, input, world->now, &todo);
    must(todo.count >= 0 && todo.count <= EFFECTS_MAX);
    for (int i = 0; i < todo.count; i++)
        check_effect(world, &todo.list[i]);
    must(game_next_at_ms(&world->game) > 0);
    if (world->game.is_set_up)
        must(position_validate(&world->game.sheet.position, NULL));
}

static void stream_line(World *world, const char *line, size_t len)
{
    Event event;
    if (!event_parse(&event, line, len, NULL)) {
        step(world, &(GameInput){ .kind = INPUT_UNREADABLE });
        return;
    }
    step(world, &(GameInput){ .kind = INPUT_LINE, .event = &event });
    event_release(&event);
}

static void choice(World *world, unsigned number)
{
    MoveList list;
    GameInput input = { .kind = INPUT_MOVE_FOUND };
    if (!world->game.is_set_up || world->search == 0)
        return;
    movegen_legal(&world->game.sheet.position, &list);
    input.choice.version = world->search;
    input.choice.move = list.count > 0 ? list.moves[number % (unsigned)list.count] : MOVE_NONE;
    step(world, &input);
}

static void other(World *world, char what, unsigned number)
{
    GameInput input = { .kind = INPUT_TIME };
    switch (what) {
    case 't':
        world->now += number;
        break;
    case 'm':
        choice(world, number);
        return;
    case 'r':
        input.kind = INPUT_REPLY;
        input.reply.ticket = world->ticket;
        input.reply.reply = (Reply)(number % 4);
        if (input.reply.reply == REPLY_LIMITED)
            ratelimit_note(&world->limit, FAMILY_MOVE, 3, true, world->now);
        break;
    case 'e':
        input.kind = INPUT_STREAM_END;
        input.end = (StreamEnd)(number % 5);
        world->stream_is_open = false;
        break;
    case 'f':
        input.kind = INPUT_FINISH;
        input.finish.status = (GameStatus)(number % STATUS_COUNT);
        input.finish.winner = (Colour)(number % 3);
        break;
    case 'u':
        input.kind = INPUT_UNREADABLE;
        break;
    case 'd':
        input.kind = number % 3 < 2 ? INPUT_LISTED : INPUT_UNLISTED;
        input.listed.is_our_turn = number % 3 == 1;
        input.listed.asked_ms = world->now;
        break;
    default:
        return;
    }
    step(world, &input);
}

static unsigned number_of(const char *text, size_t len)
{
    unsigned number = 0;
    for (size_t i = 0; i < len && i < 6 && text[i] >= '0' && text[i] <= '9'; i++)
        number = number * 10 + (unsigned)(text[i] - '0');
    return number;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const GameOptions options = {
        .overhead_ms = OVERHEAD_AUTO,
        .abort_after_ms = 30000,
        .takebacks = 1,
        .claim = CLAIM_VICTORY,
        .draw = { .offer = true,
                  .accept = true,
                  .score_cp = 50,
                  .moves = 1,
                  .pieces = 32,
                  .opponents = 3 },
        .resign = { .enabled = true, .score_cp = 100, .moves = 1, .opponents = 3 }
    };
    World *world = calloc(1, sizeof *world);
    must(world != NULL);
    world->now = 1000;
    ratelimit_init(&world->limit);
    GameAccount account = { .our_id = "castled-bot", .limit = &world->limit };
    game_init(&world->game, "fuzz", &account, &options, 1, world->now);
    step(world, &(GameInput){ .kind = INPUT_TIME });
    const char *at = (const char *)data, *end = at + size;
    while (at < end && world->game.phase != GAME_OVER) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        size_t len = (size_t)((stop ? stop : end) - at);
        if (len > 0 && *at == '{')
            stream_line(world, at, len);
        else if (len > 0)
            other(world, *at, number_of(at + 1, len - 1));
        at += len + 1;
    }
    free(world);
    return 0;
}
