/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tune-eval: fits the weights of the hand-written evaluation to labelled positions.
 *
 * Reads files of lines `FEN | centipawns for White | result for White`, writes weights.inc. The
 * loss is the mean of (sigmoid(k * eval) - target)^2, where target blends the game's result with
 * sigmoid(k_file * score). First k and each file's own k_file are fitted to the results; then they
 * stay, so that centipawns keep their size. Adam on small batches, over what the traced evaluation
 * says each weight was used for; a pull towards the weights that the run began with holds those
 * that the data say little about.
 *
 * After: chessprogramming.org, "Texel's Tuning Method"; Kingma and Ba, "Adam", 2014; A. Grant,
 * "Evaluation & Tuning in Chess Engines", 2020. */
#include "engine/base/number.h"
#include "engine/base/random.h"
#include "engine/core/fen.h"
#include "engine/eval/classical/classical.h"
#include "engine/eval/classical/summing.h"
#include "engine/eval/classical/trace.h"

#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MG, EG, PHASES };

typedef struct {
    uint16_t term;
    int16_t count;
} Use;

/* A position's uses lie in four runs, one after the other. */
enum { RUN_LINEAR, RUN_DANGER_WHITE, RUN_DANGER_BLACK, RUN_COMPLEXITY, RUN_COUNT };

typedef struct {
    size_t first_use;
    uint16_t uses[RUN_COUNT];
    float share[PHASES]; /* of the middlegame's and the endgame's value, scaling included */
    float score;         /* centipawns for White: as labelled; when k is fitted, as modelled */
    float result;
    float target;
} Sample;

typedef struct {
    Sample *samples;
    size_t count, capacity;
    Use *uses;
    size_t use_count, use_capacity;
} Dataset;

typedef struct {
    double at[TERM_COUNT][PHASES];
} Weights;

typedef struct {
    int64_t epochs, batch, blend_percent;
    const char *output;
    char **inputs;
    int input_count;
} Options;

/* What one position's value is made of; the derivative needs the parts again. */
typedef struct {
    double danger[COLOUR_COUNT][PHASES];
    double eg, complexity;
    double value;
} Model;

static void *grown(void *memory, size_t *capacity, size_t size)
{
    *capacity = *capacity ? *capacity * 2 : 1 << 16;
    void *more = realloc(memory, *capacity * size);
    if (!more) {
        fprintf(stderr, "tune-eval: out of memory\n");
        exit(1);
    }
    return more;
}

static void dataset_add_use(Dataset *data, Sample *sample, int run, int term, int count)
{
    if (!count)
        return;
    if (data->use_count == data->use_capacity)
        data->uses = grown(data->uses, &data->use_capacity, sizeof *data->uses);
    data->uses[data->use_count++] = (Use){ (uint16_t)term, (int16_t)count };
    sample->uses[run]++;
}

static void dataset_add_run(Dataset *data, Sample *sample, int run, const EvalTrace *trace)
{
    static const TermKind kind_of_run[] = { TERM_LINEAR, TERM_DANGER, TERM_DANGER,
                                            TERM_COMPLEXITY };
    Colour side = run == RUN_DANGER_BLACK ? BLACK : WHITE;
    if (kind_of_run[run] == TERM_DANGER && !trace->in_danger[side])
        return;
    for (int row = 0; row < TERM_ROW_COUNT; row++) {
        if (term_rows[row].kind != kind_of_run[run])
            continue;
        for (int i = term_rows[row].first; i < term_rows[row].first + term_rows[row].count; i++)
            dataset_add_use(data, sample, run, i,
                            trace->count[side][i] -
                                (run == RUN_LINEAR ? trace->count[BLACK][i] : 0));
    }
}

static double sigmoid(double x)
{
    return 1 / (1 + exp(-x));
}

static double run_sum(const Dataset *data, const Sample *sample, int run, const Weights *weights,
                      int phase)
{
    const Use *use = data->uses + sample->first_use;
    for (int before = 0; before < run; before++)
        use += sample->uses[before];
    double sum = 0;
    for (int i = 0; i < sample->uses[run]; i++)
        sum += weights->at[use[i].term][phase] * use[i].count;
    return sum;
}

