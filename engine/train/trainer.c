/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/train/trainer.h"

#include "engine/base/mapped_file.h"
#include "engine/base/pages.h"
#include "engine/base/random.h"
#include "engine/train/adamw.h"
#include "engine/train/warm_start.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    WARM_UP_STEPS = 100,
    PROGRESS_POSITIONS = 1 << 18, /* between two calls */
    STATE_ARRAYS = 3,             /* parameters and their two running means */
};

#define LAST_RATE 0.0024 /* of the highest */

/* What a thread computes with. */
typedef struct {
    uint32_t positions[MODEL_SAMPLES_MAX]; /* which the samples are */
    ModelSamples samples;
    float *activations;
    float logits[MODEL_SAMPLES_MAX], slopes[MODEL_SAMPLES_MAX];
} Scratch;

struct Trainer {
    TrainerSettings settings;
    const Dataset *data;
    uint64_t data_hash;
    uint32_t from_hash;      /* of the weights that training began with; 0: random ones */
    uint32_t batch, batches; /* of a pass */
    int passes_done;
    size_t size;     /* floats of each of the arrays below */
    float *state;    /* STATE_ARRAYS arrays, one behind the other, as in the file */
    AdamwState adam; /* points into them */
    ModelRounded rounded;
    float *gradients[TRAINER_PARTS];
    Scratch *scratch[TRAINER_THREADS_MAX];
    uint32_t *order; /* of the positions in this pass */
    TrainerPass *history;
};

/* The beginning of the file that trainer_save() writes; the state and the history follow. */
typedef struct {
    char magic[8];
    uint16_t width;
    uint8_t king_buckets, activation;
    uint16_t buckets, ruleset;
    uint32_t passes, batch;
    float lambda, rate;
    uint64_t seed, data_hash;
    uint32_t passes_done, from_hash;
} FileHeader;
static_assert(sizeof(FileHeader) == 56, "the header's layout is a file format");

typedef struct {
    Trainer *trainer;
    pthread_mutex_t gate; /* held until it is known how many threads there are */
    pthread_barrier_t barrier;
    int threads;
    atomic_int next_part; /* of the batch, that no thread has taken */
    double part_losses[TRAINER_PARTS];
    double loss; /* summed over the batches made */
    TrainerProgress *progress;
    void *user;
} Pass;

typedef struct {
    Pass *pass;
    pthread_t thread;
    int index;
} Crew;

/* Zeros. Rows lie anywhere in them, which is what the huge pages of pages.h are for. */
static float *floats_new(size_t count)
{
    return pages_new(count * sizeof(float));
}

static void floats_free(float *floats, size_t count)
{
    pages_free(floats, count * sizeof *floats);
}

static Scratch *scratch_new(ModelShape shape)
{
    Scratch *scratch = calloc(1, sizeof *scratch);
    if (scratch && !(scratch->activations = floats_new(model_activations_size(shape)))) {
        free(scratch);
        scratch = NULL;
    }
    return scratch;
}

/* Of whole words of 64 bits. After: Fowler, Noll, Vo's FNV-1a. */
static uint64_t hash_of(const void *bytes, size_t size)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325), word;
    for (size_t at = 0; at < size; at += sizeof word) {
        memcpy(&word, (const char *)bytes + at, sizeof word);
        hash = (hash ^ word) * UINT64_C(0x100000001b3);
        hash ^= hash >> 32;
    }
    return hash;
}

static bool settings_check(const TrainerSettings *s, Error *err)
{
    if (!model_shape_check(s->shape, err))
        return false;
    if (s->from && !warm_start_check(s->shape, s->from, err))
        return false;
    if (s->passes >= 0 && s->passes <= TRAINER_PASSES_MAX && s->batch >= TRAINER_PARTS &&
        s->batch <= TRAINER_BATCH_MAX && s->lambda >= 0 && s->lambda <= 1 && s->rate > 0 &&
        s->rate < 1)
        return true;
    error_set(err, ERR_RANGE,
              "passes %d, batch %d, lambda %g, rate %g: not within 0..%d, %d..%d, 0..1, 0..1",
              s->passes, s->batch, (double)s->lambda, (double)s->rate, TRAINER_PASSES_MAX,
              TRAINER_PARTS, TRAINER_BATCH_MAX);
    return false;
}

