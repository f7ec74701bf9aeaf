/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/source/online_answer.h"

#include "bot/model/score_text.h"
#include "bot/ops/jsonread.h"
#include "engine/core/uci_move.h"
#include "engine/search/engine.h"

#include <stdlib.h>

enum { MATE_MOVES_MAX = 60 }; /* longer ones are not distinguished */

static const int64_t GAMES_MAX = (int64_t)1 << 40;

/* The legal move that is written there, unless it was seen before; else MOVE_NONE. */
static Move read_move(const Position *position, Text uci, MoveList *seen)
{
    Move move;
    if (!uci_move_match(position, uci.at ? uci.at : "", uci.len, &move, NULL))
        return MOVE_NONE;
    for (int i = 0; i < seen->count; i++)
        if (seen->moves[i] == move)
            return MOVE_NONE;
    seen->moves[seen->count++] = move;
    return move;
}

/* A sound answer has no more entries than there are moves; the rest of a longer one is not looked
 * at. */
static size_t entries(const struct json_object *list)
{
    size_t count = list ? json_object_array_length(list) : 0;
    return count < MAX_MOVES ? count : MAX_MOVES;
}

bool explorer_answer_parse(ExplorerAnswer *out, const Position *position, const char *body,
                           size_t len, Error *err)
{
    struct json_object *tree = jsonread_parse(body, len, err);
    if (!tree)
        return false;
    const struct json_object *moves = jsonread_array(tree, "moves");
    if (!moves)
        error_set(err, ERR_INVALID, "an explorer's answer without moves");
    MoveList seen = { .count = 0 };
    out->count = 0;
    for (size_t i = 0; i < entries(moves); i++) {
        const struct json_object *entry = json_object_array_get_idx(moves, i);
        Move move = read_move(position, jsonread_text(entry, "uci"), &seen);
        if (move == MOVE_NONE)
            continue;
        out->moves[out->count++] =
            (ExplorerMove){ .move = move,
                            .white = jsonread_int(entry, "white", 0, GAMES_MAX, 0),
                            .draws = jsonread_int(entry, "draws", 0, GAMES_MAX, 0),
                            .black = jsonread_int(entry, "black", 0, GAMES_MAX, 0) };
    }
    json_object_put(tree);
    return moves;
}

/* "e2e4 e7e5 …": the first two. */
static bool read_line(CloudLine *out, const Position *position, Text line, MoveList *seen)
{
    MoveList none = { .count = 0 };
    Position after = *position;
    Undo undo;
    out->move = read_move(position, text_next_word(&line, " "), seen);
    if (out->move == MOVE_NONE)
        return false;
    position_make(&after, out->move, &undo);
    out->reply = read_move(&after, text_next_word(&line, " "), &none);
    return true;
}

/* From white's side. False where there is none. */
static bool read_score(int *out, const struct json_object *line, Colour us)
{
    enum { NONE = CLOUD_SCORE_MAX + 1 };
    int sign = us == WHITE ? 1 : -1;
    int mate = sign * (int)jsonread_int(line, "mate", -MATE_MOVES_MAX, MATE_MOVES_MAX, 0);
    int cp = (int)jsonread_int(line, "cp", -CLOUD_SCORE_MAX, CLOUD_SCORE_MAX, NONE);
    *out = mate != 0 ? score_of_mate(mate) : sign * cp;
    return mate != 0 || cp != NONE;
}

bool cloud_answer_parse(CloudAnswer *out, const Position *position, const char *body, size_t len,
                        Error *err)
{
    struct json_object *tree = jsonread_parse(body, len, err);
    if (!tree)
        return false;
    const struct json_object *pvs = jsonread_array(tree, "pvs");
    if (!pvs)
        error_set(err, ERR_INVALID, "a cloud evaluation without lines");
    MoveList seen = { .count = 0 };
    out->count = 0;
    out->depth = (int)jsonread_int(tree, "depth", 0, MAX_PLY - 1, 0);
    out->nodes = jsonread_int(tree, "knodes", 0, GAMES_MAX, 0) * 1000;
    for (size_t i = 0; i < entries(pvs) && out->count < CLOUD_LINES_MAX; i++) {
        const struct json_object *pv = json_object_array_get_idx(pvs, i);
        CloudLine line;
        if (read_line(&line, position, jsonread_text(pv, "moves"), &seen) &&
            read_score(&line.score, pv, position->side_to_move))
            out->lines[out->count++] = line;
    }
    json_object_put(tree);
    return pvs;
}

