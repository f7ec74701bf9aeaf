/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/pairing/schedule.h"

#include "bot/archive/archive.h"
#include "bot/game/slots.h"
#include "bot/ops/timer.h"
#include "bot/pairing/challenge_request.h"
#include "engine/base/alloc.h"
#include "engine/base/clock.h"
#include "engine/base/minmax.h"
#include "engine/base/number.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    LOOK_MS = 1000,
    GRACE_S = 15 * 60,
    NEAR_S = 10 * 60,
    RETRY_MS = 30 * 1000,  /* no slot, no server */
    AGAIN_MS = 60 * 1000,  /* no answer came */
    LIMITED_MS = 5 * 1000, /* at least */
    NEXT_MS = 3000,        /* from one game of a match to the next */
    SETTLE_MS = 10000,     /* after the stream has opened, all games are known */
    FACT_LIFE_DAYS = 7,    /* beyond the time */
};

static const char no_game[] = "-";

typedef struct {
    Schedule *schedule;
    ScheduledMatch match; /* number 0: free */
    bool is_asking;
    bool is_off;     /* dropped while a challenge is under way */
    int64_t next_ms; /* not before */
} Entry;

struct Schedule {
    const BotContext *context;
    Outgoing *outgoing;
    const EventStream *events;
    uv_timer_t timer;
    Entry entries[SCHEDULE_MAX]; /* by number */
};

/* What outlives the process: "TIME GAMES GAME-ID|- REQUEST…". */

static bool write_match(const ScheduledMatch *match, Buf *out)
{
    return buf_printf(out, "%" PRId64 " %d %s ", match->at_unix_s, match->games,
                      match->playing[0] ? match->playing : no_game) &&
           challenge_request_write(&match->request, out);
}

static bool read_match(ScheduledMatch *out, const char *text)
{
    ScheduledMatch read = { .number = 0 };
    int64_t games;
    Text rest = text_of(text), at = text_next_word(&rest, " "), left = text_next_word(&rest, " "),
         id = text_next_word(&rest, " ");
    if (!number_parse(at.at, at.len, 0, INT64_MAX / 2000, &read.at_unix_s, NULL) ||
        !number_parse(left.at, left.len, 1, SCHEDULE_GAMES_MOST, &games, NULL) ||
        !challenge_request_read(&read.request, rest, NULL))
        return false;
    read.games = (int)games;
    if (game_id_is_valid(id) && !text_copy(read.playing, sizeof read.playing, id))
        return false;
    *out = read;
    return true;
}

static void write_fact(const Entry *entry, const char *value)
{
    char number[12];
    const ScheduledMatch *match = &entry->match;
    int len = snprintf(number, sizeof number, "%d", match->number);
    if (len > 0)
        archive_remember(entry->schedule->context->archive, FACT_SCHEDULED, text_of(number), value,
                         (match->at_unix_s + FACT_LIFE_DAYS * 86400) * 1000);
}

static void remember(const Entry *entry)
{
    Buf value;
    buf_init(&value, FACT_VALUE_SIZE - 1);
    if (write_match(&entry->match, &value))
        write_fact(entry, buf_view(&value));
    buf_release(&value);
}

static void forget(Entry *entry, const char *why)
{
    log_info(entry->schedule->context->log, "schedule", "removed",
             FIELDS(F("number", entry->match.number), F("why", why)));
    write_fact(entry, "");
    entry->match = (ScheduledMatch){ 0 };
    entry->is_asking = entry->is_off = false;
}

/* The match that a fact tells, with its number; false where it is none of ours. */
static bool read_fact(const Fact *fact, ScheduledMatch *match)
{
    int64_t number;
    const char *text = fact_id(FACT_SCHEDULED, fact);
    if (!number_parse(text, strlen(text), 1, SCHEDULE_MAX, &number, NULL) ||
        !read_match(match, fact->value))
        return false;
    match->number = (int)number;
    return true;
}

static void on_fact(void *user, const Fact *fact)
{
    Schedule *schedule = user;
    ScheduledMatch match;
    if (read_fact(fact, &match))
        schedule->entries[match.number - 1].match = match;
}

static int free_number(const Schedule *schedule)
{
    for (int number = 1; number <= SCHEDULE_MAX; number++)
        if (schedule->entries[number - 1].match.number == 0)
            return number;
    return 0;
}

