/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/example.h"
#include "bot/config/external_config.h"
#include "bot/config/config.h"
#include "bot/config/config_place.h"
#include "bot/config/schema.h"
#include "tests/support/unit.h"

#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static char folder[] = "/tmp/castled-config-XXXXXX";

static int make_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) ? 0 : -1;
}

static int drop_folder(void **state)
{
    (void)state;
    assert_int_equal(chdir("/"), 0);
    return rmdir(folder);
}

static void put_file(const char *name, const char *text)
{
    FILE *file = fopen(name, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, strlen(text), file), strlen(text));
    assert_int_equal(fclose(file), 0);
}

/* Loads `text` as the file "c" and returns the problems, which lie in `problems`. */
static const char *load(Config *out, Buf *problems, const char *text)
{
    assert_int_equal(chdir(folder), 0);
    put_file("c", text);
    buf_reset(problems);
    if (config_load(out, "c", problems))
        assert_string_equal(buf_view(problems), "");
    else
        assert_string_not_equal(buf_view(problems), "");
    assert_int_equal(unlink("c"), 0);
    return buf_view(problems);
}

TEST(an_empty_file_gives_the_defaults)
{
    Config config;
    Buf problems;
    buf_init(&problems, CONFIG_PROBLEMS_MAX);
    assert_string_equal(load(&config, &problems, ""), "");
    assert_string_equal(config.account.url, "https://lichess.org");
    assert_string_equal(config.account.token_file, "");
    assert_int_equal(config.engine.threads, 0);
    assert_int_equal(config.engine.hash_mib, 256);
    assert_int_equal(config.game.engine.overhead_ms, CONFIG_AUTO);
    assert_int_equal(config.games.concurrency, 1);
    assert_int_equal(config.game.games.abort_after_s, 30);
    assert_true(config.game.challenge.accept);
    assert_int_equal(config.game.challenge.variants, VARIANTS_ALL);
    assert_string_equal(config.game.engine.external, "all");
    assert_int_equal(config.external_count, 0);
    assert_false(config_set_has(config.game.challenge.speeds, SPEED_CORRESPONDENCE));
    assert_true(config_set_has(config.game.challenge.opponents, KIND_BOT));
    assert_int_equal(config.game.challenge.max_increment_s, 180);
    assert_int_equal(config.game.online.services.count, 0);
    assert_int_equal(config.game.online.games, EXPLORER_MASTERS);
    assert_string_equal(config.online_urls[ONLINE_EXPLORER], "https://explorer.lichess.org");
    assert_int_equal(config.log.level, LEVEL_INFO);
    config_release(&config);
    buf_release(&problems);
}

