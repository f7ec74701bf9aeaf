/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/train/expand.h"

#include "engine/base/pages.h"
#include "engine/eval/evaluation.h"
#include "engine/train/output.h"
#include "engine/train/perturbed_positions.h"
#include "engine/train/searched_positions.h"
#include "engine/train/teacher.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PATH_SIZE = 4096, SLOTS_PER_KEY = 2 };

/* Shards that share a scale. */
typedef struct {
    ShardHeader header; /* of its first shard */
    DataFigures figures;
    double k;
} Source;

/* Keys of the positions taken; 0 stands for a free slot, so the key 0 is never found again. */
typedef struct {
    uint64_t *slots;
    uint64_t mask;
} KeySet;

typedef struct {
    const ExpandOptions *options;
    Source *sources;
    int source_count;
    KeySet keys;
    uint64_t positions_max; /* that keys may be needed for */
    FILE *out;
    uint64_t written, few_men, doubles, surplus, one_sided, validation;
    bool has_rules; /* is `ruleset` known? */
    Ruleset ruleset;
    Teacher *teacher;            /* NULL: none is wanted */
    SearchedPositions *searched; /* NULL: none are wanted */
    Evaluator *own;              /* of variants, with what is built in */
    Networks networks;
    Network built_in[RULESET_COUNT];
    ArchivedGame game;
    int position_count;
    GamePosition positions[ARCHIVE_PLIES_MAX * (1 + BESIDE_MAX)];
} Expansion;

typedef enum { GAMES_ALL, GAMES_TRAINING, GAMES_VALIDATION } GamesPart;

static bool key_set_init(KeySet *keys, uint64_t count, Error *err)
{
    uint64_t size = 1024;
    while (size < count * SLOTS_PER_KEY)
        size *= 2;
    keys->slots = calloc(size, sizeof *keys->slots);
    keys->mask = size - 1;
    if (!keys->slots)
        error_set(err, ERR_MEMORY, "no memory for %llu keys", (unsigned long long)size);
    return keys->slots != NULL;
}

/* True if the key is new. */
static bool key_set_add(KeySet *keys, uint64_t key)
{
    uint64_t at = key & keys->mask;
    while (keys->slots[at] && keys->slots[at] != key)
        at = (at + 1) & keys->mask;
    bool is_new = keys->slots[at] != key;
    keys->slots[at] = key;
    return is_new;
}

static bool is_unfinished(const char *path)
{
    size_t len = strlen(path);
    return len > 5 && strcmp(path + len - 5, ".part") == 0;
}

static Source *source_find(Expansion *x, const ShardHeader *header, Error *err)
{
    for (int i = 0; i < x->source_count; i++) {
        const ShardHeader *known = &x->sources[i].header;
        if (known->nodes == header->nodes && known->bench == header->bench &&
            strcmp(known->kind, header->kind) == 0 &&
            strcmp(known->labeller, header->labeller) == 0 &&
            strcmp(known->network, header->network) == 0)
            return &x->sources[i];
    }
    if (x->source_count == EXPAND_SOURCES_MAX) {
        error_set(err, ERR_RANGE, "more than %d kinds of shards", EXPAND_SOURCES_MAX);
        return NULL;
    }
    x->sources[x->source_count].header = *header;
    return &x->sources[x->source_count++];
}

static int by_teacher(void *user, const Position *pos)
{
    const Expansion *x = user;
    return teacher_evaluate(x->teacher, pos);
}

static int by_own(void *user, const Position *pos)
{
    Expansion *x = user;
    evaluator_reset(x->own, &x->networks, pos);
    return evaluate(x->own, pos);
}

static int look_beside(void *user, const Position *pos, Position beside[BESIDE_MAX])
{
    const Expansion *x = user;
    const ExpandOptions *options = x->options;
    int near = x->searched ? searched_positions(x->searched, pos, options->searched, beside)
                           : sidelines_of(pos, options->sidelines, beside);
    int count = near + perturbed_positions(pos, options->perturbed, &beside[near]);
    for (int i = 0; i < near; i++)
        count += perturbed_positions(&beside[i], options->perturbed, &beside[count]);
    return count;
}

