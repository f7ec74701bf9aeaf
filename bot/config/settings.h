/* SPDX-License-Identifier: GPL-3.0-or-later */
/* settings.h - the operator's settings as plain values: one member for each key of the schema, and
 * the rules, types of matchmaking and engines. Nothing here reads or writes a file. */
#pragma once
#include "bot/config/team_list.h"
#include "bot/config/arena_spec.h"
#include "bot/config/match_values.h"
#include "bot/config/url_list.h"
#include "bot/config/chat_replies.h"
#include "bot/config/user_list.h"
#include "bot/model/server_kind.h"
#include "bot/model/words.h"
#include "bot/ops/log_level.h"
#include "engine/base/buf.h"
#include "engine/base/error.h"
#include "engine/book/book.h"

#include <stdint.h>

enum {
    CONFIG_TEXT_SIZE = 1000, /* bytes of a text, its NUL included */
    CONFIG_AUTO = -1,        /* for keys that have "auto" */
};

/* Values of an enum, each at most once, in an order of the operator's. */
enum { SEQUENCE_MAX = 8 };
typedef struct {
    int count;
    int at[SEQUENCE_MAX];
} Sequence;

typedef enum { MODE_CASUAL, MODE_RATED, MODE_COUNT } GameMode;
typedef enum { KIND_HUMAN, KIND_BOT, KIND_COUNT } OpponentKind;
typedef enum { SEEK_ANY, SEEK_RATING, SEEK_UNPLAYED, SEEK_ORDER_COUNT } SeekOrder;
typedef enum { PREFER_HUMAN, PREFER_BOT, PREFER_TITLE, PREFER_RATING, PREFER_COUNT } Preference;

/* In place of a rating, the opponent's and so many points: chosen when a game begins. */
enum { ELO_OPPONENT = 100000, ELO_APART_MAX = 1000 };

static inline bool elo_follows_opponent(int elo)
{
    return elo >= ELO_OPPONENT - ELO_APART_MAX;
}

/* Who plays where engine.elo is set: people, by a network of their moves, or the engine, weakened.
 */
typedef enum { STYLE_HUMAN, STYLE_ENGINE, STYLE_COUNT } PlayStyle;
typedef enum { HUMAN_DRAWN, HUMAN_LIKELIEST, HUMAN_CHOICE_COUNT } HumanChoice;

/* Auto: castled decides, by something else that is set or known. */
typedef enum { SWITCH_NO, SWITCH_YES, SWITCH_AUTO, SWITCH_COUNT } Switch;

typedef enum {
    ALERT_OFFLINE, /* for long */
    ALERT_TOKEN,   /* near its end */
    ALERT_GAME,    /* lost by a fault */
    ALERT_ENGINE,  /* an external one has failed */
    ALERT_ARCHIVE, /* not written */
    ALERT_KIND_COUNT
} AlertKind;

typedef enum { CLAIM_NOTHING, CLAIM_DRAW, CLAIM_VICTORY, CLAIM_COUNT } ClaimChoice;

typedef struct {
    bool offer, accept;
    Switch human;        /* as manners.h has it, in place of the next four */
    int score_cp, moves; /* this close to 0, for this many moves of ours in a row */
    int from_move, pieces;
    bool tablebase; /* what they say counts at once */
    uint32_t opponents;
    int opponent_clock_s;
    bool accepts_level; /* a draw that is offered, at any move and with any number of pieces */
} DrawSettings;

typedef struct {
    Switch enabled;
    int score_cp, moves; /* this far below 0, for this many moves of ours in a row */
    bool tablebase;      /* what they say counts at once */
    uint32_t opponents;
    int opponent_clock_s;
    bool lets_mate; /* not where the opponent's next move mates */
} ResignSettings;

typedef enum {
    CHAT_HELP,
    CHAT_EVAL,
    CHAT_PV,
    CHAT_ENGINE,
    CHAT_QUEUE,
    CHAT_PING,
    CHAT_ANALYSIS,
    CHAT_CHALLENGE,
    CHAT_VARIANTS,
    CHAT_DRAW,
    CHAT_TAKEBACK,
    CHAT_NAME,
    CHAT_LEVEL,
    CHAT_AGAIN,
    CHAT_ODDS,
    CHAT_COMMAND_COUNT
} ChatCommand;

