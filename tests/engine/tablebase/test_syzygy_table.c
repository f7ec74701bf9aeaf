/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/base/random.h"
#include "engine/tablebase/syzygy_table.h"

#include "engine/core/fen.h"
#include "tests/support/games.h"
#include "tests/support/syzygy_maker.h"
#include "tests/support/unit.h"

enum { POSITIONS = 500 };

typedef struct {
    EncodingLookup encodings;
    MaterialKey key; /* KRvK */
    Position positions[POSITIONS];
} Fixture;

/* Legal positions of White's king and rook against a king, either side to move. */
static void make_positions(Fixture *f)
{
    uint64_t seed = 1;
    for (int made = 0; made < POSITIONS;) {
        char board[SQUARE_COUNT + 1];
        char fen[FEN_SIZE];
        memset(board, '1', SQUARE_COUNT);
        uint64_t r = random_next(&seed);
        board[r & 63] = 'K';
        board[r >> 6 & 63] = 'R';
        board[r >> 12 & 63] = 'k';
        size_t at = 0;
        for (int rank = 0; rank < 8; rank++) {
            memcpy(fen + at, board + (size_t)rank * 8, 8);
            at += 8;
            fen[at++] = rank < 7 ? '/' : ' ';
        }
        fen[at++] = r >> 18 & 1 ? 'w' : 'b';
        memcpy(fen + at, " - - 0 1", sizeof " - - 0 1");
        Position *pos = &f->positions[made];
        if (fen_read(pos, fen, FEN_LENIENT, NULL, NULL) && bitboard_count(pos->occupied) == 3)
            made++;
    }
}

static int set_up(void **state)
{
    Fixture *f = malloc(sizeof *f);
    assert_non_null(f);
    encoding_lookup_init(&f->encodings);
    assert_true(material_parse(&f->key, "KRvK", 4));
    make_positions(f);
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    free(*state);
    return 0;
}

TEST(every_position_gets_the_value_at_its_index)
{
    const Fixture *f = *state;
    const Piece pieces[] = { piece_make(WHITE, KING), piece_make(WHITE, ROOK),
                             piece_make(BLACK, KING) };
    static uint8_t bytes[MAKER_BITS_SIZE];
    Encoding encoding;
    SyzygyTable *table = NULL;
    Error err = { 0 };
    maker_bits_wdl(bytes, MAKER_ROOK);
    if (!syzygy_table_view(&table, bytes, sizeof bytes, f->key, SYZYGY_WDL, &f->encodings, &err))
        fail_msg("%s", err.text);
    assert_true(encoding_init(&encoding, &f->encodings, f->key, pieces, 0, ENCODING_ORDER_NONE, 0));
    for (int i = 0; i < POSITIONS; i++) {
        const Position *pos = &f->positions[i];
        int wdl = 99;
        size_t index = (size_t)encoding_index(&encoding, &f->encodings, pos, false);
        int expected = 2 * maker_bit(index, pos->side_to_move) - 2 * pos->side_to_move;
        assert_int_equal(syzygy_table_wdl(table, pos, false, &wdl), SYZYGY_FOUND);
        assert_int_equal(wdl, expected);
    }
    syzygy_table_free(table);
}

/* Makes a table of exactly these bytes and looks everything up in it: no answer is wrong here, as
 * long as the sanitizers see no read outside. */
static bool probe_all(const Fixture *f, const uint8_t *bytes, size_t size, SyzygyKind kind)
{
    uint8_t *exact = malloc(size);
    SyzygyTable *table = NULL;
    Error err = { 0 };
    assert_non_null(exact);
    memcpy(exact, bytes, size);
    bool ok = syzygy_table_view(&table, exact, size, f->key, kind, &f->encodings, &err);
    assert_true(ok || err.text[0] != '\0');
    for (int i = 0; ok && i < POSITIONS; i += 7) {
        int value = 0;
        if (kind == SYZYGY_WDL)
            syzygy_table_wdl(table, &f->positions[i], false, &value);
        else
            syzygy_table_dtz(table, &f->positions[i], false, 2, &value);
    }
    syzygy_table_free(table);
    free(exact);
    return ok;
}

TEST(files_that_were_cut_are_refused)
{
    const Fixture *f = *state;
    static uint8_t bytes[MAKER_BITS_SIZE];
    maker_bits_wdl(bytes, MAKER_ROOK);
    assert_true(probe_all(f, bytes, sizeof bytes, SYZYGY_WDL));
    for (size_t size = 1; size < sizeof bytes; size += size < 200 ? 1 : 64 - (size - 16) % 64)
        assert_false(probe_all(f, bytes, size, SYZYGY_WDL));
}

