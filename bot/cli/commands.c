/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/cli/commands.h"

#include "bot/config/did_you_mean.h"

#include <ctype.h>
#include <string.h>

static const CommandWord json_word[] = {
    { "--json", "print JSON, for programs" },
    { NULL, NULL },
};

static const CommandWord status_words[] = {
    { "--json", "print JSON, for programs" },
    { "--health", "print nothing, and end with status 69 where castled is not online: for health "
                  "checks" },
    { NULL, NULL },
};

static const CommandWord run_words[] = {
    { "--for TIME", "play so long, such as 5h45m: no game begins that should take longer than is "
                    "left, and at the end castled drains: it finishes its games and ends" },
    { "--drain", "drain at the first SIGTERM, and stop at the second; for containers" },
    { "--deadline TIME", "end so long after the drain began even if games still run; default: "
                         "finish them, however long they take" },
    { "--record FILE", "keep what the server sends in FILE, up to 64 MiB, for its owner only: no "
                       "chat and no token, but names and moves. FILE must not exist yet" },
    { NULL, NULL },
};

static const CommandWord filter_words[] = {
    { "--opponent NAME", "only games against this player" },
    { "--account NAME", "only games of this account of ours, where several share a database" },
    { "--humans, --bots", "only games against people, or against bots" },
    { "--won, --lost, --drawn", "only games that ended like this for us" },
    { "--rated, --casual", "only rated games, or only casual ones" },
    { "--variant VARIANT", "only this variant, such as chess960" },
    { "--speed SPEED", "only this speed, such as blitz" },
    { "--since DATE, --until DATE", "only games from this day on, or up to it (UTC, YYYY-MM-DD)" },
    { "--limit N", "at most N games, or in castled stats at most N lines of a table" },
    { NULL, NULL },
};

static const CommandWord check_words[] = {
    { "--notify", "also send a trial alert by the ways of [notify]" },
    { "--show",
      "only print the configuration as it holds, each value with where it comes from: "
      "the file's line, a default, the environment, a rule. Without token and passwords" },
    { NULL, NULL },
};

static const CommandWord human_words[] = {
    { "--check FILE", "the network's file, such as maia-1500.pb.gz" },
    { NULL, NULL },
};

static const CommandWord login_words[] = {
    { "--token-file FILE", "where the token goes; default: as token_file says, else for root "
                           "where the service looks for it, else the state directory" },
    { "--port PORT", "port on 127.0.0.1 for the browser's answer; default: any" },
    { "--timeout SECONDS", "how long to wait for consent; default: 600" },
    { NULL, NULL },
};

static const CommandWord upgrade_words[] = {
    { "--yes", "do not ask whether the account's name is right" },
    { NULL, NULL },
};

static const CommandWord explain_words[] = {
    { "FILE", "the challenge as the event stream sends it, in JSON; -: standard input" },
    { NULL, NULL },
};

static const CommandWord watch_words[] = {
    { "GAME", "only this game: its id, how that begins, or latest for the game that began last" },
    { NULL, NULL },
};

static const CommandWord drain_words[] = {
    { "--deadline SECONDS", "stop after this time even if games still run" },
    { NULL, NULL },
};

static const CommandWord game_words[] = {
    { "GAME", "its id, how that begins, or latest for the game that began last; default: the only "
              "one" },
    { NULL, NULL },
};

static const CommandWord say_words[] = {
    { "GAME", "its id, how that begins, or latest for the game that began last" },
    { "TEXT", "at most 140 characters" },
    { NULL, NULL },
};

static const CommandWord level_words[] = {
    { "LEVEL", "error, warning, info or debug" },
    { NULL, NULL },
};

static const CommandWord challenge_words[] = {
    { "USER CLOCK", "whom to challenge, and to what: minutes + seconds, such as 3+2" },
    { "rated, casual", "which kind of game; default: casual" },
    { "VARIANT", "such as chess960; default: standard" },
    { "white, black", "our colour; default: by lot" },
    { "--fen FEN", "begin from this position" },
    { "--games N", "play a match of N games with colours swapped" },
    { "--at TIME", "begin then: +90 for minutes from now, or in UTC as 2030-01-31T18:00Z; the "
                   "daemon remembers it across restarts" },
    { "--again [USER]", "repeat the latest game, or the latest against USER, with colours "
                        "swapped" },
    { "--cancel NUMBER", "remove a scheduled challenge; castled status shows the numbers" },
    { NULL, NULL },
};