static void label_game(Expansion *x)
{
    x->position_count = x->game.ply_count;
    const StaticJudge judge = { x->teacher ? by_teacher : by_own, look_beside,
                                x->options->score_max, x };
    if (x->searched)
        searched_positions_begin(x->searched);
    if (x->options->form == LABEL_STATIC)
        x->position_count = game_positions_static(x->positions, &x->game, &judge);
    else
        game_positions(x->positions, &x->game, x->options->form);
}

/* A file holds records of one set of rules. */
static bool rules_check(Expansion *x, const ArchivedGame *game, Error *err)
{
    Ruleset ruleset = packed_start_rules(&game->start);
    if (!x->has_rules)
        x->ruleset = ruleset;
    x->has_rules = true;
    if (x->ruleset != ruleset)
        error_set(err, ERR_INVALID, "games of %s among those of %s",
                  variant_rules_table[ruleset].uci_name, variant_rules_table[x->ruleset].uci_name);
    else if (x->options->perturbed && ruleset != RULES_STANDARD)
        error_set(err, ERR_INVALID, "--perturbed is for chess, not for %s",
                  variant_rules_table[ruleset].uci_name);
    else if (x->own && ruleset == RULES_STANDARD)
        error_set(err, ERR_INVALID, "--teacher is missing: whose static evaluation?");
    else
        return true;
    return false;
}

typedef bool GameVisit(Expansion *x, Source *source, Error *err);

static bool visit_games(Expansion *x, ShardReader *reader, Source *source, bool may_be_cut,
                        GamesPart part, GameVisit *visit, Error *err)
{
    for (uint64_t number = 1;; number++) {
        Error why = { 0 };
        ArchiveStep step = shard_reader_next(reader, &x->game, &why);
        if (step == ARCHIVE_END || (step == ARCHIVE_CUT && may_be_cut))
            return true;
        if (step != ARCHIVE_GAME) {
            error_set(err, why.code, "%s", why.text);
            return false;
        }
        if (!rules_check(x, &x->game, err))
            return false;
        bool is_validation = number % EXPAND_VALIDATION_ONE_IN == 0;
        if (part != GAMES_ALL && is_validation != (part == GAMES_VALIDATION))
            continue;
        if (!visit(x, source, err))
            return false;
    }
}

static bool visit_shards(Expansion *x, GamesPart part, GameVisit *visit, Error *err)
{
    for (int i = 0; i < x->options->path_count; i++) {
        const char *path = x->options->paths[i];
        ShardReader reader;
        if (!shard_reader_init(&reader, path, err))
            return false;
        Source *source = source_find(x, &reader.header, err);
        bool ok = source && visit_games(x, &reader, source, is_unfinished(path), part, visit, err);
        shard_reader_release(&reader);
        if (!ok) {
            error_prefix(err, "%s", path);
            return false;
        }
    }
    return true;
}

/* Without labels: an upper bound. */
static bool count_positions(Expansion *x, Source *source, Error *err)
{
    const ExpandOptions *options = x->options;
    (void)source;
    (void)err;
    int with_near = 1 + options->sidelines + options->searched;
    x->positions_max +=
        (uint64_t)x->game.ply_count * (uint64_t)(with_near * (1 + options->perturbed));
    return true;
}

/* And the figures that a source's scale is fitted to. */
static bool label_and_count(Expansion *x, Source *source, Error *err)
{
    (void)err;
    label_game(x);
    x->positions_max += (uint64_t)x->position_count;
    data_figures_add(&source->figures, x->positions, x->position_count, x->game.start.result);
    return true;
}

/* Is the position one that the file does not have, and has room for? */
static bool take(Expansion *x, const GamePosition *position)
{
    bool has_few_men = position->men <= EXPAND_FEW_MEN;
    if (abs(position->score) > x->options->score_max) {
        x->one_sided++;
        return false;
    }
    if (has_few_men && x->few_men * 100 > x->written * (uint64_t)x->options->few_men_percent) {
        x->surplus++;
        return false;
    }
    if (!key_set_add(&x->keys, position->key)) {
        x->doubles++;
        return false;
    }
    x->few_men += has_few_men;
    return true;
}

