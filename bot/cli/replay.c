/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Says to an engine again what it was told in a game, and looks whether it fails again. */
#include "bot/cli/command.h"
#include "bot/cli/game_transcript.h"
#include "bot/cli/owner_rights.h"
#include "bot/cli/shown.h"
#include "bot/config/external_config.h"
#include "bot/lichess/event.h"
#include "bot/source/transcript_replay.h"
#include "engine/base/number.h"

#include <stdio.h>
#include <string.h>

enum { TIMES_MAX = 1000, PLY_MAX = 2000 };

typedef struct {
    const char *game, *engine, *command; /* NULL: not given */
    int64_t ply, times;
    bool wants_same;
} Wanted;

/* What is replayed, and to which program. */
typedef struct {
    Buf transcript;
    ChildCommand command;
    ChildSecrets secrets;
    bool is_confined;
} Stage;

#define AT(member) .at = offsetof(Wanted, member)

static const Option replay_options[] = {
    { .name = "GAME",
      .help = "the id of a game; castled games lists them",
      .read = option_game,
      AT(game),
      .count = OPTION_MUST },
    { .name = "--ply",
      .value = "N",
      .help = "only what was asked for this move, 1 being the game's first; default: all",
      .read = option_number,
      AT(ply),
      .lo = 1,
      .hi = PLY_MAX },
    { .name = "--engine",
      .value = "COMMAND",
      .help = "to this program; default: as the engine's section says",
      .read = option_text,
      AT(command) },
    { .name = "--of",
      .value = "NAME",
      .help = "which engine's words, where several were asked in the game",
      .read = option_text,
      AT(engine) },
    { .name = "--times",
      .value = "N",
      .help = "do it N times",
      .read = option_number,
      AT(times),
      .lo = 1,
      .hi = TIMES_MAX },
    { .name = "--same",
      .help = "count another move than in the game as a fault",
      .read = option_flag,
      AT(wants_same) },
    { .name = NULL },
};

/* The engine whose words they are, as its section is called. */
static Text engine_of(const Buf *transcript)
{
    Text rest = { transcript->text, transcript->len };
    while (rest.len > 0) {
        TranscriptLine line;
        Text name, text = text_next_word(&rest, "\n");
        if (transcript_read(&line, text) && transcript_is_note(&line, TRANSCRIPT_ENGINE, &name))
            return name;
    }
    return (Text){ NULL, 0 };
}

/* Of several engines in the game the one that is asked for, or the only one. */
static bool read_transcript(Stage *stage, const Wanted *wanted, const Config *config, Error *err)
{
    GameTranscripts found;
    bool is_found = false;
    if (!game_transcripts_find(&found, config, wanted->game, err))
        return false;
    if (found.count > 1 && !wanted->engine) {
        error_set(err, ERR_INVALID, "%zu engines were asked in this game: name one with --of",
                  found.count);
        return false;
    }
    for (size_t i = 0; i < found.count && !is_found; i++) {
        buf_reset(&stage->transcript);
        if (!game_transcript_read(found.heads[i], &stage->transcript, err))
            return false;
        is_found = !wanted->engine || text_is(engine_of(&stage->transcript), wanted->engine);
    }
    if (!is_found)
        error_set(err, ERR_INVALID, "%s: was not asked in this game", wanted->engine);
    return is_found;
}

static bool find_program(Stage *stage, const Wanted *wanted, const Config *config,
                         const char *config_file, Error *err)
{
    Text name = engine_of(&stage->transcript);
    const ExternalConfig *external = NULL;
    for (size_t i = 0; i < config->external_count; i++)
        if (text_is(name, config->externals[i].name))
            external = &config->externals[i];
    if (!external && !wanted->command) {
        error_set(err, ERR_INVALID,
                  "the configuration has no engine of that name any more: name a program with "
                  "--engine");
        return false;
    }
    stage->is_confined = !external || external->sandbox;
    child_secrets_init(&stage->secrets, config_file, config->account.token_file,
                       config->archive.database);
    if (!child_command_parse(&stage->command, wanted->command ? wanted->command : external->command,
                             err))
        return false;
    stage->command.directory = external ? external->directory : "";
    stage->command.as_nobody = true;
    return child_command_find(&stage->command, err);
}

