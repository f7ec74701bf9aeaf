/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/pairing/outgoing.h"

#include "bot/game/slots.h"
#include "bot/config/config.h"
#include "bot/ops/timer.h"
#include "bot/archive/bot_game_quota.h"
#include "bot/lichess/jsonread.h"
#include "bot/policy/play_time.h"
#include "engine/base/alloc.h"
#include "engine/base/clock.h"
#include "engine/base/minmax.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    RECENT_MAX = 8,
    HOLD_SPARE_MS = 10000,
    TELL_MS = 3000,  /* the event stream, while it is open, tells all within that */
    GAME_MS = 30000, /* an accepted challenge is a game by then */
    START_MS = 4000, /* where no event tells of it, our games are looked at after so long */
};

typedef enum {
    STATE_FREE,
    STATE_CREATING,
    STATE_WITHDRAWN, /* before the server has answered that it exists */
    STATE_OPEN,
    STATE_ANSWERED,
    STATE_CANCELLING,
    STATE_COUNT,
} State;

typedef struct {
    Outgoing *outgoing;
    State state;
    ChallengeRequest request;
    char id[GAME_ID_SIZE]; /* before the server has given one: a name for the slots */
    ApiCall *stream;       /* its request, then what keeps it alive */
    ApiCall *call;         /* STATE_CANCELLING */
    int64_t timeout_ms;
    int64_t due_ms;    /* OPEN: to be cancelled; ANSWERED: done */
    int64_t latest_ms; /* the same, whatever the event stream does, or our games show */
    bool is_accepted;  /* ANSWERED; else declined */
    OutgoingDone *done;
    void *user;
} Entry;

/* A challenge declined before its id was known: the streams do not wait for each other. */
typedef struct {
    char id[GAME_ID_SIZE];
    DeclineReason reason;
} Recent;

struct Outgoing {
    const BotContext *context;
    const EventStream *events;
    uv_timer_t timer;
    Entry entries[OUTGOING_MAX];
    Recent recent[RECENT_MAX];
    int recent_next;
};

static void arm_timer(Outgoing *outgoing);

/* The table of the header. */
static void enter_state(Entry *entry, State state)
{
    static const char *const names[STATE_COUNT] = {
        [STATE_FREE] = "free", [STATE_CREATING] = "creating", [STATE_WITHDRAWN] = "withdrawn",
        [STATE_OPEN] = "open", [STATE_ANSWERED] = "answered", [STATE_CANCELLING] = "cancelling",
    };
    static const uint32_t next[STATE_COUNT] = {
        [STATE_FREE] = 1U << STATE_CREATING,
        [STATE_CREATING] = 1U << STATE_OPEN | 1U << STATE_WITHDRAWN | 1U << STATE_FREE,
        [STATE_WITHDRAWN] = 1U << STATE_CANCELLING | 1U << STATE_FREE,
        [STATE_OPEN] = 1U << STATE_ANSWERED | 1U << STATE_CANCELLING | 1U << STATE_FREE,
        [STATE_ANSWERED] = 1U << STATE_FREE,
        [STATE_CANCELLING] = 1U << STATE_FREE,
    };
    assert(next[entry->state] >> state & 1);
    (void)next;
    log_debug(entry->outgoing->context->log, "challenge", "state",
              FIELDS(F("id", entry->id), F("from", names[entry->state]), F("to", names[state])));
    entry->state = state;
    entry->due_ms = INT64_MAX;
    if (state == STATE_OPEN) {
        entry->due_ms = entry->latest_ms = clock_now_ms() + entry->timeout_ms;
    } else if (state == STATE_ANSWERED) {
        entry->due_ms = clock_now_ms() + (entry->is_accepted ? START_MS : TELL_MS);
        entry->latest_ms = clock_now_ms() + (entry->is_accepted ? GAME_MS : TELL_MS);
    }
    arm_timer(entry->outgoing);
}

static void hang_up(Entry *entry)
{
    if (entry->stream)
        api_cancel(entry->stream);
    if (entry->call)
        api_cancel(entry->call);
    entry->stream = entry->call = NULL;
}

static void finish(Entry *entry, const OutgoingResult *result)
{
    Outgoing *outgoing = entry->outgoing;
    static const char *const words[] = {
        [OUTGOING_ACCEPTED] = "accepted",     [OUTGOING_DECLINED] = "declined",
        [OUTGOING_UNANSWERED] = "unanswered", [OUTGOING_REFUSED] = "refused",
        [OUTGOING_LIMITED] = "limited",       [OUTGOING_LOST] = "lost",
    };
    OutgoingDone *done = entry->done;
    void *user = entry->user;
    hang_up(entry);
    if (result->end != OUTGOING_ACCEPTED)
        slots_forget(outgoing->context->slots, entry->id);
    log_info(outgoing->context->log, "challenge", "ended",
             FIELDS(F("id", result->id), F("to", entry->request.opponent),
                    F("end", words[result->end]), F("why", result->text)));
    enter_state(entry, STATE_FREE);
    done(user, result);
}

