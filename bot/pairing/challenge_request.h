/* SPDX-License-Identifier: GPL-3.0-or-later */
/* challenge_request.h - a challenge in the operator's words: USER 3+2|2d [rated|casual] [VARIANT]
 * [white|black] [fen=FEN], the blanks of a FEN as underscores. A game from a position is a casual
 * one of standard chess (whose variant is then fromPosition) or Chess960. Pure. */
#pragma once
#include "bot/model/record.h"
#include "bot/config/settings.h"
#include "bot/policy/wish.h"
#include "engine/core/fen.h"

typedef struct {
    char opponent[USER_ID_SIZE]; /* user id */
    int base_s, increment_s;
    bool rated;
    Variant variant;
    Colour colour;                 /* ours; COLOUR_NONE: drawn by the server */
    char fen[FEN_SIZE];            /* the position to begin with; "": the usual one */
    OpponentKind kind;             /* KIND_HUMAN where it is not known: those may have any slot */
    int days;                      /* a move, and no clock; 0: a clock */
    char rematch_of[GAME_ID_SIZE]; /* for our own count of them: the server knows it as a challenge;
                                      "": none, as in words */
} ChallengeRequest;

/* Reads words with blanks between, in any order after the first two. False and an Error that names
 * the word. */
bool challenge_request_read(ChallengeRequest *out, Text words, Error *err) MUST_CHECK;

/* Another game like that one, with the colours changed over. False and an Error where there can be
 * none: by its clock, its opponent, its tournament. */
bool challenge_request_again(ChallengeRequest *out, const GameRecord *record,
                             Error *err) MUST_CHECK;

/* The game that the opponent of that one wishes for: the same once more, with the colours changed
 * over unless it was at odds, or a casual one at odds. False and an Error as above. */
bool challenge_request_wished(ChallengeRequest *out, const GameRecord *record, const Wish *wish,
                              Error *err) MUST_CHECK;

/* The request in words, with blanks between. False when `out` is full. */
bool challenge_request_write(const ChallengeRequest *request, Buf *out) MUST_CHECK;