TEST(every_key_reads_its_value)
{
    Config config;
    Buf problems;
    buf_init(&problems, CONFIG_PROBLEMS_MAX);
    assert_string_equal(
        load(&config, &problems,
             "[account]\nurl = http://127.0.0.1:8080/\ntoken_file = /etc/t\n"
             "ca_file = ca.pem\n"
             "[engine]\nthreads = 4\nhash = 16\nmove_overhead = 50\nnodes = 1000\n"
             "depth = 7\nmovetime = 20\n"
             "[games]\nconcurrency = 8\nabort_after = 0\ntakebacks = 2\n"
             "claim = draw\n"
             "[draw]\noffer = no\naccept = no\nmax_eval = 20\nmoves = 4\n"
             "from_move = 50\nmax_pieces = 7\ntablebase = no\nopponents = bot\n"
             "opponent_clock = 30\n"
             "[chat]\nenabled = no\nhello = Hi {opponent}\n"
             "hello_spectators = Hi all\ngoodbye = Bye\n"
             "goodbye_spectators = Bye all\ncommands = help, ping\n"
             "reply = rules: Be nice.\nreply = Who: Me.\n"
             "[resign]\nenabled = yes\nscore = 900\nmoves = 3\ntablebase = no\n"
             "opponents = human\nopponent_clock = 0\n"
             "[challenge]\naccept = no\nvariants = chess960\n"
             "speeds = rapid,classical blitz\nmodes = rated\nopponents = human\n"
             "min_base = 60\nmax_base = 600\nmin_increment = 1\nmax_increment = 9\n"
             "min_rating = 1500\nmax_rating = 2500\n"
             "block_list = https://a.org/x?y=1 http://127.0.0.1:80/b\n"
             "block_list = https://c.org\nallow_list = https://d.org/\n"
             "list_refresh = 5\n"
             "rating_difference = 300\nprovisional = no\nno_abort = yes\n"
             "games_per_opponent = 1\ngames_per_hour = 4\ngames_per_day = 9\n"
             "human_slots = 2\npriority = 3\nprefer = bot, rating\n"
             "allow = Zoe, adam\nallow = Bea-2\nblock = Mallory\n"
             "[online]\nservices = explorer, chessdb, cloud tablebase\n"
             "min_clock = 5\ndeadline = 700\nmax_misses = 2\nmax_ply = 12\n"
             "min_depth = 33\nmax_drop = 15\nexplorer_games = player\nexplorer_player = Zoe\n"
             "min_games = 7\nexplorer_choice = score\nexplorer_url = https://e.org:1/\n"
             "cloud_url = https://c.org\nchessdb_url = https://d.org\n"
             "tablebase_url = https://t.org\n"
             "[log]\nlevel = debug\n"),
        "");
    static const OnlineService asked[] = { ONLINE_EXPLORER, ONLINE_CHESSDB, ONLINE_CLOUD,
                                           ONLINE_TABLEBASE };
    const OnlineSettings *online = &config.game.online;
    assert_int_equal(online->services.count, 4);
    for (int i = 0; i < 4; i++)
        assert_int_equal(online->services.at[i], asked[i]);
    assert_int_equal(online->min_clock_s, 5);
    assert_int_equal(online->deadline_ms, 700);
    assert_int_equal(online->misses, 2);
    assert_int_equal(online->max_ply, 12);
    assert_int_equal(online->min_depth, 33);
    assert_int_equal(online->max_drop_cp, 15);
    assert_int_equal(online->games, EXPLORER_PLAYER);
    assert_string_equal(online->player, "Zoe");
    assert_int_equal(online->min_games, 7);
    assert_int_equal(online->choice, PICK_SCORE);
    assert_string_equal(config.online_urls[ONLINE_EXPLORER], "https://e.org:1");
    assert_string_equal(config.online_urls[ONLINE_CLOUD], "https://c.org");
    assert_string_equal(config.online_urls[ONLINE_CHESSDB], "https://d.org");
    assert_string_equal(config.online_urls[ONLINE_TABLEBASE], "https://t.org");
    assert_string_equal(config.account.url, "http://127.0.0.1:8080");
    assert_string_equal(config.account.token_file, "/etc/t");
    assert_string_equal(config.account.ca_file, "ca.pem");
    assert_int_equal(config.engine.threads, 4);
    assert_int_equal(config.engine.hash_mib, 16);
    assert_int_equal(config.game.engine.overhead_ms, 50);
    assert_int_equal(config.game.engine.nodes, 1000);
    assert_int_equal(config.game.engine.depth_plies, 7);
    assert_int_equal(config.game.engine.movetime_ms, 20);
    assert_int_equal(config.games.concurrency, 8);
    assert_int_equal(config.game.games.abort_after_s, 0);
    assert_int_equal(config.game.games.takebacks, 2);
    assert_false(config.game.chat.enabled);
    assert_string_equal(config.game.chat.hello, "Hi {opponent}");
    assert_string_equal(config.game.chat.hello_spectators, "Hi all");
    assert_string_equal(config.game.chat.goodbye, "Bye");
    assert_string_equal(config.game.chat.goodbye_spectators, "Bye all");
    assert_int_equal(config.game.chat.commands, 1 << CHAT_HELP | 1 << CHAT_PING);
    assert_int_equal(config.game.chat.replies.count, 2);
    assert_string_equal(config.game.chat.replies.at[1].word, "who");
    assert_int_equal(config.game.games.claim, CLAIM_DRAW);
    static const DrawSettings draw = { .human = SWITCH_AUTO,
                                       .score_cp = 20,
                                       .moves = 4,
                                       .from_move = 50,
                                       .pieces = 7,
                                       .opponents = 1 << KIND_BOT,
                                       .opponent_clock_s = 30 };
    static const ResignSettings resign = {
        .enabled = true, .score_cp = 900, .moves = 3, .opponents = 1 << KIND_HUMAN
    };
    assert_memory_equal(&config.game.draw, &draw, sizeof draw);
    assert_memory_equal(&config.game.resign, &resign, sizeof resign);
    assert_false(config.game.challenge.accept);
    assert_int_equal(config.game.challenge.variants, 1 << VARIANT_CHESS960);
    assert_int_equal(config.game.challenge.speeds,
                     1 << SPEED_RAPID | 1 << SPEED_CLASSICAL | 1 << SPEED_BLITZ);
    assert_int_equal(config.game.challenge.modes, 1 << MODE_RATED);
    assert_int_equal(config.game.challenge.opponents, 1 << KIND_HUMAN);
    assert_int_equal(config.game.challenge.min_base_s, 60);
    assert_int_equal(config.game.challenge.max_base_s, 600);
    assert_int_equal(config.game.challenge.min_increment_s, 1);
    assert_int_equal(config.game.challenge.max_increment_s, 9);
    assert_int_equal(config.game.challenge.min_rating, 1500);
    assert_int_equal(config.game.challenge.max_rating, 2500);
    assert_int_equal(config.challenge.block_list.count, 3);
    assert_string_equal(config.challenge.block_list.at[1], "http://127.0.0.1:80/b");
    assert_string_equal(config.challenge.allow_list.at[0], "https://d.org/");
    assert_int_equal(config.challenge.list_refresh_min, 5);
    assert_int_equal(config.game.challenge.rating_difference, 300);
    assert_false(config.game.challenge.provisional);
    assert_true(config.game.challenge.no_abort);
    assert_int_equal(config.game.challenge.games_per_opponent, 1);
    assert_int_equal(config.game.challenge.games_per_hour, 4);
    assert_int_equal(config.game.challenge.games_per_day, 9);
    assert_int_equal(config.challenge.human_slots, 2);
    assert_int_equal(config.game.challenge.priority, 3);
    assert_int_equal(config.game.challenge.prefer, 1 << PREFER_BOT | 1 << PREFER_RATING);
    assert_int_equal(config.game.challenge.allow.count, 3);
    assert_true(user_list_has(&config.game.challenge.allow, text_of("adam")));
    assert_true(user_list_has(&config.game.challenge.allow, text_of("bea-2")));
    assert_true(user_list_has(&config.game.challenge.allow, text_of("zoe")));
    assert_false(user_list_has(&config.game.challenge.allow, text_of("zo")));
    assert_false(user_list_has(&config.game.challenge.allow, text_of("zoey")));
    assert_false(user_list_has(&config.game.challenge.allow, (Text){ 0 }));
    assert_true(user_list_has(&config.game.challenge.block, text_of("mallory")));
    assert_int_equal(config.log.level, LEVEL_DEBUG);
    config_release(&config);
    buf_release(&problems);
}

