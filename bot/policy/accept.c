/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/policy/accept.h"

#include "bot/policy/decline_reason.h"
#include "bot/policy/play_time.h"
#include "bot/config/settings.h"
#include "bot/model/variant_start.h"

#include <string.h>

static bool is_from_us(const Challenge *challenge, const char *our_id)
{
    return challenge->has_challenger && strcmp(challenge->challenger.id, our_id) == 0;
}

static bool is_for_others(const Challenge *challenge, const char *our_id)
{
    return challenge->has_dest_user && strcmp(challenge->dest_user.id, our_id) != 0;
}

/* An anonymous challenger has no id and is in no list. */
static bool is_allowed(const Challenge *challenge, const GameSettings *settings,
                       const ChallengerFacts *challenger)
{
    if (settings->challenge.allow.count == 0 && !challenger->has_allow_lists)
        return true;
    return challenger->is_allowed ||
           (challenge->has_challenger &&
            user_list_has(&settings->challenge.allow, text_of(challenge->challenger.id)));
}

static bool is_blocked(const Challenge *challenge, const GameSettings *settings)
{
    return challenge->has_challenger &&
           user_list_has(&settings->challenge.block, text_of(challenge->challenger.id));
}

/* Without a rating only those who ask for none will do. */
static bool is_too_weak(const Challenge *challenge, const GameSettings *settings)
{
    int rating = challenge->has_challenger ? challenge->challenger.rating : 0;
    return rating < settings->challenge.min_rating;
}

static bool is_too_strong(const Challenge *challenge, const GameSettings *settings)
{
    return challenge->has_challenger &&
           challenge->challenger.rating > settings->challenge.max_rating;
}

/* What must be decided before the game, since it can't be helped once it runs. */
static bool position_is_sound(const Challenge *challenge)
{
    char fen[FEN_SIZE];
    Position pos;
    if (challenge->initial_fen.len == 0 || text_is(challenge->initial_fen, "startpos"))
        return true;
    return text_copy(fen, sizeof fen, challenge->initial_fen) &&
           variant_start_read(&pos, challenge->variant, fen, FEN_STRICT, NULL, NULL);
}

static Verdict decline(DeclineReason reason, const char *why)
{
    return (Verdict){ .kind = VERDICT_DECLINE, .reason = reason, .why = why };
}

static Verdict ignore(const char *why)
{
    return (Verdict){ .kind = VERDICT_IGNORE, .reason = DECLINE_UNKNOWN, .why = why };
}

static const Verdict accepted = { .kind = VERDICT_ACCEPT, .reason = DECLINE_UNKNOWN, .why = "" };

/* Our rating in games of this kind may be missing. */
static bool is_too_far_away(const Challenge *challenge, const GameSettings *settings)
{
    int most = settings->challenge.rating_difference, ours = challenge->dest_user.rating;
    int theirs = challenge->has_challenger ? challenge->challenger.rating : 0;
    return most > 0 && ours > 0 && (theirs - ours > most || ours - theirs > most);
}

/* An anonymous challenger has no account at all. */
static Verdict judge_profile(const Challenge *challenge, const GameSettings *settings,
                             const ChallengerFacts *challenger)
{
    if (challenge->has_challenger && challenger->profile != PROFILE_KNOWN)
        return accepted;
    if (challenger->games_played < settings->challenge.min_games)
        return decline(DECLINE_GENERIC, "fewer games than min_games");
    if (challenger->account_days < settings->challenge.min_account_days)
        return decline(DECLINE_GENERIC, "an account younger than min_account_days");
    return accepted;
}