TEST(files_of_another_kind_are_refused)
{
    const Fixture *f = *state;
    static const struct {
        const char *what;
        size_t at;
        uint8_t byte;
    } rows[] = {
        { "wrong magic", 0, 0x72 },
        { "one-sided", 4, 0 },
        { "with pawns", 4, 3 },
        { "no such place for the leading group", 5, 1 },
        { "another piece", 7, 0x55 },
        { "two kings of one colour", 8, 0x66 },
        { "no such man", 7, 0x00 },
        { "endless blocks", 11, 200 },
        { "endless spans", 12, 200 },
        { "more blocks than bytes", 16, 1 },
        { "codes longer than 32 bits", 18, 33 },
        { "codes of no length", 19, 0 },
        { "the shortest code longer than the longest", 19, 2 },
        { "no symbols", 22, 0 },
        { "more symbols than bytes", 23, 0x0f },
        { "a symbol that contains itself", 25, 0x00 },
        { "a half that does not exist", 26, 0x01 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        static uint8_t bytes[MAKER_BITS_SIZE];
        maker_bits_wdl(bytes, MAKER_ROOK);
        assert_int_not_equal(bytes[rows[i].at], rows[i].byte);
        bytes[rows[i].at] = rows[i].byte;
        if (rows[i].at == 25) /* symbol 0 = 0 and 0 */
            bytes[24] = bytes[26] = 0;
        if (probe_all(f, bytes, sizeof bytes, SYZYGY_WDL))
            fail_msg("%s: not refused", rows[i].what);
    }
}

TEST(changed_bytes_never_lead_outside_the_file)
{
    const Fixture *f = *state;
    static uint8_t bytes[MAKER_BITS_SIZE];
    uint64_t seed = 2;
    for (size_t at = 0; at < 1792; at++) {
        maker_bits_wdl(bytes, MAKER_ROOK);
        bytes[at] ^= (uint8_t)(1 << (random_next(&seed) & 7));
        probe_all(f, bytes, sizeof bytes, SYZYGY_WDL);
        bytes[at] = 0xff;
        probe_all(f, bytes, sizeof bytes, SYZYGY_WDL);
    }
    static uint8_t constant[MAKER_CONSTANT_SIZE];
    for (size_t at = 0; at < sizeof constant; at++)
        for (int bit = 0; bit < 8; bit++) {
            maker_constant_dtz(constant, MAKER_ROOK, 0, 1);
            constant[at] ^= (uint8_t)(1 << bit);
            probe_all(f, constant, sizeof constant, SYZYGY_DTZ);
        }
}

TEST(distances_are_read_as_the_flags_say)
{
    const Fixture *f = *state;
    static const struct {
        int flags, wdl, value;
        int white, black; /* plies for the side to move; 0: the table holds the other side */
    } rows[] = {
        { 0, 2, 10, 21, 0 },  { 4, 2, 10, 11, 0 },        { 8, 2, 10, 21, 0 },
        { 0, -2, 10, 21, 0 }, { 8, -2, 10, 11, 0 },       { 4 | 8, 1, 10, 21, 0 },
        { 1, 2, 0, 0, 1 },    { 1 | 4, -1, 255, 0, 511 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint8_t bytes[MAKER_CONSTANT_SIZE];
        SyzygyTable *table = NULL;
        Error err = { 0 };
        maker_constant_dtz(bytes, MAKER_ROOK, rows[i].flags, rows[i].value);
        if (!syzygy_table_view(&table, bytes, sizeof bytes, f->key, SYZYGY_DTZ, &f->encodings,
                               &err))
            fail_msg("%s", err.text);
        for (int j = 0; j < 20; j++) {
            const Position *pos = &f->positions[j];
            int expected = pos->side_to_move == WHITE ? rows[i].white : rows[i].black;
            int dtz = 0;
            SyzygyAnswer answer = syzygy_table_dtz(table, pos, false, rows[i].wdl, &dtz);
            if (answer != (expected ? SYZYGY_FOUND : SYZYGY_OTHER_SIDE) || dtz != expected)
                fail_msg("row %zu: %d plies, not %d", i, dtz, expected);
        }
        syzygy_table_free(table);
    }
}

TEST(distances_may_be_ranks_in_lists)
{
    const Fixture *f = *state;
    static const struct {
        int flags, wdl, value, plies; /* 0: no such rank */
    } rows[] = {
        { 0, 2, 0, 61 },       { 0, 2, 1, 63 },    { 0, 2, 2, 0 },     { 0, -2, 0, 81 },
        { 0, 1, 1, 103 },      { 0, -1, 0, 121 },  { 4, 2, 1, 32 },    { 8, -2, 1, 42 },
        { 16, 2, 0, 601 },     { 16, 2, 1, 603 },  { 16, 2, 2, 0 },    { 16 | 8, -2, 1, 312 },
        { 16 | 4, 1, 0, 641 }, { 16, -1, 1, 663 }, { 16, -1, 255, 0 },
    };
    const Position *pos = f->positions;
    while (pos->side_to_move != WHITE)
        pos++;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint8_t bytes[MAKER_CONSTANT_SIZE];
        SyzygyTable *table = NULL;
        Error err = { 0 };
        maker_mapped_dtz(bytes, MAKER_ROOK, rows[i].flags, rows[i].value);
        if (!syzygy_table_view(&table, bytes, sizeof bytes, f->key, SYZYGY_DTZ, &f->encodings,
                               &err))
            fail_msg("%s", err.text);
        int plies = 0;
        SyzygyAnswer answer = syzygy_table_dtz(table, pos, false, rows[i].wdl, &plies);
        if (answer != (rows[i].plies ? SYZYGY_FOUND : SYZYGY_BROKEN) || plies != rows[i].plies)
            fail_msg("row %zu: %d plies, not %d", i, plies, rows[i].plies);
        syzygy_table_free(table);
    }
}

TESTS_IN(set_up, tear_down)