TEST(each_web_service_may_have_limits_of_its_own)
{
    Config config;
    Buf problems;
    buf_init(&problems, CONFIG_PROBLEMS_MAX);
    assert_string_equal(load(&config, &problems,
                             "[online]\n"
                             "tablebase_min_clock = 1\ncloud_min_clock = 2\n"
                             "explorer_min_clock = 3\nchessdb_min_clock = 4\n"
                             "tablebase_deadline = 11\ncloud_deadline = 12\n"
                             "explorer_deadline = 13\nchessdb_deadline = 14\n"),
                        "");
    static const OnlineService order[] = { ONLINE_TABLEBASE, ONLINE_CLOUD, ONLINE_EXPLORER,
                                           ONLINE_CHESSDB };
    for (int i = 0; i < ONLINE_SERVICE_COUNT; i++) {
        assert_int_equal(config.game.online.min_clock_of_s[order[i]], 1 + i);
        assert_int_equal(config.game.online.deadline_of_ms[order[i]], 11 + i);
    }
    config_release(&config);
    buf_release(&problems);
}

TEST(external_engines_are_read_in_the_files_order)
{
    Config config;
    Buf problems;
    buf_init(&problems, CONFIG_PROBLEMS_MAX);
    assert_string_equal(
        load(&config, &problems,
             "[engine]\nexternal = fairy\n"
             "[engine.external]\ncommand = /usr/games/stockfish\noption.Skill Level = 3\n"
             "option.SyzygyPath =\nponder = yes\nsandbox = no\nstderr = none\nmovetime = 100\n"
             "[engine.external fairy]\ncommand = fairy-stockfish --x\n"
             "variants = atomic, horde\nnodes = 5000\ndepth = 9\n"
             "[rule bots]\nwhen.kind = bot\nengine.external = external, fairy\n"),
        "");
    assert_int_equal(config.external_count, 2);
    const ExternalConfig *first = &config.externals[0], *second = &config.externals[1];
    assert_string_equal(first->name, "external");
    assert_string_equal(first->command, "/usr/games/stockfish");
    assert_int_equal(first->variants, VARIANTS_OF_CHESS);
    assert_true(first->ponder);
    assert_false(first->sandbox);
    assert_true(second->sandbox);
    assert_int_equal(first->errors, EXTERNAL_ERRORS_NONE);
    assert_int_equal(first->movetime_ms, 100);
    assert_int_equal(first->setting_count, 2);
    assert_string_equal(first->settings[0].name, "Skill Level");
    assert_string_equal(first->settings[0].value, "3");
    assert_string_equal(first->settings[1].value, "");
    assert_string_equal(second->name, "fairy");
    assert_int_equal(second->variants, 1 << VARIANT_ATOMIC | 1 << VARIANT_HORDE);
    assert_int_equal(second->errors, EXTERNAL_ERRORS_LOG);
    assert_int_equal(second->nodes, 5000);
    assert_int_equal(second->depth_plies, 9);
    assert_true(external_is_named(config.game.engine.external, "fairy"));
    assert_false(external_is_named(config.game.engine.external, "external"));
    config_release(&config);
    buf_release(&problems);
}

