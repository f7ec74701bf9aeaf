/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/source/online_choice.h"

#include "engine/base/minmax.h"
#include "engine/base/random.h"
#include "engine/core/outcome.h"

enum {
    MOVES_LEFT = 40, /* with what is left on the clock, as a guess */
    PLIES_MAX = 100, /* without progress, then the game is drawn */
    SPARE_PLIES = 2, /* of these: distances may be off by one */
    GOOD = 2,        /* chessdb's rank of moves that it calls so */
};

/* 0: there are none. */
static int tablebase_pieces(Ruleset ruleset)
{
    return ruleset == RULES_STANDARD                               ? ONLINE_TABLEBASE_PIECES
           : ruleset == RULES_ATOMIC || ruleset == RULES_ANTICHESS ? ONLINE_VARIANT_TABLEBASE_PIECES
                                                                   : 0;
}

/* Tablebases exist for the position, by its rules: few pieces, and no castling rights. */
static bool is_endgame(const Position *position)
{
    return bitboard_count(position->occupied) <= tablebase_pieces(position->ruleset) &&
           position->castling == 0;
}

bool online_may_be_endgame(const Position *position)
{
    Bitboard ahead = position->pieces[WHITE][PAWN] << 8;
    ahead |= ahead << 8;
    ahead |= ahead << 16;
    ahead |= ahead << 32;
    return position->ruleset == RULES_STANDARD &&
           bitboard_count(position->occupied) == ONLINE_TABLEBASE_PIECES + 1 &&
           position->castling == 0 && (ahead & position->pieces[BLACK][PAWN]) != 0;
}

static bool is_opening(const MoveRequest *request)
{
    int max_ply = request->online.max_ply;
    return max_ply == 0 || request->position->ply < (uint32_t)max_ply;
}

static bool has_games(const OnlineSettings *online, bool is_usual)
{
    switch (online->games) {
    case EXPLORER_MASTERS:
        return is_usual;
    case EXPLORER_OPPONENT: /* may be anonymous */
        return online->player[0] != '\0';
    case EXPLORER_LICHESS:
    case EXPLORER_PLAYER:
        return true;
    case EXPLORER_COUNT:
        return false;
    }
    return false;
}

static bool is_worth_asking(OnlineService service, const MoveRequest *request)
{
    const Position *position = request->position;
    bool has_tables = is_endgame(position);
    bool is_chess960 = request->variant == VARIANT_CHESS960 || position->rules.chess960;
    bool is_chess = position->ruleset == RULES_STANDARD;
    switch (service) {
    case ONLINE_TABLEBASE:
        return has_tables || online_may_be_endgame(position);
    case ONLINE_CLOUD:
        return !has_tables && is_opening(request);
    case ONLINE_EXPLORER:
        return !has_tables && is_opening(request) &&
               has_games(&request->online, is_chess && !is_chess960);
    case ONLINE_CHESSDB: /* reads and writes castling of Chess960 in other ways than we */
        return is_chess && !(is_chess960 && position->castling != 0) &&
               (has_tables || is_opening(request));
    case ONLINE_SERVICE_COUNT:
        return false;
    }
    return false;
}

/* The service's own value, where the operator gave it one. */
static int64_t own_or(int pooled, int common)
{
    return pooled == CONFIG_AUTO ? common : pooled;
}

static bool has_time_for(OnlineService service, const MoveRequest *request)
{
    const OnlineSettings *online = &request->online;
    int64_t min_clock_s = own_or(online->min_clock_of_s[service], online->min_clock_s);
    return !request->limits.has_clock || request->limits.time_ms[request->us] >= min_clock_s * 1000;
}

bool online_is_wanted(const MoveRequest *request)
{
    return request->online.services.count > 0;
}

int online_plan(OnlineService out[ONLINE_SERVICE_COUNT], const MoveRequest *request,
                int local_pieces)
{
    const Sequence *services = &request->online.services;
    int count = 0;
    if (request->position->ruleset == RULES_STANDARD && is_endgame(request->position) &&
        bitboard_count(request->position->occupied) <= local_pieces)
        return 0;
    for (int i = 0; i < services->count; i++) {
        OnlineService service = (OnlineService)services->at[i];
        if (has_time_for(service, request) && is_worth_asking(service, request))
            out[count++] = service;
    }
    return count;
}

