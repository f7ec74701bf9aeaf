/* SPDX-License-Identifier: GPL-3.0-or-later */
/* talk.h - what to say in a game's chat: greetings made from templates, answers to commands. Pure.
 * Lichess takes lines of at most 140 characters; longer texts are split between words. Our
 * evaluation goes to spectators only: opponents are to find their own moves. For them there is an
 * analysis, when the game is over (bot/game/after_game.h). */
#pragma once
#include "bot/config/settings.h"
#include "bot/lichess/event.h"
#include "bot/policy/wish.h"

enum {
    TALK_LINE_SIZE = 141,
    TALK_LINES_MAX = 4, /* of one answer; the rest is left out */
    TALK_TEXT_MAX = 1000,
    TALK_GAP_MS = 2000,    /* between two answers */
    TALK_ANSWERS_MAX = 50, /* in one game */
};

typedef enum { ROOM_PLAYER, ROOM_SPECTATOR, ROOM_COUNT } ChatRoom;

typedef struct {
    int count;
    char at[TALK_LINES_MAX][TALK_LINE_SIZE];
} TalkLines;

/* What an answer may mention. Texts are lent; "" where something is not known. */
typedef struct {
    bool is_muted; /* the asker, by the operator */
    const char *me, *opponent, *engine, *cpu, *ram;
    const char *program;              /* that chooses the moves: the engine's name alone */
    const char *version;              /* of castled */
    const char *score, *move, *reply; /* of our latest move: "+0.35", "Nf3", "Nc6" */
    int depth;                        /* 0: no search yet */
    int waiting;                      /* challenges in the queue */
    int place;                        /* of the asker's own; 0: has none there */
    int64_t wait_s;                   /* for them, or the next to come; 0: none, or not known */
    int64_t lag_ms;
    const GameSettings *settings;    /* this game's */
    int takebacks;                   /* granted in this game */
    const char *level, *performance; /* that we play at; that our games against people are worth */
    const char *wish;                /* what becomes of it (wish_answer()); "": none was made */
} TalkFacts;

/* What a game remembers of its chat. {0} at the start. */
typedef struct {
    int64_t next_at_ms;
    int answers;
} Talk;

/* When the challenge at this place in the queue will have a slot: a guess from one of the running
 * games. A running game lasts half of what both players have left (`left_ms` together), and each
 * waiting one half of what they begin with (`whole_ms`). All slots are alike. 0 without a place. */
int64_t talk_wait_s(int place, int slots, int64_t left_ms, int64_t whole_ms);

enum { TALK_LEVEL_SIZE = 24, TALK_PERFORMANCE_SIZE = 64 };

/* The two in words: "1500" or "full strength"; "1873 in 214 games" or "not known yet". `elo` as in
 * the settings, `rating` 0: not known. */
void talk_level(int elo, char out[TALK_LEVEL_SIZE]);
void talk_performance(int rating, int64_t games, char out[TALK_PERFORMANCE_SIZE]);

/* Fills {me}, {opponent}, {engine}, {level}, {performance}, {cpu} and {ram} in and splits the text.
 * An empty one gives no line. */
void talk_fill(const char *template, const TalkFacts *facts, TalkLines *out);

/* Does the opponent ask not to be kept waiting: "go" or "fast" as a line of its own, in any case,
 * as a command or not? */
bool talk_asks_to_hurry(const ChatLine *said, const char *opponent_id);

/* Does the opponent ask for the game's turning points: !analysis? */
bool talk_asks_for_analysis(const ChatLine *said, const char *opponent_id);

/* Does the opponent wish for something, by a command that is on? */
bool talk_wish(const ChatSettings *settings, const ChatLine *said, const char *opponent_id,
               Wish *out);

/* What to answer to a line of the chat, in the room that it came from; *out is empty for no answer:
 * no command, one that is off, a line by us, the server or a muted player, or too soon after the
 * one before. */
void talk_answer(Talk *talk, const ChatSettings *settings, const TalkFacts *facts,
                 const ChatLine *said, const char *our_id, int64_t now_ms, TalkLines *out);
