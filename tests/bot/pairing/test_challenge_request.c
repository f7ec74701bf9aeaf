/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/pairing/challenge_request.h"
#include "tests/support/unit.h"

static bool read_line(const char *line, ChallengeRequest *out, Error *err)
{
    return challenge_request_read(out, text_of(line), err);
}

static void assert_same(const ChallengeRequest *request, const ChallengeRequest *expected)
{
    assert_string_equal(request->opponent, expected->opponent);
    assert_int_equal(request->base_s, expected->base_s);
    assert_int_equal(request->increment_s, expected->increment_s);
    assert_int_equal(request->rated, expected->rated);
    assert_int_equal(request->variant, expected->variant);
    assert_int_equal(request->colour, expected->colour);
    assert_string_equal(request->fen, expected->fen);
}

TEST(words_say_what_is_wished)
{
    static const struct {
        const char *line;
        ChallengeRequest request;
    } rows[] = {
        { "Alba 3+2",
          { "alba", 180, 2, false, VARIANT_STANDARD, COLOUR_NONE, "", KIND_HUMAN, 0, "" } },
        { "alba 0.5+0 rated",
          { "alba", 30, 0, true, VARIANT_STANDARD, COLOUR_NONE, "", KIND_HUMAN, 0, "" } },
        { "alba 10+5 chess960 white casual",
          { "alba", 600, 5, false, VARIANT_CHESS960, WHITE, "", KIND_HUMAN, 0, "" } },
        { "alba 0.75+2 atomic rated",
          { "alba", 45, 2, true, VARIANT_ATOMIC, COLOUR_NONE, "", KIND_HUMAN, 0, "" } },
        { "alba 3+2 fen=4k3/8/8/8/8/8/4P3/4K3_w_-_-_0_1",
          { "alba", 180, 2, false, VARIANT_FROM_POSITION, COLOUR_NONE,
            "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", KIND_HUMAN, 0, "" } },
        { "alba 3+2 fromPosition black fen=4k3/8/8/8/8/8/4P3/4K3_b_-_-",
          { "alba", 180, 2, false, VARIANT_FROM_POSITION, BLACK, "4k3/8/8/8/8/8/4P3/4K3 b - -",
            KIND_HUMAN, 0, "" } },
        { "alba 3+2 fen=bqnbrkrn/pppppppp/8/8/8/8/PPPPPPPP/BQNBRKRN_w_KQkq_-_0_1 chess960",
          { "alba", 180, 2, false, VARIANT_CHESS960, COLOUR_NONE,
            "bqnbrkrn/pppppppp/8/8/8/8/PPPPPPPP/BQNBRKRN w KQkq - 0 1", KIND_HUMAN, 0, "" } },
        { "some-bot_2 0+1 black standard",
          { "some-bot_2", 0, 1, false, VARIANT_STANDARD, BLACK, "", KIND_HUMAN, 0, "" } },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        ChallengeRequest request;
        Error err = { 0 };
        if (!read_line(rows[i].line, &request, &err))
            fail_msg("%s: %s", rows[i].line, err.text);
        assert_same(&request, &rows[i].request);
        Buf words;
        ChallengeRequest again;
        buf_init(&words, 200);
        assert_true(challenge_request_write(&request, &words) &&
                    read_line(buf_view(&words), &again, &err));
        assert_same(&again, &request);
        buf_release(&words);
    }
}

