/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/game/ledger.h"

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

static void list_add(LedgerList *list, const char *id, int64_t until_ms)
{
    assert(list->count < LEDGER_GAMES_MAX && strlen(id) < GAME_ID_SIZE);
    LedgerEntry *entry = &list->entries[list->count++];
    memcpy(entry->id, id, strlen(id) + 1);
    entry->until_ms = until_ms;
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

static bool has_free_slot(const Ledger *ledger)
{
    return ledger_slots_used(ledger) < ledger->concurrency &&
           ledger->accepted.count < LEDGER_GAMES_MAX;
}

void ledger_init(Ledger *ledger, int concurrency)
{
    memset(ledger, 0, sizeof *ledger);
    ledger->concurrency = concurrency;
}

LedgerGame ledger_game_started(Ledger *ledger, const char *id)
{
    if (list_has(&ledger->games, id))
        return LEDGER_KNOWN;
    if (is_finished(ledger, id))
        return LEDGER_FINISHED;
    if (ledger->games.count == LEDGER_GAMES_MAX)
        return LEDGER_FULL;
    list_remove(&ledger->accepted, id);
    list_remove(&ledger->waiting, id);
    list_add(&ledger->games, id, INT64_MAX);
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

static void take_slot(Ledger *ledger, const char *id, int64_t now_ms)
{
    list_add(&ledger->accepted, id, now_ms + LEDGER_LEASE_MS);
}

LedgerOffer ledger_offer(Ledger *ledger, const char *id, const LedgerTerms *terms, int64_t now_ms)
{
    if (list_has(&ledger->accepted, id) || list_has(&ledger->waiting, id) ||
        list_has(&ledger->games, id) || is_finished(ledger, id))
        return LEDGER_DUPLICATE;
    if (has_free_slot(ledger) && ledger->waiting.count == 0 && !terms->must_wait) {
        take_slot(ledger, id, now_ms);
        return LEDGER_TAKEN;
    }
    if (ledger->waiting.count == LEDGER_WAITING_MAX)
        return LEDGER_NO_ROOM;
    list_add(&ledger->waiting, id, terms->is_realtime ? now_ms + LEDGER_STALE_MS : INT64_MAX);
    return LEDGER_WAITS;
}

bool ledger_forget(Ledger *ledger, const char *id)
{
    return list_remove(&ledger->accepted, id) || list_remove(&ledger->waiting, id);
}

bool ledger_next(Ledger *ledger, char id[GAME_ID_SIZE], int64_t now_ms)
{
    if (ledger->waiting.count == 0 || !has_free_slot(ledger))
        return false;
    memcpy(id, ledger->waiting.entries[0].id, GAME_ID_SIZE);
    list_remove_at(&ledger->waiting, 0);
    take_slot(ledger, id, now_ms);
    return true;
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
