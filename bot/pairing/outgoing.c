/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/pairing/outgoing.h"

#include "bot/model/state_table.h"
#include "bot/ops/jsonread.h"
#include "bot/pairing/arenas.h"
#include "bot/policy/play_time.h"
#include "engine/base/check.h"
#include "engine/base/minmax.h"
#include "engine/base/text_format.h"

#include <string.h>

enum {
    HOLD_SPARE_MS = 10000,
    TELL_MS = 3000,  /* the event stream, while it is open, tells all within that */
    GAME_MS = 30000, /* an accepted challenge is a game by then */
    START_MS = 4000, /* where no event tells of it, our games are looked at after so long */
};

/* The table of the header. */
static void enter_state(PairStep *step, OutgoingEntry *entry, OutgoingState state)
{
    static const char *const names[OUTGOING_STATE_COUNT] = {
        [OUTGOING_FREE] = "free",           [OUTGOING_CREATING] = "creating",
        [OUTGOING_WITHDRAWN] = "withdrawn", [OUTGOING_OPEN] = "open",
        [OUTGOING_ANSWERED] = "answered",   [OUTGOING_CANCELLING] = "cancelling",
    };
    static const uint32_t next[OUTGOING_STATE_COUNT] = {
        [OUTGOING_FREE] = 1U << OUTGOING_CREATING,
        [OUTGOING_CREATING] = 1U << OUTGOING_OPEN | 1U << OUTGOING_WITHDRAWN | 1U << OUTGOING_FREE,
        [OUTGOING_WITHDRAWN] = 1U << OUTGOING_CANCELLING | 1U << OUTGOING_FREE,
        [OUTGOING_OPEN] = 1U << OUTGOING_ANSWERED | 1U << OUTGOING_CANCELLING | 1U << OUTGOING_FREE,
        [OUTGOING_ANSWERED] = 1U << OUTGOING_FREE,
        [OUTGOING_CANCELLING] = 1U << OUTGOING_FREE,
    };
    static const StateTable table = { names, next };
    PairNote note = { .kind = PAIR_NOTE_OUTGOING_STATE };
    memcpy(note.id, entry->id, sizeof note.id);
    note.from = names[entry->state];
    note.to = names[state];
    pair_note(step, &note, "");
    entry->state = state_enter(&table, entry->state, state);
    entry->due_ms = INT64_MAX;
    if (state == OUTGOING_OPEN) {
        entry->due_ms = entry->latest_ms = step->now.ms + entry->timeout_ms;
    } else if (state == OUTGOING_ANSWERED) {
        entry->due_ms = step->now.ms + (entry->is_accepted ? START_MS : TELL_MS);
        entry->latest_ms = step->now.ms + (entry->is_accepted ? GAME_MS : TELL_MS);
    }
}

static void finish(PairStep *step, OutgoingEntry *entry, OutgoingResult result)
{
    static const char *const words[] = {
        [OUTGOING_ACCEPTED] = "accepted",     [OUTGOING_DECLINED] = "declined",
        [OUTGOING_UNANSWERED] = "unanswered", [OUTGOING_REFUSED] = "refused",
        [OUTGOING_LIMITED] = "limited",       [OUTGOING_LOST] = "lost",
    };
    PairNote note = { .kind = PAIR_NOTE_OUTGOING_ENDED, .to = words[result.end] };
    result.owner = entry->owner;
    pair_hang_up(step, &entry->stream);
    pair_hang_up(step, &entry->cancel);
    if (result.end != OUTGOING_ACCEPTED)
        slots_forget(step->pairing->slots, entry->id);
    memcpy(note.id, result.id, sizeof note.id);
    memcpy(note.user, entry->request.opponent, sizeof note.user);
    pair_note(step, &note, result.text);
    enter_state(step, entry, OUTGOING_FREE);
    pair_end(step, &result);
}

static void finish_as(PairStep *step, OutgoingEntry *entry, OutgoingEnd end, DeclineReason reason)
{
    OutgoingResult result = { .end = end, .reason = reason };
    memcpy(result.id, entry->id, sizeof result.id);
    result.text = end == OUTGOING_DECLINED ? decline_reason_name(reason) : "";
    finish(step, entry, result);
}

static void cancel(PairStep *step, OutgoingEntry *entry)
{
    enter_state(step, entry, OUTGOING_CANCELLING);
    entry->cancel = pair_request(step, PAIR_ASK_CANCEL, entry->id)->ticket;
}

