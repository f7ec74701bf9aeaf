/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/pairing/arenas.h"

#include "bot/pairing/arena_facts.h"
#include "bot/pairing/arena_requests.h"
#include "bot/pairing/waiting.h"
#include "engine/base/minmax.h"

#include <string.h>

void arenas_init(Arenas *arenas)
{
    arenas->look_ms = INT64_MAX;
}

/* Entries. */

static ArenaEntry *find_arena(Arenas *arenas, Text id)
{
    for (int i = 0; i < ARENAS_MAX; i++)
        if (arenas->entries[i].is_used && text_is(id, arenas->entries[i].spec.id))
            return &arenas->entries[i];
    return NULL;
}

static ArenaEntry *add_arena(PairStep *step, const ArenaSpec *spec, ArenaFrom from, bool is_in)
{
    PairNote no_room = { .kind = PAIR_NOTE_ARENA_NO_ROOM };
    for (int i = 0; i < ARENAS_MAX; i++) {
        ArenaEntry *entry = &step->pairing->arenas.entries[i];
        if (entry->is_used)
            continue;
        *entry = (ArenaEntry){ .is_used = true, .spec = *spec, .from = from };
        arena_init(&entry->arena, is_in);
        return entry;
    }
    memcpy(no_room.id, spec->id, sizeof no_room.id);
    pair_note(step, &no_room, "too many tournaments at once");
    return NULL;
}

static void drop(PairStep *step, ArenaEntry *entry)
{
    const Arena *arena = &entry->arena;
    PairNote left = { .kind = PAIR_NOTE_ARENA_LEFT };
    bool was_asked = arena->before == ARENA_LEAVING;
    memcpy(left.id, entry->spec.id, sizeof left.id);
    memcpy(left.name, entry->name, sizeof left.name);
    pair_note(step, &left, arena->why);
    arena_facts_done(step, entry);
    arena_requests_tell(step, entry, was_asked, was_asked ? entry->name : arena->why);
    pair_hang_up(step, &entry->ticket);
    entry->is_used = false;
}

/* What is wanted. */

/* One that is here, or was remembered while the facts came late, is not taken up again. */
static void arenas_on_fact(void *user, const Fact *fact)
{
    PairStep *step = user;
    ArenaSpec spec;
    ArenaFrom from;
    if (arena_facts_read(fact, &spec, &from) &&
        !find_arena(&step->pairing->arenas, text_of(spec.id)))
        (void)add_arena(step, &spec, from, true);
}

static void recall(PairStep *step)
{
    facts_each(step->view->facts, fact_prefix(FACT_ARENA), step->now.unix_ms, arenas_on_fact, step);
}

/* True if the configuration has us in it no more. */
static bool is_unnamed(const ArenaEntry *entry, const Config *config)
{
    switch (entry->from) {
    case ARENA_FROM_CONFIG:
        return !arena_specs_find(&config->tournaments.join, entry->spec.id);
    case ARENA_FROM_TEAM:
        return !team_list_has(&config->tournaments.teams, entry->spec.team);
    case ARENA_FROM_HAND:
    case ARENA_FROM_COUNT:
        break;
    }
    return false;
}

void arenas_follow(PairStep *step)
{
    Arenas *arenas = &step->pairing->arenas;
    const Config *config = step->view->config;
    const ArenaSpecList *specs = &config->tournaments.join;
    if (step->view->our_id[0] == '\0')
        return;
    if (!arenas->has_begun)
        recall(step);
    arenas->has_begun = true;
    for (int i = 0; i < ARENAS_MAX; i++)
        if (arenas->entries[i].is_used && is_unnamed(&arenas->entries[i], config))
            arena_leave(&arenas->entries[i].arena);
    for (int i = 0; i < specs->count; i++) {
        ArenaEntry *entry = find_arena(arenas, text_of(specs->at[i].id));
        if (entry)
            entry->spec = specs->at[i];
        else if (!arena_facts_are_out(step, text_of(specs->at[i].id)))
            (void)add_arena(step, &specs->at[i], ARENA_FROM_CONFIG, false);
    }
}

void arenas_recall(PairStep *step)
{
    if (!step->pairing->arenas.has_begun)
        return; /* arenas_follow() will ask */
    recall(step);
    arenas_follow(step);
}

/* The entry of the tournament; NULL and an Error when nothing can be done for it now. */
static ArenaEntry *take_order(PairStep *step, const ArenaSpec *spec, bool is_in, Error *err)
{
    Arenas *arenas = &step->pairing->arenas;
    ArenaEntry *entry = find_arena(arenas, text_of(spec->id));
    if (!arenas->has_begun) {
        error_set(err, ERR_NOT_NOW, "castled is not online yet");
        return NULL;
    }
    if (entry && entry->order != 0) {
        error_set(err, ERR_NOT_NOW, "a request for that one is under way");
        return NULL;
    }
    if (!entry)
        entry = add_arena(step, spec, ARENA_FROM_HAND, is_in);
    if (!entry)
        error_set(err, ERR_NOT_NOW, "%d tournaments at once are the maximum", ARENAS_MAX);
    return entry;
}

/* By the next step, which is due at once. */
static void begin_order(PairStep *step, ArenaEntry *entry, uint32_t order)
{
    entry->due_ms = 0;
    entry->order = order;
    step->pairing->arenas.look_ms = step->now.ms;
}

