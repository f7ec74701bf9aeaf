/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a foreign engine may write, between what we say to it: lines as they come, and lines "!x"
 * for our own doings. An answer comes only where there is an order, and only of the right form. */
#include "bot/source/uci_talk.h"

#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool ok)
{
    if (!ok)
        abort();
}

typedef struct {
    UciTalk talk;
    Buf say;
    bool has_search, is_guessed; /* an answer is wanted; or will be, if the guess is right */
} World;

static void search(World *world, bool is_guess)
{
    UciSearch what = { .position = "startpos moves e2e4", .is_guess = is_guess };
    what.limits.has_clock = true;
    if (world->talk.state != UCI_IDLE && world->talk.state != UCI_PREPARING)
        return;
    must(uci_talk_search(&world->talk, &what, &world->say));
    world->has_search = !is_guess;
    world->is_guessed = is_guess;
}

static void hit(World *world)
{
    bool is_done;
    if (!world->is_guessed)
        return;
    must(uci_talk_ponderhit(&world->talk, &is_done, &world->say));
    world->is_guessed = false;
    world->has_search = !is_done;
}

static void act(World *world, char what)
{
    UciTalk *talk = &world->talk;
    bool is_up = talk->state != UCI_SILENT && talk->state != UCI_GREETING;
    switch (what) {
    case 'o':
        search(world, false);
        break;
    case 'g':
        search(world, true);
        break;
    case 'h':
        hit(world);
        break;
    case 's':
        must(uci_talk_stop(talk, &world->say));
        break;
    case 'd':
        must(uci_talk_discard(talk, &world->say));
        world->has_search = world->is_guessed = false;
        break;
    case 'p':
        must(!is_up || uci_talk_ping(talk, &world->say));
        break;
    default:
        break;
    }
}

static void hear(World *world, Text line)
{
    UciInput heard;
    must(uci_talk_read(&world->talk, line, &heard, &world->say));
    if (heard != UCI_INPUT_RESULT)
        return;
    const UciResult *result = &world->talk.result;
    must(world->has_search);
    world->has_search = false;
    must(result->move[0] == '\0' || uci_text_is_move(text_of(result->move)));
    must(result->reply[0] == '\0' || uci_text_is_move(text_of(result->reply)));
    must(result->score >= -SCORE_MATE && result->score <= SCORE_MATE);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static World world;
    Text rest = { (const char *)data, size };
    world.has_search = world.is_guessed = false;
    uci_talk_init(&world.talk);
    buf_init(&world.say, UCI_SAY_MAX);
    must(uci_talk_greet(&world.talk, &world.say));
    while (rest.len > 0) {
        const char *end = memchr(rest.at, '\n', rest.len);
        Text line = { rest.at, end ? (size_t)(end - rest.at) : rest.len };
        rest.at += line.len + (end != NULL);
        rest.len -= line.len + (end != NULL);
        if (line.len == 2 && line.at[0] == '!')
            act(&world, line.at[1]);
        else
            hear(&world, line);
        must(world.talk.option_count <= UCI_OPTIONS_MAX && world.talk.readyoks_owed >= 0);
        must(world.say.len == 0 || world.say.text[world.say.len - 1] == '\n');
        buf_reset(&world.say);
    }
    buf_release(&world.say);
    return 0;
}
