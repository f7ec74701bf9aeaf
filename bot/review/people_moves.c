/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/review/people_moves.h"

#include "bot/review/replay.h"
#include "engine/base/minmax.h"
#include "engine/core/movegen.h"
#include "engine/human/policy_network.h"

#include <string.h>

typedef struct {
    PolicyNetwork *network;
    PolicyRoom *room;
    Position pos;
    HumanHistory history;
} Scene;

int people_rating(int rating)
{
    return rating <= 0 ? 0 : int_clamp(rating / 100 * 100, PEOPLE_RATING_MIN, PEOPLE_RATING_MAX);
}

static bool set_scene(Scene *scene, const GameRecord *record)
{
    *scene = (Scene){ 0 };
    if (!replay_begin(&scene->pos, record->variant, record->initial_fen) ||
        !position_is_chess(&scene->pos) || !policy_load(&scene->network, POLICY_BUILT_IN, NULL) ||
        !policy_room_new(&scene->room, scene->network, NULL))
        return false;
    const char *fen = record->initial_fen;
    human_history_init(&scene->history, &scene->pos,
                       fen[0] ? human_en_passant_of(fen) : SQUARE_NONE);
    return true;
}

static void clear_scene(Scene *scene)
{
    policy_room_free(scene->room);
    policy_free(scene->network);
}

/* What people make of the position, and of `played` in it. */
static bool judge(const Scene *scene, Move played, int rating, PeopleMove *out)
{
    MoveList legal;
    PolicyVerdict verdict;
    movegen_legal(&scene->pos, &legal);
    for (int i = 0; i < legal.count; i++) {
        if (legal.moves[i] != played)
            continue;
        policy_evaluate(scene->network, scene->room, &scene->history, &scene->pos, &legal, rating,
                        &verdict);
        HumanOpinion opinion = policy_opinion(&verdict, &legal, i);
        *out = (PeopleMove){ .share = opinion.probability,
                             .first_share = opinion.likeliest_probability,
                             .is_first = opinion.likeliest == played };
        san_write(&scene->pos, opinion.likeliest, out->first);
        return true;
    }
    return false;
}

size_t people_moves_read(const GameRecord *record, size_t first, size_t last, int rating,
                         PeopleMove *out)
{
    Scene scene;
    size_t known = 0;
    int people = people_rating(rating);
    bool ok = people > 0 && set_scene(&scene, record);
    for (size_t i = 0; ok && i <= last && i < record->count; i++) {
        Position before = scene.pos;
        Move move = replay_move(&before, text_of(record->moves[i].uci), NULL);
        ok = move != MOVE_NONE && (i < first || judge(&scene, move, people, &out[i - first]));
        known += ok && i >= first;
        scene.pos = before;
        human_history_push(&scene.history, &scene.pos);
    }
    if (people > 0)
        clear_scene(&scene);
    return known;
}
