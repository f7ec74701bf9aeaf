/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What was said between castled and external engines in a game. */
#include "bot/cli/command.h"
#include "bot/cli/game_transcript.h"
#include "bot/cli/owner_rights.h"
#include "bot/cli/shown.h"
#include "bot/lichess/event.h"
#include "bot/ops/printable.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

enum { FOLLOW_MS = 200, FIND_TRIES = 25 };

typedef struct {
    const char *game;
    bool follows;
} Wanted;

static const Option engine_log_options[] = {
    { .name = "GAME",
      .help = "the id of a game; castled games and castled status list them",
      .read = option_game,
      .at = offsetof(Wanted, game),
      .count = OPTION_MUST },
    { .name = "--follow",
      .help = "go on with what is said from now on, until the game is over",
      .read = option_flag,
      .at = offsetof(Wanted, follows) },
    { .name = NULL },
};

static void print_lines(Text text)
{
    while (text.len > 0) {
        const char *end = memchr(text.at, '\n', text.len);
        Text line = { text.at, end ? (size_t)(end - text.at) : text.len };
        printable_print(stdout, line);
        fputc('\n', stdout);
        text.at += line.len + (end != NULL);
        text.len -= line.len + (end != NULL);
    }
    fflush(stdout);
}

static bool is_ended(Text text)
{
    static const char note[] = "# " TRANSCRIPT_END "\n";
    size_t len = sizeof note - 1;
    return text.len >= len && memcmp(text.at + text.len - len, note, len) == 0;
}

/* How much of `now` was seen, as `seen` bytes that ended in `last` were printed: a tail that makes
 * way moves all of it. */
static size_t find_seen(const Buf *now, size_t seen, const char *last, size_t last_len)
{
    if (seen <= now->len && seen >= last_len &&
        (last_len == 0 || memcmp(now->text + seen - last_len, last, last_len) == 0))
        return seen;
    const char *at = now->len > 0 ? memmem(now->text, now->len, last, last_len) : NULL;
    return at ? (size_t)(at - now->text) + last_len : 0;
}

static void pause_ms(int ms)
{
    const struct timespec wait = { .tv_nsec = ms * 1000000L };
    nanosleep(&wait, NULL);
}

/* Prints one engine's, and what comes until the game's end. */
static bool print_one(const char *head, bool follows, Error *err)
{
    char last[200];
    size_t seen = 0, last_len = 0;
    for (;;) {
        Buf text;
        buf_init(&text, GAME_TRANSCRIPT_MAX);
        bool ok = game_transcript_read(head, &text, err);
        size_t from = ok ? find_seen(&text, seen, last, last_len) : 0;
        print_lines((Text){ buf_view(&text) + from, text.len - from });
        bool is_over = !ok || !follows || is_ended((Text){ text.text, text.len });
        seen = text.len;
        last_len = seen < sizeof last ? seen : sizeof last;
        if (last_len > 0)
            memcpy(last, text.text + seen - last_len, last_len);
        buf_release(&text);
        if (is_over)
            return ok;
        pause_ms(FOLLOW_MS);
    }
}

/* A game that has just begun may have none yet. */
static bool find_transcripts(GameTranscripts *out, const Config *config, const Wanted *wanted,
                             Error *err)
{
    for (int tries = 0; wanted->follows && tries < FIND_TRIES; tries++) {
        if (game_transcripts_find(out, config, wanted->game, NULL))
            return true;
        owner_rights_drop();
        pause_ms(FOLLOW_MS);
    }
    return game_transcripts_find(out, config, wanted->game, err);
}

static ExitStatus cmd_engine_log(const CommandOptions *options)
{
    Wanted wanted = { .game = NULL };
    Config config;
    char path[CONFIG_PATH_SIZE];
    Error err = { 0 };
    GameTranscripts found;
    if (!command_read_words(options, (void *[]){ &wanted }))
        return EXIT_USAGE;
    if (!command_read_places(options, &config, path))
        return EXIT_CONFIG;
    bool ok = find_transcripts(&found, &config, &wanted, &err);
    for (size_t i = 0; ok && i < found.count; i++)
        ok = print_one(found.heads[i], wanted.follows && i + 1 == found.count, &err);
    owner_rights_drop();
    config_release(&config);
    if (!ok)
        fprintf(stderr, "castled engine-log: %s\n", shown_error(&err).text);
    return ok ? EXIT_FINE : EXIT_UNREACHABLE;
}

const CliCommand command_engine_log = {
    .name = "engine-log",
    .run = cmd_engine_log,
    .help = "print what was said between castled and an external engine in a game",
    .forms = { "GAME [--follow]" },
    .text = "Each line has the seconds since the game began for castled, then > before what the "
            "engine was told, < and ! before what it wrote to its standard output and error, and "
            "# before notes. Of repeated reports of a search some are left out, and of more than "
            "a megabyte the middle.",
    .options = { engine_log_options },
    .example = "castled engine-log Qw8rTy2u --follow",
    .example_help = "shows the traffic of this game while it is played",
};