/* The same sum as summing.h makes, in real numbers. Centipawns for White. */
static Model model_of(const Dataset *data, const Sample *sample, const Weights *weights)
{
    Model model;
    for (int side = WHITE; side <= BLACK; side++)
        for (int phase = 0; phase < PHASES; phase++)
            model.danger[side][phase] =
                fmax(0, run_sum(data, sample, RUN_DANGER_WHITE + side, weights, phase));
    double mg = run_sum(data, sample, RUN_LINEAR, weights, MG);
    mg -= model.danger[WHITE][MG] * model.danger[WHITE][MG] / DANGER_MG_DIVISOR;
    mg += model.danger[BLACK][MG] * model.danger[BLACK][MG] / DANGER_MG_DIVISOR;
    model.eg = run_sum(data, sample, RUN_LINEAR, weights, EG);
    model.eg += (model.danger[BLACK][EG] - model.danger[WHITE][EG]) / DANGER_EG_DIVISOR;
    model.complexity = run_sum(data, sample, RUN_COMPLEXITY, weights, EG);
    double size = fabs(model.eg), bonus = fmax(-size, fmin(size, model.complexity));
    double eg = model.eg > 0 ? model.eg + bonus : model.eg - bonus;
    model.value = mg * sample->share[MG] + eg * sample->share[EG];
    return model;
}

/* Adds d(value)/d(weight) * `slope` for every weight that the position uses. */
static void model_backward(const Dataset *data, const Sample *sample, const Model *model,
                           double slope, Weights *gradient)
{
    double to_mg = slope * sample->share[MG], to_eg = slope * sample->share[EG];
    double size = fabs(model->eg), to_complexity = model->eg > 0 ? to_eg : -to_eg;
    if (fabs(model->complexity) >= size) {
        to_eg = model->complexity > 0 ? 2 * to_eg : 0;
        to_complexity = 0;
    }
    double factor[RUN_COUNT][PHASES] = {
        [RUN_LINEAR] = { to_mg, to_eg },
        [RUN_COMPLEXITY] = { 0, to_complexity },
    };
    for (int side = WHITE; side <= BLACK; side++) {
        double loses = side == WHITE ? -1 : 1;
        const double *danger = model->danger[side];
        factor[RUN_DANGER_WHITE + side][MG] = loses * to_mg * 2 * danger[MG] / DANGER_MG_DIVISOR;
        factor[RUN_DANGER_WHITE + side][EG] =
            danger[EG] > 0 ? loses * to_eg / DANGER_EG_DIVISOR : 0;
    }
    const Use *use = data->uses + sample->first_use;
    for (int run = 0; run < RUN_COUNT; run++) {
        for (int i = 0; i < sample->uses[run]; i++, use++) {
            gradient->at[use->term][MG] += factor[run][MG] * use->count;
            gradient->at[use->term][EG] += factor[run][EG] * use->count;
        }
    }
}

/* Of twenty blocks of 500 lines one: whole games, from all parts of a file. */
static bool is_validation(size_t line)
{
    return line / 500 % 20 == 19;
}

/* Splits `FEN | score | result` in place. */
static bool line_split(char *line, char **score, char **result)
{
    char *first = strchr(line, '|'), *second = first ? strchr(first + 1, '|') : NULL;
    if (!second || first == line || first[1] != ' ' || second[-1] != ' ' || second[1] != ' ')
        return false;
    first[-1] = second[-1] = '\0';
    *score = first + 2;
    *result = second + 2;
    (*result)[strcspn(*result, "\r\n")] = '\0';
    return true;
}

static bool result_parse(const char *text, float *out)
{
    static const struct {
        const char *text;
        float value;
    } results[] = { { "1.0", 1 }, { "0.5", 0.5F }, { "0.0", 0 }, { "1", 1 }, { "0", 0 } };
    for (size_t i = 0; i < sizeof results / sizeof *results; i++) {
        if (strcmp(text, results[i].text) == 0) {
            *out = results[i].value;
            return true;
        }
    }
    return false;
}

