/* SPDX-License-Identifier: GPL-3.0-or-later */
/* game_fixture.h - a game's state machine under test: its inputs from server, search and clock, and
 * the effects of its last step. We are castled-bot, the opponent is alba; times in ms. */
#pragma once
#include "bot/game/game.h"
#include "bot/game/move_request.h"
#include "tests/support/unit.h"

typedef struct {
    Game game;
    Ratelimit limit;
    Effects todo; /* of the last step */
    int64_t now;
} GameFixture;

/* What a gameFull or gameState is made of; NULL or 0: the usual. */
typedef struct {
    bool we_are_black, is_tournament, has_no_clock, is_ai;
    const char *variant, *fen, *moves, *status, *more;
    int clock_ms; /* ours and theirs */
} GameText;

extern const GameOptions GAME_USUAL_OPTIONS;

/* A test of a game that waits for its gameFull, with the usual options. *state is a GameFixture. */
#define GAME_TEST(test) TEST_IN(test, game_fixture_setup, game_fixture_teardown)
int game_fixture_setup(void **state);
int game_fixture_teardown(void **state);

/* Another game in the same fixture; the second opens its stream too. */
void game_fixture_init(GameFixture *f, const GameOptions *options);
void game_fixture_start(GameFixture *f, const GameOptions *options);

/* White's first search; returns its version. */
uint32_t game_fixture_search_first(GameFixture *f);

/* White's 1. e4 on its way; returns the ticket. */
uint32_t game_fixture_send_first(GameFixture *f);

/* One step each. A move is what the search finds; NULL: none. */
void feed(GameFixture *f, const GameInput *input);
void feed_line(GameFixture *f, const char *line);
void feed_game_full(GameFixture *f, GameText text);
void feed_game_state(GameFixture *f, GameText text);
void feed_moves(GameFixture *f, const char *moves);      /* a gameState with these */
void feed_taken_back(GameFixture *f, const char *moves); /* the same, as a takeback of ours */
void feed_move(GameFixture *f, uint32_t version, const char *uci);
void feed_choice(GameFixture *f, MoveChoice choice, const char *uci);
void feed_reply(GameFixture *f, uint32_t ticket, Reply reply);
void feed_stream_end(GameFixture *f, StreamEnd end);
void feed_finish(GameFixture *f, GameStatus status, Colour winner);
void pass_ms(GameFixture *f, int64_t ms);
void pass_until_due(GameFixture *f); /* until the game asks for it */

/* Effects of the last step; NULL or 0 without one. */
int count_effects(const GameFixture *f, EffectKind kind);
const Effect *find_effect(const GameFixture *f, EffectKind kind);
const Post *find_post(const GameFixture *f, CommandKind kind);
const Note *find_note(const GameFixture *f, NoteKind kind);
uint32_t started_search(const GameFixture *f); /* its version */
void assert_only_notes(const GameFixture *f);
