/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How the running daemon is doing, for people or, with --json, for programs. */
#include "bot/cli/ask_daemon.h"
#include "bot/cli/board_text.h"
#include "bot/cli/shown.h"
#include "bot/model/score_text.h"
#include "bot/ops/jsonread.h"
#include "bot/lichess/token_life.h"
#include "bot/ops/utc_time.h"
#include "engine/base/clock.h"
#include "engine/base/duration.h"
#include "engine/base/text_format.h"
#include "engine/search/engine.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SMALL = 32 };

static int64_t number(const struct json_object *from, const char *key)
{
    return jsonread_int(from, key, INT64_MIN, INT64_MAX, -1);
}

/* "-" without a clock. */
static const char *clock_shown(char out[CLOCK_TEXT_SIZE], int64_t ms)
{
    return ms < 0 ? "-" : clock_text(out, ms);
}

static void print_game(const struct json_object *game)
{
    char ours[CLOCK_TEXT_SIZE], theirs[CLOCK_TEXT_SIZE], score[SCORE_TEXT_SIZE] = "",
                                                         rating[SMALL] = "";
    bool is_white = text_is(jsonread_text(game, "us"), "white");
    const char *us = is_white ? "white" : "black", *them = is_white ? "black" : "white";
    const struct json_object *player = jsonread_object(game, them);
    const struct json_object *clocks = jsonread_object(game, "clock_ms");
    Text title = jsonread_text(player, "title"), engine = jsonread_text(game, "engine");
    int64_t points = number(player, "rating");
    if (points > 0)
        text_format(rating, sizeof rating, " (%" PRId64 ")", points);
    int for_white = eval_score(jsonread_object(game, "eval"));
    if (for_white != SCORE_NONE)
        score_text(is_white ? for_white : -for_white, score);
    printf("  %s  %s%s%s%s  %s  move %" PRId64 "  clock %s, theirs %s%s%s%s%s%s\n",
           shown(jsonread_text(game, "id")).text, shown(title).text, title.len > 0 ? " " : "",
           shown(jsonread_text(player, "name")).text, rating, shown(jsonread_text(game, "us")).text,
           number(game, "plies") / 2 + 1, clock_shown(ours, number(clocks, us)),
           clock_shown(theirs, number(clocks, them)), score[0] ? "  for us " : "", score,
           jsonread_bool(game, "our_turn", false) ? "  our turn" : "",
           engine.len > 0 ? "  by " : "", shown(engine).text);
}

static void print_games(const struct json_object *status)
{
    const struct json_object *games = jsonread_array(status, "games");
    size_t count = games ? json_object_array_length(games) : 0;
    int64_t slow = number(status, "correspondence_used");
    printf("games    %zu, %" PRId64 " of %" PRId64 " slots taken", count,
           number(status, "slots_used"), number(status, "slots"));
    if (slow > 0)
        printf(", %" PRId64 " of %" PRId64 " for correspondence", slow,
               number(status, "correspondence_slots"));
    putchar('\n');
    for (size_t i = 0; i < count; i++)
        print_game(json_object_array_get_idx(games, i));
    const struct json_object *queue = jsonread_array(status, "waiting");
    size_t waiting = queue ? json_object_array_length(queue) : 0;
    for (size_t i = 0; i < waiting; i++) {
        const struct json_object *entry = json_object_array_get_idx(queue, i);
        char since[DURATION_SIZE];
        printf("%s%s", i == 0 ? "waiting  " : ", ", shown(jsonread_text(entry, "player")).text);
        if (jsonread_text(entry, "game").len > 0)
            printf(" (%s, for %s)", shown(jsonread_text(entry, "game")).text,
                   duration_write(since, number(entry, "waiting_s")));
    }
    if (waiting > 0)
        putchar('\n');
}

