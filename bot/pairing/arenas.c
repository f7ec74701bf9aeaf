/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/pairing/arenas.h"

#include "bot/archive/archive.h"
#include "bot/game/slots.h"
#include "bot/ops/timer.h"
#include "engine/base/alloc.h"
#include "engine/base/clock.h"
#include "engine/base/duration.h"
#include "engine/base/text_format.h"

#include <stdlib.h>
#include <string.h>

enum {
    RETRY_FIRST_MS = 5000,
    RETRY_MOST_MS = 300000,
    RETRY_DOUBLINGS = 6,
    UNFIT_LIFE_MS = 3600000, /* a team's arena that admits no bots is not looked at again */
};

typedef enum { FROM_CONFIG, FROM_HAND, FROM_TEAM, ORIGIN_COUNT } Origin;

typedef struct {
    Arenas *arenas;
    bool is_used;
    Arena arena;
    TournamentSpec spec;
    Origin origin;
    char name[TOURNAMENT_NAME_SIZE];
    char reason[200];           /* the server's, where it refused us */
    char game_id[GAME_ID_SIZE]; /* the latest of ours in it; "": none */
    ApiCall *call;
    int failures;     /* in a row */
    int64_t due_ms;   /* not before, after a failure */
    ArenasDone *done; /* NULL: no request waits */
    void *user;
} Entry;

struct Arenas {
    const BotContext *context;
    void (*on_change)(void *user);
    void *user;
    uv_timer_t timer;
    Entry entries[ARENAS_MAX];
    bool has_begun; /* the account is known */
    bool was_on;
    bool is_scope_told;
};

static void tend(Arenas *arenas);

/* What is remembered. */

static const char *origin_word(Origin origin)
{
    static const char *const words[ORIGIN_COUNT] = {
        [FROM_CONFIG] = "config", [FROM_HAND] = "hand", [FROM_TEAM] = "team"
    };
    return words[origin];
}

static void remember_for(const Entry *entry, const char *value, int64_t life_ms)
{
    archive_remember(entry->arenas->context->archive, FACT_ARENA, text_of(entry->spec.id), value,
                     clock_unix_ms() + life_ms);
}

static void remember(const Entry *entry, const char *value)
{
    int64_t ends = entry->arena.ends_ms, now = clock_now_ms();
    remember_for(entry, value,
                 ends == INT64_MAX ? 30 * DURATION_DAY_MS : ends - now + DURATION_DAY_MS);
}

/* With what a request to be paired must repeat: the configuration may not name it. */
static void remember_membership(const Entry *entry)
{
    const TournamentSpec *spec = &entry->spec;
    char value[FACT_VALUE_SIZE];
    bool fits = text_format_fits(value, sizeof value, "%s%s%s%s%s", origin_word(entry->origin),
                                 spec->password[0] ? " password=" : "", spec->password,
                                 spec->team[0] ? " team=" : "", spec->team);
    if (fits)
        remember(entry, value);
}

static bool was_left(const Arenas *arenas, const char *id)
{
    const char *value = archive_recall(arenas->context->archive, FACT_ARENA, text_of(id));
    return value && strcmp(value, "out") == 0;
}

/* Entries. */

static Entry *find(Arenas *arenas, Text id)
{
    for (int i = 0; i < ARENAS_MAX; i++)
        if (arenas->entries[i].is_used && text_is(id, arenas->entries[i].spec.id))
            return &arenas->entries[i];
    return NULL;
}

static Entry *add(Arenas *arenas, const TournamentSpec *spec, Origin origin, bool is_in)
{
    for (int i = 0; i < ARENAS_MAX; i++) {
        Entry *entry = &arenas->entries[i];
        if (entry->is_used)
            continue;
        *entry = (Entry){ .arenas = arenas, .is_used = true, .spec = *spec, .origin = origin };
        arena_init(&entry->arena, is_in);
        return entry;
    }
    log_error(arenas->context->log, "tournament", "not-joined",
              FIELDS(F("arena", spec->id), F("why", "too many tournaments at once")));
    return NULL;
}

