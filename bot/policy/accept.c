/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/policy/accept.h"

#include "bot/config/external_config.h"
#include "engine/core/fen.h"

#include <string.h>

static bool is_from_us(const Challenge *challenge, const char *our_id)
{
    return challenge->has_challenger && text_is(challenge->challenger.id, our_id);
}

static bool is_for_others(const Challenge *challenge, const char *our_id)
{
    return challenge->has_dest_user && !text_is(challenge->dest_user.id, our_id);
}

/* An anonymous challenger has no id and is in no list. */
static bool is_allowed(const Challenge *challenge, const Config *config, const Acquaintance *known)
{
    if (config->challenge.allow.count == 0 && !known->has_allow_lists)
        return true;
    return known->is_allowed || (challenge->has_challenger &&
                                 user_list_has(&config->challenge.allow, challenge->challenger.id));
}

static bool is_blocked(const Challenge *challenge, const Config *config)
{
    return challenge->has_challenger &&
           user_list_has(&config->challenge.block, challenge->challenger.id);
}

/* Without a rating only those who ask for none will do. */
static bool is_too_weak(const Challenge *challenge, const Config *config)
{
    int rating = challenge->has_challenger ? challenge->challenger.rating : 0;
    return rating < config->challenge.min_rating;
}

static bool is_too_strong(const Challenge *challenge, const Config *config)
{
    return challenge->has_challenger && challenge->challenger.rating > config->challenge.max_rating;
}

/* What must be settled before the game, since it can't be helped once it runs. */
static bool position_is_sound(const Challenge *challenge)
{
    char fen[FEN_SIZE];
    Position pos;
    if (challenge->initial_fen.len == 0 || text_is(challenge->initial_fen, "startpos"))
        return true;
    if (challenge->initial_fen.len >= sizeof fen)
        return false;
    memcpy(fen, challenge->initial_fen.at, challenge->initial_fen.len);
    fen[challenge->initial_fen.len] = '\0';
    return fen_read(&pos, fen, FEN_STRICT, NULL, NULL);
}

static Verdict decline(DeclineReason reason, const char *why)
{
    return (Verdict){ VERDICT_DECLINE, reason, why };
}

static const Verdict accepted = { VERDICT_ACCEPT, DECLINE_UNKNOWN, "" };

/* What Lichess rates us at in games of this kind may not be told. */
static bool is_too_far_away(const Challenge *challenge, const Config *config)
{
    int most = config->challenge.rating_difference, ours = challenge->dest_user.rating;
    int theirs = challenge->has_challenger ? challenge->challenger.rating : 0;
    return most > 0 && ours > 0 && (theirs - ours > most || ours - theirs > most);
}

/* An anonymous challenger has no account at all. */
static Verdict judge_profile(const Challenge *challenge, const Config *config,
                             const Acquaintance *known)
{
    if (challenge->has_challenger && !known->has_profile)
        return accepted;
    if (known->games_played < config->challenge.min_games)
        return decline(DECLINE_GENERIC, "fewer games than min_games");
    if (known->account_days < config->challenge.min_account_days)
        return decline(DECLINE_GENERIC, "an account younger than min_account_days");
    return accepted;
}

static Verdict judge_player(const Challenge *challenge, const Config *config,
                            const Acquaintance *known)
{
    if (known->is_blocked || is_blocked(challenge, config))
        return decline(DECLINE_GENERIC, "blocked");
    if (!is_allowed(challenge, config, known))
        return decline(DECLINE_GENERIC, "not in the list of those allowed");
    OpponentKind kind = facts_of_challenge(challenge).kind;
    if (!config_set_has(config->challenge.opponents, (int)kind))
        return kind == KIND_BOT ? decline(DECLINE_NO_BOT, "no bots")
                                : decline(DECLINE_ONLY_BOT, "no humans");
    if (is_too_weak(challenge, config))
        return decline(DECLINE_GENERIC, "rating below min_rating");
    if (is_too_strong(challenge, config))
        return decline(DECLINE_GENERIC, "rating above max_rating");
    if (is_too_far_away(challenge, config))
        return decline(DECLINE_GENERIC, "rating too far from ours");
    if (challenge->challenger.provisional && !config->challenge.provisional)
        return decline(DECLINE_GENERIC, "provisional rating");
    return judge_profile(challenge, config, known);
}