static void finish_as(Entry *entry, OutgoingEnd end, DeclineReason reason)
{
    char id[GAME_ID_SIZE];
    memcpy(id, entry->id, sizeof id);
    finish(entry, &(OutgoingResult){
                      .end = end,
                      .id = id,
                      .reason = reason,
                      .text = end == OUTGOING_DECLINED ? decline_reason_name(reason) : "",
                  });
}

static const Recent *find_recent(const Outgoing *outgoing, const char *id)
{
    for (int i = 0; i < RECENT_MAX; i++)
        if (strcmp(outgoing->recent[i].id, id) == 0)
            return &outgoing->recent[i];
    return NULL;
}

static void cancel(Entry *entry);

/* The server has made it, and says whether the opponent is a bot. */
static void created(Entry *entry, const Challenge *challenge)
{
    Outgoing *outgoing = entry->outgoing;
    Slots *slots = outgoing->context->slots;
    OpponentKind kind = text_is(challenge->dest_user.title, "BOT") ? KIND_BOT : entry->request.kind;
    char name[GAME_ID_SIZE];
    entry->request.kind = kind;
    memcpy(name, entry->id, sizeof name);
    memcpy(entry->id, challenge->id, sizeof entry->id);
    const Recent *recent = find_recent(outgoing, entry->id);
    if (slots_plays(slots, entry->id)) {
        slots_forget(slots, name);
        finish_as(entry, OUTGOING_ACCEPTED, DECLINE_UNKNOWN);
    } else if (recent) {
        slots_forget(slots, name);
        finish_as(entry, OUTGOING_DECLINED, recent->reason);
    } else {
        slots_held_is(slots, name, entry->id, slots_player(text_of(entry->request.opponent), kind),
                      clock_now_ms() + entry->timeout_ms + HOLD_SPARE_MS);
        if (entry->state == STATE_WITHDRAWN)
            cancel(entry);
        else
            enter_state(entry, STATE_OPEN);
    }
}

/* The opponent has answered, by the challenge's own stream: the event stream may be down. */
static void on_answered(Entry *entry, bool is_accepted)
{
    entry->is_accepted = is_accepted;
    if (is_accepted)
        slots_held_is(entry->outgoing->context->slots, entry->id, entry->id,
                      slots_player(text_of(entry->request.opponent), entry->request.kind),
                      clock_now_ms() + GAME_MS + HOLD_SPARE_MS);
    enter_state(entry, STATE_ANSWERED);
}

/* The first line is the challenge, the last one how it ended. */
static void on_line(void *user, Text line)
{
    Entry *entry = user;
    Event event;
    if (entry->state == STATE_OPEN) {
        struct json_object *json = jsonread_parse(line.at, line.len, NULL);
        Text end = jsonread_text(json, "done");
        if (text_is(end, "accepted") || text_is(end, "declined"))
            on_answered(entry, text_is(end, "accepted"));
        json_object_put(json);
        return;
    }
    if ((entry->state != STATE_CREATING && entry->state != STATE_WITHDRAWN) ||
        !challenge_parse(&event, line.at, line.len, NULL))
        return;
    created(entry, &event.challenge);
    event_release(&event);
}

static int64_t create_wait_ms(const BotContext *context, OpponentKind kind, int64_t now_ms)
{
    Challenged whom = kind == KIND_BOT ? CHALLENGED_BOT : CHALLENGED_ANYBODY;
    return ratelimit_create_wait_ms(context->limit, whom, now_ms);
}

static OutgoingEnd end_of(const ApiAnswer *answer)
{
    switch (answer->outcome) {
    case API_REFUSED:
    case API_FORBIDDEN:
    case API_UNAUTHORIZED:
        return OUTGOING_REFUSED;
    case API_LIMITED:
        return OUTGOING_LIMITED;
    case API_OK:
    case API_SERVER_ERROR:
    case API_UNREACHABLE:
    case API_LOST:
    case API_SILENT:
        return OUTGOING_LOST;
    }
    return OUTGOING_LOST;
}

static void on_stream_end(void *user, const ApiAnswer *answer)
{
    Entry *entry = user;
    const BotContext *context = entry->outgoing->context;
    int64_t now = clock_now_ms();
    entry->stream = NULL;
    if (api_answer_is_denial(answer))
        context->on_denied(context->user, answer);
    if (entry->state == STATE_OPEN) {
        entry->due_ms = int64_min(entry->due_ms, now + TELL_MS);
        arm_timer(entry->outgoing);
        return;
    }
    if (entry->state == STATE_ANSWERED || entry->state == STATE_CANCELLING)
        return;
    (void)bot_game_quota_learn(context->archive, answer, context->our_id, entry->request.opponent);
    finish(entry,
           &(OutgoingResult){
               .end = end_of(answer),
               .id = "",
               .text = answer->outcome == API_OK ? "no challenge came of it" : answer->reason,
               .wait_ms = int64_max(answer->wait_s * 1000,
                                    create_wait_ms(context, entry->request.kind, now)),
           });
}