TEST(each_problem_names_file_line_and_reason)
{
    static const struct {
        const char *in, *out;
    } rows[] = {
        { "[games]\nconcurrency = 99\n", "c:2: concurrency = 99: not within 1..64\n" },
        { "[games]\nconcurrency = many\n", "c:2: concurrency = many: not a whole number\n" },
        { "[games]\nconcurrency =\n", "c:2: concurrency = : not a whole number\n" },
        { "[engine]\nmove_overhead = fast\n",
          "c:2: move_overhead = fast: not a whole number, nor \"auto\"\n" },
        { "[engine]\nhash = 0\n", "c:2: hash = 0: not within 1..1048576\n" },
        { "[engine]\nhash = 99999999999999999999\n",
          "c:2: hash = 99999999999999999999: not within 1..1048576\n" },
        { "[challenge]\naccept = true\n", "c:2: accept = true: neither yes nor no\n" },
        { "[challenge]\nmodes =\n", "c:2: modes = : an empty list\n" },
        { "[challenge]\nvariants = standard, atomik\n",
          "c:2: variants = standard, atomik: \"atomik\" is none of: standard, chess960, "
          "fromPosition, antichess, atomic, crazyhouse, horde, kingOfTheHill, racingKings, "
          "threeCheck; did you mean \"atomic\"?\n" },
        { "[tournaments]\njoin = AbCd1234 passwort=sesame\n",
          "c:2: join = …: a word that is neither password=WORD nor team=ID\n" },
        { "[tournaments]\nteams = bots, a/b\n",
          "c:2: teams = bots, a/b: \"a/b\" is no team's id or address\n" },
        { "[engine.external]\nnodes = 1\n", "c:1: engine external has no command\n" },
        { "[engine.external a]\n[log]\n", "c:1: engine a has no command\n" },
        { "[engine.external a]\ncommand = a\n[engine.external a]\ncommand = b\n",
          "c:3: engine a is given twice; first in line 1\n" },
        { "[engine.external none]\n", "c:1: no engine can be called \"none\"\n" },
        { "[engine.external a b]\n", "c:1: no engine can be called \"a b\"\n" },
        { "[engine.external a]\ncommand = a\ncomand = b\n",
          "c:3: unknown key \"comand\" of engine a; did you mean \"command\"?\n" },
        { "[engine.external a]\ncommand = a\nzzz = b\n",
          "c:3: unknown key \"zzz\" of engine a; the engine's own options are option.NAME\n" },
        { "[engine.external a]\ncommand = a\ncommand = b\n",
          "c:3: command is given twice; first in line 2\n" },
        { "[engine.external a]\ncommand = a\nnodes = -1\n",
          "c:3: nodes = -1: not within 0..1000000000000\n" },
        { "[engine.external a]\ncommand = a\nvariants = chess\n",
          "c:3: variants = chess: \"chess\" is none of: standard, chess960, fromPosition, "
          "antichess, atomic, crazyhouse, horde, kingOfTheHill, racingKings, threeCheck\n" },
        { "[engine.external a]\ncommand = a\noption. = 1\n",
          "c:3: option.NAME needs a name of 1 to 63 bytes\n" },
        { "[engine.external a]\ncommand = a\noption.Hash = 1\noption.Hash = 2\n",
          "c:4: option.Hash is given twice; first in line 3\n" },
        { "[engine]\nexternal = sf, lc0\n[engine.external lc]\ncommand = a\n",
          "c:2: there is no [engine.external sf]\n" },
        { "[engine]\nexternal = lc0\n[engine.external lc]\ncommand = a\n",
          "c:2: there is no [engine.external lc0]; did you mean \"lc\"?\n" },
        { "[rule weak]\nengine.external = nonee\n",
          "c:2: there is no [engine.external nonee]; did you mean \"none\"?\n" },
        { "[challenge]\nspeeds = blits\n",
          "c:2: speeds = blits: \"blits\" is none of: bullet, blitz, rapid, classical, "
          "correspondence; did you mean \"blitz\"?\n" },
        { "[challenge]\nblock = a b!\n", "c:2: block = a b!: \"a\" is no user name\n" },
        { "[online]\nservices = cloud, explorer, cloud\n",
          "c:2: services = cloud, explorer, cloud: \"cloud\" stands there twice\n" },
        { "[online]\nservices = clout\n",
          "c:2: services = clout: \"clout\" is none of: tablebase, cloud, explorer, chessdb; did "
          "you mean \"cloud\"?\n" },
        { "[log]\nlevel = loud\n",
          "c:2: level = loud: \"loud\" is none of: error, warning, info, debug\n" },
        { "[account]\nurl = lichess.org\n",
          "c:2: url = lichess.org: not a URL: it must begin with https://\n" },
        { "[account]\nurl = http://lichess.org\n",
          "c:2: url = http://lichess.org: only https:// leaves this machine (http:// is for "
          "loopback)\n" },
        { "[account]\nurl = http://localhost.evil.org\n",
          "c:2: url = http://localhost.evil.org: only https:// leaves this machine (http:// is "
          "for loopback)\n" },
        { "[account]\nurl = https://a/b\n",
          "c:2: url = https://a/b: not a URL: https://host or https://host:port, no path\n" },
        { "[account]\nurl = https://me@lichess.org\n",
          "c:2: url = https://me@lichess.org: not a URL: https://host or https://host:port, no "
          "path\n" },
        { "[account]\nurl = https://\n",
          "c:2: url = https://: not a URL: https://host or https://host:port\n" },
        { "[account]\nurl = https://a:70000\n",
          "c:2: url = https://a:70000: not a URL: its port is not within 1..65535\n" },
        { "[account]\nurl = https://a:0\n",
          "c:2: url = https://a:0: not a URL: its port is not within 1..65535\n" },
        { "[account]\nurl = https://a:\n",
          "c:2: url = https://a:: not a URL: https://host or https://host:port, no path\n" },
        { "[account]\nurl = HTTPS://a\n",
          "c:2: url = HTTPS://a: not a URL: https://host or https://host:port, no path\n" },
        { "[account]\nurl = https://a?b\n",
          "c:2: url = https://a?b: not a URL: https://host or https://host:port, no path\n" },
        { "[gamse]\nconcurrency = 1\n", "c:1: unknown section [gamse]; did you mean [games]?\n" },
        { "[pairing]\n", "c:1: unknown section [pairing]\n" },
        { "[account]\ntoken = lip_abcdefgh\nurl = lip_abcdefgh\ntoken_file = lip_abcdefgh\n",
          "c:2: a token stands here: move it into a file of its own (chmod 600) and name that file "
          "in token_file\n"
          "c:3: a token stands here: move it into a file of its own (chmod 600) and name that file "
          "in token_file\n"
          "c:4: a token stands here: move it into a file of its own (chmod 600) and name that file "
          "in token_file\n" },
        { "[lip_abcdefgh]\n[account]\nlip_abcdefgh = 1\n",
          "c:1: unknown section [************]\n"
          "c:3: unknown key \"************\" in [account]\n" },
        { "[games]\nconcurency = 1\n",
          "c:2: unknown key \"concurency\" in [games]; did you mean \"concurrency\"?\n" },
        { "[games]\nhash = 1\n",
          "c:2: unknown key \"hash\" in [games]; it belongs into [engine]\n" },
        { "[games]\nfrobnicate = 1\n", "c:2: unknown key \"frobnicate\" in [games]\n" },
        { "[Games]\n", "c:1: unknown section [Games]; did you mean [games]?\n" },
        { "hash = 1\n", "c:1: a key before the first [section]\n" },
        { "[games]\ntakebacks = 1\n\ntakebacks = 2\n",
          "c:4: takebacks is given twice; first in line 2\n" },
        { "[challenge]\nmin_base = 300\nmax_base = 60\n",
          "c:3: min_base = 300 is more than max_base = 60\n" },
        { "[challenge]\nmin_increment = 181\n", "c:2: min_increment = 181: not within 0..180\n" },
        { "[challenge]\nblock_list = a.org/list\n",
          "c:2: block_list = a.org/list: \"a.org/list\" is no address that begins with "
          "https://, and no path from / on\n" },
        { "[challenge]\nblock_list = http://a.org/list\n",
          "c:2: block_list = http://a.org/list: \"http://a.org/list\" is no address that begins "
          "with https://, and no path from / on\n" },
        { "[challenge]\nblock_list = http://localhost.a.org/\n",
          "c:2: block_list = http://localhost.a.org/: \"http://localhost.a.org/\" is no address "
          "that begins with https://, and no path from / on\n" },
        { "[challenge]\nblock_list = https://me:pw@a.org/\n",
          "c:2: block_list = https://me:pw@a.org/: \"https://me:pw@a.org/\" is no address that "
          "begins with https://, and no path from / on\n" },
        { "[challenge]\nallow_list = https://\n",
          "c:2: allow_list = https://: \"https://\" is no address that begins with https://, and "
          "no path from / on\n" },
        { "[rule]\n", "c:1: a rule needs a name: [rule NAME]\n" },
        { "[rule a]\n[rule b]\n[rule a]\n", "c:3: [rule a] is given twice; first in line 1\n" },
        { "[rule a]\nwhen.sped = blitz\n",
          "c:2: unknown key \"when.sped\" in [rule a]; did you mean \"when.speed\"?\n" },
        { "[rule a]\nengine.nods = 1\n",
          "c:2: unknown key \"engine.nods\" in [rule a]; did you mean \"engine.nodes\"?\n" },
        { "[rule a]\nzzz = 1\n",
          "c:2: unknown key \"zzz\" in [rule a]; a rule has when.CONDITION and SECTION.KEY\n" },
        { "[rule a]\nengine.threads = 1\n",
          "c:2: engine.threads is the same for all games: a rule cannot change it\n" },
        { "[rule a]\nengine.nodes = few\n", "c:2: engine.nodes = few: not a whole number\n" },
        { "[rule a]\nengine.nodes = 1\n\nengine.nodes = 2\n",
          "c:4: engine.nodes is given twice; first in line 2\n" },
        { "[rule a]\nwhen.rated = maybe\n",
          "c:2: when.rated = maybe: \"maybe\" is none of: no, yes\n" },
        { "[rule a]\nwhen.rated = yes\nwhen.rated = no\n",
          "c:3: when.rated is given twice; first in line 2\n" },
        { "[rule a]\nwhen.rating_difference = -5001..0\n",
          "c:2: when.rating_difference = -5001..0: no range from..to within -5000..5000\n" },
        { "[rule a]\nwhen.rating = 2000..1500\n",
          "c:2: when.rating = 2000..1500: no range from..to within 0..5000\n" },
        { "[matchmaking]\nclocks = 3+2, 2.5+0\n",
          "c:2: clocks = 3+2, 2.5+0: Lichess has no clock 2.5+0: the nearest are 2+0 and 3+0\n" },
        { "[rule a]\nwhen.clock = 3:2\n",
          "c:2: when.clock = 3:2: \"3:2\" is no clock: minutes+seconds, or from..to, like 3+2 or "
          "0.5+0..2+1, or days a move, like 2 days\n" },
        { "[rule a]\nwhen.position = rnb\n",
          "c:2: when.position = rnb: \"rnb\" is no FEN, nor the beginning of one\n" },
        { "[rule a]\nchallenge.max_base = 60\n[challenge]\nmin_base = 300\n",
          "c:2: min_base = 300 is more than max_base = 60\n" },
        { "[games\nconcurrency = 99\n", "c:1: a section needs a closing ]\n" },
        { "[games]\nconcurrency\n", "c:2: neither [section] nor key = value\n" },
    };
    Config config;
    Buf problems;
    buf_init(&problems, CONFIG_PROBLEMS_MAX);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_string_equal(load(&config, &problems, rows[i].in), rows[i].out);
    buf_release(&problems);
}