static Verdict judge_player(const Challenge *challenge, const GameSettings *settings,
                            const ChallengerFacts *challenger)
{
    if (challenger->is_blocked || is_blocked(challenge, settings))
        return decline(DECLINE_GENERIC, "blocked");
    if (!is_allowed(challenge, settings, challenger))
        return decline(DECLINE_GENERIC, "not in the list of those allowed");
    OpponentKind kind = facts_of_challenge(challenge).kind;
    if (!config_set_has(settings->challenge.opponents, (int)kind))
        return kind == KIND_BOT ? decline(DECLINE_NO_BOT, "no bots")
                                : decline(DECLINE_ONLY_BOT, "no humans");
    if (is_too_weak(challenge, settings))
        return decline(DECLINE_GENERIC, "rating below min_rating");
    if (is_too_strong(challenge, settings))
        return decline(DECLINE_GENERIC, "rating above max_rating");
    if (is_too_far_away(challenge, settings))
        return decline(DECLINE_GENERIC, "rating too far from ours");
    if (challenge->challenger.provisional && !settings->challenge.provisional)
        return decline(DECLINE_GENERIC, "provisional rating");
    return judge_profile(challenge, settings, challenger);
}

static Verdict judge_variant(const Challenge *challenge, const GameSettings *settings)
{
    uint32_t variants = settings->challenge.variants;
    if (challenge->variant == VARIANT_UNKNOWN || !config_set_has(variants, (int)challenge->variant))
        return variants == 1U << VARIANT_STANDARD ? decline(DECLINE_STANDARD, "variant")
                                                  : decline(DECLINE_VARIANT, "variant");
    if (!position_is_sound(challenge))
        return decline(DECLINE_VARIANT, "initial position is not sound");
    return accepted;
}

static Verdict judge_speed(const Challenge *challenge, const GameSettings *settings)
{
    int speed = (int)challenge->speed;
    uint32_t speeds = settings->challenge.speeds;
    if (speed == SPEED_UNKNOWN)
        return decline(DECLINE_TIME_CONTROL, "unknown speed");
    if (config_set_has(speeds, speed))
        return accepted;
    return decline(decline_reason_by_speed(speeds, challenge->speed), "speed");
}

static Verdict judge_days(const TimeControl *time, const GameSettings *settings)
{
    if (time->kind == TIME_UNLIMITED)
        return settings->challenge.unlimited ? accepted
                                             : decline(DECLINE_TOO_SLOW, "no limit for a move");
    if (time->days < settings->challenge.min_days)
        return decline(DECLINE_TOO_FAST, "days for a move below min_days");
    if (time->days > settings->challenge.max_days)
        return decline(DECLINE_TOO_SLOW, "days for a move above max_days");
    return accepted;
}

static Verdict judge_clock(const Challenge *challenge, const GameSettings *settings)
{
    const TimeControl *time = &challenge->time;
    if (time->kind == TIME_UNKNOWN)
        return decline(DECLINE_TIME_CONTROL, "unknown time control");
    if (time->kind != TIME_CLOCK)
        return judge_days(time, settings); /* the speed said "correspondence" */
    if (time->base_s < settings->challenge.min_base_s)
        return decline(DECLINE_TOO_FAST, "initial time below min_base");
    if (time->base_s > settings->challenge.max_base_s)
        return decline(DECLINE_TOO_SLOW, "initial time above max_base");
    if (time->increment_s < settings->challenge.min_increment_s)
        return decline(DECLINE_TOO_FAST, "increment below min_increment");
    if (time->increment_s > settings->challenge.max_increment_s)
        return decline(DECLINE_TOO_SLOW, "increment above max_increment");
    int most_s = 60 * settings->challenge.max_duration_min;
    if (most_s > 0 && 2 * time_control_estimate_s(time) > most_s)
        return decline(DECLINE_TOO_SLOW, "estimated to take longer than max_duration");
    return accepted;
}

static Verdict judge_mode(const Challenge *challenge, const GameSettings *settings)
{
    GameMode mode = challenge->rated ? MODE_RATED : MODE_CASUAL;
    if (config_set_has(settings->challenge.modes, (int)mode))
        return accepted;
    return mode == MODE_RATED ? decline(DECLINE_CASUAL, "no rated games")
                              : decline(DECLINE_RATED, "no casual games");
}

