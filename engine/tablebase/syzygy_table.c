/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/tablebase/syzygy_table.h"

#include "engine/base/mapped_file.h"

#include <stdlib.h>
#include <string.h>

enum {
    MAGIC_SIZE = 4,
    CHECKSUM_SIZE = 16, /* at the end of every file; what makes sizes odd multiples */
    BLOCK_ALIGNMENT = 64,
    SPARSE_ENTRY_SIZE = 6, /* block number, 32 bits, and offset in it, 16 bits */
    BLOCK_LENGTH_SIZE = 2,
    SYMBOL_SIZE = 3,     /* two halves of 12 bits */
    SYMBOL_LEAF = 0xfff, /* right half: the left one is a value */
    CODE_LENGTH_MAX = 32,
    CODE_LENGTHS = 33,
    SYMBOL_VALUES_MAX = 256, /* the most values that one symbol stands for */
    BLOCK_BITS_MAX = 24,
    SPAN_BITS_MIN = 1,
    SPAN_BITS_MAX = 32,
    DTZ_MAPS = 4, /* win, loss, cursed win, blessed loss */
};

/* The file's first flag byte. */
enum { FILE_TWO_SIDED = 1, FILE_HAS_PAWNS = 2 };

/* A part's flags; all but the last are for DTZ. */
enum {
    PART_BLACK_TO_MOVE = 1,
    PART_MAPPED = 2,     /* values are ranks in a list of what occurs */
    PART_WIN_PLIES = 4,  /* wins in plies, else in moves */
    PART_LOSS_PLIES = 8, /* losses in plies */
    PART_WIDE_MAP = 16,  /* the list has 16-bit entries */
    PART_CONSTANT = 128, /* one value for all positions, no data */
};

static const uint8_t magics[][MAGIC_SIZE] = {
    [SYZYGY_WDL] = { 0x71, 0xe8, 0x23, 0x5d },
    [SYZYGY_DTZ] = { 0xd7, 0x66, 0x0c, 0xa5 },
};

/* The values of one side to move and one file of the leading pawn, compressed. Runs of values are
 * symbols; a symbol is a value or two symbols. Symbols have canonical Huffman codes, which fill
 * blocks of one size. A sparse index has the block of every 2^span_bits-th value. */
typedef struct {
    Encoding encoding;
    uint8_t flags;
    uint8_t constant; /* the value, with PART_CONSTANT */
    uint8_t block_bits;
    uint8_t span_bits;
    uint8_t shortest; /* code, in bits */
    uint8_t lengths;  /* different lengths of codes */
    uint32_t blocks;
    uint32_t block_lengths;      /* entries, some more than there are blocks */
    uint64_t spans;              /* entries of the sparse index */
    uint32_t symbols;            /* at most 4096: twelve bits */
    uint64_t base[CODE_LENGTHS]; /* [length - shortest]: the smallest code, left-aligned */
    const uint8_t *first_symbol; /* [length - shortest]: symbol of the smallest code, 16 bits */
    const uint8_t *symbol;       /* SYMBOL_SIZE bytes each */
    uint8_t *symbol_extra;       /* how many values more than one a symbol stands for */
    const uint8_t *sparse;
    const uint8_t *block_length; /* values in each block, less one, 16 bits */
    const uint8_t *data;
    const uint8_t *map[DTZ_MAPS]; /* DTZ with PART_MAPPED */
    uint32_t map_length[DTZ_MAPS];
} Part;

struct SyzygyTable {
    MaterialKey key;
    const EncodingLookup *encodings;
    const uint8_t *bytes;
    size_t size;
    MappedFile file; /* empty when the bytes are the caller's */
    SyzygyKind kind;
    bool has_pawns;
    bool symmetric;
    int sides;
    int files;
    Part parts[COLOUR_COUNT][ENCODING_FILES];
};

