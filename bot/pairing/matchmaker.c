/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/pairing/matchmaker.h"

#include "bot/archive/archive.h"
#include "bot/pairing/remote_lists.h"
#include "bot/game/slots.h"
#include "bot/lichess/http.h"
#include "bot/ops/timer.h"
#include "bot/policy/seek.h"
#include "bot/archive/bot_game_quota.h"
#include "bot/pairing/challenge_request.h"
#include "engine/base/alloc.h"
#include "engine/base/clock.h"
#include "engine/base/duration.h"
#include "engine/base/minmax.h"
#include "engine/base/random.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum {
    LOOK_MS = 1000,
    LIST_LIFE_MS = 30 * 60 * 1000,
    NOBODY_MS = 5 * 60 * 1000, /* nothing suits: look again then */
    FAILED_MS = 60 * 1000,
    NEXT_MS = 5000, /* from one refusal to the next challenge */
    CREDITS_A_DAY = 200,
    BUDGET_LIFE_H = 26,
    LINES_AT_ONCE = 8, /* of the list: some 0.5 ms */
    PAIR_LIFE_H = 24,  /* for a pair's second game to begin */
};

typedef enum {
    DOING_NOTHING,
    DOING_ACCOUNT,
    DOING_LIST,
    DOING_READ,
    DOING_STATUS,
    DOING_CHALLENGE
} Doing;

struct Matchmaker {
    const BotContext *context;
    Outgoing *outgoing;
    const Schedule *schedule;
    const EventStream *events;
    uv_timer_t timer;
    uint64_t seed;
    Doing doing;
    ApiCall *call;
    int64_t idle_since_ms; /* INT64_MAX: not idle */
    int64_t next_ms;       /* not before */
    OnlineBot us;          /* our ratings; all 0 until they are known */
    OnlineBots people;
    OnlineBotsReading reading; /* while DOING_READ; of `list` */
    Buf list;
    int64_t listed_ms; /* INT64_MIN: never */
    SeekPlan plan;
    char opponent[USER_ID_SIZE];
    Colour colour;    /* ours in the game asked for */
    bool owes_second; /* of a pair: the same with the colours changed over, as `colour` is */
    bool gave_way;    /* our challenge was withdrawn for another player's */
    DayCount games, credits;
    const char *why; /* nothing is done */
};

/* What is remembered. */

static void remember(Matchmaker *matchmaker, FactKind kind, const char *id, int64_t seconds)
{
    if (seconds > 0)
        archive_remember(matchmaker->context->archive, kind, text_of(id), "yes",
                         clock_unix_ms() + seconds * 1000);
}

static bool is_excluded(void *user, const char *name)
{
    const BotContext *context = ((Matchmaker *)user)->context;
    Text id = text_of(name);
    return remote_lists_block(context->lists, id) ||
           bot_game_quota_is_spent(context->archive, id) ||
           archive_recall(context->archive, FACT_PLAYED, id);
}

static bool has_declined(void *user, const char *what)
{
    const Matchmaker *matchmaker = user;
    return archive_recall(matchmaker->context->archive, FACT_DECLINED, text_of(what)) != NULL;
}

static void remember_count(const Matchmaker *matchmaker, const DayCount *count, FactKind kind)
{
    char text[DAY_COUNT_TEXT];
    int64_t now = clock_unix_ms();
    day_count_write(count, now, text);
    archive_remember(matchmaker->context->archive, kind, (Text){ 0 }, text,
                     now + BUDGET_LIFE_H * DURATION_HOUR_MS);
}

static void spend(Matchmaker *matchmaker, DayCount *count, FactKind kind)
{
    day_count_add(count, 1, clock_unix_ms());
    remember_count(matchmaker, count, kind);
}

static void recall(const Matchmaker *matchmaker, DayCount *count, FactKind kind)
{
    const char *text = archive_recall(matchmaker->context->archive, kind, (Text){ 0 });
    day_count_init(count);
    day_count_read(count, text ? text : "");
}

