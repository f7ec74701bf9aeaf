/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/pairing/pairing_step.h"

#include "bot/account/bot_game_quota.h"
#include "bot/account/rematches.h"
#include "engine/base/duration.h"
#include "engine/base/check.h"
#include "engine/base/text_format.h"

#include <string.h>

PairEffect *pair_effect(PairStep *step, PairEffectKind kind)
{
    PairEffects *todo = step->todo;
    CHECK(todo->count < PAIR_EFFECTS_MAX);
    PairEffect *effect = &todo->list[todo->count++];
    memset(effect, 0, sizeof *effect);
    effect->kind = kind;
    return effect;
}

PairRequest *pair_request(PairStep *step, PairAsk ask, const char *id)
{
    PairRequest *request = &pair_effect(step, PAIR_DO_REQUEST)->request;
    request->ask = ask;
    if (++step->pairing->tickets == 0)
        step->pairing->tickets = 1;
    request->ticket = step->pairing->tickets;
    CHECK(text_copy(request->id, sizeof request->id, text_of(id)));
    return request;
}

void pair_hang_up(PairStep *step, uint32_t *ticket)
{
    if (*ticket != 0)
        pair_effect(step, PAIR_DO_HANG_UP)->ticket = *ticket;
    *ticket = 0;
}

bool pair_has_room(const PairStep *step)
{
    enum { OF_ONE_CHALLENGE = 8 };
    return step->todo->count < PAIR_EFFECTS_MAX - PAIR_EFFECTS_RESERVED / 2 - OF_ONE_CHALLENGE;
}

void pair_note(PairStep *step, const PairNote *note, const char *why)
{
    if (step->todo->count >= PAIR_EFFECTS_MAX - PAIR_EFFECTS_RESERVED)
        return;
    PairNote *to = &pair_effect(step, PAIR_DO_NOTE)->note;
    *to = *note;
    text_format_cut(to->why, sizeof to->why, "%s", why);
}

void pair_remember(PairStep *step, FactKind kind, Text id, const char *value,
                   int64_t expires_unix_ms)
{
    PairEffect *effect = pair_effect(step, PAIR_DO_REMEMBER);
    effect->fact.kind = kind;
    effect->fact.expires_unix_ms = expires_unix_ms;
    CHECK(text_copy(effect->fact.id, sizeof effect->fact.id, id));
    CHECK(text_copy(effect->fact.value, sizeof effect->fact.value, text_of(value)));
}

const char *pair_recall(const PairStep *step, FactKind kind, Text id)
{
    char key[FACT_KEY_SIZE];
    for (int i = step->todo->count; i-- > 0;) {
        const PairEffect *effect = &step->todo->list[i];
        if (effect->kind == PAIR_DO_REMEMBER && effect->fact.kind == kind &&
            text_is(id, effect->fact.id))
            return effect->fact.value[0] != '\0' ? effect->fact.value : NULL;
    }
    return fact_key_write(key, kind, id) ? facts_get(step->view->facts, key, step->now.unix_ms)
                                         : NULL;
}

void pair_note_rematch(PairStep *step, const char *id, Text rematch_of)
{
    char value[24];
    if (rematch_of.len == 0)
        return;
    int before = rematches_before(step->view->facts, rematch_of, step->now.unix_ms);
    text_format(value, sizeof value, "%d", before + 1);
    pair_remember(step, FACT_REMATCH, text_of(id), value, step->now.unix_ms + DURATION_DAY_MS);
}

bool pair_learn_quota(PairStep *step, const ApiAnswer *answer, const char *opponent)
{
    BotGameQuota quota;
    if (!bot_game_quota_read(&quota, answer, step->view->our_id, opponent))
        return false;
    if (quota.id[0] != '\0')
        pair_remember(step, FACT_QUOTA, text_of(quota.id), "yes", step->now.unix_ms + quota.for_ms);
    return true;
}

void pair_end(PairStep *step, const OutgoingResult *result)
{
    CHECK(step->ended_count < PAIR_ENDED_MAX);
    step->ended[step->ended_count++] = *result;
}
