/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/policy/arena.h"

#include "bot/model/state_table.h"
#include "engine/base/minmax.h"
#include "engine/base/text.h"

static const char *const phase_names[] = {
    [ARENA_WANTED] = "wanted",
    [ARENA_IN] = "in",
    [ARENA_LEAVING] = "leaving",
    [ARENA_OUT] = "out",
};

/* The table of the header. */
static void enter_phase(Arena *arena, ArenaPhase phase)
{
    static const uint32_t next[] = {
        [ARENA_WANTED] = 1U << ARENA_IN | 1U << ARENA_LEAVING | 1U << ARENA_OUT,
        [ARENA_IN] = 1U << ARENA_LEAVING | 1U << ARENA_OUT,
        [ARENA_LEAVING] = 1U << ARENA_OUT,
        [ARENA_OUT] = 0,
    };
    static const StateTable table = { phase_names, next };
    arena->before = arena->phase;
    arena->phase = state_enter(&table, arena->phase, phase);
}

static void get_out(Arena *arena, const char *why)
{
    enter_phase(arena, ARENA_OUT);
    arena->why = why;
}

void arena_init(Arena *arena, bool is_in)
{
    *arena = (Arena){ .phase = is_in ? ARENA_IN : ARENA_WANTED,
                      .before = is_in ? ARENA_IN : ARENA_WANTED,
                      .why = "",
                      .starts_ms = INT64_MAX,
                      .ends_ms = INT64_MAX,
                      .looked_ms = INT64_MIN,
                      .must_look = true,
                      .again_ms = INT64_MIN };
}

void arena_expect(Arena *arena, int64_t starts_ms, int64_t ends_ms)
{
    arena->starts_ms = starts_ms;
    arena->ends_ms = ends_ms;
}

void arena_looked(Arena *arena, const ArenaInfo *info, int64_t now_ms)
{
    if (arena->phase == ARENA_OUT)
        return;
    bool is_in = arena->phase == ARENA_IN;
    arena->looked_ms = now_ms;
    arena->must_look = false;
    if (!info) {
        get_out(arena, "there is no such tournament");
    } else if (info->is_finished || info->seconds_to_finish == 0) {
        get_out(arena, "it is over");
        arena->is_over = true;
    } else if (arena->phase == ARENA_WANTED && info->bots != BOTS_ADMITTED) {
        /* No answer means refused, and each try costs one of few joins. */
        get_out(arena, "no bots are admitted");
    } else if (is_in && info->has_us && info->has_withdrawn) {
        get_out(arena, "withdrawn");
    } else if (is_in && !info->has_us && arena->was_shown) {
        get_out(arena, "thrown out");
    } else {
        arena->is_known = true;
        arena->starts_ms = info->seconds_to_start > 0 ? now_ms + info->seconds_to_start * 1000
                                                      : int64_min(arena->starts_ms, now_ms);
        if (info->seconds_to_finish > 0)
            arena->ends_ms = now_ms + info->seconds_to_finish * 1000;
        else if (info->minutes > 0)
            arena->ends_ms = arena->starts_ms + info->minutes * (int64_t)60000;
        arena->was_shown = info->has_us;
    }
}

void arena_joined(Arena *arena, int64_t now_ms)
{
    if (arena->phase == ARENA_WANTED) {
        enter_phase(arena, ARENA_IN);
        arena->must_look = true; /* whether the server shows us among the players */
    }
    arena->paced_ms = int64_max(arena->paced_ms, now_ms) + ARENA_PACE_MS;
    arena->again_ms = arena->starts_ms > now_ms ? arena->starts_ms : now_ms + ARENA_AGAIN_MS;
}