void matchmaker_game_started(Matchmaker *matchmaker, const GameInfo *info)
{
    if (text_is(info->opponent.title, "BOT") && !info->has_moved)
        spend(matchmaker, &matchmaker->games, FACT_BOT_GAMES);
}

static ChallengeRequest request_of(const Matchmaker *matchmaker)
{
    const SeekPlan *plan = &matchmaker->plan;
    ChallengeRequest request = {
        .kind = KIND_BOT,
        .base_s = plan->base_s,
        .increment_s = plan->increment_s,
        .rated = plan->rated,
        .variant = plan->variant,
        .colour = matchmaker->colour,
    };
    static_assert(sizeof request.opponent == sizeof matchmaker->opponent, "both hold a user's id");
    memcpy(request.opponent, matchmaker->opponent, sizeof request.opponent);
    return request;
}

/* A pair's second game is to be asked for, in this process or the next. */
static void owe_second(Matchmaker *matchmaker)
{
    Buf words;
    matchmaker->colour = matchmaker->colour == WHITE ? BLACK : WHITE;
    matchmaker->owes_second = true;
    const ChallengeRequest request = request_of(matchmaker);
    buf_init(&words, FACT_VALUE_SIZE - 1);
    if (challenge_request_write(&request, &words))
        archive_remember(matchmaker->context->archive, FACT_PAIR, (Text){ 0 }, buf_view(&words),
                         clock_unix_ms() + PAIR_LIFE_H * DURATION_HOUR_MS);
    buf_release(&words);
}

static void end_pair(Matchmaker *matchmaker)
{
    if (matchmaker->owes_second)
        archive_remember(matchmaker->context->archive, FACT_PAIR, (Text){ 0 }, "", 0);
    matchmaker->owes_second = false;
}

/* What the process before us had begun. */
static void recall_pair(Matchmaker *matchmaker)
{
    const char *text = archive_recall(matchmaker->context->archive, FACT_PAIR, (Text){ 0 });
    ChallengeRequest request;
    if (!challenge_request_read(&request, text_of(text), NULL) || request.colour == COLOUR_NONE)
        return;
    memcpy(matchmaker->opponent, request.opponent, sizeof matchmaker->opponent);
    matchmaker->plan = (SeekPlan){
        .base_s = request.base_s,
        .increment_s = request.increment_s,
        .rated = request.rated,
        .variant = request.variant,
        .in_pairs = true,
    };
    matchmaker->colour = request.colour;
    matchmaker->owes_second = true;
}

/* Steps. */

static void back_off(Matchmaker *matchmaker, int64_t ms, const char *why)
{
    matchmaker->doing = DOING_NOTHING;
    matchmaker->why = why;
    matchmaker->next_ms = clock_now_ms() + ms;
}

static void on_end(void *user, const OutgoingResult *result)
{
    Matchmaker *matchmaker = user;
    char what[SEEK_WHAT_SIZE];
    int64_t seconds = 0;
    bool was_second = matchmaker->owes_second;
    back_off(matchmaker, NEXT_MS, "between challenges");
    if (result->end == OUTGOING_LIMITED) { /* says nothing of the opponent, and costs no credit */
        back_off(matchmaker, int64_max(NEXT_MS, result->wait_ms), "limited by the server");
        return;
    }
    spend(matchmaker, &matchmaker->credits, FACT_CREDITS);
    if (result->end == OUTGOING_UNANSWERED && matchmaker->gave_way)
        return; /* the opponent had no time to answer; a pair is finished afterwards */
    end_pair(matchmaker);
    switch (result->end) {
    case OUTGOING_ACCEPTED:
        if (matchmaker->plan.in_pairs && !was_second) {
            owe_second(matchmaker);
        } else {
            remember(matchmaker, FACT_PLAYED, matchmaker->opponent,
                     matchmaker->context->config->matchmaking.pause_s);
        }
        break;
    case OUTGOING_DECLINED:
        seek_learn(&matchmaker->plan, matchmaker->opponent, result->reason, what, &seconds);
        remember(matchmaker, FACT_DECLINED, what, seconds);
        break;
    case OUTGOING_UNANSWERED:
    case OUTGOING_REFUSED:
        seek_learn(&matchmaker->plan, matchmaker->opponent, DECLINE_LATER, what, &seconds);
        remember(matchmaker, FACT_DECLINED, what, seconds);
        break;
    case OUTGOING_LIMITED:
        break;
    case OUTGOING_LOST:
        back_off(matchmaker, FAILED_MS, "the server did not answer");
        break;
    }
}

