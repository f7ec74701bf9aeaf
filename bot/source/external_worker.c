/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/source/external_worker.h"

#include "bot/config/did_you_mean.h"
#include "bot/model/state_table.h"
#include "bot/ops/timer.h"
#include "engine/base/alloc.h"
#include "engine/base/clock.h"
#include "engine/base/minmax.h"
#include "engine/base/text_format.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

enum {
    START_WAIT_MS = 30000,   /* for uciok: a full machine, a large network */
    PREPARE_WAIT_MS = 10000, /* for readyok after options or a new game: hash is cleared then */
    PREPARE_SHARE = 4,       /* of the search time: for readyok in mid-game */
    PREPARE_MIN_MS = 500,
    PREPARE_MAX_MS = 3000,
    STOP_WAIT_MIN_MS = 500, /* for a best move after "stop" */
    DISCARD_WAIT_MS = 2000,
    SILENCE_MS = 1000, /* of a search, before "isready" tests whether the engine is alive */
    TRIES_MAX = 5,     /* to find out whether it answers that at all */
    PONG_SHARE = 32,   /* of the time until it would be stopped: a busy machine is no hang */
    PONG_WAIT_MIN_MS = 2000,
    PONG_WAIT_MAX_MS = 10000,
    MISSING_LOOK_MS = 250, /* for a file that may be on its way */
    MISSING_MAX_MS = 5000,
    RESTART_FIRST_MS = 250,
    RESTART_MAX_MS = 60000,
};

/* See the table in the header. Up to WORKER_IDLE there is no request. */
typedef enum {
    WORKER_DOWN,
    WORKER_GREETING,
    WORKER_SETTING_UP,
    WORKER_IDLE,
    WORKER_PREPARING,
    WORKER_SEARCHING,
    WORKER_PINGED,
    WORKER_STOPPING,
    WORKER_DISCARDING,
    WORKER_ANSWERED,
} WorkerState;

struct ExternalWorker {
    uv_loop_t *loop;
    const ExternalEngine *engine;
    ExternalOwner owner;
    uv_timer_t timer;
    ChildProcess *process; /* NULL: WORKER_DOWN */
    UciTalk talk;
    int shared_by; /* games, when it was last told its part of threads and hash */
    Buf text;      /* what is put together to be said */
    Buf setup;     /* what the process was told until it had its options */

    WorkerState state;
    int64_t deadline_ms; /* of the state; INT64_MAX: none */
    int64_t stop_at_ms;  /* of the request; INT64_MAX: never, or it was sent */
    int64_t stop_ms, prepare_ms;
    int64_t read_ms;          /* when it last wrote a line */
    int64_t missing_until_ms; /* its file is awaited; 0: it is there */
    int failures;             /* since it last found a move */
    int tries;                /* to find out whether it answers during a search */

    const char *told_variant; /* NULL: none yet */
    bool told_960;
};

static void external_worker_on_timer(uv_timer_t *timer);

/* Silence means a hang only in an engine that is known to answer amid a search. So the first
 * searches are used to find out. */
static int64_t ping_at_ms(const ExternalWorker *worker)
{
    bool is_known = worker->talk.answers_amid_search || worker->tries >= TRIES_MAX;
    return worker->read_ms + (is_known ? SILENCE_MS : 0);
}

static int64_t pong_wait_ms(const ExternalWorker *worker)
{
    const bool is_timed = worker->stop_at_ms != INT64_MAX;
    int64_t left_ms = is_timed ? worker->stop_at_ms - clock_now_ms() : 0;
    return int64_clamp(left_ms / PONG_SHARE, PONG_WAIT_MIN_MS, PONG_WAIT_MAX_MS);
}

static int64_t restart_wait_ms(const ExternalWorker *worker)
{
    if (clock_now_ms() < worker->missing_until_ms)
        return MISSING_LOOK_MS;
    int doublings = int_min(worker->failures, 16) - 1;
    return doublings < 0 ? 0 : int64_min((int64_t)RESTART_FIRST_MS << doublings, RESTART_MAX_MS);
}

