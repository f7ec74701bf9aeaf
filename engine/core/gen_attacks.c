/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gen_attacks.c - a program of the build: writes the tables of attacks.h as C to standard output.
 * usage: gen_attacks lines | pext | magic */
#include "engine/base/random.h"
#include "engine/core/attacks.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    int file, rank;
} Step;

static const Step rook_steps[] = { { 0, 1 }, { 1, 0 }, { 0, -1 }, { -1, 0 } };
static const Step bishop_steps[] = { { 1, 1 }, { 1, -1 }, { -1, -1 }, { -1, 1 } };
static const Step knight_steps[] = { { 1, 2 },   { 2, 1 },   { 2, -1 }, { 1, -2 },
                                     { -1, -2 }, { -2, -1 }, { -2, 1 }, { -1, 2 } };

/* The square after `n` steps, SQUARE_NONE off the board. */
static Square walk(Square from, Step step, int n)
{
    int file = square_file(from) + n * step.file, rank = square_rank(from) + n * step.rank;
    bool on_board = file >= 0 && file < 8 && rank >= 0 && rank < 8;
    return on_board ? square_make(file, rank) : SQUARE_NONE;
}

static Bitboard ray(Square from, Step step, Bitboard occupied)
{
    Bitboard set = 0;
    for (int n = 1;; n++) {
        Square to = walk(from, step, n);
        if (to == SQUARE_NONE)
            return set;
        set |= square_bit(to);
        if (bitboard_has(occupied, to))
            return set;
    }
}

static Bitboard slide(Square from, const Step steps[4], Bitboard occupied)
{
    Bitboard set = 0;
    for (int i = 0; i < 4; i++)
        set |= ray(from, steps[i], occupied);
    return set;
}

/* The squares whose occupancy changes what a slider attacks: its rays without their last square. */
static Bitboard slide_mask(Square from, const Step steps[4])
{
    Bitboard set = 0;
    for (int i = 0; i < 4; i++) {
        for (int n = 1; walk(from, steps[i], n + 1) != SQUARE_NONE; n++)
            set |= square_bit(walk(from, steps[i], n));
    }
    return set;
}

static Bitboard leap(Square from, const Step *steps, int count)
{
    Bitboard set = 0;
    for (int i = 0; i < count; i++) {
        Square to = walk(from, steps[i], 1);
        set |= to == SQUARE_NONE ? 0 : square_bit(to);
    }
    return set;
}

/* Subset number `n` of `mask`: bit i of `n` goes to the mask's i-th square. */
static Bitboard subset(Bitboard mask, uint32_t n)
{
    Bitboard set = 0;
    for (int i = 0; mask; i++) {
        Square square = bitboard_pop(&mask);
        set |= (Bitboard)(n >> i & 1) << square;
    }
    return set;
}

static void write_header(void)
{
    printf("/* Made by gen_attacks. */\n#include \"engine/core/attacks.h\"\n\n");
}

static void write_set(Bitboard set)
{
    printf("0x%" PRIx64 "ULL,", set);
}

static void write_lines(void)
{
    static const Step pawn_steps[COLOUR_COUNT][2] = { { { -1, 1 }, { 1, 1 } },
                                                      { { -1, -1 }, { 1, -1 } } };
    write_header();
    printf("const SquareAttacks attacks_from[SQUARE_COUNT] = {\n");
    for (Square s = 0; s < SQUARE_COUNT; s++) {
        const Step *b = bishop_steps;
        Bitboard rook = slide(s, rook_steps, 0), bishop = slide(s, bishop_steps, 0);
        printf("{{");
        write_set(leap(s, pawn_steps[WHITE], 2));
        write_set(leap(s, pawn_steps[BLACK], 2));
        printf("},");
        write_set(leap(s, knight_steps, 8));
        write_set(leap(s, rook_steps, 4) | leap(s, bishop_steps, 4));
        write_set(square_bit(s) | ray(s, b[0], 0) | ray(s, b[2], 0));
        write_set(square_bit(s) | ray(s, b[1], 0) | ray(s, b[3], 0));
        write_set(bishop);
        write_set(rook);
        printf("},\n");
    }
    printf("};\n");
    static Bitboard between[64][64], line[64][64];
    for (Square a = 0; a < SQUARE_COUNT; a++) {
        for (int i = 0; i < 8; i++) {
            Step step = i < 4 ? rook_steps[i] : bishop_steps[i - 4];
            Step back = { -step.file, -step.rank };
            for (int n = 1; walk(a, step, n) != SQUARE_NONE; n++) {
                Square b = walk(a, step, n);
                line[a][b] = square_bit(a) | ray(a, step, 0) | ray(a, back, 0);
                between[a][b] = ray(a, step, square_bit(b)) & ~square_bit(b);
            }
        }
    }
    printf("const Bitboard attacks_between_table[SQUARE_COUNT][SQUARE_COUNT] = {\n");
    for (int i = 0; i < 64; i++) {
        printf("{");
        for (int j = 0; j < 64; j++)
            write_set(between[i][j]);
        printf("},\n");
    }
    printf("};\nconst Bitboard attacks_line_table[SQUARE_COUNT][SQUARE_COUNT] = {\n");
    for (int i = 0; i < 64; i++) {
        printf("{");
        for (int j = 0; j < 64; j++)
            write_set(line[i][j]);
        printf("},\n");
    }
    printf("};\n");
}