static void challenge(Matchmaker *matchmaker)
{
    const ChallengeRequest request = request_of(matchmaker);
    Error err = { 0 };
    if (!outgoing_challenge(matchmaker->outgoing, &request, OUTGOING_LATER_MS, on_end, matchmaker,
                            &err)) {
        log_info(matchmaker->context->log, "matchmaking", "not-asked",
                 FIELDS(F("to", matchmaker->opponent), F("why", err.text)));
        back_off(matchmaker, FAILED_MS, "no challenge was possible");
        return;
    }
    matchmaker->doing = DOING_CHALLENGE;
    matchmaker->gave_way = false;
}

static void on_status(void *user, const ApiAnswer *answer)
{
    Matchmaker *matchmaker = user;
    Error err = { 0 };
    int first = -1;
    matchmaker->call = NULL;
    if (answer->outcome != API_OK ||
        !online_bots_first_free(answer->body.at, answer->body.len,
                                (const char(*)[USER_ID_SIZE])matchmaker->plan.candidates,
                                matchmaker->plan.candidate_count, &first, &err)) {
        back_off(matchmaker, FAILED_MS, "who is free is not known");
        return;
    }
    if (first < 0) {
        back_off(matchmaker, FAILED_MS, "no suitable bot is free");
        return;
    }
    memcpy(matchmaker->opponent, matchmaker->plan.candidates[first], USER_ID_SIZE);
    matchmaker->colour = random_below(&matchmaker->seed, 2) == 0 ? WHITE : BLACK;
    challenge(matchmaker);
}

static void choose(Matchmaker *matchmaker)
{
    const BotContext *context = matchmaker->context;
    Error err = { 0 };
    const SeekView view = {
        .config = context->config,
        .our_id = context->our_id,
        .us = &matchmaker->us,
        .people = &matchmaker->people,
        .weekday =
            (int)((clock_unix_ms() / DURATION_DAY_MS + 3) % 7), /* 1970 began on a Thursday */
        .is_excluded = is_excluded,
        .has_declined = has_declined,
        .user = matchmaker,
    };
    if (!seek_choose(&view, &matchmaker->seed, &matchmaker->plan)) {
        back_off(matchmaker, NOBODY_MS, "nobody suits");
        return;
    }
    matchmaker->doing = DOING_STATUS;
    matchmaker->call =
        api_users_status(context->api, (const char(*)[USER_ID_SIZE])matchmaker->plan.candidates,
                         matchmaker->plan.candidate_count, on_status, matchmaker, &err);
    if (!matchmaker->call)
        back_off(matchmaker, FAILED_MS, "who is free is not known");
}

static void on_timer(uv_timer_t *timer);

static void on_list(void *user, const ApiAnswer *answer)
{
    Matchmaker *matchmaker = user;
    Buf *list = &matchmaker->list;
    Error err = { 0 };
    matchmaker->call = NULL;
    buf_reset(list);
    if (answer->outcome != API_OK || !buf_put(list, answer->body.at, answer->body.len) ||
        !online_bots_begin(&matchmaker->reading, buf_view(list), list->len, &err)) {
        back_off(matchmaker, FAILED_MS, "who is online is not known");
        return;
    }
    matchmaker->doing = DOING_READ;
    timer_set(&matchmaker->timer, on_timer, clock_now_ms());
}

