/* SPDX-License-Identifier: GPL-3.0-or-later */
/* castled-train-human: trains castled's own network of people's moves.
 *
 * For an output PREFIX it writes PREFIX.people, the network, and PREFIX.txt, its manifest: what it
 * was made from, and the loss of each pass. */
#include "engine/base/number.h"
#include "engine/base/random.h"
#include "engine/train/human_model.h"
#include "engine/train/output.h"
#include "engine/train/usage.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NOTES_MAX = 32 };

static const char usage[] =
    "usage: castled-train-human [OPTION...] FILE...\n"
    "FILE has games of people, or a teacher's labels of positions.\n"
    "  --output PREFIX     PREFIX.people and PREFIX.txt are written (default: net)\n"
    "  --width N           hidden units, a multiple of 32 (default: 128)\n"
    "  --passes N          over the positions (default: 4)\n"
    "  --rate MILLIONTHS   the learning rate at first (default: 20000)\n"
    "  --seed N            of weights and order (default: 1)\n"
    "  --teacher FILE      a network that labelled positions, for the manifest\n"
    "  --note TEXT         a line for the manifest: origins and licences\n"
    "  --help              this text\n";

typedef enum { WIDTH, PASSES, RATE, SEED, NUMBER_COUNT } NumberId;

static const struct {
    int64_t lowest, highest, unset;
} numbers[NUMBER_COUNT] = {
    [WIDTH] = { SMALL_POLICY_WIDTH_STEP, SMALL_POLICY_WIDTH_MAX, 128 },
    [PASSES] = { 1, 1000, 4 },
    [RATE] = { 1, 999999, 20000 },
    [SEED] = { 0, INT64_MAX, 1 },
};

enum { OUTPUT = NUMBER_COUNT, TEACHER, NOTE, HELP };

static const struct option long_options[] = {
    { "width", required_argument, NULL, WIDTH },
    { "passes", required_argument, NULL, PASSES },
    { "rate", required_argument, NULL, RATE },
    { "seed", required_argument, NULL, SEED },
    { "output", required_argument, NULL, OUTPUT },
    { "teacher", required_argument, NULL, TEACHER },
    { "note", required_argument, NULL, NOTE },
    { "help", no_argument, NULL, HELP },
    { 0 },
};

typedef struct {
    int64_t values[NUMBER_COUNT];
    const char *output;
    struct {
        const char *text;
        bool is_teacher; /* a file */
    } notes[NOTES_MAX];
    int note_count;
    char *const *files;
    int file_count;
    bool asks_for_help;
} Options;

static bool take_option(void *user, int option, Error *err)
{
    Options *options = user;
    if (option < NUMBER_COUNT)
        return number_parse(optarg, strlen(optarg), numbers[option].lowest, numbers[option].highest,
                            &options->values[option], err);
    if (option == OUTPUT) {
        options->output = optarg;
    } else if (option == HELP) {
        options->asks_for_help = true;
    } else if (options->note_count < NOTES_MAX) {
        options->notes[options->note_count].text = optarg;
        options->notes[options->note_count++].is_teacher = option == TEACHER;
    } else {
        error_set(err, ERR_RANGE, "more than %d", NOTES_MAX);
        return false;
    }
    return true;
}

static bool options_read(Options *options, int argc, char **argv, Error *err)
{
    *options = (Options){ .output = "net" };
    for (int i = 0; i < NUMBER_COUNT; i++)
        options->values[i] = numbers[i].unset;
    if (!usage_take_options(argc, argv, long_options, take_option, options, err))
        return false;
    options->files = argv + optind;
    options->file_count = argc - optind;
    if (options->values[WIDTH] % SMALL_POLICY_WIDTH_STEP != 0)
        error_set(err, ERR_RANGE, "--width: no multiple of %d", SMALL_POLICY_WIDTH_STEP);
    else if (options->file_count == 0 && !options->asks_for_help)
        error_set(err, ERR_INVALID, "no file of games or labels");
    else
        return true;
    return false;
}

/* All that the network depends on. */
static bool write_recipe(FILE *out, const Options *options, Error *err)
{
    for (int i = 0; i < options->note_count; i++) {
        if (!options->notes[i].is_teacher)
            fprintf(out, "note: %s\n", options->notes[i].text);
        else if (!output_name_file(out, "teacher", options->notes[i].text, err))
            return false;
    }
    for (int i = 0; i < options->file_count; i++)
        if (!output_name_file(out, "positions", options->files[i], err))
            return false;
    fprintf(out, "shape: %d inputs, %d hidden units, %d traits\n", TRAITS_INPUTS,
            (int)options->values[WIDTH], TRAITS_COUNT);
    fprintf(out, "passes: %d\nrate: %g, Adagrad\nseed: %lld\ntrainer: castled %s\n",
            (int)options->values[PASSES], (double)options->values[RATE] * 1e-6,
            (long long)options->values[SEED], CASTLED_VERSION);
    return true;
}

