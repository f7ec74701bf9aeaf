/* SPDX-License-Identifier: GPL-3.0-or-later */
/* castled-datagen: makes games to train networks from, and keeps them in shards (archive.h), or in
 * sets with labels (human_labels.h), which are text.
 *
 * Each job is a thread with a seed of its own. Every game depends on the seed, its number, the
 * labeller and the options alone; so a run goes on where the last one ended, and the same command
 * makes the same files on any machine. */
#include "engine/base/clock.h"
#include "engine/core/variant_rules.h"
#include "engine/eval/network.h"
#include "engine/train/datagen_options.h"
#include "engine/train/human_labels.h"
#include "engine/train/output.h"
#include "engine/train/self_play_games.h"
#include "engine/train/start_position.h"
#include "engine/train/usage.h"

#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { HASH_MIB = 4, REPORT_S = 60, REPORT_TERMINAL_S = 2 };

/* Changes whenever other games come out of the same options. */
#define GENERATOR "castled-datagen 1"

/* What all jobs share: atomics, and what is written before they start. */
typedef struct {
    DatagenOptions options;
    Network *network;        /* or NULL */
    Network built_in;        /* what plays without it */
    ShardHeader header;      /* seed and number are each job's */
    HumanTeachers *teachers; /* of --kind human; or NULL */
    MappedFile people;       /* of --people */
    atomic_bool is_stopping;
    atomic_int running;
    uint64_t goal; /* games that there are in the end, of all jobs together; 0: not known */
    atomic_ullong games, plies;
    atomic_ullong found; /* games of earlier runs, as far as their shards were opened */
} Run;

typedef struct {
    Run *run;
    pthread_t thread;
    SelfPlay *player;
    HumanLabels *labels; /* of --kind human, instead; */
    Text people;         /* … what is left of people's games */
    uint64_t seed;
    uint64_t total; /* games of all shards */
    ArchivedGame game;
    Error err; /* why the job ended before its time */
} Job;

/* What the games depend on besides the player. */
static void options_note(Run *run)
{
    const int *percent = START_SHARES.percent;
    char starts[32] = "usual";
    if (run->options.ruleset == RULES_STANDARD)
        (void)!snprintf(starts, sizeof starts, "%d/%d/%d/%d", percent[START_USUAL],
                        percent[START_CHESS960], percent[START_DOUBLE_CHESS960],
                        percent[START_ENDGAME]);
    int len = snprintf(run->header.options, sizeof run->header.options,
                       "hash=%d starts=%s opening=%d won=%d", HASH_MIB, starts,
                       (int)run->options.opening_max, (int)run->options.won_score);
    assert(len > 0 && (size_t)len < sizeof run->header.options);
    (void)len;
}

static GameRules rules_of(const DatagenOptions *options)
{
    return (GameRules){ .ruleset = options->ruleset,
                        .shares = START_SHARES,
                        .opening_max = (int)options->opening_max,
                        .won_score = (int)options->won_score };
}

static SelfPlayOptions self_play_of(const Run *run)
{
    return (SelfPlayOptions){ .nodes = (int)run->options.nodes,
                              .hash_mib = HASH_MIB,
                              .network = run->network,
                              .rules = rules_of(&run->options) };
}

static bool rules_fit(const Network *network, Ruleset ruleset, Error *err)
{
    if (!network || network->info.ruleset == ruleset)
        return true;
    error_set(err, ERR_INVALID, "--network: of %s, not of %s",
              variant_rules_table[network->info.ruleset].uci_name,
              variant_rules_table[ruleset].uci_name);
    return false;
}

/* Lent while the run lives. */
static const char *network_name(Run *run)
{
    if (run->network)
        return run->network->info.name;
    run->built_in = network_embedded();
    bool has_own = run->options.ruleset == RULES_STANDARD ||
                   network_embedded_of(&run->built_in, run->options.ruleset);
    return has_own ? run->built_in.info.name : "none";
}

/* Another network or another search makes other games, so it gives the shards other names. */
static bool self_play_prepare(Run *run, Error *err)
{
    static const char name[] = "castled";
    if (run->options.network && !network_load(&run->network, run->options.network, err))
        return false;
    if (!rules_fit(run->network, run->options.ruleset, err))
        return false;
    memcpy(run->header.labeller, name, sizeof name);
    snprintf(run->header.network, sizeof run->header.network, "%s", network_name(run));
    options_note(run);
    SelfPlayOptions options = self_play_of(run);
    return self_play_bench(&run->header.bench, &options, err);
}

static bool has_all_games(const Job *job)
{
    uint64_t games = (uint64_t)job->run->options.games;
    if (job->run->options.people)
        return job->people.len == 0;
    return games && job->total >= games;
}

