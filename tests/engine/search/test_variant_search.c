/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/base/random.h"
#include "engine/core/fen.h"
#include "engine/core/outcome.h"
#include "engine/core/uci_move.h"
#include "engine/core/variant_rules.h"
#include "engine/search/engine.h"
#include "tests/support/unit.h"

static void note_result(void *user, const SearchResult *result)
{
    *(SearchResult *)user = *result;
}

static void set_up(Position *pos, Ruleset ruleset, const char *fen)
{
    Error err = { 0 };
    if (!fen_read_as(pos, ruleset, fen, FEN_STRICT, NULL, &err))
        fail_msg("%s: %s", fen, err.text);
}

static Engine *engine_with(int threads, int lines)
{
    EngineOptions options = ENGINE_OPTIONS_DEFAULT;
    Engine *engine;
    Error err = { 0 };
    options.threads = threads;
    options.multi_pv = lines;
    options.hash_mib = 1;
    if (!engine_new(&engine, &options, &err))
        fail_msg("%s", err.text);
    return engine;
}

static SearchResult think(Engine *engine, const Position *pos, const SearchLimits *limits)
{
    SearchResult result = { 0 };
    const SearchCallbacks callbacks = { .on_done = note_result, .user = &result };
    engine_set_position(engine, pos);
    engine_go(engine, limits, &callbacks);
    engine_wait(engine);
    return result;
}

enum { WIN = SCORE_MATE, LOSS = -SCORE_MATE };

/* Scores count plies to the end, as mates do. */
TEST(every_way_to_win_is_found)
{
    static const struct {
        const char *name, *fen;
        Ruleset ruleset;
        int score;
        const char *moves; /* any of these; "": no matter which */
    } rows[] = {
        { "a drop mates", "6k1/5ppp/8/8/8/8/8/K7[R] w - - 0 1", RULES_CRAZYHOUSE, WIN - 1,
          "R@a8 R@b8 R@c8 R@d8 R@e8" },
        { "to be captured wins", "8/8/8/8/1p6/8/P7/8 w - - 0 1", RULES_ANTICHESS, WIN - 2, "" },
        { "to capture the last man loses", "8/8/8/8/8/1p6/P7/8 w - - 0 1", RULES_ANTICHESS,
          LOSS + 1, "a2b3" },
        { "to leave no move loses", "8/8/8/p7/8/P7/8/8 w - - 0 1", RULES_ANTICHESS, LOSS + 1,
          "a3a4" },
        { "a king explodes", "rnbqkbnr/pppp1ppp/8/4N3/8/8/PPPPPPPP/RNBQKB1R w KQkq - 0 1",
          RULES_ATOMIC, WIN - 1, "e5f7 e5d7" },
        { "an explosion answers check", "4k3/3p4/8/1B6/8/8/4r3/4K3 w - - 0 1", RULES_ATOMIC,
          WIN - 1, "b5d7" },
        { "the horde's last man", "4k3/8/8/8/8/8/4P3/4r3 b - - 0 1", RULES_HORDE, WIN - 1, "e1e2" },
        { "the horde mates", "k7/2P5/1P6/P7/8/8/8/8 w - - 0 1", RULES_HORDE, WIN - 1,
          "c7c8q c7c8r" },
        { "a step onto the hill", "8/8/8/8/8/4K3/8/k7 w - - 0 1", RULES_KING_OF_THE_HILL, WIN - 1,
          "e3e4 e3d4" },
        { "two steps", "7k/8/8/8/8/8/3K4/8 w - - 0 1", RULES_KING_OF_THE_HILL, WIN - 3, "" },
        { "Black's race is over at once", "8/k7/8/8/8/8/6K1/8 b - - 0 1", RULES_RACING_KINGS,
          WIN - 1, "a7a8 a7b8" },
        { "White's, as Black is too far", "8/6K1/8/k7/8/8/8/8 w - - 0 1", RULES_RACING_KINGS,
          WIN - 1, "g7f8 g7g8 g7h8" },
        { "the third check", "4k3/8/8/8/8/8/8/R3K3 w - - 1+3 0 1", RULES_THREE_CHECK, WIN - 1,
          "a1a8" },
        { "the second and the third", "7k/8/8/8/8/8/8/RR2K3 w - - 2+3 0 1", RULES_THREE_CHECK,
          WIN - 3, "" },
    };
    Engine *engine = engine_with(1, 1);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Position pos;
        char move[UCI_MOVE_SIZE];
        set_up(&pos, rows[i].ruleset, rows[i].fen);
        const SearchResult result = think(engine, &pos, &(SearchLimits){ .depth = 7 });
        uci_move_write(&pos, result.best, CASTLING_KING_TO_TARGET, move);
        if (result.info.score != rows[i].score || !*move ||
            (*rows[i].moves && !strstr(rows[i].moves, move)))
            fail_msg("%s: %s with %d, not %d", rows[i].name, move, result.info.score,
                     rows[i].score);
    }
    engine_free(engine);
}

