/* SPDX-License-Identifier: GPL-3.0-or-later */
/* duel: lets two networks, or two settings of the search's parameters, play each other in one
 * process, at a fixed number of nodes a move: what scripts/train, scripts/tune and scripts/ablate
 * rest on. The same arguments and build give the same games, on a busy machine too.
 *
 *   duel --nodes 5000 --pairs 100 --seed 1 --openings FILE.epd lmr_base=700 -- lmr_base=900
 *   duel --openings FILE.epd EvalFile=new.nnue -- EvalFile=old.nnue
 *
 *   duel --variant atomic EvalFile=new.nnue -- EvalFile=old.nnue
 *
 * has a variant played; without openings, games begin with a few random moves, after which the
 * second side takes the position for level.
 *
 *   duel --to-the-end --openings FILE.epd Contempt=40 -- Nodes=1000
 *
 * plays each opening twice, colours changed, and prints the first side's wins, draws and losses,
 * and how many pairs brought it 0, 1/2, 1, 3/2 and 2 points: "+31 =140 -29 pairs 3 21 50 23 3". A
 * side without EvalFile has the network that is built in. Level games are ended as draws; with
 * --to-the-end only the rules end them, as contempt and weaker play want it. Parameters are refused
 * but in builds with CASTLED_TUNE, since others would not read them.
 *
 *   duel --clock 10000+100 --openings FILE.epd time_drop=0 -- time_drop=10
 *   duel --to-the-end --openings FILE.epd Elo=1600 -- Elo=1400
 *
 *   duel --pairs 500 Variety=15 -- Nodes=5000
 *
 * measures what the variety of the first eight moves costs.
 *
 * With --clock (milliseconds + milliseconds a move) --nodes are a millisecond instead of a move:
 * for time management on a busy machine. Who oversteps the clock loses, and a line on stderr says
 * so. */
#include "engine/base/number.h"
#include "engine/base/random.h"
#include "engine/core/fen.h"
#include "engine/core/movegen.h"
#include "engine/core/variant_rules.h"
#include "engine/eval/network.h"
#include "engine/search/engine.h"
#include "engine/search/params.h"
#include "engine/train/verdict.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    GAME_PLIES_MAX = 400,
    HASH_MIB = 16,
    OPENINGS_MAX = 100000,
    RANDOM_PLIES = 4,
    VARIED_MOVES = 8, /* as castled-uci has it */
    LEVEL_SCORE = 150
};
static const VerdictRules usual_rules = {
    .won_score = 900, .won_plies = 6, .drawn_score = 8, .drawn_plies = 10, .drawn_from_ply = 80
};

static const VerdictRules to_the_end = {
    .won_score = SCORE_MATE, .won_plies = 1, .drawn_score = -1, .drawn_plies = 1
};

typedef struct {
    Engine *engine;
    Params params;
    EngineOptions options;
    Network *network; /* NULL: the one built in */
    int64_t nodes;    /* a move; 0: the duel's */
    int contempt_cp;
    int variety_cp;
    int elo;             /* 0: full strength */
    int64_t clock_ms;    /* what is left */
    SearchResult result; /* of its last search */
} Player;

typedef struct {
    int64_t nodes, pairs, seed;
    int64_t clock_ms, increment_ms; /* 0: no clock */
    VerdictRules rules;
    Ruleset ruleset;
    const char *openings_path;
    char (*openings)[FEN_SIZE];
    int opening_count;
    Player players[2];
} Duel;

static void take_result(void *user, const SearchResult *result)
{
    Player *player = user;
    player->result = *result;
}

static void think(const Duel *duel, Player *player, const Position *pos, uint64_t seed)
{
    int64_t nodes = player->nodes ? player->nodes : duel->nodes;
    SearchLimits limits = { .contempt_cp = player->contempt_cp, .elo = player->elo, .seed = seed };
    limits.variety_cp = pos->fullmove_number <= VARIED_MOVES ? player->variety_cp : 0;
    if (duel->clock_ms) {
        limits.has_clock = true;
        limits.time_ms[pos->side_to_move] = player->clock_ms;
        limits.increment_ms[pos->side_to_move] = duel->increment_ms;
        limits.nodes_per_ms = (uint64_t)nodes;
    } else if (!player->elo) {
        limits.nodes = (uint64_t)nodes;
    }
    engine_set_position(player->engine, pos);
    engine_go(player->engine, &limits,
              &(SearchCallbacks){ .on_done = take_result, .user = player });
    engine_wait(player->engine);
    if (duel->clock_ms)
        player->clock_ms += duel->increment_ms - (int64_t)player->result.info.nodes / nodes;
}