static Verdict judge_variant(const Challenge *challenge, const Config *config)
{
    uint32_t variants = config->challenge.variants & config_playable_variants(config);
    if (challenge->variant == VARIANT_UNKNOWN || !config_set_has(variants, (int)challenge->variant))
        return variants == 1U << VARIANT_STANDARD ? decline(DECLINE_STANDARD, "variant")
                                                  : decline(DECLINE_VARIANT, "variant");
    if (variant_is_chess(challenge->variant) && !position_is_sound(challenge))
        return decline(DECLINE_VARIANT, "initial position is not sound");
    return accepted;
}

/* Whether every speed that we play is slower, or every one faster. */
static Verdict judge_speed(const Challenge *challenge, const Config *config)
{
    int speed = (int)challenge->speed;
    uint32_t speeds = config->challenge.speeds;
    if (speed == SPEED_UNKNOWN)
        return decline(DECLINE_TIME_CONTROL, "unknown speed");
    if (config_set_has(speeds, speed))
        return accepted;
    uint32_t faster = (1U << speed) - 1;
    if ((speeds & faster) == 0)
        return decline(DECLINE_TOO_FAST, "speed");
    if ((speeds & ~faster) == 0)
        return decline(DECLINE_TOO_SLOW, "speed");
    return decline(DECLINE_TIME_CONTROL, "speed");
}

static Verdict judge_days(const TimeControl *time, const Config *config)
{
    if (time->kind == TIME_UNLIMITED)
        return config->challenge.unlimited ? accepted
                                           : decline(DECLINE_TOO_SLOW, "no limit for a move");
    if (time->days < config->challenge.min_days)
        return decline(DECLINE_TOO_FAST, "days for a move below min_days");
    if (time->days > config->challenge.max_days)
        return decline(DECLINE_TOO_SLOW, "days for a move above max_days");
    return accepted;
}

static Verdict judge_clock(const Challenge *challenge, const Config *config)
{
    const TimeControl *time = &challenge->time;
    if (time->kind == TIME_UNKNOWN)
        return decline(DECLINE_TIME_CONTROL, "unknown time control");
    if (time->kind != TIME_CLOCK)
        return judge_days(time, config); /* the speed said "correspondence" */
    if (time->base_s < config->challenge.min_base_s)
        return decline(DECLINE_TOO_FAST, "initial time below min_base");
    if (time->base_s > config->challenge.max_base_s)
        return decline(DECLINE_TOO_SLOW, "initial time above max_base");
    if (time->increment_s < config->challenge.min_increment_s)
        return decline(DECLINE_TOO_FAST, "increment below min_increment");
    if (time->increment_s > config->challenge.max_increment_s)
        return decline(DECLINE_TOO_SLOW, "increment above max_increment");
    return accepted;
}

static Verdict judge_mode(const Challenge *challenge, const Config *config)
{
    GameMode mode = challenge->rated ? MODE_RATED : MODE_CASUAL;
    if (config_set_has(config->challenge.modes, (int)mode))
        return accepted;
    return mode == MODE_RATED ? decline(DECLINE_CASUAL, "no rated games")
                              : decline(DECLINE_RATED, "no casual games");
}

static Verdict judge_server(const Challenge *challenge, const Config *config)
{
    if (challenge->rule_no_abort && !config->challenge.no_abort)
        return decline(DECLINE_GENERIC, "a game that nobody may abort");
    if (challenge->playable)
        return accepted;
    return decline(DECLINE_GENERIC, "Lichess lets no bot play this");
}

/* The content of a challenge, which its player can change. */
static Verdict judge_content(const Challenge *challenge, const Config *config)
{
    static Verdict (*const judges[])(const Challenge *, const Config *) = {
        judge_variant, judge_speed, judge_clock, judge_mode, judge_server,
    };
    for (size_t i = 0; i < sizeof judges / sizeof *judges; i++) {
        Verdict verdict = judges[i](challenge, config);
        if (verdict.kind != VERDICT_ACCEPT)
            return verdict;
    }
    return accepted;
}