/* The header is read from front to back; `at` never passes `end`. */
typedef struct {
    const uint8_t *start;
    const uint8_t *at;
    const uint8_t *end;
} Reader;

static uint32_t read_le16(const uint8_t *p)
{
    return (uint32_t)p[0] | (uint32_t)p[1] << 8;
}

static uint32_t read_le32(const uint8_t *p)
{
    return read_le16(p) | read_le16(p + 2) << 16;
}

static uint32_t read_be32(const uint8_t *p)
{
    uint32_t word;
    memcpy(&word, p, sizeof word);
    return __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? __builtin_bswap32(word) : word;
}

/* The next `size` bytes, or NULL when the file ends before them. */
static const uint8_t *reader_take(Reader *r, uint64_t size)
{
    if (size > (uint64_t)(r->end - r->at))
        return NULL;
    const uint8_t *taken = r->at;
    r->at += size;
    return taken;
}

/* Skips to the next multiple of `alignment` bytes from the file's start. */
static bool reader_align(Reader *r, size_t alignment)
{
    size_t off = (size_t)(r->at - r->start) % alignment;
    return off == 0 || reader_take(r, alignment - off);
}

static bool read_magic(Reader *r, const SyzygyTable *table, Error *err)
{
    const uint8_t *magic = reader_take(r, MAGIC_SIZE);
    const uint8_t *flags = reader_take(r, 1);
    if (!magic || !flags || memcmp(magic, magics[table->kind], MAGIC_SIZE) != 0) {
        error_set(err, ERR_INVALID, "not a Syzygy %s file",
                  table->kind == SYZYGY_WDL ? "WDL" : "DTZ");
        return false;
    }
    if (!!(*flags & FILE_HAS_PAWNS) != table->has_pawns ||
        !!(*flags & FILE_TWO_SIDED) == table->symmetric) {
        error_set(err, ERR_INVALID, "holds other material than its name says");
        return false;
    }
    return true;
}

/* A man as tables write it: 1..6 for White's pawn to king, 9..14 for Black's. */
static Piece piece_of_code(unsigned code)
{
    unsigned type = (code & 7) - 1;
    return type <= KING ? piece_make((Colour)(code >> 3), (PieceType)type) : PIECE_NONE;
}

/* One file's order of pieces and of groups: low half bytes are for White to move, high ones for
 * Black. */
static bool read_encodings(Reader *r, SyzygyTable *table, int file, Error *err)
{
    bool two_groups =
        material_count(table->key, WHITE, PAWN) > 0 && material_count(table->key, BLACK, PAWN) > 0;
    int piece_count = material_pieces(table->key);
    const uint8_t *orders = reader_take(r, two_groups ? 2 : 1);
    const uint8_t *codes = reader_take(r, (uint64_t)piece_count);
    if (!orders || !codes) {
        error_set(err, ERR_INVALID, "ends within its list of pieces");
        return false;
    }
    for (int side = 0; side < table->sides; side++) {
        int shift = side == WHITE ? 0 : 4;
        Piece pieces[SYZYGY_PIECES_MAX];
        for (int i = 0; i < piece_count; i++)
            pieces[i] = piece_of_code(codes[i] >> shift & 15U);
        int order = orders[0] >> shift & 15;
        int pawn_order = two_groups ? orders[1] >> shift & 15 : ENCODING_ORDER_NONE;
        if (!encoding_init(&table->parts[side][file].encoding, table->encodings, table->key, pieces,
                           order, pawn_order, file)) {
            error_set(err, ERR_INVALID, "lists other pieces than its name says");
            return false;
        }
    }
    return true;
}

/* The symbol of the smallest code of the i-th length. */
static uint32_t first_symbol(const Part *part, int i)
{
    return read_le16(part->first_symbol + 2 * (size_t)i);
}

/* Codes of one length are consecutive numbers; longer codes are smaller. The smallest code of each
 * length follows from how many symbols the longer lengths use up. */
