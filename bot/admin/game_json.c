/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/admin/game_json.h"

#include "bot/admin/record_json.h"
#include "bot/review/eco.h"
#include "bot/review/replay.h"
#include "bot/model/score_text.h"
#include "bot/ops/json_put.h"
#include "engine/base/clock.h"
#include "engine/core/fen.h"
#include "engine/core/variant_rules.h"

static void put_score(struct json_object *to, int score, Colour mover)
{
    int for_white = mover == WHITE ? score : -score;
    if (score_is_mate(score))
        json_put_number(to, "mate", score_mate_moves(for_white));
    else
        json_put_number(to, "cp", for_white);
}

/* ---- the game ---- */

static void put_record(struct json_object *to, const GameRecord *record)
{
    json_put_text(to, "id", record->id);
    record_json_put_players(to, record);
    json_put_text(to, "us", colour_name(record->us));
    record_json_put_kind(to, record);
    if (record->created_at_ms > 0)
        json_put_number(to, "began_unix_s", record->created_at_ms / 1000);
    if (record->ended_at_ms > 0)
        json_put_number(to, "ended_unix_s", record->ended_at_ms / 1000);
    json_put_text(to, "status", status_name(record->status));
    json_put_text(to, "result", record_result(record->status, record->winner));
    json_put_number(to, "plies", (int64_t)record->count);
    if (record->initial_fen[0] != '\0')
        json_put_text(to, "initial_fen", record->initial_fen);
    if (record->count > 0)
        json_put_text(to, "last", record->moves[record->count - 1].uci);
}

static void put_position(struct json_object *to, const Position *pos)
{
    char fen[FEN_SIZE];
    fen_write(pos, fen);
    json_put_text(to, "fen", fen);
}

/* ---- moves ---- */

/* `after`: the position after it, NULL: not wanted. */
static struct json_object *people_json(const RecordPeople *people)
{
    struct json_object *to = json_object_new_object();
    json_put_number(to, "percent", people->percent);
    json_put_text(to, "first", people->first);
    json_put_number(to, "first_percent", people->first_percent);
    if (people->searched[0] != '\0')
        json_put_text(to, "searched", people->searched);
    return to;
}

static struct json_object *move_json(const GameRecord *record, size_t index, const char *san,
                                     const Position *after)
{
    const RecordMove *move = &record->moves[index];
    struct json_object *to = json_object_new_object();
    json_put_text(to, "uci", move->uci);
    json_put_text(to, "san", san);
    if (after)
        put_position(to, after);
    if (move->clock_ms >= 0)
        json_put_number(to, "clock_ms", move->clock_ms);
    if (move->is_book)
        json_put_bool(to, "book", true);
    if (!move->has_choice)
        return to;
    json_put_number(to, "ms", move->time_ms);
    if (move->depth > 0) {
        put_score(to, move->score, record_mover(record, index));
        json_put_number(to, "depth", move->depth);
    }
    if (move->people.first[0] != '\0')
        json_put_value(to, "people", people_json(&move->people));
    return to;
}

/* Can who knows the board before a move see from its text what it does? In variants captures
 * explode, and men come back. */
static bool has_plain_moves(const GameRecord *record)
{
    return variant_is_chess(record->variant);
}

/* From the beginning, since a move's name needs its position. A move beyond our rules, and all
 * after it, stand as the server wrote them. The position after the last is put too. */
static void put_replayed(struct json_object *to, struct json_object *list, const GameRecord *record,
                         size_t from)
{
    Position pos;
    const Position *after = has_plain_moves(record) ? NULL : &pos;
    bool is_known = replay_begin(&pos, record->variant, record->initial_fen);
    for (size_t i = 0; i < record->count; i++) {
        char san[SAN_SIZE];
        const char *uci = record->moves[i].uci;
        is_known = is_known && replay_move(&pos, text_of(uci), san) != MOVE_NONE;
        if (i >= from)
            json_put_entry(list,
                           move_json(record, i, is_known ? san : uci, is_known ? after : NULL));
        if (i + 1 == record->count)
            json_put_text(to, "last_san", is_known ? san : uci);
    }
    if (is_known) {
        put_position(to, &pos);
        json_put_text(to, "turn", colour_name(pos.side_to_move));
    }
}

static const char *latest_san(const Scoresheet *sheet, size_t back)
{
    return sheet->tail[(size_t)sheet->tail_count - 1 - back].san;
}

/* The names of the latest moves stand on the sheet. */
static bool put_latest(struct json_object *to, struct json_object *list, const GameRecord *record,
                       size_t from, const Scoresheet *sheet)
{
    size_t count = from < record->count ? record->count - from : 0;
    if (count > (size_t)sheet->tail_count || sheet->ply != record->count ||
        (count > 0 && !has_plain_moves(record)))
        return false;
    for (size_t i = from; i < record->count; i++)
        json_put_entry(list, move_json(record, i, latest_san(sheet, record->count - 1 - i), NULL));
    if (sheet->tail_count > 0)
        json_put_text(to, "last_san", latest_san(sheet, 0));
    json_put_text(to, "turn", colour_name(sheet->position.side_to_move));
    put_position(to, &sheet->position);
    return true;
}

/* A viewer who has the moves before knows it once no named position is to come. */
static void put_opening(struct json_object *to, const GameRecord *record, size_t from)
{
    char title[ECO_TITLE_SIZE];
    EcoOpening opening;
    bool knows_opening =
        from != GAME_JSON_NO_MOVES && (from >= record->count || from > ECO_PLIES_MAX);
    if (knows_opening || !eco_of_record(record, &opening))
        return;
    eco_title_write(&opening, title);
    json_put_text(to, "opening", title);
}

