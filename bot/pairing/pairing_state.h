/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pairing_state.h - the values of pairing.h: what a step looks at, takes in and asks for, and the
 * state that it changes. Pure. */
#pragma once
#include "bot/archive/fact_keys.h"
#include "bot/game/slots.h"
#include "bot/lichess/api_answer.h"
#include "bot/lichess/online_bots.h"
#include "bot/lichess/arena_info.h"
#include "bot/model/player.h"
#include "bot/pairing/challenge_request.h"
#include "bot/policy/accept.h"
#include "bot/policy/arena.h"
#include "bot/policy/day_count.h"
#include "bot/policy/engine_names.h"
#include "bot/policy/recent_games.h"
#include "bot/policy/seek.h"

enum {
    OUTGOING_MAX = 4,
    OUTGOING_RECENT_MAX = 8,
    SCHEDULE_MAX = 16,
    SCHEDULE_GAMES_MOST = 100,
    ACCEPTANCES_MAX = 256, /* more than slots: an answer may outlast the challenge's */
    INCOMING_HELD_MAX = 32,
    INCOMING_ANSWERED_MAX = 256, /* more than are listed of refusals that have not arrived yet */
    PROFILES_MAX = 128,
    ARENAS_MAX = 32,
    PAIR_EFFECTS_MAX = 448,
    PAIR_EFFECTS_RESERVED = 256, /* for other effects than notes */
    PAIR_WHY_SIZE = 320,
};

/* Both clocks: `ms` counts from anywhere and never jumps, `unix_ms` is the world's time. */
typedef struct {
    int64_t ms, unix_ms;
} PairTime;

/* What a step looks at. Others write it between two steps; all is lent. */
typedef struct {
    const Config *config;
    const Ratelimit *limit;
    const Facts *facts;
    const RecentGames *recent_games;
    const char *our_id;                      /* "": not known yet */
    bool is_draining;                        /* no more games are to begin */
    int64_t ends_ms;                         /* when games are to be over; INT64_MAX: never */
    int64_t open_since_ms;                   /* the event stream; INT64_MAX: it is not open */
    bool has_allow_lists;                    /* there are lists on the web of those allowed … */
    bool (*is_allowed)(void *user, Text id); /* … which one is on */
    bool (*is_blocked)(void *user, Text id); /* the same of those blocked */
    bool has_only_lists;                     /* and of those whom alone we challenge */
    bool (*is_only)(void *user, Text id);
    const EngineNames *engine_names;
    int cores; /* that games may search on, all together */
    void *user;
} PairView;

/* Requests to the server. */
typedef enum {
    PAIR_ASK_CREATE, /* our challenge; a stream */
    PAIR_ASK_CANCEL,
    PAIR_ASK_ACCOUNT,     /* our own ratings */
    PAIR_ASK_ONLINE_BOTS, /* who is online */
    PAIR_ASK_STATUS,      /* which of the candidates is free */
    PAIR_ASK_ACCEPT,      /* a challenge to us */
    PAIR_ASK_DECLINE,
    PAIR_ASK_CHALLENGES, /* those to us that are open */
    PAIR_ASK_PROFILE,    /* a challenger's account */
    PAIR_ASK_ARENA,      /* an arena */
    PAIR_ASK_JOIN,       /* it, and to be paired */
    PAIR_ASK_WITHDRAW,
    PAIR_ASK_TEAM_ARENAS, /* the arenas of a team; a stream */
} PairAsk;

typedef struct {
    PairAsk ask;
    uint32_t ticket; /* names the answer; never 0, never used twice */
    char id[GAME_ID_SIZE];
    DeclineReason reason;              /* PAIR_ASK_DECLINE */
    char user[USER_ID_SIZE];           /* PAIR_ASK_PROFILE */
    const ChallengeRequest *challenge; /* PAIR_ASK_CREATE: lent, as below */
    const SeekPlan *plan;              /* PAIR_ASK_STATUS: lent until the next step */
    const ArenaSpec *arena;            /* PAIR_ASK_JOIN: lent likewise */
    const char *team;                  /* PAIR_ASK_TEAM_ARENAS: lent likewise */
} PairRequest;

