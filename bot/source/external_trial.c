/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/source/external_trial.h"

#include "bot/model/variant_start.h"
#include "bot/source/external_choice.h"
#include "engine/base/alloc.h"

enum { SEARCH_MS = 1000, LATE_MS = 10000, STOP_MS = 2000 };

struct ExternalTrial {
    ExternalVersion *version;
    ExternalWorker *worker;
    ExternalTrialOnEnd *on_end;
    void *user;
    bool is_asked;
};

static void end(ExternalTrial *trial, const char *why)
{
    ExternalTrial done = *trial;
    free(trial);
    if (why) {
        external_worker_close(done.worker);
        done.worker = NULL;
    } else {
        external_worker_assign(done.worker, NULL);
    }
    done.on_end(done.user, done.version, done.worker, why);
}

/* One that it is to play, the usual game where it can. */
static Variant variant_of_trial(const ExternalConfig *config)
{
    for (int i = VARIANT_UNKNOWN + 1; i < VARIANT_COUNT; i++)
        if (config->variants >> i & 1 && i != VARIANT_FROM_POSITION && i != VARIANT_CHESS960)
            return (Variant)i;
    return VARIANT_STANDARD;
}

static void external_trial_on_ready(void *user)
{
    ExternalTrial *trial = user;
    ExternalTask task = {
        .search = { .position = "startpos", .is_new_game = true },
        .variant = variant_of_trial(&trial->version->config),
        .search_ms = SEARCH_MS + LATE_MS,
        .stop_ms = STOP_MS,
    };
    task.search.limits.movetime_ms = SEARCH_MS;
    if (trial->is_asked)
        return;
    trial->is_asked = true;
    external_worker_search(trial->worker, &task);
}

static void external_trial_on_result(void *user, const UciResult *result)
{
    ExternalTrial *trial = user;
    Position pos;
    MoveChoice choice = external_choice_of(result);
    Variant variant = variant_of_trial(&trial->version->config);
    bool ok = variant_start_read(&pos, variant, NULL, FEN_LENIENT, NULL, NULL) &&
              external_choice_read(&pos, result, &choice);
    end(trial, ok ? NULL : "it found no legal move in the position where games begin");
}

static void external_trial_on_failure(void *user, const char *why)
{
    end(user, why);
}

bool external_trial_new(ExternalTrial **out, uv_loop_t *loop, ExternalVersion *version,
                        ExternalTrialOnEnd *on_end, void *user, Error *err)
{
    ExternalTrial *trial = alloc_zeroed(sizeof *trial, "an engine's trial", err);
    if (!trial || !external_worker_new(&trial->worker, loop, &version->engine, err)) {
        free(trial);
        return false;
    }
    const ExternalOwner owner = { .on_ready = external_trial_on_ready,
                                  .on_result = external_trial_on_result,
                                  .on_failure = external_trial_on_failure,
                                  .user = trial };
    trial->version = version;
    trial->on_end = on_end;
    trial->user = user;
    external_worker_assign(trial->worker, &owner);
    *out = trial;
    return true;
}

ExternalVersion *external_trial_version(const ExternalTrial *trial)
{
    return trial->version;
}

void external_trial_close(ExternalTrial *trial)
{
    if (!trial)
        return;
    external_worker_close(trial->worker);
    free(trial);
}
