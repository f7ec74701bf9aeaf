/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/train/teacher.h"

#include "engine/base/buf.h"
#include "engine/base/number.h"
#include "engine/core/fen.h"
#include "engine/core/uci_move.h"
#include "engine/train/child_process.h"

#include <stdlib.h>
#include <string.h>

/* A game's moves since its last capture or pawn move fit well. */
enum { REQUEST_MAX = 16384, BENCH_LINES_MAX = 100000, SEARCH_LINES_MAX = 10000 };
enum { VALUE_MAX = 1000000 };

typedef struct {
    const char *name;
    uint64_t bench; /* nodes of "bench 16 1 10" */
    int fifty_base; /* scores are shrunk by (base - counter) / base */
} KnownEngine;

static const KnownEngine known_engines[] = { { "Stockfish 15.1", 858555, 195 } };

struct Teacher {
    ChildProcess *child;
    int nodes;
    TeacherIdentity identity;
    bool chess960; /* what it was told last */
    Buf game;      /* "position fen F moves …" */
    Buf request;
};

static const KnownEngine *known_find(const TeacherIdentity *identity)
{
    for (size_t i = 0; i < sizeof known_engines / sizeof *known_engines; i++) {
        if (strcmp(known_engines[i].name, identity->name) == 0)
            return &known_engines[i];
    }
    return NULL;
}

int16_t teacher_white_score(const TeacherIdentity *identity, const Position *pos, int clock,
                            int64_t printed)
{
    const KnownEngine *known = known_find(identity);
    int64_t value = printed;
    if (known && clock > 0 && clock < known->fifty_base)
        value = value * known->fifty_base / (known->fifty_base - clock);
    if (value > ARCHIVE_SCORE_MAX)
        value = ARCHIVE_SCORE_MAX;
    if (value < -ARCHIVE_SCORE_MAX)
        value = -ARCHIVE_SCORE_MAX;
    return (int16_t)(pos->side_to_move == WHITE ? value : -value);
}

/* Takes the next word of *rest; an empty one at its end. */
static Text word_take(Text *rest)
{
    *rest = text_trimmed(*rest, " \t\r");
    Text word = { rest->at, 0 };
    while (word.len < rest->len && !strchr(" \t", word.at[word.len]))
        word.len++;
    *rest = (Text){ word.len ? rest->at + word.len : rest->at, rest->len - word.len };
    return word;
}

/* What follows `words` at the line's beginning; false when they do not stand there. */
static bool follows(Text line, const char *words, Text *rest)
{
    Text expected = text_of(words);
    while (expected.len > 0) {
        Text word = word_take(&expected), found = word_take(&line);
        if (!text_equals(word, found))
            return false;
        expected = text_trimmed(expected, " ");
    }
    *rest = text_trimmed(line, " \t\r");
    return true;
}

bool teacher_read_score(Text line, TeacherScore *score)
{
    Text rest = line;
    if (!text_is(word_take(&rest), "info"))
        return false;
    while (rest.len > 0) {
        Text word = word_take(&rest);
        int64_t value;
        if (text_is(word, "string") || text_is(word, "pv"))
            return false;
        if (text_is(word, "multipv") && !text_is(word_take(&rest), "1"))
            return false;
        if (!text_is(word, "score"))
            continue;
        Text kind = word_take(&rest), number = word_take(&rest);
        bool is_mate = text_is(kind, "mate");
        if ((!is_mate && !text_is(kind, "cp")) ||
            !number_parse(number.at, number.len, -VALUE_MAX, VALUE_MAX, &value, NULL))
            return false;
        *score = (TeacherScore){ .is_mate = is_mate, .value = value };
        return true;
    }
    return false;
}

static bool say(Teacher *teacher, const char *line, Error *err)
{
    return child_process_write(teacher->child, text_of(line), err);
}

static bool read_line(Teacher *teacher, Text *line, Error *err)
{
    ChildStep step = child_process_read(teacher->child, line, err);
    if (step == CHILD_END)
        error_set(err, ERR_IO, "%s has ended",
                  *teacher->identity.name ? teacher->identity.name : "the engine");
    return step == CHILD_LINE;
}

