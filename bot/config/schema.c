/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/config/schema.h"

#include "engine/search/engine.h"

#include <stddef.h>
#include <string.h>

#define WORDS(count, ...)                                                                          \
    {                                                                                              \
        (const char *const[count]){ __VA_ARGS__ }, count, 0                                        \
    }

const WordList schema_variant_words = { variant_names, VARIANT_COUNT, 0 };
const WordList schema_alert_words =
    WORDS(ALERT_KIND_COUNT, "offline", "token", "game", "engine", "archive");
const WordList schema_kind_words = WORDS(KIND_COUNT, "human", "bot");
const WordList schema_command_words =
    WORDS(CHAT_COMMAND_COUNT, "help", "eval", "pv", "engine", "queue", "ping", "analysis",
          "challenge", "variants", "draw", "takeback", "name", "level", "again", "odds");
/* Lichess lets no bot play ultraBullet. */
const WordList schema_speed_words = { speed_names, SPEED_COUNT, 1U << SPEED_ULTRA_BULLET };

/* fromPosition needs a position. */
static const WordList seek_variant_words = { variant_names, VARIANT_COUNT,
                                             1U << VARIANT_FROM_POSITION };
static const WordList seek_order_words = WORDS(
    SEEK_ORDER_COUNT, [SEEK_ANY] = "any", [SEEK_RATING] = "rating", [SEEK_UNPLAYED] = "unplayed");
const WordList schema_mode_words = WORDS(MODE_COUNT, "casual", "rated");
static const WordList server_words = WORDS(SERVER_COUNT, "lichess", "pychess");
static const WordList level_words = { log_level_names, LEVEL_COUNT, 0 };
static const WordList format_words = WORDS(LOG_FORMAT_COUNT, "auto", "text", "json", "journal");
static const WordList pick_words = WORDS(BOOK_UNIFORM + 1, [BOOK_BEST] = "best",
                                         [BOOK_WEIGHTED] = "weighted", [BOOK_UNIFORM] = "uniform");
static const WordList service_words =
    WORDS(ONLINE_SERVICE_COUNT, "tablebase", "cloud", "explorer", "chessdb");
static const WordList engine_tables_words = WORDS(LOCAL_TABLES_COUNT, "suggest", "best", "no");
static const WordList tables_words = WORDS(TABLES_COUNT, "best", "suggest");
static const WordList explorer_words =
    WORDS(EXPLORER_COUNT, "masters", "lichess", "player", "opponent");
static const WordList explorer_pick_words = WORDS(PICK_COUNT, "weighted", "games", "score");
static const WordList preference_words = WORDS(PREFER_COUNT, "human", "bot", "title", "rating");
static const WordList day_words = WORDS(7, "mon", "tue", "wed", "thu", "fri", "sat", "sun");
static const WordList claim_words = WORDS(CLAIM_COUNT, "nothing", "draw", "victory");
static const WordList style_words = WORDS(STYLE_COUNT, "human", "engine");
static const WordList human_choice_words = WORDS(HUMAN_CHOICE_COUNT, "drawn", "likeliest");
static const WordList switch_words = WORDS(SWITCH_COUNT, "no", "yes", "auto");

/* Each has a scope; of a pair of bounds the lower one names the upper one. */
#define AT(member) offsetof(Config, member), SCOPE_START, NULL
#define LIVE(member) offsetof(Config, member), SCOPE_LIVE, NULL
#define PER_SEEK(member) offsetof(Config, seek.member), SCOPE_SEEK, NULL
#define PER_SEEK_BELOW(member, upper) offsetof(Config, seek.member), SCOPE_SEEK, upper
#define PER_GAME(member) offsetof(Config, game.member), SCOPE_GAME, NULL
#define PER_GAME_BELOW(member, upper) offsetof(Config, game.member), SCOPE_GAME, upper

