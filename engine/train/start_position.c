/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/train/start_position.h"

#include "engine/base/random.h"
#include "engine/core/fen.h"
#include "engine/core/outcome.h"
#include "engine/core/variant_rules.h"
#include "engine/train/packed_position.h"

#include <stdio.h>
#include <string.h>

enum { FILES = 8, ENDGAME_MEN_MIN = 5, ENDGAME_MEN_SPAN = 6 };

const StartShares START_SHARES = {
    { [START_USUAL] = 83, [START_CHESS960] = 6, [START_DOUBLE_CHESS960] = 6, [START_ENDGAME] = 5 }
};

StartKind start_kind_draw(const StartShares *shares, uint64_t *random)
{
    int drawn = (int)random_below(random, 100);
    for (StartKind kind = START_USUAL; kind < START_ENDGAME; kind++) {
        drawn -= shares->percent[kind];
        if (drawn < 0)
            return kind;
    }
    return START_ENDGAME;
}

/* Puts the piece on the n-th of the files still free. */
static void put_on_free_file(char files[FILES + 1], int n, char piece)
{
    for (int file = 0; file < FILES; file++) {
        if (files[file] == '.' && n-- == 0) {
            files[file] = piece;
            return;
        }
    }
}

static void first_rank(char files[FILES + 1], int number, const char *letters)
{
    /* Files among five free ones that the two knights take. */
    static const uint8_t knights[10][2] = { { 0, 1 }, { 0, 2 }, { 0, 3 }, { 0, 4 }, { 1, 2 },
                                            { 1, 3 }, { 1, 4 }, { 2, 3 }, { 2, 4 }, { 3, 4 } };
    memcpy(files, "........", FILES + 1);
    files[1 + 2 * (number % 4)] = letters[BISHOP];
    number /= 4;
    files[2 * (number % 4)] = letters[BISHOP];
    number /= 4;
    put_on_free_file(files, number % 6, letters[QUEEN]);
    number /= 6;
    /* The right one first: the other's count is then still right. */
    put_on_free_file(files, knights[number][1], letters[KNIGHT]);
    put_on_free_file(files, knights[number][0], letters[KNIGHT]);
    put_on_free_file(files, 0, letters[ROOK]);
    put_on_free_file(files, 0, letters[KING]);
    put_on_free_file(files, 0, letters[ROOK]);
}

void start_chess960(Position *pos, int white, int black)
{
    char whites[FILES + 1], blacks[FILES + 1], fen[FEN_SIZE];
    first_rank(whites, white, "PNBRQK");
    first_rank(blacks, black, "pnbrqk");
    int len =
        snprintf(fen, sizeof fen, "%s/pppppppp/8/8/8/8/PPPPPPPP/%s w KQkq - 0 1", blacks, whites);
    assert(len > 0 && len < FEN_SIZE);
    bool ok = fen_read(pos, fen, FEN_STRICT, NULL, NULL);
    assert(ok);
    (void)len;
    (void)ok;
}

static Square free_square(const PackedBoard *board, PieceType type, uint64_t *random)
{
    for (;;) {
        Square square = (Square)random_below(random, SQUARE_COUNT);
        bool is_last_rank = square < 8 || square >= 56;
        if (board->codes[square] == PACKED_EMPTY && !(type == PAWN && is_last_rank))
            return square;
    }
}

/* False when the men stand as no game allows, or somebody is in check. */
static bool endgame_try(Position *pos, uint64_t *random)
{
    /* Half of the men are pawns, as in endgames of games. */
    static const PieceType men[] = { PAWN, PAWN, PAWN, PAWN, KNIGHT, BISHOP, ROOK, QUEEN };
    PackedPosition packed = { .en_passant = SQUARE_NONE };
    PackedBoard board;
    int count = ENDGAME_MEN_MIN + (int)random_below(random, ENDGAME_MEN_SPAN);
    memset(board.codes, PACKED_EMPTY, sizeof board.codes);
    for (int i = 0; i < count; i++) {
        bool is_king = i < COLOUR_COUNT;
        PieceType type = is_king ? KING : men[random_below(random, sizeof men / sizeof *men)];
        Colour colour = (Colour)(is_king ? i : (int)random_below(random, COLOUR_COUNT));
        board.codes[free_square(&board, type, random)] =
            (uint8_t)packed_code_of(piece_make(colour, type));
    }
    packed_board_put(&packed, &board);
    packed.flags = random_below(random, COLOUR_COUNT) == BLACK ? PACKED_BLACK_TO_MOVE : 0;
    return packed_position_read(pos, &packed, NULL) && !position_in_check(pos) &&
           position_outcome(pos) == OUTCOME_NONE;
}

void start_draw(Position *pos, StartKind kind, uint64_t *random)
{
    int white = CHESS960_USUAL, black = CHESS960_USUAL;
    if (kind == START_ENDGAME) {
        while (!endgame_try(pos, random))
            continue;
        return;
    }
    if (kind != START_USUAL)
        white = black = (int)random_below(random, CHESS960_COUNT);
    if (kind == START_DOUBLE_CHESS960)
        black = (int)random_below(random, CHESS960_COUNT);
    start_chess960(pos, white, black);
}

int start_random_plies(StartKind kind, uint64_t *random)
{
    switch (kind) {
    case START_USUAL:
        return 8 + (int)random_below(random, 2);
    case START_CHESS960:
    case START_DOUBLE_CHESS960:
        return 4 + (int)random_below(random, 3);
    case START_ENDGAME:
        break;
    }
    return 0;
}

void start_variant(Position *pos, Ruleset ruleset)
{
    bool ok =
        fen_read_as(pos, ruleset, variant_rules_table[ruleset].start_fen, FEN_STRICT, NULL, NULL);
    assert(ok);
    (void)ok;
}

/* One or two leave most variants' starts level; many make them differ. */
int start_variant_random_plies(uint64_t *random)
{
    return 1 + (int)random_below(random, 8);
}
