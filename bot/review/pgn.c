/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/review/pgn.h"

#include "bot/review/replay.h"
#include "bot/model/score_text.h"
#include "bot/ops/printable.h"
#include "engine/base/text_format.h"
#include "engine/core/san.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <time.h>

enum { TOKEN_SIZE = 160, TAG_SIZE = 320 };

/* Movetext on its way: tokens with a blank between, broken before the line is full. */
typedef struct {
    Buf *out;
    size_t column;
    bool ok;
    const PositionEval *evals; /* of an analysis; NULL: none */
    const MoveLoss *losses;    /* … in the order of the game */
    size_t loss_count, next_loss;
} Writer;

static void put_token(Writer *to, const char *token)
{
    size_t len = strlen(token);
    bool breaks = to->column > 0 && to->column + 1 + len > PGN_COLUMNS;
    to->ok = to->ok && (to->column == 0 || buf_put_char(to->out, breaks ? '\n' : ' ')) &&
             buf_put(to->out, token, len);
    to->column = breaks || to->column == 0 ? len : to->column + 1 + len;
}

static bool put_tag(Buf *out, const char *name, const char *value)
{
    char text[TAG_SIZE];
    size_t len = 0;
    Text rest = text_of(value);
    while (rest.len > 0) {
        bool is_special = *rest.at == '"' || *rest.at == '\\';
        PrintableChar c = printable_next(&rest);
        if (c.is_escaped) /* PGN has no way to write it */
            c = (PrintableChar){ .text = "?", .len = 1 };
        if (len + is_special + c.len >= sizeof text)
            break;
        if (is_special)
            text[len++] = '\\';
        memcpy(text + len, c.text, c.len);
        len += c.len;
    }
    text[len] = '\0';
    return buf_printf(out, "[%s \"%s\"]\n", name, len > 0 ? text : "?");
}

static const char *variant_title(Variant variant)
{
    static const char *const titles[VARIANT_COUNT] = {
        [VARIANT_UNKNOWN] = "Unknown",
        [VARIANT_STANDARD] = "Standard",
        [VARIANT_CHESS960] = "Chess960",
        [VARIANT_FROM_POSITION] = "From Position",
        [VARIANT_ANTICHESS] = "Antichess",
        [VARIANT_ATOMIC] = "Atomic",
        [VARIANT_CRAZYHOUSE] = "Crazyhouse",
        [VARIANT_HORDE] = "Horde",
        [VARIANT_KING_OF_THE_HILL] = "King of the Hill",
        [VARIANT_RACING_KINGS] = "Racing Kings",
        [VARIANT_THREE_CHECK] = "Three-check",
    };
    return titles[variant];
}

static const char *termination(GameStatus status)
{
    switch (status) {
    case STATUS_MATE:
    case STATUS_RESIGN:
    case STATUS_STALEMATE:
    case STATUS_DRAW:
    case STATUS_INSUFFICIENT_MATERIAL_CLAIM:
    case STATUS_VARIANT_END:
        return "normal";
    case STATUS_OUTOFTIME:
        return "time forfeit";
    case STATUS_TIMEOUT:
    case STATUS_NO_START:
    case STATUS_ABORTED:
        return "abandoned";
    case STATUS_CHEAT:
        return "rules infraction";
    case STATUS_UNKNOWN:
    case STATUS_CREATED:
    case STATUS_STARTED:
    case STATUS_UNKNOWN_FINISH:
    case STATUS_COUNT:
        break;
    }
    return "unterminated";
}

typedef enum { TAG_DATE, TAG_TIME } TimeTag;

static bool put_time_tag(Buf *out, const char *name, TimeTag kind, int64_t unix_ms)
{
    struct tm utc;
    time_t seconds = (time_t)(unix_ms / 1000);
    bool is_known = unix_ms > 0 && gmtime_r(&seconds, &utc) && utc.tm_year < 8100;
    if (!is_known)
        return put_tag(out, name, kind == TAG_DATE ? "????.??.??" : "??:??:??");
    if (kind == TAG_DATE)
        return buf_printf(out, "[%s \"%04d.%02d.%02d\"]\n", name, utc.tm_year + 1900,
                          utc.tm_mon + 1, utc.tm_mday);
    return buf_printf(out, "[%s \"%02d:%02d:%02d\"]\n", name, utc.tm_hour, utc.tm_min, utc.tm_sec);
}

static bool put_rating_tag(Buf *out, const char *name, int rating)
{
    return rating == 0 || buf_printf(out, "[%s \"%d\"]\n", name, rating);
}

static bool put_title_tag(Buf *out, const char *name, const char *title)
{
    return title[0] == '\0' || put_tag(out, name, title);
}

static bool put_name_tag(Buf *out, const char *name, const Player *player)
{
    char text[PLAYER_TEXT_SIZE];
    player_name_text(player, text);
    return put_tag(out, name, player->ai_level > 0 ? text : player->name);
}

