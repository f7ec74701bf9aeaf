/* SPDX-License-Identifier: GPL-3.0-or-later */
/* castled-train: trains a network on records of positions.
 *
 * For an output PREFIX it writes PREFIX.nnue, the network; PREFIX.txt, its manifest, which says all
 * that the network came from, how it fares and the loss of each pass; and PREFIX.checkpoint, from
 * which --continue goes on. */
#include "engine/base/clock.h"
#include "engine/base/number.h"
#include "engine/base/pages.h"
#include "engine/eval/evaluation.h"
#include "engine/train/adamw.h"
#include "engine/train/export.h"
#include "engine/train/output.h"
#include "engine/train/recipe.h"
#include "engine/train/report.h"
#include "engine/train/trainer.h"
#include "engine/train/usage.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SCALE_BEFORE_FIT = 1000 };
enum { SCALE_POSITIONS_MAX = 100000, LINE_MS = 60000 };

static const char usage[] =
    "usage: castled-train [OPTION...] RECORDS...\n"
    "  --output PREFIX     PREFIX.nnue, .txt and .checkpoint are written (default: net)\n"
    "  --generation TEXT   what the network's name begins with, up to 7 letters (default: c0)\n"
    "  --variant NAME      as UCI_Variant names it (default: chess)\n"
    "  --width N           hidden units of a view, a multiple of 64 (default: 128)\n"
    "  --activation KIND   what L1 reads of the hidden units: squares (the\n"
    "                      default) or products of their two halves\n"
    "  --king-buckets 4|8  sets of weights by where the own king stands (default: 4;\n"
    "                      variants have 1)\n"
    "  --buckets 1|8       output buckets by number of pieces (default: 1)\n"
    "  --passes N          over the records (default: 20); 0: what it begins with is written,\n"
    "                      and its parameters as PREFIX.floats\n"
    "  --batch N           positions to a step (default: 16384)\n"
    "  --lambda PERCENT    the result's share of the target (default: 0)\n"
    "  --rate MILLIONTHS   the highest learning rate (default: 1000)\n"
    "  --seed N            of weights and order (default: 1)\n"
    "  --threads N         1 to 8; the result is the same (default: all cores, at most 8)\n"
    "  --reference FILE    a network whose centipawns the new one takes over\n"
    "                      (default: the one built in; for a variant without one,\n"
    "                      chess's)\n"
    "  --from FILE         begin with the weights of this network of the same shape or of\n"
    "                      coarser king buckets\n"
    "  --begin FILE        begin with such parameters instead\n"
    "  --note TEXT         a line for the manifest: where the records come from\n"
    "  --notes FILE        the lines of a file for it: what castled-expand told of the records\n"
    "  --continue          go on from PREFIX.checkpoint\n"
    "  --help              this text\n";

typedef struct {
    Recipe recipe;
    int threads;
    const char *output, *generation, *reference;
    Ruleset ruleset;
    NetworkActivation activation;
    bool goes_on, asks_for_help;
} Options;

/* Seen from the thread that reports. */
typedef struct {
    const Options *options;
    const Trainer *trainer;
    int64_t pass_began_ms;
    int64_t told_ms; /* when the progress was shown last */
    bool is_terminal;
} Progress;

typedef enum {
    WIDTH,
    KING_BUCKETS,
    BUCKETS,
    PASSES,
    BATCH,
    LAMBDA,
    RATE,
    SEED,
    THREADS,
    NUMBER_COUNT
} NumberId;

static const struct {
    int64_t lowest, highest, unset;
} numbers[NUMBER_COUNT] = {
    [WIDTH] = { MODEL_WIDTH_STEP, NETWORK_WIDTH_MAX, 128 },
    [KING_BUCKETS] = { 1, FEATURES_KING_BUCKETS_MAX, 0 },
    [BUCKETS] = { 1, NETWORK_BUCKETS_MAX, 1 },
    [PASSES] = { 0, TRAINER_PASSES_MAX, 20 },
    [BATCH] = { TRAINER_PARTS, TRAINER_BATCH_MAX, 16384 },
    [LAMBDA] = { 0, 100, 0 },
    [RATE] = { 1, 999999, 1000 },
    [SEED] = { 0, INT64_MAX, 1 },
    [THREADS] = { 1, TRAINER_THREADS_MAX, 0 },
};