static bool dataset_add_line(Dataset *data, char *line, const Weights *weights, Error *err)
{
    char *score_text, *result_text;
    Sample sample = { .first_use = data->use_count };
    Position pos;
    int64_t score;
    if (!line_split(line, &score_text, &result_text) ||
        !result_parse(result_text, &sample.result)) {
        error_set(err, ERR_INVALID, "not `FEN | score | result`");
        return false;
    }
    if (!number_parse(score_text, strlen(score_text), -32000, 32000, &score, err) ||
        !fen_read(&pos, line, FEN_STRICT, NULL, err))
        return false;

    EvalTrace trace;
    int value = eval_trace(&pos, &trace);
    if (trace.by_rule || trace.scale == SCALE_DRAW)
        return true;
    sample.score = (float)score;
    sample.share[MG] = (float)trace.phase / PHASE_MAX;
    sample.share[EG] =
        (float)(PHASE_MAX - trace.phase) / PHASE_MAX * (float)trace.scale / (float)SCALE_NORMAL;
    for (int run = 0; run < RUN_COUNT; run++)
        dataset_add_run(data, &sample, run, &trace);
    if (data->count == data->capacity)
        data->samples = grown(data->samples, &data->capacity, sizeof *data->samples);
    data->samples[data->count++] = sample;

    /* The model leaves out the rounding, nothing else. */
    double white_value = pos.side_to_move == WHITE ? value : -value;
    if (fabs(model_of(data, &sample, weights).value - white_value) > 5) {
        error_set(err, ERR_INVALID, "the model does not say what the evaluation says: %s", line);
        return false;
    }
    return true;
}

static bool read_lines(Dataset *train, Dataset *valid, FILE *in, const Weights *weights, Error *err)
{
    char line[512];
    for (size_t number = 0; fgets(line, sizeof line, in); number++) {
        Dataset *data = is_validation(number) ? valid : train;
        if (!dataset_add_line(data, line, weights, err)) {
            error_prefix(err, "line %zu", number + 1);
            return false;
        }
    }
    return true;
}

static double loss(const Dataset *data, const Weights *weights, double k)
{
    double sum = 0;
    for (size_t i = 0; i < data->count; i++) {
        const Sample *sample = &data->samples[i];
        double error = sigmoid(k * model_of(data, sample, weights).value) - sample->target;
        sum += error * error;
    }
    return sum / (double)data->count;
}

/* The k that makes sigmoid(k * score) predict the results best, from sample `first` on:
 * golden-section search. */
static double fit_k(const Dataset *data, size_t first)
{
    const double golden = 0.6180339887;
    double low = 0.0005, high = 0.03;
    for (int step = 0; step < 25; step++) {
        double at[2] = { high - golden * (high - low), low + golden * (high - low) };
        double error[2] = { 0 };
        for (int side = 0; side < 2; side++) {
            for (size_t i = first; i < data->count; i += 7) {
                double miss = sigmoid(at[side] * data->samples[i].score) - data->samples[i].result;
                error[side] += miss * miss;
            }
        }
        if (error[0] < error[1])
            high = at[1];
        else
            low = at[0];
    }
    return (low + high) / 2;
}

static void set_targets(Dataset *data, size_t first, double k_file, double blend)
{
    for (size_t i = first; i < data->count; i++) {
        Sample *sample = &data->samples[i];
        sample->target =
            (float)(blend * sample->result + (1 - blend) * sigmoid(k_file * sample->score));
    }
}

/* Appends a file's positions, with their targets. */
static bool read_file(Dataset *train, Dataset *valid, const char *path, double blend,
                      const Weights *weights, Error *err)
{
    size_t first = train->count, first_valid = valid->count;
    FILE *in = fopen(path, "r");
    if (!in) {
        error_set(err, ERR_IO, "%s: cannot read", path);
        return false;
    }
    bool ok = read_lines(train, valid, in, weights, err);
    error_prefix(err, "%s", path);
    fclose(in);
    if (!ok)
        return false;
    double k_file = fit_k(train, first);
    set_targets(train, first, k_file, blend);
    set_targets(valid, first_valid, k_file, blend);
    printf("%s: %zu positions to learn from, %zu to judge by; k %.6f\n", path, train->count - first,
           valid->count - first_valid, k_file);
    return true;
}

