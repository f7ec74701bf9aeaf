/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/pairing/matchmaker.h"

#include "bot/pairing/arenas.h"
#include "bot/pairing/outgoing.h"
#include "bot/pairing/schedule.h"
#include "engine/base/duration.h"
#include "engine/base/minmax.h"
#include "engine/base/random.h"
#include "engine/base/text_format.h"

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
    GAMES_WITH_LIFE_D = 90,
    GAMES_WITH_MOST = 9999,
};

static const OutgoingOwner owner = { OWNER_MATCHMAKER, 0 };

/* What is remembered. */

static void remember(PairStep *step, FactKind kind, const char *id, int64_t seconds)
{
    if (seconds > 0)
        pair_remember(step, kind, text_of(id), "yes", step->now.unix_ms + seconds * 1000);
}

static bool is_excluded(void *user, const char *name)
{
    const PairStep *step = user;
    Text id = text_of(name);
    return step->view->is_blocked(step->view->user, id) || pair_recall(step, FACT_QUOTA, id) ||
           pair_recall(step, FACT_PLAYED, id);
}

static bool is_only(void *user, const char *id)
{
    const PairStep *step = user;
    return step->view->is_only(step->view->user, text_of(id));
}

static int games_with(void *user, const char *id)
{
    const char *count = pair_recall(user, FACT_GAMES_WITH, text_of(id));
    return count ? (int)strtol(count, NULL, 10) : 0;
}

static const char *engine_of(void *user, const char *id)
{
    return pair_recall(user, FACT_RUNS, text_of(id));
}

/* By what their biographies say, where nothing better is known. */
static void learn_engines(PairStep *step, size_t from)
{
    const OnlineBots *people = &step->pairing->matchmaker.reading.people;
    char engine[ENGINE_NAME_SIZE];
    for (size_t i = from; i < people->count; i++) {
        const OnlineBot *person = &people->list[i];
        if (!engine_of(step, person->id) &&
            engine_names_find(step->view->engine_names, text_of(person->bio), engine))
            pair_remember(step, FACT_RUNS, text_of(person->id), engine,
                          step->now.unix_ms + ENGINE_NAME_LIFE_DAYS * DURATION_DAY_MS);
    }
}

static void count_game_with(PairStep *step, const char *id)
{
    char text[16];
    text_format(text, sizeof text, "%d", int_min(games_with(step, id), GAMES_WITH_MOST - 1) + 1);
    pair_remember(step, FACT_GAMES_WITH, text_of(id), text,
                  step->now.unix_ms + GAMES_WITH_LIFE_D * DURATION_DAY_MS);
}

static bool has_declined(void *user, const char *what)
{
    return pair_recall(user, FACT_DECLINED, text_of(what)) != NULL;
}

static void remember_count(PairStep *step, const DayCount *count, FactKind kind)
{
    char text[DAY_COUNT_TEXT];
    day_count_write(count, step->now.unix_ms, text);
    pair_remember(step, kind, (Text){ 0 }, text,
                  step->now.unix_ms + BUDGET_LIFE_H * DURATION_HOUR_MS);
}

static void spend(PairStep *step, DayCount *count, FactKind kind)
{
    day_count_add(count, 1, step->now.unix_ms);
    remember_count(step, count, kind);
}

static void read_count(DayCount *count, const Facts *facts, FactKind kind, int64_t unix_ms)
{
    const char *text = facts_get(facts, fact_prefix(kind), unix_ms);
    day_count_init(count);
    day_count_read(count, text ? text : "");
}

void matchmaker_game_started(PairStep *step, const GameInfo *info)
{
    if (!player_is_bot_account(&info->opponent) || info->has_moved)
        return;
    spend(step, &step->pairing->matchmaker.games, FACT_BOT_GAMES);
    if (info->opponent.id[0])
        count_game_with(step, info->opponent.id);
}