static const CommandWord tournament_words[] = {
    { "ID", "the tournament's id, or its address" },
    { "--password WORD", "the password of a private tournament" },
    { "--team ID", "the team to play for in a team battle" },
    { NULL, NULL },
};

static const CommandWord pgn_words[] = {
    { "ID", "the id of a game; any number of them" },
    { "--analysis", "have our engine go over the games first, on one thread: evaluations "
                    "after all moves, marks and comments where points were lost, for Lichess's "
                    "studies" },
    { NULL, NULL },
};

static const CommandWord stats_words[] = {
    { "--by TABLE", "one table: all, kind, colour, speed, clock, variant, opponent, opening, "
                    "variation, reason, book, month, week, time, losses or engine" },
    { "--compare A B",
      "two versions of external engines, by a part of what --by engine calls "
      "them: performance, difference with its 95 %, likelihood that A is stronger" },
    { "--format FORMAT", "table, csv (with a head), or json (a line for each row); default: "
                         "table" },
    { NULL, NULL },
};

static const CommandWord analyse_words[] = {
    { "--epd", "then print the positions of our mistakes and blunders as EPD, in all games of the "
               "filter: best move, move played, game, and what it cost" },
    { "--judge CMD",
      "have another UCI engine judge the positions of chess, in place of castled's" },
    { "--nodes N", "how many nodes to search for each position; games that were analysed with "
                   "fewer are analysed again; default: 200000" },
    { NULL, NULL },
};

static const CommandWord why_words[] = {
    { "GAME", "the id of a finished game, or latest; castled games lists them" },
    { "--nodes N", "how many nodes to search for each position; default: 200000" },
    { NULL, NULL },
};

static const CommandWord engine_log_words[] = {
    { "GAME", "the id of a game; castled games and castled status list them" },
    { "--follow", "go on with what is said from now on, until the game is over" },
    { NULL, NULL },
};

static const CommandWord replay_words[] = {
    { "GAME", "the id of a game; castled games lists them" },
    { "--ply N", "only what was asked for this move, 1 being the game's first; default: all" },
    { "--engine COMMAND", "to this program; default: as the engine's section says" },
    { "--of NAME", "which engine's words, where several were asked in the game" },
    { "--times N", "do it N times" },
    { "--same", "count another move than in the game as a fault" },
    { NULL, NULL },
};

static const CommandWord report_words[] = {
    { "GAME", "add what was said to external engines in this game" },
    { "--log FILE", "add the last lines of this log; -: standard input" },
    { "--output FILE", "where to write it, a file that is not there; default: a new one in the "
                       "folder that you are in" },
    { NULL, NULL },
};