static const OutgoingRecent *find_recent(const Outgoing *outgoing, const char *id)
{
    for (int i = 0; i < OUTGOING_RECENT_MAX; i++)
        if (strcmp(outgoing->recent[i].id, id) == 0)
            return &outgoing->recent[i];
    return NULL;
}

/* The slot held under `name` is for the challenge with its own id now, for `most_ms`. */
static void hold_on(PairStep *step, const OutgoingEntry *entry, const char *name, int64_t most_ms)
{
    slots_bind_hold(step->pairing->slots, name, entry->id,
                    slots_player(text_of(entry->request.opponent), entry->request.kind),
                    step->now.ms + most_ms + HOLD_SPARE_MS);
}

/* The server has made it, and says whether the opponent is a bot. */
static void created(PairStep *step, OutgoingEntry *entry, const Challenge *challenge)
{
    Slots *slots = step->pairing->slots;
    char name[GAME_ID_SIZE];
    if (player_is_bot_account(&challenge->dest_user))
        entry->request.kind = KIND_BOT;
    memcpy(name, entry->id, sizeof name);
    memcpy(entry->id, challenge->id, sizeof entry->id);
    pair_note_rematch(step, entry->id, text_of(entry->request.rematch_of));
    const OutgoingRecent *recent = find_recent(&step->pairing->outgoing, entry->id);
    if (slots_plays(slots, entry->id)) {
        slots_forget(slots, name);
        finish_as(step, entry, OUTGOING_ACCEPTED, DECLINE_UNKNOWN);
    } else if (recent) {
        slots_forget(slots, name);
        finish_as(step, entry, OUTGOING_DECLINED, recent->reason);
    } else {
        hold_on(step, entry, name, entry->timeout_ms);
        if (entry->state == OUTGOING_WITHDRAWN)
            cancel(step, entry);
        else
            enter_state(step, entry, OUTGOING_OPEN);
    }
}

/* The opponent has answered, by the challenge's own stream: the event stream may be down. */
static void take_word(PairStep *step, OutgoingEntry *entry, bool is_accepted)
{
    entry->is_accepted = is_accepted;
    if (is_accepted)
        hold_on(step, entry, entry->id, GAME_MS);
    enter_state(step, entry, OUTGOING_ANSWERED);
}

static OutgoingEntry *find_stream(PairStep *step, uint32_t ticket)
{
    for (int i = 0; i < OUTGOING_MAX; i++)
        if (step->pairing->outgoing.entries[i].stream == ticket)
            return &step->pairing->outgoing.entries[i];
    return NULL;
}

/* The first line is the challenge, the last one how it ended. */
void outgoing_line(PairStep *step, uint32_t ticket, Text line)
{
    OutgoingEntry *entry = find_stream(step, ticket);
    Event event;
    if (!entry)
        return;
    if (entry->state == OUTGOING_OPEN) {
        struct json_object *json = jsonread_parse(line.at, line.len, NULL);
        Text end = jsonread_text(json, "done");
        if (text_is(end, "accepted") || text_is(end, "declined"))
            take_word(step, entry, text_is(end, "accepted"));
        json_object_put(json);
        return;
    }
    if ((entry->state != OUTGOING_CREATING && entry->state != OUTGOING_WITHDRAWN) ||
        !challenge_parse(&event, line.at, line.len, NULL))
        return;
    created(step, entry, &event.challenge);
    event_release(&event);
}

static int64_t create_wait_ms(const PairStep *step, OpponentKind kind)
{
    Challenged whom = kind == KIND_BOT ? CHALLENGED_BOT : CHALLENGED_ANYBODY;
    return ratelimit_create_wait_ms(step->view->limit, whom, step->now.ms);
}

static OutgoingEnd end_of(const ApiAnswer *answer)
{
    switch (api_answer_word(answer)) {
    case API_NO:
        return api_answer_is_denial(answer) ? OUTGOING_LOST : OUTGOING_REFUSED;
    case API_NOT_NOW:
        return answer->outcome == API_LIMITED ? OUTGOING_LIMITED : OUTGOING_LOST;
    case API_DONE:
        break; /* the stream told of no challenge */
    }
    return OUTGOING_LOST;
}