static void shuffle(uint32_t *order, size_t count, uint64_t *state)
{
    for (size_t i = count; i > 1; i--) {
        size_t j = (size_t)random_below(state, i);
        uint32_t swapped = order[i - 1];
        order[i - 1] = order[j];
        order[j] = swapped;
    }
}

typedef struct {
    Weights weights, start, gradient, mean, square;
    double rate;
    int steps;
} Adam;

static void adam_step(Adam *adam, size_t batch)
{
    const double decay_mean = 0.9, decay_square = 0.999, pull = 1e-8;
    adam->steps++;
    double mean_bias = 1 - pow(decay_mean, adam->steps);
    double square_bias = 1 - pow(decay_square, adam->steps);
    for (int term = 0; term < TERM_COUNT; term++) {
        for (int phase = 0; phase < PHASES; phase++) {
            double *weight = &adam->weights.at[term][phase];
            double *mean = &adam->mean.at[term][phase], *square = &adam->square.at[term][phase];
            double slope = adam->gradient.at[term][phase] / (double)batch +
                           pull * (*weight - adam->start.at[term][phase]);
            *mean = decay_mean * *mean + (1 - decay_mean) * slope;
            *square = decay_square * *square + (1 - decay_square) * slope * slope;
            *weight -= adam->rate * (*mean / mean_bias) / (sqrt(*square / square_bias) + 1e-9);
        }
    }
    adam->gradient = (Weights){ 0 };
}

static void train_epoch(Adam *adam, const Dataset *data, const uint32_t *order, size_t batch,
                        double k)
{
    for (size_t i = 0; i < data->count; i++) {
        const Sample *sample = &data->samples[order[i]];
        Model model = model_of(data, sample, &adam->weights);
        double guess = sigmoid(k * model.value);
        double slope = 2 * (guess - sample->target) * guess * (1 - guess) * k;
        model_backward(data, sample, &model, slope, &adam->gradient);
        if ((i + 1) % batch == 0)
            adam_step(adam, batch);
    }
}

static double rounded(double value)
{
    return floor(value + 0.5);
}

static bool weights_write(const Weights *weights, const char *path, Error *err)
{
    FILE *out = fopen(path, "w");
    if (!out) {
        error_set(err, ERR_IO, "%s: cannot write", path);
        return false;
    }
    fprintf(out,
            "/* SPDX-License-Identifier: GPL-3.0-or-later */\n"
            "/* weights.inc - the weights of terms.h, in its order: S(middlegame, endgame) in\n"
            " * centipawns. Written by scripts/tune-eval, which fitted them to positions from\n"
            " * games of TCEC, the Top Chess Engine Championship, and from self-play. */\n");
    for (int row = 0; row < TERM_ROW_COUNT; row++) {
        fprintf(out, "/* %s */\n", term_rows[row].name);
        for (int i = 0; i < term_rows[row].count; i++) {
            const double *weight = weights->at[term_rows[row].first + i];
            fprintf(out, "S(%.0f, %.0f),%c", rounded(weight[MG]), rounded(weight[EG]),
                    i % 8 == 7 || i == term_rows[row].count - 1 ? '\n' : ' ');
        }
    }
    bool ok = !ferror(out);
    if (fclose(out) != 0 || !ok) {
        error_set(err, ERR_IO, "%s: cannot write", path);
        return false;
    }
    return true;
}

static void start_from_built_weights(Adam *adam)
{
    for (int term = 0; term < TERM_COUNT; term++) {
        adam->weights.at[term][MG] = tapered_mg(eval_trace_weights()[term]);
        adam->weights.at[term][EG] = tapered_eg(eval_trace_weights()[term]);
    }
    adam->start = adam->weights;
}

