/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/source/online_choice.h"
#include "tests/support/chess.h"

static Position set_up(const char *fen)
{
    Position position = position_of(fen);
    return position;
}

enum { NO_OWN = CONFIG_AUTO };
#define NONE_OF_THEIR_OWN                                                                          \
    {                                                                                              \
        NO_OWN, NO_OWN, NO_OWN, NO_OWN                                                             \
    }

TEST(who_is_asked_depends_on_position_clock_and_variant)
{
    static const char middle[] = "r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQkq - 0 1";
    static const char seven[] = "4k3/8/8/8/8/8/PPPPP3/4K3 w - - 0 1";
    static const char castles[] = "4k3/8/8/8/8/8/8/4K2R w K - 0 1";
    static const char chess960[] = "1k2r3/pppppppp/8/8/8/8/PPPPPPPP/1K2R3 w Ee - 0 1";
    static const struct {
        const char *name, *fen;
        Variant variant;
        ExplorerGames games;
        int clock_s; /* -1: none */
        int max_ply, local_pieces;
        const char *asked; /* t, c, e, d */
    } rows[] = {
        { "an opening", middle, VARIANT_STANDARD, EXPLORER_MASTERS, 60, 30, 0, "ced" },
        { "no clock", middle, VARIANT_STANDARD, EXPLORER_MASTERS, -1, 30, 0, "ced" },
        { "a short clock", middle, VARIANT_STANDARD, EXPLORER_MASTERS, 19, 30, 0, "" },
        { "enough of a clock", middle, VARIANT_STANDARD, EXPLORER_MASTERS, 20, 30, 0, "ced" },
        { "an opponent without a name", middle, VARIANT_STANDARD, EXPLORER_OPPONENT, 60, 30, 0,
          "cd" },
        { "any ply", middle, VARIANT_FROM_POSITION, EXPLORER_MASTERS, 60, 0, 0, "ced" },
        { "masters play no Chess960", chess960, VARIANT_CHESS960, EXPLORER_MASTERS, 60, 30, 0,
          "c" },
        { "others do", chess960, VARIANT_CHESS960, EXPLORER_LICHESS, 60, 30, 0, "ce" },
        { "all ask, when nobody may castle", "1k2r3/pppppppp/8/8/8/8/PPPPPPPP/1K2R3 w - - 0 1",
          VARIANT_CHESS960, EXPLORER_LICHESS, 60, 30, 0, "ced" },
        { "endgames are the same", seven, VARIANT_CHESS960, EXPLORER_LICHESS, 60, 30, 0, "td" },
        { "by its rights alone", chess960, VARIANT_FROM_POSITION, EXPLORER_PLAYER, 60, 30, 0,
          "ce" },
        { "seven pieces", seven, VARIANT_STANDARD, EXPLORER_MASTERS, 60, 30, 0, "td" },
        { "seven pieces, tables of six", seven, VARIANT_STANDARD, EXPLORER_MASTERS, 60, 30, 6,
          "td" },
        { "tables of seven", seven, VARIANT_STANDARD, EXPLORER_MASTERS, 60, 30, 7, "" },
        { "tables know no castling", castles, VARIANT_STANDARD, EXPLORER_MASTERS, 60, 30, 7,
          "ced" },
        { "eight pieces, pawns face each other", "4k3/p7/8/8/8/8/PPPPP3/4K3 w - - 0 1",
          VARIANT_STANDARD, EXPLORER_MASTERS, 60, 30, 0, "tced" },
        { "eight pieces, tables of seven", "4k3/p7/8/8/8/8/PPPPP3/4K3 w - - 0 1", VARIANT_STANDARD,
          EXPLORER_MASTERS, 60, 30, 7, "tced" },
        { "a variant's opening", FEN_START, VARIANT_ATOMIC, EXPLORER_LICHESS, 60, 30, 0, "ce" },
        { "masters play no variants", FEN_START, VARIANT_ATOMIC, EXPLORER_MASTERS, 60, 30, 0, "c" },
        { "six pieces of atomic", "4k3/8/8/8/8/8/PPPP4/4K3 w - - 0 1", VARIANT_ATOMIC,
          EXPLORER_LICHESS, 60, 30, 6, "t" },
        { "seven pieces of atomic", seven, VARIANT_ATOMIC, EXPLORER_LICHESS, 60, 30, 0, "ce" },
        { "six pieces of antichess", "4k3/8/8/8/8/8/PPPP4/4K3 w - - 0 1", VARIANT_ANTICHESS,
          EXPLORER_LICHESS, 60, 30, 0, "t" },
        { "no tables of other variants", "4k3/8/8/8/8/8/PPPP4/4K3 w - - 0 1",
          VARIANT_KING_OF_THE_HILL, EXPLORER_LICHESS, 60, 30, 0, "ce" },
        { "eight pieces of atomic", "4k3/p7/8/8/8/8/PPPPP3/4K3 w - - 0 1", VARIANT_ATOMIC,
          EXPLORER_LICHESS, 60, 30, 0, "ce" },
        { "a short clock, seven pieces", seven, VARIANT_STANDARD, EXPLORER_MASTERS, 19, 30, 0, "" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        OnlineService services[ONLINE_SERVICE_COUNT];
        char asked[ONLINE_SERVICE_COUNT + 1] = "";
        Position position = position_by(variant_ruleset(rows[i].variant), rows[i].fen);
        MoveRequest request = { .variant = rows[i].variant, .us = WHITE, .position = &position };
        request.limits.has_clock = rows[i].clock_s >= 0;
        request.limits.time_ms[WHITE] = rows[i].clock_s * 1000;
        request.online = (OnlineSettings){
            .services = { 4, { ONLINE_TABLEBASE, ONLINE_CLOUD, ONLINE_EXPLORER, ONLINE_CHESSDB } },
            .min_clock_s = 20,
            .min_clock_of_s = NONE_OF_THEIR_OWN,
            .max_ply = rows[i].max_ply,
            .games = rows[i].games,
        };
        int count = online_plan(services, &request, rows[i].local_pieces);
        for (int j = 0; j < count; j++)
            asked[j] = "tced"[services[j]];
        if (strcmp(asked, rows[i].asked) != 0)
            fail_msg("%s: %s", rows[i].name, asked);
    }
}

TEST(an_opponents_games_are_asked_for_by_name)
{
    OnlineService services[ONLINE_SERVICE_COUNT];
    Position position = set_up(FEN_START);
    MoveRequest request = { .variant = VARIANT_STANDARD, .position = &position };
    request.online =
        (OnlineSettings){ .services = { 1, { ONLINE_EXPLORER } }, .games = EXPLORER_OPPONENT };
    assert_int_equal(online_plan(services, &request, 0), 0);
    memcpy(request.online.player, "them", sizeof "them");
    assert_int_equal(online_plan(services, &request, 0), 1);
}

TEST(the_order_is_the_operators_and_openings_end)
{
    OnlineService services[ONLINE_SERVICE_COUNT];
    Position position = set_up(FEN_START);
    MoveRequest request = { .variant = VARIANT_STANDARD, .position = &position };
    assert_int_equal(online_plan(services, &request, 0), 0); /* no service is allowed */
    request.online.services = (Sequence){ 2, { ONLINE_CHESSDB, ONLINE_CLOUD } };
    request.online.max_ply = 2;
    assert_int_equal(online_plan(services, &request, 0), 2);
    assert_int_equal(services[0], ONLINE_CHESSDB);
    assert_int_equal(services[1], ONLINE_CLOUD);
    play(&position, "e2e4");
    assert_int_equal(online_plan(services, &request, 0), 2);
    play(&position, "e7e5");
    assert_int_equal(online_plan(services, &request, 0), 0);
}

TEST(a_move_waits_no_longer_than_its_clock_allows)
{
    static const struct {
        int64_t left_ms, increment_ms; /* left -1: no clock */
        int deadline_ms, own_ms;
        int64_t wait_ms;
    } rows[] = {
        { -1, 0, 1000, NO_OWN, 1000 },
        { 180000, 0, 1000, NO_OWN, 1000 },
        { 180000, 0, 9000, NO_OWN, 4500 },
        { 20000, 0, 1000, NO_OWN, 500 },
        { 2000, 0, 1000, NO_OWN, 50 },
        { 2000, 2000, 1000, NO_OWN, 1000 },
        { 2000, 1000, 1000, NO_OWN, 50 + 500 },
        { 1, 0, 1000, NO_OWN, 0 },
        { -1, 0, 1000, 250, 250 },
        { -1, 0, 1000, 2500, 2500 },
        { 20000, 0, 1000, 2500, 500 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        MoveRequest request = { .us = BLACK };
        request.online = (OnlineSettings){ .deadline_ms = rows[i].deadline_ms,
                                           .deadline_of_ms = NONE_OF_THEIR_OWN };
        request.online.deadline_of_ms[ONLINE_CHESSDB] = rows[i].own_ms;
        request.limits.has_clock = rows[i].left_ms >= 0;
        request.limits.time_ms[BLACK] = rows[i].left_ms;
        request.limits.increment_ms[BLACK] = rows[i].increment_ms;
        int64_t wait_ms = online_deadline_ms(&request, ONLINE_CHESSDB);
        if (wait_ms != rows[i].wait_ms)
            fail_msg("row %zu: %lld", i, (long long)wait_ms);
        request.online.deadline_of_ms[ONLINE_CLOUD] = 7; /* another's */
        assert_int_equal(online_deadline_ms(&request, ONLINE_CHESSDB), wait_ms);
    }
}

TEST(eight_men_may_be_an_endgame_where_pawns_face_each_other)
{
    static const struct {
        const char *fen;
        bool may;
    } rows[] = {
        { "4k3/p7/8/8/8/8/P7/QRBNK3 w - - 0 1", true },
        { "4k3/8/8/8/8/p7/P7/QRBNK3 w - - 0 1", true },
        { "4k3/8/P7/8/8/p7/8/QRBNK3 w - - 0 1", false }, /* they have passed */
        { "4k3/p7/P7/8/8/8/8/QRBNK3 w - - 0 1", true },
        { "4k3/7p/8/8/8/8/6P1/QRBNK3 w - - 0 1", false },
        { "4k3/7p/8/8/8/8/P7/QRBNK3 w - - 0 1", false }, /* no way round the edge */
        { "4k3/7p/8/8/8/8/7P/QRBNK3 b - - 0 1", true },
        { "4k3/7p/8/8/8/8/7P/RBN1K3 w - - 0 1", false },  /* seven */
        { "4k3/6pp/8/8/8/8/7P/QRBNK3 w - - 0 1", false }, /* nine */
        { "4k3/7p/8/8/8/8/7P/1NBBK2R w K - 0 1", false }, /* castling */
        { "4k3/QQ6/8/8/8/8/8/QRBNK3 w - - 0 1", false },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Position position = set_up(rows[i].fen);
        if (online_may_be_endgame(&position) != rows[i].may)
            fail_msg("%s", rows[i].fen);
    }
}

TEST(each_service_may_have_a_least_clock_of_its_own)
{
    static const struct {
        int clock_s; /* -1: none */
        int pooled[ONLINE_SERVICE_COUNT];
        const char *asked;
    } rows[] = {
        { 60, { 300, 300, 300, NO_OWN }, "d" },  { 60, { NO_OWN, 0, NO_OWN, 61 }, "ce" },
        { 10, { NO_OWN, 0, NO_OWN, 10 }, "cd" }, { 10, NONE_OF_THEIR_OWN, "" },
        { -1, { 300, 300, 300, 300 }, "ced" },
    };
    Position position = set_up(FEN_START);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        OnlineService services[ONLINE_SERVICE_COUNT];
        char asked[ONLINE_SERVICE_COUNT + 1] = "";
        MoveRequest request = { .variant = VARIANT_STANDARD, .us = WHITE, .position = &position };
        request.limits.has_clock = rows[i].clock_s >= 0;
        request.limits.time_ms[WHITE] = rows[i].clock_s * 1000;
        request.online.services =
            (Sequence){ 4, { ONLINE_TABLEBASE, ONLINE_CLOUD, ONLINE_EXPLORER, ONLINE_CHESSDB } };
        request.online.min_clock_s = 20;
        memcpy(request.online.min_clock_of_s, rows[i].pooled, sizeof rows[i].pooled);
        int count = online_plan(services, &request, 0);
        for (int j = 0; j < count; j++)
            asked[j] = "tced"[services[j]];
        if (strcmp(asked, rows[i].asked) != 0)
            fail_msg("row %zu: %s", i, asked);
    }
}

static ExplorerAnswer openings(const Position *position)
{
    return (ExplorerAnswer){ .count = 3,
                             .moves = { { move_of(position, "e2e4"), 40, 30, 30 },
                                        { move_of(position, "d2d4"), 5, 2, 1 },
                                        { move_of(position, "c2c4"), 25, 10, 15 } } };
}

TEST(a_move_of_the_explorer_is_chosen_as_asked)
{
    static const struct {
        ExplorerPick choice;
        int min_games;
        const char *fen, *move; /* NULL: none */
    } rows[] = {
        { PICK_GAMES, 1, FEN_START, "e2e4" },
        { PICK_SCORE, 1, FEN_START, "d2d4" }, /* 6.5 of 9 */
        { PICK_SCORE, 8, FEN_START, "d2d4" }, /* 10 of 16, against 34 of 58 */
        { PICK_SCORE, 9, FEN_START, "c2c4" },
        { PICK_SCORE, 51, FEN_START, "e2e4" },
        { PICK_GAMES, 100, FEN_START, "e2e4" },
        { PICK_GAMES, 101, FEN_START, NULL },
        { PICK_WEIGHTED, 101, FEN_START, NULL },
        { PICK_WEIGHTED, 51, FEN_START, "e2e4" },
    };
    uint64_t random = 1;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Position position = set_up(rows[i].fen);
        ExplorerAnswer answer = openings(&position);
        OnlineSettings settings = { .choice = rows[i].choice, .min_games = rows[i].min_games };
        MoveChoice choice;
        bool found = explorer_choose(&choice, &answer, &position, &settings, &random);
        Move wanted = rows[i].move ? move_of(&position, rows[i].move) : MOVE_NONE;
        if (found != (wanted != MOVE_NONE) || choice.move != wanted || choice.depth != 0)
            fail_msg("row %zu: %04x", i, choice.move);
    }
}