static void answer(Entry *entry, bool ok, const char *text)
{
    ArenasDone *done = entry->done;
    entry->done = NULL;
    if (done)
        done(entry->user, ok, text);
}

static void drop(Entry *entry)
{
    const Arena *arena = &entry->arena;
    bool was_asked = arena->before == ARENA_LEAVING;
    log_info(entry->arenas->context->log, "tournament", "left",
             FIELDS(F("arena", entry->spec.id), F("name", entry->name), F("why", arena->why)));
    if (arena->before != ARENA_WANTED)
        remember(entry, arena->is_over ? "" : "out");
    else if (entry->origin == FROM_TEAM && entry->reason[0] != '\0')
        remember(entry, "out");
    else if (entry->origin == FROM_TEAM)
        remember_for(entry, "out", UNFIT_LIFE_MS);
    answer(entry, was_asked, was_asked ? entry->name : arena->why);
    if (entry->call)
        api_cancel(entry->call);
    entry->is_used = false;
}

/* Answers. */

static void tell_scope(Entry *entry)
{
    Arenas *arenas = entry->arenas;
    const BotContext *context = arenas->context;
    if (!arenas->is_scope_told)
        log_error(context->log, "tournament", "scope-missing",
                  FIELDS(F("advice",
                           "the token may not join or leave tournaments: castled login gets one "
                           "that may, or make one with bot:play, challenge:read and "
                           "tournament:write on the server's page /account/oauth/token/create")));
    arenas->is_scope_told = true;
}

static void try_later(Entry *entry, const ApiAnswer *from)
{
    const BotContext *context = entry->arenas->context;
    int64_t now = clock_now_ms();
    int shift = entry->failures < RETRY_DOUBLINGS ? entry->failures : RETRY_DOUBLINGS;
    int64_t wait = (int64_t)RETRY_FIRST_MS << shift;
    int64_t limited = ratelimit_wait_ms(context->limit, FAMILY_OTHER, now);
    wait = wait < RETRY_MOST_MS ? wait : RETRY_MOST_MS;
    entry->failures++;
    entry->due_ms = now + (wait > limited ? wait : limited);
    log_info(context->log, "tournament", "no-answer",
             FIELDS(F("arena", entry->spec.id), F("why", from->reason),
                    F("retry_in_ms", (entry->due_ms - now))));
    if (entry->arena.phase == ARENA_WANTED)
        answer(entry, false, "the server did not answer; castled goes on asking, see its status");
}

/* Takes an answer. True if the server has said yes or no; otherwise the request is sent again
 * later. */
static bool take_answer(Entry *entry, const ApiAnswer *from)
{
    const BotContext *context = entry->arenas->context;
    entry->call = NULL;
    switch (from->outcome) {
    case API_OK:
    case API_REFUSED:
    case API_FORBIDDEN:
        entry->failures = 0;
        return true;
    case API_UNAUTHORIZED:
        context->on_denied(context->user, from);
        try_later(entry, from);
        return false;
    case API_LIMITED:
    case API_SERVER_ERROR:
    case API_UNREACHABLE:
    case API_LOST:
    case API_SILENT:
        try_later(entry, from);
        return false;
    }
    return false;
}

static void on_look(void *user, const ApiAnswer *from)
{
    Entry *entry = user;
    TournamentInfo info;
    ApiAnswer unreadable = *from;
    Error err = { 0 };
    if (take_answer(entry, from)) {
        int64_t now = clock_now_ms();
        if (from->outcome != API_OK) {
            arena_looked(&entry->arena, NULL, now);
        } else if (tournament_parse(&info, from->body.at, from->body.len, &err)) {
            memcpy(entry->name, info.name, sizeof entry->name);
            arena_looked(&entry->arena, &info, now);
        } else {
            unreadable.reason = err.text;
            try_later(entry, &unreadable);
        }
    }
    tend(entry->arenas);
}

static void joined(Entry *entry)
{
    const Arena *arena = &entry->arena;
    bool is_first = arena->phase == ARENA_WANTED;
    int64_t now = clock_now_ms();
    arena_joined(&entry->arena, now);
    if (!is_first)
        return;
    int64_t wait = duration_until(arena->starts_ms, now);
    log_info(
        entry->arenas->context->log, "tournament", "joined",
        FIELDS(F("arena", entry->spec.id), F("name", entry->name), F("starts_s", (wait / 1000))));
    remember_membership(entry);
    answer(entry, true, entry->name);
}

