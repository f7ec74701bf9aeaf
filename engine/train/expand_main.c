/* SPDX-License-Identifier: GPL-3.0-or-later */
/* castled-expand: shards of games become one file of training records, see expand.h. */
#include "engine/base/number.h"
#include "engine/train/expand.h"

#include <getopt.h>
#include <stdio.h>
#include <string.h>

static const char usage[] =
    "usage: castled-expand --out FILE [--labels smooth|raw] [--k CENTIPAWNS]\n"
    "                      [--few-men PERCENT] [--score-max CENTIPAWNS] SHARD...\n"
    "       castled-expand --out FILE --labels static --network FILE [--sidelines N] ... SHARD...";

static bool form_read(LabelForm *form, const char *text)
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
    return false;
}

static bool options_parse(ExpandOptions *options, int argc, char **argv, Error *err)
{
    static const struct option names[] = {
        { "out", required_argument, NULL, 'o' },       { "labels", required_argument, NULL, 'l' },
        { "k", required_argument, NULL, 'k' },         { "few-men", required_argument, NULL, 'f' },
        { "score-max", required_argument, NULL, 's' }, { "network", required_argument, NULL, 'n' },
        { "sidelines", required_argument, NULL, 'i' }, { 0 },
    };
    int64_t k = 0, few_men_percent = 5, score_max = POSITION_SCORE_CAP;
    int64_t sidelines = 0;
    bool ok = true;
    options->form = LABEL_SMOOTH;
    for (int name; ok && (name = getopt_long(argc, argv, "", names, NULL)) != -1;) {
        size_t len = optarg ? strlen(optarg) : 0;
        if (name == 'o')
            options->out = optarg;
        else if (name == 'k')
            ok = number_parse(optarg, len, 10, 4000, &k, err);
        else if (name == 'f')
            ok = number_parse(optarg, len, 0, 100, &few_men_percent, err);
        else if (name == 's')
            ok = number_parse(optarg, len, 1, POSITION_SCORE_CAP, &score_max, err);
        else if (name == 'i')
            ok = number_parse(optarg, len, 0, SIDELINES_MAX, &sidelines, err);
        else if (name == 'n')
            options->network = optarg;
        else
            ok = name == 'l' && form_read(&options->form, optarg);
    }
    options->k = (double)k;
    options->score_max = (int)score_max;
    options->few_men_percent = (int)few_men_percent;
    options->sidelines = (int)sidelines;
    options->paths = (const char *const *)(argv + optind);
    options->path_count = argc - optind;
    bool has_network = options->network != NULL, is_static = options->form == LABEL_STATIC;
    if (ok && options->out && options->path_count > 0 && has_network == is_static)
        return true;
    error_set(err, ERR_INVALID, "%s", usage);
    return false;
}

int main(int argc, char **argv)
{
    ExpandOptions options = { 0 };
    Error err = { 0 };
    bool ok = options_parse(&options, argc, argv, &err) && expand(&options, stdout, &err);
    if (!ok)
        fprintf(stderr, "castled-expand: %s\n", err.text);
    return ok ? 0 : 1;
}