static void on_cancelled(void *user, const ApiAnswer *answer)
{
    Entry *entry = user;
    (void)answer; /* refused: it is a game by now, or gone; the event stream shows which */
    entry->call = NULL;
    finish_as(entry, OUTGOING_UNANSWERED, DECLINE_UNKNOWN);
}

static void cancel(Entry *entry)
{
    const BotContext *context = entry->outgoing->context;
    Error err = { 0 };
    enter_state(entry, STATE_CANCELLING);
    entry->call = api_call(context->api, ENDPOINT_CANCEL, entry->id, on_cancelled, entry, &err);
    if (!entry->call)
        finish_as(entry, OUTGOING_UNANSWERED, DECLINE_UNKNOWN);
}

/* Has the event stream been open for long enough to tell what became of a challenge? */
static bool knows_all(const Outgoing *outgoing, int64_t now_ms)
{
    int64_t since_ms = event_stream_open_since_ms(outgoing->events);
    return since_ms != INT64_MAX && now_ms - since_ms >= TELL_MS;
}

/* The event stream has not told what came of the answer. */
static void look_for_game(Entry *entry, int64_t now_ms)
{
    const BotContext *context = entry->outgoing->context;
    if (slots_plays(context->slots, entry->id) || now_ms >= entry->latest_ms) {
        finish_as(entry, entry->is_accepted ? OUTGOING_ACCEPTED : OUTGOING_DECLINED,
                  DECLINE_GENERIC);
        return;
    }
    entry->due_ms = int64_min(entry->latest_ms, now_ms + START_MS);
    context->on_missed_start(context->user);
}

static void on_due(Entry *entry, int64_t now_ms)
{
    if (entry->state == STATE_ANSWERED)
        look_for_game(entry, now_ms);
    else if (!entry->stream && now_ms < entry->latest_ms && !knows_all(entry->outgoing, now_ms))
        entry->due_ms = int64_min(entry->latest_ms, now_ms + TELL_MS);
    else
        cancel(entry);
}

static void on_timer(uv_timer_t *timer)
{
    Outgoing *outgoing = timer->data;
    int64_t now = clock_now_ms();
    for (int i = 0; i < OUTGOING_MAX; i++) {
        if (outgoing->entries[i].due_ms <= now)
            on_due(&outgoing->entries[i], now);
    }
    arm_timer(outgoing);
}

static void arm_timer(Outgoing *outgoing)
{
    int64_t next = INT64_MAX;
    for (int i = 0; i < OUTGOING_MAX; i++) {
        if (outgoing->entries[i].due_ms < next)
            next = outgoing->entries[i].due_ms;
    }
    timer_set(&outgoing->timer, on_timer, next);
}

bool outgoing_new(Outgoing **out, const BotContext *context, const EventStream *events, Error *err)
{
    Outgoing *outgoing = alloc_zeroed(sizeof *outgoing, "challenges", err);
    if (!outgoing)
        return false;
    outgoing->context = context;
    outgoing->events = events;
    for (int i = 0; i < OUTGOING_MAX; i++)
        outgoing->entries[i] = (Entry){ .outgoing = outgoing, .due_ms = INT64_MAX };
    timer_init(context->loop, &outgoing->timer, outgoing);
    *out = outgoing;
    return true;
}

void outgoing_close(Outgoing *outgoing)
{
    if (!outgoing)
        return;
    for (int i = 0; i < OUTGOING_MAX; i++) {
        hang_up(&outgoing->entries[i]);
        outgoing->entries[i].state = STATE_FREE;
    }
    timer_close(&outgoing->timer);
}

static Entry *free_entry(Outgoing *outgoing)
{
    for (int i = 0; i < OUTGOING_MAX; i++)
        if (outgoing->entries[i].state == STATE_FREE)
            return &outgoing->entries[i];
    return NULL;
}

