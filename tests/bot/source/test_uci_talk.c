/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/source/uci_talk.h"
#include "tests/support/unit.h"

/* A conversation, and what was last said. */
typedef struct {
    UciTalk talk;
    Buf say;
    UciInput heard;
} Room;

static void set_up(Room *room)
{
    uci_talk_init(&room->talk);
    buf_init(&room->say, UCI_SAY_MAX);
}

/* What has been said since the last time; lent until the next. */
static const char *said(Room *room)
{
    static char text[UCI_SAY_MAX + 1];
    size_t len = room->say.len;
    memcpy(text, buf_view(&room->say), len + 1);
    buf_reset(&room->say);
    return text;
}

static void hear(Room *room, const char *line)
{
    assert_true(uci_talk_read(&room->talk, text_of(line), &room->heard, &room->say));
}

static void greet(Room *room, const char *const *lines)
{
    set_up(room);
    assert_true(uci_talk_greet(&room->talk, &room->say));
    assert_string_equal(said(room), "uci\n");
    for (size_t i = 0; lines && lines[i]; i++) {
        hear(room, lines[i]);
        assert_int_equal(room->heard, UCI_INPUT_NOTHING);
    }
    hear(room, "uciok");
    assert_int_equal(room->heard, UCI_INPUT_UCIOK);
}

static void be_ready(Room *room)
{
    greet(room, NULL);
    assert_true(uci_talk_ping(&room->talk, &room->say));
    assert_string_equal(said(room), "isready\n");
    hear(room, "readyok");
    assert_int_equal(room->heard, UCI_INPUT_READY);
    assert_int_equal(room->talk.state, UCI_IDLE);
}

static void search(Room *room, bool is_guess)
{
    UciSearch what = { .position = "startpos moves e2e4", .is_guess = is_guess };
    what.limits.has_clock = true;
    what.limits.time_ms[WHITE] = 61000;
    what.limits.time_ms[BLACK] = 59000;
    what.limits.increment_ms[BLACK] = 1000;
    assert_true(uci_talk_search(&room->talk, &what, &room->say));
    assert_string_equal(said(room), "position startpos moves e2e4\nisready\n");
}

#define CLOCKS " wtime 61000 btime 59000 winc 0 binc 1000\n"

static void begin(Room *room)
{
    search(room, false);
    hear(room, "readyok");
    assert_string_equal(said(room), "go" CLOCKS);
    assert_int_equal(room->talk.state, UCI_SEARCHING);
}

static void tear_down(Room *room)
{
    assert_string_equal(said(room), "");
    buf_release(&room->say);
}

TEST(a_greeting_tells_name_and_options)
{
    static const char *const lines[] = {
        "Stockfish 15.1 by the Stockfish developers",
        "id name  Some Engine 2.0",
        "id author Nobody",
        "option name Hash type spin default 16 min 1 max 33554432",
        "option name Skill Level type spin default 20 min -20 max 20",
        "option name UCI_Variant type combo default chess var 3check var antichess var chess var "
        "shogi",
        "option name Ponder type check default false",
        "option name SyzygyPath type string default <empty>",
        "option name Clear Hash type button",
        "option name",
        "option type check",
        "option name Bad type spin default 1 min x max 2",
        "bestmove e2e4",
        "readyok",
        "",
        NULL,
    };
    Room room;
    greet(&room, lines);
    const UciTalk *talk = &room.talk;
    assert_string_equal(talk->name, "Some Engine 2.0");
    assert_int_equal(talk->option_count, 6);
    assert_int_equal(uci_talk_option(talk, "hash")->hi, 33554432);
    assert_string_equal(uci_talk_option(talk, "skill level")->name, "Skill Level");
    assert_int_equal(uci_talk_option(talk, "Skill Level")->lo, -20);
    assert_int_equal(uci_talk_option(talk, "Ponder")->type, UCI_OPTION_CHECK);
    assert_non_null(uci_talk_option(talk, "Clear Hash"));
    assert_null(uci_talk_option(talk, "Bad"));
    assert_null(uci_talk_option(talk, "Nonesuch"));
    assert_true(talk->has_variants);
    assert_int_equal(talk->variants,
                     VARIANTS_OF_CHESS | 1 << VARIANT_THREE_CHECK | 1 << VARIANT_ANTICHESS);
    tear_down(&room);
}