TEST(black_scores_with_blacks_wins)
{
    Position position = set_up("4k3/4p3/8/8/8/8/4P3/4K3 b - - 0 1");
    ExplorerAnswer answer = { .count = 2,
                              .moves = { { move_of(&position, "e7e5"), 90, 0, 10 },
                                         { move_of(&position, "e7e6"), 10, 0, 90 } } };
    OnlineSettings settings = { .choice = PICK_SCORE, .min_games = 10 };
    MoveChoice choice;
    uint64_t random = 1;
    assert_true(explorer_choose(&choice, &answer, &position, &settings, &random));
    assert_int_equal(choice.move, move_of(&position, "e7e6"));
}

TEST(weights_are_numbers_of_games)
{
    enum { TRIES = 3000 };
    Position position = set_up(FEN_START);
    ExplorerAnswer answer = openings(&position);
    OnlineSettings settings = { .choice = PICK_WEIGHTED, .min_games = 1 };
    int chosen[3] = { 0 };
    uint64_t random = 7;
    for (int i = 0; i < TRIES; i++) {
        MoveChoice choice;
        assert_true(explorer_choose(&choice, &answer, &position, &settings, &random));
        for (int j = 0; j < 3; j++)
            chosen[j] += choice.move == answer.moves[j].move;
    }
    assert_in_range(chosen[0], TRIES * 55 / 100, TRIES * 72 / 100); /* 100 of 158 */
    assert_in_range(chosen[1], TRIES * 2 / 100, TRIES * 9 / 100);   /* 8 */
    assert_in_range(chosen[2], TRIES * 24 / 100, TRIES * 40 / 100); /* 50 */
}

