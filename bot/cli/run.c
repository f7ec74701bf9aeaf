/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/cli/command.h"
#include "bot/cli/shown.h"
#include "bot/daemon/daemon.h"
#include "bot/lichess/recording.h"
#include "bot/config/config_place.h"
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
static void run_on_bus_error(int number)
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

static bool take_time(const Option *option, void *at, const char *value, Error *err)
{
    int64_t seconds, *ms = at;
    (void)option;
    if (!duration_read(&seconds, value, err))
        return false;
    *ms = seconds * 1000;
    return true;
}

static const Option run_options[] = {
    { .name = "--for",
      .value = "TIME",
      .help = "play so long, such as 5h45m: no game begins that should take longer than is left, "
              "and at the end castled drains: it finishes its games and ends",
      .read = take_time,
      .at = offsetof(RunWords, time.play_ms) },
    { .name = "--drain",
      .help = "drain at the first SIGTERM, and stop at the second; for containers",
      .read = option_flag,
      .at = offsetof(RunWords, time.term_drains) },
    { .name = "--deadline",
      .value = "TIME",
      .help = "end so long after the drain began even if games still run; default: finish them, "
              "however long they take",
      .read = take_time,
      .at = offsetof(RunWords, time.finish_ms) },
    { .name = "--record",
      .value = "FILE",
      .help = "keep what the server sends in FILE, up to 64 MiB, for its owner only: no chat and "
              "no token, but names and moves. FILE must not exist yet",
      .read = option_text,
      .at = offsetof(RunWords, record_path) },
    { .name = NULL },
};

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

static ExitStatus cmd_run(const CommandOptions *options)
{
    Config config;
    char path[CONFIG_PATH_SIZE];
    RunWords words = { .time = { .play_ms = INT64_MAX, .finish_ms = INT64_MAX } };
    Error err = { 0 };
    Log log;
    keep_memory_small();
    allow_descriptors();
    command_outlive_peers();
    signal(SIGBUS, run_on_bus_error);
    if (!command_read_words(options, (void *[]){ &words }))
        return EXIT_USAGE;
    if (words.time.finish_ms != INT64_MAX && words.time.play_ms == INT64_MAX &&
        !words.time.term_drains)
        return command_misused(options, "--deadline needs --for TIME or --drain");
    if (!command_read_config(options, &config, path))
        return EXIT_CONFIG;
    if (!log_open(&log, STDERR_FILENO, config.log.level, config.log.format, LOG_JOURNAL_SOCKET,
                  &err))
        log_warning(&log, "log", "no-journal", FIELDS(F("why", err.text)));
    log_info(&log, "daemon", "configured", FIELDS(F("file", config_place_text(path))));
    ExitStatus status = play(&config, path, &words, &log);
    if (status != EXIT_FINE)
        log_last_words(&log);
    log_close(&log);
    config_release(&config);
    return status;
}

const CliCommand command_run = {
    .name = "run",
    .run = cmd_run,
    .help = "play on Lichess until stopped",
    .forms = { "[--for TIME] [--drain] [--deadline TIME] [--record FILE]" },
    .text = "SIGTERM or Ctrl-C stops within two seconds and leaves games resumable; the next "
            "start resumes them. SIGHUP reads the configuration again.",
    .options = { run_options },
    .example = "castled run --record first-day.ndjson",
    .example_help = "plays in the foreground, and keeps what the server sends",
};