static struct json_object *move_list(struct json_object *to, const GameRecord *record, size_t from)
{
    struct json_object *list = json_object_new_array();
    json_put_number(to, "from", (int64_t)(from < record->count ? from : record->count));
    json_put_value(to, "moves", list);
    return list;
}

/* ---- a game that is being played ---- */

static struct json_object *pv_json(const SessionView *view)
{
    struct json_object *list = json_object_new_array();
    Position pos = *view->from;
    for (int i = 0; i < view->choice.pv_length; i++) {
        char san[SAN_SIZE];
        Undo undo;
        if (variant_end(&pos) != VARIANT_GOES_ON || !position_allows(&pos, view->choice.pv[i]))
            break; /* a line out of the transposition table may end in nothing */
        san_write(&pos, view->choice.pv[i], san);
        position_make(&pos, view->choice.pv[i], &undo);
        json_put_entry(list, json_object_new_string(san));
    }
    return list;
}

static void put_eval(struct json_object *to, const SessionView *view, Colour us)
{
    if (view->choice.depth == 0)
        return;
    struct json_object *eval = json_object_new_object();
    put_score(eval, view->choice.score, us);
    json_put_number(eval, "depth", view->choice.depth);
    json_put_number(eval, "nodes", (int64_t)view->choice.nodes);
    json_put_bool(eval, "is_searching", view->is_searching);
    if (view->from) {
        json_put_value(eval, "pv", pv_json(view));
        json_put_number(eval, "pv_ply", (int64_t)view->from->ply + 1);
    }
    json_put_value(to, "eval", eval);
}

static void put_clocks(struct json_object *to, const Game *game)
{
    const GameClock *clock = &game->clock;
    int64_t now_ms = clock_now_ms();
    if (!clock->has_clock)
        return;
    struct json_object *left = json_object_new_object();
    for (Colour colour = WHITE; colour < COLOUR_COUNT; colour++)
        json_put_number(
            left, colour_name(colour),
            gameclock_left_ms(clock, colour, game->sheet.position.side_to_move, now_ms));
    json_put_value(to, "clock_ms", left);
    json_put_bool(to, "is_ticking", clock->running && game->status == STATUS_STARTED);
}

static void put_last_clocks(struct json_object *to, const GameRecord *record)
{
    struct json_object *left = json_object_new_object();
    if (record->time.kind != TIME_CLOCK) {
        json_object_put(left);
        return;
    }
    for (Colour colour = WHITE; colour < COLOUR_COUNT; colour++) {
        int64_t ms = record->time.base_s * 1000;
        for (size_t i = record->count; i > 0; i--) {
            if (record_mover(record, i - 1) != colour || record->moves[i - 1].clock_ms < 0)
                continue;
            ms = record->moves[i - 1].clock_ms;
            break;
        }
        bool has_run_out = record->status == STATUS_OUTOFTIME && record->winner != COLOUR_NONE &&
                           record->winner != colour;
        json_put_number(left, colour_name(colour), has_run_out ? 0 : ms);
    }
    json_put_value(to, "clock_ms", left);
    json_put_bool(to, "is_ticking", false);
}

/* Of our last search. */
static void put_last_eval(struct json_object *to, const GameRecord *record)
{
    for (size_t i = record->count; i > 0; i--) {
        const RecordMove *move = &record->moves[i - 1];
        if (!move->has_choice || move->depth == 0)
            continue;
        struct json_object *eval = json_object_new_object();
        put_score(eval, move->score, record_mover(record, i - 1));
        json_put_number(eval, "depth", move->depth);
        json_put_value(to, "eval", eval);
        return;
    }
}

struct json_object *game_json_of_session(const Session *session, size_t from)
{
    struct json_object *to = json_object_new_object();
    const Game *game = session_game(session);
    const GameRecord *record = session_record(session);
    char engine[INI_SECTION_LONGEST + 1];
    if (!to)
        return NULL;
    json_put_text(to, "phase",
                  game->correspondence.is_asleep ? "resting" : game_phase_name(game->phase));
    if (record->id[0] == '\0' || game->us == COLOUR_NONE) {
        json_put_text(to, "id", game->id);
        return to;
    }
    SessionView view = session_view(session);
    put_record(to, record);
    json_put_bool(to, "our_turn", game_owes_move(game));
    session_engine(session, engine);
    if (engine[0] != '\0')
        json_put_text(to, "engine", engine);
    put_clocks(to, game);
    put_eval(to, &view, game->us);
    struct json_object *list = move_list(to, record, from);
    if (!put_latest(to, list, record, from, &game->sheet))
        put_replayed(to, list, record, from);
    put_opening(to, record, from);
    return to;
}

struct json_object *game_json_of_record(const GameRecord *record, size_t from)
{
    struct json_object *to = json_object_new_object();
    if (!to)
        return NULL;
    json_put_text(to, "phase", "over");
    put_record(to, record);
    put_last_clocks(to, record);
    put_last_eval(to, record);
    put_replayed(to, move_list(to, record, from), record, from);
    put_opening(to, record, 0);
    return to;
}

struct json_object *game_json_find(const GameSet *games, Text id, size_t from)
{
    char name[GAME_ID_SIZE];
    if (id.len == 0 || !text_copy(name, sizeof name, id))
        return NULL;
    const Session *session = game_set_find(games, name);
    if (session)
        return game_json_of_session(session, from);
    const GameRecord *record = game_set_find_recent(games, id);
    return record ? game_json_of_record(record, from) : NULL;
}
