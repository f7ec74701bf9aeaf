/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/config/schema.h"

#include "engine/search/engine.h"

#include <stddef.h>
#include <string.h>

static const char *variant_word(int value)
{
    return value == VARIANT_UNKNOWN ? NULL : variant_name((Variant)value);
}

/* Lichess lets no bot play ultraBullet. */
static const char *speed_word(int value)
{
    bool can = value != SPEED_UNKNOWN && value != SPEED_ULTRA_BULLET;
    return can ? speed_name((Speed)value) : NULL;
}

static const char *mode_word(int value)
{
    static const char *const words[MODE_COUNT] = { "casual", "rated" };
    return words[value];
}

static const char *kind_word(int value)
{
    static const char *const words[KIND_COUNT] = { "human", "bot" };
    return words[value];
}

static const char *level_word(int value)
{
    return log_level_name((LogLevel)value);
}

static const char *pick_word(int value)
{
    static const char *const words[] = {
        [BOOK_BEST] = "best", [BOOK_WEIGHTED] = "weighted", [BOOK_UNIFORM] = "uniform"
    };
    return words[value];
}

static const char *service_word(int value)
{
    static const char *const words[ONLINE_SERVICE_COUNT] = { "tablebase", "cloud", "explorer",
                                                             "chessdb" };
    return words[value];
}

static const char *tables_word(int value)
{
    static const char *const words[TABLES_COUNT] = { "best", "suggest" };
    return words[value];
}

static const char *explorer_word(int value)
{
    static const char *const words[EXPLORER_COUNT] = { "masters", "lichess", "player", "opponent" };
    return words[value];
}

static const char *explorer_pick_word(int value)
{
    static const char *const words[PICK_COUNT] = { "weighted", "games", "score" };
    return words[value];
}

static const WordList service_words = { service_word, ONLINE_SERVICE_COUNT };
static const WordList tables_words = { tables_word, TABLES_COUNT };
static const WordList explorer_words = { explorer_word, EXPLORER_COUNT };
static const WordList explorer_pick_words = { explorer_pick_word, PICK_COUNT };
static const WordList variant_words = { variant_word, VARIANT_COUNT };
const WordList schema_speed_words = { speed_word, SPEED_COUNT };
static const char *preference_word(int value)
{
    static const char *const words[PREFER_COUNT] = { "human", "bot", "title", "rating" };
    return words[value];
}

/* fromPosition needs a position. */
static const char *seek_variant_word(int value)
{
    return value == VARIANT_FROM_POSITION ? NULL : variant_word(value);
}

static const char *day_word(int value)
{
    static const char *const words[] = { "mon", "tue", "wed", "thu", "fri", "sat", "sun" };
    return words[value];
}

static const WordList seek_variant_words = { seek_variant_word, VARIANT_COUNT };
static const WordList day_words = { day_word, 7 };

static const char *claim_word(int value)
{
    static const char *const words[CLAIM_COUNT] = { "nothing", "draw", "victory" };
    return words[value];
}

static const char *command_word(int value)
{
    static const char *const words[CHAT_COMMAND_COUNT] = { "help",   "eval",  "pv",
                                                           "engine", "queue", "ping" };
    return words[value];
}

static const char *format_word(int value)
{
    static const char *const words[LOG_FORMAT_COUNT] = { "auto", "text", "json", "journal" };
    return words[value];
}

static const WordList format_words = { format_word, LOG_FORMAT_COUNT };
static const WordList command_words = { command_word, CHAT_COMMAND_COUNT };
static const WordList claim_words = { claim_word, CLAIM_COUNT };
static const WordList preference_words = { preference_word, PREFER_COUNT };
static const WordList mode_words = { mode_word, MODE_COUNT };
const WordList schema_kind_words = { kind_word, KIND_COUNT };
static const WordList pick_words = { pick_word, BOOK_UNIFORM + 1 };
static const WordList level_words = { level_word, LEVEL_COUNT };

/* Each has a scope; of a pair of bounds the lower one names the upper one. */
#define AT(member) offsetof(Config, member), SCOPE_START, NULL
#define LIVE(member) offsetof(Config, member), SCOPE_LIVE, NULL
#define PER_SEEK(member) offsetof(Config, member), SCOPE_SEEK, NULL
#define PER_SEEK_BELOW(member, upper) offsetof(Config, member), SCOPE_SEEK, upper
#define PER_GAME(member) offsetof(Config, member), SCOPE_GAME, NULL
#define PER_GAME_BELOW(member, upper) offsetof(Config, member), SCOPE_GAME, upper

