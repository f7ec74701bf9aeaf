/* SPDX-License-Identifier: GPL-3.0-or-later */
/* challenge_list.h - the answer to GET /api/challenge: which challenges to us are open, with owners
 * who are there. One that is missing was withdrawn or answered, or its owner is away. Pure. */
#pragma once
#include "bot/lichess/event.h"

enum { CHALLENGE_LIST_MAX = 256 /* Lichess sends about 50 */ };

typedef struct {
    char ids[CHALLENGE_LIST_MAX][GAME_ID_SIZE];
    int count;
} ChallengeList;

/* What has no valid id is passed over. */
bool challenge_list_parse(ChallengeList *out, const char *body, size_t len, Error *err) MUST_CHECK;

/* The challenges themselves, each as an EVENT_CHALLENGE that is lent for the call. False: no list.
 */
typedef void ChallengeListEach(void *user, const Event *event);
bool challenge_list_each(const char *body, size_t len, ChallengeListEach *each, void *user);

bool challenge_list_has(const ChallengeList *list, const char *id);
