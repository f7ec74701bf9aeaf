/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/train/human_labels.h"

#include "engine/base/alloc.h"
#include "engine/base/random.h"
#include "engine/core/fen.h"
#include "engine/core/outcome.h"
#include "engine/core/uci_move.h"
#include "engine/human/policy_batch.h"
#include "engine/human/policy_folder.h"
#include "engine/train/people_line.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    OPINIONS = 2, /* on each position */
    RATINGS_APART = 300,
    BAND = 100, /* a network knows people from its rating to so much above */
    PLIES_MAX = 160,
    PATH_SIZE = 4096,
    TEN_THOUSAND = 10000,
    LEAST = 5, /* ten-thousandths: less likely moves are left out, which shortens the text */
};

struct HumanTeachers {
    int count;
    int ratings[POLICY_FOLDER_MAX];
    PolicyNetwork *networks[POLICY_FOLDER_MAX];
};

typedef struct {
    Position pos;
    HumanHistory history;
    MoveList moves;
    int ratings[COLOUR_COUNT];
    uint64_t random; /* the teachers' draws; of people's games none */
    Text people;     /* their moves that are still to come */
    int plies;
    bool is_over;
    int teachers[OPINIONS];
    float opinions[OPINIONS][MAX_MOVES];
    FILE *line; /* to `text` */
    char *text;
    size_t size;
} Game;

/* Which position a teacher is asked about. */
typedef struct {
    int game, opinion;
} Question;

struct HumanLabels {
    const HumanTeachers *teachers;
    PolicyBatch *batches[POLICY_FOLDER_MAX];
    bool is_people;
    int count;
    Game games[HUMAN_LABELS_GAMES];
    Question questions[HUMAN_LABELS_GAMES * OPINIONS];
};

static bool load_all(HumanTeachers *teachers, const PolicyFolder *folder, Error *err)
{
    for (int i = 0; i < folder->count; i++) {
        if (!policy_load(&teachers->networks[i], folder->files[i].path, err))
            return false;
        teachers->ratings[i] = folder->files[i].rating;
        teachers->count = i + 1;
    }
    if (teachers->count < OPINIONS)
        error_set(err, ERR_INVALID, "%d networks are needed at least", OPINIONS);
    return teachers->count >= OPINIONS;
}

bool human_teachers_load(HumanTeachers **out, const char *folder, Error *err)
{
    PolicyFolder found;
    HumanTeachers *teachers = alloc_zeroed(sizeof *teachers, "the teachers", err);
    if (!teachers)
        return false;
    if (!policy_folder_read(&found, folder, err) || !load_all(teachers, &found, err)) {
        error_prefix(err, "%s", folder);
        human_teachers_free(teachers);
        return false;
    }
    *out = teachers;
    return true;
}

void human_teachers_free(HumanTeachers *teachers)
{
    if (!teachers)
        return;
    for (int i = 0; i < POLICY_FOLDER_MAX; i++)
        policy_free(teachers->networks[i]);
    free(teachers);
}

bool human_labels_new(HumanLabels **out, const HumanTeachers *teachers, Error *err)
{
    HumanLabels *labels = alloc_zeroed(sizeof *labels, "games with labels", err);
    if (!labels)
        return false;
    labels->teachers = teachers;
    for (int i = 0; i < teachers->count; i++)
        if (!policy_batch_new(&labels->batches[i], teachers->networks[i], err)) {
            human_labels_free(labels);
            return false;
        }
    *out = labels;
    return true;
}

static void game_release(Game *game)
{
    if (game->line)
        (void)fclose(game->line);
    free(game->text);
    *game = (Game){ .is_over = true };
}

static void games_release(HumanLabels *labels)
{
    for (int i = 0; i < labels->count; i++)
        game_release(&labels->games[i]);
    labels->count = 0;
}