enum {
    OUTPUT = NUMBER_COUNT,
    GENERATION,
    REFERENCE,
    FROM,
    BEGIN,
    NOTE,
    NOTES,
    CONTINUE,
    VARIANT,
    ACTIVATION,
    HELP
};

static const struct option long_options[] = {
    { "width", required_argument, NULL, WIDTH },
    { "king-buckets", required_argument, NULL, KING_BUCKETS },
    { "buckets", required_argument, NULL, BUCKETS },
    { "passes", required_argument, NULL, PASSES },
    { "batch", required_argument, NULL, BATCH },
    { "lambda", required_argument, NULL, LAMBDA },
    { "rate", required_argument, NULL, RATE },
    { "seed", required_argument, NULL, SEED },
    { "threads", required_argument, NULL, THREADS },
    { "output", required_argument, NULL, OUTPUT },
    { "generation", required_argument, NULL, GENERATION },
    { "reference", required_argument, NULL, REFERENCE },
    { "from", required_argument, NULL, FROM },
    { "begin", required_argument, NULL, BEGIN },
    { "note", required_argument, NULL, NOTE },
    { "notes", required_argument, NULL, NOTES },
    { "continue", no_argument, NULL, CONTINUE },
    { "variant", required_argument, NULL, VARIANT },
    { "activation", required_argument, NULL, ACTIVATION },
    { "help", no_argument, NULL, HELP },
    { 0 },
};

static int64_t all_cores(void)
{
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    return cores < 1 ? 1 : cores > TRAINER_THREADS_MAX ? TRAINER_THREADS_MAX : cores;
}

/* What the options fill in. */
typedef struct {
    Options *options;
    int64_t values[NUMBER_COUNT];
} Taking;

static bool take_option(void *user, int option, Error *err)
{
    Taking *taking = user;
    Options *options = taking->options;
    switch (option) {
    case OUTPUT:
        options->output = optarg;
        return true;
    case GENERATION:
        options->generation = optarg;
        return true;
    case REFERENCE:
        options->reference = optarg;
        return true;
    case FROM:
        options->recipe.from = optarg;
        return true;
    case BEGIN:
        options->recipe.begin = optarg;
        return true;
    case VARIANT:
        options->ruleset = ruleset_of_uci_name(optarg, strlen(optarg));
        if (options->ruleset != RULESET_COUNT)
            return true;
        error_set(err, ERR_INVALID, "%s is no variant", optarg);
        return false;
    case ACTIVATION:
        options->activation = strcmp(optarg, "products") == 0 ? NETWORK_PRODUCTS : NETWORK_SQUARES;
        if (options->activation == NETWORK_PRODUCTS || strcmp(optarg, "squares") == 0)
            return true;
        error_set(err, ERR_INVALID, "%s is neither squares nor products", optarg);
        return false;
    case CONTINUE:
        options->goes_on = true;
        return true;
    case HELP:
        options->asks_for_help = true;
        return true;
    case NOTE:
    case NOTES:
        if (options->recipe.note_count < RECIPE_NOTES_MAX) {
            options->recipe.notes[options->recipe.note_count].text = optarg;
            options->recipe.notes[options->recipe.note_count++].is_file = option == NOTES;
            return true;
        }
        error_set(err, ERR_RANGE, "more than %d", RECIPE_NOTES_MAX);
        return false;
    default:
        return number_parse(optarg, strlen(optarg), numbers[option].lowest, numbers[option].highest,
                            &taking->values[option], err);
    }
}

