/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/game/slots.h"

#include <assert.h>
#include <string.h>

static int list_find(const LedgerList *list, const char *id)
{
    for (int i = 0; i < list->count; i++) {
        if (strcmp(list->entries[i].id, id) == 0)
            return i;
    }
    return -1;
}

static bool list_has(const LedgerList *list, const char *id)
{
    return list_find(list, id) >= 0;
}

static void list_add(LedgerList *list, const LedgerEntry *entry)
{
    assert(list->count < LEDGER_GAMES_MAX);
    list->entries[list->count++] = *entry;
}

static LedgerEntry entry_of(const char *id, LedgerPlayer player, int64_t until_ms)
{
    LedgerEntry entry = { .player = player, .until_ms = until_ms };
    assert(strlen(id) < GAME_ID_SIZE);
    memcpy(entry.id, id, strlen(id) + 1);
    return entry;
}

static void list_remove_at(LedgerList *list, int at)
{
    list->count--;
    memmove(&list->entries[at], &list->entries[at + 1],
            (size_t)(list->count - at) * sizeof *list->entries);
}

static bool list_remove(LedgerList *list, const char *id)
{
    int at = list_find(list, id);
    if (at >= 0)
        list_remove_at(list, at);
    return at >= 0;
}

static bool is_finished(const Ledger *ledger, const char *id)
{
    for (int i = 0; i < LEDGER_FINISHED_MAX; i++) {
        if (strcmp(ledger->finished[i], id) == 0)
            return true;
    }
    return false;
}

static int count_bots(const LedgerList *list)
{
    int count = 0;
    for (int i = 0; i < list->count; i++)
        count += list->entries[i].player.is_bot && list->entries[i].kind == LEDGER_REALTIME;
    return count;
}

static bool has_free_slot(const Ledger *ledger, LedgerKind kind, bool for_bot)
{
    const LedgerSlots *slots = &ledger->slots;
    int bots = count_bots(&ledger->games) + count_bots(&ledger->accepted);
    bool is_kept = kind == LEDGER_REALTIME && for_bot &&
                   bots >= slots->of_kind[LEDGER_REALTIME] - slots->for_humans;
    return ledger_slots_used(ledger, kind) < slots->of_kind[kind] &&
           ledger->accepted.count < LEDGER_GAMES_MAX && !is_kept;
}

/* Whose turn it is among those who wait; -1: nobody's, for want of a slot. */
static int next_in_line(const Ledger *ledger)
{
    int best = -1;
    for (int i = 0; i < ledger->waiting.count; i++) {
        const LedgerEntry *entry = &ledger->waiting.entries[i];
        if (has_free_slot(ledger, entry->kind, entry->player.is_bot) &&
            (best < 0 || entry->rank > ledger->waiting.entries[best].rank))
            best = i;
    }
    return best;
}

void ledger_init(Ledger *ledger, LedgerSlots slots)
{
    memset(ledger, 0, sizeof *ledger);
    ledger_resize(ledger, slots);
}

void ledger_resize(Ledger *ledger, LedgerSlots slots)
{
    ledger->slots = slots;
}

LedgerPlayer ledger_player(Text id, bool is_bot)
{
    LedgerPlayer player = { .is_bot = is_bot };
    if (id.len < sizeof player.id && id.len > 0)
        memcpy(player.id, id.at, id.len);
    return player;
}

LedgerGame ledger_game_started(Ledger *ledger, const char *id, LedgerKind kind, LedgerPlayer player)
{
    if (list_has(&ledger->games, id))
        return LEDGER_KNOWN;
    if (is_finished(ledger, id))
        return LEDGER_FINISHED;
    if (ledger->games.count == LEDGER_GAMES_MAX)
        return LEDGER_FULL;
    list_remove(&ledger->accepted, id);
    list_remove(&ledger->waiting, id);
    LedgerEntry game = entry_of(id, player, INT64_MAX);
    game.kind = kind;
    list_add(&ledger->games, &game);
    return LEDGER_NEW;
}

void ledger_game_over(Ledger *ledger, const char *id)
{
    list_remove(&ledger->games, id);
    memcpy(ledger->finished[ledger->finished_next], id, strlen(id) + 1);
    ledger->finished_next = (ledger->finished_next + 1) % LEDGER_FINISHED_MAX;
}

void ledger_game_dropped(Ledger *ledger, const char *id)
{
    list_remove(&ledger->games, id);
}

bool ledger_plays(const Ledger *ledger, const char *id)
{
    return list_has(&ledger->games, id);
}