static void base_init(Part *part)
{
    int last = part->lengths - 1;
    part->base[last] = 0;
    for (int i = last - 1; i >= 0; i--)
        part->base[i] = (part->base[i + 1] + first_symbol(part, i) - first_symbol(part, i + 1)) / 2;
    for (int i = 0; i <= last; i++)
        part->base[i] <<= 64 - part->shortest - i;
}

static uint32_t symbol_left(const Part *part, uint32_t symbol)
{
    return read_le16(part->symbol + SYMBOL_SIZE * (size_t)symbol) & 0xfff;
}

static uint32_t symbol_right(const Part *part, uint32_t symbol)
{
    return read_le16(part->symbol + SYMBOL_SIZE * (size_t)symbol + 1) >> 4;
}

/* Finds how many values each symbol stands for. Halves may come before or after the whole, so this
 * goes over the symbols until all are known: a pass each for the nesting, which the limit on values
 * bounds. False for symbols that don't exist, contain themselves or stand for too many values. */
static bool symbols_init(Part *part)
{
    uint16_t length[4096] = { 0 }; /* 0: not known yet */
    uint32_t known = 0;
    for (uint32_t before = part->symbols; known < part->symbols && known != before;) {
        before = known;
        for (uint32_t s = 0; s < part->symbols; s++) {
            if (length[s])
                continue;
            uint32_t left = symbol_left(part, s);
            uint32_t right = symbol_right(part, s);
            if (right == SYMBOL_LEAF) {
                length[s] = 1;
            } else if (left >= part->symbols || right >= part->symbols) {
                return false;
            } else if (length[left] && length[right]) {
                length[s] = length[left] + length[right];
                if (length[s] > SYMBOL_VALUES_MAX)
                    return false;
            }
            known += length[s] != 0;
        }
    }
    if (known < part->symbols)
        return false;
    part->symbol_extra = malloc(part->symbols);
    if (!part->symbol_extra)
        return false;
    for (uint32_t s = 0; s < part->symbols; s++)
        part->symbol_extra[s] = (uint8_t)(length[s] - 1);
    return true;
}

static bool read_code(Reader *r, Part *part)
{
    const uint8_t *p = reader_take(r, 10);
    if (!p)
        return false;
    part->block_bits = p[1];
    part->span_bits = p[2];
    part->blocks = read_le32(p + 4);
    part->block_lengths = part->blocks + p[3];
    int longest = p[8];
    part->shortest = p[9];
    if (part->block_bits > BLOCK_BITS_MAX || part->span_bits < SPAN_BITS_MIN ||
        part->span_bits > SPAN_BITS_MAX || part->blocks == 0 ||
        part->block_lengths < part->blocks || part->shortest == 0 || longest < part->shortest ||
        longest > CODE_LENGTH_MAX)
        return false;
    part->lengths = (uint8_t)(longest - part->shortest + 1);
    part->spans = (part->encoding.size + ((uint64_t)1 << part->span_bits) - 1) >> part->span_bits;
    part->first_symbol = reader_take(r, 2 * (uint64_t)part->lengths);
    const uint8_t *count = reader_take(r, 2);
    if (!part->first_symbol || !count)
        return false;
    part->symbols = read_le16(count);
    part->symbol = reader_take(r, (uint64_t)SYMBOL_SIZE * part->symbols + (part->symbols & 1));
    if (part->symbols == 0 || part->symbols > SYMBOL_LEAF || !part->symbol)
        return false;
    base_init(part);
    return symbols_init(part);
}

static bool read_part(Reader *r, Part *part, Error *err)
{
    const uint8_t *flags = r->at;
    bool ok = r->at < r->end;
    if (ok) {
        part->flags = *flags;
        if (part->flags & PART_CONSTANT) {
            const uint8_t *p = reader_take(r, 2);
            ok = p != NULL;
            part->constant = p ? p[1] : 0;
        } else {
            ok = read_code(r, part);
        }
    }
    if (!ok)
        error_set(err, ERR_INVALID, "its code tables are damaged");
    return ok;
}

