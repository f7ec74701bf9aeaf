/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Has the running daemon play a match against each player of a list, one game after the other. What
 * was played is counted in the archive, so that a gauntlet that was stopped goes on where it was;
 * when it began stands in a small file beside the list. */
#include "bot/cli/archive_place.h"
#include "bot/cli/ask_daemon.h"
#include "bot/cli/gauntlet_plan.h"
#include "bot/cli/shown.h"
#include "bot/config/namelist.h"
#include "bot/config/schema.h"
#include "bot/model/ids.h"
#include "bot/pairing/pairing_state.h"
#include "bot/ops/jsonread.h"
#include "engine/base/clock.h"
#include "engine/base/text_format.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    LINE_MAX_LEN = 1000,
    LIST_MAX = 1 << 20,
    TABLE_MAX = 1 << 16,
    ASK_MS = 65000,
    LOOK_MS = 1000,        /* between two looks whether a game is over */
    AWAY_MS = 10000,       /* until a daemon that did not answer is asked again */
    LOOKS_A_QUESTION = 30, /* so many looks from one question whether it still runs to the next */
    SPENT_MS = 10 * 60 * 1000, /* the same where the server or the day's budget allows no game */
};

typedef struct {
    const char *list;
    Buf words; /* CLOCK and what follows, with blanks between */
    int64_t games;
    bool is_anew;
} Asked;

typedef struct {
    Gauntlet plan;
    const Asked *asked;
    Config config;
    int64_t began_ms; /* Unix */
    bool is_away;     /* the daemon, and we have said so */
    Error err;
} Run;

static bool take_word(const Option *option, void *at, const char *value, Error *err)
{
    Buf *words = at;
    (void)option;
    if (buf_printf(words, "%s%s", words->len > 0 ? " " : "", value))
        return true;
    error_set(err, ERR_RANGE, "too long");
    return false;
}

#define AT(member) .at = offsetof(Asked, member)

static const Option gauntlet_options[] = {
    { .name = "FILE",
      .help = "the players, one name per line, as lists to block have them",
      .read = option_text,
      AT(list),
      .count = OPTION_MUST },
    { .name = "CLOCK",
      .help = "minutes + seconds, such as 3+2",
      .read = take_word,
      AT(words),
      .count = OPTION_MUST },
    { .name = "rated", .read = take_word, AT(words) },
    { .name = "casual",
      .read = take_word,
      AT(words),
      .help = "which kind of game; default: casual" },
    { .name = "VARIANT",
      .read = take_word,
      AT(words),
      .help = "such as chess960; default: standard",
      .words = &schema_variant_words },
    { .name = "--games",
      .value = "N",
      .help = "with each player, colours by turns; default: 2",
      .read = option_number,
      AT(games),
      .lo = 1,
      .hi = SCHEDULE_GAMES_MOST },
    { .name = "--anew",
      .help = "begin again, also if an earlier gauntlet of this list is not over",
      .read = option_flag,
      AT(is_anew) },
    { .name = NULL },
};

static void pause_ms(int64_t ms)
{
    const struct timespec wait = { .tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000 };
    nanosleep(&wait, NULL);
}

/* ---- the list, and when we began ---- */

static bool read_list(UserList *out, const char *path, Error *err)
{
    Buf text;
    Error why = { 0 };
    FILE *file = fopen(path, "re");
    buf_init(&text, LIST_MAX);
    if (!file)
        error_set(&why, ERR_IO, "%s", strerror(errno));
    bool ok =
        file && buf_read(&text, file, &why) && namelist_parse(out, buf_view(&text), text.len, &why);
    if (file)
        fclose(file);
    buf_release(&text);
    if (!ok)
        error_set(err, why.code, "%s: %s", path, why.text);
    return ok;
}

/* FILE.gauntlet: "UNIX_MS WORDS". False: there is none, or it is of something else. */
static bool read_beginning(const char *path, const char *words, int64_t *began_ms)
{
    char line[LINE_MAX_LEN] = "", *end = line;
    FILE *file = fopen(path, "re");
    if (!file)
        return false;
    bool is_there = fgets(line, sizeof line, file) != NULL;
    fclose(file);
    line[strcspn(line, "\n")] = '\0';
    *began_ms = strtoll(line, &end, 10);
    return is_there && *began_ms > 0 && *end == ' ' && strcmp(end + 1, words) == 0;
}

static bool begin(Run *run, Error *err)
{
    char path[PATH_MAX];
    const Asked *asked = run->asked;
    const char *words = buf_view(&asked->words);
    if (!text_format_fits(path, sizeof path, "%s.gauntlet", asked->list)) {
        error_set(err, ERR_RANGE, "%s: too long a path", asked->list);
        return false;
    }
    if (!asked->is_anew && read_beginning(path, words, &run->began_ms))
        return true;
    run->began_ms = clock_unix_ms();
    FILE *file = fopen(path, "we");
    bool ok = file && fprintf(file, "%" PRId64 " %s\n", run->began_ms, words) > 0;
    if (file)
        ok = fclose(file) == 0 && ok;
    if (!ok)
        error_set(err, ERR_IO, "%s: %s", path, strerror(errno));
    return ok;
}