static void print_since_start(const struct json_object *status)
{
    const struct json_object *games = jsonread_object(status, "games_finished");
    const struct json_object *moves = jsonread_object(status, "moves");
    const struct json_object *streams = jsonread_object(status, "streams");
    int64_t arrived = number(moves, "arrived");
    printf("finished %" PRId64 " won, %" PRId64 " drawn, %" PRId64 " lost, %" PRId64 " aborted",
           number(games, "won"), number(games, "drawn"), number(games, "lost"),
           number(games, "aborted"));
    if (number(games, "unknown") > 0)
        printf(", %" PRId64 " of unknown end", number(games, "unknown"));
    puts(", since the start");
    printf("moves    %" PRId64, arrived);
    if (arrived > 0)
        printf(", on the server's list after %" PRId64 " ms, at worst %" PRId64 " ms",
               number(moves, "echo_sum_ms") / arrived, number(moves, "echo_worst_ms"));
    printf("\nstreams  lost and opened again: events %" PRId64 " times, games %" PRId64 " times\n",
           number(jsonread_object(streams, "event"), "lost"),
           number(jsonread_object(streams, "game"), "lost"));
}

/* "against  humans: 12 won, 3 drawn, 5 lost; performance 2150" */
static void print_results(const struct json_object *status)
{
    static const char *const kinds[] = { "human", "bot" };
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        const struct json_object *row =
            jsonread_object(jsonread_object(status, "results"), kinds[i]);
        if (number(row, "won") + number(row, "drawn") + number(row, "lost") <= 0)
            continue;
        printf("against  %ss: %" PRId64 " won, %" PRId64 " drawn, %" PRId64 " lost", kinds[i],
               number(row, "won"), number(row, "drawn"), number(row, "lost"));
        if (number(row, "performance") > 0)
            printf("; performance %" PRId64, number(row, "performance"));
        putchar('\n');
    }
}

static void print_tournaments(const struct json_object *status)
{
    const struct json_object *list = jsonread_array(status, "tournaments");
    for (size_t i = 0; list && i < json_object_array_length(list); i++) {
        const struct json_object *arena = json_object_array_get_idx(list, i);
        char wait[DURATION_SIZE];
        int64_t starts_s = number(arena, "starts_in_s");
        printf("arena    %s  %s  %s%s%s\n", shown(jsonread_text(arena, "id")).text,
               shown(jsonread_text(arena, "name")).text, shown(jsonread_text(arena, "state")).text,
               starts_s > 0 ? ", starts in " : "",
               starts_s > 0 ? duration_write(wait, starts_s) : "");
    }
}

static void print_scheduled(const struct json_object *status)
{
    const struct json_object *list = jsonread_array(status, "scheduled");
    for (size_t i = 0; list && i < json_object_array_length(list); i++) {
        const struct json_object *scheduled = json_object_array_get_idx(list, i);
        char wait[DURATION_SIZE];
        int64_t in_s = number(scheduled, "in_s"), games = number(scheduled, "games");
        Text playing = jsonread_text(scheduled, "playing");
        printf("scheduled  %" PRId64 ": %s", number(scheduled, "number"),
               shown(jsonread_text(scheduled, "challenge")).text);
        if (playing.len > 0)
            printf(", %" PRId64 " more after %s\n", games, shown(playing).text);
        else if (in_s > 0)
            printf(", %" PRId64 " at %s, in %s\n", games,
                   shown(jsonread_text(scheduled, "at")).text, duration_write(wait, in_s));
        else
            printf(", %" PRId64 " now\n", games);
    }
}

static void print_requests(const struct json_object *status)
{
    const struct json_object *pacer = jsonread_object(status, "pacer");
    printf("requests %" PRId64 " in the last minute, %" PRId64 " waiting\n",
           number(pacer, "last_minute"), number(pacer, "waiting"));
    struct json_object *limits = jsonread_object(status, "limits");
    if (!limits)
        return;
    struct json_object_iterator at = json_object_iter_begin(limits);
    struct json_object_iterator end = json_object_iter_end(limits);
    for (; !json_object_iter_equal(&at, &end); json_object_iter_next(&at)) {
        char text[DURATION_SIZE];
        int64_t seconds = json_object_get_int64(json_object_iter_peek_value(&at));
        printf("limited  %s, for %s\n", shown(text_of(json_object_iter_peek_name(&at))).text,
               duration_write(text, seconds));
    }
}

static void print_matchmaking(const struct json_object *status)
{
    const struct json_object *from = jsonread_object(status, "matchmaking");
    printf("seeking  %s; today %" PRId64 " of %" PRId64 " games against bots, %" PRId64
           " of %" PRId64 " credits for challenges\n",
           shown(jsonread_text(from, "doing")).text, number(from, "bot_games_today"),
           number(from, "bot_games_allowed"), number(from, "credits_today"),
           number(from, "credits_allowed"));
}

