/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/game/game_log.h"

#include "bot/model/record.h"
#include "bot/model/score_text.h"
#include "engine/base/text_format.h"
#include "engine/core/fen.h"

#include <inttypes.h>
#include <stdlib.h>

enum { SMALL = 24 };

/* "59.104", "-" without a clock. */
static const char *seconds(char out[SMALL], int64_t ms)
{
    if (ms == INT64_MAX)
        text_format(out, SMALL, "-");
    else
        text_format(out, SMALL, "%" PRId64 ".%03d", ms / 1000, (int)(ms % 1000));
    return out;
}

static const char *choice_score(char out[SMALL], const MoveChoice *choice)
{
    static_assert((int)SMALL >= (int)SCORE_TEXT_SIZE, "a score has room");
    return choice->depth > 0 ? score_text(choice->score, out) : "-";
}

static void log_joined(Log *log, const Game *game, const GameRecord *record, const Note *note)
{
    char clock[TIME_CONTROL_TEXT_SIZE], name[PLAYER_TEXT_SIZE];
    const Player *them = record_opponent(record);
    time_control_text(&record->time, clock);
    player_text(them, name);
    log_info(log, "game", note->ply > 0 ? "resumed" : "started",
             FIELDS(F("id", game->id), F("opponent", name), F("rating", them->rating),
                    F("colour", colour_name(game->us)), F("variant", variant_name(game->variant)),
                    F("speed", speed_name(record->speed)), F("clock", clock),
                    F("rated", record->rated ? "yes" : "no"), F("plies", note->ply)));
}

/* How many of a hundred people play the move: "31%". */
static const char *people_text(char out[SMALL], const MoveChoice *choice)
{
    text_format(out, SMALL, "%.0f%%", (double)choice->human.probability * 100);
    return out;
}

/* The last field only where it says something. */
static LogFields last_if(bool says_something, LogFields fields)
{
    fields.count -= says_something ? 0 : 1;
    return fields;
}

static void log_move(Log *log, const Game *game, const Note *note)
{
    char score[SMALL], time[SMALL], clock[SMALL], people[SMALL];
    const MoveChoice *choice = &note->choice;
    log_info(log, "game", "move",
             last_if(choice->human.probability > 0,
                     FIELDS(F("id", game->id), F("ply", note->ply), F("move", note->san),
                            F("uci", note->uci), F("score", choice_score(score, choice)),
                            F("depth", choice->depth), F("nodes", choice->nodes),
                            F("time_s", seconds(time, choice->time_ms)),
                            F("clock_s", seconds(clock, note->ms)),
                            F("source", choice->source ? choice->source : "none"),
                            F("people", people_text(people, choice)))));
}

static void log_desynced(Log *log, const Game *game, const Note *note)
{
    char fen[FEN_SIZE];
    fen_write(&game->sheet.position, fen);
    log_error(log, "game", "desynced",
              FIELDS(F("id", game->id), F("why", note->text), F("fen", fen),
                     F("moves", ((Text){ game->sheet.text, (size_t)(game->sheet.len) }))));
}

static const char *stream_end_text(StreamEnd end)
{
    static const char *const texts[] = {
        [STREAM_CLOSED] = "closed by the server",
        [STREAM_LOST] = "lost, no reason is known",
        [STREAM_LIMITED] = "rate limit",
        [STREAM_NOT_FOUND] = "no such game",
        [STREAM_REFUSED] = "refused",
    };
    return texts[end];
}

/* What the tables said of our latest move. */
static const char *verdict_name(const Game *game)
{
    static const char *const names[] = {
        [TABLEBASE_VERDICT_NONE] = "silent", [TABLEBASE_VERDICT_LOSS] = "loss",
        [TABLEBASE_VERDICT_DRAW] = "draw",   [TABLEBASE_VERDICT_CURSED_WIN] = "cursed-win",
        [TABLEBASE_VERDICT_WIN] = "win",
    };
    return names[game->eval_history.tablebase_verdict];
}

typedef void LogAtLevel(Log *log, const char *component, const char *event, LogFields fields);