/* A match that was read late: its number may be another's by now. */
static void on_late_fact(void *user, const Fact *fact)
{
    Schedule *schedule = user;
    ScheduledMatch match;
    if (!read_fact(fact, &match))
        return;
    bool is_free = schedule->entries[match.number - 1].match.number == 0;
    if (!is_free)
        match.number = free_number(schedule);
    if (match.number == 0)
        return;
    Entry *entry = &schedule->entries[match.number - 1];
    entry->match = match;
    entry->next_ms = 0;
    if (!is_free)
        remember(entry);
}

/* Steps. */

/* The server takes no challenge of ours meanwhile: whatever its time was, the match is not dropped
 * for that. */
static void postpone(Entry *entry, int64_t wait_ms, int64_t now_ms)
{
    int64_t wait_s = (wait_ms + 999) / 1000;
    entry->match.at_unix_s = clock_unix_ms() / 1000 + wait_s;
    entry->next_ms = now_ms + wait_ms;
    remember(entry);
    log_info(entry->schedule->context->log, "schedule", "waits",
             FIELDS(F("number", entry->match.number), F("why", "limited by the server"),
                    F("retry_in_s", wait_s)));
}

static void on_end(void *user, const OutgoingResult *result)
{
    Entry *entry = user;
    ScheduledMatch *match = &entry->match;
    int64_t now = clock_now_ms();
    entry->is_asking = false;
    if (entry->is_off) {
        forget(entry, "dropped");
        return;
    }
    switch (result->end) {
    case OUTGOING_ACCEPTED:
        if (--match->games == 0) {
            forget(entry, "begun");
            return;
        }
        memcpy(match->playing, result->id, strlen(result->id) + 1);
        match->request.colour = match->request.colour == WHITE ? BLACK : WHITE;
        remember(entry);
        break;
    case OUTGOING_DECLINED:
        forget(entry, decline_reason_name(result->reason));
        break;
    case OUTGOING_REFUSED:
        forget(entry, result->text);
        break;
    case OUTGOING_LIMITED:
        postpone(entry, int64_max(result->wait_ms, LIMITED_MS), now);
        break;
    case OUTGOING_UNANSWERED:
    case OUTGOING_LOST:
        entry->next_ms = now + AGAIN_MS;
        break;
    }
}

/* A game of the match goes on, or has just ended. */
static void await_game(Entry *entry, int64_t now_ms)
{
    const Schedule *schedule = entry->schedule;
    ScheduledMatch *match = &entry->match;
    int64_t open_since = event_stream_open_since_ms(schedule->events);
    bool is_settled = open_since != INT64_MAX && now_ms - open_since >= SETTLE_MS;
    if (!is_settled || slots_plays(schedule->context->slots, match->playing))
        return;
    match->playing[0] = '\0';
    match->at_unix_s = clock_unix_ms() / 1000;
    entry->next_ms = now_ms + NEXT_MS;
    remember(entry);
}

static void begin(Entry *entry, int64_t now_ms)
{
    const Schedule *schedule = entry->schedule;
    const ScheduledMatch *match = &entry->match;
    Error err = { 0 };
    if (clock_unix_ms() / 1000 > match->at_unix_s + GRACE_S) {
        forget(entry, "its time is past");
        return;
    }
    if (now_ms < entry->next_ms || event_stream_phase(schedule->events) != EVENTS_OPEN)
        return;
    int64_t wait_ms =
        ratelimit_create_wait_ms(schedule->context->limit, CHALLENGED_ANYBODY, now_ms);
    if (wait_ms > 0) {
        postpone(entry, wait_ms, now_ms);
        return;
    }
    entry->is_asking = outgoing_challenge(schedule->outgoing, &match->request, OUTGOING_LATER_MS,
                                          on_end, entry, &err);
    if (!entry->is_asking)
        log_info(schedule->context->log, "schedule", "waits",
                 FIELDS(F("number", match->number), F("why", err.text)));
    entry->next_ms = now_ms + RETRY_MS;
}

