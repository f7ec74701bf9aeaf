/* SPDX-License-Identifier: GPL-3.0-or-later */
/* game_state.h - one game's state, inputs and effects: the values that game.h's state machine and
 * its parts work on. Pure. */
#pragma once
#include "bot/game/eval_history.h"
#include "bot/game/gameclock.h"
#include "bot/game/outbox.h"
#include "bot/game/scoresheet.h"
#include "bot/lichess/backoff.h"
#include "bot/lichess/event.h"
#include "bot/source/source.h"

/* What decides when a move is made that was found. */
typedef enum {
    PACE_ENGINE, /* the engine, by the clock */
    PACE_HUMAN,  /* a human's time, see pace.h */
    PACE_FAST,   /* the opponent has asked not to be kept waiting */
} Pace;

typedef struct {
    Pace pace;
    int64_t overhead_ms;    /* kept back for each move, or OVERHEAD_AUTO */
    int64_t abort_after_ms; /* without the opponent's first move; 0: never */
    bool is_paired;         /* by an organiser, who starts the clocks at a time */
    int takebacks;          /* granted in a game */
    bool castles_by_target; /* the server knows castling as the king's way, but in Chess960 */
    bool hides_ends;        /* the server does not tell how a game ended */
    ClaimChoice claim;
    DrawSettings draw;
    ResignSettings resign;
    int64_t search_ms; /* at most for a move in a game without a clock */
    int64_t linger_ms; /* how long such a game's stream stays open when there is nothing to do */
} GameOptions;

typedef enum {
    GAME_JOINING, /* no state read yet */
    GAME_PLAYING,
    GAME_DESYNCED,   /* the server's moves make no sense to us: watch, read again, play nothing */
    GAME_UNPLAYABLE, /* variant or initial position beyond our rules: the same, for good */
    GAME_ENDING,     /* known to be over, the stream's last word awaited */
    GAME_OVER,
} GamePhase;

/* The game's stream as seen from here. */
typedef struct {
    bool is_open;     /* asked for and not ended */
    bool is_live;     /* has shown the game's state since it was opened */
    int lost_count;   /* times in a row that it ended before it was live again */
    int64_t due_ms;   /* when to open it again */
    int64_t heard_ms; /* when it was opened, or its latest line came in */
    int64_t down_ms;  /* since when it has not been live; INT64_MAX: it is */
    int early_plies;  /* longest list in a gameState before its gameFull; -1: none came */
    int not_found;    /* times in a row that the server had no such game */
    Backoff backoff;
} GameStream;

/* What the account's list of games says besides the stream: see list_check.h. */
typedef struct {
    int64_t changed_ms;  /* when the stream last showed another list of moves, or was opened */
    int64_t wait_ms;     /* before the next question, from the latest news on */
    int64_t due_ms;      /* of that question; INT64_MAX: none is due */
    int64_t asked_ms;    /* when the question went out that waits for its answer */
    int64_t theirs_ms;   /* when the latest list was asked for that has the opponent to move */
    int64_t resync_ms;   /* the list has our turn: the stream is opened again then; INT64_MAX */
    int64_t unlisted_ms; /* since when lists have lacked the game; INT64_MAX: they have it */
} GameListCheck;

/* The search that runs for the game. */
typedef struct {
    uint32_t version; /* of the move list it is about; 0: none runs */
    int64_t since_ms;
    bool is_stopped_early;
    int64_t stop_early_at_ms;
    int64_t last_resort_at_ms;
    bool is_held; /* it has found a move, `held`, which is made at `hold_until_ms` */
    int64_t hold_until_ms;
    MoveChoice held;
} GameSearch;

/* A correspondence game closes its stream until the account's list of games, or the event stream,
 * says that it is our turn. It searches only when it is granted a turn, so that one such game does
 * at a time, and games with a clock come first. */
typedef struct {
    bool is_correspondence; /* it is such a game */
    bool is_asleep;         /* no stream is wanted */
    bool may_search;        /* it has its turn */
    bool is_our_turn;       /* to move, by the latest word about that */
    int64_t deadline_ms;    /* of our move; INT64_MAX: none */
    int64_t granted_at_ms;
    int64_t sleep_at_ms; /* INT64_MAX: there is something to do */
} GameCorrespondence;

/* The move in the outbox. */
typedef struct {
    Move move;
    uint32_t ply;
    int64_t found_ms;
    GameClock clock; /* when it was found */
} GameMoveSent;

/* What the stream shows of an offer of the opponent's, and what we made of it. */
typedef enum {
    OFFER_NONE,
    OFFER_STANDS,           /* it waits for an answer, or for our move */
    OFFER_ANSWERED,         /* by a request */
    OFFER_DECLINED_BY_MOVE, /* by a move of ours, though a line or two may still show it */
} OfferState;