static bool options_read(Options *options, int argc, char **argv, Error *err)
{
    Taking taking = { .options = options };
    int64_t *values = taking.values;
    *options = (Options){ .output = "net", .generation = "c0" };
    for (int i = 0; i < NUMBER_COUNT; i++)
        values[i] = numbers[i].unset;
    values[THREADS] = all_cores();
    if (!usage_take_options(argc, argv, long_options, take_option, &taking, err))
        return false;
    if (values[KING_BUCKETS] == 0)
        values[KING_BUCKETS] = options->ruleset == RULES_STANDARD ? 4 : 1;
    options->recipe.settings = (TrainerSettings){
        .shape = { .width = (int)values[WIDTH],
                   .buckets = (int)values[BUCKETS],
                   .ruleset = options->ruleset,
                   .king_buckets = (int)values[KING_BUCKETS],
                   .activation = options->activation },
        .passes = (int)values[PASSES],
        .batch = (int)values[BATCH],
        .lambda = (float)values[LAMBDA] / 100,
        .rate = (float)values[RATE] * 1e-6F,
        .seed = (uint64_t)values[SEED],
    };
    options->threads = (int)values[THREADS];
    options->recipe.records = (const char *const *)argv + optind;
    options->recipe.record_count = argc - optind;
    if (options->asks_for_help)
        return true;
    if (options->recipe.record_count == 0)
        error_set(err, ERR_INVALID, "no file of records");
    else if (options->recipe.from && options->recipe.begin)
        error_set(err, ERR_INVALID, "either --from or --begin");
    else
        return true;
    return false;
}

static void show_progress(void *user, uint64_t done, uint64_t all, double loss)
{
    Progress *progress = user;
    int64_t now = clock_now_ms();
    if (now - progress->told_ms < (progress->is_terminal ? 200 : LINE_MS))
        return;
    progress->told_ms = now;
    double seconds = (double)(now - progress->pass_began_ms) / 1000;
    double rate = (double)done / (seconds > 0 ? seconds : 1);
    int passes = progress->options->recipe.settings.passes,
        pass = trainer_passes_done(progress->trainer);
    double left = ((double)(all - done) + (double)all * (passes - pass - 1)) / rate;
    fprintf(stderr, "%spass %d/%d %3.0f %%  loss %.6f  %.2f M positions/s  %.0f s left%s",
            progress->is_terminal ? "\r" : "", pass + 1, passes, 100 * (double)done / (double)all,
            loss, rate / 1e6, left, progress->is_terminal ? "   " : "\n");
}

static void show_pass(const Progress *progress, uint64_t positions)
{
    int done = trainer_passes_done(progress->trainer),
        passes = progress->options->recipe.settings.passes;
    const TrainerPass *pass = &trainer_history(progress->trainer)[done - 1];
    double seconds = (double)(clock_now_ms() - progress->pass_began_ms) / 1000;
    printf("%spass %d/%d: training %.6f, validation %.6f, scores %.6f, results %.6f; "
           "%.2f M positions/s, %.0f s left\n",
           progress->is_terminal ? "\r" : "", done, passes, pass->training, pass->validation.blend,
           pass->validation.scores, pass->validation.results,
           (double)positions / (seconds > 0 ? seconds : 1) / 1e6, seconds * (passes - done));
    fflush(stdout);
}

static bool train(Trainer *trainer, const Options *options, const Dataset *data, Error *err)
{
    char checkpoint[OUTPUT_PATH_SIZE];
    Progress progress = { .options = options, .trainer = trainer, .is_terminal = isatty(2) };
    if (!output_path(checkpoint, options->output, ".checkpoint", err) ||
        (options->goes_on && !trainer_restore(trainer, checkpoint, err)))
        return false;
    while (trainer_passes_done(trainer) < options->recipe.settings.passes) {
        progress.pass_began_ms = progress.told_ms = clock_now_ms();
        trainer_pass(trainer, options->threads, show_progress, &progress);
        show_pass(&progress, data->training_count);
        if (!trainer_save(trainer, checkpoint, err))
            return false;
    }
    return true;
}

typedef struct {
    const Network *network; /* NULL: chess's */
    Network chess;
    Evaluator *evaluator;
} Reference;

