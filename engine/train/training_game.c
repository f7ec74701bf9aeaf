/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/train/training_game.h"

#include "engine/base/random.h"
#include "engine/core/movegen.h"
#include "engine/train/verdict.h"

enum { GAME_PLIES_MAX = 600, LATE_PLY_MIN = 10, LATE_PLY_SPAN = 51 };
enum { GAMES_WITH_LATE_MOVE_ONE_IN = 4 };

static_assert((int)GAME_PLIES_MAX < (int)ARCHIVE_PLIES_MAX, "the archive holds every game");

typedef struct {
    ArchivedGame *game;
    const GamePlayer *player;
    uint64_t *random;
    Position pos;
    Verdict verdict;
    VerdictRules rules;
    Ruleset ruleset;
    int opening_max;
    int late_ply; /* of a random move, or -1 */
} Course;

typedef enum { COURSE_OPEN, COURSE_OVER, COURSE_WORTHLESS } CourseState;

static void make(Course *course, ArchivedPly ply)
{
    Undo undo;
    course->game->plies[course->game->ply_count++] = ply;
    position_make(&course->pos, ply.move, &undo);
}

static void make_random(Course *course)
{
    MoveList moves;
    movegen_legal(&course->pos, &moves);
    Move m = moves.moves[random_below(course->random, (uint64_t)moves.count)];
    make(course, (ArchivedPly){ .move = m, .score = ARCHIVE_RANDOM_MOVE });
}

/* Returns how many random moves follow. */
static int draw_start(Course *course, StartKind kind)
{
    if (course->ruleset != RULES_STANDARD) {
        start_variant(&course->pos, course->ruleset);
        course->game->start = packed_start_of(course->ruleset);
        return start_variant_random_plies(course->random);
    }
    int plies = start_random_plies(kind, course->random);
    start_draw(&course->pos, kind, course->random);
    course->game->start = packed_position_of(&course->pos);
    return plies;
}

/* False when the random moves ended the game. */
static bool play_opening(Course *course, StartKind kind)
{
    int plies = draw_start(course, kind);
    course->game->start.flags |= PACKED_FIRST_OF_GAME;
    course->game->ply_count = 0;
    for (int i = 0; i < plies; i++) {
        if (verdict_by_rules(&course->pos) != VERDICT_OPEN)
            return false;
        make_random(course);
    }
    return verdict_by_rules(&course->pos) == VERDICT_OPEN;
}

static CourseState end(Course *course, int points)
{
    course->game->start.result = (uint8_t)points;
    return COURSE_OVER;
}

/* One ply by the player. */
static CourseState step(Course *course, bool is_first)
{
    const GamePlayer *player = course->player;
    int ply_number = course->game->ply_count, mate = 0;
    ArchivedPly ply;
    player->choose(player->user, &course->pos, &ply, &mate);
    if (is_first && (mate || abs(ply.score) > course->opening_max))
        return COURSE_WORTHLESS;
    make(course, ply);
    if (mate)
        return end(course, mate > 0 ? 2 : 0);
    if (ply.score == ARCHIVE_NO_SCORE) {
        course->verdict = (Verdict){ 0 };
        return COURSE_OPEN;
    }
    int points = verdict_by_scores(&course->verdict, &course->rules, ply.score, ply_number);
    return points == VERDICT_OPEN ? COURSE_OPEN : end(course, points);
}

static CourseState play_on(Course *course)
{
    int first = course->game->ply_count;
    for (;;) {
        int points = verdict_by_rules(&course->pos);
        if (points == VERDICT_OPEN && course->game->ply_count == GAME_PLIES_MAX)
            points = 1;
        if (points != VERDICT_OPEN)
            return end(course, points);
        if (course->game->ply_count == course->late_ply) {
            make_random(course);
            course->verdict = (Verdict){ 0 };
        } else {
            CourseState state = step(course, course->game->ply_count == first);
            if (state != COURSE_OPEN)
                return state;
        }
    }
}

uint64_t training_game_seed(uint64_t seed, uint32_t shard, uint64_t number)
{
    uint64_t mixed = random_next(&seed) + shard;
    return random_next(&mixed) + number;
}

void training_game_play(ArchivedGame *game, const GamePlayer *player, const GameRules *rules,
                        uint64_t *random)
{
    Course course = { .game = game, .player = player, .random = random };
    CourseState state = COURSE_WORTHLESS;
    course.ruleset = rules->ruleset;
    course.opening_max = rules->opening_max;
    course.rules = (VerdictRules){ .won_score = rules->won_score,
                                   .won_plies = 4,
                                   .drawn_score = 8,
                                   .drawn_plies = 10,
                                   .drawn_from_ply = 70 };
    while (state == COURSE_WORTHLESS) {
        StartKind kind = start_kind_draw(&rules->shares, random);
        course.verdict = (Verdict){ 0 };
        course.late_ply = -1;
        if (random_below(random, GAMES_WITH_LATE_MOVE_ONE_IN) == 0)
            course.late_ply = LATE_PLY_MIN + (int)random_below(random, LATE_PLY_SPAN);
        if (!play_opening(&course, kind))
            continue;
        player->begin(player->user);
        state = play_on(&course);
    }
}
