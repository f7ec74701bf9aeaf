/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/train/human_games.h"

#include "engine/base/mapped_file.h"
#include "engine/base/text.h"
#include "engine/core/fen.h"
#include "engine/core/movegen.h"
#include "engine/core/uci_move.h"
#include "engine/train/people_line.h"

#include <stdlib.h>
#include <string.h>

enum { VALIDATION_EVERY = 50, MILLION = 1000000 };

/* Makes room for `more` beyond `count`. */
static bool grow(void **items, size_t *room, size_t count, size_t more, size_t size, Error *err)
{
    if (count + more <= *room)
        return true;
    size_t wanted = (count + more) * 2;
    void *larger = realloc(*items, wanted * size);
    if (!larger) {
        error_set(err, ERR_MEMORY, "no memory for the positions");
        return false;
    }
    *items = larger;
    *room = wanted;
    return true;
}

static bool make_room(HumanGames *games, Error *err)
{
    if (games->target_count > UINT32_MAX - MAX_MOVES ||
        games->input_count > UINT32_MAX - TRAITS_INPUTS_MAX) {
        error_set(err, ERR_RANGE, "more positions than one training takes");
        return false;
    }
    void *samples = games->samples, *inputs = games->inputs, *traits = games->traits,
         *targets = games->targets;
    bool ok =
        grow(&samples, &games->sample_room, games->sample_count, 1, sizeof *games->samples, err) &&
        grow(&inputs, &games->input_room, games->input_count, TRAITS_INPUTS_MAX,
             sizeof *games->inputs, err) &&
        grow(&traits, &games->move_room, games->move_count, MAX_MOVES, sizeof *games->traits,
             err) &&
        grow(&targets, &games->target_room, games->target_count, MAX_MOVES, sizeof *games->targets,
             err);
    games->samples = samples;
    games->inputs = inputs;
    games->traits = traits;
    games->targets = targets;
    return ok;
}

/* A game that is being replayed. */
typedef struct {
    Position pos;
    HumanHistory history;
    MoveList moves;
    TraitsView view;
    size_t first_move; /* of the position's traits, */
    bool is_taken_in;  /* … if they are in the arrays */
} Replay;

static void see(Replay *replay)
{
    movegen_legal(&replay->pos, &replay->moves);
    replay->is_taken_in = false;
}

static bool begin(Replay *replay, Error *err)
{
    if (!fen_read(&replay->pos, FEN_START, FEN_STRICT, NULL, err))
        return false;
    human_history_init(&replay->history, &replay->pos, SQUARE_NONE);
    see(replay);
    return true;
}

static bool play(Replay *replay, Text word, Error *err)
{
    Move m;
    Undo undo;
    if (!uci_move_match(&replay->pos, word.at, word.len, &m, err))
        return false;
    position_make(&replay->pos, m, &undo);
    human_history_push(&replay->history, &replay->pos);
    see(replay);
    return true;
}

static void take_in(HumanGames *games, Replay *replay)
{
    replay->view = traits_view(&replay->history, &replay->pos);
    replay->first_move = games->move_count;
    replay->is_taken_in = true;
    for (int i = 0; i < replay->moves.count; i++)
        traits_of_move(games->traits[games->move_count++], &replay->view, replay->moves.moves[i]);
}

/* The position, no targets yet. NULL without memory. */
static HumanSample *add_sample(HumanGames *games, Replay *replay, int rating, bool is_validation,
                               Error *err)
{
    if (!make_room(games, err))
        return NULL;
    if (!replay->is_taken_in)
        take_in(games, replay);
    HumanSample *sample = &games->samples[games->sample_count++];
    int inputs = traits_inputs(games->inputs + games->input_count, &replay->view, rating);
    *sample = (HumanSample){ .first_input = (uint32_t)games->input_count,
                             .first_move = (uint32_t)replay->first_move,
                             .first_target = (uint32_t)games->target_count,
                             .input_count = (uint16_t)inputs,
                             .move_count = (uint16_t)replay->moves.count,
                             .is_validation = is_validation };
    memset(games->targets + games->target_count, 0,
           (size_t)replay->moves.count * sizeof *games->targets);
    games->input_count += (size_t)inputs;
    games->target_count += (size_t)replay->moves.count;
    return sample;
}

static float *target_of(HumanGames *games, const HumanSample *sample, const Replay *replay,
                        Text word, Error *err)
{
    Move m;
    if (!uci_move_match(&replay->pos, word.at, word.len, &m, err))
        return NULL;
    for (int i = 0; i < replay->moves.count; i++)
        if (replay->moves.moves[i] == m)
            return &games->targets[sample->first_target + (uint32_t)i];
    return NULL;
}