void outgoing_stream_ended(PairStep *step, uint32_t ticket, const ApiAnswer *answer)
{
    OutgoingEntry *entry = find_stream(step, ticket);
    if (!entry)
        return;
    entry->stream = 0;
    if (api_answer_is_denial(answer))
        pair_effect(step, PAIR_DO_REPORT_DENIAL);
    if (entry->state == OUTGOING_OPEN) {
        entry->due_ms = int64_min(entry->due_ms, step->now.ms + TELL_MS);
        return;
    }
    if (entry->state == OUTGOING_ANSWERED || entry->state == OUTGOING_CANCELLING)
        return;
    (void)pair_learn_quota(step, answer, entry->request.opponent);
    finish(
        step, entry,
        (OutgoingResult){
            .end = end_of(answer),
            .text = answer->outcome == API_OK ? "no challenge came of it" : answer->reason,
            .wait_ms = int64_max(answer->wait_s * 1000, create_wait_ms(step, entry->request.kind)),
        });
}

/* Whatever the answer: refused, it is a game by now, or gone; the event stream shows which. */
void outgoing_cancelled(PairStep *step, uint32_t ticket)
{
    for (int i = 0; i < OUTGOING_MAX; i++) {
        OutgoingEntry *entry = &step->pairing->outgoing.entries[i];
        if (entry->cancel != ticket)
            continue;
        entry->cancel = 0;
        finish_as(step, entry, OUTGOING_UNANSWERED, DECLINE_UNKNOWN);
    }
}

/* Has the event stream been open for long enough to tell what became of a challenge? */
static bool knows_all(const PairStep *step)
{
    int64_t since_ms = step->view->open_since_ms;
    return since_ms != INT64_MAX && step->now.ms - since_ms >= TELL_MS;
}

/* The event stream has not told what came of the answer. */
static void look_for_game(PairStep *step, OutgoingEntry *entry)
{
    if (slots_plays(step->pairing->slots, entry->id) || step->now.ms >= entry->latest_ms) {
        finish_as(step, entry, entry->is_accepted ? OUTGOING_ACCEPTED : OUTGOING_DECLINED,
                  DECLINE_GENERIC);
        return;
    }
    entry->due_ms = int64_min(entry->latest_ms, step->now.ms + START_MS);
    pair_effect(step, PAIR_DO_LOOK_FOR_GAMES);
}

static void outgoing_on_due(PairStep *step, OutgoingEntry *entry)
{
    if (entry->state == OUTGOING_ANSWERED)
        look_for_game(step, entry);
    else if (entry->stream == 0 && step->now.ms < entry->latest_ms && !knows_all(step))
        entry->due_ms = int64_min(entry->latest_ms, step->now.ms + TELL_MS);
    else
        cancel(step, entry);
}

void outgoing_time(PairStep *step)
{
    for (int i = 0; i < OUTGOING_MAX; i++) {
        OutgoingEntry *entry = &step->pairing->outgoing.entries[i];
        if (entry->due_ms <= step->now.ms)
            outgoing_on_due(step, entry);
    }
}

int64_t outgoing_next_at_ms(const Outgoing *outgoing)
{
    int64_t next = INT64_MAX;
    for (int i = 0; i < OUTGOING_MAX; i++)
        next = int64_min(next, outgoing->entries[i].due_ms);
    return next;
}

void outgoing_init(Outgoing *outgoing)
{
    memset(outgoing, 0, sizeof *outgoing);
    for (int i = 0; i < OUTGOING_MAX; i++)
        outgoing->entries[i].due_ms = INT64_MAX;
}

static OutgoingEntry *free_entry(Outgoing *outgoing)
{
    for (int i = 0; i < OUTGOING_MAX; i++)
        if (outgoing->entries[i].state == OUTGOING_FREE)
            return &outgoing->entries[i];
    return NULL;
}

static bool is_possible(const PairStep *step, const OutgoingEntry *entry,
                        const ChallengeRequest *request, Error *err)
{
    const PairView *view = step->view;
    int64_t wait = create_wait_ms(step, request->kind);
    const TimeControl time = request->days > 0
                                 ? time_control_of_days(request->days)
                                 : (TimeControl){ .kind = TIME_CLOCK,
                                                  .base_s = request->base_s,
                                                  .increment_s = request->increment_s };
    if (view->our_id[0] == '\0')
        error_set(err, ERR_NOT_NOW, "castled is not online yet");
    else if (view->is_draining)
        error_set(err, ERR_NOT_NOW, "castled is draining: no more games");
    else if (!play_time_suffices(&time, view->ends_ms, step->now.ms))
        error_set(err, ERR_NOT_NOW, "castled ends before such a game can (run --for)");
    else if (arenas_are_on(&step->pairing->arenas))
        error_set(err, ERR_NOT_NOW, "castled is in a tournament: no other games");
    else if (wait > 0)
        error_set(err, ERR_NOT_NOW, "Lichess allows no more challenges for %lld s",
                  (long long)(wait + 999) / 1000);
    else if (!entry)
        error_set(err, ERR_NOT_NOW, "%d challenges are under way already", OUTGOING_MAX);
    return !error_is_set(err);
}