static void settle(const Challenge *challenge, const Config *config, Config *settings)
{
    GameFacts facts = facts_of_challenge(challenge);
    rules_apply(config, &facts, settings, NULL);
}

/* Where rules open what the configuration closes, or the other way round, no one key says what a
 * player could do. So a challenge that is not wanted is tried with one thing changed at a time. */

static bool would_do(const Challenge *challenge, const Config *config, const Acquaintance *known)
{
    Config settings;
    settle(challenge, config, &settings);
    return settings.challenge.accept &&
           judge_player(challenge, &settings, known).kind == VERDICT_ACCEPT &&
           judge_content(challenge, &settings).kind == VERDICT_ACCEPT;
}

static bool other_mode_would_do(const Challenge *challenge, const Config *config,
                                const Acquaintance *known)
{
    Challenge other = *challenge;
    other.rated = !challenge->rated;
    return would_do(&other, config, known);
}

/* After: lichess.org, a game's speed by its estimated duration. */
static Speed speed_of_clock(int base_s, int increment_s)
{
    int estimate_s = base_s + 40 * increment_s;
    return estimate_s < 30     ? SPEED_ULTRA_BULLET
           : estimate_s < 180  ? SPEED_BULLET
           : estimate_s < 480  ? SPEED_BLITZ
           : estimate_s < 1500 ? SPEED_RAPID
                               : SPEED_CLASSICAL;
}

/* Sets *slower or *faster if that clock would do. */
static void try_clock(const Challenge *challenge, const Config *config, const Acquaintance *known,
                      int base_s, int increment_s, bool *slower, bool *faster)
{
    Challenge other = *challenge;
    other.speed = speed_of_clock(base_s, increment_s);
    other.time = (TimeControl){ .kind = TIME_CLOCK, .base_s = base_s, .increment_s = increment_s };
    if (!would_do(&other, config, known))
        return;
    const TimeControl *time = &challenge->time;
    int64_t estimate_s = time->base_s + 40 * time->increment_s;
    if (time->kind == TIME_CLOCK && base_s + 40 * increment_s > estimate_s)
        *slower = true;
    else
        *faster = true;
}

/* The clocks that rules name, and a usual one for each speed. */
static DeclineReason clock_that_would_do(const Challenge *challenge, const Config *config,
                                         const Acquaintance *known)
{
    static const struct {
        int base_s, increment_s;
    } usual[] = { { 60, 0 }, { 180, 2 }, { 600, 0 }, { 1800, 0 } };
    bool slower = false, faster = false;
    for (size_t i = 0; i < sizeof usual / sizeof *usual; i++)
        try_clock(challenge, config, known, usual[i].base_s, usual[i].increment_s, &slower,
                  &faster);
    for (size_t i = 0; i < config->rule_count; i++) {
        const ClockList *clocks = &config->rules[i].when.clocks;
        for (int j = 0; j < clocks->count; j++)
            try_clock(challenge, config, known, clocks->at[j].base_lo_s,
                      clocks->at[j].increment_lo_s, &slower, &faster);
    }
    return slower && faster ? DECLINE_TIME_CONTROL
           : slower         ? DECLINE_TOO_FAST
           : faster         ? DECLINE_TOO_SLOW
                            : DECLINE_UNKNOWN;
}

static DeclineReason variant_that_would_do(const Challenge *challenge, const Config *config,
                                           const Acquaintance *known)
{
    DeclineReason reason = DECLINE_UNKNOWN;
    for (int variant = VARIANT_STANDARD; variant < VARIANT_COUNT; variant++) {
        Challenge other = *challenge;
        other.variant = (Variant)variant;
        other.initial_fen = (Text){ 0 };
        if (variant != (int)challenge->variant && would_do(&other, config, known))
            reason = variant == VARIANT_STANDARD ? DECLINE_STANDARD : DECLINE_VARIANT;
    }
    return reason;
}

static DeclineReason kind_that_would_do(const Challenge *challenge, const Config *config,
                                        const Acquaintance *known)
{
    OpponentKind kind = facts_of_challenge(challenge).kind;
    Challenge other = *challenge;
    other.challenger.title = text_of(kind == KIND_BOT ? "" : "BOT");
    if (!challenge->has_challenger || !would_do(&other, config, known))
        return DECLINE_UNKNOWN;
    return kind == KIND_BOT ? DECLINE_NO_BOT : DECLINE_ONLY_BOT;
}