TEST(a_race_that_both_finish_is_drawn)
{
    Engine *engine = engine_with(1, 1);
    Position pos;
    set_up(&pos, RULES_RACING_KINGS, "8/k5K1/8/8/8/8/8/8 w - - 0 1");
    const SearchResult result = think(engine, &pos, &(SearchLimits){ .depth = 5 });
    assert_in_range(result.info.score + 1, 0, 2);
    engine_free(engine);
}

TEST(a_finished_game_has_no_move)
{
    static const struct {
        const char *fen;
        Ruleset ruleset;
    } rows[] = {
        { "8/8/8/4k3/8/8/8/K7 w - - 0 1", RULES_KING_OF_THE_HILL },
        { "8/8/8/8/8/8/p7/8 w - - 0 1", RULES_ANTICHESS },
        { "8/8/8/8/8/8/8/4K3 b - - 0 1", RULES_ATOMIC },
        { "4k3/8/8/8/8/8/8/8 w - - 0 1", RULES_HORDE },
        { "6K1/8/8/k7/8/8/8/8 b - - 0 1", RULES_RACING_KINGS },
        { "4k3/8/8/8/8/8/8/4R1K1 b - - 0+3 0 1", RULES_THREE_CHECK },
    };
    Engine *engine = engine_with(1, 1);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Position pos;
        Error err = { 0 };
        if (!fen_read_as(&pos, rows[i].ruleset, rows[i].fen, FEN_LENIENT, NULL, &err))
            fail_msg("%s: %s", rows[i].fen, err.text);
        if (think(engine, &pos, &(SearchLimits){ .depth = 5 }).best != MOVE_NONE)
            fail_msg("%s: a move", rows[i].fen);
    }
    engine_free(engine);
}

static bool is_legal(const Position *pos, Move m)
{
    MoveList list;
    movegen_legal(pos, &list);
    for (int i = 0; i < list.count; i++)
        if (list.moves[i] == m)
            return true;
    return false;
}

static void check_line(const Position *pos, const SearchResult *result)
{
    Position line = *pos;
    char fen[FEN_SIZE];
    for (int i = 0; i < result->info.pv_length; i++) {
        Undo undo;
        fen_write(&line, fen);
        if (!is_legal(&line, result->info.pv[i]))
            fail_msg("move %d of the line is illegal in %s", i + 1, fen);
        position_make(&line, result->info.pv[i], &undo);
    }
}

/* Random games meet what no list of positions thinks of. Asserts in the engine look on. */
TEST(search_plays_legal_moves_in_random_games)
{
    enum { GAMES = 12, PLIES_MAX = 160, NODES = 250 };
    Engine *one = engine_with(1, 1), *many = engine_with(2, 3);
    uint64_t random = 1;
    for (int game = 0; game < GAMES * (RULESET_COUNT - 1); game++) {
        Ruleset ruleset = (Ruleset)(1 + game % (RULESET_COUNT - 1));
        Position pos;
        set_up(&pos, ruleset, variant_rules_table[ruleset].start_fen);
        for (int ply = 0; ply < PLIES_MAX && position_outcome(&pos) == OUTCOME_NONE; ply++) {
            MoveList list;
            Undo undo;
            char fen[FEN_SIZE];
            Engine *engine = ply % 8 ? one : many;
            const SearchResult result = think(engine, &pos, &(SearchLimits){ .nodes = NODES });
            fen_write(&pos, fen);
            if (!is_legal(&pos, result.best))
                fail_msg("no legal move in %s", fen);
            check_line(&pos, &result);
            movegen_legal(&pos, &list);
            bool at_random = ply % 3 != 2;
            Move m =
                at_random ? list.moves[random_below(&random, (uint64_t)list.count)] : result.best;
            position_make(&pos, m, &undo);
        }
    }
    engine_free(one);
    engine_free(many);
}