/* The lists that DTZ values are ranks in, one for each kind of result. */
static bool read_maps(Reader *r, Part *part)
{
    if (!(part->flags & PART_MAPPED))
        return true;
    bool wide = part->flags & PART_WIDE_MAP;
    if (wide && !reader_align(r, 2))
        return false;
    for (int i = 0; i < DTZ_MAPS; i++) {
        const uint8_t *count = reader_take(r, wide ? 2 : 1);
        if (!count)
            return false;
        part->map_length[i] = wide ? read_le16(count) : *count;
        part->map[i] = reader_take(r, (uint64_t)part->map_length[i] * (wide ? 2 : 1));
        if (!part->map[i])
            return false;
    }
    return true;
}

typedef bool PartStep(Reader *r, Part *part);

static bool locate_sparse(Reader *r, Part *part)
{
    part->sparse = reader_take(r, part->spans * SPARSE_ENTRY_SIZE);
    return part->sparse != NULL;
}

static bool locate_lengths(Reader *r, Part *part)
{
    part->block_length = reader_take(r, (uint64_t)part->block_lengths * BLOCK_LENGTH_SIZE);
    return part->block_length != NULL;
}

static bool locate_data(Reader *r, Part *part)
{
    if (part->blocks > 0 && !reader_align(r, BLOCK_ALIGNMENT))
        return false;
    part->data = reader_take(r, (uint64_t)part->blocks << part->block_bits);
    return part->data != NULL;
}

/* File by file, in each side by side: the order of everything after the lists of pieces. */
static bool each_part(Reader *r, SyzygyTable *table, PartStep *step)
{
    for (int file = 0; file < table->files; file++)
        for (int side = 0; side < table->sides; side++)
            if (!step(r, &table->parts[side][file]))
                return false;
    return true;
}

static bool read_header(SyzygyTable *table, Error *err)
{
    Reader r = { table->bytes, table->bytes, table->bytes + table->size - CHECKSUM_SIZE };
    if (!read_magic(&r, table, err))
        return false;
    for (int file = 0; file < table->files; file++)
        if (!read_encodings(&r, table, file, err))
            return false;
    bool ok = reader_align(&r, 2);
    for (int file = 0; file < table->files; file++)
        for (int side = 0; side < table->sides; side++)
            if (ok && !read_part(&r, &table->parts[side][file], err))
                return false;
    if (table->kind == SYZYGY_DTZ)
        ok = ok && each_part(&r, table, read_maps) && reader_align(&r, 2);
    ok = ok && each_part(&r, table, locate_sparse) && each_part(&r, table, locate_lengths) &&
         each_part(&r, table, locate_data);
    if (!ok)
        error_set(err, ERR_INVALID, "is shorter than its header says");
    return ok;
}

bool syzygy_table_size_fits(uint64_t size)
{
    return size > CHECKSUM_SIZE && size % BLOCK_ALIGNMENT == CHECKSUM_SIZE;
}

bool syzygy_table_view(SyzygyTable **out, const uint8_t *bytes, size_t size, MaterialKey key,
                       SyzygyKind kind, const EncodingLookup *encodings, Error *err)
{
    if (!syzygy_table_size_fits(size)) {
        error_set(err, ERR_INVALID, "%zu bytes are no table's size: cut short?", size);
        return false;
    }
    SyzygyTable *table = calloc(1, sizeof *table);
    if (!table) {
        error_set(err, ERR_MEMORY, "no memory for a table");
        return false;
    }
    table->key = key;
    table->encodings = encodings;
    table->bytes = bytes;
    table->size = size;
    table->kind = kind;
    table->has_pawns = material_count(key, WHITE, PAWN) > 0 || material_count(key, BLACK, PAWN) > 0;
    table->symmetric = key == material_swap(key);
    table->sides = kind == SYZYGY_WDL && !table->symmetric ? 2 : 1;
    table->files = table->has_pawns ? ENCODING_FILES : 1;
    if (!read_header(table, err)) {
        syzygy_table_free(table);
        return false;
    }
    *out = table;
    return true;
}