static uint32_t write_pext_attacks(Square s, const Step steps[4])
{
    Bitboard mask = slide_mask(s, steps);
    uint32_t count = 1U << bitboard_count(mask);
    for (uint32_t n = 0; n < count; n++)
        write_set(slide(s, steps, subset(mask, n)));
    printf("\n");
    return count;
}

static void write_pext(void)
{
    write_header();
    printf("const PextSquare attacks_pext_squares[SQUARE_COUNT] = {\n");
    uint32_t offset = 0;
    for (Square s = 0; s < SQUARE_COUNT; s++) {
        Bitboard rook = slide_mask(s, rook_steps), bishop = slide_mask(s, bishop_steps);
        uint32_t bishop_offset = offset + (1U << bitboard_count(rook));
        printf("{0x%" PRIx64 "ULL,0x%" PRIx64 "ULL,%" PRIu32 ",%" PRIu32 "},\n", rook, bishop,
               offset, bishop_offset);
        offset = bishop_offset + (1U << bitboard_count(bishop));
    }
    printf("};\nconst Bitboard attacks_pext_table[SLIDER_ATTACKS_COUNT] = {\n");
    for (Square s = 0; s < SQUARE_COUNT; s++) {
        write_pext_attacks(s, rook_steps);
        write_pext_attacks(s, bishop_steps);
    }
    printf("};\n");
}

/* One bit in eight: factors of few bits make good magics sooner. */
static uint64_t next_sparse(uint64_t *state)
{
    uint64_t a = random_next(state), b = random_next(state), c = random_next(state);
    return a & b & c;
}

/* Finds a factor that sends all subsets of the mask to places without a contradiction, and fills
 * those places. */
static MagicSquare find_magic(Square s, const Step steps[4], Bitboard *places, uint64_t *random)
{
    static Bitboard occupied[4096], attacked[4096];
    static uint32_t used_in_try[4096];
    Bitboard mask = slide_mask(s, steps);
    int bits = bitboard_count(mask);
    uint32_t count = 1U << bits;
    MagicSquare magic = { .mask = mask, .shift = (uint32_t)(64 - bits) };
    for (uint32_t n = 0; n < count; n++) {
        occupied[n] = subset(mask, n);
        attacked[n] = slide(s, steps, occupied[n]);
    }
    memset(used_in_try, 0, sizeof used_in_try);
    for (uint32_t try = 1;; try++) {
        magic.magic = next_sparse(random);
        if (bitboard_count(mask * magic.magic >> 56) < 6)
            continue;
        uint32_t n;
        for (n = 0; n < count; n++) {
            uint64_t place = occupied[n] * magic.magic >> magic.shift;
            if (used_in_try[place] == try && places[place] != attacked[n])
                break;
            used_in_try[place] = try;
            places[place] = attacked[n];
        }
        if (n == count)
            return magic;
    }
}

static void write_magic(void)
{
    static Bitboard table[SLIDER_ATTACKS_COUNT];
    uint64_t random = 1;
    uint32_t offset = 0;
    write_header();
    for (int slider = 0; slider < 2; slider++) {
        printf("const MagicSquare attacks_magic_%s_squares[SQUARE_COUNT] = {\n",
               slider == 0 ? "rook" : "bishop");
        for (Square s = 0; s < SQUARE_COUNT; s++) {
            const Step *steps = slider == 0 ? rook_steps : bishop_steps;
            MagicSquare m = find_magic(s, steps, table + offset, &random);
            printf("{0x%" PRIx64 "ULL,0x%" PRIx64 "ULL,%" PRIu32 ",%" PRIu32 "},\n", m.mask,
                   m.magic, offset, m.shift);
            offset += 1U << bitboard_count(m.mask);
        }
        printf("};\n");
    }
    printf("const Bitboard attacks_magic_table[SLIDER_ATTACKS_COUNT] = {\n");
    for (uint32_t i = 0; i < offset; i++) {
        write_set(table[i]);
        if (i % 8 == 7)
            printf("\n");
    }
    printf("};\n");
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*write)(void);
    } parts[] = { { "lines", write_lines }, { "pext", write_pext }, { "magic", write_magic } };
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        if (argc == 2 && strcmp(argv[1], parts[i].name) == 0) {
            parts[i].write();
            return fflush(stdout) == 0 && !ferror(stdout) ? EXIT_SUCCESS : EXIT_FAILURE;
        }
    }
    fprintf(stderr, "usage: gen_attacks lines | pext | magic\n");
    return 64;
}