typedef struct {
    bool enabled;
    char hello[CONFIG_TEXT_SIZE], hello_spectators[CONFIG_TEXT_SIZE];
    char goodbye[CONFIG_TEXT_SIZE], goodbye_spectators[CONFIG_TEXT_SIZE];
    uint32_t commands;
    ChatReplyList replies;
    Switch ask_engine; /* auto: where something depends on the answer, see rules.h */
} ChatSettings;

/* Web services for moves. */
typedef enum {
    ONLINE_TABLEBASE,
    ONLINE_CLOUD,
    ONLINE_EXPLORER,
    ONLINE_CHESSDB,
    ONLINE_SERVICE_COUNT
} OnlineService;

typedef enum { TABLES_BEST, TABLES_SUGGEST, TABLES_COUNT } OnlineTables;

/* What external engines get of local tables: the choice among the moves that hold the result, the
 * best of them played, or nothing. */
typedef enum {
    LOCAL_TABLES_SUGGEST,
    LOCAL_TABLES_BEST,
    LOCAL_TABLES_UNUSED,
    LOCAL_TABLES_COUNT
} LocalTables;
typedef enum {
    EXPLORER_MASTERS,
    EXPLORER_LICHESS,
    EXPLORER_PLAYER,
    EXPLORER_OPPONENT, /* with the colour that they have in the game */
    EXPLORER_COUNT
} ExplorerGames;
typedef enum { PICK_WEIGHTED, PICK_GAMES, PICK_SCORE, PICK_COUNT } ExplorerPick;

typedef struct {
    Sequence services; /* of OnlineService: the order of queries */
    int min_clock_s, deadline_ms, misses;
    int min_clock_of_s[ONLINE_SERVICE_COUNT]; /* or CONFIG_AUTO: as above; so the next */
    int deadline_of_ms[ONLINE_SERVICE_COUNT];
    int max_ply;     /* not for tables; 0: no limit */
    int min_depth;   /* of a cloud evaluation */
    int max_drop_cp; /* below the best move, where scores are given */
    OnlineTables tables;
    ExplorerGames games;
    char player[CONFIG_TEXT_SIZE]; /* whose games EXPLORER_PLAYER are; "": ours */
    int min_games;
    ExplorerPick choice;
} OnlineSettings;

/* Sets are bit masks: bit n stands for enum value n. */

/* The settings of one game, and of the challenge to it: the keys that a rule may set (SCOPE_GAME).
 * The Config or a rule owns its lists of players; nothing else in here is lent. */
typedef struct {
    struct {
        int overhead_ms;              /* or CONFIG_AUTO */
        int elo;                      /* to play like; 0: as well as it can; ELO_OPPONENT + N */
        char human[CONFIG_TEXT_SIZE]; /* the file of a network of people's moves; "": none */
        PlayStyle style;
        HumanChoice human_choice;
        int variety_cp; /* what a move of the first eight may cost, so that games differ; 0: nothing
                         */
        int contempt_cp; /* that a draw is worth less than 0; or CONFIG_AUTO: by the ratings */
        int64_t nodes;   /* per move; 0: no limit; so the next two */
        int depth_plies;
        int movetime_ms;
        bool ponder;
        LocalTables tables;
        char
            external[CONFIG_TEXT_SIZE]; /* which external engines are used: see external_config.h */
    } engine;
    struct {
        char files[CONFIG_TEXT_SIZE]; /* see book_name_next(); "": none */
        bool use, repeat, learn;
        BookPick choice;
        int min_weight, max_ply, max_moves; /* 0: no limit */
    } book;
    OnlineSettings online;
    struct {
        int abort_after_s; /* 0: never */
        int takebacks;     /* granted in a game; or CONFIG_AUTO: by who plays */
        ClaimChoice claim;
        int correspondence_movetime_s, correspondence_linger_s; /* of games without a clock */
    } games;
    ChatSettings chat;
    DrawSettings draw;
    ResignSettings resign;
    struct {
        Switch human;
    } pace;
    struct {
        bool accept;
        uint32_t variants, speeds, modes, opponents;
        int min_base_s, max_base_s;
        int min_increment_s, max_increment_s;
        int max_duration_min; /* of both players; 0: no limit */
        int min_days, max_days;
        bool unlimited;
        int min_rating, max_rating;
        int rating_difference; /* between the opponent's and ours; 0: any */
        bool provisional, no_abort;
        int min_games, min_account_days; /* of the challenger's account; 0: any */
        int games_per_opponent, games_per_hour, games_per_day; /* with the same one; 0: any */
        int rematches;                                         /* in a row; 0: as any challenge */
        int priority;
        uint32_t prefer;
        UserList allow; /* not empty: no other player */
        UserList block;
    } challenge;
} GameSettings;