/* Who wants a challenge of ours. */
typedef enum { OWNER_OPERATOR, OWNER_SCHEDULE, OWNER_MATCHMAKER, OWNER_PLAYER } OutgoingOwnerKind;

typedef struct {
    OutgoingOwnerKind kind;
    uint32_t number; /* of the operator's order, or of the scheduled match */
} OutgoingOwner;

typedef enum {
    OUTGOING_ACCEPTED,   /* the game `id` has begun */
    OUTGOING_DECLINED,   /* see reason */
    OUTGOING_UNANSWERED, /* and withdrawn */
    OUTGOING_REFUSED,    /* by the server: this challenge; see text */
    OUTGOING_LIMITED,    /* any challenge of ours, for now: see wait_ms */
    OUTGOING_LOST,       /* the request, or its answer, or our token: it may be asked again */
} OutgoingEnd;

typedef struct {
    OutgoingOwner owner;
    OutgoingEnd end;
    char id[GAME_ID_SIZE]; /* "": none was made */
    DeclineReason reason;
    const char *text; /* lent for the step, or for the call */
    int64_t wait_ms;  /* OUTGOING_LIMITED: as long as is known; 0: not known */
} OutgoingResult;

/* Inputs. */
typedef enum {
    PAIR_ON_TIME,          /* pairing_next_at_ms() has come, or any other time */
    PAIR_ON_ANSWER,        /* the end of a request */
    PAIR_ON_LINE,          /* of a request that is a stream */
    PAIR_ON_CHALLENGE,     /* to us, new or reported again */
    PAIR_ON_FOUND,         /* the same from the server's list; after the answer that has it */
    PAIR_ON_STREAM_OPENED, /* the event stream: what happened before is not known */
    PAIR_ON_SLOT_FREED,    /* perhaps: a game is over, the configuration or the view has changed */
    PAIR_ON_SEND_AWAY,     /* nobody is to wait for a game with a clock any more */
    PAIR_ON_SETTINGS,      /* our account is known, or the configuration or draining has changed */
    PAIR_ON_GAME_STARTED,  /* the slots know it already */
    PAIR_ON_GAME_FINISHED, /* by the event stream */
    PAIR_ON_DECLINED,      /* our challenge */
    PAIR_ON_CANCELED,      /* ours, or one to us */
    PAIR_ON_LATE_FACTS,    /* of the archive's file */
    PAIR_ON_CHALLENGE_ORDER, /* the operator's, answered by the reply and by a PAIR_DO_TELL */
    PAIR_ON_SCHEDULE_ORDER,  /* answered by the reply */
    PAIR_ON_UNSCHEDULE_ORDER,
    PAIR_ON_WISH,       /* an opponent's for another game, answered by the reply */
    PAIR_ON_JOIN_ORDER, /* of a tournament, answered by the reply and by a PAIR_DO_TELL_ARENA */
    PAIR_ON_LEAVE_ORDER,
} PairInputKind;

/* Everything in it is lent for the step. */
typedef struct {
    PairInputKind kind;
    union {
        struct {
            uint32_t ticket;
            PairAsk ask;
            const char *id;          /* the request's */
            const ApiAnswer *answer; /* PAIR_ON_ANSWER */
            Text line;               /* PAIR_ON_LINE */
        } request;
        struct {
            const GameInfo *info;
            bool is_new; /* PAIR_ON_GAME_STARTED: neither this process nor the one before it knew
                            the game */
        } game;
        const Event *event; /* PAIR_ON_CHALLENGE, PAIR_ON_FOUND */
        const Challenge *challenge;
        const Facts *facts;
        const char *why; /* PAIR_ON_SEND_AWAY */
        struct {
            const ChallengeRequest *challenge;
            const ArenaSpec *arena;
            uint32_t number;      /* the operator's, for the end; not 0 */
            int64_t at_unix_s;    /* PAIR_ON_SCHEDULE_ORDER */
            int games;            /* the same */
            const Player *player; /* PAIR_ON_WISH: whose */
        } order;
    };
} PairInput;