static const Command commands[] = {
    { .name = "run",
      .run = cmd_run,
      .help = "play on Lichess until stopped",
      .forms = { "[--for TIME] [--drain] [--deadline TIME] [--record FILE]" },
      .text = "SIGTERM or Ctrl-C stops within two seconds and leaves games resumable; the next "
              "start resumes them. SIGHUP reads the configuration again.",
      .words = { run_words },
      .example = "castled run --record first-day.ndjson",
      .example_help = "plays in the foreground, and keeps what the server sends" },
    { .name = "init",
      .run = cmd_init,
      .help = "ask a few questions and write a first configuration",
      .text =
          "It is written to --config FILE, else to /etc/castled/castled.conf for root and to "
          "$XDG_CONFIG_HOME/castled/castled.conf for others. The answers may come from a pipe, "
          "one a line; an empty or missing one takes the default. On a terminal Ctrl-D ends it, "
          "and nothing is written. A file that is there is overwritten only after a yes, which "
          "then comes first.",
      .example = "castled init",
      .example_help = "writes a configuration, and says what to do next" },
    { .name = "check",
      .run = cmd_check,
      .help = "check configuration, engines, archive, token and account",
      .forms = { "[--show | --notify]" },
      .text =
          "One line for each, with what to do about what is wrong. External engines are "
          "started, by root as nobody, and must be ready. The archive's line says whose it is: "
          "the running daemon's, the user's own or the service's. With systemd it says what the "
          "service would miss that this user has. A warning leaves the exit status as it is.",
      .words = { check_words },
      .example = "castled check",
      .example_help = "shows whether castled run would work" },
    { .name = "login",
      .run = cmd_login,
      .help = "get a token by your consent in a browser, and keep it in a file",
      .forms = { "[--token-file FILE] [--port PORT] [--timeout SECONDS]" },
      .text = "Prints a page to open. The browser's answer comes back on 127.0.0.1. Only the "
              "file's owner can read the token.",
      .words = { login_words },
      .example = "castled --instance alba login",
      .example_help = "gets a token for castled@alba.service, which looks for it there" },
    { .name = "upgrade",
      .run = cmd_upgrade,
      .help = "make the token's account a BOT account, which cannot be undone",
      .forms = { "[--yes]" },
      .text = "The account must never have played a game.",
      .words = { upgrade_words },
      .example = "castled upgrade",
      .example_help = "shows the account's name, and asks first" },
    { .name = "human",
      .run = cmd_human,
      .help = "say what a network of people's moves holds, for [engine] human",
      .forms = { "--check FILE" },
      .text = "Prints its size, what its makers say of its training, the likeliest first moves, "
              "and how long it takes for a position on this machine.",
      .words = { human_words },
      .example = "castled human --check maia-1500.pb.gz",
      .example_help = "reads this network and tries it" },
    { .name = "explain",
      .run = cmd_explain,
      .help = "show which rules hold for a challenge, and what castled would answer",
      .forms = { "FILE" },
      .words = { explain_words },
      .example = "castled explain challenge.json",
      .example_help = "explains the answer to this challenge" },
    { .name = "status",
      .run = cmd_status,
      .help = "show how the running daemon is doing",
      .forms = { "[--json | --health]" },
      .words = { status_words },
      .example = "castled status",
      .example_help = "shows games, challenges, limits and the schedule" },
    { .name = "watch",
      .run = cmd_watch,
      .help = "show the games live, on boards in the terminal",
      .forms = { "[GAME]" },
      .text = "As many boards stand side by side as fit, with their moves where there is room. "
              "Without a terminal each move is a line. "
              "With GAME it ends with that game. Evaluations are for White. Where NO_COLOR is set, "
              "or the locale is not UTF-8, pieces are letters: White's are capitals.",
      .words = { watch_words },
      .example = "castled watch",
      .example_help = "shows all games; n and p go through them, f flips the boards, q quits" },
    { .name = "drain",
      .run = cmd_drain,
      .help = "finish the games, accept no more, then stop the daemon",
      .forms = { "[--deadline SECONDS]" },
      .words = { drain_words },
      .example = "castled drain --deadline 3600",
      .example_help = "stops after the games, within an hour" },
    { .name = "resume",
      .run = cmd_resume,
      .help = "take a drain back: accept and begin games again",
      .example = "castled resume",
      .example_help = "goes on as before castled drain" },
    { .name = "reload",
      .run = cmd_reload,
      .help = "have the running daemon read its configuration again",
      .text = "Prints what has changed and what needs a restart, or what is wrong. A file with a "
              "mistake changes nothing. Games that run keep their settings.",
      .example = "castled reload",
      .example_help = "applies an edited castled.conf" },
    { .name = "abort",
      .run = cmd_abort,
      .help = "abort a game in which not both sides have moved",
      .forms = { "[GAME]" },
      .words = { game_words },
      .example = "castled abort latest",
      .example_help = "aborts the game that has just begun" },
    { .name = "resign",
      .run = cmd_resign,
      .help = "resign a game that is being played",
      .forms = { "[GAME]" },
      .text = "Lichess aborts a game in which not both sides have moved. Without GAME, and on a "
              "terminal, it asks first.",
      .words = { game_words },
      .example = "castled resign Qw8rTy2u",
      .example_help = "resigns this game, and waits until it is over" },
    { .name = "draw",
      .run = cmd_draw,
      .help = "offer a draw with our next move, or accept the opponent's",
      .forms = { "[GAME]" },
      .words = { game_words },
      .example = "castled draw Qw8r",
      .example_help = "offers a draw in the game whose id begins so" },
    { .name = "say",
      .run = cmd_say,
      .help = "say something to the opponent in a game's chat",
      .forms = { "GAME TEXT" },
      .words = { say_words },
      .example = "castled say latest 'We have to stop in ten minutes, sorry.'",
      .example_help = "says this in the game that began last" },
    { .name = "log-level",
      .run = cmd_log_level,
      .help = "have the running daemon log more or less, until the next reload",
      .forms = { "LEVEL" },
      .words = { level_words },
      .example = "castled log-level debug",
      .example_help = "logs everything from now on" },
    { .name = "challenge",
      .run = cmd_challenge,
      .help = "challenge a player, now or later, to one game or a match",
      .forms = { "USER CLOCK [rated|casual] [VARIANT] [white|black] [--fen FEN] [--games N] "
                 "[--at TIME]",
                 "--again [USER] [--games N] [--at TIME]", "--cancel NUMBER" },
      .text = "The running daemon asks. The command waits until the game has begun or the "
              "challenge has come to nothing.",
      .words = { challenge_words },
      .example = "castled challenge maia1 3+2 rated --games 4",
      .example_help = "plays a match of four rated games" },
    { .name = "tournament",
      .run = cmd_tournament,
      .help = "join or leave an arena tournament",
      .forms = { "join ID [--password WORD] [--team ID]", "leave ID" },
      .words = { tournament_words },
      .example = "castled tournament join https://lichess.org/tournament/AbCd1234",
      .example_help = "has the running daemon join this arena" },
    { .name = "games",
      .run = cmd_games,
      .help = "list finished games, the latest first",
      .forms = { "[FILTER ...] [--json]" },
      .text = "A game is listed if all the filters below hold for it. Times are UTC.",
      .words = { filter_words, json_word },
      .example = "castled games --bots --lost --limit 5",
      .example_help = "lists the latest five losses against bots" },
    { .name = "pgn",
      .run = cmd_pgn,
      .help = "print finished games as PGN, with clocks and evaluations",
      .forms = { "[ID ...] [FILTER ...] [--analysis]" },
      .words = { pgn_words, filter_words },
      .example = "castled pgn --since 2026-11-01 > november.pgn",
      .example_help = "writes the games since that day into a file" },
    { .name = "stats",
      .run = cmd_stats,
      .help = "sum up finished games: score and performance by opponent, opening and so on",
      .forms = { "[--by TABLE | --compare A B] [FILTER ...] [--format FORMAT]" },
      .text = "The performance is the rating that the score is worth against the opponents' "
              "ratings, at most 800 away "
              "from theirs. The table kind separates humans and bots, as do month and week (by its "
              "Monday). Openings have the names that Lichess gives them; variation is finer. The "
              "table book shows where our book ended and how we evaluated the position at our "
              "next move; time shows the mean time of our moves, how much of the clock a game "
              "used, and what a move cost besides searching; losses shows, by month, of the games "
              "that castled analyse went over, our accuracy, the opponents', and how much of our "
              "winning chances a game lost by each cause.",
      .words = { stats_words, filter_words, json_word },
      .example = "castled stats --by opponent --limit 10",
      .example_help = "shows the ten players met most often" },
    { .name = "why",
      .run = cmd_why,
      .help = "show where a finished game lost points, and what by",
      .forms = { "GAME [--nodes N]" },
      .text = "Shown is what castled analyse has kept of the game, or else our engine goes over it "
              "now, on one thread that makes way for games: "
              "White's chances as a curve, with ^ below our mistakes; the moves that lost "
              "winning chances, with evaluations for White, what was best, and the cause (chess, "
              "clock, book or fault); accuracy and judgements by Lichess's formulas.",
      .words = { why_words },
      .example = "castled why E3rnrDWD",
      .example_help = "explains this game" },
    { .name = "analyse",
      .run = cmd_analyse,
      .help = "have our engine go over finished games, and keep what it finds",
      .forms = { "[FILTER ...] [--judge CMD] [--nodes N] [--epd]" },
      .text = "The latest game comes first; those that have been analysed are left out. It takes "
              "one core that nobody else wants, and waits while the running daemon plays. It can "
              "be stopped (Ctrl-C) and goes on where it was. What it finds stands in the archive: "
              "why, pgn --analysis, stats and the page show it from there.",
      .words = { analyse_words, filter_words },
      .example = "castled analyse --since 2026-11-01 --lost",
      .example_help = "goes over the games lost since that day" },
    { .name = "engine-log",
      .run = cmd_engine_log,
      .help = "print what was said between castled and an external engine in a game",
      .forms = { "GAME [--follow]" },
      .text = "Each line has the seconds since the game began for castled, then > before what the "
              "engine was told, < and ! before what it wrote to its standard output and error, and "
              "# before notes. Of repeated reports of a search some are left out, and of more than "
              "a megabyte the middle.",
      .words = { engine_log_words },
      .example = "castled engine-log Qw8rTy2u --follow",
      .example_help = "shows the traffic of this game while it is played" },
    { .name = "replay",
      .run = cmd_replay,
      .help = "say to an engine again what it was told in a game: does it fail again?",
      .forms = { "GAME [--ply N] [--engine COMMAND] [--of NAME] [--times N] [--same]" },
      .text =
          "The orders, their clocks and their pace are those of the game. A crash, silence, and "
          "an illegal move are faults. For git bisect run: the exit status is 0 without a "
          "fault, 1 with one, and 125 where nothing could be tried.",
      .words = { replay_words },
      .example = "git bisect run castled replay Qw8rTy2u --ply 31 --engine ./engine",
      .example_help = "finds the commit since which the engine fails at this move" },
    { .name = "report",
      .run = cmd_report,
      .help = "write a report for those who help you, without secrets",
      .forms = { "[GAME] [--log FILE] [--output FILE]" },
      .text =
          "It holds versions, host, configuration without paths and names, and whether the server "
          "takes the token and the account. A log is added as it is, without tokens: it names "
          "players and quotes their chat.",
      .words = { report_words },
      .example = "journalctl -u castled -n 500 | castled report --log -",
      .example_help = "adds the last lines of the service's log" },
};