static void print_result(const ReplayResult *result, int64_t number)
{
    if (result->verdict == REPLAY_FINE)
        printf("%lld: no fault: %d searches answered", (long long)number, result->searches);
    else if (result->verdict == REPLAY_UNUSABLE)
        printf("%lld: %s", (long long)number, shown(text_of(result->words)).text);
    else
        printf("%lld: ply %d: %s", (long long)number, result->ply,
               shown(text_of(result->words)).text);
    if (result->others > 0)
        printf("; %d of %d moves are others than in the game, the first at ply %d", result->others,
               result->searches, result->other_ply);
    if (result->others > 0 && result->earlier > 0)
        printf("; the game's process had %d searches of other games behind it", result->earlier);
    printf("\n");
    fflush(stdout);
}

static ExitStatus print_verdict(const ReplayResult *last, int faults, int64_t times)
{
    bool has_record = last->recorded[0] != '\0';
    if (has_record)
        printf("in the game: ply %s\n", shown(text_of(last->recorded)).text);
    if (faults > 0)
        printf("%s: %d of %lld\n", has_record ? "reproduced" : "a fault was found", faults,
               (long long)times);
    else
        printf("%s\n", has_record ? "not reproduced" : "no fault");
    return faults > 0 ? EXIT_FAULT : EXIT_FINE;
}

static ExitStatus replay(const Stage *stage, const Wanted *wanted, Error *err)
{
    const ReplayOrder order = {
        .transcript = { stage->transcript.text, stage->transcript.len },
        .ply = (int)wanted->ply,
        .wants_same = wanted->wants_same,
        .command = &stage->command,
        .secrets = stage->is_confined ? &stage->secrets : NULL,
    };
    ReplayResult result = { .verdict = REPLAY_UNUSABLE };
    int faults = 0;
    for (int64_t i = 1; i <= wanted->times; i++) {
        if (!transcript_replay(&order, &result, err))
            return EXIT_UNTESTED;
        print_result(&result, i);
        if (result.verdict == REPLAY_UNUSABLE)
            return EXIT_UNTESTED;
        faults += result.verdict != REPLAY_FINE;
    }
    return print_verdict(&result, faults, wanted->times);
}

static ExitStatus cmd_replay(const CommandOptions *options)
{
    Wanted wanted = { .times = 1 };
    Config config;
    char path[CONFIG_PATH_SIZE];
    Error err = { 0 };
    Stage stage = { .is_confined = true };
    ExitStatus status = EXIT_UNTESTED;
    if (!command_read_words(options, (void *[]){ &wanted }))
        return EXIT_UNTESTED;
    if (!command_read_places(options, &config, path))
        return EXIT_UNTESTED;
    command_outlive_peers();
    buf_init(&stage.transcript, GAME_TRANSCRIPT_MAX);
    bool ok = read_transcript(&stage, &wanted, &config, &err);
    owner_rights_drop();
    if (ok && find_program(&stage, &wanted, &config, path, &err))
        status = replay(&stage, &wanted, &err);
    if (error_is_set(&err))
        fprintf(stderr, "castled replay: %s\n", shown_error(&err).text);
    buf_release(&stage.transcript);
    config_release(&config);
    return status;
}

const CliCommand command_replay = {
    .name = "replay",
    .run = cmd_replay,
    .help = "say to an engine again what it was told in a game: does it fail again?",
    .forms = { "GAME [--ply N] [--engine COMMAND] [--of NAME] [--times N] [--same]" },
    .text = "The orders, their clocks and their pace are those of the game. A crash, silence, and "
            "an illegal move are faults. For git bisect run: the exit status is 0 without a "
            "fault, 1 with one, and 125 where nothing could be tried.",
    .options = { replay_options },
    .example = "git bisect run castled replay Qw8rTy2u --ply 31 --engine ./engine",
    .example_help = "finds the commit since which the engine fails at this move",
};
