/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/game/game_log.h"

#include "bot/archive/record.h"
#include "engine/core/fen.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static const char *colour_name(Colour colour)
{
    return colour == WHITE ? "white" : colour == BLACK ? "black" : "unknown";
}

void player_name_write(const User *user, char out[PLAYER_NAME_SIZE])
{
    int len;
    if (user->ai_level > 0)
        len = snprintf(out, PLAYER_NAME_SIZE, "Stockfish level %d", user->ai_level);
    else if (user->name.len == 0)
        len = snprintf(out, PLAYER_NAME_SIZE, "anonymous");
    else
        len = snprintf(out, PLAYER_NAME_SIZE, "%.*s%s%.*s", TEXT_ARGS(user->title),
                       user->title.len > 0 ? " " : "", TEXT_ARGS(user->name));
    (void)len; /* a name cut short is still a name in a log */
}

void opponent_read(Opponent *out, const GameFull *full, Colour us)
{
    if (us == COLOUR_NONE)
        return;
    const User *them = &full->players[us == WHITE ? BLACK : WHITE];
    player_name_write(them, out->name);
    out->rating = them->rating;
    out->rated = full->rated;
    out->speed = full->speed;
    out->initial_s = full->clock_initial_ms / 1000;
    out->increment_s = full->clock_increment_ms / 1000;
    out->days_per_turn = full->days_per_turn;
}

enum { SMALL = 24 };

/* "59.1s", "-" without a clock. */
static const char *seconds(char out[SMALL], int64_t ms)
{
    int len = ms == INT64_MAX
                  ? snprintf(out, SMALL, "-")
                  : snprintf(out, SMALL, "%" PRId64 ".%ds", ms / 1000, (int)(ms % 1000 / 100));
    return len > 0 ? out : "";
}

const char *score_text(char out[SCORE_TEXT_SIZE], const MoveChoice *choice)
{
    int size = abs(choice->score);
    int len;
    if (choice->depth == 0)
        len = snprintf(out, SCORE_TEXT_SIZE, "-");
    else if (size >= SCORE_MATE - MAX_PLY)
        len = snprintf(out, SCORE_TEXT_SIZE, "#%s%d", choice->score < 0 ? "-" : "",
                       (SCORE_MATE - size + 1) / 2);
    else
        len = snprintf(out, SCORE_TEXT_SIZE, "%c%d.%02d", choice->score < 0 ? '-' : '+', size / 100,
                       size % 100);
    return len > 0 ? out : "";
}

static void log_joined(Log *log, const Game *game, const Opponent *them, const Note *note)
{
    char clock[2 * SMALL];
    int len = game->clock.has_clock ? snprintf(clock, sizeof clock, "%" PRId64 "+%" PRId64,
                                               them->initial_s, them->increment_s)
              : them->days_per_turn > 0
                  ? snprintf(clock, sizeof clock, "%d days a move", them->days_per_turn)
                  : snprintf(clock, sizeof clock, "unlimited");
    (void)len;
    log_info(log, "game", note->ply > 0 ? "resumed" : "started",
             FIELDS(F("id", game->id), F("opponent", them->name), F("rating", them->rating),
                    F("colour", colour_name(game->us)), F("variant", variant_name(game->variant)),
                    F("speed", speed_name(them->speed)), F("clock", clock),
                    F("rated", them->rated ? "yes" : "no"), F("plies", note->ply)));
}

static void log_move(Log *log, const Game *game, const Note *note)
{
    char score[SMALL], time[SMALL], clock[SMALL];
    const MoveChoice *choice = &note->choice;
    log_info(log, "game", "move",
             FIELDS(F("id", game->id), F("ply", note->ply), F("move", note->san),
                    F("uci", note->uci), F("score", score_text(score, choice)),
                    F("depth", choice->depth), F("nodes", choice->nodes),
                    F("time", seconds(time, choice->time_ms)), F("clock", seconds(clock, note->ms)),
                    F("source", choice->source ? choice->source : "none")));
}

static void log_desynced(Log *log, const Game *game, const Note *note)
{
    char fen[FEN_SIZE] = "";
    if (game->sheet.has_rules)
        fen_write(&game->sheet.position, fen);
    log_error(log, "game", "desynced",
              FIELDS(F("id", game->id), F("why", note->text), F("fen", fen),
                     F("moves", ((Text){ game->sheet.text, (size_t)(game->sheet.len) }))));
}