int64_t online_deadline_ms(const MoveRequest *request, OnlineService service)
{
    const SearchLimits *limits = &request->limits;
    int64_t deadline = own_or(request->online.deadline_of_ms[service], request->online.deadline_ms);
    if (limits->has_clock)
        deadline = int64_min(deadline, limits->time_ms[request->us] / MOVES_LEFT +
                                           limits->increment_ms[request->us] / 2);
    return deadline;
}

static bool repeats(const Position *position, Move move)
{
    Position after = *position;
    Undo undo;
    position_make(&after, move, &undo);
    return position_repetitions(&after) > 0;
}

/* Openings. */

static int64_t games_of(const ExplorerMove *move)
{
    return move->white + move->draws + move->black;
}

/* Per million of what could be won, as if `prior` more games had been drawn: a few lucky games make
 * no good move. */
static int64_t score_of(const ExplorerMove *move, Colour us, int64_t prior)
{
    int64_t won = us == WHITE ? move->white : move->black;
    return (2 * won + move->draws + prior) * 1000000 / (2 * (games_of(move) + prior));
}

bool explorer_choose(MoveChoice *out, const ExplorerAnswer *answer, const Position *position,
                     const OnlineSettings *settings, uint64_t *random)
{
    int64_t best = -1, total = 0;
    Move chosen = MOVE_NONE;
    for (int i = 0; i < answer->count; i++) {
        const ExplorerMove *move = &answer->moves[i];
        int64_t games = games_of(move), value = games;
        if (games < settings->min_games || repeats(position, move->move))
            continue;
        if (settings->choice == PICK_WEIGHTED) { /* each in turn takes the place with its share */
            total += games;
            value = (int64_t)random_below(random, (uint64_t)total) < games ? best + 1 : -1;
        } else if (settings->choice == PICK_SCORE) {
            value = score_of(move, position->side_to_move, settings->min_games);
        }
        if (value <= best)
            continue;
        best = value;
        chosen = move->move;
    }
    *out = (MoveChoice){ .move = chosen };
    return chosen != MOVE_NONE;
}

/* One of those that are close enough to the best, by chance: the index, or -1. */
static int pick_near_best(const int scores[], int count, int max_drop, uint64_t *random)
{
    int best = INT32_MIN, near = 0, chosen = -1;
    for (int i = 0; i < count; i++)
        best = scores[i] > best ? scores[i] : best;
    for (int i = 0; i < count; i++) {
        if (scores[i] < best - max_drop)
            continue;
        if (random_below(random, (uint64_t)++near) == 0)
            chosen = i;
    }
    return chosen;
}

bool cloud_choose(MoveChoice *out, const CloudAnswer *answer, const Position *position,
                  const OnlineSettings *settings, uint64_t *random)
{
    int scores[CLOUD_LINES_MAX];
    *out = (MoveChoice){ .move = MOVE_NONE };
    if (answer->depth < settings->min_depth)
        return false;
    for (int i = 0; i < answer->count; i++)
        scores[i] = answer->lines[i].score;
    int at = pick_near_best(scores, answer->count, settings->max_drop_cp, random);
    if (at < 0 || repeats(position, answer->lines[at].move))
        return false;
    const CloudLine *line = &answer->lines[at];
    *out = (MoveChoice){ .move = line->move,
                         .reply = line->reply,
                         .score = line->score,
                         .depth = answer->depth,
                         .nodes = (uint64_t)answer->nodes };
    return true;
}

bool chessdb_choose(MoveChoice *out, const ChessdbAnswer *answer, const Position *position,
                    const OnlineSettings *settings, uint64_t *random)
{
    int scores[MAX_MOVES], at[MAX_MOVES], count = 0;
    *out = (MoveChoice){ .move = MOVE_NONE };
    for (int i = 0; i < answer->count; i++) {
        if (answer->moves[i].rank < GOOD)
            continue;
        scores[count] = answer->moves[i].score;
        at[count++] = i;
    }
    int chosen = pick_near_best(scores, count, settings->max_drop_cp, random);
    if (chosen < 0 || repeats(position, answer->moves[at[chosen]].move))
        return false;
    out->move = answer->moves[at[chosen]].move;
    return true;
}