bool arenas_join(PairStep *step, const ArenaSpec *spec, uint32_t order, Error *err)
{
    if (step->view->is_draining) {
        error_set(err, ERR_NOT_NOW, "castled is draining: no more games");
        return false;
    }
    ArenaEntry *entry = take_order(step, spec, false, err);
    if (!entry)
        return false;
    if (entry->arena.phase != ARENA_WANTED) {
        error_set(err, ERR_NOT_NOW, "we are in that one already");
        return false;
    }
    entry->spec = *spec;
    begin_order(step, entry, order);
    return true;
}

bool arenas_leave(PairStep *step, const ArenaSpec *spec, uint32_t order, Error *err)
{
    ArenaEntry *entry = take_order(step, spec, true, err);
    if (!entry)
        return false;
    arena_leave(&entry->arena);
    begin_order(step, entry, order);
    return true;
}

/* Those of teams. */

bool arenas_know(const PairStep *step, const char *id)
{
    return find_arena(&step->pairing->arenas, text_of(id)) ||
           arena_facts_are_out(step, text_of(id));
}

int arenas_at_once(const Arenas *arenas, int64_t starts_ms, int64_t ends_ms)
{
    int count = 0;
    for (int i = 0; i < ARENAS_MAX; i++) {
        const Arena *arena = &arenas->entries[i].arena;
        bool is_wanted = arena->phase == ARENA_WANTED || arena->phase == ARENA_IN;
        count += arenas->entries[i].is_used && is_wanted && arena->starts_ms < ends_ms &&
                 arena->ends_ms > starts_ms;
    }
    return count;
}

void arenas_join_for_team(PairStep *step, const ArenaSpec *spec, int64_t starts_ms, int64_t ends_ms)
{
    ArenaEntry *entry =
        arenas_know(step, spec->id) ? NULL : add_arena(step, spec, ARENA_FROM_TEAM, false);
    if (entry)
        arena_expect(&entry->arena, starts_ms, ends_ms);
}

/* What happens to them. */

void arenas_game_started(PairStep *step, const GameInfo *info)
{
    ArenaEntry *entry = find_arena(&step->pairing->arenas, info->tournament_id);
    if (entry)
        memcpy(entry->game_id, info->id, sizeof entry->game_id);
}

void arenas_game_finished(PairStep *step, const GameInfo *info)
{
    for (int i = 0; i < ARENAS_MAX; i++) {
        ArenaEntry *entry = &step->pairing->arenas.entries[i];
        if (!entry->is_used || strcmp(entry->game_id, info->id) != 0)
            continue;
        bool we_have_lost = info->winner != COLOUR_NONE && info->winner != info->our_colour;
        arena_game_over(&entry->arena, info->status, we_have_lost, step->now.ms);
    }
}

void arenas_answered(PairStep *step, uint32_t ticket, PairAsk ask, const ApiAnswer *answer)
{
    for (int i = 0; i < ARENAS_MAX; i++) {
        ArenaEntry *entry = &step->pairing->arenas.entries[i];
        if (!entry->is_used || entry->ticket != ticket)
            continue;
        arena_requests_answered(step, entry, ask, answer);
        return;
    }
}

/* Returns when to tend it again. */
static int64_t tend(PairStep *step, ArenaEntry *entry)
{
    int64_t at = arena_requests_send(step, entry);
    if (entry->arena.phase == ARENA_OUT) {
        drop(step, entry);
        return INT64_MAX;
    }
    return int64_min(at, arena_turns_on_ms(&entry->arena, step->now.ms));
}

static bool is_any_on(const Arenas *arenas, int64_t now_ms)
{
    for (int i = 0; i < ARENAS_MAX; i++)
        if (arenas->entries[i].is_used && arena_is_on(&arenas->entries[i].arena, now_ms))
            return true;
    return false;
}

void arenas_turn(PairStep *step)
{
    Arenas *arenas = &step->pairing->arenas;
    bool is_on = is_any_on(arenas, step->now.ms);
    if (is_on == arenas->is_on)
        return;
    arenas->is_on = is_on;
    if (is_on)
        waiting_send_away(step, "in a tournament");
    else
        waiting_serve(step);
}

void arenas_tend(PairStep *step)
{
    Arenas *arenas = &step->pairing->arenas;
    arenas->look_ms = INT64_MAX;
    for (int i = 0; i < ARENAS_MAX && arenas->has_begun; i++) {
        ArenaEntry *entry = &arenas->entries[i];
        if (!entry->is_used)
            continue;
        int64_t at = pair_has_room(step) ? tend(step, entry) : step->now.ms;
        arenas->look_ms = int64_min(arenas->look_ms, at);
    }
    arenas_turn(step);
}

int64_t arenas_next_at_ms(const Arenas *arenas)
{
    return arenas->look_ms;
}

bool arenas_are_on(const Arenas *arenas)
{
    return arenas->is_on;
}

void arenas_each(const Arenas *arenas, void (*on_each)(void *user, const ArenaEntry *entry),
                 void *user)
{
    for (int i = 0; i < ARENAS_MAX; i++)
        if (arenas->entries[i].is_used)
            on_each(user, &arenas->entries[i]);
}