/* The change that costs the player least, or none: then only the time can help. */
static DeclineReason what_would_help(const Challenge *challenge, const Config *config,
                                     const Acquaintance *known)
{
    DeclineReason reason = DECLINE_UNKNOWN;
    if (other_mode_would_do(challenge, config, known))
        return challenge->rated ? DECLINE_CASUAL : DECLINE_RATED;
    if ((reason = clock_that_would_do(challenge, config, known)) != DECLINE_UNKNOWN ||
        (reason = variant_that_would_do(challenge, config, known)) != DECLINE_UNKNOWN ||
        (reason = kind_that_would_do(challenge, config, known)) != DECLINE_UNKNOWN)
        return reason;
    return DECLINE_LATER;
}

static Verdict judge_acquaintance(const Challenge *challenge, const Acquaintance *known,
                                  const Config *config)
{
    if (known->is_spent)
        return decline(DECLINE_LATER, "no more games between bots today");
    if (config->challenge.rematches > 0 && challenge->rematch_of.len > 0 &&
        known->rematches >= config->challenge.rematches)
        return decline(DECLINE_LATER, "rematches reached");
    if (config->challenge.games_per_opponent > 0 &&
        known->games_now >= config->challenge.games_per_opponent)
        return decline(DECLINE_LATER, "games_per_opponent reached");
    if (config->challenge.games_per_hour > 0 &&
        known->games_in_hour >= config->challenge.games_per_hour)
        return decline(DECLINE_LATER, "games_per_hour reached");
    if (config->challenge.games_per_day > 0 &&
        known->games_in_day >= config->challenge.games_per_day)
        return decline(DECLINE_LATER, "games_per_day reached");
    return accepted;
}

Verdict accept_judge(const Challenge *challenge, const Config *config, const char *our_id,
                     const Acquaintance *known)
{
    if (is_from_us(challenge, our_id))
        return (Verdict){ VERDICT_IGNORE, DECLINE_UNKNOWN, "our own" };
    if (is_for_others(challenge, our_id))
        return (Verdict){ VERDICT_IGNORE, DECLINE_UNKNOWN, "not for us" };
    Config settings;
    settle(challenge, config, &settings);
    static const Acquaintance stranger = { 0 };
    known = known ? known : &stranger;
    Verdict verdict = judge_player(challenge, &settings, known);
    if (verdict.kind == VERDICT_ACCEPT && !settings.challenge.accept)
        verdict = decline(what_would_help(challenge, config, known), "challenge.accept is off");
    if (verdict.kind == VERDICT_ACCEPT)
        verdict = judge_content(challenge, &settings);
    if (verdict.kind == VERDICT_ACCEPT)
        verdict = judge_acquaintance(challenge, known, &settings);
    return verdict;
}

bool accept_needs_profile(const Challenge *challenge, const Config *config)
{
    Config settings;
    settle(challenge, config, &settings);
    return challenge->has_challenger &&
           (settings.challenge.min_games > 0 || settings.challenge.min_account_days > 0);
}

int64_t accept_rank(const Challenge *challenge, const Config *config)
{
    enum { RATING = 1, TITLE = 100000, KIND = 1000000, PRIORITY = 10000000 };
    Config settings;
    settle(challenge, config, &settings);
    OpponentKind kind = facts_of_challenge(challenge).kind;
    uint32_t prefer = settings.challenge.prefer;
    Preference kind_preference = kind == KIND_BOT ? PREFER_BOT : PREFER_HUMAN;
    bool has_title = kind == KIND_HUMAN && challenge->challenger.title.len > 0;
    int64_t rank = (int64_t)settings.challenge.priority * PRIORITY;
    rank += config_set_has(prefer, (int)kind_preference) ? KIND : 0;
    rank += has_title && config_set_has(prefer, PREFER_TITLE) ? TITLE : 0;
    rank += config_set_has(prefer, PREFER_RATING) ? challenge->challenger.rating * RATING : 0;
    return rank;
}