// clang-format off
static const KeySpec keys[] = {
    { "account", "url", KEY_URL, AT(account.url), 0, 0, NULL, "https://lichess.org",
      "The server." },
    { "account", "token_file", KEY_TEXT, AT(account.token_file), 0, 0, NULL, "",
      "File that holds the API token (chmod 600), where neither systemd nor CASTLED_TOKEN brings it." },
    { "account", "ca_file", KEY_TEXT, AT(account.ca_file), 0, 0, NULL, "",
      "Certificates to trust instead of the system's." },

    { "engine", "threads", KEY_INT, AT(engine.threads), 0, 256, NULL, "0",
      "Search threads for all games together; 0: one for each core." },
    { "engine", "hash", KEY_INT, AT(engine.hash_mib), 1, 1048576, NULL, "256",
      "MiB of hash for all games together." },
    { "engine", "move_overhead", KEY_INT_AUTO, PER_GAME(engine.overhead_ms), 0, 5000, NULL, "auto",
      "Milliseconds kept back from each move for the way to the server; auto: as measured." },
    { "engine", "elo", KEY_INT, PER_GAME(engine.elo), 0, ELO_MAX, NULL, "0",
      "Rating to play like, from 600 on, with our own engine; 0: as well as it can." },
    { "engine", "nodes", KEY_COUNT, PER_GAME(engine.nodes), 0, 1000000000000, NULL, "0",
      "Most nodes for a move; 0: no limit." },
    { "engine", "depth", KEY_INT, PER_GAME(engine.depth_plies), 0, 127, NULL, "0",
      "Most plies for a move; 0: no limit." },
    { "engine", "movetime", KEY_INT, PER_GAME(engine.movetime_ms), 0, 86400000, NULL, "0",
      "Milliseconds for a move; 0: by the clock." },
    { "engine", "ponder", KEY_BOOL, PER_GAME(engine.ponder), 0, 0, NULL, "yes",
      "Whether to think in the opponent's time, on cores that no game needs." },
    { "engine", "syzygy", KEY_TEXT, AT(engine.syzygy), 0, 0, NULL, "",
      "Endgame tables in Syzygy's format: DIR[:DIR...]." },
    { "engine", "external", KEY_TEXT, PER_GAME(engine.external), 0, 0, NULL, "all",
      "Which of the [engine.external] are asked before our own: all, none, or their names." },

    { "book", "files", KEY_TEXT, AT(book.files), 0, 0, NULL, "",
      "Opening books in Polyglot's format: PATH[:PATH...]. The first that has a move is followed." },
    { "book", "use", KEY_BOOL, PER_GAME(book.use), 0, 0, NULL, "yes",
      "Whether to follow the books." },
    { "book", "choice", KEY_CHOICE, PER_GAME(book.choice), 0, 0, &pick_words, "weighted",
      "The heaviest move, or one by chance: by weight, or all alike." },
    { "book", "min_weight", KEY_INT, PER_GAME(book.min_weight), 0, 1000000, NULL, "1",
      "Lighter moves are not played." },
    { "book", "max_ply", KEY_INT, PER_GAME(book.max_ply), 0, 600, NULL, "0",
      "Only in the first so many plies of a game; 0: no limit." },
    { "book", "allow_repetition", KEY_BOOL, PER_GAME(book.repeat), 0, 0, NULL, "no",
      "Whether the book may bring a position of the game back." },
    { "book", "learn", KEY_BOOL, PER_GAME(book.learn), 0, 0, NULL, "no",
      "Whether how our games ended counts: moves that did better weigh up to 4 times as much, others as little as a quarter." },

    { "online", "services", KEY_SEQUENCE, PER_GAME(online.services), 0, 0, &service_words, "",
      "Who is asked for moves on the web, in this order, while our engine thinks; each learns what we play." },
    { "online", "min_clock", KEY_INT, PER_GAME(online.min_clock_s), 0, 10800, NULL, "20",
      "Not with fewer seconds on our clock." },
    { "online", "tablebase_min_clock", KEY_INT_AUTO, PER_GAME(online.min_clock_of_s[ONLINE_TABLEBASE]), 0, 10800, NULL,
      "auto", "The same for the tablebase alone; auto: as min_clock says." },
    { "online", "cloud_min_clock", KEY_INT_AUTO, PER_GAME(online.min_clock_of_s[ONLINE_CLOUD]), 0, 10800, NULL,
      "auto", "The same for cloud evaluations alone; auto: as min_clock says." },
    { "online", "explorer_min_clock", KEY_INT_AUTO, PER_GAME(online.min_clock_of_s[ONLINE_EXPLORER]), 0, 10800, NULL,
      "auto", "The same for the explorer alone; auto: as min_clock says." },
    { "online", "chessdb_min_clock", KEY_INT_AUTO, PER_GAME(online.min_clock_of_s[ONLINE_CHESSDB]), 0, 10800, NULL,
      "auto", "The same for chessdb alone; auto: as min_clock says." },
    { "online", "deadline", KEY_INT, PER_GAME(online.deadline_ms), 10, 60000, NULL, "1000",
      "Most milliseconds that a move waits for each, and never more than the clock allows." },
    { "online", "tablebase_deadline", KEY_INT_AUTO, PER_GAME(online.deadline_of_ms[ONLINE_TABLEBASE]), 10, 60000, NULL,
      "auto", "The same for the tablebase alone; auto: as deadline says." },
    { "online", "cloud_deadline", KEY_INT_AUTO, PER_GAME(online.deadline_of_ms[ONLINE_CLOUD]), 10, 60000, NULL,
      "auto", "The same for cloud evaluations alone; auto: as deadline says." },
    { "online", "explorer_deadline", KEY_INT_AUTO, PER_GAME(online.deadline_of_ms[ONLINE_EXPLORER]), 10, 60000, NULL,
      "auto", "The same for the explorer alone; auto: as deadline says." },
    { "online", "chessdb_deadline", KEY_INT_AUTO, PER_GAME(online.deadline_of_ms[ONLINE_CHESSDB]), 10, 60000, NULL,
      "auto", "The same for chessdb alone; auto: as deadline says." },
    { "online", "max_misses", KEY_INT, PER_GAME(online.misses), 1, 100, NULL, "3",
      "After so many moves in a row to which it had no answer, each is left alone for the rest of the game." },
    { "online", "max_ply", KEY_INT, PER_GAME(online.max_ply), 0, 600, NULL, "30",
      "Only in the first so many plies of a game; 0: no limit. Not for endgames that tables know." },
    { "online", "min_depth", KEY_INT, PER_GAME(online.min_depth), 1, 200, NULL, "30",
      "Least depth of a cloud evaluation." },
    { "online", "max_drop", KEY_INT, PER_GAME(online.max_drop_cp), 0, 1000, NULL, "0",
      "Centipawns that a move of cloud or chessdb may be worse than the best; among those chance decides." },
    { "online", "tables", KEY_CHOICE, PER_GAME(online.tables), 0, 0, &tables_words, "best",
      "Whether the best move of tablebase or chessdb is played, or our engine chooses among those that keep the win or draw." },
    { "online", "explorer_games", KEY_CHOICE, PER_GAME(online.games), 0, 0, &explorer_words, "masters",
      "Whose games the explorer counts; opponent with explorer_choice = score: what they did worst against." },
    { "online", "explorer_player", KEY_TEXT, PER_GAME(online.player), 0, 0, NULL, "",
      "Whose, with explorer_games = player; empty: ours." },
    { "online", "min_games", KEY_INT, PER_GAME(online.min_games), 1, 1000000, NULL, "20",
      "Moves of the explorer that were played less often are not." },
    { "online", "explorer_choice", KEY_CHOICE, PER_GAME(online.choice), 0, 0, &explorer_pick_words, "weighted",
      "One of these by chance, by number of games, or the one with most games, or with the best score." },
    { "online", "tablebase_url", KEY_URL, AT(online_urls[ONLINE_TABLEBASE]), 0, 0, NULL,
      "https://tablebase.lichess.org", "Where the tablebase is." },
    { "online", "cloud_url", KEY_URL, AT(online_urls[ONLINE_CLOUD]), 0, 0, NULL,
      "https://lichess.org", "Where cloud evaluations are." },
    { "online", "explorer_url", KEY_URL, AT(online_urls[ONLINE_EXPLORER]), 0, 0, NULL,
      "https://explorer.lichess.org",
      "Where the explorer is. It gets our token only at account.url or at explorer. before that name." },
    { "online", "chessdb_url", KEY_URL, AT(online_urls[ONLINE_CHESSDB]), 0, 0, NULL,
      "https://www.chessdb.cn", "Where chessdb is." },

    { "games", "concurrency", KEY_INT, LIVE(games.concurrency), 1, 64, NULL, "1",
      "Games at once; further challenges wait." },
    { "games", "abort_after", KEY_INT, PER_GAME(games.abort_after_s), 0, 3600, NULL, "30",
      "Seconds that an opponent has for a first move before we abort; 0: for ever." },
    { "games", "takebacks", KEY_INT, PER_GAME(games.takebacks), 0, 100, NULL, "0",
      "Takebacks that we grant in a game." },
    { "games", "claim", KEY_CHOICE, PER_GAME(games.claim), 0, 0, &claim_words, "victory",
      "What to claim from an opponent who has left the game." },
    { "games", "correspondence", KEY_INT, LIVE(games.correspondence), 1, 128, NULL, "10",
      "Correspondence games at once, which concurrency does not count." },
    { "games", "correspondence_movetime", KEY_INT, PER_GAME(games.correspondence_movetime_s), 1, 3600, NULL, "60",
      "Seconds for a move in one, but never more than a tenth of the time that is left." },
    { "games", "correspondence_poll", KEY_INT, LIVE(games.correspondence_poll_s), 1, 3600, NULL, "300",
      "Seconds after which we look again whether it is our turn in one." },
    { "games", "correspondence_linger", KEY_INT, PER_GAME(games.correspondence_linger_s), 0, 3600, NULL, "30",
      "Seconds for which we stay in one after our move, for a quick answer or a chat." },

    { "challenge", "accept", KEY_BOOL, PER_GAME(challenge.accept), 0, 0, NULL, "yes",
      "Whether to accept challenges at all." },
    { "challenge", "variants", KEY_SET, PER_GAME(challenge.variants), 0, 0, &variant_words,
      "standard, chess960, fromPosition, antichess, atomic, crazyhouse, horde, kingOfTheHill, racingKings, threeCheck",
      "Variants that we play, as far as there is an engine that can." },
    { "challenge", "speeds", KEY_SET, PER_GAME(challenge.speeds), 0, 0, &schema_speed_words,
      "bullet, blitz, rapid, classical", "Speeds that we play." },
    { "challenge", "modes", KEY_SET, PER_GAME(challenge.modes), 0, 0, &mode_words, "casual, rated",
      "Rated games, casual ones, or both." },
    { "challenge", "opponents", KEY_SET, PER_GAME(challenge.opponents), 0, 0, &schema_kind_words, "human, bot",
      "Who may challenge us." },
    { "challenge", "min_base", KEY_INT, PER_GAME_BELOW(challenge.min_base_s, "max_base"), 0, 10800, NULL, "0",
      "Shortest initial time in seconds." },
    { "challenge", "max_base", KEY_INT, PER_GAME(challenge.max_base_s), 0, 10800, NULL, "10800",
      "Longest initial time in seconds." },
    { "challenge", "min_increment", KEY_INT, PER_GAME_BELOW(challenge.min_increment_s, "max_increment"), 0, 180, NULL, "0",
      "Smallest increment in seconds." },
    { "challenge", "max_increment", KEY_INT, PER_GAME(challenge.max_increment_s), 0, 180, NULL, "180",
      "Largest increment in seconds." },
    { "challenge", "min_days", KEY_INT, PER_GAME_BELOW(challenge.min_days, "max_days"), 1, 14, NULL, "1",
      "Fewest days for a move, where speeds has correspondence." },
    { "challenge", "max_days", KEY_INT, PER_GAME(challenge.max_days), 1, 14, NULL, "14",
      "Most days for a move." },
    { "challenge", "unlimited", KEY_BOOL, PER_GAME(challenge.unlimited), 0, 0, NULL, "no",
      "Whether to play games without any limit, which may never end." },
    { "challenge", "min_rating", KEY_INT, PER_GAME_BELOW(challenge.min_rating, "max_rating"), 0, 5000, NULL, "0",
      "Weakest opponent." },
    { "challenge", "max_rating", KEY_INT, PER_GAME(challenge.max_rating), 0, 5000, NULL, "5000",
      "Strongest opponent." },
    { "challenge", "rating_difference", KEY_INT, PER_GAME(challenge.rating_difference), 0, 5000, NULL, "0",
      "Largest difference between the opponent's rating and ours; 0: any." },
    { "challenge", "provisional", KEY_BOOL, PER_GAME(challenge.provisional), 0, 0, NULL, "yes",
      "Whether to play those whose rating is provisional." },
    { "challenge", "min_games", KEY_INT, PER_GAME(challenge.min_games), 0, 1000000, NULL, "0",
      "Fewest games that the challenger has played on Lichess, which is asked for them; 0: any number." },
    { "challenge", "min_account_days", KEY_INT, PER_GAME(challenge.min_account_days), 0, 10000, NULL, "0",
      "Fewest days since his account was made, asked for likewise; 0: any number." },
    { "challenge", "no_abort", KEY_BOOL, PER_GAME(challenge.no_abort), 0, 0, NULL, "no",
      "Whether to play games that nobody may abort: without a first move they last for ever." },
    { "challenge", "games_per_opponent", KEY_INT, PER_GAME(challenge.games_per_opponent), 0, 64, NULL, "0",
      "Games at once with the same opponent, waiting challenges included; 0: any number." },
    { "challenge", "games_per_hour", KEY_INT, PER_GAME(challenge.games_per_hour), 0, 1000, NULL, "0",
      "Games in an hour with the same opponent; 0: any number." },
    { "challenge", "games_per_day", KEY_INT, PER_GAME(challenge.games_per_day), 0, 1000, NULL, "0",
      "Games in 24 hours with the same opponent; 0: any number." },
    { "challenge", "rematches", KEY_INT, PER_GAME(challenge.rematches), 0, 1000, NULL, "0",
      "Rematches in a row with the same opponent; 0: no other limit than for any challenge." },
    { "challenge", "human_slots", KEY_INT, LIVE(challenge.human_slots), 0, 64, NULL, "0",
      "How many of games.concurrency are kept for humans." },
    { "challenge", "priority", KEY_INT, PER_GAME(challenge.priority), 0, 100, NULL, "0",
      "Who waits with a higher one comes first (for rules)." },
    { "challenge", "prefer", KEY_SET, PER_GAME(challenge.prefer), 0, 0, &preference_words, "human, title, rating",
      "Who comes first of those that wait with the same priority: by kind, then title, then rating." },
    { "challenge", "allow", KEY_USERS, PER_GAME(challenge.allow), 0, 0, NULL, "",
      "If anybody stands here, nobody else may challenge us. May be given in several lines." },
    { "challenge", "block", KEY_USERS, PER_GAME(challenge.block), 0, 0, NULL, "",
      "Who may not challenge us. May be given in several lines." },
    { "challenge", "allow_list", KEY_URLS, AT(challenge.allow_list), 0, 0, NULL, "",
      "Where on the web lists of those allowed are kept, a name a line; they add to allow." },
    { "challenge", "block_list", KEY_URLS, AT(challenge.block_list), 0, 0, NULL, "",
      "The same for those who may not challenge us." },
    { "challenge", "list_refresh", KEY_INT, AT(challenge.list_refresh_min), 1, 10080, NULL, "60",
      "Minutes after which these lists are asked for again." },

    { "draw", "offer", KEY_BOOL, PER_GAME(draw.offer), 0, 0, NULL, "yes",
      "Whether to offer draws, with a move, at most once in 20 plies." },
    { "draw", "accept", KEY_BOOL, PER_GAME(draw.accept), 0, 0, NULL, "yes",
      "Whether to accept draws; all others are declined at once." },
    { "draw", "max_eval", KEY_INT, PER_GAME(draw.score_cp), 0, 10000, NULL, "10",
      "Centipawns that a level game may be away from 0." },
    { "draw", "moves", KEY_INT, PER_GAME(draw.moves), 1, 100, NULL, "8",
      "Moves of ours in a row for which it must have been level." },
    { "draw", "from_move", KEY_INT, PER_GAME(draw.from_move), 1, 300, NULL, "35",
      "The first move of the game at which a draw is offered or accepted." },
    { "draw", "max_pieces", KEY_INT, PER_GAME(draw.pieces), 2, 32, NULL, "14",
      "Most pieces on the board at that time, kings and pawns included." },
    { "draw", "tablebase", KEY_BOOL, PER_GAME(draw.tablebase), 0, 0, NULL, "yes",
      "Whether what endgame tables call a draw is one at once, whatever the four keys before say." },
    { "draw", "opponents", KEY_SET, PER_GAME(draw.opponents), 0, 0, &schema_kind_words, "human, bot",
      "With whom." },
    { "draw", "opponent_clock", KEY_INT, PER_GAME(draw.opponent_clock_s), 0, 3600, NULL, "10",
      "Not while the opponent has fewer seconds left." },

    { "resign", "enabled", KEY_BOOL, PER_GAME(resign.enabled), 0, 0, NULL, "no",
      "Whether to resign lost games." },
    { "resign", "score", KEY_INT, PER_GAME(resign.score_cp), 100, 32000, NULL, "1000",
      "Centipawns behind at which a game is lost." },
    { "resign", "moves", KEY_INT, PER_GAME(resign.moves), 1, 100, NULL, "5",
      "Moves of ours in a row for which it must have been lost." },
    { "resign", "tablebase", KEY_BOOL, PER_GAME(resign.tablebase), 0, 0, NULL, "yes",
      "Whether to resign at once what endgame tables call lost; what they call a draw never is." },
    { "resign", "opponents", KEY_SET, PER_GAME(resign.opponents), 0, 0, &schema_kind_words, "human, bot",
      "Against whom." },
    { "resign", "opponent_clock", KEY_INT, PER_GAME(resign.opponent_clock_s), 0, 3600, NULL, "10",
      "Not while the opponent has fewer seconds left." },

    { "chat", "enabled", KEY_BOOL, PER_GAME(chat.enabled), 0, 0, NULL, "yes",
      "Whether to say anything at all." },
    { "chat", "hello", KEY_TEXT, PER_GAME(chat.hello), 0, 0, NULL, "",
      "Said to the opponent when a game begins; {me}, {opponent}, {engine}, {cpu} and {ram} are filled in." },
    { "chat", "hello_spectators", KEY_TEXT, PER_GAME(chat.hello_spectators), 0, 0, NULL, "",
      "The same to the spectators." },
    { "chat", "goodbye", KEY_TEXT, PER_GAME(chat.goodbye), 0, 0, NULL, "",
      "Said to the opponent when it is over." },
    { "chat", "goodbye_spectators", KEY_TEXT, PER_GAME(chat.goodbye_spectators), 0, 0, NULL, "",
      "The same to the spectators." },
    { "chat", "commands", KEY_SET, PER_GAME(chat.commands), 0, 0, &command_words, "help, eval, pv, engine, queue, ping",
      "What we answer when somebody says !help, …; eval and pv only to spectators." },
    { "chat", "reply", KEY_REPLIES, PER_GAME(chat.replies), 0, 0, NULL, "",
      "What to answer to !WORD, filled in likewise. May be given in several lines." },
    { "chat", "mute", KEY_USERS, LIVE(mute), 0, 0, NULL, "",
      "Whom we never answer. May be given in several lines." },

    { "matchmaking", "play", KEY_BOOL, LIVE(matchmaking.play), 0, 0, NULL, "no",
      "Whether to challenge other bots while nobody plays with us." },
    { "matchmaking", "idle", KEY_INT, LIVE(matchmaking.idle_s), 1, 86400, NULL, "60",
      "Seconds without a game before we do." },
    { "matchmaking", "rematch_cooldown", KEY_INT, LIVE(matchmaking.pause_s), 0, 2592000, NULL, "21600",
      "Seconds before the same bot is challenged again after a game." },
    { "matchmaking", "games_per_day", KEY_INT, LIVE(matchmaking.games_per_day), 0, 100, NULL, "90",
      "Most games against bots in a day, theirs included, spread over its hours; Lichess ends at 100." },
    { "matchmaking", "weight", KEY_INT, PER_SEEK(matchmaking.weight), 0, 1000, NULL, "1",
      "How often such games are chosen, compared with other [matchmaking.NAME]." },
    { "matchmaking", "clocks", KEY_CLOCKS, PER_SEEK(matchmaking.clocks), 1, 0, NULL, "3+2, 5+3",
      "Their clocks, one of which is drawn: minutes + seconds." },
    { "matchmaking", "variants", KEY_SET, PER_SEEK(matchmaking.variants), 0, 0, &seek_variant_words,
      "standard", "Their variants, as far as there is an engine that can." },
    { "matchmaking", "modes", KEY_SET, PER_SEEK(matchmaking.modes), 0, 0, &mode_words, "casual, rated",
      "Rated games, casual ones, or both." },
    { "matchmaking", "days", KEY_SET, PER_SEEK(matchmaking.days), 0, 0, &day_words,
      "mon, tue, wed, thu, fri, sat, sun", "On which days of the week (UTC)." },
    { "matchmaking", "min_rating", KEY_INT, PER_SEEK_BELOW(matchmaking.min_rating, "max_rating"), 0, 5000, NULL, "0",
      "Weakest opponent." },
    { "matchmaking", "max_rating", KEY_INT, PER_SEEK(matchmaking.max_rating), 0, 5000, NULL, "5000",
      "Strongest opponent." },
    { "matchmaking", "rating_difference", KEY_INT, PER_SEEK(matchmaking.rating_difference), 0, 5000,
      NULL, "0", "Largest difference from our rating; 0: any." },
    { "matchmaking", "pairs", KEY_BOOL, PER_SEEK(matchmaking.pairs), 0, 0, NULL, "yes",
      "Whether a second game with the colours changed over follows." },

    { "tournaments", "join", KEY_TOURNAMENTS, LIVE(tournaments.join), 0, 0, NULL, "",
      "Arena tournament to play in, if it admits bots. May be given in several lines." },

    { "archive", "file", KEY_TEXT, AT(archive.file), 0, 0, NULL, "games.sqlite",
      "Database of finished games, in the state directory or by its whole path; off: none." },

    { "status", "socket", KEY_TEXT, AT(status.socket), 0, 0, NULL, "",
      "Control socket, where not in the runtime or state directory; off: none." },
    { "status", "http", KEY_ADDRESS, AT(status.page), 0, 0, NULL, "off",
      "Web page with the status, /metrics and /status.json: PORT or IP:PORT, on loopback if possible; off: none." },

    { "log", "level", KEY_CHOICE, LIVE(log.level), 0, 0, &level_words, "info",
      "The least that is worth a line." },
    { "log", "format", KEY_CHOICE, AT(log.format), 0, 0, &format_words, "auto",
      "How: lines of text or JSON, or entries with fields for systemd's journal; auto: the journal's where it listens, else text." },
};
// clang-format on