static void print_archive(const struct json_object *status)
{
    const struct json_object *archive = jsonread_object(status, "archive");
    Text why = jsonread_text(archive, "why");
    int64_t written = number(archive, "written");
    printf("archive  %s, %" PRId64 " game%s written", shown(jsonread_text(archive, "state")).text,
           written, written == 1 ? "" : "s");
    if (number(archive, "waiting") > 0)
        printf(", %" PRId64 " waiting", number(archive, "waiting"));
    printf("%s%s\n", why.len > 0 ? ": " : "", shown(why).text);
}

static void print_token(const struct json_object *status)
{
    int64_t expires_s = number(status, "token_expires_unix_s");
    const TokenLife life = { .is_good = true, .expires_unix_ms = expires_s * 1000 };
    char words[TOKEN_LIFE_WORDS_SIZE];
    if (expires_s < 0)
        return;
    token_life_write(words, &life, clock_unix_ms());
    printf("token    %s\n", words);
}

/* Of a run with an end: until when games are played. */
static void print_end(const struct json_object *status)
{
    char end[UTC_TIME_SIZE];
    int64_t ends_s = number(status, "ends_unix_s");
    utc_time_write(ends_s, end);
    if (ends_s >= 0)
        printf("until    %s, then castled finishes its games and ends\n", end);
}

static void print_status(const struct json_object *status)
{
    char up[DURATION_SIZE], online[DURATION_SIZE];
    printf("castled  %s on %s\n", shown(jsonread_text(status, "account")).text,
           shown(jsonread_text(status, "url")).text);
    bool is_online = jsonread_bool(status, "online", false);
    printf("state    %s%s%s, up %s\n", is_online ? "online for " : "offline",
           is_online ? duration_write(online, number(status, "online_s")) : "",
           jsonread_bool(status, "draining", false) ? ", draining" : "",
           duration_write(up, number(status, "up_s")));
    print_end(status);
    print_games(status);
    print_since_start(status);
    print_results(status);
    print_scheduled(status);
    print_tournaments(status);
    print_requests(status);
    print_matchmaking(status);
    print_archive(status);
    print_token(status);
    printf("memory   %" PRId64 " MiB\n", number(status, "memory_kib") / 1024);
}

/* For programs that only ask whether all is well. */
static ExitStatus judge_health(const struct json_object *status)
{
    if (jsonread_bool(status, "online", false))
        return EXIT_FINE;
    fputs("castled: offline\n", stderr);
    return EXIT_UNREACHABLE;
}

typedef enum { STATUS_AS_TEXT, STATUS_AS_JSON, STATUS_AS_HEALTH } StatusForm;

static const Option status_options[] = {
    { .name = "--json",
      .help = "print JSON, for programs",
      .read = option_choice,
      .lo = STATUS_AS_JSON },
    { .name = "--health",
      .help =
          "print nothing, and end with status 69 where castled is not online: for health checks",
      .read = option_choice,
      .lo = STATUS_AS_HEALTH },
    { .name = NULL },
};

static ExitStatus cmd_status(const CommandOptions *options)
{
    char *answer;
    Error err = { 0 };
    int form = STATUS_AS_TEXT;
    if (!command_read_words(options, (void *[]){ &form }))
        return EXIT_USAGE;
    ExitStatus exit = ask_daemon(options, "status", &answer);
    if (exit != EXIT_FINE)
        return exit;
    struct json_object *status = jsonread_parse(answer, strlen(answer), &err);
    if (form == STATUS_AS_HEALTH)
        exit = judge_health(status);
    else if (form == STATUS_AS_JSON)
        shown_json(stdout, answer);
    else
        print_status(status);
    json_object_put(status);
    free(answer);
    return exit;
}

const CliCommand command_status = {
    .name = "status",
    .run = cmd_status,
    .help = "show how the running daemon is doing",
    .forms = { "[--json | --health]" },
    .options = { status_options },
    .example = "castled status",
    .example_help = "shows games, challenges, limits and the schedule",
};
