/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/game/record_lines.h"
#include "engine/core/fen.h"
#include "tests/support/unit.h"

static GameState shown_state(const char *moves, int64_t white_ms, int64_t black_ms)
{
    return (GameState){ .moves = text_of(moves), .time_ms = { white_ms, black_ms } };
}

static void begin(GameRecord *record, const char *fen, const GameState *first)
{
    GameFull full = {
        .id = "Qw8rTy2u",
        .variant = VARIANT_STANDARD,
        .speed = SPEED_BLITZ,
        .rated = true,
        .time = { .kind = TIME_CLOCK, .base_s = 180, .increment_s = 2 },
        .initial_fen = text_of(fen),
        .state = *first,
    };
    full.players[WHITE] = (Player){ .id = "alba", .name = "Alba", .rating = 2213 };
    full.players[BLACK] = (Player){ .id = "bot", .name = "Bot", .title = "BOT" };
    record_init(record);
    record_read_full(record, &full, BLACK);
}

static void expect_moves(const GameRecord *record, const char *expected)
{
    char text[400] = "";
    size_t len = 0;
    for (size_t i = 0; i < record->count; i++)
        len += (size_t)snprintf(text + len, sizeof text - len, "%s%s@%lld%s", i ? " " : "",
                                record->moves[i].uci, (long long)record->moves[i].clock_ms,
                                record->moves[i].has_choice ? "!" : "");
    assert_string_equal(text, expected);
}

TEST(clocks_are_those_of_the_first_line_that_shows_a_move)
{
    GameRecord record;
    GameState line = shown_state("e2e4", 180000, 180000);
    begin(&record, "", &line);
    line = shown_state("e2e4 c7c5", 180000, 179000);
    record_read_state(&record, &line);
    line = shown_state("e2e4 c7c5", 170000, 179000); /* a draw offer, say */
    record_read_state(&record, &line);
    line = shown_state("e2e4 c7c5 g1f3 d7d6", 160000, 150000);
    record_read_state(&record, &line);
    expect_moves(&record, "e2e4@180000 c7c5@179000 g1f3@160000 d7d6@150000");
    record_release(&record);
}

TEST(black_may_move_first)
{
    GameRecord record;
    GameState line = shown_state("e8d8 e1d1", 1000, 2000);
    begin(&record, "4k3/8/8/8/8/8/8/4K3 b - - 0 1", &line);
    assert_int_equal(record_first_mover(&record), BLACK);
    expect_moves(&record, "e8d8@2000 e1d1@1000");
    record_release(&record);
}

TEST(moves_before_we_joined_have_no_clock)
{
    GameRecord record;
    GameState line = shown_state("e2e4 c7c5 g1f3", 100, 200);
    begin(&record, "", &line);
    expect_moves(&record, "e2e4@-1 c7c5@200 g1f3@100");
    record_release(&record);
}

TEST(a_takeback_leaves_no_trace)
{
    GameRecord record;
    GameState line = shown_state("e2e4 c7c5 g1f3", 100, 200);
    begin(&record, "", &line);
    line = shown_state("e2e4", 100, 200);
    record_read_state(&record, &line);
    expect_moves(&record, "e2e4@100");
    line = shown_state("e2e4 e7e5", 90, 80);
    record_read_state(&record, &line);
    expect_moves(&record, "e2e4@100 e7e5@80");
    record_release(&record);
}

TEST(a_thought_belongs_to_the_move_that_comes_of_it)
{
    GameRecord record;
    GameState line = shown_state("e2e4 c7c5", 100, 200);
    const MoveChoice thought = {
        .is_book = true, .score = -31, .depth = 18, .nodes = 12345, .time_ms = 678
    };
    begin(&record, "", &line);
    record_take_choice(&record, 3, "g1f3", &thought, NULL);
    assert_int_equal(record.count, 2);
    line = shown_state("e2e4 c7c5 g1f3", 90, 200);
    record_read_state(&record, &line);
    expect_moves(&record, "e2e4@100 c7c5@200 g1f3@90!");
    assert_int_equal(record.moves[2].score, -31);
    assert_int_equal(record.moves[2].depth, 18);
    assert_int_equal(record.moves[2].nodes, 12345);
    assert_int_equal(record.moves[2].time_ms, 678);
    record_release(&record);
}