TEST(an_order_is_prepared_and_then_begun)
{
    Room room;
    be_ready(&room);
    begin(&room);
    assert_int_equal(room.talk.state, UCI_SEARCHING);
    hear(&room, "info depth 3 currmove e2e4 currmovenumber 1");
    hear(&room, "info depth 12 seldepth 20 multipv 1 score cp -31 nodes 12345 nps 1 time 77 pv "
                "e7e5 g1f3 b8c6");
    hear(&room, "info depth 12 multipv 2 score cp -99 nodes 99999 pv a7a5 a2a4");
    hear(&room, "info string score cp 5000 pv h7h5");
    hear(&room, "bestmove e7e5 ponder g1f3");
    assert_int_equal(room.heard, UCI_INPUT_RESULT);
    const UciResult *result = &room.talk.result;
    assert_string_equal(result->move, "e7e5");
    assert_string_equal(result->reply, "g1f3");
    assert_int_equal(result->score, -31);
    assert_int_equal(result->depth, 12);
    assert_int_equal(result->nodes, 12345);
    assert_int_equal(result->time_ms, 77);
    assert_int_equal(room.talk.state, UCI_IDLE);
    tear_down(&room);
}

TEST(scores_become_ours)
{
    static const struct {
        const char *score;
        int expected;
    } rows[] = {
        { "cp 0", 0 },
        { "cp 123 lowerbound", 123 },
        { "cp 99999", SCORE_TABLEBASE - MAX_PLY - 1 },
        { "cp -99999", -(SCORE_TABLEBASE - MAX_PLY - 1) },
        { "mate 1", SCORE_MATE - 1 },
        { "mate 3", SCORE_MATE - 5 },
        { "mate -2", -(SCORE_MATE - 4) },
        { "mate 0", -SCORE_MATE },
        { "mate 900000", SCORE_MATE - MAX_PLY + 1 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Room room;
        char line[100];
        be_ready(&room);
        begin(&room);
        assert_true(snprintf(line, sizeof line, "info depth 9 score %s", rows[i].score) > 0);
        hear(&room, line);
        hear(&room, "bestmove e7e5");
        assert_int_equal(room.talk.result.score, rows[i].expected);
        assert_int_equal(room.talk.result.depth, 9);
        tear_down(&room);
    }
}

TEST(the_reply_comes_from_the_line_only_when_it_is_the_moves_line)
{
    static const struct {
        const char *best, *reply;
    } rows[] = {
        { "bestmove e7e5", "g1f3" },
        { "bestmove d7d5", "" },
        { "bestmove e7e5 ponder b1c3", "b1c3" },
        { "bestmove e7e5 ponder (none)", "" },
        { "bestmove e7e5 ponder", "" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Room room;
        be_ready(&room);
        begin(&room);
        hear(&room, "info depth 9 score cp 1 pv e7e5 g1f3");
        hear(&room, rows[i].best);
        assert_string_equal(room.talk.result.reply, rows[i].reply);
        tear_down(&room);
    }
}

TEST(a_line_is_kept_up_to_what_is_no_move)
{
    static const struct {
        const char *news;
        int length;
        const char *last;
    } rows[] = {
        { "info depth 9 score cp 1 pv e7e5 g1f3 b8c6", 2, "b8c6" },
        { "info depth 9 score cp 1 pv e7e5", 0, NULL },
        { "info depth 9 score cp 1 pv e7e5 g1f3 string e2e4 e2e4", 1, "g1f3" },
        { "info depth 9 score cp 1 pv e7e5 a1a2 a1a2 a1a2 a1a2 a1a2 a1a2 a1a2 a1a2 a1a2 a1a2 a1a3 "
          "a1a4",
          11, "a1a3" },
        { "info depth 9 score cp 1", 0, NULL },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Room room;
        be_ready(&room);
        begin(&room);
        hear(&room, rows[i].news);
        const UciResult *result = &room.talk.result;
        assert_int_equal(result->pv_length, rows[i].length);
        if (rows[i].last)
            assert_string_equal(result->pv[result->pv_length - 1], rows[i].last);
        hear(&room, "bestmove d7d5"); /* another than the line's */
        assert_int_equal(result->pv_length, 0);
        tear_down(&room);
    }
}

TEST(what_is_no_move_is_none)
{
    static const char *const lines[] = {
        "bestmove",          "bestmove (none)",      "bestmove 0000",   "bestmove NULL",
        "bestmove e7e9",     "bestmove e7",          "bestmove e7e5qq", "bestmove \x01",
        "bestmove e7e5e7e5", "bestmove ponder e7e5",
    };
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        Room room;
        be_ready(&room);
        begin(&room);
        hear(&room, lines[i]);
        assert_int_equal(room.heard, UCI_INPUT_RESULT);
        assert_string_equal(room.talk.result.move, "");
        tear_down(&room);
    }
}

TEST(garbled_news_change_nothing)
{
    static const char *const lines[] = {
        "info",
        "info depth",
        "info depth x score",
        "info depth 99999999999999999999 score cp",
        "info score mate",
        "info score nonsense 12",
        "info nodes -5 score cp 1000001",
        "information depth 3 score cp 77",
        "BESTMOVE e7e5",
        "\x01\x02 bestmove",
        " ",
    };
    Room room;
    be_ready(&room);
    begin(&room);
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        hear(&room, lines[i]);
        assert_int_equal(room.heard, UCI_INPUT_NOTHING);
        assert_int_equal(room.talk.result.depth, 0);
        assert_int_equal(room.talk.result.score, 0);
    }
    assert_true(uci_talk_read(&room.talk, (Text){ "info depth 5 score cp 9\0 pv e7e5", 33 },
                              &room.heard, &room.say));
    hear(&room, "bestmove e7e5");
    assert_int_equal(room.heard, UCI_INPUT_RESULT);
    tear_down(&room);
}

