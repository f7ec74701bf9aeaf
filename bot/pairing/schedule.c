/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/pairing/schedule.h"

#include "bot/pairing/outgoing.h"
#include "engine/base/minmax.h"
#include "engine/base/number.h"
#include "engine/base/text_format.h"

#include <inttypes.h>
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
    ALL_KNOWN_MS = 10000,  /* after the stream has opened, all games are known */
    FACT_LIFE_DAYS = 7,    /* beyond the time */
};

static const char no_game[] = "-";

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

static void write_fact(PairStep *step, const ScheduleEntry *entry, const char *value)
{
    char number[12];
    const ScheduledMatch *match = &entry->match;
    text_format(number, sizeof number, "%d", match->number);
    pair_remember(step, FACT_SCHEDULED, text_of(number), value,
                  (match->at_unix_s + FACT_LIFE_DAYS * 86400) * 1000);
}

static void remember(PairStep *step, const ScheduleEntry *entry)
{
    Buf value;
    buf_init(&value, FACT_VALUE_SIZE - 1);
    if (write_match(&entry->match, &value))
        write_fact(step, entry, buf_view(&value));
    buf_release(&value);
}

static void forget(PairStep *step, ScheduleEntry *entry, const char *why)
{
    const PairNote note = { .kind = PAIR_NOTE_MATCH_REMOVED, .number = entry->match.number };
    pair_note(step, &note, why);
    write_fact(step, entry, "");
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

static void schedule_on_fact(void *user, const Fact *fact)
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
static void schedule_on_late_fact(void *user, const Fact *fact)
{
    PairStep *step = user;
    Schedule *schedule = &step->pairing->schedule;
    ScheduledMatch match;
    if (!read_fact(fact, &match))
        return;
    bool is_free = schedule->entries[match.number - 1].match.number == 0;
    if (!is_free)
        match.number = free_number(schedule);
    if (match.number == 0)
        return;
    ScheduleEntry *entry = &schedule->entries[match.number - 1];
    entry->match = match;
    entry->next_ms = 0;
    if (!is_free)
        remember(step, entry);
}

/* Steps. */

/* The server takes no challenge of ours meanwhile: whatever its time was, the match is not dropped
 * for that. */
static void postpone(PairStep *step, ScheduleEntry *entry, int64_t wait_ms)
{
    int64_t wait_s = (wait_ms + 999) / 1000;
    const PairNote note = { .kind = PAIR_NOTE_MATCH_LIMITED,
                            .number = entry->match.number,
                            .time_s = wait_s };
    entry->match.at_unix_s = step->now.unix_ms / 1000 + wait_s;
    entry->next_ms = step->now.ms + wait_ms;
    remember(step, entry);
    pair_note(step, &note, "limited by the server");
}

void schedule_challenge_ended(PairStep *step, const OutgoingResult *result)
{
    ScheduleEntry *entry = &step->pairing->schedule.entries[result->owner.number - 1];
    ScheduledMatch *match = &entry->match;
    entry->is_asking = false;
    if (entry->is_off) {
        forget(step, entry, "dropped");
        return;
    }
    switch (result->end) {
    case OUTGOING_ACCEPTED:
        if (--match->games == 0) {
            forget(step, entry, "begun");
            return;
        }
        memcpy(match->playing, result->id, sizeof match->playing);
        match->request.colour = colour_other(match->request.colour);
        remember(step, entry);
        break;
    case OUTGOING_DECLINED:
        forget(step, entry, decline_reason_name(result->reason));
        break;
    case OUTGOING_REFUSED:
        forget(step, entry, result->text);
        break;
    case OUTGOING_LIMITED:
        postpone(step, entry, int64_max(result->wait_ms, LIMITED_MS));
        break;
    case OUTGOING_UNANSWERED:
    case OUTGOING_LOST:
        entry->next_ms = step->now.ms + AGAIN_MS;
        break;
    }
}

/* A game of the match goes on, or has just ended. */
static void await_game(PairStep *step, ScheduleEntry *entry)
{
    ScheduledMatch *match = &entry->match;
    int64_t open_since = step->view->open_since_ms;
    bool all_are_known = open_since != INT64_MAX && step->now.ms - open_since >= ALL_KNOWN_MS;
    if (!all_are_known || slots_plays(step->pairing->slots, match->playing))
        return;
    match->playing[0] = '\0';
    match->at_unix_s = step->now.unix_ms / 1000;
    entry->next_ms = step->now.ms + NEXT_MS;
    remember(step, entry);
}

static void challenge(PairStep *step, ScheduleEntry *entry)
{
    const OutgoingOwner owner = { OWNER_SCHEDULE, (uint32_t)entry->match.number };
    const PairNote note = { .kind = PAIR_NOTE_MATCH_WAITS, .number = entry->match.number };
    Error err = { 0 };
    entry->is_asking = outgoing_begin(step, &entry->match.request, OUTGOING_LATER_MS, owner, &err);
    if (!entry->is_asking)
        pair_note(step, &note, err.text);
    entry->next_ms = step->now.ms + RETRY_MS;
}

static void begin(PairStep *step, ScheduleEntry *entry)
{
    if (step->now.unix_ms / 1000 > entry->match.at_unix_s + GRACE_S) {
        forget(step, entry, "its time is past");
        return;
    }
    if (step->now.ms < entry->next_ms || step->view->open_since_ms == INT64_MAX)
        return;
    int64_t wait_ms = ratelimit_create_wait_ms(step->view->limit, CHALLENGED_ANYBODY, step->now.ms);
    if (wait_ms > 0)
        postpone(step, entry, wait_ms);
    else
        challenge(step, entry);
}

static void tend(PairStep *step, ScheduleEntry *entry)
{
    if (entry->is_asking)
        return;
    if (entry->match.playing[0] != '\0')
        await_game(step, entry);
    else if (step->now.unix_ms / 1000 >= entry->match.at_unix_s)
        begin(step, entry);
}

void schedule_time(PairStep *step)
{
    Schedule *schedule = &step->pairing->schedule;
    if (step->now.ms < schedule->look_ms)
        return;
    schedule->look_ms = INT64_MAX;
    for (int i = 0; i < SCHEDULE_MAX; i++) {
        if (schedule->entries[i].match.number == 0)
            continue;
        schedule->look_ms = step->now.ms + LOOK_MS;
        tend(step, &schedule->entries[i]);
    }
}

void schedule_init(Schedule *schedule, const PairView *view, PairTime now)
{
    memset(schedule, 0, sizeof *schedule);
    facts_each(view->facts, fact_prefix(FACT_SCHEDULED), now.unix_ms, schedule_on_fact, schedule);
    schedule->look_ms = now.ms + LOOK_MS;
}

void schedule_recall(PairStep *step, const Facts *stored)
{
    facts_each(stored, fact_prefix(FACT_SCHEDULED), step->now.unix_ms, schedule_on_late_fact, step);
    step->pairing->schedule.look_ms = step->now.ms;
}

int schedule_add(PairStep *step, const ChallengeRequest *request, int64_t at_unix_s, int games,
                 Error *err)
{
    Schedule *schedule = &step->pairing->schedule;
    int number = free_number(schedule);
    PairNote note = { .kind = PAIR_NOTE_MATCH_ADDED, .number = number, .count = games };
    if (number == 0) {
        error_set(err, ERR_NOT_NOW, "%d are scheduled already", SCHEDULE_MAX);
        return 0;
    }
    ScheduleEntry *entry = &schedule->entries[number - 1];
    *entry = (ScheduleEntry){
        .match = { .number = number, .request = *request, .at_unix_s = at_unix_s, .games = games }
    };
    if (games > 1 && request->colour == COLOUR_NONE)
        entry->match.request.colour = WHITE;
    remember(step, entry);
    memcpy(note.user, request->opponent, sizeof note.user);
    note.time_s = at_unix_s;
    pair_note(step, &note, "");
    schedule->look_ms = step->now.ms;
    return number;
}

bool schedule_drop(PairStep *step, int number)
{
    Schedule *schedule = &step->pairing->schedule;
    ScheduleEntry *entry =
        number >= 1 && number <= SCHEDULE_MAX ? &schedule->entries[number - 1] : NULL;
    if (!entry || entry->match.number == 0)
        return false;
    if (entry->is_asking) {
        entry->is_off = true;
        outgoing_withdraw(step, (OutgoingOwner){ OWNER_SCHEDULE, (uint32_t)number });
    } else {
        forget(step, entry, "dropped");
    }
    return true;
}

bool schedule_is_near(const Schedule *schedule, int64_t unix_ms)
{
    int64_t soon = unix_ms / 1000 + NEAR_S;
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