static bool is_possible(const BotContext *context, const Entry *entry,
                        const ChallengeRequest *request, Error *err)
{
    int64_t now = clock_now_ms(), wait = create_wait_ms(context, request->kind, now);
    const TimeControl time = { .kind = TIME_CLOCK,
                               .base_s = request->base_s,
                               .increment_s = request->increment_s };
    if (context->our_id[0] == '\0')
        error_set(err, ERR_NOT_NOW, "castled is not online yet");
    else if (context->is_draining)
        error_set(err, ERR_NOT_NOW, "castled is draining: no more games");
    else if (!play_time_suffices(&time, context->ends_ms, now))
        error_set(err, ERR_NOT_NOW, "castled ends before such a game can (run --for)");
    else if (context->is_in_arena)
        error_set(err, ERR_NOT_NOW, "castled is in a tournament: no other games");
    else if (wait > 0)
        error_set(err, ERR_NOT_NOW, "Lichess allows no more challenges for %lld s",
                  (long long)(wait + 999) / 1000);
    else if (!entry)
        error_set(err, ERR_NOT_NOW, "%d challenges are under way already", OUTGOING_MAX);
    return !error_is_set(err);
}

bool outgoing_challenge(Outgoing *outgoing, const ChallengeRequest *request, int64_t timeout_ms,
                        OutgoingDone *done, void *user, Error *err)
{
    const BotContext *context = outgoing->context;
    Entry *entry = free_entry(outgoing);
    Error why = { 0 };
    if (!is_possible(context, entry, request, &why)) {
        error_set(err, why.code, "%s", why.text);
        return false;
    }
    int len = snprintf(entry->id, sizeof entry->id, "ours%d", (int)(entry - outgoing->entries));
    (void)len;
    if (!slots_hold(context->slots, entry->id,
                    slots_player(text_of(request->opponent), request->kind),
                    clock_now_ms() + timeout_ms + HOLD_SPARE_MS)) {
        error_set(err, ERR_NOT_NOW, "all %d slots are taken",
                  context->slots->limits.of_kind[SLOTS_REALTIME]);
        return false;
    }
    const ApiChallenge challenge = {
        .opponent = request->opponent,
        .base_s = request->base_s,
        .increment_s = request->increment_s,
        .rated = request->rated,
        .variant = request->variant,
        .colour = request->colour,
        .fen = request->fen,
    };
    entry->request = *request;
    entry->done = done;
    entry->user = user;
    const ApiStreamCallbacks callbacks = { .on_line = on_line,
                                           .on_end = on_stream_end,
                                           .user = entry };
    entry->timeout_ms = timeout_ms;
    entry->stream = api_challenge(context->api, &challenge, &callbacks, err);
    if (!entry->stream) {
        slots_forget(context->slots, entry->id);
        return false;
    }
    enter_state(entry, STATE_CREATING);
    log_info(context->log, "challenge", "created",
             FIELDS(F("to", request->opponent), F("base_s", request->base_s),
                    F("increment_s", request->increment_s),
                    F("variant", variant_name(request->variant)),
                    F("rated", request->rated ? "yes" : "no")));
    return true;
}

void outgoing_withdraw(Outgoing *outgoing, void *user)
{
    for (int i = 0; i < OUTGOING_MAX; i++) {
        Entry *entry = &outgoing->entries[i];
        if (entry->user != user)
            continue;
        if (entry->state == STATE_CREATING)
            enter_state(entry, STATE_WITHDRAWN);
        else if (entry->state == STATE_OPEN)
            cancel(entry);
    }
}

static Entry *find(Outgoing *outgoing, const char *id)
{
    for (int i = 0; i < OUTGOING_MAX; i++) {
        Entry *entry = &outgoing->entries[i];
        if ((entry->state == STATE_OPEN || entry->state == STATE_ANSWERED ||
             entry->state == STATE_CANCELLING) &&
            strcmp(entry->id, id) == 0)
            return entry;
    }
    return NULL;
}

void outgoing_started(Outgoing *outgoing, const char *id)
{
    Entry *entry = find(outgoing, id);
    if (entry)
        finish_as(entry, OUTGOING_ACCEPTED, DECLINE_UNKNOWN);
}

void outgoing_declined(Outgoing *outgoing, const Challenge *challenge)
{
    Entry *entry = find(outgoing, challenge->id);
    if (entry) {
        finish_as(entry, OUTGOING_DECLINED, challenge->decline_reason);
        return;
    }
    Recent *recent = &outgoing->recent[outgoing->recent_next];
    outgoing->recent_next = (outgoing->recent_next + 1) % RECENT_MAX;
    memcpy(recent->id, challenge->id, sizeof recent->id);
    recent->reason = challenge->decline_reason;
}

void outgoing_canceled(Outgoing *outgoing, const char *id)
{
    Entry *entry = find(outgoing, id);
    if (entry && entry->state == STATE_OPEN)
        finish_as(entry, OUTGOING_UNANSWERED, DECLINE_UNKNOWN);
}

int outgoing_count(const Outgoing *outgoing)
{
    int count = 0;
    for (int i = 0; i < OUTGOING_MAX; i++)
        count += outgoing->entries[i].state != STATE_FREE;
    return count;
}