TEST(a_best_move_that_nobody_waits_for_is_forgotten)
{
    Room room;
    be_ready(&room);
    hear(&room, "bestmove a2a3");
    assert_int_equal(room.heard, UCI_INPUT_NOTHING);
    begin(&room);
    hear(&room, "bestmove e7e5");
    hear(&room, "bestmove e7e5"); /* once more */
    assert_int_equal(room.heard, UCI_INPUT_NOTHING);
    search(&room, false);
    hear(&room, "bestmove a7a6"); /* of the past: readyok comes after it */
    assert_int_equal(room.heard, UCI_INPUT_NOTHING);
    assert_int_equal(room.talk.state, UCI_PREPARING);
    hear(&room, "readyok");
    assert_string_equal(said(&room), "go" CLOCKS);
    hear(&room, "bestmove d7d5");
    assert_string_equal(room.talk.result.move, "d7d5");
    tear_down(&room);
}

TEST(a_dropped_search_ends_before_the_next_begins)
{
    Room room;
    be_ready(&room);
    begin(&room);
    assert_true(uci_talk_discard(&room.talk, &room.say));
    assert_string_equal(said(&room), "stop\n");
    assert_int_equal(room.talk.state, UCI_DISCARDING);
    hear(&room, "info depth 30 score cp 3");
    hear(&room, "bestmove a7a6");
    assert_int_equal(room.heard, UCI_INPUT_READY);
    begin(&room);
    hear(&room, "bestmove e7e5");
    assert_int_equal(room.heard, UCI_INPUT_RESULT);
    tear_down(&room);
}

TEST(an_order_in_preparation_is_replaced)
{
    Room room;
    be_ready(&room);
    search(&room, false);
    search(&room, false);
    hear(&room, "readyok"); /* of the first one */
    assert_string_equal(said(&room), "");
    hear(&room, "readyok");
    assert_string_equal(said(&room), "go" CLOCKS);
    hear(&room, "bestmove e7e5");
    search(&room, false);
    assert_true(uci_talk_discard(&room.talk, &room.say));
    hear(&room, "readyok");
    assert_int_equal(room.heard, UCI_INPUT_READY);
    tear_down(&room);
}

TEST(a_stop_is_said_once_and_not_before_the_search_begins)
{
    Room room;
    be_ready(&room);
    assert_true(uci_talk_stop(&room.talk, &room.say));
    assert_string_equal(said(&room), "");
    search(&room, false);
    assert_true(uci_talk_stop(&room.talk, &room.say));
    assert_string_equal(said(&room), "");
    hear(&room, "readyok");
    assert_string_equal(said(&room), "go" CLOCKS "stop\n");
    assert_true(uci_talk_stop(&room.talk, &room.say));
    assert_string_equal(said(&room), "");
    assert_true(room.talk.is_stopped);
    hear(&room, "bestmove e7e5");
    assert_int_equal(room.heard, UCI_INPUT_RESULT);
    tear_down(&room);
}