/* Endgames. */

static bool is_won(TableEnd end)
{
    return end == TABLE_MAYBE_WIN || end == TABLE_WIN;
}

static bool is_lost(TableEnd end)
{
    return end == TABLE_LOSS || end == TABLE_MAYBE_LOSS;
}

/* How the game really ends: the tables ignore how many moves went without progress. */
static TableEnd true_end(const TableMove *move, const Position *after)
{
    bool is_late = after->halfmove_clock + move->dtz > PLIES_MAX;
    switch (position_outcome(after)) {
    case OUTCOME_CHECKMATE:
    case OUTCOME_VARIANT_LOSS:
        return TABLE_WIN;
    case OUTCOME_STALEMATE:
    case OUTCOME_INSUFFICIENT_MATERIAL:
    case OUTCOME_FIVEFOLD:
    case OUTCOME_SEVENTY_FIVE_MOVES:
    case OUTCOME_THREEFOLD:
    case OUTCOME_FIFTY_MOVES:
    case OUTCOME_VARIANT_DRAW:
        return TABLE_DRAW;
    case OUTCOME_VARIANT_WIN:
        return TABLE_LOSS;
    case OUTCOME_NONE:
        break;
    }
    if (is_late && is_won(move->end))
        return TABLE_CURSED_WIN;
    if (is_late && is_lost(move->end))
        return TABLE_BLESSED_LOSS;
    return move->end;
}

/* Higher is better. A repetition is a step back where the game is won, a straw where it is lost. */
static int rank_of(TableEnd end, int dtz, bool is_repetition)
{
    enum { PER_END = 8 * TABLE_DTZ_MAX };
    int rank = (int)end * PER_END;
    if (is_won(end))
        return rank - dtz - (is_repetition ? 2 * TABLE_DTZ_MAX : 0);
    if (is_lost(end))
        return rank + dtz + (is_repetition ? 2 * TABLE_DTZ_MAX : 0);
    return rank;
}

static int table_score(TableEnd end, int dtz)
{
    int plies = dtz < MAX_PLY ? dtz : MAX_PLY - 1;
    if (is_won(end))
        return SCORE_TABLEBASE - plies;
    return is_lost(end) ? plies - SCORE_TABLEBASE : SCORE_DRAW;
}

static TablebaseVerdict table_verdict(TableEnd end)
{
    switch (end) {
    case TABLE_LOSS:
        return TABLEBASE_VERDICT_LOSS;
    case TABLE_MAYBE_LOSS:
        return TABLEBASE_VERDICT_NONE;
    case TABLE_BLESSED_LOSS:
    case TABLE_DRAW:
        return TABLEBASE_VERDICT_DRAW;
    case TABLE_CURSED_WIN:
        return TABLEBASE_VERDICT_CURSED_WIN;
    case TABLE_MAYBE_WIN:
    case TABLE_WIN:
        return TABLEBASE_VERDICT_WIN;
    }
    return TABLEBASE_VERDICT_NONE;
}

/* What becomes of a move. */
typedef struct {
    Move move;
    TableEnd end;
    int dtz;
    int rank;
    bool is_repetition;
    int plies; /* without progress, when it comes to the next */
} Prospect;

static Prospect foresee(const TableMove *move, const Position *position)
{
    Position after = *position;
    Undo undo;
    position_make(&after, move->move, &undo);
    bool is_mate = position_outcome(&after) == OUTCOME_CHECKMATE;
    Prospect prospect = { .move = move->move,
                          .end = true_end(move, &after),
                          .dtz = is_mate ? 0 : move->dtz,
                          .is_repetition = position_repetitions(&after) > 0,
                          .plies = after.halfmove_clock + move->dtz };
    prospect.rank = rank_of(prospect.end, prospect.dtz, prospect.is_repetition);
    return prospect;
}

