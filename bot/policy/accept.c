/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/policy/accept.h"

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
static bool is_allowed(const Challenge *challenge, const Config *config)
{
    if (config->challenge.allow.count == 0)
        return true;
    return challenge->has_challenger &&
           user_list_has(&config->challenge.allow, challenge->challenger.id);
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

static Verdict judge_player(const Challenge *challenge, const Config *config)
{
    if (!config->challenge.accept)
        return decline(DECLINE_LATER, "challenge.accept is off");
    if (is_blocked(challenge, config))
        return decline(DECLINE_GENERIC, "blocked");
    if (!is_allowed(challenge, config))
        return decline(DECLINE_GENERIC, "not in the list of those allowed");
    OpponentKind kind = facts_of_challenge(challenge).kind;
    if (!config_set_has(config->challenge.opponents, (int)kind))
        return kind == KIND_BOT ? decline(DECLINE_NO_BOT, "no bots")
                                : decline(DECLINE_ONLY_BOT, "no humans");
    if (is_too_weak(challenge, config))
        return decline(DECLINE_GENERIC, "rating below min_rating");
    if (is_too_strong(challenge, config))
        return decline(DECLINE_GENERIC, "rating above max_rating");
    return accepted;
}

static Verdict judge_variant(const Challenge *challenge, const Config *config)
{
    uint32_t variants = config->challenge.variants;
    if (challenge->variant == VARIANT_UNKNOWN || !config_set_has(variants, (int)challenge->variant))
        return variants == 1U << VARIANT_STANDARD ? decline(DECLINE_STANDARD, "variant")
                                                  : decline(DECLINE_VARIANT, "variant");
    if (!position_is_sound(challenge))
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

static Verdict judge_clock(const Challenge *challenge, const Config *config)
{
    const TimeControl *time = &challenge->time;
    if (time->kind == TIME_UNKNOWN)
        return decline(DECLINE_TIME_CONTROL, "unknown time control");
    if (time->kind != TIME_CLOCK)
        return accepted; /* the speed said "correspondence" */
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
    (void)config;
    if (challenge->playable)
        return accepted;
    return decline(DECLINE_GENERIC, "Lichess lets no bot play this");
}

Verdict accept_judge(const Challenge *challenge, const Config *config, const char *our_id)
{
    static Verdict (*const judges[])(const Challenge *, const Config *) = {
        judge_player, judge_variant, judge_speed, judge_clock, judge_mode, judge_server,
    };
    if (is_from_us(challenge, our_id))
        return (Verdict){ VERDICT_IGNORE, DECLINE_UNKNOWN, "our own" };
    if (is_for_others(challenge, our_id))
        return (Verdict){ VERDICT_IGNORE, DECLINE_UNKNOWN, "not for us" };
    Config settings;
    GameFacts facts = facts_of_challenge(challenge);
    rules_apply(config, &facts, &settings, NULL);
    for (size_t i = 0; i < sizeof judges / sizeof *judges; i++) {
        Verdict verdict = judges[i](challenge, &settings);
        if (verdict.kind != VERDICT_ACCEPT)
            return verdict;
    }
    return accepted;
}