static SlotsKind slots_kind_of(const ChallengeRequest *request)
{
    return request->days > 0 ? SLOTS_CORRESPONDENCE : SLOTS_REALTIME;
}

/* A slot, under a name of ours until the server has given an id. */
static bool take_slot(PairStep *step, OutgoingEntry *entry, const ChallengeRequest *request,
                      int64_t timeout_ms, Error *err)
{
    Slots *slots = step->pairing->slots;
    int at = (int)(entry - step->pairing->outgoing.entries);
    text_format(entry->id, sizeof entry->id, "ours%d", at);
    const SlotsKind kind = slots_kind_of(request);
    if (slots_hold(slots, entry->id, kind, slots_player(text_of(request->opponent), request->kind),
                   step->now.ms + timeout_ms + HOLD_SPARE_MS))
        return true;
    error_set(err, ERR_NOT_NOW, "all %d slots are taken", slots_limit(slots, kind));
    return false;
}

bool outgoing_begin(PairStep *step, const ChallengeRequest *request, int64_t timeout_ms,
                    OutgoingOwner owner, Error *err)
{
    OutgoingEntry *entry = free_entry(&step->pairing->outgoing);
    PairNote note = { .kind = PAIR_NOTE_OUTGOING_CREATED, .request = *request };
    if (!is_possible(step, entry, request, err) ||
        !take_slot(step, entry, request, timeout_ms, err))
        return false;
    entry->request = *request;
    entry->owner = owner;
    entry->timeout_ms = timeout_ms;
    PairRequest *create = pair_request(step, PAIR_ASK_CREATE, "");
    create->challenge = &entry->request;
    entry->stream = create->ticket;
    entry->cancel = 0;
    enter_state(step, entry, OUTGOING_CREATING);
    pair_note(step, &note, "");
    return true;
}

void outgoing_withdraw(PairStep *step, OutgoingOwner owner)
{
    for (int i = 0; i < OUTGOING_MAX; i++) {
        OutgoingEntry *entry = &step->pairing->outgoing.entries[i];
        if (entry->owner.kind != owner.kind || entry->owner.number != owner.number)
            continue;
        if (entry->state == OUTGOING_CREATING)
            enter_state(step, entry, OUTGOING_WITHDRAWN);
        else if (entry->state == OUTGOING_OPEN)
            cancel(step, entry);
    }
}

static OutgoingEntry *find_entry(PairStep *step, const char *id)
{
    for (int i = 0; i < OUTGOING_MAX; i++) {
        OutgoingEntry *entry = &step->pairing->outgoing.entries[i];
        if ((entry->state == OUTGOING_OPEN || entry->state == OUTGOING_ANSWERED ||
             entry->state == OUTGOING_CANCELLING) &&
            strcmp(entry->id, id) == 0)
            return entry;
    }
    return NULL;
}

void outgoing_started(PairStep *step, const char *id)
{
    OutgoingEntry *entry = find_entry(step, id);
    if (entry)
        finish_as(step, entry, OUTGOING_ACCEPTED, DECLINE_UNKNOWN);
}

void outgoing_declined(PairStep *step, const Challenge *challenge)
{
    Outgoing *outgoing = &step->pairing->outgoing;
    OutgoingEntry *entry = find_entry(step, challenge->id);
    if (entry) {
        finish_as(step, entry, OUTGOING_DECLINED, challenge->decline_reason);
        return;
    }
    OutgoingRecent *recent = &outgoing->recent[outgoing->recent_next];
    outgoing->recent_next = (outgoing->recent_next + 1) % OUTGOING_RECENT_MAX;
    memcpy(recent->id, challenge->id, sizeof recent->id);
    recent->reason = challenge->decline_reason;
}

void outgoing_canceled(PairStep *step, const char *id)
{
    OutgoingEntry *entry = find_entry(step, id);
    if (entry && entry->state == OUTGOING_OPEN)
        finish_as(step, entry, OUTGOING_UNANSWERED, DECLINE_UNKNOWN);
}

int outgoing_count(const Outgoing *outgoing, SlotsKind kind)
{
    int count = 0;
    for (int i = 0; i < OUTGOING_MAX; i++)
        count += outgoing->entries[i].state != OUTGOING_FREE &&
                 slots_kind_of(&outgoing->entries[i].request) == kind;
    return count;
}