TEST(an_opening_brings_no_position_back)
{
    Position position = set_up(FEN_START);
    static const char *const shuffle[] = { "g1f3", "g8f6", "f3g1" };
    for (int i = 0; i < 3; i++)
        play(&position, shuffle[i]);
    Move back = move_of(&position, "f6g8");
    ExplorerAnswer explorer = { .count = 1, .moves = { { back, 10, 0, 90 } } };
    CloudAnswer cloud = { .depth = 50, .count = 1, .lines = { { back, MOVE_NONE, 5 } } };
    static ChessdbAnswer chessdb;
    chessdb = (ChessdbAnswer){ .count = 1, .moves = { { back, 5, 2 } } };
    OnlineSettings settings = { .min_games = 1 };
    MoveChoice choice;
    uint64_t random = 1;
    assert_false(explorer_choose(&choice, &explorer, &position, &settings, &random));
    assert_false(cloud_choose(&choice, &cloud, &position, &settings, &random));
    assert_false(chessdb_choose(&choice, &chessdb, &position, &settings, &random));
}

TEST(a_cloud_has_to_be_deep_and_a_line_close_to_the_best)
{
    Position position = set_up(FEN_START);
    CloudAnswer answer = { .depth = 40,
                           .nodes = 5000,
                           .count = 3,
                           .lines = { { move_of(&position, "c2c4"), MOVE_NONE, 10 },
                                      { move_of(&position, "e2e4"), 77, 30 },
                                      { move_of(&position, "d2d4"), MOVE_NONE, 25 } } };
    static const struct {
        int min_depth, max_drop, moves;
    } rows[] = { { 41, 1000, 0 }, { 40, 0, 1 }, { 1, 4, 1 }, { 1, 5, 2 }, { 1, 20, 3 } };
    uint64_t random = 3;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        OnlineSettings settings = { .min_depth = rows[i].min_depth,
                                    .max_drop_cp = rows[i].max_drop };
        int seen[3] = { 0 };
        for (int n = 0; n < 100; n++) {
            MoveChoice choice;
            if (!cloud_choose(&choice, &answer, &position, &settings, &random))
                continue;
            for (int j = 0; j < 3; j++)
                seen[j] += choice.move == answer.lines[j].move &&
                           choice.score == answer.lines[j].score && choice.depth == 40 &&
                           choice.reply == answer.lines[j].reply && choice.nodes == 5000;
        }
        if ((seen[0] > 0) + (seen[1] > 0) + (seen[2] > 0) != rows[i].moves)
            fail_msg("row %zu: %d %d %d", i, seen[0], seen[1], seen[2]);
        assert_true(rows[i].moves == 0 || seen[1] > 0);
    }
    answer.count = 0;
    MoveChoice choice;
    assert_false(cloud_choose(&choice, &answer, &position, &(OnlineSettings){ 0 }, &random));
}