TEST(what_is_wrong_is_named)
{
    static const struct {
        const char *line, *part;
    } rows[] = {
        { "", "a user and a clock are needed" },
        { "alba", "a user and a clock are needed" },
        { "al/ba 3+2", "al/ba: not a user's name" },
        { "a 3+2", "a: not a user's name" },
        { "alba-alba-alba-alba-alba-alba-alba 3+2", "not a user's name" },
        { "alba 3", "3: \"3\" is no clock" },
        { "alba 0+0", "0+0: 0+0 is too fast for bots" },
        { "alba 0.25+0", "0.25+0 is too fast for bots: the nearest are 0.5+0" },
        { "alba 3+61", "no increment of 61 s: at most 60" },
        { "alba 181+0", "no clock 181+0: the nearest are 180+0 and 180+0" },
        { "alba 3+2..5+3", "one clock is needed" },
        { "alba 3+2 fromPosition", "fromPosition: needs a position" },
        { "alba 3+2 fen=", "FEN" },
        { "alba 3+2 fen=4k3/8/8/8/8/8/4P3/4K3", "FEN" },
        { "alba 3+2 fen=8/8/8/8/8/8/4P3/4K3_w_-_-_0_1", "king" },
        { "alba 3+2 fen=4k3/4Q3/8/8/8/8/8/4K3_w_-_-_0_1", "check" },
        { "alba 3+2 fen=4k3/8/8/8/8/8/4P3/4K3_w_KQkq_-_0_1", "castling" },
        { "alba 3+2 fen=R3k3/1R6/8/8/8/8/8/4K3_b_-_-_0_1", "the game would be over" },
        { "alba 3+2 rated fen=4k3/8/8/8/8/8/4P3/4K3_w_-_-_0_1", "rated: " },
        { "alba 3+2 horde fen=4k3/8/8/8/8/8/4P3/4K3_w_-_-_0_1", "horde: only standard" },
        { "alba 3+2 green", "green: none of" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        ChallengeRequest request;
        Error err = { 0 };
        assert_false(read_line(rows[i].line, &request, &err));
        if (!strstr(err.text, rows[i].part))
            fail_msg("%s: \"%s\" lacks \"%s\"", rows[i].line, err.text, rows[i].part);
    }
}

static GameRecord a_game(void)
{
    return (GameRecord){ .id = "k7Pq2ZxL",
                         .variant = VARIANT_STANDARD,
                         .rated = true,
                         .time = { .kind = TIME_CLOCK, .base_s = 180, .increment_s = 2 },
                         .players = { { .id = "castled-bot" }, { .id = "alba" } },
                         .us = WHITE };
}

TEST(another_game_is_the_same_with_the_colours_changed_over)
{
    GameRecord record = a_game();
    ChallengeRequest request;
    assert_true(challenge_request_again(&request, &record, NULL));
    assert_same(&request, &(ChallengeRequest){ "alba", 180, 2, true, VARIANT_STANDARD, BLACK, "",
                                               KIND_HUMAN, 0, "" });
    record.us = BLACK;
    record.players[WHITE] = (Player){ .id = "berta" };
    record.variant = VARIANT_FROM_POSITION;
    record.rated = false;
    static const char fen[] = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";
    memcpy(record.initial_fen, fen, sizeof fen);
    assert_true(challenge_request_again(&request, &record, NULL));
    assert_same(&request,
                &(ChallengeRequest){ "berta", 180, 2, false, VARIANT_FROM_POSITION, WHITE,
                                     "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", KIND_HUMAN, 0, "" });
}

TEST(a_wish_for_a_game_is_a_rematch_with_its_own_colours_at_odds)
{
    GameRecord record = a_game();
    ChallengeRequest request;
    assert_true(challenge_request_wished(&request, &record, &(Wish){ .kind = WISH_AGAIN }, NULL));
    assert_int_equal(request.colour, BLACK);
    assert_true(request.rated);
    assert_string_equal(request.rematch_of, record.id);
    const Wish queen = { .kind = WISH_ODDS, .odds = ODDS_QUEEN };
    assert_true(challenge_request_wished(&request, &record, &queen, NULL));
    assert_same(&request,
                &(ChallengeRequest){ "alba", 180, 2, false, VARIANT_FROM_POSITION, WHITE,
                                     "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNB1KBNR w KQkq - 0 1",
                                     KIND_HUMAN, 0, "" });
    record.variant = VARIANT_FROM_POSITION;
    record.rated = false;
    memcpy(record.initial_fen, request.fen, strlen(request.fen) + 1);
    assert_true(challenge_request_wished(&request, &record, &(Wish){ .kind = WISH_AGAIN }, NULL));
    assert_int_equal(request.colour, WHITE);
    assert_string_equal(request.fen, record.initial_fen);
    record.tournament_id[0] = 'a';
    assert_false(challenge_request_wished(&request, &record, &queen, NULL));
}

TEST(not_every_game_has_another)
{
    GameRecord rows[7];
    for (size_t i = 0; i < 7; i++)
        rows[i] = a_game();
    rows[0].time = time_control_of_days(0);
    rows[1].time.increment_s = 61;
    rows[2].time.base_s = rows[2].time.increment_s = 0;
    rows[3].players[BLACK] = (Player){ .ai_level = 3 };
    rows[4].us = COLOUR_NONE;
    rows[5].variant = VARIANT_FROM_POSITION; /* and the position is not known */
    memcpy(rows[6].tournament_id, "QITRjufu", sizeof "QITRjufu");
    for (size_t i = 0; i < 7; i++) {
        ChallengeRequest request;
        Error err = { 0 };
        if (challenge_request_again(&request, &rows[i], &err))
            fail_msg("game %zu", i);
        assert_string_not_equal(err.text, "");
    }
}