static bool record_write(FILE *out, const GamePosition *position)
{
    if (fwrite(&position->packed, sizeof position->packed, 1, out) != 1)
        return false;
    return position->variant.ruleset == RULES_STANDARD ||
           fwrite(&position->variant, sizeof position->variant, 1, out) == 1;
}

static bool write_game(Expansion *x, Source *source, Error *err)
{
    bool is_first = true;
    label_game(x);
    if (x->options->k > 0) /* no pass before has counted */
        data_figures_add(&source->figures, x->positions, x->position_count, x->game.start.result);
    for (int i = 0; i < x->position_count; i++) {
        GamePosition *position = &x->positions[i];
        if (position->fate != POSITION_KEPT || !take(x, position))
            continue;
        double score = position->score * PACKED_SCORE_LOGIT / source->k;
        position->packed.score =
            (int16_t)lrint(fmin(fmax(score, -PACKED_SCORE_MAX), PACKED_SCORE_MAX));
        if (is_first)
            position->packed.flags |= PACKED_FIRST_OF_GAME;
        is_first = false;
        x->written++;
        if (!record_write(x->out, position)) {
            error_set(err, ERR_IO, "%s: %s", x->options->out, strerror(errno));
            return false;
        }
    }
    return true;
}

static bool scales_set(Expansion *x, Error *err)
{
    for (int i = 0; i < x->source_count; i++) {
        Source *source = &x->sources[i];
        source->k = x->options->k > 0 ? x->options->k : data_figures_fit_k(&source->figures);
        if (source->k > 0)
            continue;
        error_set(err, ERR_INVALID, "%s, %u nodes: no result to fit K to; give --k",
                  source->header.labeller, source->header.nodes);
        return false;
    }
    return true;
}

static bool sources_read(Expansion *x, Error *err)
{
    x->sources = calloc(EXPAND_SOURCES_MAX, sizeof *x->sources);
    if (!x->sources) {
        error_set(err, ERR_MEMORY, "no memory for the sources");
        return false;
    }
    GameVisit *count = x->options->k > 0 ? count_positions : label_and_count;
    return visit_shards(x, GAMES_ALL, count, err) && scales_set(x, err) &&
           key_set_init(&x->keys, x->positions_max, err);
}

static void sources_print(const Expansion *x, FILE *report)
{
    for (int i = 0; i < x->source_count; i++) {
        const Source *source = &x->sources[i];
        fprintf(report, "%s games, %s %s, %u nodes, K used %.1f\n", source->header.kind,
                source->header.labeller, source->header.network, source->header.nodes, source->k);
        data_figures_print(&source->figures, report);
    }
}

static void totals_print(const Expansion *x, FILE *report)
{
    uint64_t seen = x->written + x->doubles;
    fprintf(report,
            "records %llu, %llu of them for validation; unique %.1f %%; of at most %d men %llu, "
            "%llu more left out; beyond %d centipawns %llu left out\n",
            (unsigned long long)x->written, (unsigned long long)x->validation,
            seen ? 100 * (double)x->written / (double)seen : 0, EXPAND_FEW_MEN,
            (unsigned long long)x->few_men, (unsigned long long)x->surplus, x->options->score_max,
            (unsigned long long)x->one_sided);
}

static bool hash_print(const char *path, FILE *report, Error *err)
{
    MappedFile file;
    uint8_t hash[OUTPUT_HASH_SIZE];
    if (!mapped_file_init(&file, path, err))
        return false;
    bool ok = output_hash(hash, file.bytes, file.size, err);
    mapped_file_release(&file);
    if (!ok)
        return false;
    output_hash_print(report, hash);
    const char *slash = strrchr(path, '/');
    fprintf(report, "  %s\n", slash ? slash + 1 : path);
    return true;
}