/* What is worth a line in the log. */
typedef enum {
    PAIR_NOTE_OUTGOING_STATE,
    PAIR_NOTE_OUTGOING_CREATED,
    PAIR_NOTE_OUTGOING_ENDED,
    PAIR_NOTE_MATCH_ADDED,
    PAIR_NOTE_MATCH_WAITS,
    PAIR_NOTE_MATCH_LIMITED,
    PAIR_NOTE_MATCH_REMOVED,
    PAIR_NOTE_SEEK_NOT_ASKED,
    PAIR_NOTE_SEEK_ONLINE,
    PAIR_NOTE_ACCEPTING,
    PAIR_NOTE_WAITS,
    PAIR_NOTE_DECLINED,
    PAIR_NOTE_NOT_VETTED,
    PAIR_NOTE_IGNORED,
    PAIR_NOTE_FOUND,
    PAIR_NOTE_REPLACED,
    PAIR_NOTE_CANCELED,
    PAIR_NOTE_EXPIRED,
    PAIR_NOTE_SENT_AWAY,
    PAIR_NOTE_ACCEPTS_NEXT,
    PAIR_NOTE_ACCEPTED,
    PAIR_NOTE_NOT_ACCEPTED,
    PAIR_NOTE_ACCEPT_NO_ROOM,
    PAIR_NOTE_DECLINE_ANSWER,
    PAIR_NOTE_LIST_LOST,
    PAIR_NOTE_LIST_UNREADABLE,
    PAIR_NOTE_SCOPE_MISSING,
    PAIR_NOTE_PROFILE_TOLD,
    PAIR_NOTE_PROFILE_MISSING,
    PAIR_NOTE_ARENA_JOINED,
    PAIR_NOTE_ARENA_LEFT,
    PAIR_NOTE_ARENA_WAITS,
    PAIR_NOTE_ARENA_NO_ANSWER,
    PAIR_NOTE_ARENA_NO_ROOM,
    PAIR_NOTE_ARENA_SCOPE_MISSING,
    PAIR_NOTE_ARENA_PASSED_OVER,
    PAIR_NOTE_TEAM_UNREAD,
} PairNoteKind;

typedef struct {
    char from[PLAYER_TEXT_SIZE], variant[24], speed[24], clock[TIME_CONTROL_TEXT_SIZE];
    int rating;
    bool rated;
} PairNoteChallenge;

typedef struct {
    PairNoteKind kind;
    char id[GAME_ID_SIZE];
    char user[USER_ID_SIZE];
    const char *from, *to;   /* constants */
    char why[PAIR_WHY_SIZE]; /* cut when longer */
    int64_t number, count, time_s, time_ms;
    union {
        ChallengeRequest request;    /* of ours */
        PairNoteChallenge challenge; /* to us */
        struct {
            char name[ARENA_NAME_SIZE], team[TEAM_ID_SIZE];
        };
    };
} PairNote;

/* Effects. */
typedef enum {
    PAIR_DO_REQUEST,
    PAIR_DO_HANG_UP,        /* the request of the ticket: no answer of it comes any more */
    PAIR_DO_REMEMBER,       /* a fact */
    PAIR_DO_TELL,           /* the operator, how a challenge ended */
    PAIR_DO_TELL_ARENA,     /* the operator, whether we are in a tournament, or out of it */
    PAIR_DO_REPORT_DENIAL,  /* the answer just taken says that our token is refused */
    PAIR_DO_LOOK_FOR_GAMES, /* one may have begun of which no event told */
    PAIR_DO_NOTE,
} PairEffectKind;