const Command *commands_all(size_t *count)
{
    *count = sizeof commands / sizeof *commands;
    return commands;
}

const Command *commands_find(const char *name)
{
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        if (strcmp(commands[i].name, name) == 0)
            return &commands[i];
    return NULL;
}

const char *commands_nearest(const char *name)
{
    const char *names[sizeof commands / sizeof *commands];
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        names[i] = commands[i].name;
    return did_you_mean(name, names, sizeof commands / sizeof *commands);
}

enum { HELP_WIDTH = 79, WORD_COLUMN = 2, TEXT_COLUMN = 25 };

/* From column `at` on, with further lines indented to `indent`. */
static void print_wrapped(FILE *out, const char *text, int at, int indent)
{
    while (*text) {
        int len = (int)strcspn(text, " ");
        if (at > indent && at + 1 + len > HELP_WIDTH) {
            fprintf(out, "\n%*s", indent, "");
            at = indent;
        } else if (at > indent) {
            fputc(' ', out);
            at++;
        }
        fprintf(out, "%.*s", len, text);
        at += len;
        text += len + (text[len] == ' ');
    }
    fputc('\n', out);
}

static void print_word(const CommandWord *word, FILE *out)
{
    int end = fprintf(out, "%*s%s", WORD_COLUMN, "", word->word);
    if (end + 1 < TEXT_COLUMN)
        fprintf(out, "%*s", TEXT_COLUMN - end, "");
    else
        fprintf(out, "\n%*s", TEXT_COLUMN, "");
    print_wrapped(out, word->help, TEXT_COLUMN, TEXT_COLUMN);
}

void command_print_help(const Command *command, FILE *out)
{
    for (int i = 0; i < COMMAND_FORMS_MAX && (i == 0 || command->forms[i]); i++) {
        int at = fprintf(out, "%s castled [--config FILE | --instance NAME] %s",
                         i == 0 ? "usage:" : "      ", command->name);
        print_wrapped(out, command->forms[i] ? command->forms[i] : "", at, 15);
    }
    fprintf(out, "\n%c%s.\n", toupper((unsigned char)command->help[0]), command->help + 1);
    if (command->text)
        print_wrapped(out, command->text, 0, 0);
    for (int i = 0; i < COMMAND_WORD_GROUPS_MAX && command->words[i]; i++) {
        fputs(i == 0 ? "\n" : "", out);
        for (const CommandWord *word = command->words[i]; word->word; word++)
            print_word(word, out);
    }
    fprintf(out, "\nExample: %s\n  %s\n", command->example, command->example_help);
}