static void shuffle(uint32_t *order, size_t count, uint64_t *seed)
{
    for (size_t i = count; i > 1; i--) {
        size_t other = (size_t)random_below(seed, i);
        uint32_t kept = order[i - 1];
        order[i - 1] = order[other];
        order[other] = kept;
    }
}

typedef struct {
    double loss, entropy;
    size_t firsts, count;
} Sum;

static void count_in(Sum *sum, HumanLoss loss)
{
    sum->loss += loss.loss;
    sum->entropy += loss.entropy;
    sum->firsts += loss.is_first;
    sum->count++;
}

/* Divergences are what is left of a loss beyond the teachers' own entropy, in nats. */
static void tell(FILE *out, const char *what, int pass, const Sum *training, const Sum *validation)
{
    double judged = validation->count ? (double)validation->count : 1;
    double learnt = training->count ? (double)training->count : 1;
    fprintf(out,
            "%s %d: divergence in training %.4f, in validation %.4f, first move %.1f %% of %zu\n",
            what, pass, (training->loss - training->entropy) / learnt,
            (validation->loss - validation->entropy) / judged,
            100 * (double)validation->firsts / judged, validation->count);
    fflush(out);
}

static Sum validate(HumanModel *model, const HumanGames *games)
{
    Sum validation = { 0 };
    for (size_t i = 0; i < games->sample_count; i++)
        if (games->samples[i].is_validation)
            count_in(&validation, human_model_judge(model, games, &games->samples[i]));
    return validation;
}

/* The rate falls evenly to a twentieth. */
static void train(HumanModel *model, const HumanGames *games, uint32_t *order,
                  const Options *options, FILE *manifest)
{
    uint64_t seed = (uint64_t)options->values[SEED];
    int passes = (int)options->values[PASSES];
    double first_rate = (double)options->values[RATE] * 1e-6;
    for (int pass = 0; pass < passes; pass++) {
        Sum training = { 0 };
        shuffle(order, games->sample_count, &seed);
        for (size_t i = 0; i < games->sample_count; i++) {
            const HumanSample *sample = &games->samples[order[i]];
            double done = (pass + (double)i / (double)games->sample_count) / passes;
            if (!sample->is_validation)
                count_in(&training, human_model_learn(model, games, sample,
                                                      (float)(first_rate * (1 - 0.95 * done))));
            if (i % 20000 == 0 && training.count)
                fprintf(stderr, "pass %d, %zu of %zu: %.4f\n", pass + 1, i, games->sample_count,
                        (training.loss - training.entropy) / (double)training.count);
        }
        Sum validation = validate(model, games);
        tell(manifest, "pass", pass + 1, &training, &validation);
        tell(stdout, "pass", pass + 1, &training, &validation);
    }
    human_model_round(model);
    Sum training = { 0 }, validation = validate(model, games);
    tell(manifest, "rounded after pass", passes, &training, &validation);
    tell(stdout, "rounded after pass", passes, &training, &validation);
}

/* Text in memory that grows. */
typedef struct {
    FILE *file;
    char *text; /* all of it after fflush(); as `size` */
    size_t size;
} Manifest;

static bool make_network(const Options *options, const HumanGames *games, Manifest *manifest,
                         Error *err)
{
    uint8_t hash[OUTPUT_HASH_SIZE], *bytes = NULL;
    uint32_t *order = malloc((games->sample_count + 1) * sizeof *order);
    HumanModel *model = NULL;
    bool ok =
        order && fflush(manifest->file) == 0 &&
        output_hash(hash, manifest->text, manifest->size, err) &&
        human_model_new(&model, (int)options->values[WIDTH], (uint64_t)options->values[SEED], err);
    if (ok) {
        for (size_t i = 0; i < games->sample_count; i++)
            order[i] = (uint32_t)i;
        train(model, games, order, options, manifest->file);
        bytes = human_model_export(model, hash);
        ok = bytes && fflush(manifest->file) == 0 &&
             output_write(options->output, ".people", bytes,
                          small_policy_size((int)options->values[WIDTH]), err) &&
             output_write(options->output, ".txt", manifest->text, manifest->size, err);
    }
    if (!ok && !err->code)
        error_set(err, ERR_MEMORY, "no memory to train");
    human_model_free(model);
    free(order);
    free(bytes);
    return ok;
}

int main(int argc, char **argv)
{
    Options options;
    HumanGames games = { 0 };
    Manifest manifest = { 0 };
    Error err = { 0 };
    if (!options_read(&options, argc, argv, &err))
        return usage_exit("castled-train-human", &err);
    if (options.asks_for_help) {
        fputs(usage, stdout);
        return EXIT_SUCCESS;
    }
    manifest.file = open_memstream(&manifest.text, &manifest.size);
    bool ok = manifest.file && write_recipe(manifest.file, &options, &err);
    for (int i = 0; ok && i < options.file_count; i++)
        ok = human_games_read(&games, options.files[i], &err);
    ok = ok && make_network(&options, &games, &manifest, &err);
    if (!ok)
        fprintf(stderr, "castled-train-human: %s\n", err.text);
    if (manifest.file)
        (void)fclose(manifest.file);
    free(manifest.text);
    human_games_release(&games);
    return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
