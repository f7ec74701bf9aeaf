/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/train/dataset.h"

#include "engine/base/mapped_file.h"
#include "engine/eval/variant_features.h"

#include <stdlib.h>
#include <string.h>

static const Piece piece_of_code[16] = {
    0, 1, 2, 3, 4, 5, 8, 9, 10, 11, 12, 13, PIECE_NONE, PIECE_NONE, PIECE_NONE, PIECE_NONE,
};

/* Men of the record by colour and kind. */
typedef struct {
    int all;
    int of[COLOUR_COUNT][PIECE_TYPE_COUNT];
    Piece pieces[PACKED_VARIANT_MEN_MAX]; /* from the lowest square on */
    Square squares[PACKED_VARIANT_MEN_MAX];
} Men;

/* False when a code is no piece, or there are too many. `variant` may be NULL. */
static bool men_read(Men *men, const PackedPosition *packed, const PackedVariant *variant)
{
    Bitboard left = packed->occupied;
    *men = (Men){ .all = bitboard_count(left) };
    if (men->all > (variant ? PACKED_VARIANT_MEN_MAX : PACKED_MEN_MAX))
        return false;
    for (int i = 0; i < men->all; i++) {
        Piece piece = piece_of_code[packed_code(packed, variant, i)];
        if (piece == PIECE_NONE)
            return false;
        men->pieces[i] = piece;
        men->squares[i] = bitboard_pop(&left);
        men->of[piece_colour(piece)][piece_type(piece)]++;
    }
    return true;
}

bool dataset_takes(const PackedPosition *packed)
{
    Men men;
    return packed->result <= PACKED_WHITE_WON && men_read(&men, packed, NULL) &&
           men.of[WHITE][KING] == 1 && men.of[BLACK][KING] == 1;
}

bool dataset_takes_variant(const PackedPosition *packed, const PackedVariant *variant)
{
    Men men;
    if (packed->result > PACKED_WHITE_WON || variant->ruleset <= RULES_STANDARD ||
        variant->ruleset >= RULESET_COUNT || !men_read(&men, packed, variant))
        return false;
    for (Colour colour = WHITE; colour <= BLACK; colour++)
        if (variant_rules_table[variant->ruleset].is_royal[colour] && men.of[colour][KING] != 1)
            return false;
    return true;
}

/* How many of the last of these records are for validation: whole games. */
static size_t validation_tail(const PackedPosition *records, size_t count, size_t wanted)
{
    size_t at = count - (wanted < count ? wanted : count);
    while (at < count && !(records[at].flags & PACKED_FIRST_OF_GAME))
        at++;
    return count - at;
}

size_t dataset_record_size(Ruleset ruleset)
{
    return sizeof(PackedPosition) + (ruleset == RULES_STANDARD ? 0 : sizeof(PackedVariant));
}

/* Copies the file's records to the end of the arrays for training. */
static bool take_records(Dataset *data, const MappedFile *file, size_t count, Error *err)
{
    size_t size = dataset_record_size(data->ruleset), at = data->training_count;
    for (size_t i = 0; i < count; i++) {
        PackedPosition *packed = &data->training[at + i];
        const uint8_t *bytes = file->bytes + i * size;
        memcpy(packed, bytes, sizeof *packed);
        bool ok;
        if (data->ruleset == RULES_STANDARD) {
            ok = dataset_takes(packed);
        } else {
            PackedVariant *variant = &data->training_variants[at + i];
            memcpy(variant, bytes + sizeof *packed, sizeof *variant);
            ok = variant->ruleset == data->ruleset && dataset_takes_variant(packed, variant);
        }
        if (!ok) {
            error_set(err, ERR_INVALID, "record %zu: no position of %s with its kings and a result",
                      i, variant_rules_table[data->ruleset].uci_name);
            return false;
        }
    }
    return true;
}

/* Splits one file's records onto the ends of both arrays, which have room. `all` files together
 * have so many records. */