TEST(only_what_chessdb_calls_good_is_played)
{
    Position position = set_up(FEN_START);
    static ChessdbAnswer answer;
    answer = (ChessdbAnswer){ .count = 3,
                              .moves = { { move_of(&position, "c2c4"), 90, 1 },
                                         { move_of(&position, "d2d4"), 20, 2 },
                                         { move_of(&position, "e2e4"), 21, 2 } } };
    OnlineSettings settings = { .max_drop_cp = 0 };
    MoveChoice choice;
    uint64_t random = 1;
    assert_true(chessdb_choose(&choice, &answer, &position, &settings, &random));
    assert_int_equal(choice.move, move_of(&position, "e2e4"));
    assert_int_equal(choice.depth, 0);
    answer.count = 1;
    assert_false(chessdb_choose(&choice, &answer, &position, &settings, &random));
}

/* Endgames. */

typedef struct {
    const char *uci;
    TableEnd end;
    int dtz;
} Entry;

enum { ENTRIES_MAX = 4 };

static TableAnswer answer_of(const Position *position, const Entry entries[ENTRIES_MAX])
{
    TableAnswer answer = { .is_whole = true };
    for (int i = 0; i < ENTRIES_MAX && entries[i].uci; i++)
        answer.moves[answer.count++] =
            (TableMove){ move_of(position, entries[i].uci), entries[i].end, entries[i].dtz };
    return answer;
}