TEST(all_problems_come_at_once)
{
    Config config;
    Buf problems;
    buf_init(&problems, CONFIG_PROBLEMS_MAX);
    assert_string_equal(load(&config, &problems,
                             "[engine]\nhahs = 1\nthreads = -1\n[nosuch]\nx = 1\n[games]\n"
                             "concurrency = 0\nnonsense\n"),
                        "c:2: unknown key \"hahs\" in [engine]; did you mean \"hash\"?\n"
                        "c:3: threads = -1: not within 0..256\n"
                        "c:4: unknown section [nosuch]\n"
                        "c:7: concurrency = 0: not within 1..64\n"
                        "c:8: neither [section] nor key = value\n");
    buf_release(&problems);
}

TEST(a_file_full_of_problems_is_told_as_far_as_there_is_room)
{
    Config config;
    Buf text, problems;
    buf_init(&text, 1 << 20);
    buf_init(&problems, 1000);
    for (int i = 0; i < 20000; i++)
        assert_true(buf_put_text(&text, "x\n"));
    load(&config, &problems, buf_view(&text));
    assert_in_range(problems.len, 900, 1000);
    assert_int_equal(problems.text[problems.len - 1], '\n');
    buf_release(&problems);
    buf_release(&text);
}

TEST(a_file_of_ten_megabytes_is_refused_at_once)
{
    Config config;
    Buf problems;
    buf_init(&problems, CONFIG_PROBLEMS_MAX);
    assert_int_equal(chdir(folder), 0);
    FILE *file = fopen("c", "wb");
    assert_non_null(file);
    for (int i = 0; i < 10 << 20; i += 16)
        assert_int_equal(fwrite("hash = 16      \n", 1, 16, file), 16);
    assert_int_equal(fclose(file), 0);
    clock_t began = clock();
    assert_false(config_load(&config, "c", &problems));
    assert_true(clock() - began < CLOCKS_PER_SEC / 2);
    assert_non_null(strstr(buf_view(&problems), "larger than 1048576 bytes"));
    assert_int_equal(unlink("c"), 0);
    buf_release(&problems);
}