static ChallengeRequest request_of(const Matchmaker *matchmaker)
{
    const SeekPlan *plan = &matchmaker->plan;
    ChallengeRequest request = {
        .kind = KIND_BOT,
        .base_s = plan->base_s,
        .increment_s = plan->increment_s,
        .days = plan->days,
        .rated = plan->rated,
        .variant = plan->variant,
        .colour = matchmaker->colour,
    };
    static_assert(sizeof request.opponent == sizeof matchmaker->opponent, "both hold a user's id");
    memcpy(request.opponent, matchmaker->opponent, sizeof request.opponent);
    return request;
}

/* A pair's second game is to be asked for, in this process or the next. */
static void owe_second(PairStep *step)
{
    Matchmaker *matchmaker = &step->pairing->matchmaker;
    Buf words;
    matchmaker->colour = colour_other(matchmaker->colour);
    matchmaker->owes_second = true;
    const ChallengeRequest request = request_of(matchmaker);
    buf_init(&words, FACT_VALUE_SIZE - 1);
    if (challenge_request_write(&request, &words))
        pair_remember(step, FACT_PAIR, (Text){ 0 }, buf_view(&words),
                      step->now.unix_ms + PAIR_LIFE_H * DURATION_HOUR_MS);
    buf_release(&words);
}

static void end_pair(PairStep *step)
{
    Matchmaker *matchmaker = &step->pairing->matchmaker;
    if (matchmaker->owes_second)
        pair_remember(step, FACT_PAIR, (Text){ 0 }, "", 0);
    matchmaker->owes_second = false;
}