static bool trainer_allocate(Trainer *t)
{
    t->state = floats_new(STATE_ARRAYS * t->size);
    t->order = malloc(t->data->training_count * sizeof *t->order);
    t->history = calloc((size_t)t->settings.passes + 1, sizeof *t->history);
    bool ok = model_rounded_init(&t->rounded, t->settings.shape);
    ok = t->state && t->order && t->history && ok;
    for (int i = 0; i < TRAINER_PARTS; i++)
        ok = (t->gradients[i] = floats_new(t->size)) && ok;
    for (int i = 0; i < TRAINER_THREADS_MAX; i++)
        ok = (t->scratch[i] = scratch_new(t->settings.shape)) && ok;
    return ok;
}

bool trainer_new(Trainer **out, const TrainerSettings *settings, const Dataset *data, Error *err)
{
    if (!settings_check(settings, err))
        return false;
    Trainer *t = calloc(1, sizeof *t);
    uint32_t count = data->training_count, batch = (uint32_t)settings->batch;
    if (t) {
        t->settings = *settings;
        t->data = data;
        t->batch = batch < count ? batch : count;
        t->batches = count / t->batch;
        t->size = model_size(settings->shape);
    }
    if (!t || !trainer_allocate(t)) {
        error_set(err, ERR_MEMORY, "no memory to train a network of width %d",
                  settings->shape.width);
        trainer_free(t);
        return false;
    }
    t->adam = (AdamwState){ t->state, t->state + t->size, t->state + 2 * t->size };
    t->data_hash = hash_of(data->training, count * sizeof *data->training);
    if (data->training_variants)
        t->data_hash ^= hash_of(data->training_variants, count * sizeof *data->training_variants);
    if (settings->parameters) {
        memcpy(t->state, settings->parameters, t->size * sizeof *t->state);
        t->from_hash = (uint32_t)hash_of(t->state, t->size * sizeof *t->state) | 1;
    } else if (!settings->from) {
        model_init(t->state, settings->shape, settings->seed);
    } else if (warm_start(t->state, settings->shape, settings->from, err)) {
        t->from_hash = (uint32_t)hash_of(t->state, t->size * sizeof *t->state) | 1;
    } else {
        trainer_free(t);
        return false;
    }
    model_round(&t->rounded, t->state, settings->shape, 0, t->size);
    *out = t;
    return true;
}

void trainer_free(Trainer *trainer)
{
    if (!trainer)
        return;
    for (int i = 0; i < TRAINER_PARTS; i++)
        floats_free(trainer->gradients[i], trainer->size);
    for (int i = 0; i < TRAINER_THREADS_MAX; i++) {
        if (trainer->scratch[i])
            floats_free(trainer->scratch[i]->activations,
                        model_activations_size(trainer->settings.shape));
        free(trainer->scratch[i]);
    }
    floats_free(trainer->state, STATE_ARRAYS * trainer->size);
    model_rounded_release(&trainer->rounded);
    free(trainer->order);
    free(trainer->history);
    free(trainer);
}

int trainer_passes_done(const Trainer *trainer)
{
    return trainer->passes_done;
}

const TrainerPass *trainer_history(const Trainer *trainer)
{
    return trainer->history;
}

const float *trainer_parameters(const Trainer *trainer)
{
    return trainer->state;
}

/* The order depends on seed and pass alone, so that a pass needs nothing of those before it. */
static void shuffle(Trainer *t)
{
    uint64_t state =
        t->settings.seed + UINT64_C(0x5851f42d4c957f2d) * (uint64_t)(t->passes_done + 1);
    uint32_t count = t->data->training_count;
    for (uint32_t i = 0; i < count; i++)
        t->order[i] = i;
    for (uint32_t i = count; i > 1; i--) {
        uint32_t other = (uint32_t)random_below(&state, i), kept = t->order[i - 1];
        t->order[i - 1] = t->order[other];
        t->order[other] = kept;
    }
}