static bool add_file(Dataset *data, const MappedFile *file, size_t all, Error *err)
{
    size_t size = dataset_record_size(data->ruleset), count = file->size / size;
    if (file->size % size) {
        error_set(err, ERR_INVALID, "%zu bytes: not a multiple of %zu", file->size, size);
        return false;
    }
    if (!take_records(data, file, count, err))
        return false;
    const PackedPosition *records = data->training + data->training_count;
    size_t limit = (size_t)((double)DATASET_VALIDATION_MAX * (double)count / (double)all);
    size_t share = count / DATASET_VALIDATION_SHARE;
    size_t tail = validation_tail(records, count, share < limit ? share : limit);
    size_t from = data->training_count + count - tail;
    memcpy(data->validation + data->validation_count, data->training + from,
           tail * sizeof *records);
    if (data->training_variants)
        memcpy(data->validation_variants + data->validation_count, data->training_variants + from,
               tail * sizeof *data->training_variants);
    data->validation_count += (uint32_t)tail;
    data->training_count += (uint32_t)(count - tail);
    return true;
}

static bool arrays_new(Dataset *data, size_t all, Error *err)
{
    size_t judging = DATASET_VALIDATION_MAX + 1;
    bool ok = (data->training = malloc((all + 1) * sizeof *data->training)) &&
              (data->validation = malloc(judging * sizeof *data->validation));
    if (ok && data->ruleset != RULES_STANDARD)
        ok = (data->training_variants = malloc((all + 1) * sizeof *data->training_variants)) &&
             (data->validation_variants = malloc(judging * sizeof *data->validation_variants));
    if (!ok)
        error_set(err, ERR_MEMORY, "no memory for %zu positions", all);
    return ok;
}

static bool add_files(Dataset *data, const MappedFile *files, const char *const *paths, int count,
                      Error *err)
{
    size_t all = 0;
    for (int i = 0; i < count; i++)
        all += files[i].size / dataset_record_size(data->ruleset);
    if (all > UINT32_MAX) {
        error_set(err, ERR_RANGE, "%zu positions: more than %u", all, UINT32_MAX);
        return false;
    }
    if (!arrays_new(data, all, err))
        return false;
    for (int i = 0; i < count; i++) {
        if (!add_file(data, &files[i], all, err)) {
            error_prefix(err, "%s", paths[i]);
            return false;
        }
    }
    if (data->training_count && data->validation_count)
        return true;
    error_set(err, ERR_INVALID, "%zu positions: too few to train and to validate by whole games",
              all);
    return false;
}

bool dataset_init(Dataset *data, Ruleset ruleset, const char *const *paths, int count, Error *err)
{
    Dataset loaded = { .ruleset = ruleset };
    MappedFile *files = calloc((size_t)count, sizeof *files);
    bool ok = files != NULL;
    if (!ok)
        error_set(err, ERR_MEMORY, "no memory for %d files", count);
    for (int i = 0; ok && i < count; i++)
        ok = mapped_file_init(&files[i], paths[i], err);
    ok = ok && add_files(&loaded, files, paths, count, err);
    for (int i = 0; files && i < count; i++)
        mapped_file_release(&files[i]);
    free(files);
    if (ok)
        *data = loaded;
    else
        dataset_release(&loaded);
    return ok;
}

void dataset_release(Dataset *data)
{
    free(data->training);
    free(data->validation);
    free(data->training_variants);
    free(data->validation_variants);
    *data = (Dataset){ 0 };
}

static Colour side_to_move(const PackedPosition *packed)
{
    return packed->flags & PACKED_BLACK_TO_MOVE ? BLACK : WHITE;
}

static Square king_of(const Men *men, Colour side)
{
    for (int i = 0; i < men->all; i++)
        if (men->pieces[i] == piece_make(side, KING))
            return men->squares[i];
    return 0;
}

