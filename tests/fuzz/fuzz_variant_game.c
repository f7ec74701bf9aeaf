/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A whole game of chess or a variant: the first byte says by which rules, each further one which
 * legal move is played. Before each move some others are made and taken back, and their texts tell
 * them apart. */
#include "engine/core/fen.h"
#include "engine/core/outcome.h"
#include "engine/core/san.h"
#include "engine/core/uci_move.h"
#include "engine/core/variant_rules.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MOST_PLIES = 300, TRIED = 4 /* at each position; more would leave fewer games a second */ };

static void must(bool ok)
{
    if (!ok)
        abort();
}

static void texts_tell_moves_apart(const Position *pos, const Move tried[TRIED])
{
    char san[TRIED][SAN_SIZE];
    for (int i = 0; i < TRIED; i++) {
        Move matched;
        char uci[UCI_MOVE_SIZE];
        uci_move_write(pos, tried[i], CASTLING_KING_TAKES_ROOK, uci);
        must(uci_move_match(pos, uci, strlen(uci), &matched, NULL) && matched == tried[i]);
        san_write(pos, tried[i], san[i]);
        for (int k = 0; k < i; k++)
            must((strcmp(san[i], san[k]) == 0) == (tried[i] == tried[k]));
    }
}

static void making_is_undone(Position *pos, Move m)
{
    const Position before = *pos;
    Undo undo;
    bool gives_check = position_gives_check(pos, m);
    must(position_allows(pos, m));
    position_make(pos, m, &undo);
    must(position_validate(pos, NULL) && position_in_check(pos) == gives_check);
    position_unmake(pos, m, &undo);
    must(memcmp(pos, &before, sizeof before) == 0);
}

/* Moves from the one to be played on. */
static void try_moves(Position *pos, const MoveList *list, int first)
{
    Move tried[TRIED];
    for (int i = 0; i < TRIED; i++) {
        tried[i] = list->moves[(first + i) % list->count];
        making_is_undone(pos, tried[i]);
    }
    texts_tell_moves_apart(pos, tried);
}

static void fen_reads_back(const Position *pos)
{
    char fen[FEN_SIZE];
    Position again;
    int dropped = -1;
    fen_write(pos, fen);
    must(fen_read_as(&again, pos->ruleset, fen, FEN_LENIENT, &dropped, NULL) && dropped == 0);
    must(again.key == pos->key && movegen_count(&again) == movegen_count(pos));
}

static bool goes_on(const Position *pos, const MoveList *list)
{
    Outcome outcome = position_outcome(pos);
    must(position_outcome(pos) == outcome);
    bool has_ended = variant_end(pos) != VARIANT_GOES_ON;
    must(!has_ended || (outcome != OUTCOME_NONE && list->count == 0));
    must(outcome != OUTCOME_NONE || list->count > 0);
    return list->count > 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0)
        return 0;
    Ruleset ruleset = data[0] % RULESET_COUNT;
    Position pos;
    must(
        fen_read_as(&pos, ruleset, variant_rules_table[ruleset].start_fen, FEN_STRICT, NULL, NULL));
    for (size_t i = 1; i < size && i <= MOST_PLIES; i++) {
        MoveList list;
        movegen_legal(&pos, &list);
        must(list.count == movegen_count(&pos));
        if (!goes_on(&pos, &list))
            break;
        fen_reads_back(&pos);
        int chosen = data[i] * list.count / 256;
        try_moves(&pos, &list, chosen);
        Undo undo;
        position_make(&pos, list.moves[chosen], &undo);
    }
    return 0;
}