/* Of steps counted from 1. */
static float rate_at(const Trainer *t, uint64_t step)
{
    double highest = (double)t->settings.rate, lowest = highest * LAST_RATE;
    uint64_t steps = (uint64_t)t->batches * (uint64_t)t->settings.passes;
    if (step <= WARM_UP_STEPS)
        return (float)(highest * (double)step / WARM_UP_STEPS);
    double turn = M_PI * (double)(step - WARM_UP_STEPS) / (double)(steps - WARM_UP_STEPS);
    return (float)(lowest + (highest - lowest) * (1 + cos(turn)) / 2);
}

/* Puts `count` numbers of positions in order of their men: loops over the men then have the same
 * length many times in a row, which processors foretell. */
static void sort_by_men(uint32_t *sorted, const PackedPosition *records, const uint32_t *order,
                        uint32_t count)
{
    uint32_t starts[SQUARE_COUNT + 2] = { 0 };
    uint8_t men[MODEL_SAMPLES_MAX];
    for (uint32_t i = 0; i < count; i++) {
        men[i] = (uint8_t)bitboard_count(records[order[i]].occupied);
        starts[men[i] + 1]++;
    }
    for (int n = 0; n < SQUARE_COUNT; n++)
        starts[n + 1] += starts[n];
    for (uint32_t i = 0; i < count; i++)
        sorted[starts[men[i]]++] = order[i];
}

static void samples_fill(ModelSamples *samples, const Trainer *t, const uint32_t *positions,
                         uint32_t count)
{
    samples->count = 0;
    for (uint32_t i = 0; i < count; i++)
        dataset_add_training(samples, t->data, positions[i], t->settings.shape);
}

/* Records lie anywhere in memory. */
static void prefetch(const PackedPosition *records, const uint32_t *order, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        __builtin_prefetch(&records[order[i]]);
}

/* Adds the gradient of a batch's part to its array; returns the sum of losses. */
static double part_run(Trainer *t, Scratch *scratch, uint32_t batch, int part)
{
    const TrainerSettings *s = &t->settings;
    const uint32_t *order = t->order + (size_t)batch * t->batch;
    uint32_t at = (uint32_t)((uint64_t)t->batch * (uint32_t)part / TRAINER_PARTS);
    uint32_t end = (uint32_t)((uint64_t)t->batch * (uint32_t)(part + 1) / TRAINER_PARTS);
    double loss = 0;
    for (uint32_t next; at < end; at = next) {
        uint32_t count = end - at < MODEL_SAMPLES_MAX ? end - at : MODEL_SAMPLES_MAX;
        next = at + count;
        uint32_t ahead = end - next < MODEL_SAMPLES_MAX ? end - next : MODEL_SAMPLES_MAX;
        sort_by_men(scratch->positions, t->data->training, order + at, count);
        samples_fill(&scratch->samples, t, scratch->positions, count);
        prefetch(t->data->training, order + next, ahead);
        model_forward(&t->rounded, s->shape, &scratch->samples, scratch->activations,
                      scratch->logits);
        for (uint32_t i = 0; i < count; i++) {
            float p = loss_sigmoid(scratch->logits[i]);
            float off = p - loss_target(&t->data->training[scratch->positions[i]], s->lambda);
            loss += (double)(off * off);
            scratch->slopes[i] = 2 * off * p * (1 - p) / (float)t->batch;
        }
        model_backward(&t->rounded, s->shape, &scratch->samples, scratch->activations,
                       scratch->slopes, t->gradients[part]);
    }
    return loss;
}