static void add_men(uint16_t *inputs, const Men *men, Colour side, FeatureView view)
{
    for (int i = 0; i < men->all; i++)
        inputs[i] = (uint16_t)features_index(side, view, men->pieces[i], men->squares[i]);
}

void dataset_add_sample(ModelSamples *samples, const PackedPosition *packed, ModelShape shape)
{
    Men men;
    int sample = samples->count++;
    bool ok = men_read(&men, packed, NULL);
    assert(ok && sample < MODEL_SAMPLES_MAX);
    (void)ok;
    samples->active[sample] = (uint8_t)men.all;
    samples->bucket[sample] = (uint8_t)network_bucket(shape.buckets, men.all);
    for (int view = 0; view < 2; view++) {
        Colour colour = side_to_move(packed) ^ (Colour)view;
        add_men(samples->inputs[sample][view], &men, colour,
                features_view(shape.king_buckets, colour, king_of(&men, colour)));
    }
}

/* Adds the inputs of hands and checks behind `count` others; returns how many there are then. */
static int add_counters(uint16_t *inputs, int count, const PackedVariant *variant, Colour side)
{
    const VariantFeatures *features = &variant_features_table[variant->ruleset];
    VariantState state = { 0 };
    memcpy(state.pocket, variant->pocket, sizeof state.pocket);
    memcpy(state.checks_given, variant->checks_given, sizeof state.checks_given);
    for (Colour owner = WHITE; owner <= BLACK; owner++) {
        const uint8_t *counters = variant_features_counters(&state, variant->ruleset, owner);
        for (int i = 0; i < features->counters; i++)
            for (int step = 1; step <= counters[i] && step <= features->steps[i]; step++)
                inputs[count++] = (uint16_t)variant_features_counter_index(variant->ruleset, side,
                                                                           owner, i, step);
    }
    return count;
}

void dataset_add_variant_sample(ModelSamples *samples, const PackedPosition *packed,
                                const PackedVariant *variant, ModelShape shape)
{
    Men men;
    int sample = samples->count++;
    bool ok = men_read(&men, packed, variant);
    assert(ok && sample < MODEL_SAMPLES_MAX);
    (void)ok;
    samples->bucket[sample] =
        (uint8_t)network_variant_bucket(variant->ruleset, shape.buckets, men.all);
    for (int view = 0; view < 2; view++) {
        Colour colour = side_to_move(packed) ^ (Colour)view;
        uint16_t *inputs = samples->inputs[sample][view];
        add_men(inputs, &men, colour,
                variant_features_view_of(variant->ruleset, colour, king_of(&men, colour)));
        samples->active[sample] = (uint8_t)add_counters(inputs, men.all, variant, colour);
    }
}

void dataset_add_training(ModelSamples *samples, const Dataset *data, uint32_t index,
                          ModelShape shape)
{
    if (data->training_variants)
        dataset_add_variant_sample(samples, &data->training[index], &data->training_variants[index],
                                   shape);
    else
        dataset_add_sample(samples, &data->training[index], shape);
}

void dataset_add_validation(ModelSamples *samples, const Dataset *data, uint32_t index,
                            ModelShape shape)
{
    if (data->validation_variants)
        dataset_add_variant_sample(samples, &data->validation[index],
                                   &data->validation_variants[index], shape);
    else
        dataset_add_sample(samples, &data->validation[index], shape);
}

bool dataset_validation_read(Position *pos, const Dataset *data, uint32_t index)
{
    return data->validation_variants ? packed_variant_read(pos, &data->validation[index],
                                                           &data->validation_variants[index], NULL)
                                     : packed_position_read(pos, &data->validation[index], NULL);
}

float dataset_score(const PackedPosition *packed)
{
    float score = (float)packed->score / PACKED_SCORE_LOGIT;
    return packed->flags & PACKED_BLACK_TO_MOVE ? -score : score;
}

float dataset_result(const PackedPosition *packed)
{
    float result = (float)packed->result / 2;
    return packed->flags & PACKED_BLACK_TO_MOVE ? 1 - result : result;
}