static Verdict judge_server(const Challenge *challenge, const GameSettings *settings)
{
    if (challenge->rule_no_abort && !settings->challenge.no_abort)
        return decline(DECLINE_GENERIC, "a game that forbids aborting");
    if (challenge->playable)
        return accepted;
    return decline(DECLINE_GENERIC, "Lichess lets no bot play this");
}

/* The content of a challenge, which its player can change. */
static Verdict judge_content(const Challenge *challenge, const GameSettings *settings)
{
    static Verdict (*const judges[])(const Challenge *, const GameSettings *) = {
        judge_variant, judge_speed, judge_clock, judge_mode, judge_server,
    };
    for (size_t i = 0; i < sizeof judges / sizeof *judges; i++) {
        Verdict verdict = judges[i](challenge, settings);
        if (verdict.kind != VERDICT_ACCEPT)
            return verdict;
    }
    return accepted;
}

static Verdict judge_history(const Challenge *challenge, const GameSettings *settings,
                             const ChallengerFacts *challenger)
{
    if (challenger->is_spent)
        return decline(DECLINE_LATER, "no more games between bots today");
    if (settings->challenge.rematches > 0 && challenge->rematch_of.len > 0 &&
        challenger->rematches >= settings->challenge.rematches)
        return decline(DECLINE_LATER, "rematches reached");
    if (settings->challenge.games_per_opponent > 0 &&
        challenger->games_now >= settings->challenge.games_per_opponent)
        return decline(DECLINE_LATER, "games_per_opponent reached");
    if (settings->challenge.games_per_hour > 0 &&
        challenger->games_in_hour >= settings->challenge.games_per_hour)
        return decline(DECLINE_LATER, "games_per_hour reached");
    if (settings->challenge.games_per_day > 0 &&
        challenger->games_in_day >= settings->challenge.games_per_day)
        return decline(DECLINE_LATER, "games_per_day reached");
    return accepted;
}

/* Of those that wait: priority first, then kind, title and rating as `prefer` says. */
static int64_t rank_of(const Challenge *challenge, const GameSettings *settings)
{
    enum { RATING = 1, TITLE = 100000, KIND = 1000000, PRIORITY = 10000000 };
    OpponentKind kind = facts_of_challenge(challenge).kind;
    uint32_t prefer = settings->challenge.prefer;
    Preference kind_preference = kind == KIND_BOT ? PREFER_BOT : PREFER_HUMAN;
    bool has_title = kind == KIND_HUMAN && challenge->challenger.title[0] != '\0';
    int64_t rank = (int64_t)settings->challenge.priority * PRIORITY;
    rank += config_set_has(prefer, (int)kind_preference) ? KIND : 0;
    rank += has_title && config_set_has(prefer, PREFER_TITLE) ? TITLE : 0;
    rank += config_set_has(prefer, PREFER_RATING) ? challenge->challenger.rating * RATING : 0;
    return rank;
}

Verdict accept_decide(const Challenge *challenge, const Config *config,
                      const GameSettings *settings, const char *our_id,
                      const ChallengerFacts *challenger)
{
    if (is_from_us(challenge, our_id))
        return ignore("our own");
    if (is_for_others(challenge, our_id))
        return ignore("not for us");
    Verdict verdict = judge_player(challenge, settings, challenger);
    if (verdict.kind == VERDICT_ACCEPT && !settings->challenge.accept)
        verdict = decline(decline_reason_when_off(challenge, config), "challenge.accept is off");
    if (verdict.kind == VERDICT_ACCEPT)
        verdict = judge_content(challenge, settings);
    if (verdict.kind == VERDICT_ACCEPT)
        verdict = judge_history(challenge, settings, challenger);
    if (verdict.kind != VERDICT_ACCEPT)
        return verdict;
    bool asks_for_profile =
        settings->challenge.min_games > 0 || settings->challenge.min_account_days > 0;
    verdict.needs_profile =
        asks_for_profile && challenge->has_challenger && challenger->profile != PROFILE_KNOWN;
    verdict.rank = rank_of(challenge, settings);
    return verdict;
}