TEST(tables_keep_what_the_game_is_worth)
{
    static const struct {
        const char *name, *fen;
        bool is_part; /* of the legal moves */
        Entry entries[ENTRIES_MAX];
        const char *move; /* NULL: none */
        int score;
    } rows[] = {
        { "the shorter win",
          "8/8/8/3k4/8/8/4Q3/K7 w - - 0 1",
          false,
          { { "e2e3", TABLE_WIN, 17 }, { "e2e4", TABLE_DRAW, 0 }, { "e2e7", TABLE_WIN, 15 } },
          "e2e7",
          SCORE_TABLEBASE - 15 },
        { "a sure win before a likely one",
          "8/8/8/3k4/8/8/4Q3/K7 w - - 0 1",
          false,
          { { "e2e3", TABLE_MAYBE_WIN, 1 }, { "e2e7", TABLE_WIN, 50 } },
          "e2e7",
          SCORE_TABLEBASE - 50 },
        { "a win that comes in time",
          "8/8/8/3k4/8/8/3PQ3/K7 w - - 82 90",
          false,
          { { "e2e3", TABLE_WIN, 17 }, { "e2e7", TABLE_CURSED_WIN, 5 } },
          "e2e3",
          SCORE_TABLEBASE - 17 },
        { "none that comes too late, but one that begins anew",
          "8/8/8/3k4/8/8/3PQ3/K7 w - - 83 90",
          false,
          { { "e2e3", TABLE_WIN, 17 }, { "d2d4", TABLE_WIN, 30 } },
          "d2d4",
          SCORE_TABLEBASE - 30 },
        { "mate at once",
          "7k/8/6K1/8/8/1Q6/8/8 w - - 99 90",
          false,
          { { "b3a3", TABLE_WIN, 1 }, { "b3b8", TABLE_WIN, 3 } },
          "b3b8",
          SCORE_TABLEBASE },
        { "no stalemate",
          "7k/8/6K1/8/8/1Q6/8/8 w - - 0 90",
          false,
          { { "b3f7", TABLE_WIN, 1 }, { "b3a3", TABLE_WIN, 9 } },
          "b3a3",
          SCORE_TABLEBASE - 9 },
        { "the draw",
          "8/8/8/3k4/8/8/4Q3/K7 w - - 0 1",
          false,
          { { "e2e3", TABLE_LOSS, 17 },
            { "e2e7", TABLE_DRAW, 0 },
            { "e2e4", TABLE_BLESSED_LOSS, 0 } },
          "e2e7",
          0 },
        { "the longer loss",
          "8/8/8/3k4/8/8/4Q3/K7 w - - 0 1",
          false,
          { { "e2e3", TABLE_LOSS, 17 }, { "e2e7", TABLE_LOSS, 30 }, { "e2e4", TABLE_LOSS, 2 } },
          "e2e7",
          30 - SCORE_TABLEBASE },
        { "a loss that the count saves",
          "8/8/8/3k4/8/8/3PQ3/K7 w - - 80 90",
          false,
          { { "d2d3", TABLE_LOSS, 90 }, { "e2e7", TABLE_LOSS, 20 } },
          "e2e7",
          0 },
        { "half an answer with a win",
          "8/8/8/3k4/8/8/4Q3/K7 w - - 0 1",
          true,
          { { "e2e3", TABLE_WIN, 17 } },
          "e2e3",
          SCORE_TABLEBASE - 17 },
        { "half an answer with a likely win, by the service's order",
          "8/8/8/3k4/8/8/4Q3/K7 w - - 0 1",
          true,
          { { "e2e3", TABLE_MAYBE_WIN, 0 }, { "e2e7", TABLE_MAYBE_WIN, 0 } },
          "e2e3",
          SCORE_TABLEBASE },
        { "half an answer without one",
          "8/8/8/3k4/8/8/4Q3/K7 w - - 0 1",
          true,
          { { "e2e3", TABLE_DRAW, 0 } },
          NULL,
          0 },
        { "no answer",
          "8/8/8/3k4/8/8/4Q3/K7 w - - 0 1",
          false,
          { { NULL, TABLE_LOSS, 0 } },
          NULL,
          0 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Position position = set_up(rows[i].fen);
        static TableAnswer answer;
        MoveChoice choice;
        answer = answer_of(&position, rows[i].entries);
        answer.is_whole = !rows[i].is_part;
        bool found = table_choose(&choice, &answer, &position);
        Move wanted = rows[i].move ? move_of(&position, rows[i].move) : MOVE_NONE;
        if (found != (wanted != MOVE_NONE) || (found && choice.move != wanted) ||
            (found && choice.score != rows[i].score))
            fail_msg("%s: %04x, %d", rows[i].name, choice.move, choice.score);
        assert_true(!found || choice.depth == 1);
    }
}

TEST(what_a_table_says_of_the_move_is_told_where_it_is_certain)
{
    static const struct {
        TableEnd end;
        int dtz;
        TablebaseVerdict verdict;
    } rows[] = {
        { TABLE_LOSS, 9, TABLEBASE_VERDICT_LOSS },
        { TABLE_LOSS, 90, TABLEBASE_VERDICT_DRAW }, /* the count saves us */
        { TABLE_MAYBE_LOSS, 9, TABLEBASE_VERDICT_NONE },
        { TABLE_BLESSED_LOSS, 9, TABLEBASE_VERDICT_DRAW },
        { TABLE_DRAW, 0, TABLEBASE_VERDICT_DRAW },
        { TABLE_CURSED_WIN, 9, TABLEBASE_VERDICT_CURSED_WIN },
        { TABLE_MAYBE_WIN, 9, TABLEBASE_VERDICT_WIN },
        { TABLE_WIN, 9, TABLEBASE_VERDICT_WIN },
        { TABLE_WIN, 90, TABLEBASE_VERDICT_CURSED_WIN },
    };
    Position position = set_up("8/8/8/3k4/8/8/4Q3/K7 w - - 80 90");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        static TableAnswer answer;
        MoveChoice choice;
        answer.is_whole = true;
        answer.count = 1;
        answer.moves[0] = (TableMove){ move_of(&position, "e2e3"), rows[i].end, rows[i].dtz };
        assert_true(table_choose(&choice, &answer, &position));
        if (choice.tablebase_verdict != rows[i].verdict)
            fail_msg("row %zu: %d", i, (int)choice.tablebase_verdict);
    }
}

