/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Syzygy files: whatever their bytes, looking positions up in them reads nothing outside. The first
 * byte of the input says whose material and which kind the rest is taken for. */
#include "engine/core/fen.h"
#include "engine/tablebase/syzygy_table.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MATERIALS = 5, POSITIONS = 6 };

static const struct {
    const char *name;
    const char *positions[POSITIONS]; /* White's pieces are the name's first */
} materials[MATERIALS] = {
    { "KRvK",
      { "8/8/8/3k4/8/8/4R3/K7 w - -", "8/8/8/3k4/8/8/4R3/K7 b - -", "7R/8/8/8/8/2k5/8/K7 b - -",
        "8/8/5R2/8/1k6/8/8/K7 w - -", "8/8/8/8/7K/8/1R6/k7 b - -", "R7/6k1/8/8/8/8/8/7K w - -" } },
    { "KQvK",
      { "8/8/8/3k4/8/8/4Q3/K7 w - -", "8/8/8/3k4/8/8/4Q3/K7 b - -", "7Q/8/8/8/8/1k6/8/K7 b - -",
        "8/8/5Q2/8/1k6/8/8/K7 w - -", "8/8/8/8/7K/8/1Q6/k7 b - -", "Q7/6k1/8/8/8/8/8/7K w - -" } },
    { "KPvK",
      { "8/8/8/3k4/8/8/4P3/K7 w - -", "8/8/8/3k4/8/8/P7/K7 b - -", "8/7P/8/8/8/2k5/8/K7 b - -",
        "8/8/5P2/8/1k6/8/8/K7 w - -", "8/8/2P5/8/7K/8/8/k7 b - -", "8/P5k1/8/8/8/8/8/7K w - -" } },
    { "KPvKP",
      { "8/8/8/3k4/7p/8/4P3/K7 w - -", "8/8/p7/3k4/8/8/P7/K7 b - -", "8/7P/8/6p1/8/2k5/8/K7 b - -",
        "8/8/5P2/5p2/1k6/8/8/K7 w - -", "8/8/2P5/8/3p3K/8/8/k7 b - -",
        "8/P5k1/8/8/8/4p3/8/7K w - -" } },
    { "KNNNvK",
      { "8/8/8/3k4/8/8/2N1N1N1/K7 w - -", "8/8/8/3k4/8/8/1N1NN3/K7 b - -",
        "7N/8/8/NN6/8/2k5/8/K7 b - -", "8/8/5N2/4N3/8/1k6/6N1/K7 w - -",
        "8/8/8/8/7K/1N6/N5N1/k7 b - -", "N6N/6k1/8/8/8/8/7N/7K w - -" } },
};

static void look_up(const SyzygyTable *table, const Position *pos, SyzygyKind kind)
{
    int value = 0;
    if (kind == SYZYGY_WDL) {
        if (syzygy_table_wdl(table, pos, false, &value) == SYZYGY_FOUND &&
            (value < -2 || value > 2))
            abort();
        return;
    }
    for (int wdl = -2; wdl <= 2; wdl++)
        if (wdl != 0 && syzygy_table_dtz(table, pos, false, wdl, &value) == SYZYGY_FOUND &&
            value < 1)
            abort();
}

/* Made once: it would cost more than all the rest. */
static EncodingLookup encodings;
static Position positions[MATERIALS][POSITIONS];

static void prepare(void)
{
    encoding_lookup_init(&encodings);
    for (int i = 0; i < MATERIALS; i++)
        for (int j = 0; j < POSITIONS; j++)
            if (!fen_read(&positions[i][j], materials[i].positions[j], FEN_LENIENT, NULL, NULL))
                abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static bool is_prepared;
    if (!is_prepared)
        prepare();
    is_prepared = true;
    if (size < 1 + 16 + 64)
        return 0;
    size_t material = (data[0] >> 1) % MATERIALS;
    SyzygyKind kind = data[0] & 1 ? SYZYGY_DTZ : SYZYGY_WDL;
    /* Other sizes are refused at once. */
    size_t used = (size - 1 - 16) / 64 * 64 + 16;
    uint8_t *bytes = malloc(used);
    SyzygyTable *table = NULL;
    MaterialKey key = 0;
    if (!bytes)
        abort();
    memcpy(bytes, data + 1, used);
    if (!material_parse(&key, materials[material].name, strlen(materials[material].name)))
        abort();
    if (syzygy_table_view(&table, bytes, used, key, kind, &encodings, NULL)) {
        for (int i = 0; i < POSITIONS; i++)
            look_up(table, &positions[material][i], kind);
        syzygy_table_free(table);
    }
    free(bytes);
    return 0;
}
