/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/policy/seek.h"

#include "bot/config/settings.h"
#include "bot/config/rule.h"
#include "bot/policy/engine_names.h"
#include "engine/base/random.h"
#include "engine/base/text_format.h"

#include <stdlib.h>
#include <string.h>

enum { HOUR_S = 3600, DAY_S = 24 * HOUR_S };

static void write_what(char out[SEEK_WHAT_SIZE], const char *id, const char *of, const char *which)
{
    text_format(out, SEEK_WHAT_SIZE, "%s%s%s%s%s", id, of[0] ? "/" : "", of, which[0] ? "/" : "",
                which);
}

static void write_clock(const SeekPlan *plan, char out[32])
{
    if (plan->days > 0)
        text_format(out, 32, "%dd", plan->days);
    else
        text_format(out, 32, "%d+%d", plan->base_s, plan->increment_s);
}

static Speed speed_of_plan(const SeekPlan *plan)
{
    return plan->days > 0 ? SPEED_CORRESPONDENCE : speed_of_clock(plan->base_s, plan->increment_s);
}

void seek_learn(const SeekPlan *plan, const char *id, DeclineReason reason,
                char what[SEEK_WHAT_SIZE], int64_t *seconds)
{
    char clock[32];
    write_clock(plan, clock);
    switch (reason) {
    case DECLINE_LATER:
        *seconds = HOUR_S;
        write_what(what, id, "", "");
        return;
    case DECLINE_TOO_FAST:
    case DECLINE_TOO_SLOW:
    case DECLINE_TIME_CONTROL:
        *seconds = 7 * DAY_S;
        write_what(what, id, "clock", clock);
        return;
    case DECLINE_RATED:
    case DECLINE_CASUAL:
        *seconds = 7 * DAY_S;
        write_what(what, id, "mode", plan->rated ? "rated" : "casual");
        return;
    case DECLINE_STANDARD:
    case DECLINE_VARIANT:
        *seconds = 7 * DAY_S;
        write_what(what, id, "variant", variant_name(plan->variant));
        return;
    case DECLINE_NO_BOT:
        *seconds = 30 * DAY_S;
        write_what(what, id, "", "");
        return;
    case DECLINE_UNKNOWN:
    case DECLINE_GENERIC:
    case DECLINE_ONLY_BOT:
    case DECLINE_COUNT:
        break;
    }
    *seconds = DAY_S;
    write_what(what, id, "", "");
}

static bool has_declined(const SeekView *view, const char *id, const char *of, const char *which)
{
    char what[SEEK_WHAT_SIZE];
    write_what(what, id, of, which);
    return view->has_declined(view->user, what);
}

/* Of those to ask alone, if there are such. */
static bool is_on_lists(const SeekView *view, const SeekSettings *type, const char *id)
{
    const UserList *only = &type->only;
    return (only->count == 0 && !view->has_only_lists) || user_list_has(only, text_of(id)) ||
           (view->has_only_lists && view->is_only(view->user, id));
}

static bool is_wanted(const SeekView *view, const SeekSettings *type, const SeekPlan *plan,
                      const OnlineBot *person)
{
    char clock[32];
    Speed speed = speed_of_plan(plan);
    int rating = online_bot_rating(person, plan->variant, speed);
    int ours = view->us ? online_bot_rating(view->us, plan->variant, speed) : 0;
    int most = type->rating_difference;
    write_clock(plan, clock);
    if (strcmp(person->id, view->our_id) == 0 || person->is_out ||
        !is_on_lists(view, type, person->id) ||
        user_list_has(&view->config->game.challenge.block, text_of(person->id)))
        return false;
    if (rating < type->min_rating || rating > type->max_rating ||
        (most > 0 && ours > 0 && abs(rating - ours) > most))
        return false;
    const char *engine = view->engine_of(view->user, person->id);
    if (engine && engine_name_is_among(type->avoid_engines, engine))
        return false;
    return !view->is_excluded(view->user, person->id) && !has_declined(view, person->id, "", "") &&
           !has_declined(view, person->id, "clock", clock) &&
           !has_declined(view, person->id, "mode", plan->rated ? "rated" : "casual") &&
           !has_declined(view, person->id, "variant", variant_name(plan->variant));
}

/* The lower, the earlier they are asked. */
static int order_of(const SeekView *view, const SeekSettings *type, const SeekPlan *plan,
                    const OnlineBot *person)
{
    Speed speed = speed_of_plan(plan);
    int ours = view->us ? online_bot_rating(view->us, plan->variant, speed) : 0;
    switch (type->prefer) {
    case SEEK_RATING:
        return ours > 0 ? abs(online_bot_rating(person, plan->variant, speed) - ours) : 0;
    case SEEK_UNPLAYED:
        return view->games_with(view->user, person->id);
    case SEEK_ANY:
    case SEEK_ORDER_COUNT:
        break;
    }
    return 0;
}