static bool hashes_print(const ExpandOptions *options, FILE *report, Error *err)
{
    for (int i = 0; i < options->path_count; i++) {
        if (!hash_print(options->paths[i], report, err))
            return false;
    }
    return true;
}

static bool records_write(Expansion *x, Error *err)
{
    if (!visit_shards(x, GAMES_TRAINING, write_game, err))
        return false;
    uint64_t training = x->written;
    if (!visit_shards(x, GAMES_VALIDATION, write_game, err))
        return false;
    x->validation = x->written - training;
    return true;
}

static void expansion_free(Expansion *x)
{
    if (!x)
        return;
    free(x->sources);
    free(x->keys.slots);
    pages_free(x->own, sizeof *x->own);
    teacher_free(x->teacher);
    searched_positions_free(x->searched);
    free(x);
}

static Expansion *expansion_new(const ExpandOptions *options, Error *err)
{
    Expansion *x = calloc(1, sizeof *x);
    if (x)
        x->options = options;
    else
        error_set(err, ERR_MEMORY, "no memory for a game");
    return x;
}

static bool system_failed(const char *path, Error *err)
{
    error_set(err, ERR_IO, "%s: %s", path, strerror(errno));
    return false;
}

static bool file_write(Expansion *x, Error *err)
{
    char part[PATH_SIZE];
    const char *out = x->options->out;
    int len = snprintf(part, sizeof part, "%s.part", out);
    if (len < 0 || len >= PATH_SIZE) {
        error_set(err, ERR_RANGE, "%s: longer than %d bytes", out, PATH_SIZE);
        return false;
    }
    x->out = fopen(part, "wb");
    if (!x->out)
        return system_failed(part, err);
    bool ok = records_write(x, err);
    if (fclose(x->out) != 0 && ok)
        ok = system_failed(part, err);
    if (ok && rename(part, out) != 0)
        ok = system_failed(out, err);
    if (!ok)
        remove(part);
    return ok;
}

static bool own_evaluation_new(Expansion *x, Error *err)
{
    x->own = pages_new(sizeof *x->own);
    if (!x->own) {
        error_set(err, ERR_MEMORY, "no memory to evaluate");
        return false;
    }
    x->built_in[RULES_STANDARD] = network_embedded();
    x->networks.of[RULES_STANDARD] = &x->built_in[RULES_STANDARD];
    for (Ruleset r = RULES_STANDARD + 1; r < RULESET_COUNT; r++)
        if (network_embedded_of(&x->built_in[r], r))
            x->networks.of[r] = &x->built_in[r];
    return true;
}

static bool judge_new(Expansion *x, Error *err)
{
    const ExpandOptions *options = x->options;
    if (options->form != LABEL_STATIC)
        return true;
    if (options->searched && !searched_positions_new(&x->searched, err))
        return false;
    if (!options->teacher)
        return own_evaluation_new(x, err);
    return teacher_new(&x->teacher, options->teacher, options->network, err);
}

static bool labels_print(const Expansion *x, FILE *report, Error *err)
{
    static const char *const names[] = {
        [LABEL_RAW] = "raw", [LABEL_SMOOTH] = "smooth", [LABEL_STATIC] = "static evaluation"
    };
    const ExpandOptions *options = x->options;
    fprintf(report,
            "labels: %s%s; beside each position %d of a search, %d sidelines; %d "
            "perturbed of each\n",
            names[options->form],
            options->form != LABEL_STATIC ? ""
            : options->teacher            ? ", a teacher's"
                                          : ", castled's",
            options->searched, options->sidelines, options->perturbed);
    return !options->teacher ||
           (hash_print(options->teacher, report, err) && hash_print(options->network, report, err));
}

bool expand(const ExpandOptions *options, FILE *report, Error *err)
{
    Expansion *x = expansion_new(options, err);
    bool ok = x && judge_new(x, err) && sources_read(x, err) && file_write(x, err);
    if (ok) {
        ok = labels_print(x, report, err);
        sources_print(x, report);
        totals_print(x, report);
        ok = ok && hashes_print(options, report, err) && hash_print(options->out, report, err);
    }
    expansion_free(x);
    return ok;
}
