/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/game/slots.h"

#include "engine/base/check.h"

#include <string.h>

/* A time at which nobody had been unseen for long. */
#define WHENEVER (INT64_MIN / 2)

static int list_find(const SlotsList *list, const char *id)
{
    for (int i = 0; i < list->count; i++) {
        if (strcmp(list->entries[i].id, id) == 0)
            return i;
    }
    return -1;
}

static bool list_has(const SlotsList *list, const char *id)
{
    return list_find(list, id) >= 0;
}

static void list_add(SlotsList *list, const SlotsEntry *entry)
{
    CHECK(list->count < SLOTS_GAMES_MAX);
    list->entries[list->count++] = *entry;
}

static SlotsEntry entry_of(const char *id, SlotsPlayer player, int64_t until_ms)
{
    SlotsEntry entry = { .player = player, .until_ms = until_ms };
    CHECK(strlen(id) < GAME_ID_SIZE);
    memcpy(entry.id, id, strlen(id) + 1);
    return entry;
}

static void list_remove_at(SlotsList *list, int at)
{
    list->count--;
    memmove(&list->entries[at], &list->entries[at + 1],
            (size_t)(list->count - at) * sizeof *list->entries);
}

static bool list_remove(SlotsList *list, const char *id)
{
    int at = list_find(list, id);
    if (at >= 0)
        list_remove_at(list, at);
    return at >= 0;
}

static bool is_finished(const Slots *slots, const char *id)
{
    for (int i = 0; i < SLOTS_FINISHED_MAX; i++) {
        if (strcmp(slots->finished[i], id) == 0)
            return true;
    }
    return false;
}

static int count_bots(const SlotsList *list)
{
    int count = 0;
    for (int i = 0; i < list->count; i++)
        count +=
            list->entries[i].player.kind == KIND_BOT && list->entries[i].kind == SLOTS_REALTIME;
    return count;
}

int slots_running(const Slots *slots, SlotsKind kind)
{
    return slots_count(&slots->games, kind);
}

int slots_limit(const Slots *slots, SlotsKind kind)
{
    return slots->limits.of_kind[kind];
}

const SlotsList *slots_waiting(const Slots *slots)
{
    return &slots->waiting;
}

const char *slots_accepted_player(const Slots *slots, const char *id)
{
    int at = list_find(&slots->accepted, id);
    return at >= 0 ? slots->accepted.entries[at].player.id : "";
}

bool slots_has_free(const Slots *slots, SlotsKind kind, OpponentKind opponent)
{
    const SlotLimits *limits = &slots->limits;
    int bots = count_bots(&slots->games) + count_bots(&slots->accepted);
    bool is_kept = kind == SLOTS_REALTIME && opponent == KIND_BOT &&
                   bots >= limits->of_kind[SLOTS_REALTIME] - limits->for_humans;
    return slots_used(slots, kind) < limits->of_kind[kind] &&
           slots->accepted.count < SLOTS_GAMES_MAX && !is_kept;
}

/* The challenge of this player that is being accepted, without an answer yet; -1: none. */
static int being_accepted(const Slots *slots, const char *player_id)
{
    for (int i = 0; i < slots->accepted.count && player_id[0] != '\0'; i++) {
        const SlotsEntry *entry = &slots->accepted.entries[i];
        if (entry->until_ms == INT64_MAX && !entry->is_rematch &&
            strcmp(entry->player.id, player_id) == 0)
            return i;
    }
    return -1;
}

/* A game that lasts for days keeps nobody waiting. */
static bool must_follow(const Slots *slots, const SlotsEntry *entry)
{
    if (entry->after[0] == '\0')
        return false;
    int game = list_find(&slots->games, entry->after);
    return list_has(&slots->accepted, entry->after) ||
           (game >= 0 && slots->games.entries[game].kind == SLOTS_REALTIME);
}

bool slots_owner_may_be_absent(const SlotsEntry *entry, int64_t now_ms)
{
    return entry->kind == SLOTS_REALTIME && !entry->is_rematch &&
           now_ms - entry->seen_ms > SLOTS_UNSEEN_MS;
}

/* Whose turn it is among those who wait and are there, and were seen at `seen_at_ms` (WHENEVER:
 * whenever); -1: none, or no slot. */