TEST(tables_suggest_what_is_as_good_as_the_best)
{
    static const struct {
        const char *name, *fen, *before; /* moves that led here, or NULL */
        Entry entries[ENTRIES_MAX];
        const char *moves;
    } rows[] = {
        { "all wins",
          "8/8/8/3k4/8/8/4Q3/K7 w - - 0 1",
          NULL,
          { { "e2e3", TABLE_WIN, 17 },
            { "e2e4", TABLE_DRAW, 0 },
            { "a1a2", TABLE_MAYBE_WIN, 1 },
            { "e2e7", TABLE_WIN, 55 } },
          "e2e3 e2e7 " },
        { "wins in time, with a little to spare, and the best in any case",
          "8/8/8/3k4/8/8/4Q3/K7 w - - 80 90",
          NULL,
          { { "e2e3", TABLE_WIN, 18 }, { "e2e7", TABLE_WIN, 17 }, { "a1a2", TABLE_WIN, 25 } },
          "e2e7 " },
        { "the best wins though it is late",
          "8/8/8/3k4/8/8/4Q3/K7 w - - 82 90",
          NULL,
          { { "e2e3", TABLE_WIN, 17 }, { "e2e7", TABLE_WIN, 19 } },
          "e2e3 " },
        { "the draws",
          "8/8/8/3k4/8/8/4Q3/K7 w - - 0 1",
          NULL,
          { { "e2e3", TABLE_LOSS, 3 }, { "e2e7", TABLE_DRAW, 0 }, { "a1a2", TABLE_DRAW, 0 } },
          "e2e7 a1a2 " },
        { "whatever loses, if all does",
          "8/8/8/3k4/8/8/4Q3/K7 w - - 0 1",
          NULL,
          { { "e2e3", TABLE_LOSS, 3 }, { "e2e7", TABLE_LOSS, 30 } },
          "e2e3 e2e7 " },
        { "a won game steps not back",
          "8/8/3k4/8/8/8/4Q3/K7 w - - 0 1",
          "e2e3 d6d7 ",
          { { "e3e2", TABLE_WIN, 5 }, { "e3e4", TABLE_WIN, 7 }, { "e3e5", TABLE_WIN, 7 } },
          "e3e2 e3e4 e3e5 " },
        { "nor where that is the position of before",
          "8/8/3k4/8/8/8/4Q3/K7 w - - 0 1",
          "e2e3 d6d7 e3e2 d7d6 a1a2 d6d7 ",
          { { "e2e3", TABLE_WIN, 5 }, { "e2e4", TABLE_WIN, 7 }, { "a2a1", TABLE_WIN, 3 } },
          "e2e3 e2e4 " },
        { "in a position that came up again only the best wins",
          "8/8/3k4/8/8/8/4Q3/K7 w - - 0 1",
          "e2e3 d6d7 e3e2 d7d6 ",
          { { "e2e4", TABLE_WIN, 7 }, { "e2e5", TABLE_WIN, 5 }, { "a1a2", TABLE_WIN, 5 } },
          "e2e5 " },
        { "a draw may step back",
          "8/8/3k4/8/8/8/4Q3/K7 w - - 0 1",
          "e2e3 d6d7 e3e2 d7d6 ",
          { { "e2e3", TABLE_DRAW, 0 }, { "a1a2", TABLE_DRAW, 0 } },
          "e2e3 a1a2 " },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Position position = set_up(rows[i].fen);
        for (const char *at = rows[i].before; at && *at; at += 5)
            play(&position, (char[]){ at[0], at[1], at[2], at[3], '\0' });
        static TableAnswer answer;
        static MoveList candidates;
        char moves[ENTRIES_MAX * UCI_MOVE_SIZE + 1] = "";
        answer = answer_of(&position, rows[i].entries);
        table_suggest(&candidates, &answer, &position);
        for (int j = 0; j < candidates.count; j++) {
            uci_move_write(&position, candidates.moves[j], CASTLING_KING_TO_TARGET,
                           moves + strlen(moves));
            moves[strlen(moves) + 1] = '\0';
            moves[strlen(moves)] = ' ';
        }
        if (strcmp(moves, rows[i].moves) != 0)
            fail_msg("%s: %s", rows[i].name, moves);
    }
}

