/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/game_fixture.h"

#include "engine/core/uci_move.h"

void feed(GameFixture *f, const GameInput *input)
{
    game_step(&f->game, input, f->now, &f->todo);
}

void feed_line(GameFixture *f, const char *text)
{
    Event event;
    Error err = { 0 };
    if (!event_parse(&event, text, strlen(text), &err))
        fail_msg("%s: %s", err.text, text);
    feed(f, &(GameInput){ .kind = INPUT_LINE, .event = &event });
    event_release(&event);
}

static const char *text_or(const char *text, const char *usual)
{
    return text ? text : usual;
}

static void state_text(char *out, size_t size, const GameText *full)
{
    int len = snprintf(out, size,
                       "{\"type\":\"gameState\",\"moves\":\"%s\",\"wtime\":%d,\"btime\":%d,"
                       "\"winc\":0,\"binc\":0,\"status\":\"%s\"%s}",
                       text_or(full->moves, ""), full->clock_ms ? full->clock_ms : 60000,
                       full->clock_ms ? full->clock_ms : 60000, text_or(full->status, "started"),
                       text_or(full->more, ""));
    assert_in_range(len, 1, size - 1);
}

void feed_game_full(GameFixture *f, GameText full)
{
    static const char *const us = "{\"id\":\"castled-bot\",\"name\":\"Castled-Bot\"}";
    const char *const alba =
        full.is_ai ? "{\"aiLevel\":3}" : "{\"id\":\"alba\",\"name\":\"Alba\",\"rating\":2000}";
    char text[3000], state[2000];
    state_text(state, sizeof state, &full);
    int len =
        snprintf(text, sizeof text,
                 "{\"type\":\"gameFull\",\"id\":\"Qw8rTy2u\",\"variant\":{\"key\":\"%s\"},%s"
                 "\"speed\":\"%s\",\"white\":%s,\"black\":%s,\"initialFen\":\"%s\",%s"
                 "\"state\":%s}",
                 text_or(full.variant, "standard"),
                 full.has_no_clock ? "" : "\"clock\":{\"initial\":60000,\"increment\":0},",
                 full.has_no_clock ? "correspondence" : "blitz", full.we_are_black ? alba : us,
                 full.we_are_black ? us : alba, text_or(full.fen, "startpos"),
                 full.is_tournament ? "\"tournamentId\":\"arena123\"," : "", state);
    assert_in_range(len, 1, sizeof text - 1);
    feed_line(f, text);
}

void feed_game_state(GameFixture *f, GameText full)
{
    char text[2000];
    state_text(text, sizeof text, &full);
    feed_line(f, text);
}

void feed_moves(GameFixture *f, const char *list)
{
    feed_game_state(f, (GameText){ .moves = list });
}

void feed_taken_back(GameFixture *f, const char *list)
{
    f->game.takeback_is_granted = true;
    feed_moves(f, list);
}

void pass_ms(GameFixture *f, int64_t ms)
{
    f->now += ms;
    feed(f, &(GameInput){ .kind = INPUT_TIME });
}

void pass_until_due(GameFixture *f)
{
    int64_t next = game_next_at_ms(&f->game);
    assert_in_range(next, f->now, f->now + 200000);
    pass_ms(f, next - f->now);
}

int count_effects(const GameFixture *f, EffectKind kind)
{
    int n = 0;
    for (int i = 0; i < f->todo.count; i++)
        n += f->todo.list[i].kind == kind;
    return n;
}

const Effect *find_effect(const GameFixture *f, EffectKind kind)
{
    for (int i = 0; i < f->todo.count; i++) {
        if (f->todo.list[i].kind == kind)
            return &f->todo.list[i];
    }
    return NULL;
}

const Post *find_post(const GameFixture *f, CommandKind kind)
{
    for (int i = 0; i < f->todo.count; i++) {
        const Effect *effect = &f->todo.list[i];
        if (effect->kind == EFFECT_POST && effect->post.command.kind == kind)
            return &effect->post;
    }
    return NULL;
}

const Note *find_note(const GameFixture *f, NoteKind kind)
{
    for (int i = 0; i < f->todo.count; i++) {
        const Effect *effect = &f->todo.list[i];
        if (effect->kind == EFFECT_NOTE && effect->note.kind == kind)
            return &effect->note;
    }
    return NULL;
}

uint32_t started_search(const GameFixture *f)
{
    const Effect *effect = find_effect(f, EFFECT_SEARCH);
    return effect ? effect->version : 0;
}

void assert_only_notes(const GameFixture *f)
{
    for (int i = 0; i < f->todo.count; i++)
        assert_int_equal(f->todo.list[i].kind, EFFECT_NOTE);
}

void feed_choice(GameFixture *f, MoveChoice choice, const char *uci)
{
    if (uci)
        assert_true(uci_move_match(&f->game.sheet.position, uci, strlen(uci), &choice.move, NULL));
    feed(f, &(GameInput){ .kind = INPUT_MOVE_FOUND, .choice = choice });
}

void feed_move(GameFixture *f, uint32_t version, const char *uci)
{
    feed_choice(f, (MoveChoice){ .version = version, .depth = 5 }, uci);
}

void feed_reply(GameFixture *f, uint32_t ticket, Reply reply)
{
    feed(f, &(GameInput){ .kind = INPUT_REPLY, .reply = { .ticket = ticket, .reply = reply } });
}

void feed_stream_end(GameFixture *f, StreamEnd end)
{
    feed(f, &(GameInput){ .kind = INPUT_STREAM_END, .end = end });
}

void feed_finish(GameFixture *f, GameStatus status, Colour winner)
{
    feed(f, &(GameInput){ .kind = INPUT_FINISH, .finish = { status, winner } });
}

const GameOptions GAME_USUAL_OPTIONS = {
    .overhead_ms = 100, .abort_after_ms = 30000, .search_ms = 10000, .linger_ms = 30000
};

void game_fixture_init(GameFixture *f, const GameOptions *options)
{
    *f = (GameFixture){ .now = 1000000 };
    ratelimit_init(&f->limit);
    GameAccount account = { .our_id = "castled-bot", .limit = &f->limit };
    game_init(&f->game, "Qw8rTy2u", &account, options, 7, f->now);
}

void game_fixture_start(GameFixture *f, const GameOptions *options)
{
    game_fixture_init(f, options);
    feed(f, &(GameInput){ .kind = INPUT_TIME });
    assert_int_equal(count_effects(f, EFFECT_OPEN_STREAM), 1);
}

int game_fixture_setup(void **state)
{
    GameFixture *f = calloc(1, sizeof *f);
    if (!f)
        return -1;
    game_fixture_start(f, &GAME_USUAL_OPTIONS);
    *state = f;
    return 0;
}

int game_fixture_teardown(void **state)
{
    free(*state);
    return 0;
}

uint32_t game_fixture_search_first(GameFixture *f)
{
    game_fixture_start(f, &GAME_USUAL_OPTIONS);
    feed_game_full(f, (GameText){ 0 });
    uint32_t version = started_search(f);
    assert_int_not_equal(version, 0);
    return version;
}

uint32_t game_fixture_send_first(GameFixture *f)
{
    uint32_t version = game_fixture_search_first(f);
    feed_move(f, version, "e2e4");
    const Post *post = find_post(f, COMMAND_MOVE);
    assert_non_null(post);
    assert_string_equal(post->command.uci, "e2e4");
    return post->ticket;
}