static int next_in_line(const Slots *slots, int64_t seen_at_ms)
{
    int best = -1;
    for (int i = 0; i < slots->waiting.count; i++) {
        const SlotsEntry *entry = &slots->waiting.entries[i];
        if (!entry->is_away && !must_follow(slots, entry) &&
            !slots_owner_may_be_absent(entry, seen_at_ms) &&
            slots_has_free(slots, entry->kind, entry->player.kind) &&
            (best < 0 || entry->rank > slots->waiting.entries[best].rank))
            best = i;
    }
    return best;
}

void slots_init(Slots *slots, SlotLimits limits)
{
    memset(slots, 0, sizeof *slots);
    slots_resize(slots, limits);
}

void slots_resize(Slots *slots, SlotLimits limits)
{
    slots->limits = limits;
}

SlotsPlayer slots_player(Text id, OpponentKind kind)
{
    SlotsPlayer player = { .kind = kind };
    text_copy(player.id, sizeof player.id, id);
    return player;
}

SlotsGame slots_game_started(Slots *slots, const char *id, SlotsKind kind, SlotsPlayer player)
{
    if (list_has(&slots->games, id))
        return SLOTS_KNOWN;
    if (is_finished(slots, id))
        return SLOTS_FINISHED;
    if (slots->games.count == SLOTS_GAMES_MAX)
        return SLOTS_FULL;
    int accepted = list_find(&slots->accepted, id);
    SlotsEntry game = entry_of(id, player, INT64_MAX);
    game.kind = kind;
    game.is_unseen = accepted >= 0 && slots->accepted.entries[accepted].is_unseen;
    list_remove(&slots->accepted, id);
    list_remove(&slots->waiting, id);
    list_add(&slots->games, &game);
    return SLOTS_NEW;
}

void slots_game_over(Slots *slots, const char *id)
{
    list_remove(&slots->games, id);
    memcpy(slots->finished[slots->finished_next], id, strlen(id) + 1);
    slots->finished_next = (slots->finished_next + 1) % SLOTS_FINISHED_MAX;
}

void slots_game_dropped(Slots *slots, const char *id)
{
    list_remove(&slots->games, id);
}

bool slots_plays(const Slots *slots, const char *id)
{
    return list_has(&slots->games, id);
}

/* The one that waits at `at` is accepted. */
static void take_slot(Slots *slots, int at, int64_t now_ms)
{
    SlotsEntry entry = slots->waiting.entries[at];
    list_remove_at(&slots->waiting, at);
    entry.until_ms = INT64_MAX;
    entry.is_unseen = slots_owner_may_be_absent(&entry, now_ms);
    list_add(&slots->accepted, &entry);
}

/* Drops one whose owner is away; false: all are there. */
static bool make_room(Slots *slots)
{
    for (int i = 0; i < slots->waiting.count; i++) {
        if (!slots->waiting.entries[i].is_away)
            continue;
        list_remove_at(&slots->waiting, i);
        return true;
    }
    return false;
}

/* How long it may wait. */
static int64_t waits_until_ms(const SlotsEntry *entry)
{
    if (entry->kind != SLOTS_REALTIME)
        return INT64_MAX;
    return entry->is_rematch ? entry->offered_ms + SLOTS_REMATCH_WAIT_MS
                             : entry->seen_ms + SLOTS_WAIT_MOST_MS;
}

SlotsOffer slots_offer(Slots *slots, const char *id, const SlotsTerms *terms, int64_t now_ms)
{
    int waits = list_find(&slots->waiting, id);
    if (waits >= 0) {
        slots->waiting.entries[waits].seen_ms = now_ms;
        slots->waiting.entries[waits].is_away = false;
    }
    if (slots_knows(slots, id))
        return SLOTS_DUPLICATE;
    if (slots->waiting.count == SLOTS_WAITING_MAX && !make_room(slots))
        return SLOTS_NO_ROOM;
    SlotsEntry entry = entry_of(id, terms->player, 0);
    entry.seen_ms = now_ms;
    entry.kind = terms->kind;
    entry.wanted = terms->wanted;
    entry.offered_ms = now_ms;
    entry.rank = terms->rank;
    entry.is_rematch = terms->is_rematch;
    entry.until_ms = waits_until_ms(&entry);
    int earlier = being_accepted(slots, terms->player.id);
    if (earlier >= 0 && !terms->is_rematch)
        memcpy(entry.after, slots->accepted.entries[earlier].id, sizeof entry.after);
    list_add(&slots->waiting, &entry);
    int at = slots->waiting.count - 1;
    if (must_follow(slots, &entry))
        return SLOTS_QUEUED_BEHIND;
    if (terms->must_wait || next_in_line(slots, WHENEVER) != at)
        return SLOTS_WAITS;
    take_slot(slots, at, now_ms);
    return SLOTS_TAKEN;
}