/* How long it may stay in its state; INT64_MAX: for ever. */
static int64_t allowance_ms(const ExternalWorker *worker)
{
    switch (worker->state) {
    case WORKER_DOWN:
        return restart_wait_ms(worker);
    case WORKER_GREETING:
        return START_WAIT_MS;
    case WORKER_SETTING_UP:
        return PREPARE_WAIT_MS;
    case WORKER_IDLE:
        break;
    case WORKER_PREPARING:
        return worker->prepare_ms;
    case WORKER_SEARCHING:
        return ping_at_ms(worker) - clock_now_ms();
    case WORKER_PINGED:
        return worker->talk.answers_amid_search ? pong_wait_ms(worker) : INT64_MAX;
    case WORKER_STOPPING:
        return int64_max(worker->stop_ms, STOP_WAIT_MIN_MS);
    case WORKER_DISCARDING:
        return DISCARD_WAIT_MS;
    case WORKER_ANSWERED:
        return 0;
    }
    return INT64_MAX;
}

static void arm(ExternalWorker *worker)
{
    timer_set(&worker->timer, external_worker_on_timer,
              int64_min(worker->deadline_ms, worker->stop_at_ms));
}

#define TO(state) (1U << WORKER_##state)

static void enter_state(ExternalWorker *worker, WorkerState state)
{
    static const char *const names[] = {
        [WORKER_DOWN] = "down",
        [WORKER_GREETING] = "greeting",
        [WORKER_SETTING_UP] = "setting-up",
        [WORKER_IDLE] = "idle",
        [WORKER_PREPARING] = "preparing",
        [WORKER_SEARCHING] = "searching",
        [WORKER_PINGED] = "pinged",
        [WORKER_STOPPING] = "stopping",
        [WORKER_DISCARDING] = "discarding",
        [WORKER_ANSWERED] = "answered",
    };
    static const uint32_t next[] = {
        [WORKER_DOWN] = TO(DOWN) | TO(GREETING),
        [WORKER_GREETING] = TO(DOWN) | TO(SETTING_UP),
        [WORKER_SETTING_UP] = TO(DOWN) | TO(IDLE),
        [WORKER_IDLE] = TO(DOWN) | TO(PREPARING),
        [WORKER_PREPARING] = TO(DOWN) | TO(IDLE) | TO(PREPARING) | TO(SEARCHING) | TO(STOPPING),
        [WORKER_SEARCHING] = TO(DOWN) | TO(IDLE) | TO(SEARCHING) | TO(PINGED) | TO(STOPPING) |
                             TO(DISCARDING) | TO(ANSWERED),
        [WORKER_PINGED] =
            TO(DOWN) | TO(IDLE) | TO(SEARCHING) | TO(STOPPING) | TO(DISCARDING) | TO(ANSWERED),
        [WORKER_STOPPING] = TO(DOWN) | TO(IDLE) | TO(DISCARDING),
        [WORKER_DISCARDING] = TO(DOWN) | TO(IDLE),
        [WORKER_ANSWERED] = TO(DOWN) | TO(IDLE),
    };
    static const StateTable table = { names, next };
    if (state != worker->state)
        log_debug(worker->engine->log, "engine", "state",
                  FIELDS(F("engine", worker->engine->config->name), F("from", names[worker->state]),
                         F("to", names[state])));
    worker->state = state_enter(&table, worker->state, state);
    if (state <= WORKER_IDLE)
        worker->stop_at_ms = INT64_MAX;
    worker->deadline_ms = timer_after(allowance_ms(worker));
    arm(worker);
}

/* The state that the conversation has come to. */
static WorkerState state_now(const ExternalWorker *worker)
{
    const UciTalk *talk = &worker->talk;
    switch (talk->state) {
    case UCI_SILENT:
        break;
    case UCI_GREETING:
        return WORKER_GREETING;
    case UCI_IDLE:
        return worker->state == WORKER_ANSWERED ? WORKER_ANSWERED : WORKER_IDLE;
    case UCI_PREPARING:
        return worker->state < WORKER_IDLE ? WORKER_SETTING_UP : WORKER_PREPARING;
    case UCI_SEARCHING:
    case UCI_PONDERING:
        return talk->is_stopped           ? WORKER_STOPPING
               : talk->readyoks_owed == 0 ? WORKER_SEARCHING
                                          : WORKER_PINGED;
    case UCI_DISCARDING:
        return WORKER_DISCARDING;
    }
    return WORKER_DOWN;
}