static bool skip_until(Teacher *teacher, const char *word, Error *err)
{
    Text line, rest;
    for (int lines = 0; lines < SEARCH_LINES_MAX; lines++) {
        if (!read_line(teacher, &line, err))
            return false;
        if (follows(line, word, &rest))
            return true;
    }
    error_set(err, ERR_INVALID, "the engine says no \"%s\"", word);
    return false;
}

/* Copies a name that goes into headers of shards: printable, as far as there is room. */
static void name_copy(char *out, size_t size, Text name)
{
    size_t len = 0;
    for (; len < name.len && len + 1 < size; len++)
        out[len] = (char)(name.at[len] >= ' ' && name.at[len] < 127 ? name.at[len] : '?');
    memset(out + len, 0, size - len);
}

static bool greet(Teacher *teacher, Error *err)
{
    TeacherIdentity *identity = &teacher->identity;
    Text line, rest;
    if (!say(teacher, "uci\n", err))
        return false;
    for (int lines = 0; lines < SEARCH_LINES_MAX; lines++) {
        if (!read_line(teacher, &line, err))
            return false;
        if (follows(line, "id name", &rest))
            name_copy(identity->name, sizeof identity->name, rest);
        else if (follows(line, "option name EvalFile type string default", &rest))
            name_copy(identity->network, sizeof identity->network, rest);
        else if (follows(line, "uciok", &rest))
            return true;
    }
    error_set(err, ERR_INVALID, "the engine says no \"uciok\"");
    return false;
}

static bool set_up(Teacher *teacher, const TeacherOptions *options, Error *err)
{
    buf_reset(&teacher->request);
    if (!buf_printf(&teacher->request,
                    "setoption name Threads value 1\nsetoption name Hash value %d\n"
                    "setoption name MultiPV value 1\n",
                    options->hash_mib)) {
        error_set(err, ERR_MEMORY, "no memory for the engine's options");
        return false;
    }
    return say(teacher, buf_view(&teacher->request), err);
}

bool teacher_new(Teacher **out, const TeacherOptions *options, Error *err)
{
    const char *const args[] = { options->path, NULL };
    Teacher *teacher = calloc(1, sizeof *teacher);
    assert(options->nodes >= TEACHER_NODES_MIN);
    if (!teacher) {
        error_set(err, ERR_MEMORY, "no memory for a teacher");
        return false;
    }
    teacher->nodes = options->nodes;
    buf_init(&teacher->game, REQUEST_MAX);
    buf_init(&teacher->request, REQUEST_MAX);
    if (!child_process_new(&teacher->child, args, CHILD_STDOUT, options->silence_s, err) ||
        !greet(teacher, err) || !set_up(teacher, options, err)) {
        error_prefix(err, "teacher %s", options->path);
        teacher_free(teacher);
        return false;
    }
    *out = teacher;
    return true;
}

void teacher_free(Teacher *teacher)
{
    if (!teacher)
        return;
    child_process_free(teacher->child);
    buf_release(&teacher->game);
    buf_release(&teacher->request);
    free(teacher);
}

const TeacherIdentity *teacher_identity(const Teacher *teacher)
{
    return &teacher->identity;
}

/* 0: it ended without counting, or was silent. */
static uint64_t bench_read(ChildProcess *child)
{
    Text line, rest;
    for (int lines = 0; lines < BENCH_LINES_MAX; lines++) {
        int64_t value;
        if (child_process_read(child, &line, NULL) != CHILD_LINE)
            break;
        if (follows(line, "Nodes searched :", &rest) &&
            number_parse(rest.at, rest.len, 1, INT64_MAX, &value, NULL))
            return (uint64_t)value;
    }
    return 0;
}

bool teacher_bench(const char *path, const TeacherIdentity *identity, uint64_t *nodes, Error *err)
{
    const char *const args[] = { path, "bench", "16", "1", "10", NULL };
    const KnownEngine *known = known_find(identity);
    ChildProcess *child;
    if (!child_process_new(&child, args, CHILD_STDERR, TEACHER_SILENCE_S, err))
        return false;
    uint64_t counted = bench_read(child);
    child_process_free(child);
    if (known && counted != known->bench) {
        error_set(err, ERR_INVALID, "%s: %s counts %llu nodes in its bench, not %llu", path,
                  identity->name, (unsigned long long)counted, (unsigned long long)known->bench);
        return false;
    }
    *nodes = counted;
    return true;
}

static bool no_room(Error *err)
{
    error_set(err, ERR_RANGE, "teacher: a request is longer than %d bytes", REQUEST_MAX);
    return false;
}