/* A field that a note fills in. */
typedef enum {
    COL_NONE,
    COL_PLY,
    COL_COUNT,
    COL_MS,
    COL_SECONDS, /* `ms`, with its thousandths */
    COL_LAG,
    COL_END,
    COL_SAN,
    COL_UCI,
    COL_TEXT,
    COL_ANSWER,
    COL_CLAIM,
    COL_VERDICT, /* the tablebases', on our latest move */
    COL_WORDS,   /* the row's own */
} Column;

enum { COLUMNS_MAX = 4 };

/* How the notes are logged that need no more than this: `id` and these fields. */
// clang-format off
static const struct {
    LogAtLevel *log;
    const char *event;
    struct {
        const char *key;
        Column column;
    } fields[COLUMNS_MAX];
    const char *words;
} rows[] = {
    [NOTE_STREAM_BACK] = { .log = log_info, .event = "stream-back" },
    [NOTE_THEIR_MOVE] = { .log = log_info, .event = "reply",
        .fields = { { "ply", COL_PLY }, { "move", COL_SAN }, { "clock_s", COL_SECONDS } } },
    [NOTE_CONFIRMED] = { .log = log_debug, .event = "confirmed",
        .fields = { { "ply", COL_PLY }, { "requests", COL_COUNT }, { "after_ms", COL_MS },
          { "lag_ms", COL_LAG } } },
    [NOTE_LOST] = { .log = log_warning, .event = "request-lost",
        .fields = { { "ply", COL_PLY }, { "uci", COL_UCI }, { "request", COL_COUNT } } },
    [NOTE_REFUSED] = { .log = log_warning, .event = "request-refused",
        .fields = { { "ply", COL_PLY }, { "uci", COL_UCI }, { "request", COL_COUNT } } },
    [NOTE_LIMITED] = { .log = log_warning, .event = "request-limited",
        .fields = { { "ply", COL_PLY }, { "uci", COL_UCI }, { "request", COL_COUNT } } },
    [NOTE_AGAIN] = { .log = log_warning, .event = "move-owed",
        .fields = { { "ply", COL_PLY }, { "uci", COL_UCI }, { "request", COL_COUNT } } },
    [NOTE_RESYNC] = { .log = log_warning, .event = "unconfirmed",
        .fields = { { "ply", COL_PLY }, { "uci", COL_UCI } } },
    [NOTE_TAKEN_BACK] = { .log = log_info, .event = "taken-back",
        .fields = { { "plies", COL_PLY }, { "was", COL_COUNT } } },
    [NOTE_TAKEBACK_ASKED] = { .log = log_info, .event = "takeback-asked",
        .fields = { { "ply", COL_PLY }, { "answer", COL_ANSWER } } },
    [NOTE_DRAW_OFFERED] = { .log = log_info, .event = "draw-offered",
        .fields = { { "ply", COL_PLY }, { "answer", COL_ANSWER } } },
    [NOTE_OFFERS_DRAW] = { .log = log_info, .event = "offers-draw",
        .fields = { { "ply", COL_PLY }, { "tablebase", COL_VERDICT } } },
    [NOTE_RESIGNS] = { .log = log_info, .event = "resigns",
        .fields = { { "ply", COL_PLY }, { "tablebase", COL_VERDICT } } },
    [NOTE_CLAIMS] = { .log = log_info, .event = "opponent-gone",
        .fields = { { "claims", COL_CLAIM } } },
    [NOTE_NO_FIRST_MOVE] = { .log = log_info, .event = "aborting",
        .fields = { { "why", COL_WORDS }, { "waited_s", COL_SECONDS } }, .words = "no first move" },
    [NOTE_ABORT_REFUSED] = { .log = log_warning, .event = "abort-refused" },
    [NOTE_UNPLAYABLE] = { .log = log_error, .event = "unplayable",
        .fields = { { "why", COL_TEXT } } },
    [NOTE_CLAIMS_DROPPED] = { .log = log_warning, .event = "fen-claims-dropped",
        .fields = { { "count", COL_COUNT } } },
    [NOTE_STOPPED_EARLY] = { .log = log_warning, .event = "search-late",
        .fields = { { "ply", COL_PLY }, { "clock_s", COL_SECONDS } } },
    [NOTE_LAST_RESORT] = { .log = log_error, .event = "last-resort",
        .fields = { { "ply", COL_PLY }, { "why", COL_WORDS } },
        .words = "no usable move from the search" },
    [NOTE_GONE] = { .log = log_warning, .event = "gone",
        .fields = { { "why", COL_END } } },
    [NOTE_OLD_STATE] = { .log = log_info, .event = "old-state",
        .fields = { { "plies", COL_PLY }, { "was", COL_COUNT } } },
    [NOTE_UNSEEN] = { .log = log_warning, .event = "move-unseen",
        .fields = { { "ply", COL_PLY } } },
    [NOTE_UNLISTED] = { .log = log_info, .event = "not-listed" },
    [NOTE_LET_GO] = { .log = log_error, .event = "let-go",
        .fields = { { "unreadable_s", COL_SECONDS } } },
    [NOTE_UNKNOWN_STATUS] = { .log = log_warning, .event = "unknown-status",
        .fields = { { "status", COL_TEXT } } },
    [NOTE_SLEEPS] = { .log = log_debug, .event = "sleeps",
        .fields = { { "ply", COL_PLY } } },
};
// clang-format on