static void report(const ExternalWorker *worker, TranscriptKind kind, Text text)
{
    if (worker->owner.on_traffic)
        worker->owner.on_traffic(worker->owner.user, kind, text);
}

static void report_note(const ExternalWorker *worker, const char *word, const char *rest)
{
    char text[200];
    text_format_cut(text, sizeof text, "%s%s%s", word, rest[0] ? " " : "", rest);
    report(worker, TRANSCRIPT_NOTE, text_of(text));
}

/* The process has gone or goes now; the next one comes after a while. */
static void end_process(ExternalWorker *worker, const char *event, const char *why)
{
    log_warning(worker->engine->log, "engine", event,
                FIELDS(F("engine", worker->engine->config->name), F("why", why),
                       F("retry_in_ms", restart_wait_ms(worker))));
    if (worker->process)
        child_process_close(worker->process);
    worker->process = NULL;
    uci_talk_init(&worker->talk);
    enter_state(worker, WORKER_DOWN);
    worker->failures++;
}

static void fail(ExternalWorker *worker, const char *why)
{
    const ExternalEngine *engine = worker->engine;
    end_process(worker, "failed", why);
    if (worker->owner.on_failure)
        worker->owner.on_failure(worker->owner.user, why);
    else if (engine->on_failure)
        engine->on_failure(engine->user, engine->config->name, why);
}

/* Says what has been put together, and follows the conversation into its new state. */
static void say_to_engine(ExternalWorker *worker, bool is_whole)
{
    WorkerState state = state_now(worker);
    assert(is_whole && "an order is shorter than what may be said");
    (void)is_whole;
    report(worker, TRANSCRIPT_TOLD, (Text){ worker->text.text, worker->text.len });
    if (worker->state < WORKER_IDLE && worker->text.len > 0 &&
        !buf_put(&worker->setup, worker->text.text, worker->text.len))
        buf_reset(&worker->setup); /* half of it would mislead */
    if (worker->process)
        child_process_say(worker->process, (Text){ worker->text.text, worker->text.len });
    buf_release(&worker->text);
    if (state != worker->state)
        enter_state(worker, state);
}

/* Its start. */

/* Does the operator set the option of this engine? */
static bool is_configured(const ExternalWorker *worker, const char *option)
{
    const ExternalConfig *config = worker->engine->config;
    for (size_t i = 0; i < config->setting_count; i++)
        if (strcasecmp(config->settings[i].name, option) == 0)
            return true;
    return false;
}

/* One game's part of the total; this engine's maximum may be less. */
static bool put_share(ExternalWorker *worker, const char *name, int total)
{
    char value[16];
    const UciOption *option = uci_talk_option(&worker->talk, name);
    if (!option || total <= 0 || is_configured(worker, name))
        return true;
    int share = total > worker->shared_by ? total / worker->shared_by : 1;
    text_format(value, sizeof value, "%d", (int)int64_clamp(share, option->lo, option->hi));
    return uci_talk_set(&worker->talk, option->name, value, &worker->text);
}

static int shared_by(const ExternalEngine *engine)
{
    return engine->games ? *engine->games : 1;
}

static bool put_shares(ExternalWorker *worker)
{
    worker->shared_by = shared_by(worker->engine);
    return put_share(worker, "Threads", worker->engine->threads) &&
           put_share(worker, "Hash", worker->engine->hash_mib);
}

/* Where castled's own tables lie, unless the operator names others for it. */
static bool put_tables(const ExternalWorker *worker, Buf *text)
{
    const UciOption *option = uci_talk_option(&worker->talk, "SyzygyPath");
    const char *syzygy = worker->engine->syzygy;
    return !option || !syzygy || syzygy[0] == '\0' || is_configured(worker, option->name) ||
           uci_talk_set(&worker->talk, option->name, syzygy, text);
}

static void warn_of_unknown(const ExternalWorker *worker, const char *name)
{
    const char *names[UCI_OPTIONS_MAX];
    for (size_t i = 0; i < worker->talk.option_count; i++)
        names[i] = worker->talk.options[i].name;
    const char *meant = did_you_mean(name, names, worker->talk.option_count);
    log_warning(worker->engine->log, "engine", "no-such-option",
                FIELDS(F("engine", worker->engine->config->name), F("option", name),
                       F("nearest", meant ? meant : "-")));
}