typedef struct {
    PairEffectKind kind;
    union {
        PairRequest request;
        uint32_t ticket;
        struct {
            FactKind kind;
            char id[FACT_KEY_SIZE];
            char value[FACT_VALUE_SIZE]; /* "": to be forgotten */
            int64_t expires_unix_ms;
        } fact;
        OutgoingResult result;
        struct {
            uint32_t order;
            bool is_done;
            char text[PAIR_WHY_SIZE]; /* the tournament's name, or why not; cut when longer */
        } arena;
        PairNote note;
    };
} PairEffect;

typedef struct {
    PairEffect list[PAIR_EFFECTS_MAX];
    int count;
    Error refusal;    /* of an order; unset: it is carried out */
    int match_number; /* of a match scheduled by an order */
} PairEffects;

/* The state. */

/* See the table in outgoing.h. */
typedef enum {
    OUTGOING_FREE,
    OUTGOING_CREATING,
    OUTGOING_WITHDRAWN, /* before the server has answered that it exists */
    OUTGOING_OPEN,
    OUTGOING_ANSWERED,
    OUTGOING_CANCELLING,
    OUTGOING_STATE_COUNT,
} OutgoingState;

typedef struct {
    OutgoingState state;
    OutgoingOwner owner;
    ChallengeRequest request;
    char id[GAME_ID_SIZE]; /* before the server has given one: a name for the slots */
    uint32_t stream;       /* the ticket of its request, which keeps it alive; 0: has ended */
    uint32_t cancel;       /* that of its cancelling; 0: none */
    int64_t timeout_ms;
    int64_t due_ms;    /* OPEN: to be cancelled; ANSWERED: done */
    int64_t latest_ms; /* the same, whatever the event stream does, or our games show */
    bool is_accepted;  /* ANSWERED; else declined */
} OutgoingEntry;

/* A challenge declined before its id was known: the streams do not wait for each other. */
typedef struct {
    char id[GAME_ID_SIZE];
    DeclineReason reason;
} OutgoingRecent;

typedef struct {
    OutgoingEntry entries[OUTGOING_MAX];
    OutgoingRecent recent[OUTGOING_RECENT_MAX];
    int recent_next;
} Outgoing;

typedef struct {
    int number; /* 1..SCHEDULE_MAX, the operator's name for it; 0: free */
    ChallengeRequest request;
    int64_t at_unix_s;
    int games;                  /* still to be asked for */
    char playing[GAME_ID_SIZE]; /* the game of the match that goes on; "": none */
} ScheduledMatch;

typedef struct {
    ScheduledMatch match;
    bool is_asking;
    bool is_off;     /* dropped while a challenge is under way */
    int64_t next_ms; /* not before */
} ScheduleEntry;

typedef struct {
    ScheduleEntry entries[SCHEDULE_MAX]; /* by number */
    int64_t look_ms;                     /* when to look again; INT64_MAX: nothing is planned */
} Schedule;

/* See the table in matchmaker.h. */
typedef enum {
    SEEKING_NOTHING,
    SEEKING_ACCOUNT,
    SEEKING_LIST,
    SEEKING_READ,
    SEEKING_STATUS,
    SEEKING_CHALLENGE,
} Seeking;

typedef struct {
    uint64_t seed;
    Seeking seeking;
    uint32_t ticket;       /* of the request that is awaited; 0: none */
    int64_t look_ms;       /* when to look again */
    int64_t idle_since_ms; /* INT64_MAX: not idle */
    int64_t next_ms;       /* not before */
    OnlineBot us;          /* our ratings; all 0 until they are known */
    OnlineBots people;
    OnlineBotsReading reading; /* while SEEKING_READ; of `list` */
    Buf list;
    int64_t listed_ms; /* INT64_MIN: never */
    SeekPlan plan;
    char opponent[USER_ID_SIZE];
    Colour colour;    /* ours in the game asked for */
    bool owes_second; /* of a pair: the same with the colours changed over, as `colour` is */
    bool gave_way;    /* our challenge was withdrawn for another player's */
    DayCount games, credits;
    const char *why; /* nothing is done */
} Matchmaker;

