/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/core/attacks.h"

#if defined(CASTLED_PORTABLE) && defined(__x86_64__)

typedef Bitboard SliderFunction(Square square, Bitboard occupied);

static Bitboard rook_by_magic(Square square, Bitboard occupied)
{
    return attacks_magic_rook(square, occupied);
}

static Bitboard bishop_by_magic(Square square, Bitboard occupied)
{
    return attacks_magic_bishop(square, occupied);
}

__attribute__((target("bmi2"))) static Bitboard rook_by_pext(Square square, Bitboard occupied)
{
    return attacks_pext_rook(square, occupied);
}

__attribute__((target("bmi2"))) static Bitboard bishop_by_pext(Square square, Bitboard occupied)
{
    return attacks_pext_bishop(square, occupied);
}

/* The loader calls these once, before any other code of ours: nothing sanitized, no calls. */
    #define RESOLVER __attribute__((no_sanitize("address", "thread", "undefined"), used))

RESOLVER static inline bool pext_is_fast(void)
{
    __builtin_cpu_init();
    return __builtin_cpu_supports("bmi2") && !__builtin_cpu_is("znver1") &&
           !__builtin_cpu_is("znver2") && !__builtin_cpu_is("bdver4");
}

RESOLVER static SliderFunction *choose_rook(void)
{
    return pext_is_fast() ? rook_by_pext : rook_by_magic;
}

RESOLVER static SliderFunction *choose_bishop(void)
{
    return pext_is_fast() ? bishop_by_pext : bishop_by_magic;
}

    #ifdef __GLIBC__
__attribute__((ifunc("choose_rook"))) Bitboard attacks_rook(Square square, Bitboard occupied);
__attribute__((ifunc("choose_bishop"))) Bitboard attacks_bishop(Square square, Bitboard occupied);
    #else
/* Other loaders know no ifunc. Written once, before main() and its threads. */
static SliderFunction *rook = rook_by_magic, *bishop = bishop_by_magic;

__attribute__((constructor)) static void choose(void)
{
    rook = choose_rook();
    bishop = choose_bishop();
}

Bitboard attacks_rook(Square square, Bitboard occupied)
{
    return rook(square, occupied);
}

Bitboard attacks_bishop(Square square, Bitboard occupied)
{
    return bishop(square, occupied);
}
    #endif

#endif