/* The end of a batch, on one thread, while the others wait. */
static void batch_end(Pass *pass, uint32_t batch)
{
    const Trainer *t = pass->trainer;
    for (int part = 0; part < TRAINER_PARTS; part++)
        pass->loss += pass->part_losses[part];
    atomic_store(&pass->next_part, 0);
    uint64_t before = (uint64_t)batch * t->batch, done = before + t->batch;
    if (pass->progress && before / PROGRESS_POSITIONS != done / PROGRESS_POSITIONS)
        pass->progress(pass->user, done, (uint64_t)t->batches * t->batch,
                       pass->loss / (double)done);
}

static void *crew_run(void *user)
{
    const Crew *crew = user;
    Pass *pass = crew->pass;
    Trainer *t = pass->trainer;
    pthread_mutex_lock(&pass->gate);
    pthread_mutex_unlock(&pass->gate);
    const size_t line = MODEL_ALIGNMENT / sizeof(float), lines = t->size / line;
    size_t from = lines * (size_t)crew->index / (size_t)pass->threads * line;
    size_t to = lines * (size_t)(crew->index + 1) / (size_t)pass->threads * line;
    for (uint32_t batch = 0; batch < t->batches; batch++) {
        uint64_t step = (uint64_t)t->passes_done * t->batches + batch + 1;
        for (int part; (part = atomic_fetch_add(&pass->next_part, 1)) < TRAINER_PARTS;)
            pass->part_losses[part] = part_run(t, t->scratch[crew->index], batch, part);
        pthread_barrier_wait(&pass->barrier);
        adamw_step(&t->adam, t->gradients, TRAINER_PARTS, from, to, rate_at(t, step), step);
        model_round(&t->rounded, t->state, t->settings.shape, from, to);
        if (crew->index == 0)
            batch_end(pass, batch);
        pthread_barrier_wait(&pass->barrier);
    }
    return NULL;
}

Losses trainer_judge(Trainer *trainer)
{
    const Dataset *data = trainer->data;
    Scratch *scratch = trainer->scratch[0];
    LossSums sums = { 0 };
    for (uint32_t at = 0; at < data->validation_count;) {
        const PackedPosition *records = data->validation + at;
        scratch->samples.count = 0;
        while (scratch->samples.count < MODEL_SAMPLES_MAX && at < data->validation_count)
            dataset_add_validation(&scratch->samples, data, at++, trainer->settings.shape);
        model_forward(&trainer->rounded, trainer->settings.shape, &scratch->samples,
                      scratch->activations, scratch->logits);
        for (int i = 0; i < scratch->samples.count; i++)
            loss_add(&sums, &records[i], trainer->settings.lambda, scratch->logits[i]);
    }
    return loss_mean(&sums);
}

void trainer_pass(Trainer *trainer, int threads, TrainerProgress *progress, void *user)
{
    Pass pass = { .trainer = trainer, .threads = 1, .progress = progress, .user = user };
    Crew crew[TRAINER_THREADS_MAX];
    assert(trainer->passes_done < trainer->settings.passes);
    shuffle(trainer);
    pthread_mutex_init(&pass.gate, NULL);
    pthread_mutex_lock(&pass.gate);
    for (int i = 1; i < threads && i < TRAINER_THREADS_MAX; i++) {
        crew[i] = (Crew){ .pass = &pass, .index = i };
        if (pthread_create(&crew[i].thread, NULL, crew_run, &crew[i]) != 0)
            break;
        pass.threads++;
    }
    pthread_barrier_init(&pass.barrier, NULL, (unsigned)pass.threads);
    pthread_mutex_unlock(&pass.gate);
    crew[0] = (Crew){ .pass = &pass };
    crew_run(&crew[0]);
    for (int i = 1; i < pass.threads; i++)
        pthread_join(crew[i].thread, NULL);
    pthread_barrier_destroy(&pass.barrier);
    pthread_mutex_destroy(&pass.gate);
    trainer->history[trainer->passes_done++] = (TrainerPass){
        .training = pass.loss / ((double)trainer->batches * trainer->batch),
        .validation = trainer_judge(trainer),
    };
}

