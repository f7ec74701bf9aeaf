/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/train/datagen_options.h"

#include "engine/base/number.h"
#include "engine/core/variant_rules.h"
#include "engine/train/archive.h"
#include "engine/train/usage.h"

#include <string.h>

/* In centipawns at a few hundred nodes: starts that are still a game, and scores that
 * win nearly every one. */
enum { OPENING_MAX = 600, WON_SCORE = 1000 };

const char datagen_usage[] =
    "usage: castled-datagen --nodes N --seed S --out FOLDER [--network FILE] [--jobs N]\n"
    "                       [--games N] [--minutes N] [--opening-max CP] [--won CP]\n"
    "                       [--variant NAME]\n"
    "       castled-datagen --kind human --teachers FOLDER --seed S --out FOLDER [--jobs N]\n"
    "                       [--games N] [--minutes N]\n"
    "       castled-datagen --kind human --teachers FOLDER --people FILE --out FOLDER [--jobs N]\n"
    "                       [--minutes N]\n"
    "\n"
    "  --kind KIND       own (the default): castled's games against itself, with scores\n"
    "                    human: games with the move that people make in each position, as\n"
    "                    networks of their moves see it, which play these games themselves\n"
    "  --teachers FOLDER with those networks, maia-1100.pb.gz and so on\n"
    "  --people FILE     games between people, in which they label the positions\n"
    "  --nodes N         a move\n"
    "  --seed S          of the first job; the others have the numbers that follow\n"
    "  --jobs N          at once, each on a thread (default: 1)\n"
    "  --games N         of each seed, with those of earlier runs (default: without end; of\n"
    "                    --kind human by 256)\n"
    "  --minutes N       after which the run ends; it also ends when it is told to (Ctrl-C)\n"
    "  --out FOLDER      which exists; shards that are there go on\n"
    "  --network FILE    that castled plays with (default: the one built in)\n"
    "  --variant NAME    as UCI_Variant names it (default: chess)\n"
    "  --opening-max CP  starts with a higher score are thrown away (default: 600)\n"
    "  --won CP          a game ends at this score (default: 1000)\n";

static const struct option names[] = {
    { "kind", required_argument, NULL, 'k' },
    { "teachers", required_argument, NULL, 't' },
    { "people", required_argument, NULL, 'p' },
    { "network", required_argument, NULL, 'e' },
    { "nodes", required_argument, NULL, 'n' },
    { "jobs", required_argument, NULL, 'j' },
    { "seed", required_argument, NULL, 's' },
    { "games", required_argument, NULL, 'g' },
    { "minutes", required_argument, NULL, 'm' },
    { "out", required_argument, NULL, 'o' },
    { "variant", required_argument, NULL, 'v' },
    { "opening-max", required_argument, NULL, 'x' },
    { "won", required_argument, NULL, 'w' },
    { "help", no_argument, NULL, 'h' },
    { 0 },
};

static bool ruleset_read(Ruleset *ruleset, const char *name, Error *err)
{
    Ruleset read = ruleset_of_uci_name(name, strlen(name));
    if (read == RULESET_COUNT) {
        error_set(err, ERR_INVALID, "%s is no variant", name);
        return false;
    }
    *ruleset = read;
    return true;
}

static bool kind_read(DatagenKind *kind, const char *name, Error *err)
{
    if (strcmp(name, "own") != 0 && strcmp(name, "human") != 0) {
        error_set(err, ERR_INVALID, "%s: neither own nor human", name);
        return false;
    }
    *kind = name[0] == 'h' ? DATAGEN_HUMAN : DATAGEN_OWN;
    return true;
}

static bool option_read(DatagenOptions *options, int letter, Error *err)
{
    static const struct {
        int letter;
        int64_t lo, hi;
        size_t at;
    } numbers[] = {
        { 'n', 1, DATAGEN_NODES_MAX, offsetof(DatagenOptions, nodes) },
        { 'j', 1, DATAGEN_JOBS_MAX, offsetof(DatagenOptions, jobs) },
        { 's', 0, INT64_MAX - DATAGEN_JOBS_MAX, offsetof(DatagenOptions, seed) },
        { 'g', 1, UINT32_MAX, offsetof(DatagenOptions, games) },
        { 'm', 1, 1000000, offsetof(DatagenOptions, minutes) },
        { 'x', 1, ARCHIVE_SCORE_MAX, offsetof(DatagenOptions, opening_max) },
        { 'w', 1, ARCHIVE_SCORE_MAX, offsetof(DatagenOptions, won_score) },
    };
    static const struct {
        int letter;
        size_t at;
    } texts[] = {
        { 't', offsetof(DatagenOptions, teachers) },
        { 'p', offsetof(DatagenOptions, people) },
        { 'e', offsetof(DatagenOptions, network) },
        { 'o', offsetof(DatagenOptions, out) },
    };
    if (letter == 'v')
        return ruleset_read(&options->ruleset, optarg, err);
    if (letter == 'k')
        return kind_read(&options->kind, optarg, err);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        if (numbers[i].letter == letter)
            return number_parse(optarg, strlen(optarg), numbers[i].lo, numbers[i].hi,
                                (int64_t *)(void *)((char *)options + numbers[i].at), err);
    }
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        if (texts[i].letter == letter)
            *(const char **)(void *)((char *)options + texts[i].at) = optarg;
    }
    return true;
}

/* `given` are the letters of the options that were there. */
static bool options_fit(const DatagenOptions *options, const char *given, Error *err)
{
    /* What each kind needs, and what it takes besides. */
    static const char *const needed[] = { "nso", "tso", "tpo" };
    static const char *const taken[] = { "kjgmexwv", "kjgm", "kjm" };
    int kind = options->kind == DATAGEN_OWN ? 0 : options->people ? 2 : 1;
    for (const struct option *option = names; option->name; option++) {
        bool is_needed = strchr(needed[kind], option->val), is_given = strchr(given, option->val);
        if (is_needed && !is_given)
            error_set(err, ERR_INVALID, "--%s is missing", option->name);
        else if (is_given && !is_needed && !strchr(taken[kind], option->val))
            error_set(err, ERR_INVALID, "--%s: not of this kind of games", option->name);
        else
            continue;
        return false;
    }
    return true;
}

bool datagen_options_read(DatagenOptions *options, int argc, char **argv, Error *err)
{
    DatagenOptions read = { .jobs = 1, .opening_max = OPENING_MAX, .won_score = WON_SCORE };
    char given[sizeof names / sizeof *names] = { 0 };
    size_t count = 0;
    for (int letter, at; (letter = usage_next_option(&at, argc, argv, names, err)) != -1;) {
        if (letter == 'h') {
            *options = (DatagenOptions){ .asks_for_help = true };
            return true;
        }
        if (letter == '?')
            return false;
        if (!option_read(&read, letter, err)) {
            error_prefix(err, "--%s", names[at].name);
            return false;
        }
        if (!strchr(given, letter))
            given[count++] = (char)letter;
    }
    if (optind < argc) {
        error_set(err, ERR_INVALID, "%s: not an option", argv[optind]);
        return false;
    }
    if (!options_fit(&read, given, err))
        return false;
    *options = read;
    return true;
}