bool syzygy_table_open(SyzygyTable **out, const char *path, MaterialKey key, SyzygyKind kind,
                       const EncodingLookup *encodings, Error *err)
{
    MappedFile file = { 0 };
    SyzygyTable *table = NULL;
    Error cause = { 0 };
    if (!mapped_file_init(&file, path, err))
        return false;
    if (!syzygy_table_view(&table, file.bytes, file.size, key, kind, encodings, &cause)) {
        error_set(err, cause.code, "%s: %s", path, cause.text);
        mapped_file_release(&file);
        return false;
    }
    /* Reading ahead would only evict what is in use. */
    mapped_file_expect_scattered(&file);
    table->file = file;
    *out = table;
    return true;
}

void syzygy_table_free(SyzygyTable *table)
{
    if (!table)
        return;
    for (int side = 0; side < COLOUR_COUNT; side++)
        for (int file = 0; file < ENCODING_FILES; file++)
            free(table->parts[side][file].symbol_extra);
    mapped_file_release(&table->file);
    free(table);
}

/* Finds the block with value `index` and how many values stand before it in that block. */
static bool find_block(const Part *part, uint64_t index, uint32_t *block_out, int64_t *skip_out)
{
    const uint8_t *entry = part->sparse + SPARSE_ENTRY_SIZE * (index >> part->span_bits);
    uint64_t span = (uint64_t)1 << part->span_bits;
    uint32_t block = read_le32(entry);
    /* The entry is for the value in the middle of the span. */
    int64_t skip =
        (int64_t)read_le16(entry + 4) + (int64_t)(index & (span - 1)) - (int64_t)(span / 2);
    while (skip < 0) {
        if (block == 0 || block > part->block_lengths)
            return false;
        block--;
        skip += read_le16(part->block_length + BLOCK_LENGTH_SIZE * (size_t)block) + 1;
    }
    for (;; block++) {
        if (block >= part->blocks)
            return false;
        int64_t values = read_le16(part->block_length + BLOCK_LENGTH_SIZE * (size_t)block) + 1;
        if (skip < values)
            break;
        skip -= values;
    }
    *block_out = block;
    *skip_out = skip;
    return true;
}

/* Bits of a block, the next one highest; zeros after its end. */
typedef struct {
    uint64_t bits;
    int count;
    const uint8_t *at;
    const uint8_t *end;
} BitReader;

static void bits_refill(BitReader *b)
{
    while (b->count <= 32) {
        uint32_t word = 0;
        if (b->end - b->at >= 4) {
            word = read_be32(b->at);
            b->at += 4;
        } else {
            for (int shift = 24; b->at < b->end; shift -= 8)
                word |= (uint32_t)*b->at++ << shift;
        }
        b->bits |= (uint64_t)word << (32 - b->count);
        b->count += 32;
    }
}

/* The symbol that holds value number *skip of a block; *skip is then its place in the symbol. */
static bool find_symbol(const Part *part, uint32_t block, int64_t *skip, uint32_t *symbol_out)
{
    const uint8_t *start = part->data + ((uint64_t)block << part->block_bits);
    BitReader b = { .at = start, .end = start + ((size_t)1 << part->block_bits) };
    for (;;) {
        bits_refill(&b);
        int i = 0;
        while (b.bits < part->base[i]) /* the last base is 0 */
            i++;
        int length = part->shortest + i;
        uint64_t nth = (b.bits - part->base[i]) >> (64 - length);
        uint64_t symbol = first_symbol(part, i) + nth;
        if (symbol >= part->symbols)
            return false;
        int64_t values = part->symbol_extra[symbol] + 1;
        if (*skip < values) {
            *symbol_out = (uint32_t)symbol;
            return true;
        }
        *skip -= values;
        b.bits <<= length;
        b.count -= length;
    }
}