static const char *stream_end_text(StreamEnd end)
{
    static const char *const texts[] = {
        [STREAM_CLOSED] = "closed by the server",
        [STREAM_LOST] = "lost",
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

void game_log_note(Log *log, const Game *game, const Opponent *opponent, const Note *note)
{
    char clock[SMALL];
    const char *id = game->id;
    switch (note->kind) {
    case NOTE_JOINED:
        log_joined(log, game, opponent, note);
        break;
    case NOTE_STREAM_LOST:
        log_info(
            log, "game", "stream-lost",
            FIELDS(F("id", id), F("why", stream_end_text(note->end)), F("retry_in_ms", note->ms)));
        break;
    case NOTE_STREAM_BACK:
        log_info(log, "game", "stream-back", FIELDS(F("id", id)));
        break;
    case NOTE_MOVE:
        log_move(log, game, note);
        break;
    case NOTE_THEIR_MOVE:
        log_info(log, "game", "reply",
                 FIELDS(F("id", id), F("ply", note->ply), F("move", note->san),
                        F("clock", seconds(clock, note->ms))));
        break;
    case NOTE_CONFIRMED:
        log_debug(log, "game", "confirmed",
                  FIELDS(F("id", id), F("ply", note->ply), F("requests", note->count),
                         F("after_ms", note->ms), F("lag_ms", note->lag_ms)));
        break;
    case NOTE_LOST:
        log_warning(log, "game", "request-lost",
                    FIELDS(F("id", id), F("ply", note->ply), F("uci", note->uci),
                           F("request", note->count)));
        break;
    case NOTE_REFUSED:
        log_warning(log, "game", "request-refused",
                    FIELDS(F("id", id), F("ply", note->ply), F("uci", note->uci),
                           F("request", note->count)));
        break;
    case NOTE_LIMITED:
        log_warning(log, "game", "request-limited",
                    FIELDS(F("id", id), F("ply", note->ply), F("uci", note->uci),
                           F("request", note->count)));
        break;
    case NOTE_AGAIN:
        log_warning(log, "game", "move-owed",
                    FIELDS(F("id", id), F("ply", note->ply), F("uci", note->uci),
                           F("request", note->count)));
        break;
    case NOTE_RESYNC:
        log_warning(log, "game", "unconfirmed",
                    FIELDS(F("id", id), F("ply", note->ply), F("uci", note->uci)));
        break;
    case NOTE_TAKEN_BACK:
        log_info(log, "game", "taken-back",
                 FIELDS(F("id", id), F("plies", note->ply), F("was", note->count)));
        break;
    case NOTE_TAKEBACK_ASKED:
        log_info(log, "game", "takeback-asked",
                 FIELDS(F("id", id), F("ply", note->ply),
                        F("answer", note->is_accepted ? "yes" : "no")));
        break;
    case NOTE_DRAW_OFFERED:
        log_info(log, "game", "draw-offered",
                 FIELDS(F("id", id), F("ply", note->ply),
                        F("answer", note->is_accepted ? "yes" : "no")));
        break;
    case NOTE_OFFERS_DRAW:
        log_info(log, "game", "offers-draw",
                 FIELDS(F("id", id), F("ply", note->ply), F("tablebase", verdict_name(game))));
        break;
    case NOTE_RESIGNS:
        log_info(log, "game", "resigns",
                 FIELDS(F("id", id), F("ply", note->ply), F("tablebase", verdict_name(game))));
        break;
    case NOTE_CLAIMS:
        log_info(log, "game", "opponent-gone",
                 FIELDS(F("id", id), F("claims", note->claims_victory ? "victory" : "draw")));
        break;
    case NOTE_NO_FIRST_MOVE:
        log_info(
            log, "game", "aborting",
            FIELDS(F("id", id), F("why", "no first move"), F("waited", seconds(clock, note->ms))));
        break;
    case NOTE_ABORT_REFUSED:
        log_warning(log, "game", "abort-refused", FIELDS(F("id", id)));
        break;
    case NOTE_DESYNCED:
        log_desynced(log, game, note);
        break;
    case NOTE_UNPLAYABLE:
        log_error(log, "game", "unplayable", FIELDS(F("id", id), F("why", note->text)));
        break;
    case NOTE_CLAIMS_DROPPED:
        log_warning(log, "game", "fen-claims-dropped",
                    FIELDS(F("id", id), F("count", note->count)));
        break;
    case NOTE_STOPPED_EARLY:
        log_warning(log, "game", "search-late",
                    FIELDS(F("id", id), F("ply", note->ply), F("clock", seconds(clock, note->ms))));
        break;
    case NOTE_LAST_RESORT:
        log_error(
            log, "game", "last-resort",
            FIELDS(F("id", id), F("ply", note->ply), F("why", "no usable move from the search")));
        break;
    case NOTE_NO_MOVE:
        log_error(log, "game", "no-move",
                  FIELDS(F("id", id), F("ply", note->ply), F("retry_in_ms", note->ms),
                         F("why", "no engine found one, and our own does not know the variant")));
        break;
    case NOTE_BAD_MOVE:
        log_error(log, "game", "bad-move",
                  FIELDS(F("id", id), F("ply", note->ply), F("refusals", note->count),
                         F("advice",
                           "the engine plays another variant than the server: see castled check")));
        break;
    case NOTE_UNREADABLE:
        break; /* session.c has said it with the line's beginning */
    case NOTE_GONE:
        log_warning(log, "game", "gone", FIELDS(F("id", id), F("why", stream_end_text(note->end))));
        break;
    case NOTE_SLEEPS:
        log_debug(log, "game", "sleeps", FIELDS(F("id", id), F("ply", note->ply)));
        break;
    case NOTE_UNKNOWN_STATUS:
        log_warning(log, "game", "unknown-status", FIELDS(F("id", id), F("status", note->text)));
        break;
    }
}

void game_log_end(Log *log, const Game *game, const Opponent *opponent)
{
    const char *result = record_result(game->status, game->winner);
    const char *ours = game->winner == COLOUR_NONE ? (result[0] == '*' ? "none" : "draw")
                       : game->winner == game->us  ? "win"
                                                   : "loss";
    log_info(log, "game", "over",
             FIELDS(F("id", game->id), F("result", result), F("for_us", ours),
                    F("reason", status_name(game->status)), F("plies", (unsigned)game->sheet.ply),
                    F("opponent", opponent->name)));
}
