/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/source/external_seats.h"

#include "bot/source/external_trial.h"
#include "bot/source/external_watch.h"
#include "engine/base/alloc.h"
#include "engine/base/text_format.h"

#include <unistd.h>

enum { FAULTS_MAX = 2 /* games in a row */ };

struct ExternalSeats {
    uv_loop_t *loop;
    ExternalEngine engine; /* what all versions have in common */
    void (*on_version)(void *user, const ExternalVersion *version);
    void *user;
    ExternalVersion *current;
    ExternalWorker *spare; /* of the current version, warm, without a game; NULL: none */
    ExternalTrial *trial;  /* NULL: none runs */
    ExternalWatch *watch;  /* over the current section's file; NULL: no memory for one */
    uint32_t written;      /* arguments whose files changed during the latest trial … */
    uint32_t left_out; /* … and twice in a row: the engine writes them, they make no version */
    bool is_known;     /* which file the current version is */
    int faults;        /* games in a row that the current version has spoiled */
};

static const char *name_of(const ExternalSeats *seats)
{
    return seats->current->config.name;
}

static void release(int held)
{
    if (held >= 0)
        close(held);
}

static void drop_spare(ExternalSeats *seats)
{
    if (seats->spare)
        external_worker_close(seats->spare);
    seats->spare = NULL;
}

static void drop_trial(ExternalSeats *seats)
{
    ExternalVersion *version = seats->trial ? external_trial_version(seats->trial) : NULL;
    external_trial_close(seats->trial);
    seats->trial = NULL;
    external_version_leave(version);
}

static void external_seats_on_file(void *user, const ExternalFile *file, int held);

static void watch(ExternalSeats *seats)
{
    Error err = { 0 };
    external_watch_close(seats->watch);
    seats->watch = NULL;
    seats->written = seats->left_out = 0;
    if (!external_watch_new(&seats->watch, seats->loop, &seats->current->config,
                            external_seats_on_file, seats, &err))
        log_warning(seats->engine.log, "engine", "not-watched",
                    FIELDS(F("engine", name_of(seats)), F("why", err.text)));
}

static void refuse(ExternalSeats *seats, const ExternalVersion *version, const char *why)
{
    char words[300];
    log_error(seats->engine.log, "engine", "refused",
              FIELDS(F("engine", name_of(seats)), F("file", version->file.program),
                     F("hash", version->file.hash), F("why", why),
                     F("advice", "the version before it plays on")));
    text_format_cut(words, sizeof words, "its new version is refused, the one before plays on: %s",
                    why);
    if (seats->engine.on_failure)
        seats->engine.on_failure(seats->engine.user, name_of(seats), words);
}

static void put_in_force(ExternalSeats *seats, ExternalVersion *version, ExternalWorker *worker)
{
    bool is_same_section = external_config_equals(&version->config, &seats->current->config);
    external_version_leave(seats->current);
    drop_spare(seats);
    seats->current = version;
    seats->spare = worker;
    seats->faults = 0;
    log_info(seats->engine.log, "engine", "new-version",
             FIELDS(F("engine", name_of(seats)), F("program", external_worker_talk(worker)->name),
                    F("hash", version->file.hash)));
    seats->on_version(seats->user, version);
    if (is_same_section)
        return;
    seats->is_known = false;
    watch(seats);
}

/* Else a log among the arguments would make a version of each trial, and each version a trial. */
static void note_written(ExternalSeats *seats, const ExternalVersion *tried,
                         const ExternalFile *now)
{
    const uint32_t program = 1U;
    uint32_t written = external_file_differing(&tried->file, now) & ~program;
    uint32_t again = written & seats->written & ~seats->left_out;
    ChildCommand command;
    if (tried->file.program[0] == '\0') /* of a changed section: nobody knows what it was */
        return;
    seats->written = written;
    if (again == 0)
        return;
    seats->left_out |= again;
    if (seats->watch)
        external_watch_leave_out(seats->watch, seats->left_out);
    if (child_command_parse(&command, tried->config.command, NULL))
        log_info(seats->engine.log, "engine", "left-out",
                 FIELDS(F("engine", name_of(seats)), F("file", command.argv[__builtin_ctz(again)]),
                        F("why", "the engine writes it: its changes make no version")));
}

static void external_seats_on_tried(void *user, ExternalVersion *version, ExternalWorker *worker,
                                    const char *why)
{
    ExternalSeats *seats = user;
    ExternalFile now;
    seats->trial = NULL;
    external_file_look(&now, &version->config, seats->left_out);
    note_written(seats, version, &now);
    if (worker) {
        put_in_force(seats, version, worker);
        return;
    }
    refuse(seats, version, why);
    external_version_leave(version);
}

