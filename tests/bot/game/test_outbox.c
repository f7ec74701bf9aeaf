/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Holds I15 and I17 of bot/README.md. */
#include "bot/game/outbox.h"
#include "tests/support/unit.h"

enum { LAG = 50 };

typedef struct {
    Outbox box;
    Ratelimit limit;
    OutboxView view;
} Incoming;

static void open_desk(Incoming *incoming)
{
    memset(incoming, 0, sizeof *incoming);
    ratelimit_init(&incoming->limit);
    incoming->view = (OutboxView){ .is_live = true, .clock_ms = 60000, .limit = &incoming->limit };
}

static OutboxStep at(Incoming *incoming, int64_t now_ms)
{
    incoming->view.now_ms = now_ms;
    OutboxStep step = outbox_step(&incoming->box, &incoming->view);
    if (step.action == OUTBOX_SEND && step.command.kind == COMMAND_MOVE)
        ratelimit_note_move_sent(&incoming->limit, now_ms);
    return step;
}

static void put_move(Incoming *incoming, const char *uci, int64_t now_ms)
{
    Command command = { .kind = COMMAND_MOVE };
    memcpy(command.uci, uci, strlen(uci) + 1);
    outbox_put(&incoming->box, command, now_ms);
}

static uint32_t send_move(Incoming *incoming, int64_t now_ms)
{
    OutboxStep step = at(incoming, now_ms);
    assert_int_equal(step.action, OUTBOX_SEND);
    assert_int_equal(step.command.kind, COMMAND_MOVE);
    assert_int_equal(at(incoming, now_ms).action, OUTBOX_NOTHING);
    return step.ticket;
}

static void answer(Incoming *incoming, uint32_t ticket, Reply reply, int64_t now_ms)
{
    outbox_answered(&incoming->box, ticket, reply, LAG, now_ms);
}

TEST(a_move_is_sent_once_and_at_once)
{
    Incoming incoming;
    open_desk(&incoming);
    incoming.view.is_live = false; /* the clock does not wait for the stream */
    put_move(&incoming, "e2e4", 10);
    OutboxStep step = at(&incoming, 10);
    assert_int_equal(step.action, OUTBOX_SEND);
    assert_string_equal(step.command.uci, "e2e4");
    assert_int_equal(step.tries, 1);
    for (int64_t now = 10; now < 100000; now += 100)
        assert_int_equal(at(&incoming, now).action, OUTBOX_NOTHING);
    assert_int_equal(outbox_next_at_ms(&incoming.box, true), INT64_MAX);
}

TEST(a_lost_request_is_repeated_at_growing_distances)
{
    Incoming incoming;
    open_desk(&incoming);
    put_move(&incoming, "e2e4", 0);
    int64_t now = 0, distance_before = 0;
    for (int i = 0; i < 12; i++) {
        uint32_t ticket = send_move(&incoming, now);
        answer(&incoming, ticket, REPLY_LOST, now);
        int64_t next = outbox_next_at_ms(&incoming.box, true);
        int64_t distance = next - now;
        assert_in_range(distance, distance_before > 0 ? distance_before : 1, 8000);
        assert_int_equal(at(&incoming, next - 1).action, OUTBOX_NOTHING);
        distance_before = distance;
        now = next;
    }
}

TEST(a_request_is_not_repeated_while_the_stream_is_down)
{
    Incoming incoming;
    open_desk(&incoming);
    put_move(&incoming, "e2e4", 0);
    answer(&incoming, send_move(&incoming, 0), REPLY_LOST, 0);
    incoming.view.is_live = false;
    assert_int_equal(outbox_next_at_ms(&incoming.box, false), INT64_MAX);
    assert_int_equal(at(&incoming, 60000).action, OUTBOX_NOTHING);
    incoming.view.is_live = true;
    assert_int_equal(at(&incoming, 60001).action, OUTBOX_SEND);
}

TEST(an_answer_without_echo_leads_to_a_look)
{
    static const Reply replies[] = { REPLY_RECEIVED, REPLY_REFUSED };
    for (size_t i = 0; i < sizeof replies / sizeof *replies; i++) {
        Incoming incoming;
        open_desk(&incoming);
        put_move(&incoming, "e2e4", 0);
        answer(&incoming, send_move(&incoming, 0), replies[i], 0);
        int64_t next = outbox_next_at_ms(&incoming.box, true);
        assert_in_range(next, 1, 5000);
        assert_int_equal(at(&incoming, next - 1).action, OUTBOX_NOTHING);
        assert_int_equal(at(&incoming, next).action, OUTBOX_RESYNC);
        assert_int_equal(at(&incoming, next).action, OUTBOX_NOTHING); /* not sent blindly */
        assert_true(outbox_holds(&incoming.box, COMMAND_MOVE));
    }
}

TEST(what_a_fresh_stream_lacks_is_sent_again)
{
    Incoming incoming;
    open_desk(&incoming);
    put_move(&incoming, "e2e4", 0);
    answer(&incoming, send_move(&incoming, 0), REPLY_RECEIVED, 10);
    outbox_refuted(&incoming.box, 500);
    int64_t next = outbox_next_at_ms(&incoming.box, true);
    assert_in_range(next, 501, 2000);
    assert_int_equal(at(&incoming, next).action, OUTBOX_SEND);
}

