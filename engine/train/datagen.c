/* SPDX-License-Identifier: GPL-3.0-or-later */
/* castled-datagen: makes games to train networks from, and keeps them in shards (archive.h).
 *
 * Each job is a thread with a seed of its own. Every game depends on the seed, its number, the
 * labeller and the options alone; so a run goes on where the last one ended, and the same command
 * makes the same files on any machine. */
#include "engine/base/clock.h"
#include "engine/base/number.h"
#include "engine/eval/network.h"
#include "engine/train/data_figures.h"
#include "engine/train/import_games.h"
#include "engine/train/relabel_games.h"
#include "engine/train/self_play_games.h"
#include "engine/train/shard_pool.h"
#include "engine/train/start_position.h"
#include "engine/train/teacher_games.h"

#include <getopt.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { JOBS_MAX = 256, HASH_MIB = 4, REPORT_S = 60, REPORT_TERMINAL_S = 2, NODES_MAX = 1000000 };

/* Of Stockfish's centipawns at a few hundred nodes: starts that are still a game, and scores that
 * win nearly every one. */
enum { OPENING_MAX = 600, WON_SCORE = 1000 };

/* Changes whenever other games come out of the same options. */
#define GENERATOR "castled-datagen 1"

typedef struct Kind Kind;

typedef struct {
    const Kind *kind;
    const char *teacher;
    const char *labeller;
    const char *network; /* file of our own, for self-play; NULL: what is built in */
    const char *out;
    const char *check;        /* a folder to be checked, and nothing made */
    const char *const *paths; /* shards to be read */
    int path_count;
    int64_t nodes;
    int64_t jobs;
    int64_t seed;
    int64_t minutes;     /* 0: until told to stop */
    int64_t opening_max; /* centipawns, see GameRules */
    int64_t won_score;
} Options;

/* What all jobs share: atomics, and what is written before they start. */
typedef struct {
    Options options;
    TeacherOptions teacher;
    Network *network;   /* of self-play, or NULL */
    ShardHeader header; /* seed and number are each job's */
    atomic_bool is_stopping;
    atomic_int running;
    atomic_ullong games, plies, restarts;
} Run;

typedef struct {
    Run *run;
    pthread_t thread;
    GameMaker maker;
    GameIndex index;
    ArchivedGame game;
    DataFigures figures; /* of the shard that was finished last */
    Error err;           /* why the job ended before its time */
} Job;

/* Where games come from. */
struct Kind {
    const char *name;
    bool (*prepare)(Run *run, Error *err); /* fills in the header's labeller */
    bool (*maker_new)(GameMaker *maker, Run *run, const ShardHeader *header, int job, Error *err);
    bool has_many_jobs;
    bool reads_shards;
};

static const char usage[] =
    "usage: castled-datagen --kind teacher --teacher PROGRAM --nodes N --seed S --out FOLDER\n"
    "                       [--jobs N] [--minutes N] [--opening-max CP] [--won CP]\n"
    "       castled-datagen --kind selfplay --nodes N --seed S --out FOLDER [--network FILE]\n"
    "                       [--jobs N] [--minutes N] [--opening-max CP] [--won CP]\n"
    "       castled-datagen --kind relabel --teacher PROGRAM --nodes N --out FOLDER [--jobs N]\n"
    "                       SHARD...\n"
    "       castled-datagen --kind import --labeller NAME --nodes N --out FOLDER < games\n"
    "       castled-datagen --check FOLDER";

static bool needed(const char *value, const char *name, Error *err)
{
    if (!value)
        error_set(err, ERR_INVALID, "--%s is missing\n%s", name, usage);
    return value != NULL;
}

/* What the games depend on besides the player. */
static void options_note(Run *run)
{
    const int *percent = START_SHARES.percent;
    int len =
        snprintf(run->header.options, sizeof run->header.options,
                 "hash=%d starts=%d/%d/%d/%d opening=%d won=%d", HASH_MIB, percent[START_USUAL],
                 percent[START_CHESS960], percent[START_DOUBLE_CHESS960], percent[START_ENDGAME],
                 (int)run->options.opening_max, (int)run->options.won_score);
    assert(len > 0 && (size_t)len < sizeof run->header.options);
    (void)len;
}