TEST(a_choice_is_suggested_only_where_there_is_one)
{
    static const char queen[] = "8/8/8/8/8/1k6/3q4/K7 b - - 0 1";
    static const char cornered[] = "8/k7/8/1K6/8/8/8/8 b - - 0 1";
    static const struct {
        const char *fen, *body;
        OnlineTables tables;
        const char *move;
        int candidates;
    } rows[] = {
        { queen,
          "{\"moves\":[{\"uci\":\"b3c3\",\"category\":\"loss\",\"dtz\":-9},"
          "{\"uci\":\"b3c4\",\"category\":\"loss\",\"dtz\":-7}]}",
          TABLES_SUGGEST, "b3c4", 2 },
        { queen,
          "{\"moves\":[{\"uci\":\"b3c3\",\"category\":\"loss\",\"dtz\":-9},"
          "{\"uci\":\"b3c4\",\"category\":\"loss\",\"dtz\":-7}]}",
          TABLES_BEST, "b3c4", 0 },
        { queen, "{\"moves\":[{\"uci\":\"b3c3\",\"category\":\"loss\",\"dtz\":-9}]}",
          TABLES_SUGGEST, "b3c3", 0 },
        { cornered,
          "{\"moves\":[{\"uci\":\"a7a8\",\"category\":\"draw\",\"dtz\":0},"
          "{\"uci\":\"a7b8\",\"category\":\"draw\",\"dtz\":0},"
          "{\"uci\":\"a7b7\",\"category\":\"draw\",\"dtz\":0}]}",
          TABLES_SUGGEST, "a7a8", 3 },
    };
    uint64_t random = 1;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Position position = set_up(rows[i].fen);
        OnlineSettings settings = { .tables = rows[i].tables };
        static MoveList candidates;
        MoveChoice choice;
        OnlineOutcome outcome =
            online_judge(&choice, &candidates, ONLINE_TABLEBASE, 200, text_of(rows[i].body),
                         &position, &settings, &random, NULL);
        Move wanted = move_of(&position, rows[i].move);
        if (outcome != ONLINE_FOUND || choice.move != wanted ||
            candidates.count != rows[i].candidates)
            fail_msg("row %zu: %d %04x %d", i, (int)outcome, choice.move, candidates.count);
    }
}

