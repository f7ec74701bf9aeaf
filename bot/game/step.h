/* SPDX-License-Identifier: GPL-3.0-or-later */
/* step.h - one step of the state machine on its way: inside game.c and its parts only. */
#pragma once
#include "bot/game/game_state.h"
#include "engine/base/check.h"

#include <string.h>

typedef struct {
    Game *game;
    int64_t now_ms;
    Effects *todo;
} Step;

static inline Effect *step_effect(Step *step, EffectKind kind)
{
    Effects *todo = step->todo;
    CHECK(todo->count < EFFECTS_MAX);
    Effect *effect = &todo->list[todo->count++];
    memset(effect, 0, sizeof *effect);
    effect->kind = kind;
    return effect;
}

/* Notes give way to what must be done. */
static inline void step_note(Step *step, Note note)
{
    if (step->todo->count < EFFECTS_MAX - EFFECTS_RESERVED)
        step_effect(step, EFFECT_NOTE)->note = note;
}