static void refused(Entry *entry, const ApiAnswer *from)
{
    ArenaOrigin origin = entry->origin == FROM_TEAM ? ARENA_FOUND : ARENA_NAMED;
    int64_t wait_ms = arena_refusal_ms(from->status, from->reason, from->wait_s, origin);
    text_format_cut(entry->reason, sizeof entry->reason, "%s", from->reason);
    if (api_answer_is_denial(from))
        tell_scope(entry);
    if (wait_ms > 0 && entry->arena.phase == ARENA_WANTED) {
        log_info(
            entry->arenas->context->log, "tournament", "waits",
            FIELDS(F("arena", entry->spec.id), F("why", from->reason), F("retry_in_ms", wait_ms)));
        answer(entry, false, from->reason);
    }
    arena_refused(&entry->arena, entry->reason, wait_ms, clock_now_ms());
}

static void on_join(void *user, const ApiAnswer *from)
{
    Entry *entry = user;
    if (take_answer(entry, from)) {
        if (from->outcome == API_OK) {
            joined(entry);
        } else {
            refused(entry, from);
        }
    }
    tend(entry->arenas);
}

/* Without the scope we cannot withdraw, but without requests for pairings we get none. */
static void on_withdraw(void *user, const ApiAnswer *from)
{
    Entry *entry = user;
    if (take_answer(entry, from)) {
        if (api_answer_is_denial(from))
            tell_scope(entry);
        if (from->outcome != API_OK)
            answer(entry, false, from->reason);
        arena_left(&entry->arena);
    }
    tend(entry->arenas);
}

/* What is to be done. */

static bool is_playing(const Entry *entry)
{
    return entry->game_id[0] != '\0' && slots_plays(entry->arenas->context->slots, entry->game_id);
}

/* Its games could not all be over in time. */
static bool outlasts_us(const Entry *entry)
{
    int64_t ends_ms = entry->arenas->context->ends_ms;
    return ends_ms != INT64_MAX && entry->arena.ends_ms > ends_ms;
}

/* INT64_MAX: an answer is awaited, or a game's end. */
static int64_t attend(Entry *entry, int64_t now_ms)
{
    Api *api = entry->arenas->context->api;
    const TournamentSpec *spec = &entry->spec;
    Error err = { 0 };
    int64_t at;
    if (entry->call)
        return INT64_MAX;
    if (entry->due_ms > now_ms)
        return entry->due_ms;
    switch (arena_next(&entry->arena, is_playing(entry), now_ms, &at)) {
    case ARENA_WAIT:
        return at;
    case ARENA_LOOK:
        entry->call = api_call(api, ENDPOINT_TOURNAMENT, spec->id, on_look, entry, &err);
        break;
    case ARENA_JOIN:
        if (entry->arenas->context->is_draining)
            return INT64_MAX;
        if (outlasts_us(entry)) {
            arena_refused(&entry->arena, "it ends after castled does", 0, now_ms);
            return INT64_MAX;
        }
        entry->call =
            api_join_tournament(api, spec->id, spec->password, spec->team, on_join, entry, &err);
        break;
    case ARENA_WITHDRAW:
        entry->call = api_call(api, ENDPOINT_WITHDRAW, spec->id, on_withdraw, entry, &err);
        break;
    }
    if (entry->call)
        return INT64_MAX;
    try_later(entry, &(ApiAnswer){ .reason = err.text });
    return entry->due_ms;
}

static void on_timer(uv_timer_t *timer)
{
    tend(timer->data);
}

static int64_t tend_entry(Entry *entry, int64_t now_ms)
{
    int64_t at = attend(entry, now_ms), turns = arena_turns_on_ms(&entry->arena, now_ms);
    if (entry->arena.phase == ARENA_OUT) {
        drop(entry);
        return INT64_MAX;
    }
    return at < turns ? at : turns;
}