/* Of the side that is ours: "Stockfish 15.1 (3f2a91bc0d12) Hash=16", without its section's name. */
static bool put_engine_tag(Buf *out, const GameRecord *record, Colour colour)
{
    const char *name = strstr(record->engine, ": ");
    if (record->engine[0] == '\0' || record->us != colour)
        return true;
    return put_tag(out, colour == WHITE ? "WhiteEngine" : "BlackEngine",
                   name ? name + 2 : record->engine);
}

static bool put_time_control_tag(Buf *out, const GameRecord *record)
{
    if (record->time.kind == TIME_CLOCK)
        return buf_printf(out, "[TimeControl \"%" PRId64 "+%" PRId64 "\"]\n", record->time.base_s,
                          record->time.increment_s);
    if (record->time.kind == TIME_CORRESPONDENCE)
        return buf_printf(out, "[TimeControl \"1/%" PRId64 "\"]\n",
                          (int64_t)record->time.days * 86400);
    return put_tag(out, "TimeControl", "-");
}

static bool put_tags(Buf *out, const GameRecord *record, const char *site)
{
    char event[80], place[TAG_SIZE];
    const Player *white = &record->players[WHITE], *black = &record->players[BLACK];
    int64_t began = record->created_at_ms > 0 ? record->created_at_ms : record->ended_at_ms;
    text_format(event, sizeof event, "%s %s %s", record->rated ? "Rated" : "Casual",
                speed_name(record->speed), record->tournament_id[0] ? "arena" : "game");
    text_format_cut(place, sizeof place, "%s/%s", site, record->id);
    bool ok = put_tag(out, "Event", event) && put_tag(out, "Site", place) &&
              put_time_tag(out, "Date", TAG_DATE, began) && put_tag(out, "Round", "-") &&
              put_name_tag(out, "White", white) && put_name_tag(out, "Black", black) &&
              put_tag(out, "Result", record_result(record->status, record->winner));
    ok = ok && put_rating_tag(out, "BlackElo", black->rating) &&
         put_engine_tag(out, record, BLACK) && put_title_tag(out, "BlackTitle", black->title);
    if (record->initial_fen[0] != '\0')
        ok = ok && put_tag(out, "FEN", record->initial_fen);
    ok = ok && put_tag(out, "GameId", record->id) &&
         buf_printf(out, "[PlyCount \"%zu\"]\n", record->count);
    if (record->initial_fen[0] != '\0')
        ok = ok && put_tag(out, "SetUp", "1");
    return ok && put_tag(out, "Termination", termination(record->status)) &&
           put_time_control_tag(out, record) && put_time_tag(out, "UTCDate", TAG_DATE, began) &&
           put_time_tag(out, "UTCTime", TAG_TIME, began) &&
           put_tag(out, "Variant", variant_title(record->variant)) &&
           put_rating_tag(out, "WhiteElo", white->rating) && put_engine_tag(out, record, WHITE) &&
           put_title_tag(out, "WhiteTitle", white->title);
}

/* "[%eval 0.31,18]", "[%eval #-3,20]": for White. */
static void put_eval(Writer *to, int score, int depth)
{
    char token[TOKEN_SIZE], word[SCORE_TEXT_SIZE];
    score_text(score, word);
    text_format(token, sizeof token, "[%%eval %s,%d]", word + (word[0] == '+'), depth);
    put_token(to, token);
}

static void put_clock(Writer *to, int64_t clock_ms)
{
    char token[TOKEN_SIZE];
    int64_t seconds = clock_ms / 1000;
    text_format(token, sizeof token, "[%%clk %" PRId64 ":%02d:%02d]", seconds / 3600,
                (int)(seconds / 60 % 60), (int)(seconds % 60));
    put_token(to, token);
}

/* The evaluation that a move carries: the analysis's of the position after it, else that of our
 * search before it. A mate on the board needs none. */
static bool find_eval(const Writer *to, const RecordMove *move, size_t index, Colour mover,
                      int *score, int *depth)
{
    if (to->evals) {
        *score = to->evals[index + 1].score;
        *depth = to->evals[index + 1].depth;
        return *score != SCORE_NONE && abs(*score) != SCORE_MATE;
    }
    *score = mover == WHITE ? move->score : -move->score;
    *depth = move->depth;
    return move->has_choice && move->depth > 0;
}

/* "Mistake (clock). Nf3 was best." */
static void put_loss(Writer *to, const Position *pos, const MoveLoss *loss)
{
    char token[TOKEN_SIZE], san[SAN_SIZE];
    const char *name = judgement_name(loss->judgement);
    Position after = *pos;
    text_format(token, sizeof token, "%c%s", toupper((unsigned char)name[0]), name + 1);
    put_token(to, token);
    text_format(token, sizeof token, "(%s).", loss_cause_name(loss->cause));
    put_token(to, token);
    if (replay_move(&after, text_of(to->evals[loss->index].best), san) == MOVE_NONE)
        return;
    put_token(to, san);
    put_token(to, "was");
    put_token(to, "best.");
}