static bool shard_grow(Job *job, const ShardHeader *header, ShardWriter *writer, Error *err)
{
    Run *run = job->run;
    while (!atomic_load(&run->is_stopping) && !shard_writer_is_full(writer) &&
           !has_all_games(job)) {
        uint64_t seed =
            training_game_seed(header->seed, header->number, shard_writer_games(writer));
        self_play_game(job->player, seed, &job->game);
        if (!shard_writer_put(writer, &job->game, err))
            return false;
        job->total++;
        atomic_fetch_add(&run->games, 1);
        atomic_fetch_add(&run->plies, (unsigned long long)job->game.ply_count);
    }
    return true;
}

static bool shard_make(Job *job, const ShardHeader *header, Error *err)
{
    ShardWriter *writer;
    if (!shard_writer_new(&writer, job->run->options.out, header, err))
        return false;
    job->total += shard_writer_games(writer);
    atomic_fetch_add(&job->run->found, shard_writer_games(writer));
    bool ok = shard_grow(job, header, writer, err) &&
              (shard_writer_games(writer) == 0 || shard_writer_finish(writer, err));
    shard_writer_free(writer);
    return ok;
}

/* Steps until all games of the set are over. What a run that is told to end has begun is lost: a
 * set takes some ten seconds. */
static bool labels_finish(Job *job, const char *path, Error *err)
{
    int positions;
    while ((positions = human_labels_step(job->labels, err)) > 0) {
        atomic_fetch_add(&job->run->plies, (unsigned long long)positions);
        if (atomic_load(&job->run->is_stopping))
            return true;
    }
    atomic_fetch_add(&job->run->games, (unsigned long long)human_labels_count(job->labels));
    return positions == 0 && human_labels_write(job->labels, path, err);
}

/* False when the path is too long. */
static bool labels_path(char path[OUTPUT_PATH_SIZE], const Job *job, uint32_t number, Error *err)
{
    const DatagenOptions *options = &job->run->options;
    int length = options->people
                     ? snprintf(path, OUTPUT_PATH_SIZE, "%s/people-%u.tsv", options->out, number)
                     : snprintf(path, OUTPUT_PATH_SIZE, "%s/play-%llu-%u.tsv", options->out,
                                (unsigned long long)job->seed, number);
    if (length > 0 && length < OUTPUT_PATH_SIZE)
        return true;
    error_set(err, ERR_RANGE, "--out: too long");
    return false;
}

/* The next set, unless it is another job's, or an earlier run has made it. */
static bool labels_make(Job *job, uint32_t number, Error *err)
{
    const DatagenOptions *options = &job->run->options;
    char path[OUTPUT_PATH_SIZE];
    bool is_mine = !options->people || number % (uint64_t)options->jobs == job->seed;
    if (!labels_path(path, job, number, err))
        return false;
    job->total += HUMAN_LABELS_GAMES;
    if (!is_mine || access(path, F_OK) == 0) {
        for (int i = 0; i < HUMAN_LABELS_GAMES; i++)
            text_next_word(&job->people, "\n");
        if (is_mine)
            atomic_fetch_add(&job->run->found, HUMAN_LABELS_GAMES);
        return true;
    }
    uint64_t seed = training_game_seed(job->seed, number, 0);
    return (options->people ? human_labels_follow(job->labels, job->people, &job->people, err)
                            : human_labels_play(job->labels, seed, err)) &&
           labels_finish(job, path, err);
}

static void *job_run(void *user)
{
    Job *job = user;
    ShardHeader header = job->run->header;
    header.seed = job->seed;
    bool ok = true;
    while (ok && !atomic_load(&job->run->is_stopping) && !has_all_games(job)) {
        ok = job->labels ? labels_make(job, header.number, &job->err)
                         : shard_make(job, &header, &job->err);
        header.number++;
    }
    atomic_fetch_sub(&job->run->running, 1);
    return NULL;
}

/* Until the run ends by itself; INFINITY if it does not. */
static double seconds_left(const Run *run, double seconds)
{
    double made = (double)atomic_load(&run->games), found = (double)atomic_load(&run->found);
    double left = run->options.minutes ? (double)run->options.minutes * 60 - seconds : INFINITY;
    if (run->goal && made > 0)
        left = fmin(left, ((double)run->goal - found - made) * seconds / made);
    return fmax(left, 0);
}

static void report(const Run *run, int64_t start_ms)
{
    double seconds = (double)(clock_now_ms() - start_ms) / 1000;
    double left = seconds_left(run, seconds);
    unsigned long long plies = atomic_load(&run->plies);
    fprintf(stderr, "%llu games, %llu positions, %.0f positions/s", atomic_load(&run->games), plies,
            (double)plies / (seconds > 0 ? seconds : 1));
    if (left < INFINITY)
        fprintf(stderr, ", %.0f s left", left);
    fputs(isatty(STDERR_FILENO) ? "  \r" : "\n", stderr);
}

