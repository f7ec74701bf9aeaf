/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/cli/command.h"
#include "bot/cli/shown.h"
#include "bot/daemon/daemon.h"
#include "bot/lichess/recording.h"
#include "engine/base/duration.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>
#ifdef __GLIBC__
    #include <malloc.h>
#endif

/* Games come and go for months, and their memory must be reused or go back to the system. So
 * threads share one heap, and large blocks stay out of it. Other libraries than glibc do so. */
static void keep_memory_small(void)
{
#ifdef __GLIBC__
    enum { LARGE = 128 << 10 };
    (void)mallopt(M_ARENA_MAX, 1);
    (void)mallopt(M_MMAP_THRESHOLD, LARGE);
    (void)mallopt(M_TRIM_THRESHOLD, 2 * LARGE);
#endif
}

/* A login shell's soft limit is meant for programs that use select(), and none of ours does. */
static void allow_descriptors(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
        return;
    limit.rlim_cur = limit.rlim_max;
    (void)setrlimit(RLIMIT_NOFILE, &limit);
}

/* The one way to end that no line of ours led to, and that an operator can do something about. */
static void on_bus_error(int number)
{
    static const char why[] =
        "castled: a file in use was cut short, or its disk fails (SIGBUS). Was an endgame table "
        "copied over? Move the new one into its place with mv.\n";
    (void)!write(STDERR_FILENO, why, sizeof why - 1);
    signal(number, SIG_DFL);
    raise(number);
}

typedef struct {
    const char *record_path; /* NULL: nothing is to be recorded */
    PlayTime time;
} RunWords;

static bool read_time(int64_t *ms, const char *text, Error *err)
{
    int64_t seconds;
    if (!duration_read(&seconds, text, err))
        return false;
    *ms = seconds * 1000;
    return true;
}

/* How many words that was; 0: an error. */
static int read_word(RunWords *out, const char *word, const char *value, Error *err)
{
    if (strcmp(word, "--drain") == 0) {
        out->time.term_drains = true;
        return 1;
    }
    if (value && strcmp(word, "--record") == 0) {
        out->record_path = value;
        return 2;
    }
    if (value && strcmp(word, "--for") == 0)
        return read_time(&out->time.play_ms, value, err) ? 2 : 0;
    if (value && strcmp(word, "--deadline") == 0)
        return read_time(&out->time.finish_ms, value, err) ? 2 : 0;
    error_set(err, ERR_INVALID,
              "nothing but --for TIME, --deadline TIME, --drain and --record FILE may follow");
    return 0;
}

static bool read_words(const CommandOptions *options, RunWords *out)
{
    Error err = { 0 };
    bool ok = true;
    *out = (RunWords){ .time = { .play_ms = INT64_MAX, .finish_ms = INT64_MAX } };
    for (int i = 0, taken = 0; i < options->word_count && ok; i += taken) {
        const char *value = i + 1 < options->word_count ? options->words[i + 1] : NULL;
        taken = read_word(out, options->words[i], value, &err);
        ok = taken > 0;
    }
    if (ok && out->time.finish_ms != INT64_MAX && out->time.play_ms == INT64_MAX &&
        !out->time.term_drains) {
        error_set(&err, ERR_INVALID, "--deadline needs --for TIME or --drain");
        ok = false;
    }
    if (!ok)
        fprintf(stderr, "castled: run: %s; see castled run --help\n", shown_error(&err).text);
    return ok;
}

static ExitStatus play(Config *config, const char *path, const RunWords *words, Log *log)
{
    Token token;
    Error err = { 0 };
    int record_file = -1;
    if (!token_load(&token, config->account.token_file, &err)) {
        log_error(log, "account", "no-token", FIELDS(F("why", err.text)));
        return EXIT_REFUSED;
    }
    if (words->record_path && (record_file = recording_open_file(words->record_path, &err)) < 0) {
        token_erase(&token);
        log_error(log, "recording", "not-made", FIELDS(F("why", err.text)));
        return EXIT_USAGE;
    }
    return daemon_run(config, path, &token, log, record_file, words->time);
}

ExitStatus cmd_run(const CommandOptions *options)
{
    Config config;
    char path[CONFIG_PATH_SIZE];
    RunWords words;
    Error err = { 0 };
    Log log;
    keep_memory_small();
    allow_descriptors();
    command_outlive_peers();
    signal(SIGBUS, on_bus_error);
    if (!read_words(options, &words))
        return EXIT_USAGE;
    if (!command_read_config(options, &config, path))
        return EXIT_CONFIG;
    if (!log_open(&log, STDERR_FILENO, config.log.level, config.log.format, LOG_JOURNAL_SOCKET,
                  &err))
        log_warning(&log, "log", "no-journal", FIELDS(F("why", err.text)));
    log_info(&log, "daemon", "configured", FIELDS(F("file", config_place(path))));
    ExitStatus status = play(&config, path, &words, &log);
    log_close(&log);
    config_release(&config);
    return status;
}