/* As many as there may be, in the worst order: a reload reads them while games are played. */
TEST(ten_thousand_users_are_read_in_a_moment)
{
    enum { A_LINE = 200 };
    Config config;
    Buf text, problems;
    buf_init(&text, 1 << 20);
    buf_init(&problems, CONFIG_PROBLEMS_MAX);
    assert_true(buf_put_text(&text, "[challenge]"));
    for (int i = USER_LIST_MAX; i-- > 0;)
        assert_true(
            buf_printf(&text, "%suser%05d", (i + 1) % A_LINE == 0 ? "\nblock = " : ", ", i));
    assert_true(buf_put_text(&text, "\n"));
    clock_t began = clock();
    assert_string_equal(load(&config, &problems, buf_view(&text)), "");
    print_message("%ld ms\n", (long)(clock() - began) * 1000 / CLOCKS_PER_SEC);
    assert_true(clock() - began < CLOCKS_PER_SEC / 2);
    assert_int_equal(config.game.challenge.block.count, USER_LIST_MAX);
    assert_true(user_list_has(&config.game.challenge.block, text_of("user00000")));
    assert_true(user_list_has(&config.game.challenge.block, text_of("user09999")));
    assert_false(user_list_has(&config.game.challenge.block, text_of("user10000")));
    config_release(&config);
    buf_release(&problems);
    buf_release(&text);
}

