/* SPDX-License-Identifier: GPL-3.0-or-later */
/* external_fault.h - a fault of an external engine, told with all that somebody needs to find it:
 * the game, the ply, the position, what was asked, and what the engine wrote last. */
#pragma once
#include "bot/source/source.h"
#include "bot/source/transcript_writer.h"

enum { EXTERNAL_FAULT_SIZE = 400 };

/* All lent for the call. */
typedef struct {
    const char *engine, *why;
    const MoveRequest *request;
    const char *position, *go;    /* as they were told */
    int strikes;                  /* with this one, in the game; 0: it is none */
    TranscriptWriter *transcript; /* gets a note; NULL: none */
} ExternalFault;

/* Warns, with the position, and adds a line for each that the engine wrote last. `words`: all in
 * one sentence, for an alert, cut where it is longer. */
void external_fault_tell(const ExternalFault *fault, Log *log, char words[EXTERNAL_FAULT_SIZE]);