void human_labels_free(HumanLabels *labels)
{
    if (!labels)
        return;
    games_release(labels);
    for (int i = 0; i < POLICY_FOLDER_MAX; i++)
        policy_batch_free(labels->batches[i]);
    free(labels);
}

static bool game_begin(HumanLabels *labels, Error *err)
{
    Game *game = &labels->games[labels->count];
    *game = (Game){ 0 };
    if (!fen_read(&game->pos, FEN_START, FEN_STRICT, NULL, err))
        return false;
    human_history_init(&game->history, &game->pos, SQUARE_NONE);
    game->line = open_memstream(&game->text, &game->size);
    if (!game->line) {
        error_set(err, ERR_MEMORY, "no memory for a game");
        return false;
    }
    labels->count++;
    return fputs("labels", game->line) != EOF;
}

bool human_labels_play(HumanLabels *labels, uint64_t seed, Error *err)
{
    const HumanTeachers *teachers = labels->teachers;
    uint64_t count = (uint64_t)teachers->count;
    games_release(labels);
    labels->is_people = false;
    for (int i = 0; i < HUMAN_LABELS_GAMES; i++) {
        if (!game_begin(labels, err))
            return false;
        Game *game = &labels->games[i];
        game->random = random_next(&seed);
        int white = teachers->ratings[random_below(&game->random, count)], black;
        do
            black = teachers->ratings[random_below(&game->random, count)];
        while (abs(black - white) > RATINGS_APART);
        /* In the middle of its people each is the nearest to its own moves. */
        game->ratings[WHITE] = white + BAND / 2;
        game->ratings[BLACK] = black + BAND / 2;
    }
    return true;
}

bool human_labels_follow(HumanLabels *labels, Text lines, Text *rest, Error *err)
{
    games_release(labels);
    labels->is_people = true;
    while (labels->count < HUMAN_LABELS_GAMES) {
        Text line = text_next_word(&lines, "\n");
        if (line.len == 0)
            break;
        if (!game_begin(labels, err))
            return false;
        PeopleGame people;
        if (!people_line_read(&people, line, err)) {
            error_prefix(err, "line %d", labels->count);
            return false;
        }
        Game *game = &labels->games[labels->count - 1];
        memcpy(game->ratings, people.ratings, sizeof game->ratings);
        game->people = people.moves;
    }
    *rest = lines;
    return true;
}

/* How far a teacher's people are from a rating. */
static int distance(const HumanTeachers *teachers, int i, int rating)
{
    return abs(teachers->ratings[i] + BAND / 2 - rating);
}

static void choose_teachers(const HumanTeachers *teachers, int rating, int chosen[OPINIONS])
{
    for (int k = 0; k < OPINIONS; k++) {
        chosen[k] = -1;
        for (int i = 0; i < teachers->count; i++)
            if ((k == 0 || i != chosen[0]) &&
                (chosen[k] < 0 ||
                 distance(teachers, i, rating) < distance(teachers, chosen[k], rating)))
                chosen[k] = i;
    }
}

/* Is the game over? If not, its moves are known after it. */
static bool look(const HumanLabels *labels, Game *game)
{
    movegen_legal(&game->pos, &game->moves);
    game->is_over = game->moves.count == 0 ||
                    (labels->is_people ? game->people.len == 0
                                       : game->plies >= PLIES_MAX ||
                                             position_outcome(&game->pos) != OUTCOME_NONE);
    return game->is_over;
}

/* All questions to one teacher, as many at a time as it takes. */
static void ask(HumanLabels *labels, int teacher)
{
    int count = 0;
    for (int g = 0; g < labels->count; g++)
        for (int k = 0; k < OPINIONS && !labels->games[g].is_over; k++)
            if (labels->games[g].teachers[k] == teacher)
                labels->questions[count++] = (Question){ g, k };
    for (int first = 0; first < count; first += POLICY_BATCH_MAX) {
        PolicyQuery queries[POLICY_BATCH_MAX];
        int asked = count - first < POLICY_BATCH_MAX ? count - first : POLICY_BATCH_MAX;
        for (int q = 0; q < asked; q++) {
            Question question = labels->questions[first + q];
            Game *game = &labels->games[question.game];
            queries[q] = (PolicyQuery){ &game->history, &game->pos, &game->moves,
                                        game->opinions[question.opinion] };
        }
        policy_batch_evaluate(labels->batches[teacher], queries, asked);
    }
}

