/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The engine's choice of a person's move, by a small network of random weights. */
#include "engine/human/policy_network.h"
#include "engine/search/engine.h"
#include "tests/support/chess.h"
#include "tests/support/policy_maker.h"

#include <math.h>

typedef struct {
    PolicyNetwork *network;
    Engine *engine;
} Person;

static Person person_new(bool has_network)
{
    Person person = { 0 };
    EngineOptions options = ENGINE_OPTIONS_DEFAULT;
    Error err = { 0 };
    PolicyFile file = policy_file_make(&(PolicyShape){ .filters = 8, .blocks = 1, .seed = 7 });
    if (!policy_read(&person.network, file.bytes, file.size, &err))
        fail_msg("%s", err.text);
    policy_file_release(&file);
    options.human = has_network ? person.network : NULL;
    if (!engine_new(&person.engine, &options, &err))
        fail_msg("%s", err.text);
    return person;
}

static void person_free(Person *person)
{
    engine_free(person->engine);
    policy_free(person->network);
}

static void on_done(void *user, const SearchResult *result)
{
    *(SearchResult *)user = *result;
}

static SearchResult choice_of(Person *person, const Position *pos, SearchLimits limits)
{
    SearchResult result = { 0 };
    const SearchCallbacks callbacks = { .on_done = on_done, .user = &result };
    engine_clear(person->engine);
    engine_set_position(person->engine, pos);
    engine_go(person->engine, &limits, &callbacks);
    engine_wait(person->engine);
    return result;
}

TEST(without_a_rating_the_network_decides_alone)
{
    Person person = person_new(true);
    PolicyRoom *room = NULL;
    PolicyVerdict verdict;
    HumanHistory history;
    MoveList moves;
    Position pos = position_of("r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3");
    human_history_init(&history, &pos, SQUARE_NONE);
    movegen_legal(&pos, &moves);
    assert_true(policy_room_new(&room, person.network, NULL));
    policy_evaluate(person.network, room, &history, &pos, &moves, 1500, &verdict);
    int likeliest = 0;
    for (int i = 1; i < moves.count; i++)
        likeliest = verdict.probability[i] > verdict.probability[likeliest] ? i : likeliest;
    SearchResult result =
        choice_of(&person, &pos, (SearchLimits){ .human = true, .human_likeliest = true });
    assert_int_equal(result.best, moves.moves[likeliest]);
    assert_true(fabsf(result.human.probability - verdict.probability[likeliest]) < 1e-5F);
    policy_room_free(room);
    person_free(&person);
}

TEST(the_strongest_person_takes_what_the_search_finds)
{
    static const struct {
        const char *fen, *move;
    } rows[] = {
        { "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", "a1a8" },
        { "4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1", "e4d5" },
    };
    Person person = person_new(true);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Position pos = position_of(rows[i].fen);
        SearchResult result = choice_of(
            &person, &pos,
            (SearchLimits){ .human = true, .human_likeliest = true, .elo = 2800, .nodes = 20000 });
        assert_int_equal(result.best, move_of(&pos, rows[i].move));
    }
    person_free(&person);
}

TEST(drawn_moves_differ_by_seed_alone)
{
    Person person = person_new(true);
    Position pos = position_of(FEN_START);
    int different = 0;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        SearchLimits limits = { .human = true, .seed = seed };
        Move m = choice_of(&person, &pos, limits).best;
        assert_int_equal(m, choice_of(&person, &pos, limits).best);
        limits.seed++;
        different += m != choice_of(&person, &pos, limits).best;
    }
    assert_true(different > 5);
    person_free(&person);
}

TEST(without_a_network_or_in_a_variant_the_engine_plays)
{
    Person person = person_new(false);
    Position pos = position_of("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1");
    SearchLimits limits = { .human = true, .depth = 4 };
    SearchResult result = choice_of(&person, &pos, limits);
    assert_int_equal(result.best, move_of(&pos, "a1a8"));
    assert_true(result.human.probability == 0);
    person_free(&person);
    person = person_new(true);
    Position atomic =
        position_by(RULES_ATOMIC, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    result = choice_of(&person, &atomic, limits);
    assert_true(result.best != MOVE_NONE && result.human.probability == 0);
    person_free(&person);
}

/* Moves of the winner until the mate, or `limit`; the bare king runs away from the edge. */
static int moves_to_mate(Person *person, const char *fen, SearchLimits limits, int limit)
{
    Position pos = position_of(fen);
    MoveList moves;
    for (int made = 1; made < limit; made++) {
        Undo undo;
        limits.seed = (uint64_t)made;
        position_make(&pos, choice_of(person, &pos, limits).best, &undo);
        movegen_legal(&pos, &moves);
        if (moves.count == 0)
            return pos.checkers ? made : limit;
        position_make(&pos, choice_of(person, &pos, (SearchLimits){ .nodes = 5000 }).best, &undo);
    }
    return limit;
}

TEST(bare_kings_are_mated_by_people_of_any_rating)
{
    Person person = person_new(true);
    for (int elo = 800; elo <= 2000; elo += 400) {
        SearchLimits limits = { .human = true, .elo = elo };
        assert_in_range(moves_to_mate(&person, "8/8/8/8/4k3/8/1Q6/K7 w - - 0 1", limits, 50), 1,
                        25);
        assert_in_range(moves_to_mate(&person, "8/8/8/4k3/8/8/1R6/K7 w - - 0 1", limits, 50), 1,
                        40);
    }
    person_free(&person);
}

TEST(bare_kings_are_mated_in_little_time)
{
    Person person = person_new(false);
    SearchLimits limits = { .nodes = 10000 };
    assert_in_range(moves_to_mate(&person, "8/8/8/8/4k3/8/1Q6/K7 w - - 0 1", limits, 50), 1, 20);
    assert_in_range(moves_to_mate(&person, "8/8/8/4k3/8/8/1R6/K7 w - - 0 1", limits, 50), 1, 30);
    assert_in_range(moves_to_mate(&person, "8/8/4k3/8/8/8/1BB5/K7 w - - 0 1", limits, 60), 1, 50);
    person_free(&person);
}
