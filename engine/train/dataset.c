/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/train/dataset.h"

#include "engine/base/mapped_file.h"
#include "engine/eval/features.h"

#include <stdlib.h>
#include <string.h>

static const Piece piece_of_code[16] = {
    0, 1, 2, 3, 4, 5, 8, 9, 10, 11, 12, 13, PIECE_NONE, PIECE_NONE, PIECE_NONE, PIECE_NONE,
};

/* What dataset_add_sample() relies on. */
bool dataset_takes(const PackedPosition *packed)
{
    int men = bitboard_count(packed->occupied), kings[COLOUR_COUNT] = { 0 };
    if (men > NETWORK_ACTIVE_MAX || packed->result > PACKED_WHITE_WON)
        return false;
    for (int i = 0; i < men; i++) {
        Piece piece = piece_of_code[packed_position_code(packed, i)];
        if (piece == PIECE_NONE)
            return false;
        kings[piece_colour(piece)] += piece_type(piece) == KING;
    }
    return kings[WHITE] == 1 && kings[BLACK] == 1;
}

/* How many of the last of these records are for validation: whole games. */
static size_t validation_tail(const PackedPosition *records, size_t count, size_t wanted)
{
    size_t at = count - (wanted < count ? wanted : count);
    while (at < count && !(records[at].flags & PACKED_FIRST_OF_GAME))
        at++;
    return count - at;
}

static bool check_records(const PackedPosition *records, size_t count, Error *err)
{
    for (size_t i = 0; i < count; i++) {
        if (!dataset_takes(&records[i])) {
            error_set(err, ERR_INVALID, "record %zu: no position with two kings and a result", i);
            return false;
        }
    }
    return true;
}

/* Splits one file's records onto the ends of both arrays, which have room. `all` files together
 * have so many records. */
static bool add_file(Dataset *data, const MappedFile *file, size_t all, Error *err)
{
    size_t count = file->size / sizeof(PackedPosition);
    PackedPosition *records = data->training + data->training_count;
    if (file->size % sizeof(PackedPosition)) {
        error_set(err, ERR_INVALID, "%zu bytes: not a multiple of %zu", file->size,
                  sizeof(PackedPosition));
        return false;
    }
    memcpy(records, file->bytes, file->size);
    if (!check_records(records, count, err))
        return false;
    size_t limit = (size_t)((double)DATASET_VALIDATION_MAX * (double)count / (double)all);
    size_t share = count / DATASET_VALIDATION_SHARE;
    size_t tail = validation_tail(records, count, share < limit ? share : limit);
    memcpy(data->validation + data->validation_count, records + count - tail,
           tail * sizeof *records);
    data->validation_count += (uint32_t)tail;
    data->training_count += (uint32_t)(count - tail);
    return true;
}

static bool add_files(Dataset *data, const MappedFile *files, const char *const *paths, int count,
                      Error *err)
{
    size_t all = 0;
    for (int i = 0; i < count; i++)
        all += files[i].size / sizeof(PackedPosition);
    if (all > UINT32_MAX) {
        error_set(err, ERR_RANGE, "%zu positions: more than %u", all, UINT32_MAX);
        return false;
    }
    data->training = malloc((all + 1) * sizeof *data->training);
    data->validation = malloc((DATASET_VALIDATION_MAX + 1) * sizeof *data->validation);
    if (!data->training || !data->validation) {
        error_set(err, ERR_MEMORY, "no memory for %zu positions", all);
        return false;
    }
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

bool dataset_init(Dataset *data, const char *const *paths, int count, Error *err)
{
    Dataset loaded = { 0 };
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
    *data = (Dataset){ 0 };
}

void dataset_add_sample(ModelSamples *samples, const PackedPosition *packed, int buckets)
{
    int men = bitboard_count(packed->occupied), sample = samples->count++;
    Colour us = packed->flags & PACKED_BLACK_TO_MOVE ? BLACK : WHITE;
    Piece pieces[NETWORK_ACTIVE_MAX];
    Square squares[NETWORK_ACTIVE_MAX], king[COLOUR_COUNT] = { 0 };
    Bitboard left = packed->occupied;
    assert(men <= NETWORK_ACTIVE_MAX && sample < MODEL_SAMPLES_MAX);
    for (int i = 0; i < men; i++) {
        pieces[i] = piece_of_code[packed_position_code(packed, i)];
        squares[i] = bitboard_pop(&left);
        if (piece_type(pieces[i]) == KING)
            king[piece_colour(pieces[i])] = squares[i];
    }
    samples->pieces[sample] = (uint8_t)men;
    samples->bucket[sample] = (uint8_t)network_bucket(buckets, men);
    for (int view = 0; view < 2; view++) {
        Colour colour = us ^ (Colour)view;
        FeatureView seen = features_view(colour, king[colour]);
        for (int i = 0; i < men; i++)
            samples->inputs[sample][view][i] =
                (uint16_t)features_index(colour, seen, pieces[i], squares[i]);
    }
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
