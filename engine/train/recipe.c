/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/train/recipe.h"

#include "engine/base/mapped_file.h"
#include "engine/base/text.h"
#include "engine/train/output.h"

enum { NOTES_SIZE = 1 << 20 };

static bool write_records(FILE *out, const char *path, size_t record_size, Error *err)
{
    MappedFile file;
    if (!mapped_file_init(&file, path, err))
        return false;
    fprintf(out, "records: %s, %zu positions", path, file.size / record_size);
    bool ok = output_hash_line(out, &file, err);
    mapped_file_release(&file);
    return ok;
}

static void write_note_lines(FILE *out, Text lines)
{
    while (lines.len > 0) {
        const char *end = memchr(lines.at, '\n', lines.len);
        size_t len = end ? (size_t)(end - lines.at) : lines.len, taken = len + (end != NULL);
        if (len > 0)
            fprintf(out, "note: %.*s\n", (int)len, lines.at);
        lines = (Text){ lines.at + taken, lines.len - taken };
    }
}

static bool is_text(const uint8_t *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        if ((bytes[i] < ' ' && bytes[i] != '\n') || bytes[i] == 127)
            return false;
    }
    return true;
}

static bool write_notes_of(FILE *out, const char *path, Error *err)
{
    MappedFile file;
    if (!mapped_file_init(&file, path, err))
        return false;
    bool ok = file.size <= NOTES_SIZE && is_text(file.bytes, file.size);
    if (ok)
        write_note_lines(out, (Text){ (const char *)file.bytes, file.size });
    else
        error_set(err, ERR_INVALID, "%s: no text of at most %d bytes", path, NOTES_SIZE);
    mapped_file_release(&file);
    return ok;
}

static bool write_notes(FILE *out, const Recipe *recipe, Error *err)
{
    for (int i = 0; i < recipe->note_count; i++) {
        if (!recipe->notes[i].is_file)
            fprintf(out, "note: %s\n", recipe->notes[i].text);
        else if (!write_notes_of(out, recipe->notes[i].text, err))
            return false;
    }
    return true;
}

/* The vectors that model.c was compiled for: sums are the same only with the same. */
static const char *vectors(void)
{
#if defined(__AVX512F__)
    return "AVX-512";
#elif defined(__AVX__)
    return "AVX";
#else
    return "128 bits";
#endif
}

bool recipe_write(FILE *out, const Recipe *recipe, const Dataset *data, Error *err)
{
    const TrainerSettings *s = &recipe->settings;
    Ruleset ruleset = s->shape.ruleset;
    if (ruleset != RULES_STANDARD)
        fprintf(out, "rules: %s\n", variant_rules_table[ruleset].uci_name);
    fprintf(out, "shape: %dhmx%d-(%d%s)x2-%d-%d-1x%d\n",
            network_inputs(s->shape) / s->shape.king_buckets, s->shape.king_buckets, s->shape.width,
            s->shape.activation == NETWORK_PRODUCTS ? "p" : "", NETWORK_L1, NETWORK_L2,
            s->shape.buckets);
    if (!write_notes(out, recipe, err))
        return false;
    for (int i = 0; i < recipe->record_count; i++) {
        if (!write_records(out, recipe->records[i], dataset_record_size(ruleset), err))
            return false;
    }
    if ((recipe->from && !output_name_file(out, "from", recipe->from, err)) ||
        (recipe->begin && !output_name_file(out, "begin", recipe->begin, err)))
        return false;
    fprintf(out, "positions: %u for training, %u for validation, by whole games\n",
            data->training_count, data->validation_count);
    fprintf(out,
            "passes: %d\nbatch: %d\nlambda: %.2f\nrate: %g, AdamW, decay 0.01, clip 1.98\n"
            "trainer: castled %s\nseed: %llu\nvectors: %s\n",
            s->passes, s->batch, (double)s->lambda, (double)s->rate, CASTLED_VERSION,
            (unsigned long long)s->seed, vectors());
    return true;
}