static GameRules rules_of(const Options *options)
{
    return (GameRules){ .shares = START_SHARES,
                        .opening_max = (int)options->opening_max,
                        .won_score = (int)options->won_score };
}

static bool teacher_prepare(Run *run, Error *err)
{
    Teacher *teacher;
    if (!needed(run->options.teacher, "teacher", err))
        return false;
    if (run->options.nodes < TEACHER_NODES_MIN) {
        error_set(err, ERR_RANGE, "--nodes %d: not within %d..%d for a teacher",
                  (int)run->options.nodes, TEACHER_NODES_MIN, NODES_MAX);
        return false;
    }
    run->teacher = (TeacherOptions){ .path = run->options.teacher,
                                     .nodes = (int)run->options.nodes,
                                     .hash_mib = HASH_MIB,
                                     .silence_s = TEACHER_SILENCE_S };
    if (!teacher_new(&teacher, &run->teacher, err))
        return false;
    TeacherIdentity identity = *teacher_identity(teacher);
    teacher_free(teacher);
    memcpy(run->header.labeller, identity.name, sizeof run->header.labeller);
    memcpy(run->header.network, identity.network, sizeof run->header.network);
    options_note(run);
    return teacher_bench(run->options.teacher, &identity, &run->header.bench, err);
}

static bool teacher_maker_new(GameMaker *maker, Run *run, const ShardHeader *header, int job,
                              Error *err)
{
    (void)job;
    GameRules rules = rules_of(&run->options);
    return teacher_games_new(maker, &run->teacher, &rules, header, &run->restarts, err);
}

static bool self_play_prepare(Run *run, Error *err)
{
    static const char name[] = "castled";
    if (run->options.network && !network_load(&run->network, run->options.network, err))
        return false;
    memcpy(run->header.labeller, name, sizeof name);
    if (run->network)
        snprintf(run->header.network, sizeof run->header.network, "%s", run->network->info.name);
    options_note(run);
    return true;
}

static bool self_play_maker_new(GameMaker *maker, Run *run, const ShardHeader *header, int job,
                                Error *err)
{
    (void)job;
    SelfPlayOptions options = { .nodes = (int)run->options.nodes,
                                .hash_mib = HASH_MIB,
                                .network = run->network,
                                .rules = rules_of(&run->options) };
    return self_play_games_new(maker, &options, header, err);
}

static bool import_prepare(Run *run, Error *err)
{
    size_t size = sizeof run->header.labeller;
    if (!needed(run->options.labeller, "labeller", err))
        return false;
    if (strlen(run->options.labeller) >= size) {
        error_set(err, ERR_RANGE, "--labeller: longer than %zu bytes", size - 1);
        return false;
    }
    memcpy(run->header.labeller, run->options.labeller, strlen(run->options.labeller));
    return true;
}

static bool import_maker_new(GameMaker *maker, Run *run, const ShardHeader *header, int job,
                             Error *err)
{
    (void)job;
    (void)run;
    return import_games_new(maker, stdin, header, err);
}

static bool relabel_maker_new(GameMaker *maker, Run *run, const ShardHeader *header, int job,
                              Error *err)
{
    RelabelOptions options = { .paths = run->options.paths,
                               .path_count = run->options.path_count,
                               .job = job,
                               .jobs = (int)run->options.jobs,
                               .teacher = run->teacher,
                               .header = *header };
    return relabel_games_new(maker, &options, &run->restarts, err);
}

static const Kind kinds[] = {
    { "teacher", teacher_prepare, teacher_maker_new, true, false },
    { "selfplay", self_play_prepare, self_play_maker_new, true, false },
    { ARCHIVE_RELABELLED, teacher_prepare, relabel_maker_new, true, true },
    { "import", import_prepare, import_maker_new, false, false },
};

