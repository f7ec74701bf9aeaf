/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/tablebase/tablebase.h"

#include "engine/core/outcome.h"
#include "engine/tablebase/syzygy_files.h"

#include <stdlib.h>

enum { FIFTY_MOVES_PLIES = 100 };

struct Tablebase {
    SyzygyFiles files;
};

static int sign_of(int n)
{
    return (n > 0) - (n < 0);
}

static bool is_zeroing(const Position *pos, Move m)
{
    return move_is_capture(m) || piece_type(pos->board[move_from(m)]) == PAWN;
}

/* The value as the table of the position's own material has it. */
static bool stored_wdl(Tablebase *tb, const Position *pos, int *wdl)
{
    MaterialKey key = material_of(pos);
    bool swap = false;
    if (key == 0) {
        *wdl = TABLEBASE_DRAW;
        return true;
    }
    const SyzygyTable *table = syzygy_files_find(&tb->files, key, SYZYGY_WDL, &swap);
    return table && syzygy_table_wdl(table, pos, swap, wdl) == SYZYGY_FOUND;
}

/* The true value is that of the best capture or the stored one, whichever is better: where a
 * capture achieves it, tables store anything up to it. Captures are searched with the bounds of
 * alpha-beta; a result outside of them is a bound itself. */
static bool true_wdl(Tablebase *tb, Position *pos, int alpha, int beta, int *wdl)
{
    MoveList list;
    movegen_noisy(pos, &list);
    int best = TABLEBASE_LOSS - 1;
    int captures = 0;
    for (int i = 0; i < list.count; i++) {
        Move m = list.moves[i];
        if (!move_is_capture(m))
            continue;
        int reply = 0;
        Undo undo;
        position_make(pos, m, &undo);
        bool ok = true_wdl(tb, pos, -beta, -(best > alpha ? best : alpha), &reply);
        position_unmake(pos, m, &undo);
        if (!ok)
            return false;
        captures++;
        if (-reply > best)
            best = -reply;
        if (best >= beta) {
            *wdl = best;
            return true;
        }
    }
    /* Tables ignore en passant: what they hold for a position without another move is wrong. */
    bool only_captures =
        pos->en_passant != SQUARE_NONE && captures > 0 && movegen_count(pos) == captures;
    int stored = TABLEBASE_LOSS - 1;
    if (!only_captures && !stored_wdl(tb, pos, &stored))
        return false;
    *wdl = stored > best ? stored : best;
    return true;
}

/* The true value, and whether a capture or pawn move achieves it: DTZ tables then hold anything. */
static bool true_wdl_zeroing(Tablebase *tb, Position *pos, const MoveList *legal, int *wdl,
                             bool *zeroing)
{
    int best = TABLEBASE_LOSS;
    int tried = 0;
    for (int i = 0; i < legal->count; i++) {
        Move m = legal->moves[i];
        if (!is_zeroing(pos, m))
            continue;
        int reply = 0;
        Undo undo;
        position_make(pos, m, &undo);
        bool ok = true_wdl(tb, pos, TABLEBASE_LOSS, TABLEBASE_WIN, &reply);
        position_unmake(pos, m, &undo);
        if (!ok)
            return false;
        tried++;
        if (-reply > best)
            best = -reply;
    }
    int value = best;
    bool no_other = tried > 0 && tried == legal->count;
    if (!no_other && !true_wdl(tb, pos, TABLEBASE_LOSS, TABLEBASE_WIN, &value))
        return false;
    *wdl = value > best ? value : best;
    *zeroing = no_other || (best > TABLEBASE_DRAW && best >= value);
    return true;
}

/* The distance of a position whose value a capture or pawn move decides at once. */
static int zeroing_dtz(int wdl)
{
    bool drawn_by_rule = wdl == TABLEBASE_CURSED_WIN || wdl == TABLEBASE_BLESSED_LOSS;
    return sign_of(wdl) * (drawn_by_rule ? FIFTY_MOVES_PLIES + 1 : 1);
}

static bool true_dtz(Tablebase *tb, Position *pos, int *dtz);

/* The distance by way of a move: from before it, for the side that makes it. */
static bool move_dtz(Tablebase *tb, Position *pos, Move m, int *dtz)
{
    bool zeroing = is_zeroing(pos, m);
    int reply = 0;
    Undo undo;
    position_make(pos, m, &undo);
    bool mates = position_in_check(pos) && movegen_count(pos) == 0;
    bool ok = mates     ? true
              : zeroing ? true_wdl(tb, pos, TABLEBASE_LOSS, TABLEBASE_WIN, &reply)
                        : true_dtz(tb, pos, &reply);
    position_unmake(pos, m, &undo);
    if (!ok)
        return false;
    *dtz = mates ? 1 : zeroing ? zeroing_dtz(-reply) : -reply - sign_of(reply);
    return true;
}

/* DTZ tables hold one side to move; for the other side one ply of search. `wdl` is not a draw, and
 * no mate. */
