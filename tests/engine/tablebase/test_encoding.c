/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/tablebase/encoding.h"

#include "engine/core/fen.h"
#include "tests/support/unit.h"

#include <inttypes.h>

/* Cuts a line at its tabs into exactly `count` fields. */
static bool split_line(char *line, char **fields, int count)
{
    line[strcspn(line, "\n")] = '\0';
    for (int i = 0; i < count; i++) {
        fields[i] = line;
        char *tab = strchr(line, '\t');
        if (!tab)
            return i == count - 1;
        *tab = '\0';
        line = tab + 1;
    }
    return false;
}

static Piece piece_of_letter(char letter)
{
    for (Piece piece = 0; piece < PIECE_SLOTS; piece++)
        if (piece_letter(piece) == letter)
            return piece;
    return PIECE_NONE;
}

static void check_vector(const EncodingLookup *tables, char **field)
{
    MaterialKey key = 0;
    Piece pieces[SYZYGY_PIECES_MAX] = { 0 };
    Encoding encoding;
    Position pos;
    Error err = { 0 };
    if (!material_parse(&key, field[0], strlen(field[0])))
        fail_msg("%s: no table's name", field[0]);
    for (int i = 0; field[1][i]; i++)
        pieces[i] = piece_of_letter(field[1][i]);
    int order = (int)strtol(field[2], NULL, 10);
    int pawn_order = field[3][0] == '-' ? ENCODING_ORDER_NONE : (int)strtol(field[3], NULL, 10);
    int file = (int)strtol(field[4], NULL, 10);
    bool swap = field[5][0] == '1';
    if (!encoding_init(&encoding, tables, key, pieces, order, pawn_order, file))
        fail_msg("%s as %s: no encoding", field[0], field[1]);
    if (!fen_read(&pos, field[6], FEN_LENIENT, NULL, &err))
        fail_msg("%s: %s", field[6], err.text);
    bool has_pawns = strchr(field[0], 'P') != NULL;
    if (has_pawns && encoding_file(tables, key, &pos, swap) != file)
        fail_msg("%s: not in the part of file %d", field[6], file);
    uint64_t size = strtoull(field[7], NULL, 10);
    uint64_t index = strtoull(field[8], NULL, 10);
    uint64_t ours = encoding_index(&encoding, tables, &pos, swap);
    if (encoding.size != size || ours != index)
        fail_msg("%s in %s: %" PRIu64 " of %" PRIu64 ", not %" PRIu64 " of %" PRIu64, field[6],
                 field[1], ours, encoding.size, index, size);
}

static int lend_tables(void **state)
{
    static EncodingLookup tables;
    encoding_lookup_init(&tables);
    *state = &tables;
    return 0;
}

TEST_IN(positions_of_5_to_7_men_have_the_index_of_another_program, lend_tables, NULL)
{
    const EncodingLookup *tables = *state;
    FILE *file = fopen(TEST_DATA_DIR "/syzygy_index.tsv", "r");
    assert_non_null(file);
    char line[256];
    int lines = 0;
    while (fgets(line, sizeof line, file)) {
        char *fields[9];
        if (line[0] == '#')
            continue;
        assert_true(split_line(line, fields, 9));
        check_vector(tables, fields);
        lines++;
    }
    fclose(file);
    assert_true(lines >= 600);
}

TEST(names_of_tables_are_taken_and_others_are_not)
{
    static const struct {
        const char *name;
        int piece_count; /* 0: no table's name */
    } rows[] = {
        { "KQvK", 3 },  { "KRPvKR", 5 },  { "KQRBNvKP", 7 }, { "KQQQQQvK", 7 },  { "KPPPPPvK", 7 },
        { "KBvKN", 4 }, { "KQPvKRB", 6 }, { "KNvKN", 4 },    { "KBBBvKQQ", 7 },  { "", 0 },
        { "v", 0 },     { "KvK", 0 },     { "KvKQ", 0 },     { "KNvKB", 0 },     { "KRvKQ", 0 },
        { "KPQvK", 0 }, { "KQvKRR", 0 },  { "QvK", 0 },      { "KKvK", 0 },      { "KQvKv", 0 },
        { "KQvQ", 0 },  { "KQ", 0 },      { "kqvk", 0 },     { "KQQQQQvKP", 0 }, { "KQQQQQQvK", 0 },
        { "KQ vK", 0 }, { "KXvK", 0 },    { "KQvK.", 0 },    { "KRBvKQP", 0 },   { "KQvKQvK", 0 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        MaterialKey key = 0;
        bool ok = material_parse(&key, rows[i].name, strlen(rows[i].name));
        if (ok != (rows[i].piece_count > 0) || (ok && material_pieces(key) != rows[i].piece_count))
            fail_msg("\"%s\": %s, %d pieces", rows[i].name, ok ? "taken" : "refused",
                     material_pieces(key));
    }
}

TEST_IN(lists_of_men_that_are_not_the_materials_are_refused, lend_tables, NULL)
{
    const EncodingLookup *tables = *state;
    static const struct {
        const char *name, *pieces;
        int order, pawn_order;
        bool ok;
    } rows[] = {
        { "KRPvKR", "PKRkr", 0, 15, true },  { "KRPvKR", "PKRkr", 5, 15, false },
        { "KRPvKR", "PKRkr", 4, 15, true },  { "KRPvKR", "PKRkr", 0, 0, false },
        { "KRPvKR", "KPRkr", 0, 15, false }, { "KRPvKR", "pKRkr", 0, 15, false },
        { "KRPvKR", "PKRkk", 0, 15, false }, { "KRPvKR", "PKKRr", 0, 15, false },
        { "KRPvKR", "PKRk.", 0, 15, false }, { "KPPvKP", "pPPKk", 0, 1, true },
        { "KPPvKP", "pPKPk", 0, 1, false },  { "KPPvKP", "PPpKk", 0, 1, false },
        { "KPPvKP", "pKPPk", 0, 1, false },  { "KPPvKP", "pPPKk", 0, 15, false },
        { "KPPvKP", "pPPKk", 2, 2, false },  { "KRRvKB", "KkbRR", 1, 15, true },
        { "KRRvKB", "KkRRb", 0, 15, false }, { "KRRvKB", "KkbRR", 2, 15, false },
        { "KNNvK", "KkNN", 0, 15, true },    { "KNNvK", "NNKk", 0, 15, false },
        { "KNNvK", "KNkN", 0, 15, false },   { "KNNNvK", "kKNNN", 1, 15, true },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        MaterialKey key = 0;
        Piece pieces[SYZYGY_PIECES_MAX] = { 0 };
        Encoding encoding;
        assert_true(material_parse(&key, rows[i].name, strlen(rows[i].name)));
        for (int j = 0; rows[i].pieces[j]; j++)
            pieces[j] = piece_of_letter(rows[i].pieces[j]);
        bool ok =
            encoding_init(&encoding, tables, key, pieces, rows[i].order, rows[i].pawn_order, 0);
        if (ok != rows[i].ok)
            fail_msg("%s as %s, %d %d: %s", rows[i].name, rows[i].pieces, rows[i].order,
                     rows[i].pawn_order, ok ? "taken" : "refused");
    }
}