/* White's points in halves. */
static int play_game(const Duel *duel, Player *white, Player *black, const Position *opening,
                     uint64_t seed)
{
    Player *players[COLOUR_COUNT] = { [WHITE] = white, [BLACK] = black };
    Verdict verdict = { 0 };
    Position pos = *opening;
    engine_clear(white->engine);
    engine_clear(black->engine);
    white->clock_ms = black->clock_ms = duel->clock_ms;
    for (int ply = 0; ply < GAME_PLIES_MAX; ply++) {
        int points = verdict_by_rules(&pos);
        if (points != VERDICT_OPEN)
            return points;
        Player *player = players[pos.side_to_move];
        think(duel, player, &pos, seed);
        if (duel->clock_ms && player->clock_ms - duel->increment_ms < 0) {
            fprintf(stderr, "duel: out of time at ply %d\n", ply);
            return pos.side_to_move == WHITE ? 0 : 2;
        }
        int score = player->result.info.score;
        int white_score = pos.side_to_move == WHITE ? score : -score;
        points = verdict_by_scores(&verdict, &duel->rules, white_score, ply);
        if (points != VERDICT_OPEN)
            return points;
        Undo undo;
        position_make(&pos, player->result.best, &undo);
    }
    return 1;
}

/* False where the random moves end the game. */
static bool random_opening(Position *pos, Ruleset ruleset, uint64_t *random)
{
    MoveList moves;
    Undo undo;
    bool ok =
        fen_read_as(pos, ruleset, variant_rules_table[ruleset].start_fen, FEN_STRICT, NULL, NULL);
    assert(ok);
    (void)ok;
    for (int ply = 0; ply < RANDOM_PLIES; ply++) {
        movegen_legal(pos, &moves);
        if (moves.count == 0)
            return false;
        position_make(pos, moves.moves[random_below(random, (uint64_t)moves.count)], &undo);
    }
    return verdict_by_rules(pos) == VERDICT_OPEN;
}

/* In sharp variants most random positions are won for one side, and tell nothing. */
static bool is_level(const Duel *duel, Player *judge, const Position *pos)
{
    engine_clear(judge->engine);
    judge->clock_ms = duel->clock_ms;
    think(duel, judge, pos, 0);
    return abs(judge->result.info.score) <= LEVEL_SCORE;
}

static void draw_opening(Position *pos, const Duel *duel, Player *judge, uint64_t *random)
{
    if (!duel->opening_count) {
        do {
            while (!random_opening(pos, duel->ruleset, random))
                continue;
        } while (!is_level(duel, judge, pos));
        return;
    }
    const char *fen = duel->openings[random_below(random, (uint64_t)duel->opening_count)];
    bool ok = fen_read_as(pos, duel->ruleset, fen, FEN_STRICT, NULL, NULL);
    assert(ok); /* as it was when it was read */
    (void)ok;
}

static void play(const Duel *duel, Player *first, Player *second)
{
    int games[3] = { 0 }; /* by the first's points in halves */
    int pairs[5] = { 0 };
    uint64_t random = (uint64_t)duel->seed, dice = ~random;
    for (int64_t i = 0; i < duel->pairs; i++) {
        Position opening;
        draw_opening(&opening, duel, second, &random);
        int as_white = play_game(duel, first, second, &opening, random_next(&dice));
        int as_black = 2 - play_game(duel, second, first, &opening, random_next(&dice));
        games[as_white]++;
        games[as_black]++;
        pairs[as_white + as_black]++;
    }
    printf("+%d =%d -%d pairs %d %d %d %d %d\n", games[2], games[1], games[0], pairs[0], pairs[1],
           pairs[2], pairs[3], pairs[4]);
}