/* After: lichess.org, what the server answers to a request to join. */
int64_t arena_refusal_ms(int status, const char *reason, int64_t told_s, ArenaOrigin origin)
{
    static const struct {
        const char *begins;
        int64_t wait_ms;
        bool is_condition;
    } known[] = {
        { "You are joining too many tournaments", 15 * 60000,
          false }, /* a join an hour's quarter */
        { "Your pause is not over yet", 60000, false },
        { "Tournament restrictions", 10 * 60000, true }, /* such as rated games, which may come */
    };
    if (told_s > 0)
        return told_s * 1000;
    for (size_t i = 0; status == 400 && i < sizeof known / sizeof *known; i++)
        if (text_starts_with(text_of(reason), known[i].begins))
            return known[i].is_condition && origin == ARENA_FOUND ? 0 : known[i].wait_ms;
    return 0;
}

void arena_refused(Arena *arena, const char *why, int64_t wait_ms, int64_t now_ms)
{
    arena->again_ms = now_ms + int64_max(wait_ms, ARENA_AGAIN_MS);
    if (arena->phase == ARENA_WANTED && wait_ms == 0)
        get_out(arena, why);
    else
        arena->must_look = arena->phase == ARENA_WANTED;
}

void arena_leave(Arena *arena)
{
    if (arena->phase == ARENA_WANTED || arena->phase == ARENA_IN)
        enter_phase(arena, ARENA_LEAVING); /* a request to join may be on its way */
}

void arena_left(Arena *arena)
{
    if (arena->phase != ARENA_OUT)
        get_out(arena, "left");
}

void arena_game_over(Arena *arena, GameStatus status, bool we_have_lost, int64_t now_ms)
{
    if (arena->phase != ARENA_IN)
        return;
    if (status == STATUS_NO_START && we_have_lost) {
        get_out(arena, "thrown out, as our first move came too late");
        return;
    }
    arena->must_look = true;
    arena->again_ms = int64_max(now_ms, arena->paced_ms - ARENA_BURST_MS);
}

/* To look before each request to be paired: it would bring us back in when we are out. */
static ArenaAction next_when_in(const Arena *arena, bool is_playing, int64_t now_ms, int64_t *at_ms)
{
    if (arena->must_look)
        return ARENA_LOOK;
    *at_ms = arena->starts_ms > now_ms
                 ? int64_min(arena->starts_ms, arena->looked_ms + ARENA_LOOK_MS)
                 : int64_max(arena->starts_ms, arena->again_ms);
    if (is_playing)
        *at_ms = INT64_MAX;
    if (now_ms < *at_ms)
        return ARENA_WAIT;
    return arena->looked_ms < *at_ms || arena->starts_ms > now_ms ? ARENA_LOOK : ARENA_JOIN;
}

ArenaAction arena_next(const Arena *arena, bool is_playing, int64_t now_ms, int64_t *at_ms)
{
    *at_ms = INT64_MAX;
    switch (arena->phase) {
    case ARENA_WANTED:
        *at_ms = arena->again_ms;
        return now_ms < arena->again_ms ? ARENA_WAIT : arena->must_look ? ARENA_LOOK : ARENA_JOIN;
    case ARENA_IN:
        return next_when_in(arena, is_playing, now_ms, at_ms);
    case ARENA_LEAVING:
        return ARENA_WITHDRAW;
    case ARENA_OUT:
        break;
    }
    return ARENA_WAIT;
}

bool arena_is_on(const Arena *arena, int64_t now_ms)
{
    return arena->phase == ARENA_IN && arena->is_known &&
           now_ms >= arena->starts_ms - ARENA_AHEAD_MS && now_ms < arena->ends_ms;
}

int64_t arena_turns_on_ms(const Arena *arena, int64_t now_ms)
{
    int64_t on = arena->starts_ms == INT64_MAX ? INT64_MAX : arena->starts_ms - ARENA_AHEAD_MS;
    bool may = arena->phase == ARENA_IN && arena->is_known;
    return !may                      ? INT64_MAX
           : now_ms < on             ? on
           : now_ms < arena->ends_ms ? arena->ends_ms
                                     : INT64_MAX;
}

const char *arena_phase_name(ArenaPhase phase)
{
    return phase_names[phase];
}