static bool searched_dtz(Tablebase *tb, Position *pos, const MoveList *legal, int wdl, int *dtz)
{
    bool found = false;
    int best = 0;
    for (int i = 0; i < legal->count; i++) {
        int reached = 0;
        if (!move_dtz(tb, pos, legal->moves[i], &reached))
            return false;
        /* The smallest distance is best, for the loser too: -20 is better than -10. */
        if (sign_of(reached) == sign_of(wdl) && (!found || reached < best)) {
            best = reached;
            found = true;
        }
    }
    if (found)
        *dtz = best;
    return found;
}

static bool true_dtz(Tablebase *tb, Position *pos, int *dtz)
{
    MoveList legal;
    movegen_legal(pos, &legal);
    if (legal.count == 0) {
        *dtz = position_in_check(pos) ? -1 : 0;
        return true;
    }
    int wdl = 0;
    bool zeroing = false;
    if (!true_wdl_zeroing(tb, pos, &legal, &wdl, &zeroing))
        return false;
    if (wdl == TABLEBASE_DRAW || zeroing) {
        *dtz = zeroing_dtz(wdl);
        return true;
    }
    bool swap = false;
    int plies = 0;
    const SyzygyTable *table = syzygy_files_find(&tb->files, material_of(pos), SYZYGY_DTZ, &swap);
    switch (table ? syzygy_table_dtz(table, pos, swap, wdl, &plies) : SYZYGY_BROKEN) {
    case SYZYGY_FOUND:
        /* Less the ply itself, cursed and blessed ones lie beyond the rule's limit. */
        *dtz = zeroing_dtz(wdl) + sign_of(wdl) * (plies - 1);
        return true;
    case SYZYGY_OTHER_SIDE:
        return searched_dtz(tb, pos, &legal, wdl, dtz);
    case SYZYGY_BROKEN:
        break;
    }
    return false;
}

static bool in_reach(const Tablebase *tb, const Position *pos)
{
    return pos->castling == 0 && bitboard_count(pos->occupied) <= tb->files.max_pieces;
}

bool tablebase_open(Tablebase **out, const char *directories, Error *err)
{
    Tablebase *tb = calloc(1, sizeof *tb);
    if (!tb) {
        error_set(err, ERR_MEMORY, "no memory for tablebases");
        return false;
    }
    if (!syzygy_files_init(&tb->files, directories, err)) {
        free(tb);
        return false;
    }
    *out = tb;
    return true;
}

void tablebase_free(Tablebase *tb)
{
    if (!tb)
        return;
    syzygy_files_release(&tb->files);
    free(tb);
}

TablebaseInfo tablebase_info(const Tablebase *tb)
{
    return (TablebaseInfo){ .wdl_files = tb->files.counts[SYZYGY_WDL],
                            .dtz_files = tb->files.counts[SYZYGY_DTZ],
                            .max_pieces = tb->files.max_pieces };
}

bool tablebase_verify(Tablebase *tb, Error *err)
{
    return syzygy_files_verify(&tb->files, err);
}

bool tablebase_probe_wdl(Tablebase *tb, Position *pos, TablebaseValue *value)
{
    int wdl = 0;
    if (!in_reach(tb, pos) || !true_wdl(tb, pos, TABLEBASE_LOSS, TABLEBASE_WIN, &wdl))
        return false;
    *value = (TablebaseValue)wdl;
    return true;
}

bool tablebase_probe_dtz(Tablebase *tb, Position *pos, int *dtz)
{
    return in_reach(tb, pos) && true_dtz(tb, pos, dtz);
}

/* Rankings */

/* What a distance is worth when `counter` of the plies up to it are used up already. */
static TablebaseValue value_of_dtz(int dtz, int counter)
{
    bool in_time = abs(dtz) + counter <= FIFTY_MOVES_PLIES;
    if (dtz > 0)
        return in_time ? TABLEBASE_WIN : TABLEBASE_CURSED_WIN;
    if (dtz < 0)
        return in_time ? TABLEBASE_LOSS : TABLEBASE_BLESSED_LOSS;
    return TABLEBASE_DRAW;
}

/* Has a reply made the position on the board three times? */
static bool can_repeat_thrice(Position *pos, const MoveList *replies)
{
    bool found = false;
    for (int i = 0; i < replies->count && !found; i++) {
        Undo undo;
        position_make(pos, replies->moves[i], &undo);
        found = position_repetitions(pos) >= 2;
        position_unmake(pos, replies->moves[i], &undo);
    }
    return found;
}

/* After our move, do the rules of the game, or the opponent by them, make it a draw? */
static bool is_drawn_by_rule(Position *pos, const MoveList *replies, bool we_win)
{
    return pos->halfmove_clock >= FIFTY_MOVES_PLIES || position_repetitions(pos) >= 2 ||
           (we_win && can_repeat_thrice(pos, replies));
}