/* A move's category is from the other side's view. */
static bool read_category(TableEnd *out, Text category)
{
    static const struct {
        const char *word;
        TableEnd end;
    } words[] = {
        { "loss", TABLE_WIN },
        { "syzygy-loss", TABLE_MAYBE_WIN },
        { "maybe-loss", TABLE_MAYBE_WIN },
        { "blessed-loss", TABLE_CURSED_WIN },
        { "draw", TABLE_DRAW },
        { "cursed-win", TABLE_BLESSED_LOSS },
        { "maybe-win", TABLE_MAYBE_LOSS },
        { "syzygy-win", TABLE_MAYBE_LOSS },
        { "win", TABLE_LOSS },
    };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (!text_is(category, words[i].word))
            continue;
        *out = words[i].end;
        return true;
    }
    return false;
}

static bool is_whole(const TableAnswer *answer, const Position *position)
{
    MoveList legal;
    movegen_legal(position, &legal);
    return answer->count == legal.count;
}

bool table_answer_parse(TableAnswer *out, const Position *position, const char *body, size_t len,
                        Error *err)
{
    struct json_object *tree = jsonread_parse(body, len, err);
    if (!tree)
        return false;
    const struct json_object *moves = jsonread_array(tree, "moves");
    if (!moves)
        error_set(err, ERR_INVALID, "a tablebase's answer without moves");
    MoveList seen = { .count = 0 };
    out->count = 0;
    for (size_t i = 0; i < entries(moves); i++) {
        const struct json_object *entry = json_object_array_get_idx(moves, i);
        Move move = read_move(position, jsonread_text(entry, "uci"), &seen);
        TableEnd end;
        if (move == MOVE_NONE || !read_category(&end, jsonread_text(entry, "category")))
            continue;
        int dtz = (int)jsonread_int(entry, "dtz", -TABLE_DTZ_MAX, TABLE_DTZ_MAX, 0);
        out->moves[out->count++] = (TableMove){ .move = move, .end = end, .dtz = abs(dtz) };
    }
    out->is_whole = is_whole(out, position);
    json_object_put(tree);
    return moves;
}

bool chessdb_answer_parse(ChessdbAnswer *out, const Position *position, const char *body,
                          size_t len, Error *err)
{
    enum { NONE = INT32_MIN, SCORE_LIMIT = 30000 };
    struct json_object *tree = jsonread_parse(body, len, err);
    if (!tree)
        return false;
    Text status = jsonread_text(tree, "status");
    const struct json_object *moves = text_is(status, "ok") ? jsonread_array(tree, "moves") : NULL;
    MoveList seen = { .count = 0 };
    out->count = 0;
    out->is_limited = text_is(status, "rate limit exceeded");
    for (size_t i = 0; i < entries(moves); i++) {
        const struct json_object *entry = json_object_array_get_idx(moves, i);
        Move move = read_move(position, jsonread_text(entry, "uci"), &seen);
        int64_t score = jsonread_int(entry, "score", -SCORE_LIMIT, SCORE_LIMIT, NONE);
        if (move == MOVE_NONE || score == NONE)
            continue;
        out->moves[out->count++] = (ChessdbMove){
            .move = move, .score = (int)score, .rank = (int)jsonread_int(entry, "rank", 0, 2, 0)
        };
    }
    if (status.len == 0)
        error_set(err, ERR_INVALID, "an answer of chessdb without status");
    bool ok = status.len > 0;
    json_object_put(tree);
    return ok;
}

static bool read_distance(TableMove *out, const ChessdbMove *move)
{
    enum { CURSED = 20000, WON = 25000, MATE = 30000, HALF = 2500 };
    int size = abs(move->score);
    bool is_win = move->score > 0;
    *out = (TableMove){ .move = move->move, .end = TABLE_DRAW };
    if (size == 0)
        return true;
    if (size < CURSED - HALF)
        return false;
    int top = size <= CURSED ? CURSED : size <= WON ? WON : MATE;
    out->dtz = top - size;
    if (top == CURSED)
        out->end = is_win ? TABLE_CURSED_WIN : TABLE_BLESSED_LOSS;
    else
        out->end = is_win ? TABLE_WIN : TABLE_LOSS;
    return out->dtz <= TABLE_DTZ_MAX;
}

void table_answer_of_chessdb(TableAnswer *out, const Position *position,
                             const ChessdbAnswer *answer)
{
    out->count = 0;
    for (int i = 0; i < answer->count; i++)
        out->count += read_distance(&out->moves[out->count], &answer->moves[i]);
    out->is_whole = is_whole(out, position);
}