static bool put_options(ExternalWorker *worker)
{
    Buf *text = &worker->text;
    const ExternalEngine *engine = worker->engine;
    bool ok = put_shares(worker) && put_tables(worker, text);
    for (size_t i = 0; i < engine->config->setting_count && ok; i++) {
        const ExternalSetting *setting = &engine->config->settings[i];
        const UciOption *option = uci_talk_option(&worker->talk, setting->name);
        if (option)
            ok = uci_talk_set(&worker->talk, option->name, setting->value, text);
        else
            warn_of_unknown(worker, setting->name);
    }
    return ok && uci_talk_ping(&worker->talk, text);
}

static void hand_on_result(ExternalWorker *worker)
{
    if (worker->owner.on_result)
        worker->owner.on_result(worker->owner.user, &worker->talk.result);
    if (worker->process) /* else the result was worth nothing */
        worker->failures = 0;
}

static void external_worker_on_line(void *user, Text line)
{
    ExternalWorker *worker = user;
    WorkerState before = worker->state;
    UciInput input;
    worker->read_ms = clock_now_ms();
    report(worker, TRANSCRIPT_HEARD, line);
    bool ok = uci_talk_read(&worker->talk, line, &input, &worker->text);
    if (input == UCI_INPUT_UCIOK)
        ok = put_options(worker);
    say_to_engine(worker, ok);
    if (before == WORKER_SETTING_UP && worker->state == WORKER_IDLE)
        log_info(worker->engine->log, "engine", "ready",
                 FIELDS(F("engine", worker->engine->config->name), F("program", worker->talk.name),
                        F("pid", child_process_id(worker->process))));
    if (input == UCI_INPUT_READY && worker->owner.on_ready)
        worker->owner.on_ready(worker->owner.user);
    else if (input == UCI_INPUT_RESULT)
        hand_on_result(worker);
}

static void external_worker_on_error_line(void *user, Text line)
{
    const ExternalWorker *worker = user;
    report(worker, TRANSCRIPT_ERROR, line);
    log_debug(worker->engine->log, "engine", "stderr",
              FIELDS(F("engine", worker->engine->config->name), F("line", line)));
}

static void external_worker_on_end(void *user, const char *why)
{
    fail(user, why);
}

/* A version's own file, also where its name has gone or means another by now: a game ends with what
 * it began with. */
static bool find_program(const ExternalEngine *engine, ChildCommand *command, Error *err)
{
    const ExternalFile *file = engine->file;
    if (!file || file->program[0] == '\0')
        return child_command_find(command, err);
    memcpy(command->program, file->program, sizeof command->program);
    if (!external_file_is_in_place(file))
        command->held = engine->held;
    return true;
}

/* True while a file that is not there, or can't be run, is perhaps being written. */
static bool await_program(ExternalWorker *worker, const char *why)
{
    int64_t now = clock_now_ms();
    if (worker->missing_until_ms == 0) {
        worker->missing_until_ms = now + MISSING_MAX_MS;
        log_info(worker->engine->log, "engine", "awaited",
                 FIELDS(F("engine", worker->engine->config->name), F("why", why)));
    }
    if (now >= worker->missing_until_ms)
        return false;
    enter_state(worker, WORKER_DOWN);
    return true;
}

static void start(ExternalWorker *worker)
{
    const ChildCallbacks callbacks = {
        .on_line = external_worker_on_line,
        .on_error_line = worker->engine->config->errors == EXTERNAL_ERRORS_LOG
                             ? external_worker_on_error_line
                             : NULL,
        .on_end = external_worker_on_end,
        .user = worker,
    };
    const ChildSecrets *secrets = worker->engine->config->sandbox ? worker->engine->secrets : NULL;
    const ExternalConfig *config = worker->engine->config;
    ChildCommand command;
    Error err = { 0 };
    bool ok = child_command_parse(&command, config->command, &err);
    command.directory = config->directory;
    if (ok && !find_program(worker->engine, &command, &err)) {
        if (await_program(worker, err.text))
            return;
        ok = false;
    } else if (ok) {
        worker->missing_until_ms = 0;
        ok = child_process_new(&worker->process, worker->loop, &command, secrets, &callbacks, &err);
    }
    if (!ok) {
        fail(worker, err.text);
        return;
    }
    worker->read_ms = clock_now_ms();
    buf_reset(&worker->setup);
    report_note(worker, TRANSCRIPT_START, "");
    worker->told_variant = NULL;
    worker->told_960 = false;
    worker->tries = 0;
    say_to_engine(worker, uci_talk_greet(&worker->talk, &worker->text));
}