/* Fills in a move's value and distance; *sort_key orders moves of the same value. */
static bool rank_move(Tablebase *tb, Position *pos, bool distances, TablebaseMove *move,
                      int *sort_key)
{
    int counter = is_zeroing(pos, move->move) ? 0 : pos->halfmove_clock;
    int dtz = 0;
    int wdl = 0;
    if (distances && !move_dtz(tb, pos, move->move, &dtz))
        return false;

    MoveList replies;
    Undo undo;
    position_make(pos, move->move, &undo);
    movegen_legal(pos, &replies);
    bool mates = replies.count == 0 && position_in_check(pos);
    bool ok = distances || mates || true_wdl(tb, pos, TABLEBASE_LOSS, TABLEBASE_WIN, &wdl);
    TablebaseValue value = mates       ? TABLEBASE_WIN
                           : distances ? value_of_dtz(dtz, counter)
                                       : (TablebaseValue)-wdl;
    if (ok && !mates && is_drawn_by_rule(pos, &replies, value > TABLEBASE_DRAW)) {
        value = TABLEBASE_DRAW;
        dtz = 0;
    }
    position_unmake(pos, move->move, &undo);

    move->value = value;
    move->dtz = dtz;
    *sort_key = 2 * dtz - mates;
    return ok;
}

/* Best first; stable. Less distance is better for both: the loser's are negative. */
static void sort_moves(TablebaseRanking *ranking, int *sort_keys)
{
    for (int i = 1; i < ranking->count; i++) {
        TablebaseMove move = ranking->moves[i];
        int key = sort_keys[i];
        int j = i;
        for (; j > 0; j--) {
            const TablebaseMove *before = &ranking->moves[j - 1];
            if (before->value > move.value ||
                (before->value == move.value && sort_keys[j - 1] <= key))
                break;
            ranking->moves[j] = *before;
            sort_keys[j] = sort_keys[j - 1];
        }
        ranking->moves[j] = move;
        sort_keys[j] = key;
    }
}

/* Has any position occurred twice since the last capture or pawn move? */
static bool has_repeated(const Position *pos)
{
    unsigned past =
        pos->halfmove_clock < pos->plies_since_null ? pos->halfmove_clock : pos->plies_since_null;
    if (past > pos->ply)
        past = pos->ply;
    if (past >= POSITION_KEY_RING)
        past = POSITION_KEY_RING - 1;
    for (unsigned back = 0; back < past; back++) {
        uint64_t key = back == 0 ? pos->key : pos->keys[(pos->ply - back) % POSITION_KEY_RING];
        for (unsigned further = back + 4; further <= past; further += 2)
            if (pos->keys[(pos->ply - further) % POSITION_KEY_RING] == key)
                return true;
    }
    return false;
}

/* Marks the moves among which the choice is free. Once a position has come up again, only the
 * fastest win holds, so that none comes a third time. Distances may be off by a ply: a win on the
 * last ply of the 50 moves holds only if there is none sooner. */
static void mark_holding(const Position *pos, TablebaseRanking *ranking)
{
    const TablebaseMove *best = &ranking->moves[0];
    bool hurry = best->value == TABLEBASE_WIN && ranking->has_distances;
    bool repeated = hurry && has_repeated(pos);
    int limit = FIFTY_MOVES_PLIES - 1 - pos->halfmove_clock;
    if (repeated || limit < best->dtz)
        limit = best->dtz;
    for (int i = 0; i < ranking->count; i++) {
        TablebaseMove *move = &ranking->moves[i];
        move->holds = move->value == best->value && (!hurry || move->dtz <= limit);
    }
}

static bool rank_moves(Tablebase *tb, Position *pos, bool distances, TablebaseRanking *ranking)
{
    int sort_keys[MAX_MOVES];
    ranking->has_distances = distances;
    for (int i = 0; i < ranking->count; i++)
        if (!rank_move(tb, pos, distances, &ranking->moves[i], &sort_keys[i]))
            return false;
    sort_moves(ranking, sort_keys);
    mark_holding(pos, ranking);
    return true;
}

bool tablebase_rank_root_moves(Tablebase *tb, Position *pos, TablebaseRanking *ranking)
{
    MoveList legal;
    movegen_legal(pos, &legal);
    if (!in_reach(tb, pos) || legal.count == 0)
        return false;
    ranking->count = legal.count;
    for (int i = 0; i < legal.count; i++)
        ranking->moves[i] = (TablebaseMove){ .move = legal.moves[i] };
    return rank_moves(tb, pos, true, ranking) || rank_moves(tb, pos, false, ranking);
}

TablebaseVerdict tablebase_verdict(const TablebaseRanking *ranking)
{
    switch (ranking->moves[0].value) {
    case TABLEBASE_LOSS:
        return ranking->has_distances ? TABLEBASE_VERDICT_LOSS : TABLEBASE_VERDICT_NONE;
    case TABLEBASE_BLESSED_LOSS:
    case TABLEBASE_DRAW:
        return TABLEBASE_VERDICT_DRAW;
    case TABLEBASE_CURSED_WIN:
        return TABLEBASE_VERDICT_CURSED_WIN;
    case TABLEBASE_WIN:
        return TABLEBASE_VERDICT_WIN;
    }
    return TABLEBASE_VERDICT_NONE;
}