bool slots_hold(Slots *slots, const char *id, SlotsKind kind, SlotsPlayer player, int64_t until_ms)
{
    if (!slots_has_free(slots, kind, player.kind))
        return false;
    SlotsEntry entry = entry_of(id, player, until_ms);
    entry.kind = kind;
    list_add(&slots->accepted, &entry);
    return true;
}

void slots_bind_hold(Slots *slots, const char *name, const char *id, SlotsPlayer player,
                     int64_t until_ms)
{
    int at = list_find(&slots->accepted, name);
    if (at < 0)
        return;
    SlotsEntry entry = entry_of(id, player, until_ms);
    entry.kind = slots->accepted.entries[at].kind;
    slots->accepted.entries[at] = entry;
}

bool slots_forget(Slots *slots, const char *id)
{
    return list_remove(&slots->accepted, id) || list_remove(&slots->waiting, id);
}

bool slots_replace(Slots *slots, const char *player_id, const char *id, char replaced[GAME_ID_SIZE])
{
    for (int i = 0; i < slots->waiting.count && player_id[0] != '\0'; i++) {
        const SlotsEntry *entry = &slots->waiting.entries[i];
        if (entry->is_rematch || strcmp(entry->player.id, player_id) != 0 ||
            strcmp(entry->id, id) == 0)
            continue;
        memcpy(replaced, entry->id, GAME_ID_SIZE);
        return slots_forget(slots, replaced);
    }
    return false;
}

static const SlotsEntry *peek(const Slots *slots, int64_t seen_at_ms)
{
    int at = next_in_line(slots, seen_at_ms);
    return at < 0 ? NULL : &slots->waiting.entries[at];
}

const SlotsEntry *slots_peek(const Slots *slots)
{
    return peek(slots, WHENEVER);
}

const SlotsEntry *slots_peek_seen(const Slots *slots, int64_t now_ms)
{
    return peek(slots, now_ms);
}

void slots_take(Slots *slots, const char *id, int64_t now_ms)
{
    int at = list_find(&slots->waiting, id);
    CHECK(at >= 0);
    take_slot(slots, at, now_ms);
}

bool slots_knows(const Slots *slots, const char *id)
{
    return list_has(&slots->waiting, id) || list_has(&slots->accepted, id) ||
           list_has(&slots->games, id) || is_finished(slots, id);
}

void slots_granted(Slots *slots, const char *id, int64_t now_ms)
{
    int at = list_find(&slots->accepted, id);
    if (at < 0)
        return;
    slots->accepted.entries[at].until_ms = now_ms + SLOTS_LEASE_MS;
    slots->accepted.entries[at].start_by_ms = now_ms + SLOTS_START_MS;
}

bool slots_miss_start(Slots *slots, int64_t now_ms)
{
    bool misses = false;
    for (int i = 0; i < slots->accepted.count; i++) {
        SlotsEntry *entry = &slots->accepted.entries[i];
        if (entry->start_by_ms == 0 || entry->start_by_ms > now_ms)
            continue;
        entry->start_by_ms = 0;
        misses = true;
    }
    return misses;
}

static bool is_followed(const Slots *slots, const char *id)
{
    for (int i = 0; i < slots->waiting.count; i++)
        if (strcmp(slots->waiting.entries[i].after, id) == 0)
            return true;
    return false;
}

void slots_return(Slots *slots, const char *id)
{
    SlotsList *waiting = &slots->waiting;
    int at = list_find(&slots->accepted, id);
    if (at < 0)
        return;
    SlotsEntry entry = slots->accepted.entries[at];
    list_remove_at(&slots->accepted, at);
    if (is_followed(slots, id))
        return;
    if (waiting->count == SLOTS_WAITING_MAX && !make_room(slots))
        waiting->count--; /* the latest comer gives way */
    entry.until_ms = waits_until_ms(&entry);
    memmove(&waiting->entries[1], &waiting->entries[0],
            (size_t)waiting->count * sizeof *waiting->entries);
    waiting->entries[0] = entry;
    waiting->count++;
}

