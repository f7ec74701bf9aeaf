/* SPDX-License-Identifier: GPL-3.0-or-later */
/* castled-expand: shards of games become one file of training records, see expand.h. */
#include "engine/base/number.h"
#include "engine/train/expand.h"
#include "engine/train/usage.h"

#include <stdio.h>
#include <string.h>

static const char usage[] =
    "usage: castled-expand --out FILE [--labels smooth|raw] [OPTION...] SHARD...\n"
    "       castled-expand --out FILE --labels static [--teacher FILE.so --network FILE]\n"
    "                      [--searched N | --sidelines N] [--perturbed N] [OPTION...]\n"
    "                      SHARD...\n"
    "\n"
    "  --out FILE         of training records; standard output says what is in it\n"
    "  --labels KIND      smooth: the game's scores, weighed with those that follow (the "
    "default);\n"
    "                     raw: the game's scores; static: evaluations of the teacher\n"
    "  --teacher FILE.so  of scripts/teacher; for variants none: castled's own evaluation\n"
    "  --network FILE     the teacher's\n"
    "  --searched N       positions beside each of the games' that a search from there meets "
    "(default: 0)\n"
    "  --sidelines N      positions beside each of the games' by random moves (default: 0)\n"
    "  --perturbed N      positions of each of those with men elsewhere or missing (default: 0)\n"
    "  --k CENTIPAWNS     of one logit (default: fitted to the results)\n"
    "  --few-men PERCENT  of the file: positions of 5 men and less (default: 5)\n"
    "  --score-max CP     positions with higher scores are left out, and those beside them\n";

static bool form_read(LabelForm *form, const char *text, Error *err)
{
    static const char *const names[] = {
        [LABEL_RAW] = "raw", [LABEL_SMOOTH] = "smooth", [LABEL_STATIC] = "static"
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strcmp(text, names[i]) == 0) {
            *form = (LabelForm)i;
            return true;
        }
    }
    error_set(err, ERR_INVALID, "%s: none of smooth, raw, static", text);
    return false;
}

static const struct option names[] = {
    { "out", required_argument, NULL, 'o' },
    { "labels", required_argument, NULL, 'l' },
    { "k", required_argument, NULL, 'k' },
    { "few-men", required_argument, NULL, 'f' },
    { "score-max", required_argument, NULL, 's' },
    { "network", required_argument, NULL, 'n' },
    { "teacher", required_argument, NULL, 't' },
    { "sidelines", required_argument, NULL, 'i' },
    { "searched", required_argument, NULL, 'e' },
    { "perturbed", required_argument, NULL, 'p' },
    { "help", no_argument, NULL, 'h' },
    { 0 },
};

typedef struct {
    int64_t k, few_men_percent, score_max, sidelines, searched, perturbed;
} Numbers;

static bool option_read(ExpandOptions *options, Numbers *numbers, int letter, Error *err)
{
    size_t len = strlen(optarg);
    switch (letter) {
    case 'o':
        options->out = optarg;
        return true;
    case 'n':
        options->network = optarg;
        return true;
    case 't':
        options->teacher = optarg;
        return true;
    case 'l':
        return form_read(&options->form, optarg, err);
    case 'k':
        return number_parse(optarg, len, 10, 4000, &numbers->k, err);
    case 'f':
        return number_parse(optarg, len, 0, 100, &numbers->few_men_percent, err);
    case 's':
        return number_parse(optarg, len, 1, POSITION_VARIANT_SCORE_CAP, &numbers->score_max, err);
    case 'e':
        return number_parse(optarg, len, 0, BESIDE_MAX, &numbers->searched, err);
    case 'p':
        return number_parse(optarg, len, 0, BESIDE_MAX, &numbers->perturbed, err);
    default:
        return number_parse(optarg, len, 0, BESIDE_MAX, &numbers->sidelines, err);
    }
}

static bool options_fit(const ExpandOptions *options, Error *err)
{
    bool is_static = options->form == LABEL_STATIC;
    int near = options->sidelines + options->searched;
    int beside = (1 + near) * (1 + options->perturbed) - 1;
    const char *wrong = NULL;
    if (!options->out)
        wrong = "--out is missing";
    else if (!is_static && (options->teacher || options->network || beside))
        wrong = "--teacher, --network, --searched, --sidelines and --perturbed are for --labels "
                "static";
    else if (!options->teacher != !options->network)
        wrong = "--teacher and --network belong together";
    else if (options->sidelines && options->searched)
        wrong = "either --searched or --sidelines";
    else if (beside > BESIDE_MAX)
        wrong = "--searched or --sidelines, and --perturbed of each: more than 16 to a position";
    else if (options->path_count == 0)
        wrong = "no shard of games";
    if (wrong)
        error_set(err, ERR_INVALID, "%s", wrong);
    return !wrong;
}

/* *asks_for_help: then the options are not set. */
static bool options_read(ExpandOptions *options, bool *asks_for_help, int argc, char **argv,
                         Error *err)
{
    Numbers numbers = { .few_men_percent = 5, .score_max = POSITION_VARIANT_SCORE_CAP };
    options->form = LABEL_SMOOTH;
    *asks_for_help = false;
    for (int letter, at; (letter = usage_next_option(&at, argc, argv, names, err)) != -1;) {
        if (letter == 'h') {
            *asks_for_help = true;
            return true;
        }
        if (letter == '?')
            return false;
        if (!option_read(options, &numbers, letter, err)) {
            error_prefix(err, "--%s", names[at].name);
            return false;
        }
    }
    options->k = (double)numbers.k;
    options->score_max = (int)numbers.score_max;
    options->few_men_percent = (int)numbers.few_men_percent;
    options->sidelines = (int)numbers.sidelines;
    options->searched = (int)numbers.searched;
    options->perturbed = (int)numbers.perturbed;
    options->paths = (const char *const *)(argv + optind);
    options->path_count = argc - optind;
    return options_fit(options, err);
}

int main(int argc, char **argv)
{
    ExpandOptions options = { 0 };
    Error err = { 0 };
    bool asks_for_help;
    if (!options_read(&options, &asks_for_help, argc, argv, &err))
        return usage_exit("castled-expand", &err);
    if (asks_for_help)
        return fputs(usage, stdout) == EOF;
    bool ok = expand(&options, stdout, &err);
    if (!ok)
        fprintf(stderr, "castled-expand: %s\n", err.text);
    return ok ? 0 : 1;
}
