/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Has the running daemon challenge a player to one game, and prints the result. What begins later,
 * and a match of several games, is put into the daemon's schedule (schedule.h). */
#include "bot/pairing/pairing_state.h"
#include "bot/cli/ask_daemon.h"
#include "bot/cli/game_filter.h"
#include "bot/cli/shown.h"
#include "bot/config/schema.h"
#include "bot/ops/jsonread.h"
#include "bot/ops/utc_time.h"
#include "bot/pairing/challenge_request.h"
#include "engine/base/clock.h"
#include "engine/base/buf.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE_MAX_LEN = 1000 };

/* What the command line asks for. */
typedef struct {
    Buf words; /* of the challenge, with blanks between */
    int64_t games;
    int64_t at_unix_s; /* 0: now */
    int64_t dropped;   /* number of what is cancelled; 0: none */
    bool is_again;     /* like the latest game of the archive, or the latest with who is named */
} Asked;

static bool take_word(const Option *option, void *at, const char *value, Error *err)
{
    Buf *words = at;
    (void)option;
    if (buf_printf(words, "%s%s", words->len > 0 ? " " : "", value))
        return true;
    error_set(err, ERR_RANGE, "too long");
    return false;
}

/* One word of the challenge, without blanks. */
static bool take_position(const Option *option, void *words, const char *fen, Error *err)
{
    char position[LINE_MAX_LEN];
    int len = snprintf(position, sizeof position, "fen=%s", fen);
    if (len < 0 || len >= LINE_MAX_LEN) {
        error_set(err, ERR_RANGE, "too long");
        return false;
    }
    for (char *blank = position; (blank = strchr(blank, ' '));)
        *blank = '_';
    return take_word(option, words, position, err);
}

static bool take_moment(const Option *option, void *at, const char *word, Error *err)
{
    (void)option;
    return utc_time_read(at, word, clock_unix_ms() / 1000, err);
}

#define AT(member) .at = offsetof(Asked, member)
#define WORD .read = take_word, AT(words)

static const Option challenge_options[] = {
    { .name = "USER", WORD },
    { .name = "CLOCK",
      WORD,
      .help = "whom to challenge, and to what: minutes + seconds, such as 3+2" },
    { .name = "rated", WORD },
    { .name = "casual", WORD, .help = "which kind of game; default: casual" },
    { .name = "VARIANT",
      WORD,
      .help = "such as chess960; default: standard",
      .words = &schema_variant_words },
    { .name = "white", WORD },
    { .name = "black", WORD, .help = "our colour; default: by lot" },
    { .name = "--fen",
      .value = "FEN",
      .help = "begin from this position",
      .read = take_position,
      AT(words) },
    { .name = "--games",
      .value = "N",
      .help = "play a match of N games with colours swapped",
      .read = option_number,
      AT(games),
      .lo = 1,
      .hi = SCHEDULE_GAMES_MOST },
    { .name = "--at",
      .value = "TIME",
      .help = "begin then: +90 for minutes from now, or in UTC as 2030-01-31T18:00Z; the daemon "
              "remembers it across restarts",
      .read = take_moment,
      AT(at_unix_s) },
    { .name = "--again",
      .value = "[USER]",
      .help = "repeat the latest game, or the latest against USER, with colours swapped",
      .read = option_flag,
      AT(is_again) },
    { .name = "--cancel",
      .value = "NUMBER",
      .help = "remove a scheduled challenge; castled status shows the numbers",
      .read = option_number,
      AT(dropped),
      .lo = 1,
      .hi = SCHEDULE_MAX },
    { .name = NULL },
};

/* EXIT_FINE: the game has begun. */
static ExitStatus challenge(const CommandOptions *options, const ChallengeRequest *request)
{
    Buf line;
    char *answer;
    ExitStatus exit = EXIT_FAULT;
    buf_init(&line, LINE_MAX_LEN);
    if (buf_put_text(&line, "challenge ") && challenge_request_write(request, &line))
        exit = ask_daemon(options, buf_view(&line), &answer);
    buf_release(&line);
    if (exit != EXIT_FINE)
        return exit;
    struct json_object *said = jsonread_parse(answer, strlen(answer), NULL);
    printf("accepted: %s/%s\n", shown(jsonread_text(said, "url")).text,
           shown(jsonread_text(said, "id")).text);
    fflush(stdout);
    json_object_put(said);
    free(answer);
    return EXIT_FINE;
}

/* Sends the line; EXIT_FINE: *number is what the daemon calls it. */
static ExitStatus send_plan(const CommandOptions *options, const Buf *line, int64_t *number)
{
    char *answer;
    ExitStatus exit = ask_daemon(options, buf_view(line), &answer);
    if (exit != EXIT_FINE)
        return exit;
    struct json_object *said = jsonread_parse(answer, strlen(answer), NULL);
    *number = jsonread_int(said, "number", 0, SCHEDULE_MAX, 0);
    json_object_put(said);
    free(answer);
    return EXIT_FINE;
}