/* ---- what was played ---- */

typedef struct {
    Run *run;
    const char *id; /* of the game that is awaited; NULL: none */
    bool is_over;
} Reading;

static void gauntlet_on_game(void *user, const GameRecord *record, int plies)
{
    Reading *reading = user;
    (void)plies;
    gauntlet_count(&reading->run->plan, record);
    reading->is_over |= reading->id && strcmp(reading->id, record->id) == 0;
}

/* *is_over: the game `id` is in the archive. */
static bool read_archive(Run *run, const char *id, bool *is_over, Error *err)
{
    Reading reading = { .run = run, .id = id };
    const StoreFilter filter = { .since_ms = run->began_ms };
    ArchivePlace place;
    Store *store;
    if (!archive_place_find(&place, &run->config, err))
        return false;
    if (place.owner == ARCHIVE_OF_NOBODY) {
        error_set(err, ERR_INVALID, "the archive, in which the games are counted, is off");
        return false;
    }
    if (place.access == ARCHIVE_ABSENT)
        return true; /* nothing was played yet */
    if (!archive_place_open(&place, STORE_READ, &store, err))
        return false;
    gauntlet_recount(&run->plan);
    bool ok = store_find_games(store, &filter, STORE_SUMMARIES, STORE_NEWEST_FIRST,
                               gauntlet_on_game, &reading, err);
    archive_place_leave(store);
    if (is_over)
        *is_over = reading.is_over;
    return ok;
}

/* ---- the daemon ---- */

/* The answer, which the caller puts; NULL: the daemon is away, which is said once. */
static struct json_object *ask_line(Run *run, const char *line)
{
    char *answer;
    Error err = { 0 };
    if (!ask_daemon_quietly(&run->config, line, ASK_MS, &answer, &err)) {
        if (!run->is_away)
            printf("no daemon answers, waiting for it: %s\n", shown_error(&err).text);
        fflush(stdout);
        run->is_away = true;
        return NULL;
    }
    run->is_away = false;
    struct json_object *said = jsonread_parse(answer, strlen(answer), NULL);
    free(answer);
    return said;
}

/* Games against bots are left in the day's budget, as far as is known. */
static bool is_in_budget(Run *run)
{
    struct json_object *status = ask_line(run, "status");
    const struct json_object *from = jsonread_object(status, "matchmaking");
    int64_t today = jsonread_int(from, "bot_games_today", 0, INT_MAX, 0);
    int64_t allowed = jsonread_int(from, "bot_games_allowed", 0, INT_MAX, INT_MAX);
    bool is_left = today < allowed;
    if (!is_left)
        printf("the day's %" PRId64 " games against bots are played: waiting\n", allowed);
    json_object_put(status);
    return is_left;
}

/* False only where a daemon says so. */
static bool may_run(Run *run, const char *id)
{
    struct json_object *status = ask_line(run, "status");
    const struct json_object *games = jsonread_array(status, "games");
    bool is_there = !games;
    for (size_t i = 0; games && i < json_object_array_length(games) && !is_there; i++)
        is_there = text_is(jsonread_text(json_object_array_get_idx(games, i), "id"), id);
    json_object_put(status);
    return is_there;
}

/* A game that ends while the daemon is away may come into no archive. One that has just ended comes
 * into it soon: two questions decide. */
static void wait_for_end(Run *run, const char *id)
{
    bool is_over = false;
    int misses = 0;
    for (int looks = 1; !is_over && misses < 2; looks++) {
        Error err = { 0 };
        pause_ms(LOOK_MS);
        bool asks = looks % LOOKS_A_QUESTION == 0;
        bool runs = !asks || may_run(run, id);
        if (!read_archive(run, id, &is_over, &err) && err.code == ERR_INVALID)
            return;
        misses += !runs;
    }
    if (!is_over)
        printf("%s is over, and in no archive: it does not count\n", id);
    fflush(stdout);
}

/* What control_commands.c says of a challenge that the player, or the server for them, refused.
 * Else it is we who can't now. */
static bool is_theirs(Text refusal)
{
    return text_starts_with(refusal, "declined") || text_starts_with(refusal, "no answer") ||
           text_starts_with(refusal, "the server says no");
}

/* How long to wait before the next challenge. */
static int64_t challenge(Run *run, GauntletPlayer *player)
{
    const ChallengeRequest request = gauntlet_request(&run->plan, player);
    Buf line;
    buf_init(&line, LINE_MAX_LEN);
    bool ok = buf_put_text(&line, "challenge ") && challenge_request_write(&request, &line);
    struct json_object *said = ok ? ask_line(run, buf_view(&line)) : NULL;
    buf_release(&line);
    if (!said)
        return AWAY_MS;
    Text refusal = jsonread_text(said, "error");
    Text id = jsonread_text(said, "id");
    char game[GAME_ID_SIZE];
    bool is_limited = text_starts_with(refusal, "no more challenges for now");
    if (refusal.len > 0)
        printf("%s: %s\n", player->id, shown(refusal).text);
    else
        printf("%s: game %d of %d: %s/%s\n", player->id, player->games + 1, run->plan.games,
               shown(jsonread_text(said, "url")).text, shown(id).text);
    fflush(stdout);
    bool has_game = refusal.len == 0 && text_copy(game, sizeof game, id);
    bool is_refused = is_theirs(refusal);
    json_object_put(said);
    if (is_refused) {
        gauntlet_refused(player, clock_unix_ms());
        return LOOK_MS;
    }
    if (!has_game)
        return is_limited ? SPENT_MS : AWAY_MS;
    gauntlet_accepted(player);
    wait_for_end(run, game);
    return 0;
}