/* Until a signal comes, the time is over, or the jobs have ended by themselves. */
static void wait_for_end(Run *run, const sigset_t *signals)
{
    int64_t start_ms = clock_now_ms(), last_ms = start_ms;
    int64_t report_ms = 1000 * (isatty(STDERR_FILENO) ? REPORT_TERMINAL_S : REPORT_S);
    while (atomic_load(&run->running) > 0) {
        struct timespec slice = { .tv_nsec = 200 * 1000000L };
        bool is_told = sigtimedwait(signals, NULL, &slice) > 0;
        int64_t now_ms = clock_now_ms();
        bool is_over = run->options.minutes && now_ms - start_ms >= run->options.minutes * 60000;
        if (is_told || is_over)
            atomic_store(&run->is_stopping, true);
        if (now_ms - last_ms >= report_ms) {
            report(run, start_ms);
            last_ms = now_ms;
        }
    }
    report(run, start_ms);
    if (isatty(STDERR_FILENO))
        fputc('\n', stderr);
}

static bool job_start(Job *job, Run *run, int64_t number, Error *err)
{
    SelfPlayOptions options = self_play_of(run);
    job->run = run;
    job->seed = (uint64_t)(run->options.seed + number);
    job->people = text_trimmed((Text){ (const char *)run->people.bytes, run->people.size }, "\n");
    if (run->teachers ? !human_labels_new(&job->labels, run->teachers, err)
                      : !self_play_new(&job->player, &options, err))
        return false;
    atomic_fetch_add(&run->running, 1);
    if (pthread_create(&job->thread, NULL, job_run, job) == 0)
        return true;
    atomic_fetch_sub(&run->running, 1);
    self_play_free(job->player);
    human_labels_free(job->labels);
    error_set(err, ERR_MEMORY, "job %lld: no thread", (long long)number + 1);
    return false;
}

static bool job_end(Job *job, Error *err)
{
    pthread_join(job->thread, NULL);
    self_play_free(job->player);
    human_labels_free(job->labels);
    if (error_is_set(&job->err))
        error_set(err, job->err.code, "%s", job->err.text);
    return !error_is_set(&job->err);
}

static bool jobs_run(Run *run, Error *err)
{
    Job *jobs = calloc((size_t)run->options.jobs, sizeof *jobs);
    sigset_t signals;
    int64_t started = 0;
    if (!jobs) {
        error_set(err, ERR_MEMORY, "no memory for %lld jobs", (long long)run->options.jobs);
        return false;
    }
    sigemptyset(&signals);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGTERM);
    sigaddset(&signals, SIGHUP);
    pthread_sigmask(SIG_BLOCK, &signals, NULL);
    while (started < run->options.jobs && job_start(&jobs[started], run, started, err))
        started++;
    bool ok = started == run->options.jobs;
    if (!ok)
        atomic_store(&run->is_stopping, true);
    wait_for_end(run, &signals);
    for (int64_t i = 0; i < started; i++)
        ok = job_end(&jobs[i], err) && ok;
    free(jobs);
    return ok;
}

static bool run_prepare(Run *run, Error *err)
{
    const char *name = "selfplay"; /* files tell the rules by it */
    if (run->options.ruleset != RULES_STANDARD)
        name = variant_rules_table[run->options.ruleset].uci_name;
    run->goal = (uint64_t)(run->options.games * run->options.jobs);
    if (run->options.kind == DATAGEN_HUMAN)
        return human_teachers_load(&run->teachers, run->options.teachers, err) &&
               (!run->options.people || mapped_file_init(&run->people, run->options.people, err));
    run->header.nodes = (uint32_t)run->options.nodes;
    memcpy(run->header.kind, name, strlen(name));
    memcpy(run->header.generator, GENERATOR, sizeof GENERATOR);
    return self_play_prepare(run, err);
}

int main(int argc, char **argv)
{
    Run run = { 0 };
    Error err = { 0 };
    if (!datagen_options_read(&run.options, argc, argv, &err))
        return usage_exit("castled-datagen", &err);
    if (run.options.asks_for_help)
        return fputs(datagen_usage, stdout) == EOF;
    bool ok = run_prepare(&run, &err) && jobs_run(&run, &err);
    network_free(run.network);
    human_teachers_free(run.teachers);
    mapped_file_release(&run.people);
    if (!ok)
        fprintf(stderr, "castled-datagen: %s\n", err.text);
    return ok ? 0 : 1;
}
