/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Answers of web services; the first byte selects the service and the position. Moves are legal and
 * listed once, numbers are within bounds, and the chosen move is in the list. */
#include "bot/source/online_choice.h"
#include "engine/core/fen.h"

#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool ok)
{
    if (!ok)
        abort();
}

static void must_be_new(const MoveList *legal, Move move, bool seen[MAX_MOVES])
{
    for (int i = 0; i < legal->count; i++) {
        if (legal->moves[i] != move)
            continue;
        must(!seen[i]);
        seen[i] = true;
        return;
    }
    abort();
}

static const OnlineSettings settings = { .min_games = 1, .max_drop_cp = 50 };

static void read_explorer(const Position *position, const MoveList *legal, const char *body,
                          size_t len)
{
    static ExplorerAnswer answer;
    bool seen[MAX_MOVES] = { false };
    uint64_t random = len;
    MoveChoice choice;
    if (!explorer_answer_parse(&answer, position, body, len, NULL))
        return;
    for (int i = 0; i < answer.count; i++) {
        const ExplorerMove *move = &answer.moves[i];
        must_be_new(legal, move->move, seen);
        must(move->white >= 0 && move->draws >= 0 && move->black >= 0);
        must(move->white <= INT64_C(1) << 40 && move->draws <= INT64_C(1) << 40);
    }
    for (int pick = 0; pick < PICK_COUNT; pick++) {
        OnlineSettings wanted = settings;
        wanted.choice = (ExplorerPick)pick;
        must(explorer_choose(&choice, &answer, position, &wanted, &random) ==
             (choice.move != MOVE_NONE));
    }
}

static void read_cloud(const Position *position, const MoveList *legal, const char *body,
                       size_t len)
{
    CloudAnswer answer;
    bool seen[MAX_MOVES] = { false };
    uint64_t random = len;
    MoveChoice choice;
    if (!cloud_answer_parse(&answer, position, body, len, NULL))
        return;
    must(answer.depth >= 0 && answer.depth < MAX_PLY && answer.nodes >= 0);
    for (int i = 0; i < answer.count; i++) {
        must_be_new(legal, answer.lines[i].move, seen);
        must(abs(answer.lines[i].score) < SCORE_MATE);
    }
    if (cloud_choose(&choice, &answer, position, &settings, &random) && choice.reply != MOVE_NONE) {
        Position after = *position;
        Undo undo;
        position_make(&after, choice.move, &undo);
        must(position_is_pseudo_legal(&after, choice.reply));
    }
}

/* The best move is among those that are as good. */
static void must_suggest(const MoveChoice *best, const TableAnswer *answer,
                         const Position *position)
{
    static MoveList candidates;
    bool is_there = false;
    table_suggest(&candidates, answer, position);
    for (int i = 0; i < candidates.count; i++)
        is_there = is_there || candidates.moves[i] == best->move;
    must(is_there && candidates.count <= answer->count);
}

static void check_table(const TableAnswer *answer, const Position *position, const MoveList *legal)
{
    bool seen[MAX_MOVES] = { false };
    MoveChoice choice;
    for (int i = 0; i < answer->count; i++) {
        const TableMove *move = &answer->moves[i];
        must_be_new(legal, move->move, seen);
        must(move->end <= TABLE_WIN && move->dtz >= 0 && move->dtz <= TABLE_DTZ_MAX);
    }
    must(answer->is_whole == (answer->count == legal->count));
    if (table_choose(&choice, answer, position)) {
        must(abs(choice.score) <= SCORE_TABLEBASE);
        must_suggest(&choice, answer, position);
    }
}

static void read_table(const Position *position, const MoveList *legal, const char *body,
                       size_t len)
{
    static TableAnswer answer;
    if (table_answer_parse(&answer, position, body, len, NULL))
        check_table(&answer, position, legal);
}

static void read_chessdb(const Position *position, const MoveList *legal, const char *body,
                         size_t len)
{
    static ChessdbAnswer answer;
    static TableAnswer table;
    bool seen[MAX_MOVES] = { false };
    uint64_t random = len;
    MoveChoice choice;
    if (!chessdb_answer_parse(&answer, position, body, len, NULL))
        return;
    for (int i = 0; i < answer.count; i++)
        must_be_new(legal, answer.moves[i].move, seen);
    must(chessdb_choose(&choice, &answer, position, &settings, &random) ==
         (choice.move != MOVE_NONE));
    table_answer_of_chessdb(&table, position, &answer);
    check_table(&table, position, legal);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const fens[] = {
        FEN_START,
        "r3k2r/pPpp1ppp/8/3Pp3/8/8/P1P1PPPP/R3K2R w KQkq e6 0 9",
        "8/8/8/3k4/8/8/4Q3/K7 w - - 90 99",
        "4k3/4p3/8/8/8/8/4P3/4K3 b - - 3 40",
    };
    static void (*const readers[])(const Position *, const MoveList *, const char *,
                                   size_t) = { read_explorer, read_cloud, read_table,
                                               read_chessdb };
    Position position;
    MoveList legal;
    if (size == 0)
        return 0;
    must(fen_read(&position, fens[data[0] >> 2 & 3], FEN_STRICT, NULL, NULL));
    movegen_legal(&position, &legal);
    readers[data[0] & 3](&position, &legal, (const char *)data + 1, size - 1);
    return 0;
}
