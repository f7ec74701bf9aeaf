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
    ExternalCommand command;
    ExternalSecrets secrets;
    bool is_confined;
} Stage;

static bool read_number(const char *name, const char *value, int64_t hi, int64_t *out, Error *err)
{
    if (value && number_parse(value, strlen(value), 1, hi, out, NULL))
        return true;
    error_set(err, ERR_INVALID, "%s takes a number, 1..%d", name, (int)hi);
    return false;
}

static bool read_word(Wanted *out, const CommandOptions *options, int *at, Error *err)
{
    const char *word = options->words[*at];
    bool has_value = *at + 1 < options->word_count;
    const char *value = has_value ? options->words[*at + 1] : NULL;
    *at += 1;
    if (strcmp(word, "--ply") == 0)
        return read_number(word, value, PLY_MAX, &out->ply, err);
    if (strcmp(word, "--times") == 0)
        return read_number(word, value, TIMES_MAX, &out->times, err);
    if (value && strcmp(word, "--engine") == 0) {
        out->command = value;
        return true;
    }
    if (value && strcmp(word, "--of") == 0) {
        out->engine = value;
        return true;
    }
    *at -= 1;
    if (strcmp(word, "--same") == 0) {
        out->wants_same = true;
        return true;
    }
    if (!out->game && game_id_is_valid(text_of(word))) {
        out->game = word;
        return true;
    }
    error_set(err, ERR_INVALID, "%s: not the id of one game", word);
    return false;
}

static bool read_words(Wanted *out, const CommandOptions *options, Error *err)
{
    *out = (Wanted){ .times = 1 };
    for (int i = 0; i < options->word_count; i++)
        if (!read_word(out, options, &i, err))
            return false;
    if (!out->game)
        error_set(err, ERR_INVALID, "which game? castled games lists them");
    return out->game != NULL;
}

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
    external_secrets_init(&stage->secrets, config_file, config->account.token_file,
                          config->archive.database);
    if (!external_command_parse(&stage->command,
                                wanted->command ? wanted->command : external->command, err))
        return false;
    stage->command.directory = external ? external->directory : "";
    stage->command.as_nobody = true;
    return external_command_find(&stage->command, err);
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

ExitStatus cmd_replay(const CommandOptions *options)
{
    Wanted wanted;
    Config config;
    char path[CONFIG_PATH_SIZE];
    Error err = { 0 };
    Stage stage = { .is_confined = true };
    ExitStatus status = EXIT_UNTESTED;
    if (!read_words(&wanted, options, &err)) {
        fprintf(stderr, "castled replay: %s; see castled replay --help\n", shown_error(&err).text);
        return EXIT_UNTESTED;
    }
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