TEST(a_ping_amid_a_search_shows_whether_it_may_be_held_to_them)
{
    Room room;
    be_ready(&room);
    begin(&room);
    assert_true(uci_talk_ping(&room.talk, &room.say));
    assert_string_equal(said(&room), "isready\n");
    assert_false(room.talk.answers_amid_search);
    hear(&room, "readyok");
    assert_true(room.talk.answers_amid_search);
    assert_true(uci_talk_ping(&room.talk, &room.say));
    assert_string_equal(said(&room), "isready\n");
    assert_int_equal(room.talk.readyoks_owed, 1);
    hear(&room, "bestmove e7e5");
    assert_int_equal(room.heard, UCI_INPUT_RESULT);
    search(&room, false); /* the readyok of before is still to come */
    hear(&room, "readyok");
    assert_string_equal(said(&room), "");
    hear(&room, "readyok");
    assert_string_equal(said(&room), "go" CLOCKS);
    hear(&room, "bestmove e7e5");
    tear_down(&room);
}

TEST(a_guess_that_was_right_becomes_the_order)
{
    Room room;
    bool is_done;
    be_ready(&room);
    search(&room, true);
    hear(&room, "readyok");
    assert_string_equal(said(&room), "go ponder" CLOCKS);
    assert_int_equal(room.talk.state, UCI_PONDERING);
    assert_true(uci_talk_ponderhit(&room.talk, &is_done, &room.say));
    assert_false(is_done);
    assert_string_equal(said(&room), "ponderhit\n");
    hear(&room, "bestmove e7e5");
    assert_int_equal(room.heard, UCI_INPUT_RESULT);
    search(&room, true); /* hit before it has even begun */
    assert_true(uci_talk_ponderhit(&room.talk, &is_done, &room.say));
    hear(&room, "readyok");
    assert_string_equal(said(&room), "go" CLOCKS);
    hear(&room, "bestmove e7e5");
    search(&room, true); /* and after it has ended by itself, as it should not */
    hear(&room, "readyok");
    assert_string_equal(said(&room), "go ponder" CLOCKS);
    hear(&room, "bestmove c7c5");
    assert_int_equal(room.heard, UCI_INPUT_NOTHING);
    assert_true(uci_talk_ponderhit(&room.talk, &is_done, &room.say));
    assert_true(is_done);
    assert_string_equal(room.talk.result.move, "c7c5");
    assert_int_equal(room.talk.state, UCI_IDLE);
    tear_down(&room);
}

TEST(a_guess_that_was_wrong_is_dropped)
{
    Room room;
    be_ready(&room);
    search(&room, true);
    hear(&room, "readyok");
    said(&room);
    assert_true(uci_talk_stop(&room.talk, &room.say)); /* no order: nothing happens */
    assert_true(uci_talk_discard(&room.talk, &room.say));
    assert_string_equal(said(&room), "stop\n");
    hear(&room, "bestmove c7c5");
    assert_int_equal(room.heard, UCI_INPUT_READY);
    search(&room, true);
    hear(&room, "readyok");
    said(&room);
    hear(&room, "bestmove c7c5");
    assert_true(uci_talk_discard(&room.talk, &room.say));
    assert_int_equal(room.talk.state, UCI_IDLE);
    tear_down(&room);
}

TEST(limits_are_told_as_far_as_there_are_any)
{
    static const struct {
        SearchLimits limits;
        const char *go;
    } rows[] = {
        { { .depth = 3 }, "go depth 3\n" },
        { { .nodes = 5000, .movetime_ms = 100 }, "go movetime 100 nodes 5000\n" },
        { { .has_clock = true, .time_ms = { 1, 2 }, .moves_to_go = 9 },
          "go wtime 1 btime 2 winc 0 binc 0 movestogo 9\n" },
        { { .depth = 3,
            .search_move_count = 2,
            .search_moves = { 8 << 12 | 48 << 6 | 56, 12 << 6 | 20 } },
          "go depth 3 searchmoves a7a8n e2e3\n" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Room room;
        be_ready(&room);
        UciSearch what = { .position = "startpos", .is_new_game = true, .limits = rows[i].limits };
        assert_true(uci_talk_search(&room.talk, &what, &room.say));
        assert_string_equal(said(&room), "ucinewgame\nposition startpos\nisready\n");
        hear(&room, "readyok");
        assert_string_equal(said(&room), rows[i].go);
        buf_release(&room.say);
    }
}

TEST(a_flood_of_options_is_bounded)
{
    Room room;
    char line[200];
    set_up(&room);
    assert_true(uci_talk_greet(&room.talk, &room.say));
    for (int i = 0; i < 1000; i++) {
        assert_true(snprintf(line, sizeof line, "option name O%d type check", i) > 0);
        hear(&room, line);
    }
    assert_int_equal(room.talk.option_count, UCI_OPTIONS_MAX);
    buf_release(&room.say);
}