static void on_timer(uv_timer_t *timer)
{
    Schedule *schedule = timer->data;
    int64_t now = clock_now_ms();
    bool is_empty = true;
    for (int i = 0; i < SCHEDULE_MAX; i++) {
        Entry *entry = &schedule->entries[i];
        const ScheduledMatch *match = &entry->match;
        if (match->number == 0)
            continue;
        is_empty = false;
        if (entry->is_asking)
            continue;
        if (match->playing[0] != '\0')
            await_game(entry, now);
        else if (clock_unix_ms() / 1000 >= match->at_unix_s)
            begin(entry, now);
    }
    timer_set(timer, on_timer, is_empty ? INT64_MAX : now + LOOK_MS);
}

bool schedule_new(Schedule **out, const BotContext *context, Outgoing *outgoing,
                  const EventStream *events, Error *err)
{
    Schedule *schedule = alloc_zeroed(sizeof *schedule, "the schedule", err);
    if (!schedule)
        return false;
    schedule->context = context;
    schedule->outgoing = outgoing;
    schedule->events = events;
    for (int i = 0; i < SCHEDULE_MAX; i++)
        schedule->entries[i].schedule = schedule;
    archive_each_fact(context->archive, FACT_SCHEDULED, on_fact, schedule);
    timer_init(context->loop, &schedule->timer, schedule);
    timer_set(&schedule->timer, on_timer, clock_now_ms() + LOOK_MS);
    *out = schedule;
    return true;
}

void schedule_recall(Schedule *schedule, const Facts *stored)
{
    facts_each(stored, fact_prefix(FACT_SCHEDULED), clock_unix_ms(), on_late_fact, schedule);
    timer_set(&schedule->timer, on_timer, clock_now_ms());
}

void schedule_close(Schedule *schedule)
{
    if (schedule)
        timer_close(&schedule->timer);
}

int schedule_add(Schedule *schedule, const ChallengeRequest *request, int64_t at_unix_s, int games,
                 Error *err)
{
    for (int i = 0; i < SCHEDULE_MAX; i++) {
        Entry *entry = &schedule->entries[i];
        if (entry->match.number != 0)
            continue;
        entry->match = (ScheduledMatch){
            .number = i + 1, .request = *request, .at_unix_s = at_unix_s, .games = games
        };
        if (games > 1 && request->colour == COLOUR_NONE)
            entry->match.request.colour = WHITE;
        entry->next_ms = 0;
        remember(entry);
        log_info(schedule->context->log, "schedule", "added",
                 FIELDS(F("number", i + 1), F("to", request->opponent), F("games", games),
                        F("unix_s", at_unix_s)));
        timer_set(&schedule->timer, on_timer, clock_now_ms());
        return i + 1;
    }
    error_set(err, ERR_NOT_NOW, "%d are scheduled already", SCHEDULE_MAX);
    return 0;
}

bool schedule_drop(Schedule *schedule, int number)
{
    Entry *entry = number >= 1 && number <= SCHEDULE_MAX ? &schedule->entries[number - 1] : NULL;
    if (!entry || entry->match.number == 0)
        return false;
    if (entry->is_asking) {
        entry->is_off = true;
        outgoing_withdraw(schedule->outgoing, entry);
    } else {
        forget(entry, "dropped");
    }
    return true;
}

bool schedule_is_near(const Schedule *schedule)
{
    int64_t soon = clock_unix_ms() / 1000 + NEAR_S;
    for (int i = 0; i < SCHEDULE_MAX; i++) {
        const ScheduledMatch *match = &schedule->entries[i].match;
        if (match->number != 0 && match->at_unix_s <= soon)
            return true;
    }
    return false;
}

static int by_time(const void *left, const void *right)
{
    const ScheduledMatch *const *a = left, *const *b = right;
    return ((*a)->at_unix_s > (*b)->at_unix_s) - ((*a)->at_unix_s < (*b)->at_unix_s);
}

void schedule_each(const Schedule *schedule,
                   void (*on_each)(void *user, const ScheduledMatch *match), void *user)
{
    const ScheduledMatch *list[SCHEDULE_MAX];
    size_t count = 0;
    for (int i = 0; i < SCHEDULE_MAX; i++)
        if (schedule->entries[i].match.number != 0)
            list[count++] = &schedule->entries[i].match;
    qsort(list, count, sizeof *list, by_time);
    for (size_t i = 0; i < count; i++)
        on_each(user, list[i]);
}