/* As the teacher's people would: one move in so many. */
static Move draw(Game *game)
{
    float left = (float)random_below(&game->random, 1 << 24) / (1 << 24);
    int chosen = 0;
    while (chosen < game->moves.count - 1 && left >= game->opinions[0][chosen])
        left -= game->opinions[0][chosen++];
    return game->moves.moves[chosen];
}

static void write_opinions(const HumanTeachers *teachers, const Game *game)
{
    char text[UCI_MOVE_SIZE];
    for (int k = 0; k < OPINIONS; k++) {
        fprintf(game->line, ";%d", teachers->ratings[game->teachers[k]]);
        for (int i = 0; i < game->moves.count; i++) {
            int share = (int)(game->opinions[k][i] * TEN_THOUSAND + 0.5F);
            if (share < LEAST)
                continue;
            uci_move_write(&game->pos, game->moves.moves[i], CASTLING_KING_TO_TARGET, text);
            fprintf(game->line, " %s:%d.%04d", text, share / TEN_THOUSAND, share % TEN_THOUSAND);
        }
    }
}

/* Writes the position down and makes the move that is played there. */
static bool go_on(const HumanLabels *labels, Game *game, Error *err)
{
    Move m;
    Undo undo;
    char text[UCI_MOVE_SIZE];
    if (!labels->is_people) {
        m = draw(game);
    } else {
        Text word = text_next_word(&game->people, " ");
        if (!uci_move_match(&game->pos, word.at, word.len, &m, err))
            return false;
    }
    uci_move_write(&game->pos, m, CASTLING_KING_TO_TARGET, text);
    fprintf(game->line, "\t%s", text);
    write_opinions(labels->teachers, game);
    position_make(&game->pos, m, &undo);
    human_history_push(&game->history, &game->pos);
    game->plies++;
    return true;
}

int human_labels_step(HumanLabels *labels, Error *err)
{
    int going_on = 0;
    for (int g = 0; g < labels->count; g++) {
        Game *game = &labels->games[g];
        if (game->is_over || look(labels, game))
            continue;
        choose_teachers(labels->teachers, game->ratings[game->pos.side_to_move], game->teachers);
        going_on++;
    }
    for (int i = 0; i < labels->teachers->count; i++)
        ask(labels, i);
    for (int g = 0; g < labels->count; g++)
        if (!labels->games[g].is_over && !go_on(labels, &labels->games[g], err)) {
            error_prefix(err, "line %d", g + 1);
            return -1;
        }
    return going_on;
}

int human_labels_count(const HumanLabels *labels)
{
    return labels->count;
}

bool human_labels_write(HumanLabels *labels, const char *path, Error *err)
{
    char part[PATH_SIZE];
    int length = snprintf(part, sizeof part, "%s.part", path);
    errno = ENAMETOOLONG;
    FILE *file = length > 0 && (size_t)length < sizeof part ? fopen(part, "wb") : NULL;
    bool ok = file != NULL;
    for (int g = 0; ok && g < labels->count; g++) {
        Game *game = &labels->games[g];
        ok = fputc('\n', game->line) != EOF && fflush(game->line) == 0 && !ferror(game->line) &&
             fwrite(game->text, 1, game->size, file) == game->size;
    }
    if (file && fclose(file) != 0)
        ok = false;
    ok = ok && rename(part, path) == 0;
    if (!ok)
        error_set(err, ERR_IO, "%s: cannot be written: %s", path, strerror(errno));
    return ok;
}