/* A few lines of the list, so that no move waits for all. */
static void read_on(Matchmaker *matchmaker)
{
    if (online_bots_read_on(&matchmaker->reading, LINES_AT_ONCE))
        return;
    online_bots_release(&matchmaker->people);
    matchmaker->people = matchmaker->reading.people;
    matchmaker->reading = (OnlineBotsReading){ 0 };
    buf_release(&matchmaker->list);
    buf_init(&matchmaker->list, HTTP_BODY_MAX);
    matchmaker->listed_ms = clock_now_ms();
    log_debug(matchmaker->context->log, "matchmaking", "online",
              FIELDS(F("bots", matchmaker->people.count)));
    choose(matchmaker);
}

/* The list of bots online may leave us out: it has only those with a biography, and not all. */
static void on_account(void *user, const ApiAnswer *answer)
{
    Matchmaker *matchmaker = user;
    Error err = { 0 };
    matchmaker->call = NULL;
    if (answer->outcome != API_OK ||
        !online_bot_parse(&matchmaker->us, answer->body.at, answer->body.len, &err)) {
        back_off(matchmaker, FAILED_MS, "our ratings are not known");
        return;
    }
    matchmaker->doing = DOING_LIST;
    matchmaker->call =
        api_call(matchmaker->context->api, ENDPOINT_ONLINE_BOTS, NULL, on_list, matchmaker, &err);
    if (!matchmaker->call)
        back_off(matchmaker, FAILED_MS, "who is online is not known");
}

static void begin(Matchmaker *matchmaker, int64_t now_ms)
{
    Error err = { 0 };
    if (matchmaker->owes_second) {
        challenge(matchmaker);
        return;
    }
    if (matchmaker->listed_ms != INT64_MIN && now_ms - matchmaker->listed_ms < LIST_LIFE_MS) {
        choose(matchmaker);
        return;
    }
    matchmaker->doing = DOING_ACCOUNT;
    matchmaker->call =
        api_call(matchmaker->context->api, ENDPOINT_ACCOUNT, NULL, on_account, matchmaker, &err);
    if (!matchmaker->call)
        back_off(matchmaker, FAILED_MS, "our ratings are not known");
}

/* Why nothing is to begin now; NULL: it may. */
static const char *obstacle(const Matchmaker *matchmaker, int64_t now_ms)
{
    const BotContext *context = matchmaker->context;
    const Config *config = context->config;
    int64_t unix_ms = clock_unix_ms();
    int64_t idle_ms = matchmaker->owes_second ? 0 : (int64_t)config->matchmaking.idle_s * 1000;
    if (!config->matchmaking.play)
        return "off";
    if (context->is_draining)
        return "draining";
    if (context->is_in_arena)
        return "in a tournament";
    if (schedule_is_near(matchmaker->schedule))
        return "a scheduled game is near";
    if (event_stream_phase(matchmaker->events) != EVENTS_OPEN)
        return "offline";
    if (matchmaker->idle_since_ms == INT64_MAX)
        return "busy";
    if (now_ms - matchmaker->idle_since_ms < idle_ms)
        return "not idle for long";
    if (ratelimit_create_wait_ms(context->limit, CHALLENGED_BOT, now_ms) > 0)
        return "limited by the server";
    if (!day_count_allows(&matchmaker->games, 1, config->matchmaking.games_per_day, unix_ms))
        return "enough games for now";
    if (!day_count_allows(&matchmaker->credits, 1, CREDITS_A_DAY, unix_ms))
        return "enough challenges for now";
    return now_ms < matchmaker->next_ms ? matchmaker->why : NULL;
}

