/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/pairing/pairing_log.h"

static void log_created(Log *log, const ChallengeRequest *request)
{
    log_info(log, "challenge", "created",
             FIELDS(F("to", request->opponent), F("base_s", request->base_s),
                    F("increment_s", request->increment_s),
                    F("variant", variant_name(request->variant)),
                    F("rated", request->rated ? "yes" : "no")));
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
    }
}