static void tend(Arenas *arenas)
{
    int64_t now = clock_now_ms(), next = INT64_MAX;
    if (!arenas->has_begun)
        return;
    for (int i = 0; i < ARENAS_MAX; i++) {
        Entry *entry = &arenas->entries[i];
        int64_t at = entry->is_used ? tend_entry(entry, now) : INT64_MAX;
        next = at < next ? at : next;
    }
    timer_set(&arenas->timer, on_timer, next);
    bool is_on = arenas_are_on(arenas);
    if (is_on == arenas->was_on)
        return;
    arenas->was_on = is_on;
    arenas->on_change(arenas->user);
}

bool arenas_new(Arenas **out, const BotContext *context, void (*on_change)(void *user), void *user,
                Error *err)
{
    Arenas *arenas = alloc_zeroed(sizeof *arenas, "tournaments", err);
    if (!arenas)
        return false;
    arenas->context = context;
    arenas->on_change = on_change;
    arenas->user = user;
    timer_init(context->loop, &arenas->timer, arenas);
    *out = arenas;
    return true;
}

void arenas_close(Arenas *arenas)
{
    if (!arenas)
        return;
    for (int i = 0; i < ARENAS_MAX; i++) {
        if (arenas->entries[i].call)
            api_cancel(arenas->entries[i].call);
        arenas->entries[i] = (Entry){ .is_used = false };
    }
    timer_close(&arenas->timer);
}

/* ORIGIN_COUNT: such a word was never written. */
static Origin origin_of(Text word)
{
    int origin = 0;
    while (origin < ORIGIN_COUNT && !text_is(word, origin_word((Origin)origin)))
        origin++;
    return (Origin)origin;
}

/* "hand password=sesame", "config", … as remember_membership() wrote it. */
static void recall(void *user, const Fact *fact)
{
    const char *id = fact_id(FACT_ARENA, fact);
    Text rest = text_of(fact->value);
    Origin origin = origin_of(text_next_word(&rest, " "));
    TournamentSpec spec;
    Buf words;
    buf_init(&words, FACT_KEY_SIZE + FACT_VALUE_SIZE);
    if (origin != ORIGIN_COUNT && buf_printf(&words, "%s%.*s", id, TEXT_ARGS(rest)) &&
        tournament_spec_read(&spec, buf_view(&words), NULL))
        add(user, &spec, origin, true);
    buf_release(&words);
}

/* True if the configuration has us in it no more. */
static bool is_unnamed(const Entry *entry, const Config *config)
{
    switch (entry->origin) {
    case FROM_CONFIG:
        return !tournament_specs_find(&config->tournaments.join, entry->spec.id);
    case FROM_TEAM:
        return !team_list_has(&config->tournaments.teams, entry->spec.team);
    case FROM_HAND:
    case ORIGIN_COUNT:
        break;
    }
    return false;
}

void arenas_follow(Arenas *arenas)
{
    const BotContext *context = arenas->context;
    const TournamentSpecList *specs = &context->config->tournaments.join;
    if (context->our_id[0] == '\0')
        return;
    if (!arenas->has_begun)
        archive_each_fact(context->archive, FACT_ARENA, recall, arenas);
    arenas->has_begun = true;
    for (int i = 0; i < ARENAS_MAX; i++) {
        Entry *entry = &arenas->entries[i];
        if (entry->is_used && is_unnamed(entry, context->config))
            arena_leave(&entry->arena);
    }
    for (int i = 0; i < specs->count; i++) {
        Entry *entry = find(arenas, text_of(specs->at[i].id));
        if (entry)
            entry->spec = specs->at[i];
        else if (!was_left(arenas, specs->at[i].id))
            add(arenas, &specs->at[i], FROM_CONFIG, false);
    }
    tend(arenas);
}

static void recall_late(void *user, const Fact *fact)
{
    if (!find(user, text_of(fact_id(FACT_ARENA, fact))))
        recall(user, fact);
}

void arenas_recall(Arenas *arenas)
{
    if (!arenas->has_begun)
        return; /* arenas_follow() will ask */
    archive_each_fact(arenas->context->archive, FACT_ARENA, recall_late, arenas);
    arenas_follow(arenas);
}