TEST(a_won_game_steps_not_back_and_a_lost_one_does)
{
    static const struct {
        TableEnd end;
        const char *move;
    } rows[] = { { TABLE_WIN, "e3e4" }, { TABLE_LOSS, "e3e2" }, { TABLE_DRAW, "e3e2" } };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Position position = set_up("8/8/3k4/8/8/8/4Q3/K7 w - - 0 1");
        play(&position, "e2e3");
        play(&position, "d6d7");
        play(&position, "e3e2");
        play(&position, "d7d6");
        play(&position, "e2e3");
        play(&position, "d6d7");
        static TableAnswer answer;
        MoveChoice choice;
        answer.is_whole = true;
        answer.count = 2;
        answer.moves[0] = (TableMove){ move_of(&position, "e3e2"), rows[i].end, 5 };
        answer.moves[1] = (TableMove){ move_of(&position, "e3e4"), rows[i].end, 5 };
        assert_true(table_choose(&choice, &answer, &position));
        assert_int_equal(choice.move, move_of(&position, rows[i].move));
    }
}

TEST(an_answer_is_judged_by_status_and_content)
{
    static const char won[] = "8/8/8/3k4/8/8/4Q3/K7 w - - 0 1";
    static const struct {
        OnlineService service;
        int status;
        const char *fen, *body, *move; /* NULL: none */
        OnlineOutcome outcome;
    } rows[] = {
        { ONLINE_CLOUD, 200, FEN_START, "{\"depth\":40,\"pvs\":[{\"moves\":\"e2e4\",\"cp\":1}]}",
          "e2e4", ONLINE_FOUND },
        { ONLINE_CLOUD, 200, FEN_START, "{\"depth\":4,\"pvs\":[{\"moves\":\"e2e4\",\"cp\":1}]}",
          NULL, ONLINE_NOTHING },
        { ONLINE_CLOUD, 404, FEN_START, "{\"error\":\"No cloud evaluation\"}", NULL,
          ONLINE_NOTHING },
        { ONLINE_CLOUD, 200, FEN_START, "<html>", NULL, ONLINE_FAILED },
        { ONLINE_CLOUD, 502, FEN_START, "<html>", NULL, ONLINE_FAILED },
        { ONLINE_CLOUD, 429, FEN_START, "<html>", NULL, ONLINE_LIMITED },
        { ONLINE_EXPLORER, 401, FEN_START, "<html>", NULL, ONLINE_LIMITED },
        { ONLINE_EXPLORER, 403, FEN_START, "{}", NULL, ONLINE_LIMITED },
        { ONLINE_EXPLORER, 200, FEN_START, "{\"moves\":[{\"uci\":\"d2d4\",\"white\":9}]}", "d2d4",
          ONLINE_FOUND },
        { ONLINE_CHESSDB, 200, FEN_START, "{\"status\":\"rate limit exceeded\"}", NULL,
          ONLINE_LIMITED },
        { ONLINE_CHESSDB, 200, FEN_START, "{\"status\":\"unknown\"}", NULL, ONLINE_NOTHING },
        { ONLINE_CHESSDB, 200, FEN_START,
          "{\"status\":\"ok\",\"moves\":[{\"uci\":\"c2c4\",\"score\":3,\"rank\":2}]}", "c2c4",
          ONLINE_FOUND },
        { ONLINE_CHESSDB, 200, won,
          "{\"status\":\"ok\",\"moves\":[{\"uci\":\"e2e5\",\"score\":0,\"rank\":2},"
          "{\"uci\":\"e2e3\",\"score\":24980,\"rank\":0}]}",
          "e2e3", ONLINE_FOUND },
        { ONLINE_CHESSDB, 200, won,
          "{\"status\":\"ok\",\"moves\":[{\"uci\":\"e2e3\",\"score\":500,\"rank\":2}]}", NULL,
          ONLINE_NOTHING },
        { ONLINE_TABLEBASE, 200, won,
          "{\"moves\":[{\"uci\":\"e2e3\",\"category\":\"loss\",\"dtz\":-9}]}", "e2e3",
          ONLINE_FOUND },
        { ONLINE_TABLEBASE, 200, won, "{\"category\":\"unknown\",\"moves\":[]}", NULL,
          ONLINE_NOTHING },
    };
    static const OnlineSettings settings = { .min_depth = 20, .min_games = 5 };
    uint64_t random = 1;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Position position = set_up(rows[i].fen);
        MoveChoice choice = { .move = MOVE_NONE };
        MoveList candidates;
        Error err = { 0 };
        OnlineOutcome outcome =
            online_judge(&choice, &candidates, rows[i].service, rows[i].status,
                         text_of(rows[i].body), &position, &settings, &random, &err);
        Move wanted = rows[i].move ? move_of(&position, rows[i].move) : MOVE_NONE;
        if (outcome != rows[i].outcome || (wanted != MOVE_NONE && choice.move != wanted) ||
            (err.code != ERR_NONE) != (outcome == ONLINE_FAILED) || candidates.count != 0)
            fail_msg("row %zu: %d, %s", i, (int)outcome, err.text);
    }
}