/* The moves from a position on, as a search tells them. */
static MoveChoice choice_of(const Position *from, const char *played, const char *line)
{
    MoveChoice choice = { .depth = 9 };
    Position pos = *from;
    Undo undo;
    Text rest = text_of(line);
    assert_true(uci_move_match(from, played, strlen(played), &choice.move, NULL));
    for (Text word; (word = text_next_word(&rest, " ")).len > 0; choice.pv_length++) {
        Move *move = &choice.pv[choice.pv_length];
        assert_true(uci_move_match(&pos, word.at, word.len, move, NULL));
        position_make(&pos, *move, &undo);
    }
    return choice;
}

TEST(what_was_expected_next_is_kept_with_the_move)
{
    static const struct {
        const char *played, *line, *expected;
    } rows[] = {
        { "h1h5", "h1h5 e8c8 e1e2", "e8a8,e1e2" }, /* castling as Chess960 writes it */
        { "h1h5", "h1h5 a2a1q", "a2a1q" },
        { "h1h5", "h1h5", "" },
        { "e1f1", "h1h5 e8c8", "" }, /* another was played */
        { "h1h2", "h1h2 a8b8 h2h3 b8a8 h3h2 a8b8 h2h3 b8a8 h3h2 a8b8 h2h3 b8a8",
          "a8b8,h2h3,b8a8,h3h2,a8b8,h2h3,b8a8,h3h2,a8b8,h2h3,b8a8" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        static const char fen[] = "r3k3/8/8/8/8/8/p7/4K2R w Kq - 0 1";
        GameRecord record;
        GameState line = shown_state("", 100, 200);
        Position from;
        assert_true(fen_read(&from, fen, FEN_STRICT, NULL, NULL));
        const MoveChoice choice = choice_of(&from, rows[i].played, rows[i].line);
        begin(&record, fen, &line);
        record_take_choice(&record, 1, rows[i].played, &choice, &from);
        line = shown_state(rows[i].played, 90, 200);
        record_read_state(&record, &line);
        assert_int_equal(record.count, 1);
        assert_string_equal(record.moves[0].pv, rows[i].expected);
        record_release(&record);
    }
}

TEST(a_variation_that_is_not_legal_ends_there)
{
    GameRecord record;
    GameState line = shown_state("", 100, 200);
    Position from;
    assert_true(fen_read(&from, "r3k3/8/8/8/8/8/p7/4K2R w Kq - 0 1", FEN_STRICT, NULL, NULL));
    MoveChoice choice = choice_of(&from, "h1h5", "h1h5 a2a1q");
    choice.pv[2] = choice.pv[0]; /* White's king stands in check */
    choice.pv_length = 3;
    begin(&record, "r3k3/8/8/8/8/8/p7/4K2R w Kq - 0 1", &line);
    record_take_choice(&record, 1, "h1h5", &choice, &from);
    line = shown_state("h1h5", 90, 200);
    record_read_state(&record, &line);
    assert_string_equal(record.moves[0].pv, "a2a1q");
    record_release(&record);
}

TEST(what_people_play_is_kept_with_the_move)
{
    GameRecord record;
    GameState line = shown_state("", 100, 200);
    Position from;
    assert_true(fen_read(&from, FEN_START, FEN_STRICT, NULL, NULL));
    MoveChoice choice = choice_of(&from, "g1f3", "g1f3");
    choice.human.probability = 0.114F;
    choice.human.likeliest_probability = 0.625F;
    assert_true(uci_move_match(&from, "e2e4", 4, &choice.human.likeliest, NULL));
    choice.human.searched = choice.human.likeliest ^ 0x3F; /* no move of this position */
    begin(&record, "", &line);
    record_take_choice(&record, 1, "g1f3", &choice, &from);
    line = shown_state("g1f3", 90, 200);
    record_read_state(&record, &line);
    const RecordPeople *people = &record.moves[0].people;
    assert_int_equal(people->percent, 11);
    assert_int_equal(people->first_percent, 63);
    assert_string_equal(people->first, "e4");
    assert_string_equal(people->searched, "");
    choice.human.searched = choice.move;
    record_take_choice(&record, 1, "g1f3", &choice, &from);
    assert_string_equal(record.next.people.searched, "Nf3");
    choice.human = (HumanOpinion){ 0 }; /* nobody was asked */
    record_take_choice(&record, 1, "g1f3", &choice, &from);
    assert_string_equal(record.next.people.first, "");
    record_release(&record);
}

TEST(a_thought_that_was_not_played_is_dropped)
{
    GameRecord record;
    GameState line = shown_state("", 100, 200);
    const MoveChoice thought = { .score = 1, .depth = 1 };
    begin(&record, "", &line);
    record_take_choice(&record, 1, "g1f3", &thought, NULL);
    line = shown_state("e2e4", 90, 200);
    record_read_state(&record, &line);
    expect_moves(&record, "e2e4@90");
    record_release(&record);
}

TEST(castling_may_come_back_in_the_other_notation)
{
    GameRecord record;
    GameState line = shown_state("", 100, 200);
    const MoveChoice thought = { .score = 1, .depth = 1 };
    begin(&record, "4k3/8/8/8/8/8/8/4K2R w K - 0 1", &line);
    record_take_choice(&record, 1, "e1h1", &thought, NULL);
    line = shown_state("e1g1", 90, 200);
    record_read_state(&record, &line);
    expect_moves(&record, "e1g1@90!");
    record_release(&record);
}

TEST(absurd_moves_end_the_list)
{
    GameRecord record;
    GameState line = shown_state("e2e4 c7c5xxxxxx g1f3", 100, 200);
    begin(&record, "", &line);
    expect_moves(&record, "e2e4@100");
    assert_true(record.has_gaps);
    record_release(&record);
}

TEST(a_list_without_end_is_cut)
{
    GameRecord record;
    size_t len = (RECORD_MOVES_MAX + 10) * 5;
    char *moves = malloc(len + 1);
    for (size_t i = 0; i < len; i += 5)
        memcpy(moves + i, "e2e4 ", 6);
    GameState line = shown_state(moves, 100, 200);
    begin(&record, "", &line);
    assert_int_equal(record.count, RECORD_MOVES_MAX);
    assert_true(record.has_gaps);
    record_release(&record);
    free(moves);
}

TEST(a_copy_is_independent)
{
    GameRecord record, copy;
    GameState line = shown_state("e2e4 c7c5", 100, 200);
    begin(&record, "", &line);
    assert_true(record_copy(&copy, &record));
    record_release(&record);
    expect_moves(&copy, "e2e4@100 c7c5@200");
    assert_string_equal(copy.players[WHITE].name, "Alba");
    record_release(&copy);
}

TEST(results_follow_from_status_and_winner)
{
    static const struct {
        GameStatus status;
        Colour winner;
        const char *result;
    } rows[] = {
        { STATUS_MATE, WHITE, "1-0" },           { STATUS_RESIGN, BLACK, "0-1" },
        { STATUS_DRAW, COLOUR_NONE, "1/2-1/2" }, { STATUS_OUTOFTIME, COLOUR_NONE, "1/2-1/2" },
        { STATUS_ABORTED, COLOUR_NONE, "*" },    { STATUS_UNKNOWN_FINISH, COLOUR_NONE, "*" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_string_equal(record_result(rows[i].status, rows[i].winner), rows[i].result);
}