TEST(a_missing_file_is_a_problem)
{
    Config config;
    Buf problems;
    buf_init(&problems, CONFIG_PROBLEMS_MAX);
    assert_false(config_load(&config, "/nowhere/c", &problems));
    assert_string_equal(buf_view(&problems),
                        "/nowhere/c: cannot open: No such file or directory\n");
    buf_reset(&problems);
    assert_false(config_load(&config, "/tmp", &problems));
    assert_string_equal(buf_view(&problems), "/tmp: cannot read: Is a directory\n");
    buf_release(&problems);
}

TEST(every_default_reads_back_as_it_is_written)
{
    Config config;
    config_init(&config);
    size_t count;
    const KeySpec *keys = schema_keys(&count);
    assert_true(count > 20);
    for (size_t i = 0; i < count; i++) {
        Buf value;
        buf_init(&value, 1000);
        assert_true(key_write(&keys[i], key_at(&keys[i], &config), &value));
        assert_string_equal(buf_view(&value), keys[i].standard);
        assert_ptr_equal(schema_find(keys[i].section, keys[i].name), &keys[i]);
        assert_true(strlen(keys[i].help) > 0);
        buf_release(&value);
    }
    config_release(&config);
}

TEST(shareable_problems_name_neither_people_nor_folders)
{
    char path[] = "/tmp/castled-config-XXXXXX";
    int fd = mkstemp(path);
    static const char text[] = "[challenge]\nblock = bob private, carol!!\nmin_base = x\n"
                               "[rule a]\nwhen.opponent = carol!!\n";
    assert_int_equal(write(fd, text, sizeof text - 1), sizeof text - 1);
    close(fd);
    Config config;
    Buf problems;
    buf_init(&problems, CONFIG_PROBLEMS_MAX);
    assert_false(config_load_shareable(&config, path, &problems));
    const char *name = path + sizeof "/tmp/" - 1;
    char expected[300];
    assert_true(snprintf(expected, sizeof expected,
                         "%s:2: block = (not shown): not a value for it\n"
                         "%s:3: min_base = x: not a whole number\n"
                         "%s:5: when.opponent = (not shown): not a value for it\n",
                         name, name, name) > 0);
    assert_string_equal(buf_view(&problems), expected);
    buf_release(&problems);
    unlink(path);
}