/* What the process before us had begun. */
static void recall_pair(Matchmaker *matchmaker, const PairView *view, PairTime now)
{
    const char *text = facts_get(view->facts, fact_prefix(FACT_PAIR), now.unix_ms);
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

/* From one state to the next. */

static void ask_server(PairStep *step, Seeking seeking, PairAsk what)
{
    Matchmaker *matchmaker = &step->pairing->matchmaker;
    PairRequest *request = pair_request(step, what, "");
    request->plan = &matchmaker->plan;
    matchmaker->seeking = seeking;
    matchmaker->ticket = request->ticket;
}

static void back_off(PairStep *step, int64_t ms, const char *why)
{
    Matchmaker *matchmaker = &step->pairing->matchmaker;
    matchmaker->seeking = SEEKING_NOTHING;
    matchmaker->why = why;
    matchmaker->next_ms = step->now.ms + ms;
}

/* The opponent has said no to such a game, or nothing. */
static void learn(PairStep *step, DeclineReason reason)
{
    const Matchmaker *matchmaker = &step->pairing->matchmaker;
    char what[SEEK_WHAT_SIZE];
    int64_t seconds = 0;
    seek_learn(&matchmaker->plan, matchmaker->opponent, reason, what, &seconds);
    remember(step, FACT_DECLINED, what, seconds);
}

void matchmaker_challenge_ended(PairStep *step, const OutgoingResult *result)
{
    Matchmaker *matchmaker = &step->pairing->matchmaker;
    bool was_second = matchmaker->owes_second;
    back_off(step, NEXT_MS, "between challenges");
    if (result->end == OUTGOING_LIMITED) { /* says nothing of the opponent, and costs no credit */
        back_off(step, int64_max(NEXT_MS, result->wait_ms), "limited by the server");
        return;
    }
    spend(step, &matchmaker->credits, FACT_CREDITS);
    if (result->end == OUTGOING_UNANSWERED && matchmaker->gave_way)
        return; /* the opponent had no time to answer; a pair is finished afterwards */
    end_pair(step);
    switch (result->end) {
    case OUTGOING_ACCEPTED:
        if (matchmaker->plan.in_pairs && !was_second)
            owe_second(step);
        else
            remember(step, FACT_PLAYED, matchmaker->opponent,
                     step->view->config->matchmaking.pause_s);
        break;
    case OUTGOING_DECLINED:
        learn(step, result->reason);
        break;
    case OUTGOING_UNANSWERED:
    case OUTGOING_REFUSED:
        learn(step, DECLINE_LATER);
        break;
    case OUTGOING_LIMITED:
        break;
    case OUTGOING_LOST:
        back_off(step, FAILED_MS, "the server did not answer");
        break;
    }
}

static void challenge(PairStep *step)
{
    Matchmaker *matchmaker = &step->pairing->matchmaker;
    const ChallengeRequest request = request_of(matchmaker);
    PairNote note = { .kind = PAIR_NOTE_SEEK_NOT_ASKED };
    Error err = { 0 };
    if (outgoing_begin(step, &request, OUTGOING_LATER_MS, owner, &err)) {
        matchmaker->seeking = SEEKING_CHALLENGE;
        matchmaker->gave_way = false;
        return;
    }
    memcpy(note.user, matchmaker->opponent, sizeof note.user);
    pair_note(step, &note, err.text);
    back_off(step, FAILED_MS, "no challenge was possible");
}

static void take_status(PairStep *step, const ApiAnswer *answer)
{
    Matchmaker *matchmaker = &step->pairing->matchmaker;
    const SeekPlan *plan = &matchmaker->plan;
    int first = -1;
    if (answer->outcome != API_OK ||
        !online_bots_first_free(answer->body.at, answer->body.len,
                                (const char(*)[USER_ID_SIZE])plan->candidates,
                                plan->candidate_count, &first, NULL)) {
        back_off(step, FAILED_MS, "who is free is not known");
        return;
    }
    if (first < 0) {
        back_off(step, FAILED_MS, "no suitable bot is free");
        return;
    }
    memcpy(matchmaker->opponent, plan->candidates[first], USER_ID_SIZE);
    matchmaker->colour = random_below(&matchmaker->seed, 2) == 0 ? WHITE : BLACK;
    challenge(step);
}

/* Games by days last for weeks: so many may be on, whoever began them, and others find a slot. */
static bool may_choose_days(const PairStep *step)
{
    const Slots *slots = step->pairing->slots;
    return slots_used(slots, SLOTS_CORRESPONDENCE) <
               step->view->config->matchmaking.correspondence &&
           slots_has_free(slots, SLOTS_CORRESPONDENCE, KIND_BOT);
}

static void choose(PairStep *step)
{
    Matchmaker *matchmaker = &step->pairing->matchmaker;
    int64_t day = step->now.unix_ms / DURATION_DAY_MS;
    const SeekView view = {
        .config = step->view->config,
        .our_id = step->view->our_id,
        .us = &matchmaker->us,
        .people = &matchmaker->people,
        .weekday = (int)((day + 3) % 7), /* 1970 began on a Thursday */
        .no_days = !may_choose_days(step),
        .is_excluded = is_excluded,
        .has_declined = has_declined,
        .has_only_lists = step->view->has_only_lists,
        .is_only = is_only,
        .games_with = games_with,
        .engine_of = engine_of,
        .user = step,
    };
    if (seek_choose(&view, &matchmaker->seed, &matchmaker->plan))
        ask_server(step, SEEKING_STATUS, PAIR_ASK_STATUS);
    else
        back_off(step, NOBODY_MS, "nobody suits");
}

static void take_list(PairStep *step, const ApiAnswer *answer)
{
    Matchmaker *matchmaker = &step->pairing->matchmaker;
    Buf *list = &matchmaker->list;
    buf_reset(list);
    if (answer->outcome != API_OK || !buf_put(list, answer->body.at, answer->body.len) ||
        !online_bots_begin(&matchmaker->reading, buf_view(list), list->len, NULL)) {
        back_off(step, FAILED_MS, "who is online is not known");
        return;
    }
    matchmaker->seeking = SEEKING_READ;
    matchmaker->look_ms = step->now.ms;
}

/* A few lines of the list, so that no move waits for all. */
static void read_on(PairStep *step)
{
    Matchmaker *matchmaker = &step->pairing->matchmaker;
    PairNote note = { .kind = PAIR_NOTE_SEEK_ONLINE };
    size_t before = matchmaker->reading.people.count;
    bool has_more = online_bots_read_on(&matchmaker->reading, LINES_AT_ONCE);
    learn_engines(step, before);
    if (has_more)
        return;
    online_bots_release(&matchmaker->people);
    matchmaker->people = matchmaker->reading.people;
    matchmaker->reading = (OnlineBotsReading){ 0 };
    buf_release(&matchmaker->list);
    buf_init(&matchmaker->list, ONLINE_BOTS_BODY_MAX);
    matchmaker->listed_ms = step->now.ms;
    note.count = (int64_t)matchmaker->people.count;
    pair_note(step, &note, "");
    choose(step);
}

/* The list of bots online may leave us out: it has only those with a biography, and not all. */
static void take_account(PairStep *step, const ApiAnswer *answer)
{
    Matchmaker *matchmaker = &step->pairing->matchmaker;
    if (answer->outcome == API_OK &&
        online_bot_parse(&matchmaker->us, answer->body.at, answer->body.len, NULL))
        ask_server(step, SEEKING_LIST, PAIR_ASK_ONLINE_BOTS);
    else
        back_off(step, FAILED_MS, "our ratings are not known");
}

void matchmaker_answer(PairStep *step, uint32_t ticket, const ApiAnswer *answer)
{
    Matchmaker *matchmaker = &step->pairing->matchmaker;
    if (ticket != matchmaker->ticket)
        return;
    matchmaker->ticket = 0;
    switch (matchmaker->seeking) {
    case SEEKING_ACCOUNT:
        take_account(step, answer);
        break;
    case SEEKING_LIST:
        take_list(step, answer);
        break;
    case SEEKING_STATUS:
        take_status(step, answer);
        break;
    case SEEKING_NOTHING:
    case SEEKING_READ:
    case SEEKING_CHALLENGE:
        break;
    }
}

/* The first game may have told that it is an engine to avoid. */
static bool is_second_unwanted(PairStep *step)
{
    const Matchmaker *matchmaker = &step->pairing->matchmaker;
    const char *engine = matchmaker->owes_second ? engine_of(step, matchmaker->opponent) : NULL;
    return engine && seek_avoids(step->view->config, &matchmaker->plan, engine);
}

static void begin(PairStep *step)
{
    const Matchmaker *matchmaker = &step->pairing->matchmaker;
    bool has_list =
        matchmaker->listed_ms != INT64_MIN && step->now.ms - matchmaker->listed_ms < LIST_LIFE_MS;
    if (is_second_unwanted(step))
        end_pair(step);
    if (matchmaker->owes_second)
        challenge(step);
    else if (has_list)
        choose(step);
    else
        ask_server(step, SEEKING_ACCOUNT, PAIR_ASK_ACCOUNT);
}

/* Why nothing is to begin now; NULL: it may. */
static const char *obstacle(const PairStep *step)
{
    const Matchmaker *matchmaker = &step->pairing->matchmaker;
    const PairView *view = step->view;
    const Config *config = view->config;
    int64_t now = step->now.ms, unix_ms = step->now.unix_ms;
    int64_t idle_ms = matchmaker->owes_second ? 0 : (int64_t)config->matchmaking.idle_s * 1000;
    if (!config->matchmaking.play)
        return "off";
    if (view->is_draining)
        return "draining";
    if (arenas_are_on(&step->pairing->arenas))
        return "in a tournament";
    if (schedule_is_near(&step->pairing->schedule, unix_ms))
        return "a scheduled game is near";
    if (view->open_since_ms == INT64_MAX)
        return "offline";
    if (matchmaker->idle_since_ms == INT64_MAX)
        return "busy";
    if (now - matchmaker->idle_since_ms < idle_ms)
        return "not idle for long";
    if (ratelimit_create_wait_ms(view->limit, CHALLENGED_BOT, now) > 0)
        return "limited by the server";
    if (!day_count_allows(&matchmaker->games, 1, config->matchmaking.games_per_day, unix_ms))
        return "enough games for now";
    if (!day_count_allows(&matchmaker->credits, 1, CREDITS_A_DAY, unix_ms))
        return "enough challenges for now";
    return now < matchmaker->next_ms ? matchmaker->why : NULL;
}

/* No more games are on than may be meanwhile, with a slot and a core for one more, nobody waits,
 * and nobody but we ourselves has asked. */
static bool is_idle(const PairStep *step)
{
    const Slots *slots = step->pairing->slots;
    int ours = outgoing_count(&step->pairing->outgoing, SLOTS_REALTIME);
    int others = slots_used(slots, SLOTS_REALTIME) - ours;
    return others <= step->view->config->matchmaking.during_games &&
           (others == 0 || others < step->view->cores) &&
           (ours > 0 || slots_has_free(slots, SLOTS_REALTIME, KIND_BOT)) &&
           slots_count(slots_waiting(slots), SLOTS_REALTIME) == 0;
}

static void look_for_opponent(PairStep *step)
{
    Matchmaker *matchmaker = &step->pairing->matchmaker;
    if (!is_idle(step)) {
        matchmaker->idle_since_ms = INT64_MAX;
        if (matchmaker->seeking != SEEKING_CHALLENGE)
            return;
        matchmaker->gave_way = true;
        outgoing_withdraw(step, owner);
    } else if (matchmaker->idle_since_ms == INT64_MAX) {
        matchmaker->idle_since_ms = step->now.ms;
    }
}

static void go_on(PairStep *step)
{
    Matchmaker *matchmaker = &step->pairing->matchmaker;
    if (matchmaker->seeking == SEEKING_READ)
        read_on(step);
    if (matchmaker->seeking != SEEKING_NOTHING)
        return;
    const char *why = obstacle(step);
    if (why)
        matchmaker->why = why;
    else
        begin(step);
}

void matchmaker_time(PairStep *step)
{
    Matchmaker *matchmaker = &step->pairing->matchmaker;
    if (step->now.ms < matchmaker->look_ms)
        return;
    look_for_opponent(step);
    go_on(step);
    matchmaker->look_ms = step->now.ms + (matchmaker->seeking == SEEKING_READ ? 0 : LOOK_MS);
}

void matchmaker_init(Matchmaker *matchmaker, const PairView *view, uint64_t seed, PairTime now)
{
    memset(matchmaker, 0, sizeof *matchmaker);
    matchmaker->seed = seed;
    buf_init(&matchmaker->list, ONLINE_BOTS_BODY_MAX);
    matchmaker->idle_since_ms = INT64_MAX;
    matchmaker->listed_ms = INT64_MIN;
    matchmaker->why = "starting";
    read_count(&matchmaker->games, view->facts, FACT_BOT_GAMES, now.unix_ms);
    read_count(&matchmaker->credits, view->facts, FACT_CREDITS, now.unix_ms);
    recall_pair(matchmaker, view, now);
    matchmaker->look_ms = now.ms + LOOK_MS;
}

void matchmaker_release(Matchmaker *matchmaker)
{
    online_bots_release(&matchmaker->people);
    online_bots_release(&matchmaker->reading.people);
    buf_release(&matchmaker->list);
}

static void recall_count(PairStep *step, DayCount *count, FactKind kind, const Facts *stored)
{
    DayCount before;
    if (!facts_get(stored, fact_prefix(kind), step->now.unix_ms))
        return;
    read_count(&before, stored, kind, step->now.unix_ms);
    day_count_merge(count, &before);
    remember_count(step, count, kind);
}

void matchmaker_recall(PairStep *step, const Facts *stored)
{
    Matchmaker *matchmaker = &step->pairing->matchmaker;
    recall_count(step, &matchmaker->games, FACT_BOT_GAMES, stored);
    recall_count(step, &matchmaker->credits, FACT_CREDITS, stored);
    if (matchmaker->seeking == SEEKING_NOTHING && !matchmaker->owes_second)
        recall_pair(matchmaker, step->view, step->now);
}

MatchmakerStatus matchmaker_status(const Matchmaker *matchmaker, const Config *config,
                                   int64_t unix_ms)
{
    bool is_seeking = matchmaker->seeking != SEEKING_NOTHING;
    return (MatchmakerStatus){
        .doing = is_seeking ? "looking for a game" : matchmaker->why,
        .games_today = day_count_today(&matchmaker->games, unix_ms),
        .games_allowed = config->matchmaking.games_per_day,
        .credits_today = day_count_today(&matchmaker->credits, unix_ms),
        .credits_allowed = CREDITS_A_DAY,
    };
}