static void external_worker_on_deadline(ExternalWorker *worker)
{
    static const char *const overdue[] = {
        [WORKER_GREETING] = "no uciok: it is no UCI engine, or takes too long to start",
        [WORKER_SETTING_UP] = "hangs: no readyok",
        [WORKER_PREPARING] = "hangs: no readyok",
        [WORKER_PINGED] = "hangs: no readyok during a search",
        [WORKER_STOPPING] = "hangs: no bestmove after stop",
        [WORKER_DISCARDING] = "hangs: no bestmove after stop",
    };
    if (worker->state == WORKER_DOWN) {
        start(worker);
    } else if (worker->state == WORKER_ANSWERED) {
        enter_state(worker, WORKER_IDLE);
        hand_on_result(worker);
    } else if (worker->state != WORKER_SEARCHING) {
        fail(worker, overdue[worker->state]);
    } else if (clock_now_ms() < ping_at_ms(worker)) {
        enter_state(worker, WORKER_SEARCHING); /* it has written meanwhile */
    } else {
        worker->tries++;
        say_to_engine(worker, uci_talk_ping(&worker->talk, &worker->text));
    }
}

static void external_worker_on_timer(uv_timer_t *timer)
{
    ExternalWorker *worker = timer->data;
    int64_t now = clock_now_ms();
    if (now >= worker->deadline_ms) {
        external_worker_on_deadline(worker);
        return;
    }
    if (now >= worker->stop_at_ms)
        external_worker_stop(worker);
    arm(worker);
}

bool external_worker_new(ExternalWorker **out, uv_loop_t *loop, const ExternalEngine *engine,
                         Error *err)
{
    ExternalWorker *worker = alloc_zeroed(sizeof *worker, "an engine", err);
    if (!worker)
        return false;
    timer_init(loop, &worker->timer, worker);
    worker->loop = loop;
    worker->engine = engine;
    buf_init(&worker->text, UCI_SAY_MAX);
    buf_init(&worker->setup, UCI_SAY_MAX);
    start(worker);
    *out = worker;
    return true;
}

/* What its new owner's transcript must begin with, so that another process can be brought to the
 * same point. */
static void report_setup(const ExternalWorker *worker)
{
    const UciTalk *talk = &worker->talk;
    char earlier[40] = "";
    if (talk->searches > 0)
        text_format(earlier, sizeof earlier, TRANSCRIPT_EARLIER "%d", talk->searches);
    report_note(worker, TRANSCRIPT_START, earlier);
    if (talk->name[0] != '\0')
        report_note(worker, TRANSCRIPT_PROGRAM, talk->name);
    report(worker, TRANSCRIPT_TOLD, (Text){ worker->setup.text, worker->setup.len });
    if (talk->has_variants && worker->told_variant) {
        char text[100];
        size_t len = text_format(text, sizeof text, "setoption name UCI_Variant value %s",
                                 worker->told_variant);
        report(worker, TRANSCRIPT_TOLD, (Text){ text, len });
    }
    if (worker->told_960 && uci_talk_option(talk, "UCI_Chess960"))
        report(worker, TRANSCRIPT_TOLD, text_of("setoption name UCI_Chess960 value true"));
}

void external_worker_assign(ExternalWorker *worker, const ExternalOwner *owner)
{
    worker->owner = owner ? *owner : (ExternalOwner){ .user = NULL };
    if (owner && worker->process)
        report_setup(worker);
    external_worker_discard(worker);
}

bool external_worker_is_ready(const ExternalWorker *worker)
{
    return worker->state == WORKER_IDLE || worker->state == WORKER_PREPARING;
}

bool external_worker_is_up(const ExternalWorker *worker)
{
    return worker->state >= WORKER_IDLE;
}

