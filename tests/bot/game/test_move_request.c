/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/game/move_request.h"
#include "bot/config/config.h"
#include "bot/game/game.h"
#include "tests/support/unit.h"

/* A game with us as White, after 1.e4 e5. */
static void begin(Game *game, const char *variant, const char *clock)
{
    static Ratelimit limit;
    static const GameOptions options = { .overhead_ms = 100 };
    char text[1000];
    Event event;
    Effects todo;
    ratelimit_init(&limit);
    game_init(game, "Qw8rTy2u", &(GameAccount){ .our_id = "castled-bot", .limit = &limit },
              &options, 7, 1000);
    int len = snprintf(text, sizeof text,
                       "{\"type\":\"gameFull\",\"id\":\"Qw8rTy2u\",\"variant\":{\"key\":\"%s\"},%s"
                       "\"white\":{\"id\":\"castled-bot\"},\"black\":{\"id\":\"alba\"},"
                       "\"initialFen\":\"startpos\",\"state\":{\"type\":\"gameState\","
                       "\"moves\":\"e2e4 e7e5\",\"wtime\":180000,\"btime\":170000,\"winc\":2000,"
                       "\"binc\":2000,\"status\":\"started\"}}",
                       variant, clock);
    assert_true(event_parse(&event, text, (size_t)len, NULL));
    game_step(game, &(GameInput){ .kind = INPUT_TIME }, 1000, &todo);
    game_step(game, &(GameInput){ .kind = INPUT_LINE, .event = &event }, 1000, &todo);
    event_release(&event);
}

static const char blitz[] = "\"clock\":{\"initial\":180000,\"increment\":2000},";

TEST(a_request_is_the_game_and_its_settings)
{
    Game game;
    Config config;
    char fen[FEN_SIZE];
    config_init(&config);
    config.game.engine.nodes = 12345;
    config.game.engine.depth_plies = 9;
    config.game.engine.contempt_cp = 30;
    config.game.book.repeat = true;
    begin(&game, "standard", blitz);
    MoveRequest request = game_move_request(&game, &config.game, 42, 1000, fen);
    assert_int_equal(request.version, 42);
    assert_string_equal(request.game, "Qw8rTy2u");
    assert_int_equal(request.us, WHITE);
    assert_ptr_equal(request.position, &game.sheet.position);
    assert_int_equal(request.moves.len, 9);
    assert_memory_equal(request.moves.at, "e2e4 e7e5", 9);
    assert_string_equal(request.engines, config.game.engine.external);
    assert_int_equal(request.limits.nodes, 12345);
    assert_int_equal(request.limits.depth, 9);
    assert_int_equal(request.limits.contempt_cp, 30);
    assert_true(request.limits.has_clock);
    assert_true(request.limits.time_ms[WHITE] > 150000 && request.limits.time_ms[WHITE] < 180000);
    assert_true(request.ponder);
    assert_true(request.book.may_repeat);
}

/* Neither other engines nor the web, and no pondering. */
TEST(whoever_plays_weakly_asks_nobody)
{
    Game game;
    Config config;
    char fen[FEN_SIZE];
    config_init(&config);
    config.game.engine.elo = 1500;
    config.game.online.services.count = 1;
    begin(&game, "standard", blitz);
    MoveRequest weak = game_move_request(&game, &config.game, 1, 1000, fen);
    assert_string_equal(weak.engines, "none");
    assert_int_equal(weak.online.services.count, 0);
    assert_int_equal(weak.limits.elo, 1500);
    assert_false(weak.ponder);
    config.game.engine.elo = 0;
    assert_int_equal(game_move_request(&game, &config.game, 1, 1000, fen).online.services.count, 1);
}

/* A rating, a network and the style must come together. */
TEST(people_play_where_all_is_set_for_them)
{
    static const struct {
        int elo;
        const char *human;
        PlayStyle style;
        bool is_human;
    } rows[] = {
        { 1500, "/people", STYLE_HUMAN, true },
        { 0, "/people", STYLE_HUMAN, false },
        { 1500, "", STYLE_HUMAN, false },
        { 1500, "/people", STYLE_ENGINE, false },
    };
    Game game;
    Config config;
    char fen[FEN_SIZE];
    begin(&game, "standard", blitz);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        config_init(&config);
        config.game.engine.elo = rows[i].elo;
        config.game.engine.style = rows[i].style;
        assert_true(text_copy(config.game.engine.human, sizeof config.game.engine.human,
                              text_of(rows[i].human)));
        MoveRequest request = game_move_request(&game, &config.game, 1, 1000, fen);
        assert_int_equal(request.limits.human, rows[i].is_human);
        assert_int_equal(request.human != NULL, rows[i].is_human);
        assert_int_equal(request.limits.elo, rows[i].elo);
        assert_false(request.limits.human_likeliest);
        config.game.engine.human_choice = HUMAN_LIKELIEST;
        assert_true(game_move_request(&game, &config.game, 1, 1000, fen).limits.human_likeliest);
    }
}

TEST(the_same_game_has_the_same_luck)
{
    Game game, other;
    Config config;
    char fen[FEN_SIZE];
    config_init(&config);
    begin(&game, "standard", blitz);
    begin(&other, "standard", blitz);
    uint64_t seed = game_move_request(&game, &config.game, 1, 1000, fen).limits.seed;
    assert_true(seed == game_move_request(&other, &config.game, 9, 5000, fen).limits.seed);
    other.id[0] = 'x';
    assert_true(seed != game_move_request(&other, &config.game, 1, 1000, fen).limits.seed);
}

TEST(a_variants_position_is_by_its_rules)
{
    Game game;
    Config config;
    char fen[FEN_SIZE];
    config_init(&config);
    begin(&game, "antichess", blitz);
    MoveRequest request = game_move_request(&game, &config.game, 1, 1000, fen);
    assert_int_equal(request.position->ruleset, RULES_ANTICHESS);
    assert_int_equal(request.variant, VARIANT_ANTICHESS);
    assert_memory_equal(request.moves.at, "e2e4 e7e5", 9);
}

/* The moves do not fit: the position takes their place. */
TEST(a_game_too_long_to_be_told_goes_without_its_past)
{
    Game game;
    Config config;
    char fen[FEN_SIZE];
    config_init(&config);
    begin(&game, "standard", blitz);
    game.sheet.fits = false;
    game.sheet.len = 0;
    MoveRequest request = game_move_request(&game, &config.game, 1, 1000, fen);
    assert_string_equal(request.fen,
                        "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2");
    assert_int_equal(request.moves.len, 0);
}

TEST(a_correspondence_game_does_not_ponder)
{
    Game game;
    Config config;
    char fen[FEN_SIZE];
    config_init(&config);
    begin(&game, "standard", "\"speed\":\"correspondence\",\"daysPerTurn\":2,");
    MoveRequest request = game_move_request(&game, &config.game, 1, 1000, fen);
    assert_false(request.ponder);
    assert_false(request.limits.has_clock);
}
