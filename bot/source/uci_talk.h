/* SPDX-License-Identifier: GPL-3.0-or-later */
/* uci_talk.h - our side of a conversation with a UCI engine.
 *
 * Pure: lines that the engine wrote go in, what is to be said to it comes out into a Buf. Nothing
 * is ever waited for: how long the engine may take is up to the owner of the pipes. Nothing that an
 * engine may write does harm: lines that make no sense, or no sense now, change nothing.
 *
 * Every "go" follows an "isready" and its answer. So a best move that is late, or said twice, is of
 * the past and known for it.
 * After: Stefan Meyer-Kahlen, "Description of the universal chess interface". */
#pragma once
#include "bot/model/words.h"
#include "bot/source/uci_text.h"
#include "engine/base/buf.h"
#include "engine/search/engine.h"

enum {
    UCI_SAY_MAX = 16384, /* bytes that one call may have to say: a game of 600 moves, and options */
    UCI_NAME_SIZE = 64,  /* of an option; longer ones can't be set */
    UCI_OPTIONS_MAX = 256,
    UCI_PV_MAX = 11, /* moves kept of a line, besides its first */
    UCI_GO_SIZE = 256 + MAX_MOVES * UCI_MOVE_SIZE,
};

typedef enum {
    UCI_OPTION_OTHER, /* string, button, combo */
    UCI_OPTION_CHECK,
    UCI_OPTION_SPIN,
} UciOptionType;

typedef struct {
    char name[UCI_NAME_SIZE];
    UciOptionType type;
    int64_t lo, hi; /* UCI_OPTION_SPIN */
} UciOption;

typedef enum {
    UCI_SILENT,     /* nothing was said */
    UCI_GREETING,   /* "uci" was; its options and uciok are to come */
    UCI_IDLE,       /* nothing is owed */
    UCI_PREPARING,  /* isready was sent: after readyok the request begins */
    UCI_SEARCHING,  /* a best move is to come, which answers the request */
    UCI_PONDERING,  /* searches on a guess */
    UCI_DISCARDING, /* a best move is to come that is not wanted any more */
} UciState;

/* What the engine said about its search, or its end. */
typedef struct {
    char move[UCI_MOVE_SIZE];  /* checked for its form; "": none, or no move at all */
    char reply[UCI_MOVE_SIZE]; /* the answer expected; "": unknown */
    int score;                 /* for the mover, as in engine/search/engine.h */
    int depth;                 /* plies; 0: unknown, and the score means nothing */
    uint64_t nodes;
    int64_t time_ms;
    int pv_length;
    char pv[UCI_PV_MAX]
           [UCI_MOVE_SIZE]; /* how the line that begins with `move` goes on from there */
} UciResult;

/* What to search. Texts are lent for the call. */
typedef struct {
    const char *position; /* "startpos moves e2e4", "fen … moves …" */
    bool is_new_game;     /* what the engine remembers is of another one */
    SearchLimits limits;  /* the clock: what may be used up of it */
    bool is_guess;        /* has no answer until uci_talk_ponderhit() */
} UciSearch;

/* Read it; uci_talk.c alone writes it. */
typedef struct {
    UciState state;
    char name[128]; /* "Stockfish 15.1"; "" before it is known */
    UciOption options[UCI_OPTIONS_MAX];
    size_t option_count;
    bool has_variants; /* there is an option UCI_Variant… */
    uint32_t variants; /* … with these: bit n stands for Variant n */

    int searches; /* begun since the greeting */
    int readyoks_owed;
    bool answers_amid_search; /* has once answered isready during a search */
    bool has_search;          /* UCI_PREPARING: `go` is what is to begin */
    bool is_guess;            /* it is one */
    bool is_stopped;          /* it was stopped, or will be as soon as it begins */
    bool is_guess_done;       /* UCI_PONDERING: it has ended by itself, `result` waits */
    char go[UCI_GO_SIZE];     /* " wtime 1000 …" */
    UciResult result;         /* of the search that runs, or the last one */
} UciTalk;

typedef enum {
    UCI_INPUT_NOTHING, /* that matters to the caller */
    UCI_INPUT_UCIOK,   /* options may be set */
    UCI_INPUT_READY,   /* UCI_IDLE is reached, and no answer with it */
    UCI_INPUT_RESULT,  /* the request is answered: `result` */
} UciInput;

void uci_talk_init(UciTalk *talk);

/* "uci". The first thing to say; then uciok is to come. */
bool uci_talk_greet(UciTalk *talk, Buf *say) MUST_CHECK;

/* Takes one line of the engine's. False when `say` is full. */
bool uci_talk_read(UciTalk *talk, Text line, UciInput *input, Buf *say) MUST_CHECK;

/* The option of this name, whatever the case of its letters; NULL: it has none. */
const UciOption *uci_talk_option(const UciTalk *talk, const char *name);

/* Sets an option. After UCI_INPUT_UCIOK, in UCI_IDLE and UCI_PREPARING. */
bool uci_talk_set(const UciTalk *talk, const char *name, const char *value, Buf *say) MUST_CHECK;

/* "isready": is it there, and has it understood? After UCI_INPUT_UCIOK. */
bool uci_talk_ping(UciTalk *talk, Buf *say) MUST_CHECK;

/* "go". In UCI_IDLE, and in UCI_PREPARING in place of what was to begin there. */
bool uci_talk_search(UciTalk *talk, const UciSearch *search, Buf *say) MUST_CHECK;

/* The guess was right: from now on it is a request. *is_done: it has been answered already, by
 * `result`. Only when a guess is prepared or pondered on. */
bool uci_talk_ponderhit(UciTalk *talk, bool *is_done, Buf *say) MUST_CHECK;

/* To answer now, with the best so far. No request: nothing happens. */
bool uci_talk_stop(UciTalk *talk, Buf *say) MUST_CHECK;

/* "stop", without use for the answer: UCI_IDLE is reached now (see `state`) or with
 * UCI_INPUT_READY. */
bool uci_talk_discard(UciTalk *talk, Buf *say) MUST_CHECK;

/* UCI's name of a variant: "chess", "3check". */
const char *uci_variant_name(Variant variant);
