/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/pairing/arena_requests.h"

#include "bot/pairing/arena_facts.h"
#include "engine/base/duration.h"
#include "engine/base/text_format.h"

#include <string.h>

enum {
    RETRY_FIRST_MS = 5000,
    RETRY_MOST_MS = 300000,
    RETRY_DOUBLINGS = 6,
};

static void note(PairStep *step, const ArenaEntry *entry, PairNoteKind kind, int64_t time_ms,
                 const char *why)
{
    PairNote note = { .kind = kind, .time_ms = time_ms };
    memcpy(note.id, entry->spec.id, sizeof note.id);
    memcpy(note.name, entry->name, sizeof note.name);
    pair_note(step, &note, why);
}

void arena_requests_tell(PairStep *step, ArenaEntry *entry, bool is_done, const char *text)
{
    if (entry->order == 0)
        return;
    PairEffect *effect = pair_effect(step, PAIR_DO_TELL_ARENA);
    effect->arena.order = entry->order;
    effect->arena.is_done = is_done;
    text_format_cut(effect->arena.text, sizeof effect->arena.text, "%s", text);
    entry->order = 0;
}

/* Answers. */

static void note_scope(PairStep *step, const ApiAnswer *answer)
{
    Arenas *arenas = &step->pairing->arenas;
    if (!api_answer_is_denial(answer) || arenas->is_scope_told)
        return;
    pair_note(step, &(PairNote){ .kind = PAIR_NOTE_ARENA_SCOPE_MISSING }, "");
    arenas->is_scope_told = true;
}

static void try_later(PairStep *step, ArenaEntry *entry, const char *why)
{
    int shift = entry->failures < RETRY_DOUBLINGS ? entry->failures : RETRY_DOUBLINGS;
    int64_t wait = int64_min((int64_t)RETRY_FIRST_MS << shift, RETRY_MOST_MS);
    wait = int64_max(wait, ratelimit_wait_ms(step->view->limit, FAMILY_OTHER, step->now.ms));
    entry->failures++;
    entry->due_ms = step->now.ms + wait;
    note(step, entry, PAIR_NOTE_ARENA_NO_ANSWER, wait, why);
    if (entry->arena.phase == ARENA_WANTED)
        arena_requests_tell(step, entry, false,
                            "the server did not answer; castled goes on asking, see its status");
}

static void looked(PairStep *step, ArenaEntry *entry, const ApiAnswer *answer)
{
    ArenaInfo info;
    Error err = { 0 };
    if (answer->outcome != API_OK) {
        arena_looked(&entry->arena, NULL, step->now.ms);
    } else if (arena_info_parse(&info, answer->body.at, answer->body.len, &err)) {
        memcpy(entry->name, info.name, sizeof entry->name);
        arena_looked(&entry->arena, &info, step->now.ms);
    } else {
        try_later(step, entry, err.text);
    }
}

static void joined(PairStep *step, ArenaEntry *entry)
{
    const Arena *arena = &entry->arena;
    bool is_first = arena->phase == ARENA_WANTED;
    arena_joined(&entry->arena, step->now.ms);
    if (!is_first)
        return;
    note(step, entry, PAIR_NOTE_ARENA_JOINED, duration_until(arena->starts_ms, step->now.ms), "");
    arena_facts_joined(step, entry);
    arena_requests_tell(step, entry, true, entry->name);
}

static void refused(PairStep *step, ArenaEntry *entry, const ApiAnswer *answer)
{
    ArenaOrigin origin = entry->from == ARENA_FROM_TEAM ? ARENA_FOUND : ARENA_NAMED;
    int64_t wait_ms = arena_refusal_ms(answer->status, answer->reason, answer->wait_s, origin);
    text_format_cut(entry->reason, sizeof entry->reason, "%s", answer->reason);
    note_scope(step, answer);
    if (wait_ms > 0 && entry->arena.phase == ARENA_WANTED) {
        note(step, entry, PAIR_NOTE_ARENA_WAITS, wait_ms, answer->reason);
        arena_requests_tell(step, entry, false, answer->reason);
    }
    arena_refused(&entry->arena, entry->reason, wait_ms, step->now.ms);
}

/* Without the scope we cannot withdraw, but without requests for pairings we get none. */
static void withdrawn(PairStep *step, ArenaEntry *entry, const ApiAnswer *answer)
{
    note_scope(step, answer);
    if (answer->outcome != API_OK)
        arena_requests_tell(step, entry, false, answer->reason);
    arena_left(&entry->arena);
}

void arena_requests_answered(PairStep *step, ArenaEntry *entry, PairAsk ask,
                             const ApiAnswer *answer)
{
    entry->ticket = 0;
    if (api_answer_word(answer) == API_NOT_NOW) {
        if (answer->outcome == API_UNAUTHORIZED)
            pair_effect(step, PAIR_DO_REPORT_DENIAL);
        try_later(step, entry, answer->reason);
        return;
    }
    entry->failures = 0;
    if (ask == PAIR_ASK_ARENA)
        looked(step, entry, answer);
    else if (ask == PAIR_ASK_WITHDRAW)
        withdrawn(step, entry, answer);
    else if (answer->outcome == API_OK)
        joined(step, entry);
    else
        refused(step, entry, answer);
}

/* Requests. */

static bool is_playing(const PairStep *step, const ArenaEntry *entry)
{
    return entry->game_id[0] != '\0' && slots_plays(step->pairing->slots, entry->game_id);
}

/* Its games could not all be over in time. */
static bool outlasts_us(const PairStep *step, const ArenaEntry *entry)
{
    return step->view->ends_ms != INT64_MAX && entry->arena.ends_ms > step->view->ends_ms;
}

static void ask_server(PairStep *step, ArenaEntry *entry, PairAsk what)
{
    PairRequest *request = pair_request(step, what, entry->spec.id);
    request->arena = &entry->spec;
    entry->ticket = request->ticket;
}

int64_t arena_requests_send(PairStep *step, ArenaEntry *entry)
{
    int64_t at;
    if (entry->ticket != 0)
        return INT64_MAX;
    if (entry->due_ms > step->now.ms)
        return entry->due_ms;
    switch (arena_next(&entry->arena, is_playing(step, entry), step->now.ms, &at)) {
    case ARENA_WAIT:
        return at;
    case ARENA_LOOK:
        ask_server(step, entry, PAIR_ASK_ARENA);
        break;
    case ARENA_JOIN:
        if (step->view->is_draining)
            break;
        if (outlasts_us(step, entry))
            arena_refused(&entry->arena, "it ends after castled does", 0, step->now.ms);
        else
            ask_server(step, entry, PAIR_ASK_JOIN);
        break;
    case ARENA_WITHDRAW:
        ask_server(step, entry, PAIR_ASK_WITHDRAW);
        break;
    }
    return INT64_MAX;
}
