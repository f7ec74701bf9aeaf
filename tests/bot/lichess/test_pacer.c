/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Holds I17 of bot/README.md. */
#include "bot/lichess/pacer.h"
#include "tests/support/unit.h"

#include <ctype.h>

/* A script against a pacer, one word a step, and what must come of it:
 *   +a:accept    asks for ticket 'a' of that rank (its family follows from the rank)
 *   m, M         a move goes, is answered
 *   s            a stream is opened
 *   >a           'a' goes now, and nothing more before it
 *   .            nothing goes now
 *   !a           'a' is given up
 *   a            'a' is answered         -a   'a' is withdrawn
 *   @500         it is 500 ms            429:other   a keyed 429 for that family, a minute long
 *   =500         pacer_next_at_ms() says 500; =- never
 */
typedef struct {
    Pacer pacer;
    Ratelimit limit;
    int64_t now_ms;
} Table;

static const struct {
    const char *word;
    PaceRank rank;
    ApiFamily family;
} ranks[] = {
    { "claim", PACE_CLAIM, FAMILY_MOVE },        { "resign", PACE_RESIGN, FAMILY_MOVE },
    { "accept", PACE_ACCEPT, FAMILY_CHALLENGE }, { "decline", PACE_DECLINE, FAMILY_CHALLENGE },
    { "chat", PACE_CHAT, FAMILY_OTHER },         { "other", PACE_OTHER, FAMILY_OTHER },
};

static size_t rank_of(const char *word)
{
    for (size_t i = 0; i < sizeof ranks / sizeof *ranks; i++)
        if (strcmp(ranks[i].word, word) == 0)
            return i;
    fail_msg("no rank %s", word);
    return 0;
}

static void expect_next(Table *table, PacerDo todo, uint32_t ticket, const char *where)
{
    uint32_t got = 0;
    PacerDo done = pacer_next(&table->pacer, &table->limit, table->now_ms, &got);
    if (done != todo || (todo != PACER_WAIT && got != ticket))
        fail_msg("%s: did %d with '%c', not %d with '%c'", where, (int)done, got ? (int)got : '-',
                 (int)todo, ticket ? (int)ticket : '-');
}