/* All may read it; only game.c and its parts write it. Some 16 KiB, no pointers but `limit`. */
typedef struct {
    char id[GAME_ID_SIZE];
    char our_id[USER_ID_SIZE];
    GameOptions options;
    const Ratelimit *limit;
    LagMeter lag;

    GamePhase phase;
    GameStream stream;
    GameListCheck list_check;
    bool is_set_up; /* gameFull was read, and is of a game that we can play; so all of this: */
    Colour us;      /* COLOUR_NONE until known */
    Variant variant;
    bool is_tournament;
    char fen[MOVE_REQUEST_FEN_SIZE]; /* where it began, as engines read it; "": where all do */
    Scoresheet sheet;
    bool has_legal_move;
    bool has_resynced; /* GAME_DESYNCED: the stream was opened again for it */
    GameClock clock;
    GameStatus status;
    Colour winner; /* or COLOUR_NONE */

    GameCorrespondence correspondence;
    GameSearch search;
    Outbox outbox;
    GameMoveSent sent;
    OfferState draw, takeback; /* the opponent's offer and proposal */
    bool takeback_is_granted;
    bool draw_is_ordered;        /* our next move offers one, or accepts theirs */
    int64_t move_waits_until_ms; /* for a "yes" of ours to take effect; 0: it does not wait */
    int takebacks_granted;
    OpponentKind opponent_kind;
    bool is_against_ai; /* Lichess's own */
    EvalHistory eval_history;
    int64_t claim_at_ms; /* the opponent is gone, and may be claimed from; INT64_MAX: is not */
    int64_t countdown_void_ms; /* without a further line of it; INT64_MIN: there is none */
    int claim_tries;           /* since they left */
    bool has_resigned;         /* we have asked for it */
    bool abort_is_refused;
    int64_t abort_at_ms;      /* INT64_MAX: not waiting for a first move */
    int64_t first_move_by_ms; /* in an arena: the side to make its first move loses then; 0: no such
                                 time */
    int64_t ending_at_ms;     /* GAME_ENDING: how long to wait for the last word */
} Game;

/* Is it our turn, in a game that runs and that we can follow? */
static inline bool game_owes_move(const Game *game)
{
    return game->phase == GAME_PLAYING && game->status == STATUS_STARTED && game->has_legal_move &&
           game->sheet.position.side_to_move == game->us;
}

/* Does a correspondence game wait for its turn to search? */
static inline bool game_wants_turn(const Game *game)
{
    const GameCorrespondence *correspondence = &game->correspondence;
    return correspondence->is_correspondence && correspondence->is_our_turn &&
           !correspondence->may_search && game->phase < GAME_ENDING;
}

static inline Lag game_lag(const Game *game)
{
    Lag lag = lag_meter_expected(&game->lag, game->options.overhead_ms);
    if (game->is_against_ai && game->options.overhead_ms == OVERHEAD_AUTO) {
        lag.usual_ms += LAG_AI_HOLD_MS;
        lag.worst_ms += LAG_AI_HOLD_MS;
    }
    return lag;
}

/* Seeds the game's random choices, so that a restart repeats them. */
static inline uint64_t game_seed_of(const char *id)
{
    uint64_t seed = 0;
    for (const char *c = id; *c; c++)
        seed = seed * 131 + (unsigned char)*c;
    return seed;
}

static inline uint64_t game_seed(const Game *game)
{
    return game_seed_of(game->id);
}

/* What a search for its next move depends on besides the clock. */
static inline ClockUse game_clock_use(const Game *game)
{
    return (ClockUse){ .move = game->sheet.ply / 2 + 1,
                       .lag = game_lag(game),
                       .most_ms = game->options.search_ms,
                       .by_ms = game->first_move_by_ms };
}

static inline Colour game_opponent(const Game *game)
{
    return colour_other(game->us);
}

static inline uint32_t game_ply(const Game *game)
{
    return game->sheet.ply;
}

/* What an operator asks of a running game; see orders.h. */
typedef enum { ORDER_ABORT, ORDER_RESIGN, ORDER_DRAW } GameOrder;

/* Why a stream ended. */
typedef enum {
    STREAM_CLOSED,    /* in good order, which says nothing about the game */
    STREAM_LOST,      /* broken, silent, unreachable, 5xx */
    STREAM_LIMITED,   /* 429 */
    STREAM_NOT_FOUND, /* 404 */
    STREAM_REFUSED,   /* other 4xx */
} StreamEnd;

typedef enum {
    INPUT_TIME,       /* nothing but the time: at the start, and at game_next_at_ms() */
    INPUT_LINE,       /* `event` from the game's stream */
    INPUT_UNREADABLE, /* a line that could not be read */
    INPUT_STREAM_END, /* `end` */
    INPUT_REPLY,      /* `reply` to the request `ticket` */
    INPUT_MOVE_FOUND, /* `choice` */
    INPUT_FINISH,     /* the event stream's gameFinish: `finish` */
    INPUT_REACHED,    /* another stream was opened again: this one need not wait */
    INPUT_LISTED,     /* `listed`: the account's list of games has this one, and whose turn it is */
    INPUT_UNLISTED,   /* `listed.asked_ms`: it lacks this one */
    INPUT_TURN,       /* whose `turn` it is in a correspondence game, as the account's list says */
    INPUT_TURN_GRANTED, /* such a game may search now */
    INPUT_MAKE_WAY,     /* a game with a clock is about to search */
    INPUT_ORDER,        /* the operator's `order`, which orders_may() allows */
    INPUT_HURRY,        /* the opponent asks not to be kept waiting by PACE_HUMAN */
} InputKind;