/* "pv e5 Nf3", from the position after the move. */
static void put_pv(Writer *to, const Position *before, const RecordMove *made)
{
    Position pos = *before;
    Text rest = text_of(made->pv);
    char san[SAN_SIZE];
    if (rest.len == 0 || replay_move(&pos, text_of(made->uci), NULL) == MOVE_NONE)
        return;
    for (bool is_first = true; rest.len > 0; is_first = false) {
        if (replay_move(&pos, text_next_word(&rest, ","), san) == MOVE_NONE)
            return;
        if (is_first)
            put_token(to, "pv");
        put_token(to, san);
    }
}

/* True if there was something to say. `loss`: NULL where the move lost nothing; `pos`: before it.
 */
static bool put_comment(Writer *to, const RecordMove *move, size_t index, const Position *pos,
                        const MoveLoss *loss)
{
    int score, depth;
    bool has_eval = find_eval(to, move, index, pos->side_to_move, &score, &depth);
    bool has_clock = move->clock_ms >= 0;
    if (!has_eval && !has_clock && !loss)
        return false;
    put_token(to, "{");
    if (has_eval)
        put_eval(to, score, depth);
    if (has_clock)
        put_clock(to, move->clock_ms);
    if (has_eval && !to->evals)
        put_pv(to, pos, move);
    if (loss)
        put_loss(to, pos, loss);
    put_token(to, "}");
    return true;
}

/* The loss at a move, from where the search for the last one ended. */
static const MoveLoss *loss_at(Writer *to, size_t index)
{
    while (to->next_loss < to->loss_count && to->losses[to->next_loss].index < index)
        to->next_loss++;
    bool is_here = to->next_loss < to->loss_count && to->losses[to->next_loss].index == index;
    return is_here ? &to->losses[to->next_loss] : NULL;
}

static void put_mark(Writer *to, Judgement judgement)
{
    static const char *const marks[JUDGEMENT_COUNT] = { "", "$6", "$2", "$4" };
    put_token(to, marks[judgement]);
}

static void put_san(Writer *to, const Position *pos, Move move, bool needs_number)
{
    char san[SAN_SIZE], token[TOKEN_SIZE];
    san_write(pos, move, san);
    if (pos->side_to_move == WHITE || needs_number) {
        text_format(token, sizeof token, "%u%s", (unsigned)pos->fullmove_number,
                    pos->side_to_move == WHITE ? "." : "...");
        put_token(to, token);
    }
    put_token(to, san);
}

static void put_moves(Writer *to, const GameRecord *record, Position *pos)
{
    bool needs_number = true;
    for (size_t i = 0; i < record->count; i++) {
        const RecordMove *made = &record->moves[i];
        Move move;
        Undo undo;
        if (!uci_move_match(pos, made->uci, strlen(made->uci), &move, NULL)) {
            put_token(to, "{");
            put_token(to, "the archive's next move is not legal here");
            put_token(to, "}");
            return;
        }
        const MoveLoss *loss = loss_at(to, i);
        put_san(to, pos, move, needs_number);
        if (loss)
            put_mark(to, loss->judgement);
        needs_number = put_comment(to, made, i, pos, loss);
        position_make(pos, move, &undo);
    }
}

/* As they are, but for what would end the comment. */
static void put_moves_as_comment(Writer *to, const GameRecord *record)
{
    put_token(to, "{");
    for (size_t i = 0; i < record->count; i++) {
        char word[UCI_MOVE_SIZE];
        size_t len = 0;
        for (const char *c = record->moves[i].uci; *c; c++)
            word[len++] = isalnum((unsigned char)*c) || *c == '@' ? *c : '?';
        word[len] = '\0';
        put_token(to, word);
    }
    put_token(to, "}");
}

static bool write_game(Writer *to, const GameRecord *record, const char *site)
{
    Position pos;
    if (!put_tags(to->out, record, site) || !buf_put_char(to->out, '\n'))
        return false;
    if (replay_begin(&pos, record->variant, record->initial_fen))
        put_moves(to, record, &pos);
    else
        put_moves_as_comment(to, record);
    put_token(to, record_result(record->status, record->winner));
    return to->ok && buf_put_text(to->out, "\n\n");
}

bool pgn_write(const GameRecord *record, const char *site, Buf *out)
{
    return write_game(&(Writer){ .out = out, .ok = true }, record, site);
}

bool pgn_write_analysis(const GameRecord *record, const PositionEval *evals, const char *site,
                        Buf *out)
{
    MoveLoss losses[RECORD_MOVES_MAX];
    Writer to = { .out = out, .ok = true, .evals = evals, .losses = losses };
    to.loss_count = find_losses(record, evals, COLOUR_NONE, losses, RECORD_MOVES_MAX);
    return write_game(&to, record, site);
}