static void on_timer(uv_timer_t *timer)
{
    Matchmaker *matchmaker = timer->data;
    const Slots *slots = matchmaker->context->slots;
    int64_t now = clock_now_ms();
    int waiting = slots_count(&slots->waiting, SLOTS_REALTIME);
    int outgoing = outgoing_count(matchmaker->outgoing);
    bool is_idle = slots_used(slots, SLOTS_REALTIME) == outgoing && waiting == 0;
    if (!is_idle)
        matchmaker->idle_since_ms = INT64_MAX;
    else if (matchmaker->idle_since_ms == INT64_MAX)
        matchmaker->idle_since_ms = now;
    if (matchmaker->doing == DOING_CHALLENGE && !is_idle) {
        matchmaker->gave_way = true;
        outgoing_withdraw(matchmaker->outgoing, matchmaker);
    }
    if (matchmaker->doing == DOING_NOTHING) {
        const char *why = obstacle(matchmaker, now);
        if (why)
            matchmaker->why = why;
        else
            begin(matchmaker, now);
    } else if (matchmaker->doing == DOING_READ) {
        read_on(matchmaker);
    }
    timer_set(timer, on_timer, matchmaker->doing == DOING_READ ? now : now + LOOK_MS);
}

bool matchmaker_new(Matchmaker **out, const BotContext *context, Outgoing *outgoing,
                    const Schedule *schedule, const EventStream *events, uint64_t seed, Error *err)
{
    Matchmaker *matchmaker = alloc_zeroed(sizeof *matchmaker, "matchmaking", err);
    if (!matchmaker)
        return false;
    matchmaker->context = context;
    matchmaker->outgoing = outgoing;
    matchmaker->schedule = schedule;
    matchmaker->events = events;
    matchmaker->seed = seed;
    buf_init(&matchmaker->list, HTTP_BODY_MAX);
    matchmaker->idle_since_ms = INT64_MAX;
    matchmaker->listed_ms = INT64_MIN;
    matchmaker->why = "starting";
    recall(matchmaker, &matchmaker->games, FACT_BOT_GAMES);
    recall(matchmaker, &matchmaker->credits, FACT_CREDITS);
    recall_pair(matchmaker);
    timer_init(context->loop, &matchmaker->timer, matchmaker);
    timer_set(&matchmaker->timer, on_timer, clock_now_ms() + LOOK_MS);
    *out = matchmaker;
    return true;
}

static void recall_count(Matchmaker *matchmaker, DayCount *count, FactKind kind,
                         const Facts *stored)
{
    DayCount before;
    const char *text = facts_get(stored, fact_prefix(kind), clock_unix_ms());
    if (!text)
        return;
    day_count_init(&before);
    day_count_read(&before, text);
    day_count_merge(count, &before);
    remember_count(matchmaker, count, kind);
}

void matchmaker_recall(Matchmaker *matchmaker, const Facts *stored)
{
    recall_count(matchmaker, &matchmaker->games, FACT_BOT_GAMES, stored);
    recall_count(matchmaker, &matchmaker->credits, FACT_CREDITS, stored);
    if (matchmaker->doing == DOING_NOTHING && !matchmaker->owes_second)
        recall_pair(matchmaker);
}

static void on_timer_closed(uv_handle_t *handle)
{
    Matchmaker *matchmaker = handle->data;
    online_bots_release(&matchmaker->people);
    online_bots_release(&matchmaker->reading.people);
    buf_release(&matchmaker->list);
    free(matchmaker);
}

void matchmaker_close(Matchmaker *matchmaker)
{
    if (!matchmaker)
        return;
    if (matchmaker->call)
        api_cancel(matchmaker->call);
    matchmaker->call = NULL;
    uv_close((uv_handle_t *)&matchmaker->timer, on_timer_closed);
}

MatchmakerStatus matchmaker_status(const Matchmaker *matchmaker)
{
    int64_t now = clock_unix_ms();
    return (MatchmakerStatus){
        .doing = matchmaker->doing == DOING_NOTHING ? matchmaker->why : "looking for a game",
        .games_today = day_count_today(&matchmaker->games, now),
        .games_allowed = matchmaker->context->config->matchmaking.games_per_day,
        .credits_today = day_count_today(&matchmaker->credits, now),
        .credits_allowed = CREDITS_A_DAY,
    };
}