/* The first of the best. Its move is MOVE_NONE where there is none. */
static Prospect best_prospect(const TableAnswer *answer, const Position *position)
{
    Prospect best = { .move = MOVE_NONE, .rank = INT32_MIN };
    for (int i = 0; i < answer->count; i++) {
        Prospect prospect = foresee(&answer->moves[i], position);
        if (prospect.rank > best.rank)
            best = prospect;
    }
    return best;
}

bool table_choose(MoveChoice *out, const TableAnswer *answer, const Position *position)
{
    Prospect best = best_prospect(answer, position);
    *out = (MoveChoice){ .move = best.move };
    if (best.move == MOVE_NONE)
        return false;
    out->score = table_score(best.end, best.dtz);
    out->depth = 1;
    out->tablebase_verdict = table_verdict(best.end);
    return answer->is_whole || is_won(best.end);
}

void table_suggest(MoveList *candidates, const TableAnswer *answer, const Position *position)
{
    Prospect best = best_prospect(answer, position);
    bool is_free = !is_won(best.end) || position_repetitions(position) == 0;
    candidates->count = 0;
    for (int i = 0; i < answer->count; i++) {
        Prospect other = foresee(&answer->moves[i], position);
        bool is_progress =
            !is_won(best.end) || (!other.is_repetition && other.plies <= PLIES_MAX - SPARE_PLIES);
        if (other.move == best.move || (other.end == best.end && is_free && is_progress))
            candidates->moves[candidates->count++] = other.move;
    }
}

/* All of it. */

/* A choice among one is none. */
static bool judge_table(MoveChoice *out, MoveList *candidates, const TableAnswer *answer,
                        const Position *position, const OnlineSettings *settings)
{
    if (!table_choose(out, answer, position))
        return false;
    if (settings->tables == TABLES_BEST)
        return true;
    table_suggest(candidates, answer, position);
    if (candidates->count == 1)
        candidates->count = 0;
    return true;
}

static OnlineOutcome judge_body(MoveChoice *out, MoveList *candidates, OnlineService service,
                                Text body, const Position *position, const OnlineSettings *settings,
                                uint64_t *random, Error *err)
{
    union {
        ExplorerAnswer explorer;
        CloudAnswer cloud;
        ChessdbAnswer chessdb;
    } answer;
    TableAnswer table;
    bool is_read = false, is_found = false;
    switch (service) {
    case ONLINE_TABLEBASE:
        is_read = table_answer_parse(&table, position, body.at, body.len, err);
        is_found = is_read && judge_table(out, candidates, &table, position, settings);
        break;
    case ONLINE_CLOUD:
        is_read = cloud_answer_parse(&answer.cloud, position, body.at, body.len, err);
        is_found = is_read && cloud_choose(out, &answer.cloud, position, settings, random);
        break;
    case ONLINE_EXPLORER:
        is_read = explorer_answer_parse(&answer.explorer, position, body.at, body.len, err);
        is_found = is_read && explorer_choose(out, &answer.explorer, position, settings, random);
        break;
    case ONLINE_CHESSDB:
        is_read = chessdb_answer_parse(&answer.chessdb, position, body.at, body.len, err);
        if (!is_read)
            break;
        if (answer.chessdb.is_limited)
            return ONLINE_LIMITED;
        table_answer_of_chessdb(&table, position, &answer.chessdb);
        is_found = is_endgame(position)
                       ? judge_table(out, candidates, &table, position, settings)
                       : chessdb_choose(out, &answer.chessdb, position, settings, random);
        break;
    case ONLINE_SERVICE_COUNT:
        break;
    }
    return is_found ? ONLINE_FOUND : is_read ? ONLINE_NOTHING : ONLINE_FAILED;
}

OnlineOutcome online_judge(MoveChoice *out, MoveList *candidates, OnlineService service, int status,
                           Text body, const Position *position, const OnlineSettings *settings,
                           uint64_t *random, Error *err)
{
    candidates->count = 0;
    switch (status) {
    case 200:
        return judge_body(out, candidates, service, body, position, settings, random, err);
    case 404:
        return ONLINE_NOTHING;
    case 401:
    case 403:
    case 429:
        return ONLINE_LIMITED;
    default:
        error_set(err, ERR_IO, "status %d", status);
        return ONLINE_FAILED;
    }
}
