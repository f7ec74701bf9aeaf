/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/pairing/pairing_log.h"

static void log_created(Log *log, const ChallengeRequest *request)
{
    log_info(log, "challenge", "created",
             FIELDS(F("to", request->opponent), F("base_s", request->base_s),
                    F("increment_s", request->increment_s), F("days", request->days),
                    F("variant", variant_name(request->variant)),
                    F("rated", request->rated ? "yes" : "no")));
}

static void log_challenge(Log *log, const char *event, const PairNote *note)
{
    const PairNoteChallenge *challenge = &note->challenge;
    log_info(log, "challenge", event,
             FIELDS(F("id", note->id), F("from", challenge->from), F("rating", challenge->rating),
                    F("variant", challenge->variant), F("speed", challenge->speed),
                    F("clock", challenge->clock), F("rated", challenge->rated ? "yes" : "no"),
                    F("why", note->why)));
}

/* The server's list of open challenges cannot be had. */
static void log_list(Log *log, const PairNote *note)
{
    if (note->kind == PAIR_NOTE_LIST_LOST)
        log_info(log, "challenge", "list-lost",
                 FIELDS(F("status", note->number), F("why", note->why)));
    else if (note->kind == PAIR_NOTE_LIST_UNREADABLE)
        log_warning(log, "challenge", "list-unreadable",
                    FIELDS(F("why", note->why),
                           F("next", "who waits is accepted, though perhaps gone by then")));
    else
        log_warning(
            log, "challenge", "scope-missing",
            FIELDS(F("why", note->why),
                   F("advice",
                     "the token lacks challenge:read, so castled may accept challenges whose owner "
                     "has left; castled login gets a token with it")));
}

/* How our answers to a challenge fare. */
static void log_answer(Log *log, const PairNote *note)
{
    if (note->kind == PAIR_NOTE_ACCEPTED)
        log_info(log, "challenge", "accepted", FIELDS(F("id", note->id), F("try", note->count)));
    else if (note->kind == PAIR_NOTE_NOT_ACCEPTED)
        log_info(log, "challenge", "not-accepted",
                 FIELDS(F("id", note->id), F("try", note->count), F("status", note->number),
                        F("why", note->why)));
    else if (note->kind == PAIR_NOTE_ACCEPT_NO_ROOM)
        log_error(log, "challenge", "not-accepted", FIELDS(F("id", note->id), F("why", note->why)));
    else
        log_debug(log, "challenge", "decline-answer",
                  FIELDS(F("outcome", note->to), F("why", note->why)));
}

static void log_profile(Log *log, const PairNote *note)
{
    if (note->kind == PAIR_NOTE_PROFILE_TOLD)
        log_debug(
            log, "profile", "told",
            FIELDS(F("user", note->user), F("games", note->count), F("created_ms", note->time_ms)));
    else
        log_warning(log, "profile", "missing", FIELDS(F("user", note->user), F("why", note->why)));
}

static void log_arena(Log *log, const PairNote *note)
{
    if (note->kind == PAIR_NOTE_ARENA_JOINED)
        log_info(log, "tournament", "joined",
                 FIELDS(F("arena", note->id), F("name", note->name),
                        F("starts_s", note->time_ms / 1000)));
    else if (note->kind == PAIR_NOTE_ARENA_LEFT)
        log_info(log, "tournament", "left",
                 FIELDS(F("arena", note->id), F("name", note->name), F("why", note->why)));
    else if (note->kind == PAIR_NOTE_ARENA_WAITS)
        log_info(
            log, "tournament", "waits",
            FIELDS(F("arena", note->id), F("why", note->why), F("retry_in_ms", note->time_ms)));
    else
        log_info(
            log, "tournament", "no-answer",
            FIELDS(F("arena", note->id), F("why", note->why), F("retry_in_ms", note->time_ms)));
}

/* What we cannot join, or do not want to. */
static void log_not_joined(Log *log, const PairNote *note)
{
    if (note->kind == PAIR_NOTE_ARENA_NO_ROOM)
        log_error(log, "tournament", "not-joined",
                  FIELDS(F("arena", note->id), F("why", note->why)));
    else if (note->kind == PAIR_NOTE_ARENA_SCOPE_MISSING)
        log_error(log, "tournament", "scope-missing",
                  FIELDS(F("advice",
                           "the token may not join or leave tournaments: castled login gets one "
                           "that may, or make one with bot:play, challenge:read and "
                           "tournament:write on the server's page /account/oauth/token/create")));
    else if (note->kind == PAIR_NOTE_ARENA_PASSED_OVER)
        log_debug(log, "tournament", "passed-over",
                  FIELDS(F("arena", note->id), F("team", note->team), F("why", note->why)));
    else
        log_warning(log, "tournament", "team-unread",
                    FIELDS(F("team", note->team), F("why", note->why)));
}

