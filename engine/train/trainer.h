/* SPDX-License-Identifier: GPL-3.0-or-later */
/* trainer.h - finds a model's parameters by gradient descent on the loss of loss.h.
 *
 * Steps are AdamW's, on batches of positions in an order that is shuffled anew in each pass; the
 * learning rate rises over the first steps and then falls as a cosine. Each batch is cut into
 * TRAINER_PARTS parts whose gradients are added in a fixed order: the same settings and data give
 * the same bits with any number of threads, and after any number of interruptions, on processors
 * with the same vectors.
 *
 * One thread calls; the threads that a pass runs on end with it. */
#pragma once
#include "engine/eval/network.h"
#include "engine/train/dataset.h"
#include "engine/train/loss.h"

enum {
    TRAINER_PARTS = 8,
    TRAINER_THREADS_MAX = TRAINER_PARTS,
    TRAINER_PASSES_MAX = 10000,
    TRAINER_BATCH_MAX = 1 << 20,
};

typedef struct {
    ModelShape shape;
    int passes;   /* over the data; what does not fill a batch is left out of a pass. 0: nothing
                     is trained */
    int batch;    /* positions to a step; fewer when there are not so many */
    float lambda; /* the result's share of the target, 0..1 */
    float rate;   /* the learning rate at its highest, above 0 */
    uint64_t seed;
    const Network *from;     /* begins with its weights (warm_start.h); NULL: random ones */
    const float *parameters; /* begins with these instead, model_size() of them; NULL: none */
} TrainerSettings;

typedef struct Trainer Trainer;

/* What a pass came to. */
typedef struct {
    double training;   /* mean loss while it ran */
    Losses validation; /* after it */
} TrainerPass;

/* `done` of `all` positions of this pass are behind it, with this mean loss. Called now and then
 * from the thread that runs the pass. */
typedef void TrainerProgress(void *user, uint64_t done, uint64_t all, double loss);

/* The data are the caller's and must outlive the trainer. The caller frees. */
bool trainer_new(Trainer **out, const TrainerSettings *settings, const Dataset *data,
                 Error *err) MUST_CHECK;
void trainer_free(Trainer *trainer);

/* One pass on 1 to TRAINER_THREADS_MAX threads, on fewer where the system gives no more, and a
 * validation. A pass must be left to make. `progress` may be NULL. */
void trainer_pass(Trainer *trainer, int threads, TrainerProgress *progress, void *user);

/* Passes made, also before the file that this trainer went on from, and what each came to: lent
 * until the trainer is freed. */
int trainer_passes_done(const Trainer *trainer);
const TrainerPass *trainer_history(const Trainer *trainer);

/* What the parameters come to now. */
Losses trainer_judge(Trainer *trainer);

/* The parameters, lent until the next pass. */
const float *trainer_parameters(const Trainer *trainer);

/* Writes a file from which a trainer with the same settings, data and weights to begin with goes
 * on. What has that name
 * is replaced only by a whole file. */
bool trainer_save(const Trainer *trainer, const char *path, Error *err) MUST_CHECK;

/* Goes on where the file was written. Refuses one of other settings, data or weights to begin with,
 * or that is no such file; the trainer is then as it was. */
bool trainer_restore(Trainer *trainer, const char *path, Error *err) MUST_CHECK;