typedef struct {
    InputKind kind;
    union {
        const Event *event;
        StreamEnd end;
        struct {
            uint32_t ticket;
            Reply reply;
        } reply;
        MoveChoice choice;
        struct {
            GameStatus status;
            Colour winner;
        } finish;
        struct {
            bool is_our_turn;
            int64_t asked_ms; /* when the list was asked for */
        } listed;
        struct {
            bool is_ours;
            int64_t left_ms; /* to the deadline; INT64_MAX: none */
        } turn;
        GameOrder order;
    };
} GameInput;

typedef enum {
    EFFECT_OPEN_STREAM,
    EFFECT_CLOSE_STREAM,
    EFFECT_POST,     /* `post` */
    EFFECT_SEARCH,   /* about game->position, by game_search_limits(); result under `version` */
    EFFECT_ASK_LIST, /* the account's list of games is to be asked for, in some seconds at most */
    EFFECT_STOP_SEARCH, /* the result, if any, still comes as INPUT_MOVE_FOUND */
    EFFECT_FINISH,      /* the game is over, see status and winner: nothing will follow */
    EFFECT_NOTE,        /* `note`: something to log */
} EffectKind;

typedef enum {
    NOTE_JOINED,         /* first state read, at `ply` */
    NOTE_STREAM_LOST,    /* `end`, for the `count`th time in a row; next try in `ms` */
    NOTE_STREAM_BACK,    /* a state is read again after NOTE_STREAM_LOST */
    NOTE_MOVE,           /* ours, found: `ply`, san, uci, choice, ms = clock */
    NOTE_THEIR_MOVE,     /* seen: `ply`, san, uci, ms = their clock */
    NOTE_CONFIRMED,      /* our move is on the list after `ms`, by `lag_ms` if not negative */
    NOTE_LOST,           /* our move's request number `count` was lost */
    NOTE_REFUSED,        /* … was refused */
    NOTE_LIMITED,        /* … met a rate limit */
    NOTE_AGAIN,          /* our move is sent once more, for the `count`th time */
    NOTE_RESYNC,         /* the stream should have shown our move: opened again */
    NOTE_TAKEN_BACK,     /* the list is now at `ply`, was at `count` */
    NOTE_TAKEBACK_ASKED, /* answered by `is_accepted` */
    NOTE_DRAW_OFFERED,   /* answered by `is_accepted` */
    NOTE_OFFERS_DRAW,    /* we do, with the move */
    NOTE_RESIGNS,        /* we do, after the move; `ms`: the opponent's clock */
    NOTE_CLAIMS,         /* the opponent is gone: `claims_victory`, else a draw */
    NOTE_NO_FIRST_MOVE,  /* the opponent's first move did not come in `ms`: aborting */
    NOTE_ABORT_REFUSED,  /* the server keeps the game going */
    NOTE_DESYNCED,       /* `text`: the error that names the move and the position */
    NOTE_UNPLAYABLE,     /* `text` says why */
    NOTE_CLAIMS_DROPPED, /* `count` castling or en-passant claims of the initial position */
    NOTE_STOPPED_EARLY,  /* the search is stopped to answer, `ms` left on the clock */
    NOTE_LAST_RESORT,    /* any legal move is played: no usable answer from the search */
    NOTE_UNREADABLE,     /* a line could not be read: stream opened again */
    NOTE_GONE,           /* the server has no such game */
    NOTE_OLD_STATE,      /* a list of `ply` plies after one of `count`: stream opened again */
    NOTE_UNSEEN,         /* the account's list has the opponent's move `ply`: the same */
    NOTE_UNLISTED,       /* the account's list lacks the game: the same */
    NOTE_LET_GO,         /* … for `ms`, and no stream of it can be read */
    NOTE_UNKNOWN_STATUS, /* `text`: the word */
    NOTE_SLEEPS,         /* at `ply`: the stream is closed until it is our turn */
} NoteKind;

typedef struct {
    NoteKind kind;
    int ply; /* of the move: 1 is the game's first */
    int count;
    bool is_accepted;
    bool claims_victory;
    int64_t ms;
    int64_t lag_ms; /* of that move's way, measured */
    StreamEnd end;
    char san[SAN_SIZE];
    char uci[UCI_MOVE_SIZE];
    MoveChoice choice;
    const char *text; /* lent until the next step */
} Note;

typedef struct {
    Command command;
    uint32_t ticket;
    int tries;
    int64_t timeout_ms;
} Post;

typedef struct {
    EffectKind kind;
    union {
        Post post;
        uint32_t version;
        Note note;
    };
} Effect;

/* A step needs far fewer than those reserved; notes beyond that are left out. */
enum { EFFECTS_MAX = 28, EFFECTS_RESERVED = 16 };

typedef struct {
    int count;
    Effect list[EFFECTS_MAX]; /* in order; notes may wait until the rest is carried out */
    Error error;              /* what notes' texts lie in */
} Effects;
