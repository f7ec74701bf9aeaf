/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Holds I17 of bot/README.md. */
#include "bot/lichess/request_queue.h"
#include "tests/support/unit.h"

#include <ctype.h>

/* A script against a queue, one word a step, and what must come of it:
 *   +a:accept    asks for ticket 'a' of that rank (its family follows from the rank)
 *   m, M         a move goes, is answered
 *   s            a stream is opened
 *   >a           'a' goes now, and nothing more before it
 *   .            nothing goes now
 *   !a           'a' is given up
 *   a            'a' is answered         -a   'a' is withdrawn
 *   @500         it is 500 ms            429:other   a keyed 429 for that family, a minute long
 *   =500         request_queue_next_at_ms() says 500; =- never
 */
typedef struct {
    RequestQueue queue;
    Ratelimit limit;
    int64_t now_ms;
} Table;

static const struct {
    const char *word;
    RequestRank rank;
    ApiFamily family;
} ranks[] = {
    { "claim", REQUEST_CLAIM, FAMILY_MOVE },
    { "resign", REQUEST_RESIGN, FAMILY_MOVE },
    { "accept", REQUEST_ACCEPT, FAMILY_CHALLENGE },
    { "decline", REQUEST_DECLINE, FAMILY_CHALLENGE },
    { "chat", REQUEST_CHAT, FAMILY_OTHER },
    { "other", REQUEST_OTHER, FAMILY_OTHER },
};

static size_t rank_of(const char *word)
{
    for (size_t i = 0; i < sizeof ranks / sizeof *ranks; i++)
        if (strcmp(ranks[i].word, word) == 0)
            return i;
    fail_msg("no rank %s", word);
    return 0;
}

static void expect_next(Table *table, RequestQueueStep todo, uint32_t ticket, const char *where)
{
    uint32_t got = 0;
    RequestQueueStep done = request_queue_next(&table->queue, &table->limit, table->now_ms, &got);
    if (done != todo || (todo != REQUESTS_WAIT && got != ticket))
        fail_msg("%s: did %d with '%c', not %d with '%c'", where, (int)done, got ? (int)got : '-',
                 (int)todo, ticket ? (int)ticket : '-');
}

static void do_word(Table *table, const char *word, const char *where)
{
    RequestQueue *queue = &table->queue;
    switch (word[0]) {
    case '+':
        assert_true(request_queue_ask(queue, (uint32_t)word[1], ranks[rank_of(word + 3)].rank,
                                      ranks[rank_of(word + 3)].family, table->now_ms));
        break;
    case 'm':
        request_queue_sent_urgent(queue, REQUEST_MOVE, table->now_ms);
        break;
    case 'M':
        request_queue_answered_urgent(queue, REQUEST_MOVE);
        break;
    case 's':
        request_queue_sent_urgent(queue, REQUEST_STREAM, table->now_ms);
        break;
    case '>':
        expect_next(table, REQUESTS_SEND, (uint32_t)word[1], where);
        break;
    case '!':
        expect_next(table, REQUESTS_GIVE_UP, (uint32_t)word[1], where);
        break;
    case '.':
        expect_next(table, REQUESTS_WAIT, 0, where);
        break;
    case '-':
        request_queue_withdraw(queue, (uint32_t)word[1]);
        break;
    case '@':
        table->now_ms = strtoll(word + 1, NULL, 10);
        break;
    case '=':
        if (request_queue_next_at_ms(queue, &table->limit, table->now_ms) !=
            (word[1] == '-' ? INT64_MAX : strtoll(word + 1, NULL, 10)))
            fail_msg("%s: next at %lld", where,
                     (long long)request_queue_next_at_ms(queue, &table->limit, table->now_ms));
        break;
    case '4':
        ratelimit_note(&table->limit, ranks[rank_of(word + 4)].family, 0, true, table->now_ms);
        break;
    default:
        assert_true(islower((unsigned char)word[0]));
        request_queue_answered(queue, (uint32_t)word[0]);
    }
}