static ExitStatus plan(const CommandOptions *options, const ChallengeRequest *request,
                       const Asked *asked)
{
    char at[UTC_TIME_SIZE];
    Buf line;
    int64_t number, at_unix_s = asked->at_unix_s > 0 ? asked->at_unix_s : clock_unix_ms() / 1000;
    ExitStatus exit = EXIT_FAULT;
    utc_time_write(at_unix_s, at);
    buf_init(&line, LINE_MAX_LEN);
    if (buf_printf(&line, "schedule %" PRId64 " %" PRId64 " ", at_unix_s, asked->games) &&
        challenge_request_write(request, &line))
        exit = send_plan(options, &line, &number);
    if (exit == EXIT_FINE && asked->at_unix_s > 0)
        printf("scheduled as number %" PRId64 ", for %s\n", number, at);
    else if (exit == EXIT_FINE)
        printf("scheduled as number %" PRId64 ": %" PRId64 " games with %s, from now on\n"
               "castled status shows it, castled challenge --cancel %" PRId64 " ends it\n",
               number, asked->games, shown(text_of(request->opponent)).text, number);
    buf_release(&line);
    return exit;
}

static ExitStatus cancel(const CommandOptions *options, int64_t number)
{
    Buf line;
    ExitStatus exit = EXIT_FAULT;
    buf_init(&line, LINE_MAX_LEN);
    if (buf_printf(&line, "unschedule %" PRId64, number))
        exit = send_plan(options, &line, &number);
    if (exit == EXIT_FINE)
        printf("number %" PRId64 " is cancelled\n", number);
    buf_release(&line);
    return exit;
}

/* The latest game in the archive. */
typedef struct {
    ChallengeRequest request;
    bool is_there, is_fit;
    Error err;
} Latest;

static void challenge_on_latest(void *user, const GameRecord *record, int plies)
{
    Latest *latest = user;
    (void)plies;
    latest->is_there = true;
    latest->is_fit = challenge_request_again(&latest->request, record, &latest->err);
}

static ExitStatus find_latest(const CommandOptions *options, const char *opponent,
                              ChallengeRequest *request)
{
    const StoreFilter filter = { .opponent = opponent, .limit = 1 };
    Latest latest = { .is_there = false };
    Config config;
    Store *store;
    ExitStatus status = game_filter_open(&store, STORE_READ, &config, options);
    if (status != EXIT_FINE)
        return status;
    bool ok = store_find_games(store, &filter, STORE_SUMMARIES, STORE_NEWEST_FIRST,
                               challenge_on_latest, &latest, &latest.err);
    if (ok && !latest.is_there)
        error_set(&latest.err, ERR_INVALID, "no such game is in the archive");
    if (latest.is_fit)
        *request = latest.request;
    else
        fprintf(stderr, "castled: challenge: --again: %s\n", shown_error(&latest.err).text);
    store_free(store);
    config_release(&config);
    return latest.is_fit ? EXIT_FINE : EXIT_FAULT;
}

static ExitStatus read_asked(const CommandOptions *options, const Asked *asked,
                             ChallengeRequest *request)
{
    Error err = { 0 };
    const char *words = buf_view(&asked->words);
    if (asked->dropped > 0)
        error_set(&err, ERR_INVALID, "--cancel stands alone");
    else if (asked->is_again && strchr(words, ' '))
        error_set(&err, ERR_INVALID, "--again takes nothing but the opponent");
    else if (asked->is_again)
        return find_latest(options, words[0] ? words : NULL, request);
    else if (challenge_request_read(request, text_of(words), &err))
        return EXIT_FINE;
    return command_misused(options, err.text);
}

static ExitStatus run(const CommandOptions *options, const Asked *asked)
{
    ChallengeRequest request;
    if (asked->dropped > 0 && asked->words.len == 0 && !asked->is_again)
        return cancel(options, asked->dropped);
    ExitStatus status = read_asked(options, asked, &request);
    if (status != EXIT_FINE)
        return status;
    return asked->at_unix_s > 0 || asked->games > 1 ? plan(options, &request, asked)
                                                    : challenge(options, &request);
}

static ExitStatus cmd_challenge(const CommandOptions *options)
{
    Asked asked = { .games = 1 };
    buf_init(&asked.words, LINE_MAX_LEN);
    ExitStatus status =
        command_read_words(options, (void *[]){ &asked }) ? run(options, &asked) : EXIT_USAGE;
    buf_release(&asked.words);
    return status;
}

const CliCommand command_challenge = {
    .name = "challenge",
    .run = cmd_challenge,
    .help = "challenge a player, now or later, to one game or a match",
    .forms = { "USER CLOCK [rated|casual] [VARIANT] [white|black] [--fen FEN] [--games N] "
               "[--at TIME]",
               "--again [USER] [--games N] [--at TIME]", "--cancel NUMBER" },
    .text = "The running daemon asks. The command waits until the game has begun or the "
            "challenge has come to nothing.",
    .options = { challenge_options },
    .example = "castled challenge maia1 3+2 rated --games 4",
    .example_help = "plays a match of four rated games",
};