/* The stored value at an index. */
static bool part_value(const Part *part, uint64_t index, uint32_t *value)
{
    if (part->flags & PART_CONSTANT) {
        *value = part->constant;
        return true;
    }
    uint32_t block = 0;
    uint32_t symbol = 0;
    int64_t skip = 0;
    if (index >= part->encoding.size || !find_block(part, index, &block, &skip) ||
        !find_symbol(part, block, &skip, &symbol))
        return false;
    while (part->symbol_extra[symbol]) {
        uint32_t left = symbol_left(part, symbol);
        int64_t values = part->symbol_extra[left] + 1;
        if (skip < values) {
            symbol = left;
        } else {
            skip -= values;
            symbol = symbol_right(part, symbol);
        }
    }
    *value = symbol_left(part, symbol);
    return true;
}

static int part_file(const SyzygyTable *table, const Position *pos, bool swap)
{
    return table->has_pawns ? encoding_file(table->encodings, table->key, pos, swap) : 0;
}

/* Equal material on both sides is stored for White to move only. */
static bool table_swaps(const SyzygyTable *table, const Position *pos, bool swap)
{
    return table->symmetric ? pos->side_to_move == BLACK : swap;
}

SyzygyAnswer syzygy_table_wdl(const SyzygyTable *table, const Position *pos, bool swap, int *wdl)
{
    swap = table_swaps(table, pos, swap);
    const Part *part = &table->parts[pos->side_to_move ^ swap][part_file(table, pos, swap)];
    uint32_t value = 0;
    uint64_t index = part->flags & PART_CONSTANT
                         ? 0
                         : encoding_index(&part->encoding, table->encodings, pos, swap);
    if (!part_value(part, index, &value) || value > 4)
        return SYZYGY_BROKEN;
    *wdl = (int)value - 2;
    return SYZYGY_FOUND;
}

/* A stored number as plies. */
static bool dtz_plies(const Part *part, uint32_t value, int wdl, int *plies)
{
    /* Which list, by wdl + 2; draws have none. */
    static const uint8_t map_of[] = { 1, 3, 0, 2, 0 };
    if (part->flags & PART_MAPPED) {
        int map = map_of[wdl + 2];
        if (value >= part->map_length[map])
            return false;
        value = part->flags & PART_WIDE_MAP ? read_le16(part->map[map] + 2 * (size_t)value)
                                            : part->map[map][value];
    }
    bool in_plies =
        (wdl == 2 && part->flags & PART_WIN_PLIES) || (wdl == -2 && part->flags & PART_LOSS_PLIES);
    *plies = (int)(in_plies ? value : 2 * value) + 1;
    return true;
}

SyzygyAnswer syzygy_table_dtz(const SyzygyTable *table, const Position *pos, bool swap, int wdl,
                              int *dtz)
{
    assert(wdl != 0);
    swap = table_swaps(table, pos, swap);
    const Part *part = &table->parts[0][part_file(table, pos, swap)];
    bool black_to_move = (pos->side_to_move ^ swap) == BLACK;
    bool either_side = table->symmetric && !table->has_pawns;
    if (!either_side && black_to_move != ((part->flags & PART_BLACK_TO_MOVE) != 0))
        return SYZYGY_OTHER_SIDE;
    uint32_t value = 0;
    uint64_t index = part->flags & PART_CONSTANT
                         ? 0
                         : encoding_index(&part->encoding, table->encodings, pos, swap);
    if (!part_value(part, index, &value) || !dtz_plies(part, value, wdl, dtz))
        return SYZYGY_BROKEN;
    return SYZYGY_FOUND;
}
