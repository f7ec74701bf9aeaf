/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/pairing/team_arenas.h"

#include "bot/pairing/arenas.h"
#include "bot/policy/team_arena.h"

#include <assert.h>
#include <string.h>

enum {
    LOOK_MS = 600000,
    NEXT_TEAM_MS = 2000, /* one list after the other */
    NEXT_JOIN_MS = 10000 /* after one that suits: perhaps another one does too */
};

void team_arenas_init(TeamArenas *teams)
{
    teams->next_ms = INT64_MAX;
}

/* From the world's time to the steps'. */
static int64_t to_clock(const PairStep *step, int64_t unix_ms)
{
    return unix_ms - step->now.unix_ms + step->now.ms;
}

static bool outlasts_us(const PairStep *step, const ListedArena *arena)
{
    return step->view->ends_ms != INT64_MAX &&
           to_clock(step, arena->ends_unix_ms) > step->view->ends_ms;
}

static bool is_too_much(const PairStep *step, const ListedArena *arena)
{
    return arenas_at_once(&step->pairing->arenas, to_clock(step, arena->starts_unix_ms),
                          to_clock(step, arena->ends_unix_ms)) >=
           step->view->config->tournaments.at_once;
}

static void pass_over(PairStep *step, const char *id, const char *team, const char *why)
{
    PairNote note = { .kind = PAIR_NOTE_ARENA_PASSED_OVER };
    memcpy(note.id, id, sizeof note.id);
    memcpy(note.team, team, sizeof note.team);
    pair_note(step, &note, why);
}

void team_arenas_line(PairStep *step, uint32_t ticket, Text line)
{
    TeamArenas *teams = &step->pairing->team_arenas;
    ListedArena arena;
    if (teams->ticket != ticket || !listed_arena_parse(&arena, line.at, line.len, NULL))
        return;
    const char *team = teams->list.at[teams->team];
    const char *why_not = team_arena_unfit(&arena, step->view->config, step->now.unix_ms);
    if (!why_not && outlasts_us(step, &arena))
        why_not = "it ends after castled does";
    if (!why_not && arenas_know(step, arena.id))
        return;
    if (!why_not && is_too_much(step, &arena))
        why_not = "other tournaments at that time";
    if (why_not) {
        pass_over(step, arena.id, team, why_not);
        return;
    }
    if (teams->has_one && teams->best.starts_unix_ms <= arena.starts_unix_ms)
        return;
    teams->has_one = true;
    teams->best = arena;
    memcpy(teams->best_team, team, sizeof teams->best_team);
}

/* All lists were read. */
static void join_best(PairStep *step)
{
    TeamArenas *teams = &step->pairing->team_arenas;
    const ListedArena *best = &teams->best;
    ArenaSpec spec = { .id = "" };
    bool joins = teams->has_one && !step->view->is_draining;
    if (joins) {
        memcpy(spec.id, best->id, sizeof spec.id);
        static_assert(sizeof spec.team >= sizeof teams->best_team, "a team's id fits");
        memcpy(spec.team, teams->best_team, sizeof teams->best_team);
        arenas_join_for_team(step, &spec, to_clock(step, best->starts_unix_ms),
                             to_clock(step, best->ends_unix_ms));
    }
    teams->is_under_way = false;
    teams->next_ms = step->now.ms + (teams->is_wanted ? NEXT_TEAM_MS
                                     : joins          ? NEXT_JOIN_MS
                                                      : LOOK_MS);
}

void team_arenas_list_ended(PairStep *step, uint32_t ticket, const ApiAnswer *answer)
{
    TeamArenas *teams = &step->pairing->team_arenas;
    PairNote unread = { .kind = PAIR_NOTE_TEAM_UNREAD };
    if (teams->ticket != ticket)
        return;
    teams->ticket = 0;
    memcpy(unread.team, teams->list.at[teams->team], sizeof unread.team);
    if (answer->outcome != API_OK)
        pair_note(step, &unread, answer->reason);
    if (++teams->team < teams->list.count)
        teams->next_ms = step->now.ms + NEXT_TEAM_MS;
    else
        join_best(step);
}

/* Begins with the first of the configuration's teams. */
static void begin(PairStep *step)
{
    TeamArenas *teams = &step->pairing->team_arenas;
    teams->list = step->view->config->tournaments.teams;
    teams->is_under_way = teams->list.count > 0 && !step->view->is_draining;
    teams->has_one = teams->is_wanted = false;
    teams->team = 0;
}

void team_arenas_time(PairStep *step)
{
    TeamArenas *teams = &step->pairing->team_arenas;
    if (step->now.ms < teams->next_ms)
        return;
    teams->next_ms = INT64_MAX;
    if (!teams->is_under_way)
        begin(step);
    if (!teams->is_under_way)
        return;
    PairRequest *request = pair_request(step, PAIR_ASK_TEAM_ARENAS, "");
    request->team = teams->list.at[teams->team];
    teams->ticket = request->ticket;
}

/* A list under way is read to its end, whatever is reloaded, unless other teams are wanted. */
void team_arenas_follow(PairStep *step)
{
    TeamArenas *teams = &step->pairing->team_arenas;
    const TeamList *wanted = &step->view->config->tournaments.teams;
    if (step->view->our_id[0] == '\0')
        return;
    teams->is_wanted = teams->is_under_way && team_list_is_same(wanted, &teams->list);
    if (teams->is_wanted)
        return;
    pair_hang_up(step, &teams->ticket);
    teams->is_under_way = false;
    teams->next_ms = step->now.ms;
}

int64_t team_arenas_next_at_ms(const TeamArenas *teams)
{
    return teams->next_ms;
}