static FileHeader header_of(const Trainer *t)
{
    FileHeader header = {
        .magic = "CASTTRN4",
        .width = (uint16_t)t->settings.shape.width,
        .king_buckets = (uint8_t)t->settings.shape.king_buckets,
        .activation = (uint8_t)t->settings.shape.activation,
        .buckets = (uint16_t)t->settings.shape.buckets,
        .ruleset = t->settings.shape.ruleset,
        .passes = (uint32_t)t->settings.passes,
        .batch = (uint32_t)t->settings.batch,
        .lambda = t->settings.lambda,
        .rate = t->settings.rate,
        .seed = t->settings.seed,
        .data_hash = t->data_hash,
        .passes_done = (uint32_t)t->passes_done,
        .from_hash = t->from_hash,
    };
    return header;
}

bool trainer_save(const Trainer *trainer, const char *path, Error *err)
{
    char part[4096];
    int length = snprintf(part, sizeof part, "%s.part", path);
    FILE *file = length > 0 && length < (int)sizeof part ? fopen(part, "wb") : NULL;
    FileHeader header = header_of(trainer);
    size_t count = STATE_ARRAYS * trainer->size;
    bool ok = file && fwrite(&header, sizeof header, 1, file) == 1 &&
              fwrite(trainer->state, sizeof *trainer->state, count, file) == count &&
              fwrite(trainer->history, sizeof *trainer->history, header.passes_done, file) ==
                  header.passes_done;
    if (file && fclose(file) != 0)
        ok = false;
    ok = ok && rename(part, path) == 0;
    if (!ok)
        error_set(err, ERR_IO, "%s: cannot be written: %s", path, strerror(errno));
    return ok;
}

static bool numbers_are_finite(const uint8_t *bytes, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        float number;
        memcpy(&number, bytes + i * sizeof number, sizeof number);
        if (!isfinite(number))
            return false;
    }
    return true;
}

static bool restore_bytes(Trainer *t, const MappedFile *file, Error *err)
{
    FileHeader ours = header_of(t), theirs;
    size_t bytes = STATE_ARRAYS * t->size * sizeof(float);
    if (file->size < sizeof theirs || memcmp(file->bytes, ours.magic, sizeof ours.magic) != 0) {
        error_set(err, ERR_INVALID, "not a checkpoint of castled-train");
        return false;
    }
    memcpy(&theirs, file->bytes, sizeof theirs);
    ours.passes_done = theirs.passes_done;
    if (memcmp(&ours, &theirs, sizeof ours) != 0) {
        error_set(err, ERR_INVALID,
                  ours.from_hash == theirs.from_hash
                      ? "a checkpoint of other settings or data"
                      : "a checkpoint of training that began with other weights (--from)");
        return false;
    }
    size_t history = theirs.passes_done * sizeof *t->history;
    if (theirs.passes_done > theirs.passes || file->size != sizeof theirs + bytes + history) {
        error_set(err, ERR_INVALID, "%zu bytes after %u passes: cut short or changed", file->size,
                  theirs.passes_done);
        return false;
    }
    if (!numbers_are_finite(file->bytes + sizeof theirs, STATE_ARRAYS * t->size)) {
        error_set(err, ERR_INVALID, "weights that are no numbers");
        return false;
    }
    memcpy(t->state, file->bytes + sizeof theirs, bytes);
    model_round(&t->rounded, t->state, t->settings.shape, 0, t->size);
    memcpy(t->history, file->bytes + sizeof theirs + bytes, history);
    t->passes_done = (int)theirs.passes_done;
    return true;
}

bool trainer_restore(Trainer *trainer, const char *path, Error *err)
{
    MappedFile file;
    if (!mapped_file_init(&file, path, err))
        return false;
    bool ok = restore_bytes(trainer, &file, err);
    if (!ok)
        error_prefix(err, "%s", path);
    mapped_file_release(&file);
    return ok;
}