/* A challenge to us that is being accepted; see the table in incoming_answers.h. */
typedef struct {
    char id[GAME_ID_SIZE]; /* "": free */
    uint32_t ticket;       /* 0: no try is under way */
    int tries;
    int64_t due_ms; /* of the next try; INT64_MAX: none */
} Acceptance;

typedef struct {
    Event held[INCOMING_HELD_MAX]; /* until their challengers' profiles are there; no json: free */
    Acceptance acceptances[ACCEPTANCES_MAX];
    int64_t pause_until_ms; /* no waiting challenge is accepted before */
    uint32_t look;          /* at which challenges are open: its ticket; 0: none is under way */
    int64_t looked_ms;      /* when the latest request went out; far in the past: never */
    int looks_failed;       /* in a row */
    int64_t line_ms;        /* when to see to those who wait again; INT64_MAX: after the look */
    bool lacks_list;        /* the token lacks the scope, or the server the list */
    int64_t routine_ms;     /* of the next look without a reason; INT64_MAX: none */
    /* A ring: those that were refused, or whose acceptance was. */
    char answered[INCOMING_ANSWERED_MAX][GAME_ID_SIZE];
    int answered_next;
} Incoming;

typedef struct {
    int games;          /* of all kinds */
    int64_t created_ms; /* Unix */
} PlayerProfile;

typedef struct {
    char id[USER_ID_SIZE]; /* "": free */
    ProfileState state;
    PlayerProfile profile;
    uint32_t ticket;  /* not 0: it is asked for */
    int64_t until_ms; /* the state holds until then; while it is asked for: the time-out */
} ProfileEntry;

typedef struct {
    ProfileEntry entries[PROFILES_MAX];
    int64_t asked_ms; /* the requests so far, at their distance, last until then */
} PlayerProfiles;

/* Who wanted it. */
typedef enum { ARENA_FROM_CONFIG, ARENA_FROM_HAND, ARENA_FROM_TEAM, ARENA_FROM_COUNT } ArenaFrom;

typedef struct {
    bool is_used;
    Arena arena;
    ArenaSpec spec;
    ArenaFrom from;
    char name[ARENA_NAME_SIZE]; /* "" until it is known */
    char reason[200];           /* the server's, where it refused us */
    char game_id[GAME_ID_SIZE]; /* the latest of ours in it; "": none */
    uint32_t ticket;            /* of the request that is awaited; 0: none */
    int failures;               /* in a row */
    int64_t due_ms;             /* not before, after a failure */
    uint32_t order;             /* the operator's, who waits for the answer; 0: none */
} ArenaEntry;

typedef struct {
    ArenaEntry entries[ARENAS_MAX];
    bool has_begun; /* the account is known */
    bool is_on;     /* pairings may come: no other game with a clock begins */
    bool is_scope_told;
    int64_t look_ms; /* when to look again; INT64_MAX: nothing is due */
} Arenas;

typedef struct {
    TeamList list;     /* those looked through now, one after the other */
    bool is_under_way; /* until all of them are */
    bool is_wanted;    /* once more, soon after that */
    int team;          /* whose list is read, or is next */
    uint32_t ticket;   /* of the list that is awaited; 0: none */
    int64_t next_ms;   /* of the next request; INT64_MAX: none, or after the list */
    bool has_one;      /* that suits, the earliest so far: */
    ListedArena best;
    char best_team[TEAM_ID_SIZE];
} TeamArenas;

typedef struct {
    Slots *slots; /* lent: shared with the games that run */
    uint32_t tickets;
    Outgoing outgoing;
    Schedule schedule;
    Matchmaker matchmaker;
    Incoming incoming;
    PlayerProfiles profiles;
    Arenas arenas;
    TeamArenas team_arenas;
} Pairing;