/* The shard's figures, read from its file: part of it may be of an earlier run. */
static bool shard_finish(Job *job, ShardWriter *writer, Error *err)
{
    char text[128];
    DataFigures *figures = &job->figures;
    memset(figures, 0, sizeof *figures);
    if (!data_figures_read(figures, shard_writer_path(writer), LABEL_SMOOTH, err))
        return false;
    int len =
        snprintf(text, sizeof text, "kept=%llu won=%llu drawn=%llu lost=%llu k=%.1f coherence=%.3f",
                 (unsigned long long)figures->fates[POSITION_KEPT],
                 (unsigned long long)figures->results[PACKED_WHITE_WON],
                 (unsigned long long)figures->results[PACKED_DRAWN],
                 (unsigned long long)figures->results[PACKED_WHITE_LOST],
                 data_figures_fit_k(figures), data_figures_coherence(figures));
    assert(len > 0 && (size_t)len < sizeof text);
    (void)len;
    return shard_writer_finish(writer, text, err);
}

static MakerStep shard_grow(Job *job, ShardWriter *writer, Error *err)
{
    Run *run = job->run;
    while (!atomic_load(&run->is_stopping) && !shard_writer_is_full(writer)) {
        job->index.number = shard_writer_games(writer);
        MakerStep step = job->maker.make(job->maker.user, job->index, &job->game, err);
        if (step != MAKER_MADE)
            return step;
        if (!shard_writer_put(writer, &job->game, err))
            return MAKER_FAILED;
        job->index.total++;
        atomic_fetch_add(&run->games, 1);
        atomic_fetch_add(&run->plies, (unsigned long long)job->game.ply_count);
    }
    return MAKER_MADE;
}

static MakerStep shard_make(Job *job, const ShardHeader *header, Error *err)
{
    ShardWriter *writer;
    if (!shard_writer_new(&writer, job->run->options.out, header, err))
        return MAKER_FAILED;
    job->index.total += shard_writer_games(writer);
    MakerStep step = shard_grow(job, writer, err);
    if (step != MAKER_FAILED && shard_writer_games(writer) > 0 && !shard_finish(job, writer, err))
        step = MAKER_FAILED;
    shard_writer_free(writer);
    return step;
}

static void *job_run(void *user)
{
    Job *job = user;
    MakerStep step = MAKER_MADE;
    ShardHeader header;
    for (; step != MAKER_FAILED && !atomic_load(&job->run->is_stopping); job->index.shard++) {
        step = job->maker.next_shard(job->maker.user, job->index.shard, &header, &job->err);
        if (step == MAKER_ENDED)
            break;
        if (step == MAKER_MADE)
            step = shard_make(job, &header, &job->err);
    }
    atomic_fetch_sub(&job->run->running, 1);
    return NULL;
}

static void report(const Run *run, int64_t start_ms)
{
    double seconds = (double)(clock_now_ms() - start_ms) / 1000;
    unsigned long long plies = atomic_load(&run->plies), restarts = atomic_load(&run->restarts);
    fprintf(stderr, "%llu games, %llu positions, %.0f positions/s", atomic_load(&run->games), plies,
            (double)plies / (seconds > 0 ? seconds : 1));
    if (run->options.minutes)
        fprintf(stderr, ", %.0f s left", (double)run->options.minutes * 60 - seconds);
    if (restarts)
        fprintf(stderr, ", %llu restarts of the teacher", restarts);
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
    ShardHeader header = run->header;
    header.seed = (uint64_t)(run->options.seed + number);
    job->run = run;
    if (!run->options.kind->maker_new(&job->maker, run, &header, (int)number, err))
        return false;
    atomic_fetch_add(&run->running, 1);
    if (pthread_create(&job->thread, NULL, job_run, job) == 0)
        return true;
    atomic_fetch_sub(&run->running, 1);
    job->maker.free(job->maker.user);
    error_set(err, ERR_MEMORY, "job %lld: no thread", (long long)number + 1);
    return false;
}

static bool job_end(Job *job, Error *err)
{
    pthread_join(job->thread, NULL);
    job->maker.free(job->maker.user);
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

static bool kind_find(const Kind **kind, const char *name, Error *err)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (strcmp(kinds[i].name, name) == 0) {
            *kind = &kinds[i];
            return true;
        }
    }
    error_set(err, ERR_INVALID, "--kind %s: there is none of that name\n%s", name, usage);
    return false;
}