TEST(the_example_with_all_keys_set_is_the_default)
{
    Buf text, problems;
    Config config, standard;
    buf_init(&text, 1 << 20);
    buf_init(&problems, CONFIG_PROBLEMS_MAX);
    assert_true(example_write(&text));
    for (char *c = text.text; *c; c++) /* "#key = value" lines come alive, "# help" stays */
        if (*c == '#' && c[1] != ' ' && (c == text.text || c[-1] == '\n'))
            *c = ' ';
    assert_string_equal(load(&config, &problems, buf_view(&text)), "");
    config_init(&standard);
    assert_memory_equal(&config, &standard, sizeof config);
    config_release(&config);
    config_release(&standard);
    buf_release(&text);
    buf_release(&problems);
}

TEST(the_file_is_looked_for_where_the_manual_says)
{
    char path[4096], expected[4096];
    Error err = { 0 };
    assert_int_equal(chdir(folder), 0);
    setenv("HOME", folder, 1);
    unsetenv("XDG_CONFIG_HOME");

    assert_true(config_place_find("mine.conf", path, sizeof path, NULL));
    assert_string_equal(path, "mine.conf");
    assert_false(config_place_find("mine.conf", path, 5, NULL));

    if (access("/etc/castled/castled.conf", F_OK) != 0) {
        assert_false(config_place_find(NULL, path, sizeof path, &err));
        assert_non_null(strstr(err.text, "/etc/castled/castled.conf"));
    }
    assert_int_equal(mkdir(".config", 0700), 0);
    assert_int_equal(mkdir(".config/castled", 0700), 0);
    put_file(".config/castled/castled.conf", "");
    assert_true(config_place_find(NULL, path, sizeof path, NULL));
    assert_true(snprintf(expected, sizeof expected, "%s/.config/castled/castled.conf", folder) > 0);
    assert_string_equal(path, expected);

    assert_int_equal(mkdir("xdg", 0700), 0);
    assert_int_equal(mkdir("xdg/castled", 0700), 0);
    put_file("xdg/castled/castled.conf", "");
    assert_true(snprintf(expected, sizeof expected, "%s/xdg", folder) > 0);
    setenv("XDG_CONFIG_HOME", expected, 1);
    assert_true(config_place_find(NULL, path, sizeof path, NULL));
    assert_true(snprintf(expected, sizeof expected, "%s/xdg/castled/castled.conf", folder) > 0);
    assert_string_equal(path, expected);

    unlink("xdg/castled/castled.conf");
    rmdir("xdg/castled");
    rmdir("xdg");
    unlink(".config/castled/castled.conf");
    rmdir(".config/castled");
    rmdir(".config");
}

TEST(paths_of_a_list_come_one_by_one)
{
    char path[CONFIG_TEXT_SIZE];
    Text rest = text_of(":/a b.bin::/c.bin:");
    assert_true(config_next_path(&rest, path));
    assert_string_equal(path, "/a b.bin");
    assert_true(config_next_path(&rest, path));
    assert_string_equal(path, "/c.bin");
    assert_false(config_next_path(&rest, path));
}

TESTS_IN(make_folder, drop_folder)