static bool game_set(Teacher *teacher, const Position *pos, Error *err)
{
    char fen[FEN_SIZE];
    fen_write(pos, fen);
    buf_reset(&teacher->game);
    return buf_printf(&teacher->game, "position fen %s moves", fen) || no_room(err);
}

bool teacher_begin_game(Teacher *teacher, const Position *start, Error *err)
{
    if (start->rules.chess960 != teacher->chess960) {
        teacher->chess960 = start->rules.chess960;
        if (!say(teacher,
                 teacher->chess960 ? "setoption name UCI_Chess960 value true\n"
                                   : "setoption name UCI_Chess960 value false\n",
                 err))
            return false;
    }
    return say(teacher, "ucinewgame\nisready\n", err) && skip_until(teacher, "readyok", err) &&
           game_set(teacher, start, err);
}

bool teacher_play(Teacher *teacher, const Position *before, Move m, const Position *after,
                  Error *err)
{
    char text[UCI_MOVE_SIZE];
    /* Positions from before a capture or pawn move cannot come again. */
    if (after->halfmove_clock == 0)
        return game_set(teacher, after, err);
    uci_move_write(before, m,
                   teacher->chess960 ? CASTLING_KING_TAKES_ROOK : CASTLING_KING_TO_TARGET, text);
    return buf_printf(&teacher->game, " %s", text) || no_room(err);
}

/* Reads up to "bestmove". `clock` is what the engine was told the fifty-move counter to be. */
static bool answer_read(Teacher *teacher, const Position *pos, int clock, TeacherAnswer *answer,
                        Error *err)
{
    TeacherScore score, last = { .is_mate = false };
    TeacherAnswer read = { .score = ARCHIVE_NO_SCORE };
    bool has_score = false;
    Text line, rest;
    for (int lines = 0; lines < SEARCH_LINES_MAX; lines++) {
        if (!read_line(teacher, &line, err))
            return false;
        if (teacher_read_score(line, &score)) {
            last = score;
            has_score = true;
        } else if (follows(line, "bestmove", &rest)) {
            Text move = word_take(&rest);
            if (!uci_move_match(pos, move.at, move.len, &read.best, err))
                return false;
            if (has_score && last.is_mate)
                read.mate = (last.value > 0) == (pos->side_to_move == WHITE) ? 1 : -1;
            else if (has_score)
                read.score = teacher_white_score(&teacher->identity, pos, clock, last.value);
            *answer = read;
            return true;
        }
    }
    error_set(err, ERR_INVALID, "%s says no \"bestmove\"", teacher->identity.name);
    return false;
}

bool teacher_ask(Teacher *teacher, const Position *pos, TeacherAnswer *answer, Error *err)
{
    buf_reset(&teacher->request);
    return ((buf_put(&teacher->request, teacher->game.text, teacher->game.len) &&
             buf_printf(&teacher->request, "\ngo nodes %d\n", teacher->nodes)) ||
            no_room(err)) &&
           say(teacher, buf_view(&teacher->request), err) &&
           answer_read(teacher, pos, pos->halfmove_clock, answer, err);
}

bool teacher_ask_alone(Teacher *teacher, const Position *pos, TeacherAnswer *answer, Error *err)
{
    char fen[FEN_SIZE];
    Position alone = *pos;
    alone.halfmove_clock = 0;
    fen_write(&alone, fen);
    buf_reset(&teacher->request);
    return (buf_printf(&teacher->request, "position fen %s\ngo nodes %d\n", fen, teacher->nodes) ||
            no_room(err)) &&
           say(teacher, buf_view(&teacher->request), err) &&
           answer_read(teacher, pos, 0, answer, err);
}

bool teacher_run(Teacher **teacher, const TeacherOptions *options, TeacherTask *task, void *user,
                 atomic_ullong *restarts, Error *err)
{
    for (int tries = 1;; tries++) {
        Error why = { 0 };
        if ((*teacher || teacher_new(teacher, options, &why)) && task(*teacher, user, &why))
            return true;
        teacher_free(*teacher);
        *teacher = NULL;
        if (tries == TEACHER_TRIES) {
            error_set(err, why.code, "%s, %d times in a row", why.text, tries);
            return false;
        }
        atomic_fetch_add(restarts, 1);
    }
}