typedef struct {
    SearchResult result;
    Move first[4]; /* of each line, counted from 1 */
    int lines;
} Heard;

static void note_line(void *user, const SearchInfo *info)
{
    Heard *heard = user;
    assert_in_range(info->line, 1, 3);
    heard->first[info->line] = info->pv[0];
    heard->lines = info->line > heard->lines ? info->line : heard->lines;
}

static void note_heard(void *user, const SearchResult *result)
{
    ((Heard *)user)->result = *result;
}

/* Starts a search of the variant's start position. */
static void begin(Engine *engine, Ruleset ruleset, Position *pos, Heard *heard,
                  const SearchLimits *limits)
{
    const SearchCallbacks callbacks = { .on_info = note_line,
                                        .on_done = note_heard,
                                        .user = heard };
    *heard = (Heard){ .lines = 0 };
    set_up(pos, ruleset, variant_rules_table[ruleset].start_fen);
    engine_set_position(engine, pos);
    engine_go(engine, limits, &callbacks);
}

TEST(lines_weak_play_and_pondering_work_in_every_variant)
{
    Engine *engine = engine_with(2, 3);
    for (Ruleset r = RULES_STANDARD; r < RULESET_COUNT; r++) {
        Position pos;
        Undo undo;
        Heard heard;
        begin(engine, r, &pos, &heard, &(SearchLimits){ .depth = 4 });
        engine_wait(engine);
        assert_int_equal(heard.lines, 3);
        for (int i = 1; i <= 3; i++) {
            assert_true(is_legal(&pos, heard.first[i]));
            assert_true(heard.first[i] != heard.first[i % 3 + 1]);
        }

        begin(engine, r, &pos, &heard, &(SearchLimits){ .elo = 900, .seed = 1, .nodes = 1000 });
        engine_wait(engine);
        assert_true(is_legal(&pos, heard.result.best));

        begin(engine, r, &pos, &heard, &(SearchLimits){ .ponder = true, .depth = 4 });
        engine_ponderhit(engine);
        engine_wait(engine);
        assert_true(is_legal(&pos, heard.result.best));
        position_make(&pos, heard.result.best, &undo);
        assert_true(is_legal(&pos, heard.result.ponder));
    }
    engine_free(engine);
}

/* The same men stand on the board, but not in the pockets: nothing of one search may be taken for a
 * result of the other. */
TEST(pockets_are_told_apart_in_the_hash)
{
    Engine *engine = engine_with(1, 1);
    Position rich, poor;
    set_up(&rich, RULES_CRAZYHOUSE, "6k1/5ppp/8/8/8/8/8/K7[R] w - - 0 1");
    set_up(&poor, RULES_CRAZYHOUSE, "6k1/5ppp/8/8/8/8/8/K7[] w - - 0 1");
    const SearchLimits limits = { .depth = 6 };
    assert_int_equal(think(engine, &rich, &limits).info.score, SCORE_MATE - 1);
    assert_true(think(engine, &poor, &limits).info.score < 0);
    engine_free(engine);
}

/* One search of each line of the file, "variant<TAB>FEN<TAB>nodes": as bench does it for chess. The
 * counts belong to the play and change with it. */
TEST(bench_counts_the_nodes_it_is_known_by)
{
    enum { DEPTH = 8 };
    FILE *file = fopen(TEST_DATA_DIR "/variant_bench.tsv", "r");
    char line[512];
    int differing = 0;
    assert_non_null(file);
    Engine *engine = engine_with(1, 1);
    while (fgets(line, sizeof line, file)) {
        char name[32], fen[256];
        unsigned long nodes;
        Position pos;
        if (sscanf(line, "%31[^\t]\t%255[^\t]\t%lu", name, fen, &nodes) != 3)
            fail_msg("no line of the bench: %s", line);
        set_up(&pos, ruleset_of_uci_name(name, strlen(name)), fen);
        engine_clear(engine);
        const SearchResult result = think(engine, &pos, &(SearchLimits){ .depth = DEPTH });
        if (result.info.nodes != nodes) {
            print_message("%s\t%s\t%lu\n", name, fen, (unsigned long)result.info.nodes);
            differing++;
        }
    }
    fclose(file);
    engine_free(engine);
    if (differing)
        fail_msg("%d counts differ from variant_bench.tsv", differing);
}