/* A game with a clock against a player of the list; false: there is none, or no daemon. */
static bool find_running(Run *run, char out[GAME_ID_SIZE])
{
    struct json_object *status = ask_line(run, "status");
    const struct json_object *games = jsonread_array(status, "games");
    bool is_found = false;
    for (size_t i = 0; games && i < json_object_array_length(games) && !is_found; i++) {
        const struct json_object *game = json_object_array_get_idx(games, i);
        const bool is_white = text_is(jsonread_text(game, "us"), "white");
        char id[USER_ID_SIZE];
        if (!jsonread_object(game, "clock_ms") ||
            !text_copy(id, sizeof id,
                       jsonread_text(jsonread_object(game, is_white ? "black" : "white"), "name")))
            continue;
        user_id_from_name(id);
        is_found =
            gauntlet_has(&run->plan, id) && text_copy(out, GAME_ID_SIZE, jsonread_text(game, "id"));
    }
    json_object_put(status);
    return is_found;
}

/* The one that an earlier run of this command began, perhaps: it counts, and its player is busy. */
static void wait_for_running(Run *run)
{
    char id[GAME_ID_SIZE];
    while (find_running(run, id)) {
        printf("%s is being played: waiting for its end\n", id);
        fflush(stdout);
        wait_for_end(run, id);
    }
}

static bool play(Run *run, Error *err)
{
    wait_for_running(run);
    if (!read_archive(run, NULL, NULL, err))
        return false;
    for (;;) {
        int64_t at_ms, now_ms = clock_unix_ms();
        GauntletPlayer *player = gauntlet_next(&run->plan, now_ms, &at_ms);
        if (player)
            pause_ms(is_in_budget(run) ? challenge(run, player) : SPENT_MS);
        else if (at_ms != INT64_MAX)
            pause_ms(at_ms - now_ms);
        else
            return true;
    }
}

static ExitStatus run_gauntlet(const CommandOptions *options, const Asked *asked)
{
    char path[CONFIG_PATH_SIZE], words[LINE_MAX_LEN];
    ChallengeRequest request;
    UserList list = { 0 };
    Error err = { 0 };
    Run *run = calloc(1, sizeof *run);
    if (!run)
        return EXIT_FAULT;
    run->asked = asked;
    text_format_cut(words, sizeof words, "somebody %s", buf_view(&asked->words));
    ExitStatus status = EXIT_USAGE;
    bool ok = challenge_request_read(&request, text_of(words), &err);
    if (ok && request.days > 0) {
        error_set(&err, ERR_INVALID, "%dd: a match is played by the clock, such as 3+2",
                  request.days);
        ok = false;
    }
    if (!ok) {
        status = command_misused(options, err.text);
    } else if (command_read_places(options, &run->config, path)) {
        Buf table;
        buf_init(&table, TABLE_MAX);
        ok = read_list(&list, asked->list, &err) &&
             gauntlet_init(&run->plan, &list, &request, (int)asked->games, &err) &&
             begin(run, &err) && play(run, &err) && gauntlet_table(&run->plan, &table);
        status = ok ? EXIT_FINE : EXIT_FAULT;
        if (ok)
            fputs(buf_view(&table), stdout);
        else
            fprintf(stderr, "castled: gauntlet: %s\n", shown_error(&err).text);
        buf_release(&table);
        config_release(&run->config);
    }
    user_list_release(&list);
    free(run);
    return status;
}

static ExitStatus cmd_gauntlet(const CommandOptions *options)
{
    Asked asked = { .games = 2 };
    buf_init(&asked.words, LINE_MAX_LEN / 2);
    ExitStatus status = command_read_words(options, (void *[]){ &asked })
                            ? run_gauntlet(options, &asked)
                            : EXIT_USAGE;
    buf_release(&asked.words);
    return status;
}

const CliCommand command_gauntlet = {
    .name = "gauntlet",
    .run = cmd_gauntlet,
    .help = "play a match against each player of a list",
    .forms = { "FILE CLOCK [rated|casual] [VARIANT] [--games N] [--anew]" },
    .text = "The running daemon plays, one game after the other, within the day's budget of games "
            "against bots ([matchmaking] games_per_day). Whoever refuses is asked again, three "
            "times in all. The command ends with a table when all is played. Stopped and started "
            "again it goes on where it was: the games are counted in the archive, since the moment "
            "that stands in FILE.gauntlet.",
    .options = { gauntlet_options },
    .example = "castled gauntlet opponents.txt 3+2 --games 4",
    .example_help = "plays four games against each player of the file",
};