/* A line of an EPD is a FEN's first four fields and operations that are not ours. */
static bool opening_read(char fen[FEN_SIZE], Ruleset ruleset, const char *line, Error *err)
{
    Position pos;
    char fields[4][FEN_SIZE];
    int n = 0;
    bool ok = strlen(line) < FEN_SIZE &&
              sscanf(line, "%s %s %s %s", fields[0], fields[1], fields[2], fields[3]) == 4;
    if (ok)
        n = snprintf(fen, FEN_SIZE, "%s %s %s %s 0 1", fields[0], fields[1], fields[2], fields[3]);
    if (!ok || n < 0 || n >= FEN_SIZE) {
        error_set(err, ERR_INVALID, "no position");
        return false;
    }
    return fen_read_as(&pos, ruleset, fen, FEN_STRICT, NULL, err);
}

static bool openings_read(Duel *duel, Error *err)
{
    char line[FEN_SIZE];
    if (!duel->openings_path)
        return true;
    FILE *file = fopen(duel->openings_path, "r");
    duel->openings = calloc(OPENINGS_MAX, sizeof *duel->openings);
    bool ok = file && duel->openings;
    if (!file)
        error_set(err, ERR_IO, "%s: cannot open", duel->openings_path);
    else if (!ok)
        error_set(err, ERR_MEMORY, "no memory for the openings");
    while (ok && duel->opening_count < OPENINGS_MAX && fgets(line, sizeof line, file)) {
        Error why = { 0 };
        ok = opening_read(duel->openings[duel->opening_count++], duel->ruleset, line, &why);
        if (!ok)
            error_set(err, why.code, "%s:%d: %s", duel->openings_path, duel->opening_count,
                      why.text);
    }
    if (ok && duel->opening_count == 0) {
        error_set(err, ERR_INVALID, "%s: empty", duel->openings_path);
        ok = false;
    }
    if (file)
        fclose(file);
    return ok;
}

#ifdef CASTLED_TUNE
static bool parameter_set(Player *player, const char *name, size_t name_length, const char *value,
                          Error *err)
{
    static const struct {
        const char *name;
        size_t offset;
        int lo, hi;
    } rows[] = {
    #define ROW(name, value, lo, hi) { #name, offsetof(Params, name), lo, hi },
        PARAMS(ROW)
    #undef ROW
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        int64_t number;
        if (strlen(rows[i].name) != name_length || strncmp(rows[i].name, name, name_length) != 0)
            continue;
        if (!number_parse(value, strlen(value), rows[i].lo, rows[i].hi, &number, err))
            return false;
        int narrow = (int)number;
        memcpy((char *)&player->params + rows[i].offset, &narrow, sizeof narrow);
        return true;
    }
    error_set(err, ERR_INVALID, "%s: no parameter", name);
    return false;
}
#else
static bool parameter_set(Player *player, const char *name, size_t name_length, const char *value,
                          Error *err)
{
    (void)player;
    (void)value;
    error_set(err, ERR_INVALID, "%.*s: this build has no parameters", (int)name_length, name);
    return false;
}
#endif

static bool is_named(const char *assignment, size_t length, const char *name)
{
    return length == strlen(name) && strncmp(assignment, name, length) == 0;
}

static bool assign(Player *player, const char *assignment, Error *err)
{
    int64_t number = 0;
    const char *equals = strchr(assignment, '=');
    size_t length = equals ? (size_t)(equals - assignment) : 0;
    if (!equals) {
        error_set(err, ERR_INVALID, "%s: not NAME=VALUE", assignment);
        return false;
    }
    const char *value = equals + 1;
    if (is_named(assignment, length, "Nodes"))
        return number_parse(value, strlen(value), 1, INT64_MAX, &player->nodes, err);
    if (is_named(assignment, length, "Contempt")) {
        bool ok = number_parse(value, strlen(value), -CONTEMPT_MAX, CONTEMPT_MAX, &number, err);
        player->contempt_cp = (int)number;
        return ok;
    }
    if (is_named(assignment, length, "Variety")) {
        bool ok = number_parse(value, strlen(value), 0, CONTEMPT_MAX, &number, err);
        player->variety_cp = (int)number;
        return ok;
    }
    if (is_named(assignment, length, "Elo")) {
        bool ok = number_parse(value, strlen(value), ELO_MIN, ELO_MAX, &number, err);
        player->elo = (int)number;
        return ok;
    }
    if (!is_named(assignment, length, "EvalFile"))
        return parameter_set(player, assignment, length, value, err);
    network_free(player->network);
    player->network = NULL;
    return network_load(&player->network, value, err);
}