void pairing_log_note(Log *log, const PairNote *note)
{
    switch (note->kind) {
    case PAIR_NOTE_OUTGOING_STATE:
        log_debug(log, "challenge", "state",
                  FIELDS(F("id", note->id), F("from", note->from), F("to", note->to)));
        break;
    case PAIR_NOTE_OUTGOING_CREATED:
        log_created(log, &note->request);
        break;
    case PAIR_NOTE_OUTGOING_ENDED:
        log_info(log, "challenge", "ended",
                 FIELDS(F("id", note->id), F("to", note->user), F("end", note->to),
                        F("why", note->why)));
        break;
    case PAIR_NOTE_MATCH_ADDED:
        log_info(log, "schedule", "added",
                 FIELDS(F("number", note->number), F("to", note->user), F("games", note->count),
                        F("unix_s", note->time_s)));
        break;
    case PAIR_NOTE_MATCH_WAITS:
        log_info(log, "schedule", "waits", FIELDS(F("number", note->number), F("why", note->why)));
        break;
    case PAIR_NOTE_MATCH_LIMITED:
        log_info(
            log, "schedule", "waits",
            FIELDS(F("number", note->number), F("why", note->why), F("retry_in_s", note->time_s)));
        break;
    case PAIR_NOTE_MATCH_REMOVED:
        log_info(log, "schedule", "removed",
                 FIELDS(F("number", note->number), F("why", note->why)));
        break;
    case PAIR_NOTE_SEEK_NOT_ASKED:
        log_info(log, "matchmaking", "not-asked", FIELDS(F("to", note->user), F("why", note->why)));
        break;
    case PAIR_NOTE_SEEK_ONLINE:
        log_debug(log, "matchmaking", "online", FIELDS(F("bots", note->count)));
        break;
    case PAIR_NOTE_ACCEPTING:
        log_challenge(log, "accepting", note);
        break;
    case PAIR_NOTE_WAITS:
        log_challenge(log, "waits", note);
        break;
    case PAIR_NOTE_DECLINED:
        log_challenge(log, "declined", note);
        break;
    case PAIR_NOTE_NOT_VETTED:
        log_challenge(log, "not-vetted", note);
        break;
    case PAIR_NOTE_IGNORED:
        log_debug(log, "challenge", "ignored", FIELDS(F("id", note->id), F("why", note->why)));
        break;
    case PAIR_NOTE_FOUND:
        log_info(log, "challenge", "found", FIELDS(F("id", note->id)));
        break;
    case PAIR_NOTE_REPLACED:
        log_info(log, "challenge", "replaced", FIELDS(F("id", note->id), F("by", note->why)));
        break;
    case PAIR_NOTE_CANCELED:
        log_info(log, "challenge", "canceled", FIELDS(F("id", note->id)));
        break;
    case PAIR_NOTE_EXPIRED:
        log_info(log, "challenge", "expired", FIELDS(F("id", note->id)));
        break;
    case PAIR_NOTE_SENT_AWAY:
        log_info(log, "challenge", "declined", FIELDS(F("id", note->id), F("why", note->why)));
        break;
    case PAIR_NOTE_ACCEPTS_NEXT:
        log_info(log, "challenge", "accepting", FIELDS(F("id", note->id), F("after", "waiting")));
        break;
    case PAIR_NOTE_ACCEPTED:
    case PAIR_NOTE_NOT_ACCEPTED:
    case PAIR_NOTE_ACCEPT_NO_ROOM:
    case PAIR_NOTE_DECLINE_ANSWER:
        log_answer(log, note);
        break;
    case PAIR_NOTE_LIST_LOST:
    case PAIR_NOTE_LIST_UNREADABLE:
    case PAIR_NOTE_SCOPE_MISSING:
        log_list(log, note);
        break;
    case PAIR_NOTE_PROFILE_TOLD:
    case PAIR_NOTE_PROFILE_MISSING:
        log_profile(log, note);
        break;
    case PAIR_NOTE_ARENA_JOINED:
    case PAIR_NOTE_ARENA_LEFT:
    case PAIR_NOTE_ARENA_WAITS:
    case PAIR_NOTE_ARENA_NO_ANSWER:
        log_arena(log, note);
        break;
    case PAIR_NOTE_ARENA_NO_ROOM:
    case PAIR_NOTE_ARENA_SCOPE_MISSING:
    case PAIR_NOTE_ARENA_PASSED_OVER:
    case PAIR_NOTE_TEAM_UNREAD:
        log_not_joined(log, note);
        break;
    }
}