TEST(requests_go_in_their_order)
{
    static const struct {
        const char *name, *script;
    } rows[] = {
        { "one goes at once", "+a:other >a . =-" },
        { "one at a time, in order of arrival", "+a:other >a +b:other +c:other . a >b . b >c" },
        { "by rank before arrival", "+a:other >a +b:other +c:chat +d:decline +e:accept +f:resign "
                                    "+g:claim a >g g >f f >e e >d "
                                    "d >c c >b b ." },
        { "a move holds the queue still until its answer", "m +a:accept . =1000 M >a" },
        { "but not for long", "m +a:accept @999 . @1000 >a" },
        { "each move anew", "m @900 m +a:accept @1800 . =1900 @1900 >a" },
        { "two moves, two answers", "m m M +a:other . M >a" },
        { "a stream delays no request", "s +a:other >a" },
        { "a late answer frees the queue without it",
          "+a:other >a +b:accept . =2000 @1999 . @2000 >b a . b +c:other >c" },
        { "a withdrawn request leaves the queue", "+a:other >a +b:other +c:other -b a >c" },
        { "a request withdrawn on the way frees it", "+a:other >a +b:other . -a >b" },
        { "a 429 stops its family, and only that",
          "429:other +a:other +b:chat +c:accept >c c . =60000 @60000 >b b >a a ." },
        { "after a 429's end its family goes on",
          "429:other @30000 +a:other . =60000 @60000 >a a ." },
        { "games' commands are not stopped by others' 429", "429:accept 429:other +a:claim >a" },
        { "what waits too long is given up", "429:other @5 +a:other @59999 . @60000 >a" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Table table = { .now_ms = 0 };
        request_queue_init(&table.queue);
        ratelimit_init(&table.limit);
        const char *at = rows[i].script;
        while (*at) {
            char word[32], where[300];
            size_t len = strcspn(at, " ");
            assert_true(len < sizeof word);
            memcpy(word, at, len);
            word[len] = '\0';
            assert_true(snprintf(where, sizeof where, "%s, at \"%s\"", rows[i].name, at) > 0);
            do_word(&table, word, where);
            at += len + (at[len] == ' ');
        }
    }
}

/* Asks and, if it goes, answers at once. */
static bool goes(RequestQueue *queue, RequestRank rank, ApiFamily family, int64_t now_ms)
{
    Ratelimit limit;
    uint32_t ticket;
    ratelimit_init(&limit);
    assert_true(request_queue_ask(queue, 1, rank, family, now_ms));
    bool went = request_queue_next(queue, &limit, now_ms, &ticket) == REQUESTS_SEND;
    request_queue_withdraw(queue, 1);
    return went;
}

TEST(a_busy_minute_leaves_room_for_what_matters)
{
    RequestQueue queue;
    request_queue_init(&queue);
    for (int i = 0; i < REQUESTS_MINUTE_COMMON; i++)
        assert_true(goes(&queue, REQUEST_OTHER, FAMILY_OTHER, i));
    assert_false(goes(&queue, REQUEST_OTHER, FAMILY_OTHER, 1000));
    assert_false(goes(&queue, REQUEST_CHAT, FAMILY_OTHER, 1000));
    assert_false(goes(&queue, REQUEST_DECLINE, FAMILY_CHALLENGE, 1000));
    for (int i = 0; i < 64; i++)
        assert_true(goes(&queue, REQUEST_ACCEPT, FAMILY_CHALLENGE, 1000));
    assert_true(goes(&queue, REQUEST_CLAIM, FAMILY_MOVE, 1000));
    assert_true(goes(&queue, REQUEST_RESIGN, FAMILY_MOVE, 1000));
    request_queue_sent_urgent(&queue, REQUEST_MOVE, 1000);
    request_queue_answered_urgent(&queue, REQUEST_MOVE);
    assert_int_equal(request_queue_last_minute(&queue, 1000), REQUESTS_MINUTE_COMMON + 67);
    /* The first of that minute fall out of it one by one. */
    assert_int_equal(request_queue_last_minute(&queue, 60000), REQUESTS_MINUTE_COMMON + 66);
    assert_int_equal(request_queue_last_minute(&queue, 200000), 0);
}

/* 200 challenges in 10 s: who is refused never stands before who is accepted, then or later. */
TEST(refusals_are_spread_and_the_last_of_a_flood_are_dropped)
{
    RequestQueue queue;
    Ratelimit limit;
    uint32_t ticket;
    int queued = 0, sent = 0, given_up = 0;
    request_queue_init(&queue);
    ratelimit_init(&limit);
    for (int64_t now = 100000; now < 300000; now += 50) {
        if (now < 110000)
            queued += request_queue_ask(&queue, (uint32_t)(now / 50), REQUEST_DECLINE,
                                        FAMILY_CHALLENGE, now);
        if (now % 20000 == 0)
            assert_true(goes(&queue, REQUEST_ACCEPT, FAMILY_CHALLENGE, now));
        for (RequestQueueStep todo;
             (todo = request_queue_next(&queue, &limit, now, &ticket)) != REQUESTS_WAIT;) {
            request_queue_answered(&queue, ticket);
            *(todo == REQUESTS_SEND ? &sent : &given_up) += 1;
        }
        assert_true(request_queue_last_minute(&queue, now) < REQUESTS_MINUTE_COMMON);
    }
    assert_in_range(queued, REQUESTS_DECLINES_MAX, 100);
    assert_in_range(sent, REQUESTS_DECLINE_BURST, 70);
    assert_int_equal(sent + given_up, queued);
}

TEST(what_a_429_has_stopped_goes_when_its_minute_is_over)
{
    RequestQueue queue;
    Ratelimit limit;
    uint32_t ticket;
    request_queue_init(&queue);
    ratelimit_init(&limit);
    assert_true(request_queue_ask(&queue, 1, REQUEST_ACCEPT, FAMILY_CHALLENGE, 0));
    ratelimit_note(&limit, FAMILY_CHALLENGE, 0, false, 0);
    assert_int_equal(request_queue_next(&queue, &limit, 59999, &ticket), REQUESTS_WAIT);
    assert_int_equal(request_queue_next(&queue, &limit, 60000, &ticket), REQUESTS_SEND);
}

TEST(the_minutes_end_is_foretold)
{
    RequestQueue queue;
    Ratelimit limit;
    uint32_t ticket;
    request_queue_init(&queue);
    ratelimit_init(&limit);
    for (int i = 0; i < REQUESTS_MINUTE_COMMON; i++)
        request_queue_sent_urgent(&queue, REQUEST_STREAM, 100 + i);
    assert_true(request_queue_ask(&queue, 1, REQUEST_OTHER, FAMILY_OTHER, 5000));
    int64_t at = request_queue_next_at_ms(&queue, &limit, 5000);
    assert_int_equal(at, 100 + REQUESTS_MINUTE_MS);
    assert_int_equal(request_queue_next(&queue, &limit, at - 1, &ticket), REQUESTS_WAIT);
    assert_int_equal(request_queue_next(&queue, &limit, at, &ticket), REQUESTS_SEND);
}

TEST(what_could_not_go_is_given_up)
{
    RequestQueue queue;
    Ratelimit limit;
    uint32_t ticket;
    request_queue_init(&queue);
    ratelimit_init(&limit);
    ratelimit_note(&limit, FAMILY_CREATE, 41230, true, 0);
    assert_true(request_queue_ask(&queue, 7, REQUEST_OTHER, FAMILY_CREATE, 0));
    assert_int_equal(request_queue_next_at_ms(&queue, &limit, 0), REQUESTS_GIVE_UP_MS);
    assert_int_equal(request_queue_next(&queue, &limit, REQUESTS_GIVE_UP_MS - 1, &ticket),
                     REQUESTS_WAIT);
    assert_int_equal(request_queue_next(&queue, &limit, REQUESTS_GIVE_UP_MS, &ticket),
                     REQUESTS_GIVE_UP);
    assert_int_equal(ticket, 7);
    assert_int_equal(queue.counts[REQUEST_OTHER].given_up, 1);
    assert_int_equal(request_queue_next_at_ms(&queue, &limit, REQUESTS_GIVE_UP_MS), INT64_MAX);
}

TEST(a_full_queue_says_so)
{
    RequestQueue queue;
    request_queue_init(&queue);
    for (uint32_t i = 1; i <= REQUESTS_WAITING_MAX; i++)
        assert_true(request_queue_ask(&queue, i, REQUEST_OTHER, FAMILY_OTHER, 0));
    assert_false(request_queue_ask(&queue, 1000, REQUEST_ACCEPT, FAMILY_CHALLENGE, 0));
}

TEST(waits_are_counted)
{
    RequestQueue queue;
    Ratelimit limit;
    uint32_t ticket;
    request_queue_init(&queue);
    ratelimit_init(&limit);
    assert_true(request_queue_ask(&queue, 1, REQUEST_OTHER, FAMILY_OTHER, 0));
    assert_true(request_queue_ask(&queue, 2, REQUEST_OTHER, FAMILY_OTHER, 0));
    assert_int_equal(request_queue_next(&queue, &limit, 0, &ticket), REQUESTS_SEND);
    request_queue_answered(&queue, ticket);
    assert_int_equal(request_queue_next(&queue, &limit, 130, &ticket), REQUESTS_SEND);
    const RequestCount *count = &queue.counts[REQUEST_OTHER];
    assert_int_equal(count->sent, 2);
    assert_int_equal(count->waited, 1);
    assert_int_equal(count->waited_ms, 130);
    assert_int_equal(count->longest_ms, 130);
}