static bool read_game(HumanGames *games, const PeopleGame *game, bool is_validation, Error *err)
{
    Replay replay;
    if (!begin(&replay, err))
        return false;
    Text left = game->moves;
    for (Text word; (word = text_next_word(&left, " ")).len > 0;) {
        HumanSample *sample =
            add_sample(games, &replay, game->ratings[replay.pos.side_to_move], is_validation, err);
        float *target = sample ? target_of(games, sample, &replay, word, err) : NULL;
        if (!target)
            return false;
        *target = 1;
        if (!play(&replay, word, err))
            return false;
    }
    return true;
}

/* What a teacher left out, as too unlikely, stays 0; the rest is made to sum up to 1. */
static void normalise(float *targets, int count)
{
    float sum = 0;
    for (int i = 0; i < count; i++)
        sum += targets[i];
    for (int i = 0; i < count; i++)
        targets[i] /= sum;
}

static bool read_probability(HumanGames *games, const HumanSample *sample, const Replay *replay,
                             Text word, Error *err)
{
    const char *colon = memchr(word.at, ':', word.len);
    char number[16];
    if (!colon || !text_copy(number, sizeof number,
                             (Text){ colon + 1, word.len - (size_t)(colon + 1 - word.at) })) {
        error_set(err, ERR_INVALID, "%.*s: not MOVE:PROBABILITY", (int)word.len, word.at);
        return false;
    }
    float *target =
        target_of(games, sample, replay, (Text){ word.at, (size_t)(colon - word.at) }, err);
    char *end;
    float value = strtof(number, &end);
    if (target && *end == '\0' && value > 0 && value <= 1) {
        *target = value;
        return true;
    }
    if (target)
        error_set(err, ERR_INVALID, "%s: no probability", number);
    return false;
}

/* "RATING MOVE:PROBABILITY …" of the position that the replay has come to. */
static bool read_label(HumanGames *games, Replay *replay, Text label, bool is_validation,
                       Error *err)
{
    int rating;
    if (!people_rating_read(&rating, text_next_word(&label, " "), err))
        return false;
    HumanSample *sample = add_sample(games, replay, rating, is_validation, err);
    if (!sample)
        return false;
    int count = 0;
    for (Text word; (word = text_next_word(&label, " ")).len > 0; count++)
        if (!read_probability(games, sample, replay, word, err))
            return false;
    if (count == 0)
        error_set(err, ERR_INVALID, "a label without moves");
    else
        normalise(games->targets + sample->first_target, sample->move_count);
    return count > 0;
}

static bool read_labelled(HumanGames *games, Text columns, bool is_validation, Error *err)
{
    Replay replay;
    if (!begin(&replay, err))
        return false;
    for (Text column; (column = text_next_word(&columns, "\t")).len > 0;) {
        Text played = text_next_word(&column, ";");
        for (Text label; (label = text_next_word(&column, ";")).len > 0;)
            if (!read_label(games, &replay, label, is_validation, err))
                return false;
        if (!play(&replay, played, err))
            return false;
    }
    return true;
}

/* Games that begin alike stay together, as their positions are the same ones. */
enum { BEGINNING = 12 };

static uint32_t hash_of(uint32_t hash, Text text)
{
    for (size_t i = 0; i < text.len; i++)
        hash = (hash ^ (uint8_t)text.at[i]) * 16777619U;
    return hash;
}

/* Is the game whose moves are the first words of these columns set aside? */
static bool is_set_aside(Text columns, const char *between)
{
    uint32_t hash = 2166136261U;
    for (int i = 0; i < BEGINNING; i++) {
        Text column = text_next_word(&columns, between);
        hash = hash_of(hash, text_next_word(&column, ";"));
    }
    return hash % VALIDATION_EVERY == 0;
}

static bool read_line(HumanGames *games, Text line, Error *err)
{
    static const char labelled[] = "labels\t";
    PeopleGame game;
    if (!text_starts_with(line, labelled))
        return people_line_read(&game, line, err) &&
               read_game(games, &game, is_set_aside(game.moves, " "), err);
    Text columns = { line.at + strlen(labelled), line.len - strlen(labelled) };
    return read_labelled(games, columns, is_set_aside(columns, "\t"), err);
}

bool human_games_read(HumanGames *games, const char *path, Error *err)
{
    MappedFile file;
    if (!mapped_file_init(&file, path, err))
        return false;
    bool ok = true;
    int number = 0;
    for (size_t at = 0; ok && at < file.size;) {
        const char *line = (const char *)file.bytes + at;
        const char *end = memchr(line, '\n', file.size - at);
        size_t len = end ? (size_t)(end - line) : file.size - at;
        number++;
        ok = read_line(games, (Text){ line, len }, err);
        at += len + 1;
    }
    if (!ok)
        error_prefix(err, "%s:%d", path, number);
    mapped_file_release(&file);
    return ok;
}

void human_games_release(HumanGames *games)
{
    free(games->samples);
    free(games->inputs);
    free(games->traits);
    free(games->targets);
    *games = (HumanGames){ 0 };
}