/* "10000+100": milliseconds, and more after each move. */
static bool clock_parse(Duel *duel, const char *text, Error *err)
{
    const char *plus = strchr(text, '+');
    if (!plus) {
        error_set(err, ERR_INVALID, "%s: not MILLISECONDS+MILLISECONDS", text);
        return false;
    }
    return number_parse(text, (size_t)(plus - text), 1, INT32_MAX, &duel->clock_ms, err) &&
           number_parse(plus + 1, strlen(plus + 1), 0, INT32_MAX, &duel->increment_ms, err);
}

static bool options_parse(Duel *duel, int argc, char **argv, Error *err)
{
    static const struct option names[] = {
        { "nodes", required_argument, NULL, 'n' },   { "pairs", required_argument, NULL, 'p' },
        { "seed", required_argument, NULL, 's' },    { "openings", required_argument, NULL, 'o' },
        { "to-the-end", no_argument, NULL, 'e' },    { "clock", required_argument, NULL, 'c' },
        { "variant", required_argument, NULL, 'v' }, { 0 },
    };
    bool ok = true;
    for (int name; ok && (name = getopt_long(argc, argv, "+", names, NULL)) != -1;) {
        size_t length = optarg ? strlen(optarg) : 0;
        if (name == 'n')
            ok = number_parse(optarg, length, 1, INT64_MAX, &duel->nodes, err);
        else if (name == 'p')
            ok = number_parse(optarg, length, 1, INT64_MAX, &duel->pairs, err);
        else if (name == 's')
            ok = number_parse(optarg, length, 0, INT64_MAX, &duel->seed, err);
        else if (name == 'o')
            duel->openings_path = optarg;
        else if (name == 'c')
            ok = clock_parse(duel, optarg, err);
        else if (name == 'v')
            ok = (duel->ruleset = ruleset_of_uci_name(optarg, length)) != RULESET_COUNT;
        else if (name == 'e')
            duel->rules = to_the_end;
        else
            ok = false;
    }
    int side = 0;
    for (int i = optind; ok && i < argc; i++) {
        if (strcmp(argv[i], "--") == 0)
            ok = ++side < 2;
        else
            ok = assign(&duel->players[side], argv[i], err);
    }
    if (ok && (duel->openings_path || duel->ruleset != RULES_STANDARD))
        return true;
    if (!err->code)
        error_set(err, ERR_INVALID,
                  "usage: duel [--nodes N] [--clock MS+MS] [--pairs N] [--seed N] "
                  "[--to-the-end] {--openings FILE.epd | --variant NAME} "
                  "[NAME=VALUE ...] [-- NAME=VALUE ...]");
    return false;
}

static void network_use(Player *player)
{
    const Network *network = player->network;
    if (network && network->info.ruleset != RULES_STANDARD)
        player->options.variant_networks[network->info.ruleset] = network;
    else
        player->options.network = network;
}

int main(int argc, char **argv)
{
    Duel duel = { .nodes = 5000, .pairs = 100, .seed = 1, .rules = usual_rules };
    Error err = { 0 };
    for (int i = 0; i < 2; i++) {
        duel.players[i].params = PARAMS_DEFAULT;
        duel.players[i].options = (EngineOptions)ENGINE_OPTIONS_DEFAULT;
        duel.players[i].options.params = &duel.players[i].params;
        duel.players[i].options.hash_mib = HASH_MIB;
    }
    bool ok = options_parse(&duel, argc, argv, &err) && openings_read(&duel, &err);
    for (int i = 0; i < 2; i++)
        network_use(&duel.players[i]);
    for (int i = 0; i < 2 && ok; i++)
        ok = engine_new(&duel.players[i].engine, &duel.players[i].options, &err);
    if (ok)
        play(&duel, &duel.players[0], &duel.players[1]);
    else
        fprintf(stderr, "duel: %s\n", err.text);
    for (int i = 0; i < 2; i++) {
        engine_free(duel.players[i].engine);
        network_free(duel.players[i].network);
    }
    free(duel.openings);
    return ok ? 0 : 1;
}