static void do_word(Table *table, const char *word, const char *where)
{
    Pacer *pacer = &table->pacer;
    switch (word[0]) {
    case '+':
        assert_true(pacer_ask(pacer, (uint32_t)word[1], ranks[rank_of(word + 3)].rank,
                              ranks[rank_of(word + 3)].family, table->now_ms));
        break;
    case 'm':
        pacer_sent_urgent(pacer, PACE_MOVE, table->now_ms);
        break;
    case 'M':
        pacer_answered_urgent(pacer, PACE_MOVE);
        break;
    case 's':
        pacer_sent_urgent(pacer, PACE_STREAM, table->now_ms);
        break;
    case '>':
        expect_next(table, PACER_SEND, (uint32_t)word[1], where);
        break;
    case '!':
        expect_next(table, PACER_GIVE_UP, (uint32_t)word[1], where);
        break;
    case '.':
        expect_next(table, PACER_WAIT, 0, where);
        break;
    case '-':
        pacer_withdraw(pacer, (uint32_t)word[1]);
        break;
    case '@':
        table->now_ms = strtoll(word + 1, NULL, 10);
        break;
    case '=':
        if (pacer_next_at_ms(pacer, &table->limit, table->now_ms) !=
            (word[1] == '-' ? INT64_MAX : strtoll(word + 1, NULL, 10)))
            fail_msg("%s: next at %lld", where,
                     (long long)pacer_next_at_ms(pacer, &table->limit, table->now_ms));
        break;
    case '4':
        ratelimit_note(&table->limit, ranks[rank_of(word + 4)].family, 0, true, table->now_ms);
        break;
    default:
        assert_true(islower((unsigned char)word[0]));
        pacer_answered(pacer, (uint32_t)word[0]);
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
        pacer_init(&table.pacer);
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
static bool goes(Pacer *pacer, PaceRank rank, ApiFamily family, int64_t now_ms)
{
    Ratelimit limit;
    uint32_t ticket;
    ratelimit_init(&limit);
    assert_true(pacer_ask(pacer, 1, rank, family, now_ms));
    bool went = pacer_next(pacer, &limit, now_ms, &ticket) == PACER_SEND;
    pacer_withdraw(pacer, 1);
    return went;
}

TEST(a_busy_minute_leaves_room_for_what_matters)
{
    Pacer pacer;
    pacer_init(&pacer);
    for (int i = 0; i < PACER_MINUTE_COMMON; i++)
        assert_true(goes(&pacer, PACE_OTHER, FAMILY_OTHER, i));
    assert_false(goes(&pacer, PACE_OTHER, FAMILY_OTHER, 1000));
    assert_false(goes(&pacer, PACE_CHAT, FAMILY_OTHER, 1000));
    assert_false(goes(&pacer, PACE_DECLINE, FAMILY_CHALLENGE, 1000));
    for (int i = 0; i < 64; i++)
        assert_true(goes(&pacer, PACE_ACCEPT, FAMILY_CHALLENGE, 1000));
    assert_true(goes(&pacer, PACE_CLAIM, FAMILY_MOVE, 1000));
    assert_true(goes(&pacer, PACE_RESIGN, FAMILY_MOVE, 1000));
    pacer_sent_urgent(&pacer, PACE_MOVE, 1000);
    pacer_answered_urgent(&pacer, PACE_MOVE);
    assert_int_equal(pacer_last_minute(&pacer, 1000), PACER_MINUTE_COMMON + 67);
    /* The first of that minute fall out of it one by one. */
    assert_int_equal(pacer_last_minute(&pacer, 60000), PACER_MINUTE_COMMON + 66);
    assert_int_equal(pacer_last_minute(&pacer, 200000), 0);
}

/* 200 challenges in 10 s: who is refused never stands before who is accepted, then or later. */
TEST(refusals_are_spread_and_the_last_of_a_flood_are_dropped)
{
    Pacer pacer;
    Ratelimit limit;
    uint32_t ticket;
    int queued = 0, sent = 0, given_up = 0;
    pacer_init(&pacer);
    ratelimit_init(&limit);
    for (int64_t now = 100000; now < 300000; now += 50) {
        if (now < 110000)
            queued += pacer_ask(&pacer, (uint32_t)(now / 50), PACE_DECLINE, FAMILY_CHALLENGE, now);
        if (now % 20000 == 0)
            assert_true(goes(&pacer, PACE_ACCEPT, FAMILY_CHALLENGE, now));
        for (PacerDo todo; (todo = pacer_next(&pacer, &limit, now, &ticket)) != PACER_WAIT;) {
            pacer_answered(&pacer, ticket);
            *(todo == PACER_SEND ? &sent : &given_up) += 1;
        }
        assert_true(pacer_last_minute(&pacer, now) < PACER_MINUTE_COMMON);
    }
    assert_in_range(queued, PACER_DECLINES_MAX, 100);
    assert_in_range(sent, PACER_DECLINE_BURST, 70);
    assert_int_equal(sent + given_up, queued);
}

TEST(what_a_429_has_stopped_goes_when_its_minute_is_over)
{
    Pacer pacer;
    Ratelimit limit;
    uint32_t ticket;
    pacer_init(&pacer);
    ratelimit_init(&limit);
    assert_true(pacer_ask(&pacer, 1, PACE_ACCEPT, FAMILY_CHALLENGE, 0));
    ratelimit_note(&limit, FAMILY_CHALLENGE, 0, false, 0);
    assert_int_equal(pacer_next(&pacer, &limit, 59999, &ticket), PACER_WAIT);
    assert_int_equal(pacer_next(&pacer, &limit, 60000, &ticket), PACER_SEND);
}

TEST(the_minutes_end_is_foretold)
{
    Pacer pacer;
    Ratelimit limit;
    uint32_t ticket;
    pacer_init(&pacer);
    ratelimit_init(&limit);
    for (int i = 0; i < PACER_MINUTE_COMMON; i++)
        pacer_sent_urgent(&pacer, PACE_STREAM, 100 + i);
    assert_true(pacer_ask(&pacer, 1, PACE_OTHER, FAMILY_OTHER, 5000));
    int64_t at = pacer_next_at_ms(&pacer, &limit, 5000);
    assert_int_equal(at, 100 + PACER_MINUTE_MS);
    assert_int_equal(pacer_next(&pacer, &limit, at - 1, &ticket), PACER_WAIT);
    assert_int_equal(pacer_next(&pacer, &limit, at, &ticket), PACER_SEND);
}

TEST(what_could_not_go_is_given_up)
{
    Pacer pacer;
    Ratelimit limit;
    uint32_t ticket;
    pacer_init(&pacer);
    ratelimit_init(&limit);
    ratelimit_note(&limit, FAMILY_CREATE, 41230, true, 0);
    assert_true(pacer_ask(&pacer, 7, PACE_OTHER, FAMILY_CREATE, 0));
    assert_int_equal(pacer_next_at_ms(&pacer, &limit, 0), PACER_GIVE_UP_MS);
    assert_int_equal(pacer_next(&pacer, &limit, PACER_GIVE_UP_MS - 1, &ticket), PACER_WAIT);
    assert_int_equal(pacer_next(&pacer, &limit, PACER_GIVE_UP_MS, &ticket), PACER_GIVE_UP);
    assert_int_equal(ticket, 7);
    assert_int_equal(pacer.counts[PACE_OTHER].given_up, 1);
    assert_int_equal(pacer_next_at_ms(&pacer, &limit, PACER_GIVE_UP_MS), INT64_MAX);
}

TEST(a_full_queue_says_so)
{
    Pacer pacer;
    pacer_init(&pacer);
    for (uint32_t i = 1; i <= PACER_WAITING_MAX; i++)
        assert_true(pacer_ask(&pacer, i, PACE_OTHER, FAMILY_OTHER, 0));
    assert_false(pacer_ask(&pacer, 1000, PACE_ACCEPT, FAMILY_CHALLENGE, 0));
}

TEST(waits_are_counted)
{
    Pacer pacer;
    Ratelimit limit;
    uint32_t ticket;
    pacer_init(&pacer);
    ratelimit_init(&limit);
    assert_true(pacer_ask(&pacer, 1, PACE_OTHER, FAMILY_OTHER, 0));
    assert_true(pacer_ask(&pacer, 2, PACE_OTHER, FAMILY_OTHER, 0));
    assert_int_equal(pacer_next(&pacer, &limit, 0, &ticket), PACER_SEND);
    pacer_answered(&pacer, ticket);
    assert_int_equal(pacer_next(&pacer, &limit, 130, &ticket), PACER_SEND);
    const PacerCount *count = &pacer.counts[PACE_OTHER];
    assert_int_equal(count->sent, 2);
    assert_int_equal(count->waited, 1);
    assert_int_equal(count->waited_ms, 130);
    assert_int_equal(count->longest_ms, 130);
}
