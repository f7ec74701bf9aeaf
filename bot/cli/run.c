/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/cli/command.h"
#include "bot/daemon/daemon.h"
#include "bot/lichess/recording.h"

#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>
#ifdef __GLIBC__
    #include <malloc.h>
    #include <signal.h>
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

/* `path` is NULL where nothing is to be recorded. */
static bool read_words(const CommandOptions *options, const char **path)
{
    *path = NULL;
    if (options->word_count == 0)
        return true;
    if (options->word_count == 2 && strcmp(options->words[0], "--record") == 0) {
        *path = options->words[1];
        return true;
    }
    fputs("castled: run: nothing but --record FILE may follow; see castled run --help\n", stderr);
    return false;
}

static ExitStatus play(Config *config, const char *path, const char *record_path, Log *log)
{
    Token token;
    Error err = { 0 };
    int record_file = -1;
    if (!token_load(&token, config->account.token_file, &err)) {
        log_error(log, "account", "no-token", FIELDS(F("why", err.text)));
        return EXIT_REFUSED;
    }
    if (record_path && (record_file = recording_open_file(record_path, &err)) < 0) {
        token_erase(&token);
        log_error(log, "recording", "not-made", FIELDS(F("why", err.text)));
        return EXIT_USAGE;
    }
    return daemon_run(config, path, &token, log, record_file);
}

ExitStatus cmd_run(const CommandOptions *options)
{
    Config config;
    char path[CONFIG_PATH_SIZE];
    const char *record_path;
    Error err = { 0 };
    Log log;
    keep_memory_small();
    allow_descriptors();
    command_outlive_peers();
    signal(SIGBUS, on_bus_error);
    if (!read_words(options, &record_path))
        return EXIT_USAGE;
    if (!command_read_config(options, &config, path))
        return EXIT_CONFIG;
    if (!log_open(&log, STDERR_FILENO, config.log.level, config.log.format, LOG_JOURNAL_SOCKET,
                  &err))
        log_warning(&log, "log", "no-journal", FIELDS(F("why", err.text)));
    log_info(&log, "daemon", "configured", FIELDS(F("file", path)));
    ExitStatus status = play(&config, path, record_path, &log);
    log_close(&log);
    config_release(&config);
    return status;
}