/* The entry of the tournament; NULL and an Error when nothing can be done for it now. */
static Entry *take_request(Arenas *arenas, const TournamentSpec *spec, bool is_in, Error *err)
{
    Entry *entry = find(arenas, text_of(spec->id));
    if (!arenas->has_begun) {
        error_set(err, ERR_NOT_NOW, "castled is not online yet");
        return NULL;
    }
    if (entry && entry->done) {
        error_set(err, ERR_NOT_NOW, "a request for that one is under way");
        return NULL;
    }
    if (!entry)
        entry = add(arenas, spec, FROM_HAND, is_in);
    if (!entry)
        error_set(err, ERR_NOT_NOW, "%d tournaments at once are the maximum", ARENAS_MAX);
    return entry;
}

/* From the loop's next turn on: what comes of it may be known at once, and `done` is to come from
 * there (I5). */
static void begin_request(Entry *entry, ArenasDone *done, void *user)
{
    entry->due_ms = 0;
    entry->done = done;
    entry->user = user;
    timer_set(&entry->arenas->timer, on_timer, clock_now_ms());
}

bool arenas_join(Arenas *arenas, const TournamentSpec *spec, ArenasDone *done, void *user,
                 Error *err)
{
    if (arenas->context->is_draining) {
        error_set(err, ERR_NOT_NOW, "castled is draining: no more games");
        return false;
    }
    Entry *entry = take_request(arenas, spec, false, err);
    if (!entry)
        return false;
    if (entry->arena.phase != ARENA_WANTED) {
        error_set(err, ERR_NOT_NOW, "we are in that one already");
        return false;
    }
    entry->spec = *spec;
    begin_request(entry, done, user);
    return true;
}

bool arenas_leave(Arenas *arenas, const TournamentSpec *spec, ArenasDone *done, void *user,
                  Error *err)
{
    Entry *entry = take_request(arenas, spec, true, err);
    if (!entry)
        return false;
    arena_leave(&entry->arena);
    begin_request(entry, done, user);
    return true;
}

bool arenas_knows(Arenas *arenas, const char *id)
{
    return find(arenas, text_of(id)) || was_left(arenas, id);
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

void arenas_join_for_team(Arenas *arenas, const TournamentSpec *spec, int64_t starts_ms,
                          int64_t ends_ms)
{
    if (arenas_knows(arenas, spec->id))
        return;
    Entry *entry = add(arenas, spec, FROM_TEAM, false);
    if (!entry)
        return;
    arena_expect(&entry->arena, starts_ms, ends_ms);
    tend(arenas);
}

void arenas_game_started(Arenas *arenas, const GameInfo *info)
{
    Entry *entry = find(arenas, info->tournament_id);
    if (entry)
        memcpy(entry->game_id, info->id, sizeof entry->game_id);
    tend(arenas);
}

void arenas_game_finished(Arenas *arenas, const GameInfo *info)
{
    for (int i = 0; i < ARENAS_MAX; i++) {
        Entry *entry = &arenas->entries[i];
        if (!entry->is_used || strcmp(entry->game_id, info->id) != 0)
            continue;
        bool we_have_lost = info->winner != COLOUR_NONE && info->winner != info->our_colour;
        arena_game_over(&entry->arena, info->status, we_have_lost, clock_now_ms());
    }
    tend(arenas);
}

void arenas_slot_freed(Arenas *arenas)
{
    tend(arenas);
}

bool arenas_are_on(const Arenas *arenas)
{
    int64_t now = clock_now_ms();
    for (int i = 0; i < ARENAS_MAX; i++)
        if (arenas->entries[i].is_used && arena_is_on(&arenas->entries[i].arena, now))
            return true;
    return false;
}

void arenas_each(const Arenas *arenas,
                 void (*on_arena)(void *user, const char *id, const char *name, const Arena *arena),
                 void *user)
{
    for (int i = 0; i < ARENAS_MAX; i++) {
        const Entry *entry = &arenas->entries[i];
        if (entry->is_used)
            on_arena(user, entry->spec.id, entry->name, &entry->arena);
    }
}