TEST(answers_to_old_requests_change_nothing)
{
    Incoming incoming;
    open_desk(&incoming);
    put_move(&incoming, "e2e4", 0);
    uint32_t old = send_move(&incoming, 0);
    put_move(&incoming, "d2d4", 5);
    uint32_t young = send_move(&incoming, 5);
    assert_null(outbox_answered(&incoming.box, old, REPLY_LOST, LAG, 6));
    assert_int_equal(outbox_next_at_ms(&incoming.box, true), INT64_MAX);
    outbox_drop(&incoming.box, COMMAND_MOVE);
    assert_null(outbox_answered(&incoming.box, young, REPLY_REFUSED, LAG, 7));
    assert_false(outbox_holds(&incoming.box, COMMAND_MOVE));
    outbox_reset(&incoming.box);
    put_move(&incoming, "a2a3", 8);
    assert_true(send_move(&incoming, 8) > young);
}

TEST(a_limited_move_waits_the_minute_out_if_the_clock_allows)
{
    Incoming incoming;
    open_desk(&incoming);
    incoming.view.clock_ms = 300000;
    put_move(&incoming, "e2e4", 0);
    uint32_t ticket = send_move(&incoming, 0);
    ratelimit_note(&incoming.limit, FAMILY_MOVE, 0, false, 0);
    answer(&incoming, ticket, REPLY_LIMITED, 0);
    for (int64_t now = 0; now < 60000; now += 100)
        assert_int_equal(at(&incoming, now).action, OUTBOX_NOTHING);
    assert_int_equal(at(&incoming, 60000).action, OUTBOX_SEND);
}

TEST(a_limited_move_probes_four_times_if_the_clock_does_not_allow)
{
    Incoming incoming;
    open_desk(&incoming);
    incoming.view.clock_ms = 20000;
    put_move(&incoming, "e2e4", 0);
    int sent = 0;
    for (int64_t now = 0; now < 60000; now += 50) {
        OutboxStep step = at(&incoming, now);
        if (step.action != OUTBOX_SEND)
            continue;
        sent++;
        ratelimit_note(&incoming.limit, FAMILY_MOVE, 60, false, now);
        answer(&incoming, step.ticket, REPLY_LIMITED, now);
    }
    assert_int_equal(sent, 1 + RATELIMIT_PROBES_MAX);
}

TEST(another_familys_limit_does_not_hold_a_move)
{
    Incoming incoming;
    open_desk(&incoming);
    ratelimit_note(&incoming.limit, FAMILY_CHALLENGE, 600, false, 0);
    put_move(&incoming, "e2e4", 1);
    send_move(&incoming, 1);
    outbox_put(&incoming.box, (Command){ .kind = COMMAND_DRAW }, 1);
    outbox_drop(&incoming.box, COMMAND_MOVE);
    assert_int_equal(at(&incoming, 1).action, OUTBOX_NOTHING); /* politeness waits, though */
}

TEST(a_move_goes_first_and_alone)
{
    Incoming incoming;
    open_desk(&incoming);
    outbox_put(&incoming.box, (Command){ .kind = COMMAND_DRAW }, 0);
    outbox_put(&incoming.box, (Command){ .kind = COMMAND_TAKEBACK, .accepts = true }, 0);
    put_move(&incoming, "e2e4", 0);
    uint32_t move = send_move(&incoming, 0);
    answer(&incoming, move, REPLY_RECEIVED, 30);
    OutboxStep step = at(&incoming, 30);
    assert_int_equal(step.command.kind, COMMAND_TAKEBACK);
    assert_true(step.command.accepts);
    assert_int_equal(at(&incoming, 30).command.kind, COMMAND_DRAW);
}

TEST(polite_commands_are_given_up_soon)
{
    static const struct {
        Reply reply;
        int requests;
    } rows[] = { { REPLY_RECEIVED, 1 }, { REPLY_REFUSED, 1 }, { REPLY_LOST, 3 } };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Incoming incoming;
        open_desk(&incoming);
        outbox_put(&incoming.box, (Command){ .kind = COMMAND_DRAW }, 0);
        int sent = 0;
        for (int64_t now = 0; now < 100000; now += 50) {
            OutboxStep step = at(&incoming, now);
            if (step.action != OUTBOX_SEND)
                continue;
            sent++;
            answer(&incoming, step.ticket, rows[i].reply, now);
        }
        assert_int_equal(sent, rows[i].requests);
        assert_false(outbox_holds(&incoming.box, COMMAND_DRAW));
    }
}

TEST(a_limit_that_another_move_lifts_holds_no_longer)
{
    Incoming incoming;
    open_desk(&incoming);
    incoming.view.clock_ms = 600000; /* long enough to wait a minute out */
    ratelimit_note(&incoming.limit, FAMILY_MOVE, 0, true, 0);
    put_move(&incoming, "e2e4", 10);
    assert_int_equal(at(&incoming, 10).action, OUTBOX_NOTHING);
    assert_int_equal(at(&incoming, 5000).action, OUTBOX_NOTHING);
    ratelimit_note_passed(&incoming.limit, FAMILY_MOVE);
    int64_t next = outbox_next_at_ms(&incoming.box, true);
    assert_in_range(next, 5000, 6000);
    assert_int_equal(at(&incoming, next).action, OUTBOX_SEND);
}