/* The first ones of those that suit; of the same order each is as likely in each place. */
static void choose_candidates(const SeekView *view, const SeekSettings *type, uint64_t *seed,
                              SeekPlan *plan)
{
    struct {
        int order;
        uint64_t lot;
    } places[SEEK_CANDIDATES_MAX];
    int count = 0;
    for (size_t i = 0; i < view->people->count; i++) {
        const OnlineBot *person = &view->people->list[i];
        if (!is_wanted(view, type, plan, person))
            continue;
        int order = order_of(view, type, plan, person), at = count;
        uint64_t lot = random_next(seed);
        while (at > 0 && (places[at - 1].order > order ||
                          (places[at - 1].order == order && places[at - 1].lot > lot)))
            at--;
        if (at == SEEK_CANDIDATES_MAX)
            continue;
        count += count < SEEK_CANDIDATES_MAX;
        for (int j = count - 1; j > at; j--) {
            places[j] = places[j - 1];
            memcpy(plan->candidates[j], plan->candidates[j - 1], USER_ID_SIZE);
        }
        places[at].order = order;
        places[at].lot = lot;
        memcpy(plan->candidates[at], person->id, USER_ID_SIZE);
    }
    plan->candidate_count = count;
}

/* A member of a bit mask, each as likely. */
static int draw_bit(uint32_t set, uint64_t *seed)
{
    int count = 0, chosen = 0;
    for (int bit = 0; bit < 32; bit++)
        if (config_set_has(set, bit) && random_below(seed, (uint64_t)++count) == 0)
            chosen = bit;
    return chosen;
}

/* Lichess has few base times; of a range the lower end is played. False: none may be chosen. */
static bool draw_clock(const ClockList *clocks, bool no_days, uint64_t *seed, SeekPlan *plan)
{
    const ClockRange *chosen = NULL;
    uint64_t count = 0;
    for (int i = 0; i < clocks->count; i++)
        if ((clocks->at[i].days == 0 || !no_days) && random_below(seed, ++count) == 0)
            chosen = &clocks->at[i];
    if (!chosen)
        return false;
    plan->base_s = chosen->base_lo_s;
    plan->increment_s = chosen->increment_lo_s;
    plan->days = chosen->days;
    plan->in_pairs = plan->in_pairs && plan->days == 0; /* the second would take a slot for weeks */
    return true;
}

static SeekSettings type_of(const Config *config, size_t number)
{
    SeekSettings type = config->seek;
    if (number < config->type_count)
        rule_apply_type(&config->types[number], &type);
    return type;
}

static int weight_today(const SeekSettings *type, int weekday)
{
    return config_set_has(type->days, weekday) ? type->weight : 0;
}

/* The number of a type drawn by weight from those not tried yet; -1: none. */
static int draw_type(const SeekView *view, uint64_t *seed, uint64_t tried)
{
    const Config *config = view->config;
    size_t count = config->type_count > 0 ? config->type_count : 1;
    int64_t sum = 0;
    int chosen = -1;
    for (size_t i = 0; i < count; i++) {
        SeekSettings type = type_of(config, i);
        int weight = tried >> i & 1 ? 0 : weight_today(&type, view->weekday);
        sum += weight;
        if (weight > 0 && random_below(seed, (uint64_t)sum) < (uint64_t)weight)
            chosen = (int)i;
    }
    return chosen;
}

bool seek_choose(const SeekView *view, uint64_t *seed, SeekPlan *out)
{
    const Config *config = view->config;
    uint64_t tried = 0;
    for (int number; (number = draw_type(view, seed, tried)) >= 0; tried |= 1ULL << number) {
        SeekSettings type = type_of(config, (size_t)number);
        SeekPlan plan = { .in_pairs = type.pairs };
        if (config->type_count > 0) {
            text_format(plan.type, sizeof plan.type, "%s", config->types[number].name);
        }
        if (!draw_clock(&type.clocks, view->no_days, seed, &plan))
            continue;
        plan.variant = (Variant)draw_bit(type.variants, seed);
        plan.rated = draw_bit(type.modes, seed) == MODE_RATED;
        choose_candidates(view, &type, seed, &plan);
        if (plan.candidate_count == 0)
            continue;
        *out = plan;
        return true;
    }
    return false;
}

bool seek_avoids(const Config *config, const SeekPlan *plan, const char *engine)
{
    size_t number = 0;
    while (number < config->type_count && strcmp(config->types[number].name, plan->type) != 0)
        number++;
    SeekSettings type = type_of(config, number);
    return engine_name_is_among(type.avoid_engines, engine);
}
