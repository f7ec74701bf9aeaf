/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/pairing/team_arenas.h"

#include "bot/ops/timer.h"
#include "bot/policy/team_arena.h"
#include "engine/base/alloc.h"
#include "engine/base/clock.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum {
    LOOK_MS = 600000,
    NEXT_TEAM_MS = 2000, /* one list after the other */
    NEXT_JOIN_MS = 10000 /* after one that suits: perhaps another one does too */
};

struct TeamArenas {
    const BotContext *context;
    Arenas *arenas;
    uv_timer_t timer;
    ApiCall *call;
    TeamList list;     /* those looked through now, one after the other */
    bool is_under_way; /* until all of them are */
    bool is_wanted;    /* once more, soon after that */
    int team;          /* whose list is read, or is next */
    bool has_one;      /* that suits, the earliest so far: */
    ListedTournament best;
    char best_team[TEAM_ID_SIZE];
};

static void on_line(void *user, Text line)
{
    TeamArenas *teams = user;
    const BotContext *context = teams->context;
    const char *team = teams->list.ids[teams->team];
    int64_t unix_now = clock_unix_ms(), to_clock = clock_now_ms() - unix_now;
    ListedTournament arena;
    if (!tournament_listed_parse(&arena, line.at, line.len, NULL))
        return;
    const char *why_not = team_arena_unfit(&arena, context->config, unix_now);
    if (!why_not && context->ends_ms != INT64_MAX &&
        arena.ends_unix_ms + to_clock > context->ends_ms)
        why_not = "it ends after castled does";
    if (!why_not && arenas_knows(teams->arenas, arena.id))
        return;
    if (!why_not &&
        arenas_at_once(teams->arenas, arena.starts_unix_ms + to_clock,
                       arena.ends_unix_ms + to_clock) >= context->config->tournaments.at_once)
        why_not = "other tournaments at that time";
    if (why_not) {
        log_debug(context->log, "tournament", "passed-over",
                  FIELDS(F("arena", arena.id), F("team", team), F("why", why_not)));
        return;
    }
    if (teams->has_one && teams->best.starts_unix_ms <= arena.starts_unix_ms)
        return;
    teams->has_one = true;
    teams->best = arena;
    memcpy(teams->best_team, team, sizeof teams->best_team);
}

static void begin(uv_timer_t *timer);
static void look(uv_timer_t *timer);

/* All lists were read. */
static void join_best(TeamArenas *teams)
{
    int64_t to_clock = clock_now_ms() - clock_unix_ms();
    TournamentSpec spec = { .id = "" };
    bool has_one = teams->has_one && !teams->context->is_draining;
    if (has_one) {
        memcpy(spec.id, teams->best.id, sizeof spec.id);
        static_assert(sizeof spec.team >= sizeof teams->best_team, "a team's id fits");
        memcpy(spec.team, teams->best_team, sizeof teams->best_team);
        arenas_join_for_team(teams->arenas, &spec, teams->best.starts_unix_ms + to_clock,
                             teams->best.ends_unix_ms + to_clock);
    }
    teams->is_under_way = false;
    timer_set(&teams->timer, begin,
              timer_after(teams->is_wanted ? NEXT_TEAM_MS
                          : has_one        ? NEXT_JOIN_MS
                                           : LOOK_MS));
}

static void next_team(TeamArenas *teams)
{
    if (++teams->team < teams->list.count)
        timer_set(&teams->timer, look, timer_after(NEXT_TEAM_MS));
    else
        join_best(teams);
}

static void tell_unread(const TeamArenas *teams, const char *team, const char *why)
{
    log_warning(teams->context->log, "tournament", "team-unread",
                FIELDS(F("team", team), F("why", why)));
}

static void on_end(void *user, const ApiAnswer *answer)
{
    TeamArenas *teams = user;
    teams->call = NULL;
    if (answer->outcome != API_OK)
        tell_unread(teams, teams->list.ids[teams->team], answer->reason);
    next_team(teams);
}

static void look(uv_timer_t *timer)
{
    TeamArenas *teams = timer->data;
    const TeamList *list = &teams->list;
    const ApiStreamCallbacks callbacks = { .on_line = on_line, .on_end = on_end, .user = teams };
    Error err = { 0 };
    teams->call = api_stream(teams->context->api, ENDPOINT_TEAM_ARENAS, list->ids[teams->team],
                             &callbacks, &err);
    if (teams->call)
        return;
    tell_unread(teams, list->ids[teams->team], err.text);
    next_team(teams);
}

/* Looks through all teams of the configuration. */
static void begin(uv_timer_t *timer)
{
    TeamArenas *teams = timer->data;
    teams->list = teams->context->config->tournaments.teams;
    teams->is_under_way = teams->list.count > 0 && !teams->context->is_draining;
    teams->has_one = teams->is_wanted = false;
    teams->team = 0;
    if (teams->is_under_way)
        look(timer);
}

bool team_arenas_new(TeamArenas **out, const BotContext *context, Arenas *arenas, Error *err)
{
    TeamArenas *teams = alloc_zeroed(sizeof *teams, "the arenas of teams", err);
    if (!teams)
        return false;
    teams->context = context;
    teams->arenas = arenas;
    timer_init(context->loop, &teams->timer, teams);
    *out = teams;
    return true;
}

void team_arenas_close(TeamArenas *teams)
{
    if (!teams)
        return;
    if (teams->call)
        api_cancel(teams->call);
    timer_close(&teams->timer);
}

void team_arenas_follow(TeamArenas *teams)
{
    const TeamList *wanted = &teams->context->config->tournaments.teams;
    if (teams->context->our_id[0] == '\0')
        return;
    teams->is_wanted = teams->is_under_way && team_list_is_same(wanted, &teams->list);
    if (teams->is_wanted)
        return;
    if (teams->call)
        api_cancel(teams->call);
    teams->call = NULL;
    timer_set(&teams->timer, begin, clock_now_ms());
}