static int by_reference(void *user, const Position *pos)
{
    Reference *reference = user;
    if (reference->network)
        return evaluate_by(reference->evaluator, reference->network, pos);
    evaluator_reset(reference->evaluator, &(Networks){ { &reference->chess } }, pos);
    return evaluate(reference->evaluator, pos);
}

static bool fit_scale(int *scale, const Network *network, const Options *options,
                      const Dataset *data, Error *err)
{
    uint32_t count = data->validation_count;
    count = count < SCALE_POSITIONS_MAX ? count : SCALE_POSITIONS_MAX;
    Network built_in, *loaded = NULL;
    Reference reference = { .chess = network_embedded(),
                            .evaluator = pages_new(sizeof *reference.evaluator) };
    bool ok = reference.evaluator != NULL;
    if (!ok)
        error_set(err, ERR_MEMORY, "no memory to evaluate");
    ok = ok && (!options->reference || network_load(&loaded, options->reference, err));
    if (ok && loaded && loaded->info.ruleset != data->ruleset) {
        error_set(err, ERR_INVALID, "%s: a network of other rules", options->reference);
        ok = false;
    }
    if (loaded)
        reference.network = loaded;
    else if (data->ruleset == RULES_STANDARD)
        reference.network = &reference.chess;
    else if (network_embedded_of(&built_in, data->ruleset))
        reference.network = &built_in;
    ok = ok && export_fit_scale(scale, network, by_reference, &reference, data, count, err);
    network_free(loaded);
    pages_free(reference.evaluator, sizeof *reference.evaluator);
    return ok;
}

static bool write_outcome(FILE *out, Trainer *trainer, const float *parameters,
                          const Options *options, const Network *network, const Dataset *data,
                          Error *err)
{
    Report report;
    Error unsound = { 0 };
    const TrainerPass *history = trainer_history(trainer);
    int passes = trainer_passes_done(trainer);
    double loss = passes > 0 ? history[passes - 1].validation.blend : trainer_judge(trainer).blend;
    if (!report_init(&report, network, parameters, data, options->recipe.settings.lambda, err))
        return false;
    fprintf(out, "network: %s\nscale: %d centipawns a logit, those of %s\n", network->info.name,
            network->info.scale, options->reference ? options->reference : "what is built in");
    for (int i = 0; i < passes; i++)
        fprintf(out, "pass %d: training %.6f, validation %.6f, scores %.6f, results %.6f\n", i + 1,
                history[i].training, history[i].validation.blend, history[i].validation.scores,
                history[i].validation.results);
    if (passes == 0)
        fprintf(out, "no pass: validation %.6f\n", loss);
    bool is_sound = report_check(&report, loss, &unsound);
    fprintf(out, "sound: %s%s%s\n", is_sound ? "yes" : "no", is_sound ? "" : ", ", unsound.text);
    return report_write(&report, options->recipe.settings.shape.buckets, out);
}

/* Makes the network twice: the scale is fitted with the first. */
static bool network_make(Network **network, uint8_t **bytes, size_t *size, NetworkInfo *info,
                         const float *parameters, const Options *options, const Dataset *data,
                         Error *err)
{
    for (int round = 0; round < 2; round++) {
        free(*bytes);
        *bytes = NULL;
        network_free(*network);
        *network = NULL;
        if (!export_network(bytes, size, parameters, info, options->generation, err) ||
            !network_read(network, *bytes, *size, err) ||
            (round == 0 && !fit_scale(&info->scale, *network, options, data, err)))
            return false;
    }
    return true;
}

/* Text in memory that grows. */
typedef struct {
    FILE *file;
    char *text; /* all of it after fflush(); as `size` */
    size_t size;
} Manifest;

/* The recipe is written before the training: a file that it needs may not be there. */
static bool manifest_begin(Manifest *manifest, const Options *options, const Dataset *data,
                           Error *err)
{
    manifest->file = open_memstream(&manifest->text, &manifest->size);
    if (!manifest->file) {
        error_set(err, ERR_MEMORY, "no memory for the manifest");
        return false;
    }
    return recipe_write(manifest->file, &options->recipe, data, err);
}