void slots_update_presence(Slots *slots, bool (*is_open)(void *user, const char *id), void *user,
                           int64_t asked_ms, int64_t now_ms)
{
    for (int i = 0; i < slots->waiting.count; i++) {
        SlotsEntry *entry = &slots->waiting.entries[i];
        if (entry->kind != SLOTS_REALTIME || entry->is_rematch)
            continue;
        bool is_there = is_open(user, entry->id);
        if (is_there)
            entry->seen_ms = now_ms;
        entry->is_away = !is_there && entry->seen_ms < asked_ms;
    }
}

bool slots_next_is_absent(const Slots *slots)
{
    for (int i = 0; i < slots->waiting.count; i++) {
        const SlotsEntry *entry = &slots->waiting.entries[i];
        if (entry->is_away && !must_follow(slots, entry) &&
            slots_has_free(slots, entry->kind, entry->player.kind))
            return true;
    }
    return false;
}

bool slots_game_is_unseen(const Slots *slots, const char *id)
{
    int at = list_find(&slots->games, id);
    return at >= 0 && slots->games.entries[at].is_unseen;
}

static int count_player(const SlotsList *list, const char *player_id, const char *except_id)
{
    int count = 0;
    for (int i = 0; i < list->count; i++)
        count += strcmp(list->entries[i].player.id, player_id) == 0 &&
                 strcmp(list->entries[i].id, except_id) != 0;
    return count;
}

SlotsCounts slots_count_player(const Slots *slots, const char *player_id, const char *except_id)
{
    if (player_id[0] == '\0')
        return (SlotsCounts){ 0 };
    int earlier = being_accepted(slots, player_id);
    return (SlotsCounts){
        .running = count_player(&slots->games, player_id, except_id),
        .pending = count_player(&slots->accepted, player_id, except_id) +
                   count_player(&slots->waiting, player_id, except_id) -
                   (earlier >= 0 && strcmp(slots->accepted.entries[earlier].id, except_id) != 0),
    };
}

int slots_place(const Slots *slots, const char *player_id)
{
    const SlotsList *waiting = &slots->waiting;
    int best = -1, place = 1;
    if (player_id[0] == '\0')
        return 0;
    for (int i = 0; i < waiting->count; i++) {
        bool is_theirs = strcmp(waiting->entries[i].player.id, player_id) == 0;
        if (is_theirs && (best < 0 || waiting->entries[i].rank > waiting->entries[best].rank))
            best = i;
    }
    if (best < 0)
        return 0;
    for (int i = 0; i < waiting->count; i++) {
        int64_t rank = waiting->entries[i].rank, theirs = waiting->entries[best].rank;
        place += rank > theirs || (rank == theirs && i < best);
    }
    return place;
}

static bool expire_in(SlotsList *list, char id[GAME_ID_SIZE], int64_t now_ms)
{
    for (int i = 0; i < list->count; i++) {
        if (list->entries[i].until_ms > now_ms)
            continue;
        memcpy(id, list->entries[i].id, GAME_ID_SIZE);
        list_remove_at(list, i);
        return true;
    }
    return false;
}

SlotsExpired slots_expire(Slots *slots, char id[GAME_ID_SIZE], int64_t now_ms)
{
    if (expire_in(&slots->accepted, id, now_ms))
        return SLOTS_LEASE_EXPIRED;
    return expire_in(&slots->waiting, id, now_ms) ? SLOTS_WAIT_EXPIRED : SLOTS_NOTHING_EXPIRED;
}

static int64_t earliest(const SlotsList *list, int64_t next)
{
    for (int i = 0; i < list->count; i++) {
        const SlotsEntry *entry = &list->entries[i];
        if (entry->until_ms < next)
            next = entry->until_ms;
        if (entry->start_by_ms != 0 && entry->start_by_ms < next)
            next = entry->start_by_ms;
    }
    return next;
}

int64_t slots_next_at_ms(const Slots *slots)
{
    return earliest(&slots->accepted, earliest(&slots->waiting, INT64_MAX));
}

int slots_count(const SlotsList *list, SlotsKind kind)
{
    int count = 0;
    for (int i = 0; i < list->count; i++)
        count += list->entries[i].kind == kind;
    return count;
}