/* The settings of one seek: the keys that a type of matchmaking may set (SCOPE_SEEK). The Config or
 * the type owns its list of players. */
typedef struct {
    int weight;
    ClockList clocks;
    uint32_t variants, modes, days;
    int min_rating, max_rating;
    int rating_difference; /* 0: any */
    UserList only;         /* not empty: no other bot, but for those of the lists on the web */
    SeekOrder prefer;
    char avoid_engines[CONFIG_TEXT_SIZE]; /* as in bot/policy/engine_names.h */
    bool pairs;
} SeekSettings;

struct Rule;
struct ExternalConfig;

/* The whole file. `game` and `seek` hold where no rule and no type says otherwise; the other values
 * are the same for all games. It owns all lists. */
typedef struct {
    GameSettings game;
    SeekSettings seek;
    struct {
        char url[CONFIG_TEXT_SIZE]; /* without a slash at its end */
        ServerKind server;
        char token_file[CONFIG_TEXT_SIZE];
        char ca_file[CONFIG_TEXT_SIZE];
    } account;
    struct {
        int threads;                   /* 0: all */
        int hash_mib;                  /* in total */
        char syzygy[CONFIG_TEXT_SIZE]; /* "DIR[:DIR…]", "": none */
    } engine;
    bool online_before_book;
    char online_urls[ONLINE_SERVICE_COUNT][CONFIG_TEXT_SIZE]; /* like account.url */
    struct {
        int concurrency;
        int correspondence; /* at once, of games without a clock */
        int correspondence_poll_s;
    } games;
    UserList mute;                       /* of the chat */
    char engine_names[CONFIG_TEXT_SIZE]; /* a file as in bot/policy/engine_names.h; "": ours */
    struct {
        int human_slots; /* of games.concurrency */
        UrlList allow_list, block_list;
        int list_refresh_min;
    } challenge;
    struct {
        bool play;
        int idle_s, pause_s;
        int games_per_day;  /* against bots */
        int during_games;   /* others that may run meanwhile */
        int correspondence; /* … with days a move, where one more is begun */
        UrlList only_list;
        TeamList teams;
    } matchmaking;
    struct {
        ArenaSpecList join;
        TeamList teams; /* whose arenas are joined without being named, where these admit them: */
        uint32_t speeds, variants, modes;
        IntRange minutes;
        int at_once;
    } tournaments;
    struct {
        char file[CONFIG_TEXT_SIZE];
        char pgn[CONFIG_TEXT_SIZE];      /* the folder of PGN files; "": none */
        char database[CONFIG_TEXT_SIZE]; /* "postgresql://…", "": the file has all */
    } archive;
    struct {
        char socket[CONFIG_TEXT_SIZE];
        char page[CONFIG_TEXT_SIZE]; /* "off", or as in address.h */
    } status;
    struct {
        char command[CONFIG_TEXT_SIZE]; /* as in bot/child/child_command.h; "": none */
        char url[CONFIG_TEXT_SIZE];     /* "": none */
        uint32_t events;                /* of AlertKind */
        int offline_min, repeat_min;
    } notify;
    struct {
        LogLevel level;
        LogFormat format;
    } log;
    struct Rule *rules; /* see rule.h; in the order of the file */
    size_t rule_count;
    struct Rule *types; /* of matchmaking: what each [matchmaking.NAME] sets */
    size_t type_count;
    struct ExternalConfig *externals; /* see external_config.h; in the order of the file */
    size_t external_count;
} Config;

static inline bool config_set_has(uint32_t set, int value)
{
    return set >> value & 1;
}