static void manifest_release(Manifest *manifest)
{
    if (manifest->file)
        fclose(manifest->file);
    free(manifest->text);
}

static bool finish(Manifest *manifest, Trainer *trainer, const Options *options,
                   const Dataset *data, Error *err)
{
    const ModelShape shape = options->recipe.settings.shape;
    NetworkInfo info = { .width = shape.width,
                         .buckets = shape.buckets,
                         .king_buckets = shape.king_buckets,
                         .activation = shape.activation,
                         .ruleset = shape.ruleset,
                         .scale = SCALE_BEFORE_FIT };
    uint8_t *bytes = NULL;
    size_t size = 0;
    Network *network = NULL;
    const float *parameters = trainer_parameters(trainer);
    bool ok = fflush(manifest->file) == 0 &&
              output_hash(info.manifest_sha256, manifest->text, manifest->size, err) &&
              network_make(&network, &bytes, &size, &info, parameters, options, data, err) &&
              write_outcome(manifest->file, trainer, parameters, options, network, data, err) &&
              fflush(manifest->file) == 0 &&
              output_write(options->output, ".nnue", bytes, size, err) &&
              output_write(options->output, ".txt", manifest->text, manifest->size, err) &&
              (options->recipe.settings.passes > 0 ||
               output_write(options->output, ".floats", parameters,
                            model_size(shape) * sizeof(float), err));
    if (ok)
        printf("%s", manifest->text);
    else
        error_set(err, ERR_MEMORY, "no memory for the manifest");
    network_free(network);
    free(bytes);
    return ok;
}

static bool parameters_map(MappedFile *file, const char *path, ModelShape shape, Error *err)
{
    if (!mapped_file_init(file, path, err))
        return false;
    const float *parameters = (const float *)(const void *)file->bytes;
    size_t count = model_size(shape), at = 0;
    if (file->size != count * sizeof *parameters)
        error_set(err, ERR_INVALID, "%s: %zu bytes, where the parameters of this shape take %zu",
                  path, file->size, count * sizeof *parameters);
    else {
        while (at < count && fabsf(parameters[at]) <= ADAMW_CLIP)
            at++;
        if (at == count)
            return true;
        error_set(err, ERR_RANGE, "%s: parameter %zu is %g, not within ±%.2f", path, at,
                  (double)parameters[at], (double)ADAMW_CLIP);
    }
    mapped_file_release(file);
    return false;
}

static bool run(const Options *options, Error *err)
{
    Dataset data = { 0 };
    Trainer *trainer = NULL;
    TrainerSettings settings = options->recipe.settings;
    Network *from = NULL;
    MappedFile begin = { 0 };
    Manifest manifest = { 0 };
    const char *from_path = options->recipe.from, *begin_path = options->recipe.begin;
    bool ok = (!begin_path || parameters_map(&begin, begin_path, settings.shape, err)) &&
              (!from_path || network_load(&from, from_path, err)) &&
              dataset_init(&data, options->ruleset, options->recipe.records,
                           options->recipe.record_count, err);
    settings.from = from;
    settings.parameters = (const float *)(const void *)begin.bytes;
    if (ok)
        printf("%u positions for training, %u for validation\n", data.training_count,
               data.validation_count);
    ok = ok && manifest_begin(&manifest, options, &data, err) &&
         trainer_new(&trainer, &settings, &data, err) && train(trainer, options, &data, err) &&
         finish(&manifest, trainer, options, &data, err);
    trainer_free(trainer);
    dataset_release(&data);
    network_free(from);
    mapped_file_release(&begin);
    manifest_release(&manifest);
    return ok;
}

int main(int argc, char **argv)
{
    Options options;
    Error err = { 0 };
    if (!options_read(&options, argc, argv, &err))
        return usage_exit("castled-train", &err);
    if (options.asks_for_help)
        return fputs(usage, stdout) == EOF;
    if (run(&options, &err))
        return EXIT_SUCCESS;
    fprintf(stderr, "castled-train: %s\n", err.text);
    return EXIT_FAILURE;
}