/* The one that waits at `at` is accepted. */
static void take_slot(Ledger *ledger, int at, int64_t now_ms)
{
    LedgerEntry entry = ledger->waiting.entries[at];
    list_remove_at(&ledger->waiting, at);
    entry.until_ms = now_ms + LEDGER_LEASE_MS;
    list_add(&ledger->accepted, &entry);
}

LedgerOffer ledger_offer(Ledger *ledger, const char *id, const LedgerTerms *terms, int64_t now_ms)
{
    if (list_has(&ledger->accepted, id) || list_has(&ledger->waiting, id) ||
        list_has(&ledger->games, id) || is_finished(ledger, id))
        return LEDGER_DUPLICATE;
    if (ledger->waiting.count == LEDGER_WAITING_MAX)
        return LEDGER_NO_ROOM;
    int64_t until_ms = terms->kind == LEDGER_REALTIME ? now_ms + LEDGER_STALE_MS : INT64_MAX;
    LedgerEntry entry = entry_of(id, terms->player, until_ms);
    entry.kind = terms->kind;
    entry.rank = terms->rank;
    list_add(&ledger->waiting, &entry);
    int at = ledger->waiting.count - 1;
    if (terms->must_wait || next_in_line(ledger) != at)
        return LEDGER_WAITS;
    take_slot(ledger, at, now_ms);
    return LEDGER_TAKEN;
}

bool ledger_hold(Ledger *ledger, const char *id, LedgerPlayer player, int64_t until_ms)
{
    if (!has_free_slot(ledger, LEDGER_REALTIME, player.is_bot))
        return false;
    LedgerEntry entry = entry_of(id, player, until_ms);
    list_add(&ledger->accepted, &entry);
    return true;
}

bool ledger_forget(Ledger *ledger, const char *id)
{
    return list_remove(&ledger->accepted, id) || list_remove(&ledger->waiting, id);
}

bool ledger_next(Ledger *ledger, char id[GAME_ID_SIZE], int64_t now_ms)
{
    int at = next_in_line(ledger);
    if (at < 0)
        return false;
    memcpy(id, ledger->waiting.entries[at].id, GAME_ID_SIZE);
    take_slot(ledger, at, now_ms);
    return true;
}

static int count_player(const LedgerList *list, const char *player_id, const char *except_id)
{
    int count = 0;
    for (int i = 0; i < list->count; i++)
        count += strcmp(list->entries[i].player.id, player_id) == 0 &&
                 strcmp(list->entries[i].id, except_id) != 0;
    return count;
}

LedgerCounts ledger_count_player(const Ledger *ledger, const char *player_id, const char *except_id)
{
    if (player_id[0] == '\0')
        return (LedgerCounts){ 0 };
    return (LedgerCounts){
        .running = count_player(&ledger->games, player_id, except_id),
        .pending = count_player(&ledger->accepted, player_id, except_id) +
                   count_player(&ledger->waiting, player_id, except_id),
    };
}

int ledger_place(const Ledger *ledger, const char *player_id)
{
    const LedgerList *waiting = &ledger->waiting;
    int best = -1, place = 1;
    if (player_id[0] == '\0')
        return 0;
    for (int i = 0; i < waiting->count; i++) {
        bool is_his = strcmp(waiting->entries[i].player.id, player_id) == 0;
        if (is_his && (best < 0 || waiting->entries[i].rank > waiting->entries[best].rank))
            best = i;
    }
    if (best < 0)
        return 0;
    for (int i = 0; i < waiting->count; i++) {
        int64_t rank = waiting->entries[i].rank, his = waiting->entries[best].rank;
        place += rank > his || (rank == his && i < best);
    }
    return place;
}

static bool expire_in(LedgerList *list, char id[GAME_ID_SIZE], int64_t now_ms)
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

bool ledger_expire(Ledger *ledger, char id[GAME_ID_SIZE], int64_t now_ms)
{
    return expire_in(&ledger->accepted, id, now_ms) || expire_in(&ledger->waiting, id, now_ms);
}

static int64_t earliest(const LedgerList *list, int64_t next)
{
    for (int i = 0; i < list->count; i++) {
        if (list->entries[i].until_ms < next)
            next = list->entries[i].until_ms;
    }
    return next;
}

int64_t ledger_next_at_ms(const Ledger *ledger)
{
    return earliest(&ledger->accepted, earliest(&ledger->waiting, INT64_MAX));
}

int ledger_count(const LedgerList *list, LedgerKind kind)
{
    int count = 0;
    for (int i = 0; i < list->count; i++)
        count += list->entries[i].kind == kind;
    return count;
}