static LogField field(const Game *game, const Note *note, size_t column, char clock[SMALL])
{
    const char *key = rows[note->kind].fields[column].key;
    switch (rows[note->kind].fields[column].column) {
    case COL_PLY:
        return F(key, note->ply);
    case COL_COUNT:
        return F(key, note->count);
    case COL_MS:
        return F(key, note->ms);
    case COL_SECONDS:
        return F(key, seconds(clock, note->ms));
    case COL_LAG:
        return F(key, note->lag_ms);
    case COL_END:
        return F(key, stream_end_text(note->end));
    case COL_SAN:
        return F(key, note->san);
    case COL_UCI:
        return F(key, note->uci);
    case COL_TEXT:
        return F(key, note->text);
    case COL_ANSWER:
        return F(key, note->is_accepted ? "yes" : "no");
    case COL_CLAIM:
        return F(key, note->claims_victory ? "victory" : "draw");
    case COL_VERDICT:
        return F(key, verdict_name(game));
    case COL_WORDS:
    case COL_NONE:
        break;
    }
    return F(key, rows[note->kind].words);
}

static void log_row(Log *log, const Game *game, const Note *note)
{
    char clock[SMALL];
    LogField fields[1 + COLUMNS_MAX] = { F("id", game->id) };
    int count = 1;
    for (size_t i = 0; i < COLUMNS_MAX && rows[note->kind].fields[i].column != COL_NONE; i++)
        fields[count++] = field(game, note, i, clock);
    rows[note->kind].log(log, "game", rows[note->kind].event, (LogFields){ fields, count });
}

void game_log_stream_lost(Log *log, const Game *game, const Note *note, const ApiAnswer *answer)
{
    int64_t wait = note->ms > 0 ? note->ms : 0;
    const char *known = answer ? answer->reason : "";
    const char *why = known[0] != '\0' ? known : stream_end_text(note->end);
    if (note->count > 1)
        log_debug(log, "game", "stream-still-lost",
                  FIELDS(F("id", game->id), F("why", why), F("retry_in_ms", wait)));
    else
        log_info(log, "game", "stream-lost",
                 FIELDS(F("id", game->id), F("status", answer ? answer->status : 0), F("why", why),
                        F("retry_in_ms", wait)));
}

void game_log_note(Log *log, const Game *game, const GameRecord *record, const Note *note)
{
    if (note->kind == NOTE_JOINED)
        log_joined(log, game, record, note);
    else if (note->kind == NOTE_MOVE)
        log_move(log, game, note);
    else if (note->kind == NOTE_DESYNCED)
        log_desynced(log, game, note);
    else if (rows[note->kind].log) /* what is not there was logged elsewhere */
        log_row(log, game, note);
}

void game_log_end(Log *log, const Game *game, const GameRecord *record)
{
    char name[PLAYER_TEXT_SIZE];
    player_text(record_opponent(record), name);
    const char *result = record_result(game->status, game->winner);
    const char *ours = game->winner == COLOUR_NONE ? (result[0] == '*' ? "none" : "draw")
                       : game->winner == game->us  ? "win"
                                                   : "loss";
    log_info(log, "game", "over",
             FIELDS(F("id", game->id), F("result", result), F("for_us", ours),
                    F("reason", status_name(game->status)), F("plies", (unsigned)game->sheet.ply),
                    F("opponent", name)));
}