static bool option_read(Options *options, int name, Error *err)
{
    static const struct {
        int name;
        int64_t lo, hi;
        size_t at;
    } numbers[] = {
        { 'n', 1, NODES_MAX, offsetof(Options, nodes) },
        { 'j', 1, JOBS_MAX, offsetof(Options, jobs) },
        { 's', 0, INT64_MAX - JOBS_MAX, offsetof(Options, seed) },
        { 'm', 1, NODES_MAX, offsetof(Options, minutes) },
        { 'x', 1, ARCHIVE_SCORE_MAX, offsetof(Options, opening_max) },
        { 'w', 1, ARCHIVE_SCORE_MAX, offsetof(Options, won_score) },
    };
    static const struct {
        int name;
        size_t at;
    } texts[] = {
        { 't', offsetof(Options, teacher) }, { 'l', offsetof(Options, labeller) },
        { 'e', offsetof(Options, network) }, { 'o', offsetof(Options, out) },
        { 'c', offsetof(Options, check) },
    };
    if (name == 'k')
        return kind_find(&options->kind, optarg, err);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        if (numbers[i].name == name)
            return number_parse(optarg, strlen(optarg), numbers[i].lo, numbers[i].hi,
                                (int64_t *)(void *)((char *)options + numbers[i].at), err);
    }
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        if (texts[i].name == name)
            *(const char **)(void *)((char *)options + texts[i].at) = optarg;
    }
    return name != '?';
}

static bool options_parse(Options *options, int argc, char **argv, Error *err)
{
    static const struct option names[] = {
        { "kind", required_argument, NULL, 'k' },
        { "teacher", required_argument, NULL, 't' },
        { "labeller", required_argument, NULL, 'l' },
        { "network", required_argument, NULL, 'e' },
        { "nodes", required_argument, NULL, 'n' },
        { "jobs", required_argument, NULL, 'j' },
        { "seed", required_argument, NULL, 's' },
        { "minutes", required_argument, NULL, 'm' },
        { "out", required_argument, NULL, 'o' },
        { "check", required_argument, NULL, 'c' },
        { "opening-max", required_argument, NULL, 'x' },
        { "won", required_argument, NULL, 'w' },
        { 0 },
    };
    bool ok = true;
    for (int name; ok && (name = getopt_long(argc, argv, "", names, NULL)) != -1;)
        ok = option_read(options, name, err);
    options->paths = (const char *const *)(argv + optind);
    options->path_count = argc - optind;
    bool reads_shards = options->kind && options->kind->reads_shards;
    bool is_check = options->check && !options->kind && !options->path_count;
    bool is_run = options->kind && options->nodes && options->out && !options->check &&
                  reads_shards == (options->path_count > 0);
    ok = ok && (is_check || is_run);
    if (!ok)
        error_set(err, ERR_INVALID, "%s", usage);
    return ok;
}

static bool run_prepare(Run *run, Error *err)
{
    const Kind *kind = run->options.kind;
    if (run->options.jobs > 1 && !kind->has_many_jobs) {
        error_set(err, ERR_INVALID, "--jobs: games of the kind %s are made by one job", kind->name);
        return false;
    }
    run->header.nodes = (uint32_t)run->options.nodes;
    memcpy(run->header.kind, kind->name, strlen(kind->name));
    memcpy(run->header.generator, GENERATOR, sizeof GENERATOR);
    return kind->prepare(run, err);
}

int main(int argc, char **argv)
{
    Run run = { .options = { .jobs = 1, .opening_max = OPENING_MAX, .won_score = WON_SCORE } };
    Error err = { 0 };
    /* A teacher that dies shows itself when it is written to. */
    signal(SIGPIPE, SIG_IGN);
    bool ok = options_parse(&run.options, argc, argv, &err);
    if (ok && run.options.check)
        ok = shard_pool_check(run.options.check, stdout, &err);
    else
        ok = ok && run_prepare(&run, &err) && jobs_run(&run, &err);
    network_free(run.network);
    if (!ok)
        fprintf(stderr, "castled-datagen: %s\n", err.text);
    return ok ? 0 : 1;
}