static void train_all(Adam *adam, const Options *options, Dataset *train, const Dataset *valid,
                      uint32_t *order)
{
    for (size_t i = 0; i < train->count; i++) {
        train->samples[i].score = (float)model_of(train, &train->samples[i], &adam->weights).value;
        order[i] = (uint32_t)i;
    }
    double k = fit_k(train, 0);
    printf("%d weights, k %.6f; before: loss %.6f, of the judges %.6f\n", 2 * TERM_COUNT, k,
           loss(train, &adam->weights, k), loss(valid, &adam->weights, k));
    uint64_t random_state = 1; /* the same data give the same weights */
    for (int epoch = 0; epoch < options->epochs; epoch++) {
        adam->rate = 0.3 * (1 + cos(M_PI * epoch / (double)options->epochs)) + 0.01;
        shuffle(order, train->count, &random_state);
        train_epoch(adam, train, order, (size_t)options->batch, k);
        if (epoch % 5 == 4 || epoch + 1 == options->epochs)
            printf("epoch %d: loss %.6f, of the judges %.6f\n", epoch + 1,
                   loss(train, &adam->weights, k), loss(valid, &adam->weights, k));
        fflush(stdout);
    }
    for (int term = 0; term < TERM_COUNT; term++)
        for (int phase = 0; phase < PHASES; phase++)
            adam->weights.at[term][phase] = rounded(adam->weights.at[term][phase]);
    printf("rounded: of the judges %.6f\n", loss(valid, &adam->weights, k));
}

static bool tune(const Options *options, Dataset *train, Dataset *valid, Error *err)
{
    Adam *adam = calloc(1, sizeof *adam);
    uint32_t *order = NULL;
    bool ok = false;
    if (!adam)
        goto out_of_memory;
    start_from_built_weights(adam);
    for (int i = 0; i < options->input_count; i++)
        if (!read_file(train, valid, options->inputs[i], (double)options->blend_percent / 100,
                       &adam->start, err))
            goto out;
    if (!valid->count) {
        error_set(err, ERR_INVALID, "too few positions: 10000 lines at least");
        goto out;
    }
    order = calloc(train->count, sizeof *order);
    if (!order)
        goto out_of_memory;
    train_all(adam, options, train, valid, order);
    ok = weights_write(&adam->weights, options->output, err);
    goto out;
out_of_memory:
    error_set(err, ERR_MEMORY, "out of memory");
out:
    free(adam);
    free(order);
    return ok;
}

static bool options_parse(Options *options, int argc, char **argv, Error *err)
{
    static const struct option names[] = {
        { "epochs", required_argument, NULL, 'e' },
        { "batch", required_argument, NULL, 'b' },
        { "blend", required_argument, NULL, 'r' },
        { "output", required_argument, NULL, 'o' },
        { 0 },
    };
    bool ok = true;
    for (int name; ok && (name = getopt_long(argc, argv, "", names, NULL)) != -1;) {
        size_t length = optarg ? strlen(optarg) : 0;
        if (name == 'e')
            ok = number_parse(optarg, length, 1, 10000, &options->epochs, err);
        else if (name == 'b')
            ok = number_parse(optarg, length, 1, 1 << 24, &options->batch, err);
        else if (name == 'r')
            ok = number_parse(optarg, length, 0, 100, &options->blend_percent, err);
        else if (name == 'o')
            options->output = optarg;
        else
            ok = false;
    }
    options->inputs = argv + optind;
    options->input_count = argc - optind;
    if (ok && options->output && options->input_count > 0)
        return true;
    error_set(err, ERR_INVALID,
              "usage: tune-eval --output FILE [--epochs N] [--batch N] [--blend PERCENT]"
              " POSITIONS...");
    return false;
}

int main(int argc, char **argv)
{
    Options options = { .epochs = 30, .batch = 16384, .blend_percent = 10 };
    Dataset train = { 0 }, valid = { 0 };
    Error err = { 0 };
    if (!options_parse(&options, argc, argv, &err) || !tune(&options, &train, &valid, &err)) {
        fprintf(stderr, "tune-eval: %s\n", err.text);
        return 1;
    }
    free(train.samples);
    free(train.uses);
    free(valid.samples);
    free(valid.uses);
    return 0;
}