/* `file`: NULL: what the section says; else with what is held of it. */
static void try_version(ExternalSeats *seats, const ExternalConfig *config,
                        const ExternalFile *file, int held)
{
    ExternalVersion *version = NULL;
    Error err = { 0 };
    bool ok = external_version_new(&version, &seats->engine, config, &err);
    if (ok && file)
        external_version_set_file(version, file, held);
    else
        release(held);
    drop_trial(seats); /* after that: `config` may be its */
    if (!ok || !external_trial_new(&seats->trial, seats->loop, version, external_seats_on_tried,
                                   seats, &err)) {
        log_error(seats->engine.log, "engine", "refused",
                  FIELDS(F("engine", name_of(seats)), F("file", file ? file->program : ""),
                         F("hash", file ? file->hash : ""), F("why", err.text),
                         F("advice", "the version before it plays on")));
        external_version_leave(version);
    }
}

static void external_seats_on_file(void *user, const ExternalFile *file, int held)
{
    ExternalSeats *seats = user;
    ExternalVersion *tried = seats->trial ? external_trial_version(seats->trial) : NULL;
    ExternalFile now = *file;
    if (tried)
        note_written(seats, tried, file);
    now.left_out |= seats->left_out;
    if (!seats->is_known) { /* what runs already */
        external_version_set_file(seats->current, file, held);
        seats->is_known = true;
    } else if (external_file_is_same(&now, &seats->current->file)) {
        release(held);
        drop_trial(seats); /* it is the old one again */
    } else if (tried && external_file_is_same(&now, &tried->file)) {
        release(held);
    } else {
        try_version(seats, tried ? &tried->config : &seats->current->config, &now, held);
    }
}

/* A share says which games an engine has, not what engine it is. */
static bool is_same_engine(const ExternalConfig *a, const ExternalConfig *b)
{
    ExternalConfig with_share = *b;
    with_share.share = a->share;
    return external_config_equals(a, &with_share);
}

void external_seats_configure(ExternalSeats *seats, const ExternalConfig *config)
{
    if (!is_same_engine(config, &seats->current->config))
        try_version(seats, config, NULL, -1);
    else if (seats->trial && !is_same_engine(config, &external_trial_version(seats->trial)->config))
        drop_trial(seats); /* the section is as it was */
}

bool external_seats_new(ExternalSeats **out, uv_loop_t *loop, const ExternalEngine *engine,
                        void (*on_version)(void *user, const ExternalVersion *version), void *user,
                        Error *err)
{
    ExternalSeats *seats = alloc_zeroed(sizeof *seats, "an engine", err);
    if (!seats)
        return false;
    seats->loop = loop;
    seats->engine = *engine;
    seats->on_version = on_version;
    seats->user = user;
    if (!external_version_new(&seats->current, engine, engine->config, err) ||
        !external_worker_new(&seats->spare, loop, &seats->current->engine, err)) {
        external_version_leave(seats->current);
        free(seats);
        return false;
    }
    watch(seats);
    on_version(user, seats->current);
    *out = seats;
    return true;
}

ExternalWorker *external_seats_take(ExternalSeats *seats, ExternalVersion **version)
{
    ExternalWorker *worker = seats->spare;
    seats->spare = NULL;
    if (!worker && !external_worker_new(&worker, seats->loop, &seats->current->engine, NULL))
        return NULL;
    *version = external_version_use(seats->current);
    return worker;
}

void external_seats_give_back(ExternalSeats *seats, ExternalWorker *worker,
                              ExternalVersion *version)
{
    if (worker && version == seats->current && !seats->spare) {
        external_worker_assign(worker, NULL);
        seats->spare = worker;
    } else if (worker) {
        external_worker_close(worker);
    }
    external_version_leave(version);
}

void external_seats_blame(ExternalSeats *seats, const ExternalVersion *version)
{
    ExternalConfig *before;
    if (version != seats->current || ++seats->faults < FAULTS_MAX)
        return;
    seats->faults = 0;
    if (seats->current->config.previous[0] == '\0')
        return;
    before = alloc_zeroed(sizeof *before, "settings", NULL);
    if (!before)
        return;
    *before = seats->current->config;
    memcpy(before->command, before->previous, sizeof before->command);
    before->previous[0] = '\0';
    log_warning(seats->engine.log, "engine", "fallback",
                FIELDS(F("engine", name_of(seats)), F("command", before->command),
                       F("why", "games in a row were spoiled by its faults")));
    if (seats->engine.on_failure)
        seats->engine.on_failure(seats->engine.user, name_of(seats),
                                 "two games in a row were spoiled by its faults: the previous "
                                 "version is used from the next game on");
    try_version(seats, before, NULL, -1);
    free(before);
}

void external_seats_praise(ExternalSeats *seats, const ExternalVersion *version)
{
    if (version == seats->current)
        seats->faults = 0;
}

bool external_seats_is_warm(const ExternalSeats *seats)
{
    return seats->spare && external_worker_is_up(seats->spare);
}

void external_seats_close(ExternalSeats *seats)
{
    if (!seats)
        return;
    drop_trial(seats);
    drop_spare(seats);
    external_watch_close(seats->watch);
    external_version_leave(seats->current);
    free(seats);
}