const KeySpec *schema_keys(size_t *count)
{
    *count = sizeof keys / sizeof *keys;
    return keys;
}

const KeySpec *schema_find(const char *section, const char *name)
{
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (strcmp(keys[i].section, section) == 0 && strcmp(keys[i].name, name) == 0)
            return &keys[i];
    return NULL;
}

const char *schema_renamed(const char *section, const char *name)
{
    static const struct {
        const char *section, *old, *now;
    } renamed[] = {
        { "book", "repeat", "allow_repetition" },
        { "online", "sources", "services" },
        { "online", "misses", "max_misses" },
        { "online", "explorer", "explorer_games" },
        { "online", "player", "explorer_player" },
        { "online", "choice", "explorer_choice" },
        { "games", "correspondence_think", "correspondence_movetime" },
        { "games", "correspondence_look", "correspondence_poll" },
        { "games", "correspondence_stay", "correspondence_linger" },
        { "draw", "score", "max_eval" },
        { "draw", "pieces", "max_pieces" },
        { "matchmaking", "pause", "rematch_cooldown" },
        { "status", "page", "http" },
    };
    for (size_t i = 0; i < sizeof renamed / sizeof *renamed; i++)
        if (strcmp(renamed[i].section, section) == 0 && strcmp(renamed[i].old, name) == 0)
            return renamed[i].now;
    return NULL;
}