// clang-format off
static const KeySpec keys[] = {
    { "account", "url", KEY_URL, AT(account.url), 0, 0, NULL, "https://lichess.org",
      "Address of the server." },
    { "account", "server", KEY_CHOICE, AT(account.server), 0, 0, &server_words, "lichess",
      "What the server speaks: lichess, or pychess for PyChess, which lacks much (see README.md)." },
    { "account", "token_file", KEY_TEXT, AT(account.token_file), 0, 0, NULL, "",
      "File with the API token (mode 600), for when neither systemd nor CASTLED_TOKEN provides it." },
    { "account", "ca_file", KEY_TEXT, AT(account.ca_file), 0, 0, NULL, "",
      "Certificates to trust instead of the system's." },

    { "engine", "threads", KEY_INT, AT(engine.threads), 0, 256, NULL, "0",
      "Search threads for all games together; 0: one per core." },
    { "engine", "hash", KEY_INT, AT(engine.hash_mib), 1, 1048576, NULL, "256",
      "MiB of hash for all games together." },
    { "engine", "move_overhead", KEY_INT_AUTO, PER_GAME(engine.overhead_ms), 0, 5000, NULL, "auto",
      "Milliseconds reserved per move for the way to the server; auto: as measured." },
    { "engine", "elo", KEY_ELO, PER_GAME(engine.elo), 0, ELO_MAX, NULL, "0",
      "Rating to play at, from 600 on, with castled's engine; 0: full strength. With opponent it is theirs, which casual games correct." },
    { "engine", "human", KEY_TEXT, PER_GAME(engine.human), 0, 0, NULL, "built-in",
      "Network of people's moves, by which games of chess with an elo are played: built-in, castled's own, or a file, such as one of Maia's; of a folder of such files (maia-1500.pb.gz) the one nearest to the elo." },
    { "engine", "style", KEY_CHOICE, PER_GAME(engine.style), 0, 0, &style_words, "human",
      "Whose moves are played where elo is set: people's, or the weakened engine's." },
    { "engine", "human_choice", KEY_CHOICE, PER_GAME(engine.human_choice), 0, 0, &human_choice_words, "drawn",
      "Of people's moves: one drawn by how likely it is, or always the likeliest." },
    { "engine", "variety", KEY_INT, PER_GAME(engine.variety_cp), 0, 50, NULL, "0",
      "Centipawns by which each of castled's first eight moves may be worse than the best, so that no game comes twice; 0: none." },
    { "engine", "contempt", KEY_INT_AUTO, PER_GAME(engine.contempt_cp), 0, CONTEMPT_MAX, NULL, "auto",
      "Centipawns that a draw is worth less to castled's engine; auto: by how much weaker the opponent is rated, and at odds that we give the most." },
    { "engine", "nodes", KEY_COUNT, PER_GAME(engine.nodes), 0, 1000000000000, NULL, "0",
      "Maximum nodes per move; 0: no limit." },
    { "engine", "depth", KEY_INT, PER_GAME(engine.depth_plies), 0, 127, NULL, "0",
      "Maximum plies per move; 0: no limit." },
    { "engine", "movetime", KEY_INT, PER_GAME(engine.movetime_ms), 0, 86400000, NULL, "0",
      "Milliseconds per move; 0: by the clock." },
    { "engine", "ponder", KEY_BOOL, PER_GAME(engine.ponder), 0, 0, NULL, "yes",
      "Whether to search in the opponent's time, on cores that no game needs." },
    { "engine", "syzygy", KEY_TEXT, AT(engine.syzygy), 0, 0, NULL, "",
      "Folders of Syzygy tablebases: DIR[:DIR...]." },
    { "engine", "tables", KEY_CHOICE, PER_GAME(engine.tables), 0, 0, &engine_tables_words, "suggest",
      "Whether an external engine chooses among the moves that keep the tables' result, gets the best one played, or none." },
    { "engine", "external", KEY_TEXT, PER_GAME(engine.external), 0, 0, NULL, "all",
      "Which [engine.external] come before castled's engine: all, none, or their names." },

    { "book", "files", KEY_TEXT, PER_GAME(book.files), 0, 0, NULL, "",
      "Opening books in Polyglot format: PATH[:PATH...]; VARIANT=PATH is a variant's. The first that has a move is followed." },
    { "book", "use", KEY_BOOL, PER_GAME(book.use), 0, 0, NULL, "yes",
      "Whether to use the books." },
    { "book", "choice", KEY_CHOICE, PER_GAME(book.choice), 0, 0, &pick_words, "weighted",
      "The move with the highest weight, a random one by weight, or a random one." },
    { "book", "min_weight", KEY_INT, PER_GAME(book.min_weight), 0, 1000000, NULL, "1",
      "Minimum weight of a move." },
    { "book", "max_ply", KEY_INT, PER_GAME(book.max_ply), 0, 600, NULL, "0",
      "Last ply at which books are used; 0: no limit." },
    { "book", "max_moves", KEY_INT, PER_GAME(book.max_moves), 0, 300, NULL, "0",
      "Most book moves that are played in a game; 0: no limit." },
    { "book", "allow_repetition", KEY_BOOL, PER_GAME(book.repeat), 0, 0, NULL, "no",
      "Whether a book move may repeat a position of the game." },
    { "book", "learn", KEY_BOOL, PER_GAME(book.learn), 0, 0, NULL, "no",
      "Whether results of our games change a move's weight, by a factor from a quarter to 4." },

    { "online", "before_book", KEY_BOOL, AT(online_before_book), 0, 0, NULL, "no",
      "Whether web services are asked before the books, which then have what no service knows." },
    { "online", "services", KEY_SEQUENCE, PER_GAME(online.services), 0, 0, &service_words, "",
      "Web services to ask for moves, in this order, while the engine searches. Each learns what we play." },
    { "online", "min_clock", KEY_INT, PER_GAME(online.min_clock_s), 0, 10800, NULL, "20",
      "Seconds that must be left on our clock." },
    { "online", "tablebase_min_clock", KEY_INT_AUTO, PER_GAME(online.min_clock_of_s[ONLINE_TABLEBASE]), 0, 10800, NULL,
      "auto", "The same for the tablebase; auto: as min_clock." },
    { "online", "cloud_min_clock", KEY_INT_AUTO, PER_GAME(online.min_clock_of_s[ONLINE_CLOUD]), 0, 10800, NULL,
      "auto", "The same for cloud evaluations; auto: as min_clock." },
    { "online", "explorer_min_clock", KEY_INT_AUTO, PER_GAME(online.min_clock_of_s[ONLINE_EXPLORER]), 0, 10800, NULL,
      "auto", "The same for the explorer; auto: as min_clock." },
    { "online", "chessdb_min_clock", KEY_INT_AUTO, PER_GAME(online.min_clock_of_s[ONLINE_CHESSDB]), 0, 10800, NULL,
      "auto", "The same for chessdb; auto: as min_clock." },
    { "online", "deadline", KEY_INT, PER_GAME(online.deadline_ms), 10, 60000, NULL, "1000",
      "Milliseconds that a move waits for each service at most; less if the clock demands it." },
    { "online", "tablebase_deadline", KEY_INT_AUTO, PER_GAME(online.deadline_of_ms[ONLINE_TABLEBASE]), 10, 60000, NULL,
      "auto", "The same for the tablebase; auto: as deadline." },
    { "online", "cloud_deadline", KEY_INT_AUTO, PER_GAME(online.deadline_of_ms[ONLINE_CLOUD]), 10, 60000, NULL,
      "auto", "The same for cloud evaluations; auto: as deadline." },
    { "online", "explorer_deadline", KEY_INT_AUTO, PER_GAME(online.deadline_of_ms[ONLINE_EXPLORER]), 10, 60000, NULL,
      "auto", "The same for the explorer; auto: as deadline." },
    { "online", "chessdb_deadline", KEY_INT_AUTO, PER_GAME(online.deadline_of_ms[ONLINE_CHESSDB]), 10, 60000, NULL,
      "auto", "The same for chessdb; auto: as deadline." },
    { "online", "max_misses", KEY_INT, PER_GAME(online.misses), 1, 100, NULL, "3",
      "Consecutive moves without an answer after which a service is skipped for the rest of the game." },
    { "online", "max_ply", KEY_INT, PER_GAME(online.max_ply), 0, 600, NULL, "30",
      "Last ply at which services are queried; 0: no limit. Tablebase endgames are queried at any ply." },
    { "online", "min_depth", KEY_INT, PER_GAME(online.min_depth), 1, 200, NULL, "30",
      "Minimum depth of a cloud evaluation." },
    { "online", "max_drop", KEY_INT, PER_GAME(online.max_drop_cp), 0, 1000, NULL, "0",
      "Centipawns by which a move of cloud or chessdb may be worse than the best; one of these is drawn at random." },
    { "online", "tables", KEY_CHOICE, PER_GAME(online.tables), 0, 0, &tables_words, "best",
      "Play the best move of tablebase or chessdb, or let the engine choose among those that keep the win or draw." },
    { "online", "explorer_games", KEY_CHOICE, PER_GAME(online.games), 0, 0, &explorer_words, "masters",
      "Whose games the explorer counts. With opponent and explorer_choice = score: what the opponent scored worst against." },
    { "online", "explorer_player", KEY_TEXT, PER_GAME(online.player), 0, 0, NULL, "",
      "The player, with explorer_games = player; empty: ourselves." },
    { "online", "min_games", KEY_INT, PER_GAME(online.min_games), 1, 1000000, NULL, "20",
      "Minimum number of games with a move of the explorer." },
    { "online", "explorer_choice", KEY_CHOICE, PER_GAME(online.choice), 0, 0, &explorer_pick_words, "weighted",
      "A random move weighted by number of games, the most frequent one, or the one with the best score." },
    { "online", "tablebase_url", KEY_URL, AT(online_urls[ONLINE_TABLEBASE]), 0, 0, NULL,
      "https://tablebase.lichess.org", "Address of the tablebase." },
    { "online", "cloud_url", KEY_URL, AT(online_urls[ONLINE_CLOUD]), 0, 0, NULL,
      "https://lichess.org", "Address of cloud evaluations." },
    { "online", "explorer_url", KEY_URL, AT(online_urls[ONLINE_EXPLORER]), 0, 0, NULL,
      "https://explorer.lichess.org",
      "Address of the explorer. It gets our token only at account.url or at explorer. before that name." },
    { "online", "chessdb_url", KEY_URL, AT(online_urls[ONLINE_CHESSDB]), 0, 0, NULL,
      "https://www.chessdb.cn", "Address of chessdb." },

    { "games", "concurrency", KEY_INT, LIVE(games.concurrency), 1, 64, NULL, "1",
      "Maximum number of concurrent games; further challenges wait." },
    { "games", "abort_after", KEY_INT, PER_GAME(games.abort_after_s), 0, 3600, NULL, "30",
      "Seconds that an opponent has for the first move before we abort; 0: for ever." },
    { "games", "takebacks", KEY_INT_AUTO, PER_GAME(games.takebacks), 0, 100, NULL, "auto",
      "Takebacks granted per game; auto: one in casual games against humans." },
    { "games", "claim", KEY_CHOICE, PER_GAME(games.claim), 0, 0, &claim_words, "victory",
      "What to claim when the opponent has left the game." },
    { "games", "correspondence", KEY_INT, LIVE(games.correspondence), 1, 128, NULL, "10",
      "Maximum number of concurrent correspondence games, which concurrency does not count." },
    { "games", "correspondence_movetime", KEY_INT, PER_GAME(games.correspondence_movetime_s), 1, 3600, NULL, "60",
      "Seconds per move in correspondence games, at most a tenth of the time left." },
    { "games", "correspondence_poll", KEY_INT, LIVE(games.correspondence_poll_s), 1, 3600, NULL, "300",
      "Seconds between looks whether it is our turn in correspondence games." },
    { "games", "correspondence_linger", KEY_INT, PER_GAME(games.correspondence_linger_s), 0, 3600, NULL, "30",
      "Seconds that we stay in a correspondence game after our move, for a quick reply or chat." },

    { "challenge", "accept", KEY_BOOL, PER_GAME(challenge.accept), 0, 0, NULL, "yes",
      "Whether to accept challenges." },
    { "challenge", "variants", KEY_SET, PER_GAME(challenge.variants), 0, 0, &schema_variant_words,
      "standard, chess960, fromPosition, antichess, atomic, crazyhouse, horde, kingOfTheHill, racingKings, threeCheck",
      "Variants to accept." },
    { "challenge", "speeds", KEY_SET, PER_GAME(challenge.speeds), 0, 0, &schema_speed_words,
      "bullet, blitz, rapid, classical", "Speeds to accept." },
    { "challenge", "modes", KEY_SET, PER_GAME(challenge.modes), 0, 0, &schema_mode_words, "casual, rated",
      "Rated games, casual ones, or both." },
    { "challenge", "opponents", KEY_SET, PER_GAME(challenge.opponents), 0, 0, &schema_kind_words, "human, bot",
      "Who may challenge us." },
    { "challenge", "min_base", KEY_INT, PER_GAME_BELOW(challenge.min_base_s, "max_base"), 0, 10800, NULL, "0",
      "Minimum initial time in seconds." },
    { "challenge", "max_base", KEY_INT, PER_GAME(challenge.max_base_s), 0, 10800, NULL, "10800",
      "Maximum initial time in seconds." },
    { "challenge", "min_increment", KEY_INT, PER_GAME_BELOW(challenge.min_increment_s, "max_increment"), 0, 180, NULL, "0",
      "Minimum increment in seconds." },
    { "challenge", "max_increment", KEY_INT, PER_GAME(challenge.max_increment_s), 0, 180, NULL, "180",
      "Maximum increment in seconds." },
    { "challenge", "max_duration", KEY_INT, PER_GAME(challenge.max_duration_min), 0, 1440, NULL, "0",
      "Longest a game with a clock may be estimated to take, in minutes for both players; 0: no limit." },
    { "challenge", "min_days", KEY_INT, PER_GAME_BELOW(challenge.min_days, "max_days"), 1, 14, NULL, "1",
      "Minimum days per move, if speeds has correspondence." },
    { "challenge", "max_days", KEY_INT, PER_GAME(challenge.max_days), 1, 14, NULL, "14",
      "Maximum days per move." },
    { "challenge", "unlimited", KEY_BOOL, PER_GAME(challenge.unlimited), 0, 0, NULL, "no",
      "Whether to accept games without any time limit, which may never end." },
    { "challenge", "min_rating", KEY_INT, PER_GAME_BELOW(challenge.min_rating, "max_rating"), 0, 5000, NULL, "0",
      "Minimum rating of the opponent." },
    { "challenge", "max_rating", KEY_INT, PER_GAME(challenge.max_rating), 0, 5000, NULL, "5000",
      "Maximum rating of the opponent." },
    { "challenge", "rating_difference", KEY_INT, PER_GAME(challenge.rating_difference), 0, 5000, NULL, "0",
      "Maximum difference between the opponent's rating and ours; 0: no limit." },
    { "challenge", "provisional", KEY_BOOL, PER_GAME(challenge.provisional), 0, 0, NULL, "yes",
      "Whether to accept opponents with a provisional rating." },
    { "challenge", "min_games", KEY_INT, PER_GAME(challenge.min_games), 0, 1000000, NULL, "0",
      "Minimum number of games that the challenger has played on Lichess; 0: no minimum." },
    { "challenge", "min_account_days", KEY_INT, PER_GAME(challenge.min_account_days), 0, 10000, NULL, "0",
      "Minimum age of the challenger's account, in days; 0: no minimum." },
    { "challenge", "no_abort", KEY_BOOL, PER_GAME(challenge.no_abort), 0, 0, NULL, "no",
      "Whether to accept games that forbid aborting; without a first move they never end." },
    { "challenge", "games_per_opponent", KEY_INT, PER_GAME(challenge.games_per_opponent), 0, 64, NULL, "0",
      "Maximum concurrent games with one opponent, waiting challenges included; 0: no limit." },
    { "challenge", "games_per_hour", KEY_INT, PER_GAME(challenge.games_per_hour), 0, 1000, NULL, "0",
      "Maximum games per hour with one opponent; 0: no limit." },
    { "challenge", "games_per_day", KEY_INT, PER_GAME(challenge.games_per_day), 0, 1000, NULL, "0",
      "Maximum games in 24 hours with one opponent; 0: no limit." },
    { "challenge", "rematches", KEY_INT, PER_GAME(challenge.rematches), 0, 1000, NULL, "0",
      "Maximum consecutive rematches with one opponent; 0: no limit but those of any challenge." },
    { "challenge", "human_slots", KEY_INT, LIVE(challenge.human_slots), 0, 64, NULL, "0",
      "How many of games.concurrency are reserved for humans." },
    { "challenge", "priority", KEY_INT, PER_GAME(challenge.priority), 0, 100, NULL, "0",
      "Waiting challenges with a higher priority come first (for rules)." },
    { "challenge", "prefer", KEY_SET, PER_GAME(challenge.prefer), 0, 0, &preference_words, "human, title, rating",
      "Order of waiting challenges with the same priority: by kind, then title, then rating." },
    { "challenge", "allow", KEY_USERS, PER_GAME(challenge.allow), 0, 0, NULL, "",
      "If any player is named here, only those may challenge us. May be given in several lines." },
    { "challenge", "block", KEY_USERS, PER_GAME(challenge.block), 0, 0, NULL, "",
      "Players who may not challenge us. May be given in several lines." },
    { "challenge", "allow_list", KEY_URLS, AT(challenge.allow_list), 0, 0, NULL, "",
      "Lists of players to allow, one name per line, on the web or in files (/etc/castled/friends.txt); they add to allow." },
    { "challenge", "block_list", KEY_URLS, AT(challenge.block_list), 0, 0, NULL, "",
      "Lists of players to block, one name per line, on the web or in files; they add to block." },
    { "challenge", "list_refresh", KEY_INT, AT(challenge.list_refresh_min), 1, 10080, NULL, "60",
      "Minutes between fetches of these lists, and of matchmaking's." },

    { "draw", "offer", KEY_BOOL, PER_GAME(draw.offer), 0, 0, NULL, "yes",
      "Whether to offer draws, together with a move, at most once in 20 plies." },
    { "draw", "accept", KEY_BOOL, PER_GAME(draw.accept), 0, 0, NULL, "yes",
      "Whether to accept draws; all others are declined at once." },
    { "draw", "human", KEY_CHOICE, PER_GAME(draw.human), 0, 0, &switch_words, "auto",
      "Whether draws are a person's, whatever the next four keys say: offered late, accepted where the game is level; auto: where engine.elo is set." },
    { "draw", "max_eval", KEY_INT, PER_GAME(draw.score_cp), 0, 10000, NULL, "10",
      "Centipawns that a level game may be away from 0." },
    { "draw", "moves", KEY_INT, PER_GAME(draw.moves), 1, 100, NULL, "8",
      "Consecutive moves of ours for which the game must have been level." },
    { "draw", "from_move", KEY_INT, PER_GAME(draw.from_move), 1, 300, NULL, "35",
      "First move of the game at which a draw is offered or accepted." },
    { "draw", "max_pieces", KEY_INT, PER_GAME(draw.pieces), 2, 32, NULL, "14",
      "Maximum number of pieces on the board, kings and pawns included." },
    { "draw", "tablebase", KEY_BOOL, PER_GAME(draw.tablebase), 0, 0, NULL, "yes",
      "Whether a tablebase draw is offered and accepted at once, whatever the four keys before say." },
    { "draw", "opponents", KEY_SET, PER_GAME(draw.opponents), 0, 0, &schema_kind_words, "human, bot",
      "Opponents to whom these keys apply." },
    { "draw", "opponent_clock", KEY_INT, PER_GAME(draw.opponent_clock_s), 0, 3600, NULL, "10",
      "Seconds that the opponent must have left; below 20 we offer no draw, whatever this says." },

    { "resign", "enabled", KEY_CHOICE, PER_GAME(resign.enabled), 0, 0, &switch_words, "auto",
      "Whether to resign lost games; auto: where engine.elo is set, as often and as early as people of that rating." },
    { "resign", "score", KEY_INT, PER_GAME(resign.score_cp), 100, 32000, NULL, "1000",
      "Centipawns behind at which a game is lost." },
    { "resign", "moves", KEY_INT, PER_GAME(resign.moves), 1, 100, NULL, "5",
      "Consecutive moves of ours for which the game must have been lost." },
    { "resign", "tablebase", KEY_BOOL, PER_GAME(resign.tablebase), 0, 0, NULL, "yes",
      "Whether to resign tablebase losses at once; tablebase draws are never resigned." },
    { "resign", "opponents", KEY_SET, PER_GAME(resign.opponents), 0, 0, &schema_kind_words, "human, bot",
      "Opponents to whom these keys apply." },
    { "resign", "opponent_clock", KEY_INT, PER_GAME(resign.opponent_clock_s), 0, 3600, NULL, "10",
      "Seconds that the opponent must have left." },

    { "pace", "human", KEY_CHOICE, PER_GAME(pace.human), 0, 0, &switch_words, "auto",
      "Whether to take as long for each move as a human would; auto: where engine.elo is set. An opponent who writes go or fast in the chat gets moves at once." },

    { "chat", "enabled", KEY_BOOL, PER_GAME(chat.enabled), 0, 0, NULL, "yes",
      "Whether to write in the chat." },
    { "chat", "hello", KEY_TEXT, PER_GAME(chat.hello), 0, 0, NULL, "",
      "Greeting for the opponent; {me}, {opponent}, {engine}, {level} (our rating in this game), {performance} (against people, by the archive), {cpu} and {ram} are filled in." },
    { "chat", "hello_spectators", KEY_TEXT, PER_GAME(chat.hello_spectators), 0, 0, NULL, "",
      "Greeting for the spectators." },
    { "chat", "goodbye", KEY_TEXT, PER_GAME(chat.goodbye), 0, 0, NULL, "",
      "Message for the opponent when the game is over." },
    { "chat", "goodbye_spectators", KEY_TEXT, PER_GAME(chat.goodbye_spectators), 0, 0, NULL, "",
      "Message for the spectators when the game is over." },
    { "chat", "commands", KEY_SET, PER_GAME(chat.commands), 0, 0, &schema_command_words, "help, eval, pv, engine, queue, ping, analysis, challenge, variants, draw, takeback, name, level, again, odds",
      "Commands to answer: !help, …; !help WORD explains one. eval and pv only for spectators, analysis, level, again and odds only for the opponent. A human may so choose our level in casual games, or be challenged again or at odds." },
    { "chat", "reply", KEY_REPLIES, PER_GAME(chat.replies), 0, 0, NULL, "",
      "Answer to !WORD, filled in as greetings are. May be given in several lines." },
    { "chat", "ask_engine", KEY_CHOICE, PER_GAME(chat.ask_engine), 0, 0, &switch_words, "auto",
      "Whether to ask a bot whose engine is not known for it, by !name, once a year; auto: where a rule's when.engine or matchmaking.avoid_engines needs it." },
    { "chat", "engine_names", KEY_TEXT, AT(engine_names), 0, 0, NULL, "",
      "File of the words by which a bot's engine is known, in place of the list that castled comes with (engines.txt)." },
    { "chat", "mute", KEY_USERS, LIVE(mute), 0, 0, NULL, "",
      "Players who get no answer. May be given in several lines." },

    { "matchmaking", "play", KEY_BOOL, LIVE(matchmaking.play), 0, 0, NULL, "no",
      "Whether to challenge other bots while no game is on." },
    { "matchmaking", "idle", KEY_INT, LIVE(matchmaking.idle_s), 1, 86400, NULL, "60",
      "Seconds without a game before that." },
    { "matchmaking", "rematch_cooldown", KEY_INT, LIVE(matchmaking.pause_s), 0, 2592000, NULL, "21600",
      "Seconds after a game before the same bot is challenged again." },
    { "matchmaking", "games_per_day", KEY_INT, LIVE(matchmaking.games_per_day), 0, 100, NULL, "90",
      "Maximum games against bots in a day, spread over its hours, challenges by others included. Lichess allows 100." },
    { "matchmaking", "during_games", KEY_INT, LIVE(matchmaking.during_games), 0, 63, NULL, "0",
      "Challenge other bots also while so many games with a clock are on, if a slot and a processor core are free: each game needs one of engine.threads." },
    { "matchmaking", "correspondence", KEY_INT, LIVE(matchmaking.correspondence), 1, 64, NULL, "1",
      "Maximum correspondence games that matchmaking leads to, those begun by others counted: where clocks has days, none is proposed while so many are on." },
    { "matchmaking", "only_list", KEY_URLS, AT(matchmaking.only_list), 0, 0, NULL, "",
      "Lists of the bots to challenge, one name per line, on the web or in files (/etc/castled/opponents.txt); they add to only." },
    { "matchmaking", "teams", KEY_TEAMS, AT(matchmaking.teams), 0, 0, NULL, "",
      "Teams whose members are challenged, ids or addresses; they add to only." },
    { "matchmaking", "weight", KEY_INT, PER_SEEK(weight), 0, 1000, NULL, "1",
      "How often such games are chosen, compared with other [matchmaking.NAME]." },
    { "matchmaking", "clocks", KEY_CLOCKS, PER_SEEK(clocks), 1, 0, NULL, "3+2, 5+3",
      "Clocks, one of which is drawn: minutes + seconds, or days a move: 2 days." },
    { "matchmaking", "variants", KEY_SET, PER_SEEK(variants), 0, 0, &seek_variant_words,
      "standard", "Variants." },
    { "matchmaking", "modes", KEY_SET, PER_SEEK(modes), 0, 0, &schema_mode_words, "casual, rated",
      "Rated games, casual ones, or both." },
    { "matchmaking", "days", KEY_SET, PER_SEEK(days), 0, 0, &day_words,
      "mon, tue, wed, thu, fri, sat, sun", "Days of the week (UTC)." },
    { "matchmaking", "min_rating", KEY_INT, PER_SEEK_BELOW(min_rating, "max_rating"), 0, 5000, NULL, "0",
      "Minimum rating of the opponent." },
    { "matchmaking", "max_rating", KEY_INT, PER_SEEK(max_rating), 0, 5000, NULL, "5000",
      "Maximum rating of the opponent." },
    { "matchmaking", "rating_difference", KEY_INT, PER_SEEK(rating_difference), 0, 5000,
      NULL, "0", "Maximum difference from our rating; 0: no limit." },
    { "matchmaking", "only", KEY_USERS, PER_SEEK(only), 0, 0, NULL, "",
      "If any bot is named here, only those are challenged. May be given in several lines." },
    { "matchmaking", "avoid_engines", KEY_TEXT, PER_SEEK(avoid_engines), 0, 0, NULL, "",
      "Engines whose bots are not challenged, once they are known by what they say of themselves: stockfish*, lc0*." },
    { "matchmaking", "prefer", KEY_CHOICE, PER_SEEK(prefer), 0, 0, &seek_order_words, "any",
      "Whom to ask first: any, those whose rating is nearest to ours, or those with whom we have played least." },
    { "matchmaking", "pairs", KEY_BOOL, PER_SEEK(pairs), 0, 0, NULL, "yes",
      "Whether a second game with colours swapped follows." },

    { "tournaments", "join", KEY_TOURNAMENTS, LIVE(tournaments.join), 0, 0, NULL, "",
      "Arena tournament to play in, if it admits bots. May be given in several lines." },
    { "tournaments", "teams", KEY_TEAMS, LIVE(tournaments.teams), 0, 0, NULL, "",
      "Teams whose arenas are joined by themselves, if they admit bots and suit the next keys: ids or addresses." },
    { "tournaments", "speeds", KEY_SET, LIVE(tournaments.speeds), 0, 0, &schema_speed_words,
      "bullet, blitz, rapid", "Speeds of such arenas." },
    { "tournaments", "variants", KEY_SET, LIVE(tournaments.variants), 0, 0, &schema_variant_words,
      "standard, chess960", "Variants of such arenas." },
    { "tournaments", "modes", KEY_SET, LIVE(tournaments.modes), 0, 0, &schema_mode_words, "casual, rated",
      "Such arenas with rated games, casual ones, or both." },
    { "tournaments", "minutes", KEY_RANGE, LIVE(tournaments.minutes), 1, 1440, NULL, "10..180",
      "Minutes that such an arena may last." },
    { "tournaments", "at_once", KEY_INT, LIVE(tournaments.at_once), 1, 16, NULL, "1",
      "Such an arena is not joined while this many others, of any kind, are on at its time." },

    { "archive", "file", KEY_TEXT, AT(archive.file), 0, 0, NULL, "games.sqlite",
      "Database of finished games, in the state directory or as an absolute path; off: none." },
    { "archive", "pgn", KEY_TEXT, AT(archive.pgn), 0, 0, NULL, "",
      "Folder, in the state directory or as an absolute path, for a PGN file of each finished game." },
    { "archive", "database", KEY_DATABASE, AT(archive.database), 0, 0, NULL, "",
      "PostgreSQL database for finished games: postgresql://USER@HOST/NAME; they wait in the file until it has them." },

    { "status", "socket", KEY_TEXT, AT(status.socket), 0, 0, NULL, "",
      "Control socket, if not in the runtime or state directory; off: none." },
    { "status", "http", KEY_ADDRESS, AT(status.page), 0, 0, NULL, "off",
      "Live page with the games, /overlay, /metrics and /status.json: PORT (on loopback) or IP:PORT; off: none." },

    { "notify", "command", KEY_TEXT, LIVE(notify.command), 0, 0, NULL, "",
      "Program and arguments (no shell) that get each alert as a line of JSON on standard input." },
    { "notify", "url", KEY_WEBHOOK, LIVE(notify.url), 0, 0, NULL, "",
      "Address to which each alert is POSTed as JSON: https://, or http:// on this machine." },
    { "notify", "events", KEY_SET, LIVE(notify.events), 0, 0, &schema_alert_words,
      "offline, token, game, engine, archive",
      "What to tell: no connection, the token's end, a game lost by a fault, a failed engine, an archive not written." },
    { "notify", "offline_after", KEY_INT, LIVE(notify.offline_min), 1, 1440, NULL, "10",
      "Minutes without the server after which that is told." },
    { "notify", "repeat_after", KEY_INT, LIVE(notify.repeat_min), 1, 10080, NULL, "60",
      "Minutes between two messages of a kind at least; the later one says how many alerts it stands for." },

    { "log", "level", KEY_CHOICE, LIVE(log.level), 0, 0, &level_words, "info",
      "Least important level to log." },
    { "log", "format", KEY_CHOICE, AT(log.format), 0, 0, &format_words, "auto",
      "Lines of text or JSON, or entries with fields for systemd's journal. auto: journal if it listens, else text." },
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