bool external_worker_is_out(const ExternalWorker *worker)
{
    return worker->state == WORKER_DOWN && worker->deadline_ms > clock_now_ms();
}

const UciTalk *external_worker_talk(const ExternalWorker *worker)
{
    return &worker->talk;
}

static bool put_variant(ExternalWorker *worker, const ExternalTask *task)
{
    Buf *text = &worker->text;
    const UciTalk *talk = &worker->talk;
    const char *name = uci_variant_name(task->variant);
    bool ok = true;
    if (talk->has_variants && (!worker->told_variant || strcmp(worker->told_variant, name) != 0))
        ok = uci_talk_set(talk, "UCI_Variant", name, text);
    worker->told_variant = name;
    if (ok && worker->told_960 != task->is_960 && uci_talk_option(talk, "UCI_Chess960"))
        ok = uci_talk_set(talk, "UCI_Chess960", task->is_960 ? "true" : "false", text);
    worker->told_960 = task->is_960;
    return ok;
}

/* A reload may have changed how many games there are. A running game keeps its part. */
static bool put_new_shares(ExternalWorker *worker, const ExternalTask *task)
{
    return !task->search.is_new_game || worker->shared_by == shared_by(worker->engine) ||
           put_shares(worker);
}

static bool put_opponent(ExternalWorker *worker, const ExternalTask *task)
{
    const UciOption *option = uci_talk_option(&worker->talk, "UCI_Opponent");
    if (!task->search.is_new_game || !task->opponent || !option)
        return true;
    return uci_talk_set(&worker->talk, option->name, task->opponent, &worker->text);
}

static void set_timeout(ExternalWorker *worker, int64_t search_ms, int64_t stop_ms)
{
    worker->stop_at_ms = timer_after(search_ms);
    worker->stop_ms = stop_ms;
    arm(worker);
}

void external_worker_search(ExternalWorker *worker, const ExternalTask *task)
{
    assert(external_worker_is_ready(worker));
    bool ok = put_new_shares(worker, task) && put_variant(worker, task) &&
              put_opponent(worker, task) &&
              uci_talk_search(&worker->talk, &task->search, &worker->text);
    set_timeout(worker, task->search_ms, task->stop_ms);
    worker->prepare_ms = task->search.is_new_game ? PREPARE_WAIT_MS
                                                  : int64_clamp(task->search_ms / PREPARE_SHARE,
                                                                PREPARE_MIN_MS, PREPARE_MAX_MS);
    enter_state(worker, WORKER_PREPARING); /* anew: what was owed before comes with this */
    say_to_engine(worker, ok);
}

bool external_worker_ponderhit(ExternalWorker *worker, int64_t search_ms, int64_t stop_ms)
{
    const UciTalk *talk = &worker->talk;
    bool is_searching =
        talk->state == UCI_PONDERING || (talk->state == UCI_PREPARING && talk->has_search);
    if (!is_searching || !talk->is_guess)
        return false;
    bool is_answered;
    bool ok = uci_talk_ponderhit(&worker->talk, &is_answered, &worker->text);
    set_timeout(worker, search_ms, stop_ms);
    if (is_answered)
        enter_state(worker, WORKER_ANSWERED);
    say_to_engine(worker, ok);
    return true;
}

void external_worker_stop(ExternalWorker *worker)
{
    worker->stop_at_ms = INT64_MAX;
    say_to_engine(worker, uci_talk_stop(&worker->talk, &worker->text));
}

void external_worker_discard(ExternalWorker *worker)
{
    bool ok = uci_talk_discard(&worker->talk, &worker->text);
    worker->stop_at_ms = INT64_MAX;
    if (worker->state == WORKER_ANSWERED)
        enter_state(worker, WORKER_IDLE);
    say_to_engine(worker, ok);
}

void external_worker_restart(ExternalWorker *worker, const char *why)
{
    end_process(worker, "replaced", why);
}

void external_worker_close(ExternalWorker *worker)
{
    worker->owner = (ExternalOwner){ .user = NULL };
    if (worker->process)
        child_process_quit(worker->process, text_of("quit\n"));
    worker->process = NULL;
    buf_release(&worker->setup);
    timer_close(&worker->timer);
}
